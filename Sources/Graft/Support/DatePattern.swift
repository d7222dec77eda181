package import Foundation

// A date pattern of Unicode Technical Standard #35 is compiled once into fields. Fields that occur
// in JSON dates are read from the bytes. A pattern with any other letter is left to Foundation's
// `DateFormatter`, which knows all letters and is about a hundred times slower.

/// A compiled Unicode date pattern, read in `en_US_POSIX` and in UTC unless the
/// text says otherwise.
package struct DatePattern: Sendable {
  package enum Field: Sendable {
    case year
    case twoDigitYear
    case month
    case shortMonthName
    case monthName
    case day
    case weekday
    case shortWeekday
    case hour
    case halfDayHour
    case minute
    case second
    case fraction
    case dayHalf
    /// The letter decides how it is written.
    case zone(letter: UInt8)
    case literal(UInt8)

    package var isNumeric: Bool {
      switch self {
      case .year, .twoDigitYear, .month, .day, .hour, .halfDayHour, .minute, .second, .fraction:
        true
      default:
        false
      }
    }
  }

  /// The pattern as it was given.
  package let text: String
  /// The fields with their widths; nil if the pattern is left to `DateFormatter`.
  package let fields: [(field: Field, width: Int)]?
  /// Foundation's formatter; nil if the fields do without it.
  package let formatter: DateFormatter?
  /// Whether this is the pattern of Twitter's dates, read by a faster function.
  private let isCtime: Bool

  /// Compiles a pattern.
  ///
  /// - Parameter text: The pattern, such as `EEE MMM dd HH:mm:ss Z yyyy`.
  package init(_ text: String) {
    self.text = text
    isCtime = text == "EEE MMM dd HH:mm:ss Z yyyy"
    fields = Self.compile(Array(text.utf8))
    formatter = fields == nil ? Self.formatter(text) : nil
  }

  /// Reads a date.
  ///
  /// - Parameter text: The bytes of the whole text.
  /// - Returns: Seconds since 2001, or nil if the text does not match the pattern, or its year
  ///   could not be written in it again.
  package func parse(_ text: Span<UInt8>) -> Double? {
    if isCtime, let date = DateText.parseCtime(text, requiresZone: true) { return date }
    guard let fields else {
      return formatter?.date(from: String(text)).map(\.timeIntervalSinceReferenceDate)
        .flatMap { DateText.writableRange.contains($0) ? $0 : nil }
    }
    var reader = DatePatternReader()
    for (index, part) in fields.enumerated() {
      let isFollowedByDigits = index + 1 < fields.count && fields[index + 1].field.isNumeric
      guard reader.read(part.field, width: part.width, isFixed: isFollowedByDigits, in: text)
      else { return nil }
    }
    return reader.result(for: text)
  }

  /// Returns Foundation's formatter for a pattern.
  private static func formatter(_ pattern: String) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = pattern
    return formatter
  }

  private static func compile(_ pattern: [UInt8]) -> [(field: Field, width: Int)]? {
    var fields: [(Field, Int)] = []
    var position = 0
    var isQuoted = false
    while position < pattern.count {
      let letter = pattern[position]
      if letter == 0x27 {
        if position + 1 < pattern.count, pattern[position + 1] == 0x27 {
          fields.append((.literal(letter), 1))
          position += 1
        } else {
          isQuoted.toggle()
        }
        position += 1
        continue
      }
      let isLetter = (letter | 0x20) &- 0x61 < 26
      guard isLetter, !isQuoted else {
        fields.append((.literal(letter), 1))
        position += 1
        continue
      }
      var width = 1
      while position + width < pattern.count, pattern[position + width] == letter { width += 1 }
      guard let field = field(letter, width) else { return nil }
      fields.append((field, width))
      position += width
    }
    return isQuoted ? nil : fields
  }

  private static func field(_ letter: UInt8, _ width: Int) -> Field? {
    switch (letter, width) {
    case (UInt8(ascii: "y"), 2): .twoDigitYear
    case (UInt8(ascii: "y"), _): .year
    case (UInt8(ascii: "M"), 1...2), (UInt8(ascii: "L"), 1...2): .month
    case (UInt8(ascii: "M"), 3), (UInt8(ascii: "L"), 3): .shortMonthName
    case (UInt8(ascii: "M"), 4), (UInt8(ascii: "L"), 4): .monthName
    case (UInt8(ascii: "d"), 1...2): .day
    case (UInt8(ascii: "E"), 1...3): .shortWeekday
    case (UInt8(ascii: "E"), 4): .weekday
    case (UInt8(ascii: "H"), 1...2): .hour
    case (UInt8(ascii: "h"), 1...2): .halfDayHour
    case (UInt8(ascii: "m"), 1...2): .minute
    case (UInt8(ascii: "s"), 1...2): .second
    case (UInt8(ascii: "S"), _): .fraction
    case (UInt8(ascii: "a"), _): .dayHalf
    case (UInt8(ascii: "Z"), _), (UInt8(ascii: "X"), _), (UInt8(ascii: "x"), _),
      (UInt8(ascii: "z"), 1...3):
      .zone(letter: letter)
    default: nil
    }
  }
}

/// Reads the fields of a date pattern from a text.
private struct DatePatternReader {
  private var cursor = TextCursor()
  private var date = CivilDate()
  private var isAfternoon: Bool?

  /// Returns the seconds since 2001; nil unless the whole text was read and names an existing day.
  func result(for text: Span<UInt8>) -> Double? {
    var date = date
    if let isAfternoon { date.hour = date.hour % 12 + (isAfternoon ? 12 : 0) }
    guard cursor.isAtEnd(of: text), date.isValid else { return nil }
    let interval = date.timeIntervalSinceReferenceDate
    return DateText.fourDigitYears.contains(interval) ? interval : nil
  }

  @inline(__always)
  mutating func read(
    _ field: DatePattern.Field, width: Int, isFixed: Bool, in text: Span<UInt8>
  ) -> Bool {
    let digits = isFixed ? width...width : 1...2
    switch field {
    case .year:
      return store(cursor.number(digits: isFixed ? width...width : 1...4, in: text), &date.year)
    case .twoDigitYear: return readTwoDigitYear(in: text)
    case .month: return store(cursor.number(digits: digits, in: text), &date.month)
    case .shortMonthName: return store(cursor.shortMonth(in: text), &date.month)
    case .monthName: return store(cursor.month(in: text), &date.month)
    case .day: return store(cursor.number(digits: digits, in: text), &date.day)
    case .weekday: return cursor.weekday(in: text)
    case .shortWeekday: return cursor.shortWeekday(in: text)
    case .hour: return store(cursor.number(digits: digits, in: text), &date.hour)
    case .halfDayHour: return readHalfDayHour(digits, in: text)
    case .minute: return store(cursor.number(digits: digits, in: text), &date.minute)
    case .second: return store(cursor.number(digits: digits, in: text), &date.second)
    case .fraction: return readFraction(width, isFixed: isFixed, in: text)
    case .dayHalf: return readDayHalf(in: text)
    case .zone: return store(cursor.zoneOffset(in: text), &date.offset)
    case .literal(let byte): return cursor.take(byte, in: text)
    }
  }

  /// Reads a year of two digits, from 1950 to 2049, as Foundation does.
  private mutating func readTwoDigitYear(in text: Span<UInt8>) -> Bool {
    guard let year = cursor.number(digits: 2, in: text) else { return false }
    date.year = year < 50 ? 2000 + year : 1900 + year
    return true
  }

  private mutating func readHalfDayHour(
    _ digits: ClosedRange<Int>, in text: Span<UInt8>
  ) -> Bool {
    guard let hour = cursor.number(digits: digits, in: text), 1...12 ~= hour else { return false }
    date.hour = hour % 12
    return true
  }

  private mutating func readFraction(
    _ width: Int, isFixed: Bool, in text: Span<UInt8>
  ) -> Bool {
    if isFixed {
      guard width <= 9, let value = cursor.number(digits: width, in: text) else { return false }
      (date.fraction, date.fractionDigits) = (Int64(value), width)
      return true
    }
    guard let fraction = cursor.fraction(in: text) else { return false }
    (date.fraction, date.fractionDigits) = (fraction.value, fraction.digits)
    return true
  }

  private mutating func readDayHalf(in text: Span<UInt8>) -> Bool {
    isAfternoon = cursor.take("PM", in: text)
    return isAfternoon == true || cursor.take("AM", in: text)
  }
}

@inline(__always)
private func store(_ value: Int?, _ part: inout Int) -> Bool {
  guard let value else { return false }
  part = value
  return true
}
