extension DateText {
  /// The milliseconds since 2001 that are written as a date: the years 0 to 9999 and some around
  /// them.
  private static let range: ClosedRange<Double> = -1e15...1e15

  /// The seconds since 2001 that are written as a date.
  static let writableRange: ClosedRange<Double> = -1e12...1e12

  /// Appends a date of ISO 8601 in UTC, such as `2012-09-24T03:35:21Z`, with milliseconds only if
  /// there are any.
  ///
  /// Years before 0 or after 9999 have a sign and at least four digits. A date some thousands of
  /// years further off is written as its number of seconds since 2001.
  ///
  /// - Parameters:
  ///   - interval: Seconds since 2001; rounded to the millisecond.
  ///   - output: Where the text is appended, without quotes.
  static func appendISO8601(_ interval: Double, to output: inout ByteBuffer) {
    let rounded = (interval * 1000).rounded()
    guard range.contains(rounded) else { return output.append(shortest: interval) }
    let milliseconds = Int(rounded) + Int(EpochSeconds.referenceDate) * 1000
    let seconds = milliseconds.floored(by: 1000)
    let date = CivilDate(secondsSince1970: seconds.quotient)
    if !(0...9999 ~= date.year) { output.append(date.year < 0 ? 0x2D : 0x2B) }
    output.append(Int(date.year.magnitude), digits: 4)
    for (mark, part) in [(0x2D, date.month), (0x2D, date.day), (0x54, date.hour)] {
      append(UInt8(mark), part, to: &output)
    }
    append(0x3A, date.minute, to: &output)
    append(0x3A, date.second, to: &output)
    if seconds.remainder != 0 {
      output.append(0x2E)
      output.append(seconds.remainder, digits: 3)
    }
    output.append(0x5A)
  }

  private static func append(_ mark: UInt8, _ part: Int, to output: inout ByteBuffer) {
    output.append(mark)
    output.append(part, digits: 2)
  }
}

extension CivilDate {
  /// The parts of a point in time, in UTC; the inverse of `secondsSince1970`, by the same source.
  init(secondsSince1970 seconds: Int) {
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

extension Int {
  /// Quotient rounded down, and what is left, which is never negative.
  func floored(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
