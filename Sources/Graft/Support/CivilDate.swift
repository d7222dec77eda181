/// The parts of a date and time as people write them, in the proleptic Gregorian calendar.
package struct CivilDate {
  package var year = 2000
  package var month = 1
  package var day = 1
  package var hour = 0
  package var minute = 0
  package var second = 0
  /// The digits after the decimal point of the seconds, as an integer.
  var fraction: Int64 = 0
  /// The number of those digits, at most 9.
  var fractionDigits = 0
  /// Seconds east of Greenwich.
  var offset = 0

  /// Whether each part is within its bounds; a leap second counts as the second after it.
  var isValid: Bool {
    1...12 ~= month && day >= 1 && day <= Self.dayCount(ofMonth: month, year: year)
      && 0...23 ~= hour && 0...59 ~= minute && 0...60 ~= second && abs(offset) <= 18 * 3600
  }

  private static func dayCount(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Whole seconds since 1970 in UTC.
  ///
  /// Days are counted with the algorithm of H. Hinnant, "chrono-compatible
  /// low-level date algorithms".
  var secondsSince1970: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return Int64(days * 86_400 + hour * 3600 + minute * 60 + second - offset)
  }

  /// Seconds since 2001, as `Date` keeps them, rounded like a number of seconds since 1970.
  var timeIntervalSinceReferenceDate: Double {
    EpochSeconds.referenceInterval(
      seconds: secondsSince1970, fraction: fraction, fractionDigits: fractionDigits)
  }
}

extension CivilDate {
  /// Creates the parts of a point in time, in UTC; the inverse of `secondsSince1970`, by the same source.
  package init(secondsSince1970 seconds: Int) {
    let (days, time) = seconds.floored(by: 86_400)
    let (era, dayOfEra) = (days + 719_468).floored(by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = time / 3600
    minute = time / 60 % 60
    second = time % 60
  }
}

extension CivilDate {
  /// The English names of the months, from January.
  package static let monthNames: [StaticString] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The English names of the days of the week, from Sunday.
  package static let weekdayNames: [StaticString] = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
}

/// Seconds since 1970 as a number, and their conversion to those of `Date`.
package enum EpochSeconds {
  /// 2001-01-01 in seconds since 1970.
  package static let referenceDate: Double = 978_307_200

  private static let powersOfTen: [Int64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  ]

  /// Joins seconds and their decimal fraction.
  ///
  /// The sum is formed as an integer and divided once, so that `1388349427.543` is the `Double`
  /// of that literal.
  ///
  /// - Parameters:
  ///   - seconds: Whole seconds since 1970, rounded down.
  ///   - fraction: The digits after the point as an integer.
  ///   - fractionDigits: The number of those digits, at most 9.
  /// - Returns: Seconds since 2001.
  package static func referenceInterval(
    seconds: Int64, fraction: Int64, fractionDigits: Int
  ) -> Double {
    guard fraction != 0 else { return Double(seconds) - referenceDate }
    let unit = powersOfTen[fractionDigits]
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: unit)
    let total = scaled &+ fraction
    guard !overflow, abs(total) < 1 << 53 else {
      return Double(seconds) + Double(fraction) / Double(unit) - referenceDate
    }
    return Double(total) / Double(unit) - referenceDate
  }

  /// Rounds a date to the microsecond.
  ///
  /// - Parameter interval: Seconds since 2001.
  /// - Returns: The nearest date that is a whole number of microseconds, in seconds since 2001.
  static func roundedToMicroseconds(_ interval: Double) -> Double {
    guard let (seconds, fraction) = microseconds(of: interval + referenceDate) else {
      return interval
    }
    return fraction == 1_000_000
      ? referenceInterval(seconds: seconds + 1, fraction: 0, fractionDigits: 6)
      : referenceInterval(seconds: seconds, fraction: fraction, fractionDigits: 6)
  }

  /// Splits a date into whole seconds and microseconds.
  ///
  /// The two are scaled apart, because in far years the product of both has no digits for the fraction.
  ///
  /// - Parameter interval: Seconds since 1970.
  /// - Returns: Whole seconds since 1970, rounded down, and the nearest number of microseconds after them, up to 1,000,000;
  ///   nil if the seconds are no integer of 64 bits.
  package static func microseconds(of interval: Double) -> (seconds: Int64, fraction: Int64)? {
    let whole = interval.rounded(.down)
    guard let seconds = Int64(exactly: whole) else { return nil }
    return (seconds, Int64(((interval - whole) * 1e6).rounded()))
  }

  /// The dates that are read from a number, and written as one: those of the years -9999 to 9999.
  package static let range: Range<Double> = -377_705_116_800..<253_402_300_800
}

extension Int {
  /// Returns the quotient rounded down, and the remainder, which is never negative.
  package func floored(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
