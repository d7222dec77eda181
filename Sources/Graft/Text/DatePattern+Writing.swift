// Dates in the form that a pattern asks for, always in UTC.

extension DatePattern {
  /// Appends a date; for a pattern that is made of known fields only.
  ///
  /// - Parameters:
  ///   - interval: Seconds since 2001; rounded to the millisecond, then cut to what the pattern
  ///     shows.
  ///   - output: Where the date is appended.
  /// - Precondition: The date is within ``DateText/writableRange``.
  func append(_ interval: Double, to output: inout ByteBuffer) {
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

private let monthNames: [StaticString] = [
  "January", "February", "March", "April", "May", "June", "July", "August", "September",
  "October", "November", "December",
]
private let weekdayNames: [StaticString] = [
  "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
]

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
    case .shortMonthName: append(monthNames[date.month - 1], prefix: 3)
    case .monthName: append(monthNames[date.month - 1])
    case .day: append(date.day, digits: width)
    case .weekday: append(weekdayNames[weekday])
    case .shortWeekday: append(weekdayNames[weekday], prefix: 3)
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

  /// Greenwich, in the form that the letter asks for.
  private mutating func appendZone(_ letter: UInt8, _ width: Int) {
    switch (letter, width) {
    case (0x58, _), (0x5A, 5): append(0x5A)
    case (0x7A, _), (0x5A, 4): append("GMT")
    case (0x78, 1): append("+00")
    case (0x78, 3), (0x78, 5): append("+00:00")
    default: append("+0000")
    }
  }

  /// The digits of a fraction from the left, with zeros behind the third.
  private mutating func appendFraction(_ milliseconds: Int, digits width: Int) {
    let digits = [milliseconds / 100, milliseconds / 10 % 10, milliseconds % 10]
    for index in 0..<width { append(0x30 + UInt8(index < 3 ? digits[index] : 0)) }
  }
}
