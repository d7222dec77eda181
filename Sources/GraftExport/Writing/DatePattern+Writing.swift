import Foundation
import Graft

extension DatePattern {
  /// Returns a date in the pattern, in UTC.
  ///
  /// - Parameter interval: Seconds since 2001.
  /// - Returns: The date as text.
  /// - Precondition: The date is within ``DateText/writableRange``.
  package func string(from interval: Double) -> String {
    if let formatter {
      return formatter.string(from: Date(timeIntervalSinceReferenceDate: interval))
    }
    var output = ByteBuffer()
    append(interval, to: &output)
    return output.string
  }

  /// Whether dates in the pattern are JSON without escapes, and can be appended to it.
  var isPlain: Bool {
    fields?.allSatisfy { part in
      if case .literal(let byte) = part.field {
        byte >= 0x20 && byte != 0x22 && byte != 0x5C
      } else {
        true
      }
    } ?? false
  }

  /// Appends a date, in UTC; for a pattern that is made of known fields only.
  ///
  /// - Parameters:
  ///   - interval: Seconds since 2001; rounded to the millisecond, then cut to the pattern's
  ///     precision.
  ///   - output: The bytes to which the date is appended.
  /// - Precondition: The date is within ``DateText/writableRange``.
  package func append(_ interval: Double, to output: inout ByteBuffer) {
    let milliseconds =
      Int((interval * 1000).rounded()) + Int(EpochSeconds.referenceDate) * 1000
    let seconds = milliseconds.floored(by: 1000)
    let date = CivilDate(secondsSince1970: seconds.quotient)
    let weekday = (seconds.quotient.floored(by: 86_400).quotient + 4).floored(by: 7).remainder
    for part in fields ?? [] {
      output.append(
        part.field, part.width, date, weekday: weekday, milliseconds: seconds.remainder)
    }
  }
}

extension ByteBuffer {
  @inline(__always)
  fileprivate mutating func append(
    _ field: DatePattern.Field, _ width: Int, _ date: CivilDate, weekday: Int, milliseconds: Int
  ) {
    switch field {
    case .year:
      if date.year < 0 { append(0x2D) }
      append(Int(date.year.magnitude), digits: width)
    case .twoDigitYear: append(date.year.floored(by: 100).remainder, digits: 2)
    case .month: append(date.month, digits: width)
    case .shortMonthName: append(CivilDate.monthNames[date.month - 1], prefix: 3)
    case .monthName: append(CivilDate.monthNames[date.month - 1])
    case .day: append(date.day, digits: width)
    case .weekday: append(CivilDate.weekdayNames[weekday])
    case .shortWeekday: append(CivilDate.weekdayNames[weekday], prefix: 3)
    case .hour: append(date.hour, digits: width)
    case .halfDayHour: append((date.hour + 11) % 12 + 1, digits: width)
    case .minute: append(date.minute, digits: width)
    case .second: append(date.second, digits: width)
    case .fraction: appendFraction(milliseconds, digits: width)
    case .dayHalf: append(date.hour < 12 ? "AM" : "PM")
    case .zone(let letter): appendZone(letter, width)
    case .literal(let byte): append(byte)
    }
  }

  /// Appends the time zone UTC, in the form of the pattern's letter.
  private mutating func appendZone(_ letter: UInt8, _ width: Int) {
    switch (letter, width) {
    case (0x58, _), (0x5A, 5): append(0x5A)
    case (0x7A, _), (0x5A, 4): append("GMT")
    case (0x78, 1): append("+00")
    case (0x78, 3), (0x78, 5): append("+00:00")
    default: append("+0000")
    }
  }

  /// Appends the digits of a fraction, with zeros after the third.
  private mutating func appendFraction(_ milliseconds: Int, digits width: Int) {
    let digits = [milliseconds / 100, milliseconds / 10 % 10, milliseconds % 10]
    for index in 0..<width { append(0x30 + UInt8(index < 3 ? digits[index] : 0)) }
  }
}

/// A pattern of an attribute's dates, and how exactly it tells them.
struct WrittenPattern: Sendable {
  let pattern: DatePattern
  /// The seconds in the smallest unit of the pattern; nil if the pattern lacks a larger unit, or does not say where a
  /// number ends.
  private let resolution: Double?

  init(_ pattern: DatePattern) {
    self.pattern = pattern
    resolution = pattern.fields.flatMap { Self.hasEnds($0) ? Self.resolution(of: $0) : nil }
  }

  /// Returns whether each number is read to its end.
  ///
  /// In `yyyyMd`, one digit is read for the month, because the day follows at once.
  private static func hasEnds(_ fields: [(field: DatePattern.Field, width: Int)]) -> Bool {
    zip(fields, fields.dropFirst()).allSatisfy { part, next in
      if case .year = part.field, part.width == 4 { return true }
      return !part.field.isNumeric || !next.field.isNumeric || part.width == 2
    }
  }

  /// Returns whether a date is the same when it is written and read again, to the millisecond.
  func holds(_ interval: Double) -> Bool {
    if let resolution {
      let units = interval / resolution
      return abs(units - units.rounded()) * resolution < 0.001
    }
    return pattern.string(from: interval).withUTF8Span { pattern.parse($0) }.map {
      abs($0 - interval) < 0.001
    }
      ?? false
  }

  private static func resolution(of fields: [(field: DatePattern.Field, width: Int)]) -> Double? {
    var hasYear = false
    var hasMonth = false
    var hasDay = false
    var hasHour = false
    var isHalfDay = false
    var hasDayHalf = false
    var hasMinute = false
    var hasSecond = false
    var decimals = 0
    for (field, width) in fields {
      switch field {
      case .year: hasYear = true
      case .month, .shortMonthName, .monthName: hasMonth = true
      case .day: hasDay = true
      case .hour: hasHour = true
      case .halfDayHour: isHalfDay = true
      case .dayHalf: hasDayHalf = true
      case .minute: hasMinute = true
      case .second: hasSecond = true
      case .fraction: decimals = width
      case .twoDigitYear: return nil
      case .weekday, .shortWeekday, .zone, .literal: break
      }
    }
    guard hasYear, hasMonth, hasDay else { return nil }
    guard hasHour || isHalfDay && hasDayHalf else { return isHalfDay ? nil : 86_400 }
    guard hasMinute else { return 3600 }
    guard hasSecond else { return 60 }
    return decimals == 0 ? 1 : decimals == 1 ? 0.1 : decimals == 2 ? 0.01 : 0.001
  }
}

extension DateText {
  /// The seconds since 2001 that are read from a number, and so are written as one.
  static let numericDates: Range<Double> =
    EpochSeconds.range.lowerBound - EpochSeconds.referenceDate..<EpochSeconds.range.upperBound
    - EpochSeconds.referenceDate

  /// Returns whether a date has whole milliseconds and can be written without loss.
  ///
  /// - Parameter interval: Seconds since 2001.
  /// - Returns: Whether it has, as far as a `Double` can tell.
  static func isWhole(_ interval: Double) -> Bool {
    let milliseconds = interval * 1000
    // Moving the zero from 1970 to 2001 has rounded a date that was read from text.
    let tolerance = (abs(interval) + EpochSeconds.referenceDate).ulp * 2000
    return abs(milliseconds - milliseconds.rounded()) <= tolerance
  }
}
