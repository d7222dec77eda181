/// Reads and writes dates in the forms that need no pattern.
package enum DateText {
  /// Reads a date in any of the recognised forms: ISO 8601, RFC 1123 and 2822, the order of `ctime`
  /// with a zone, or seconds since 1970 as digits.
  ///
  /// - Parameter text: The bytes of the whole text.
  /// - Returns: Seconds since 2001, or nil if the text has none of the forms or names a day that
  ///   does not exist.
  package static func parseAutomatic(_ text: Span<UInt8>) -> Double? {
    guard !text.isEmpty else { return nil }
    let first = text[0]
    if first &- 0x30 <= 9 || first == 0x2D || first == 0x2B {
      return parseISO8601(text) ?? parseRFC2822(text) ?? parseSeconds(text)
    }
    return parseCtime(text, requiresZone: false) ?? parseRFC2822(text)
  }

  /// Reads an ISO 8601 date, such as `2012-09-24`, `2012-09-24T03:35:21.5Z` or
  /// `2012-09-24 03:35+01:00`.
  ///
  /// The time follows `T` or a space and may have a fraction of a second. The zone is `Z`,
  /// `±hh:mm`, `±hhmm` or `±hh`; without a zone, the time is UTC.
  ///
  /// A year before 0 or after 9999 has a sign: `+10000-01-01`.
  ///
  /// - Parameter text: The bytes of the whole text.
  /// - Returns: Seconds since 2001, or nil.
  package static func parseISO8601(_ text: Span<UInt8>) -> Double? {
    var cursor = TextCursor()
    var date = CivilDate()
    guard let year = cursor.year(in: text), cursor.take(0x2D, in: text),
      let month = cursor.number(digits: 2, in: text), cursor.take(0x2D, in: text),
      let day = cursor.number(digits: 2, in: text)
    else { return nil }
    (date.year, date.month, date.day) = (year, month, day)
    if !cursor.isAtEnd(of: text) {
      guard
        cursor.take(0x54, in: text) || cursor.take(0x74, in: text) || cursor.take(0x20, in: text)
      else { return nil }
      guard parseTime(of: text, at: &cursor, into: &date) else { return nil }
      if !cursor.isAtEnd(of: text) {
        cursor.skipSpaces(in: text)
        guard let offset = cursor.zoneOffset(in: text) else { return nil }
        date.offset = offset
      }
    }
    return finish(text, cursor, date)
  }

  /// Reads seconds since 1970 from the digits of a text or a number, with any fraction.
  ///
  /// - Parameter text: The bytes of the whole number.
  /// - Returns: Seconds since 2001, or nil if it is no number or a date beyond the year 9999.
  static func parseSeconds(_ text: Span<UInt8>) -> Double? {
    guard let seconds = FloatText.parse(text), EpochSeconds.range.contains(seconds) else {
      return nil
    }
    return seconds - EpochSeconds.referenceDate
  }

  /// Reads milliseconds since 1970 from the digits of a text or a number.
  ///
  /// - Parameter text: The bytes of the whole number.
  /// - Returns: Seconds since 2001, or nil if it is no number or a date beyond the year 9999.
  static func parseMilliseconds(_ text: Span<UInt8>) -> Double? {
    guard let milliseconds = FloatText.parse(text) else { return nil }
    let seconds = milliseconds / 1000
    guard EpochSeconds.range.contains(seconds) else { return nil }
    return seconds - EpochSeconds.referenceDate
  }

  /// Reads a date in the order of `ctime`, with a zone before the year:
  /// `Mon Sep 24 03:35:21 +0000 2012`.
  ///
  /// - Parameters:
  ///   - text: The bytes of the whole text.
  ///   - requiresZone: Whether the zone is required. Without a zone, the time is UTC.
  /// - Returns: Seconds since 2001, or nil.
  static func parseCtime(_ text: Span<UInt8>, requiresZone: Bool) -> Double? {
    var cursor = TextCursor()
    var date = CivilDate()
    guard cursor.shortWeekday(in: text), cursor.take(0x20, in: text),
      let month = cursor.shortMonth(in: text)
    else { return nil }
    cursor.skipSpaces(in: text)
    guard let day = cursor.number(digits: 1...2, in: text), cursor.take(0x20, in: text) else {
      return nil
    }
    (date.month, date.day) = (month, day)
    guard parseTime(of: text, at: &cursor, into: &date), cursor.take(0x20, in: text) else {
      return nil
    }
    if let offset = cursor.zoneOffset(in: text) {
      date.offset = offset
      guard cursor.take(0x20, in: text) else { return nil }
    } else if requiresZone {
      return nil
    }
    guard let year = cursor.number(digits: 4, in: text) else { return nil }
    date.year = year
    return finish(text, cursor, date)
  }

  /// Reads a date of RFC 2822, such as `Tue, 15 Nov 1994 12:45:26 GMT`; the day of the week and the seconds are
  /// optional.
  private static func parseRFC2822(_ text: Span<UInt8>) -> Double? {
    var cursor = TextCursor()
    var date = CivilDate()
    if cursor.shortWeekday(in: text) {
      guard cursor.take(0x2C, in: text) else { return nil }
      cursor.skipSpaces(in: text)
    }
    guard let day = cursor.number(digits: 1...2, in: text), cursor.take(0x20, in: text),
      let month = cursor.shortMonth(in: text), cursor.take(0x20, in: text),
      let year = cursor.number(digits: 4, in: text), cursor.take(0x20, in: text)
    else { return nil }
    (date.year, date.month, date.day) = (year, month, day)
    guard parseTime(of: text, at: &cursor, into: &date), cursor.take(0x20, in: text),
      let offset = cursor.zoneOffset(in: text)
    else { return nil }
    date.offset = offset
    return finish(text, cursor, date)
  }

  /// Reads a time: `hh:mm`, `hh:mm:ss` or `hh:mm:ss.fff`.
  private static func parseTime(
    of text: Span<UInt8>, at cursor: inout TextCursor, into date: inout CivilDate
  ) -> Bool {
    guard let hour = cursor.number(digits: 2, in: text), cursor.take(0x3A, in: text),
      let minute = cursor.number(digits: 2, in: text)
    else { return false }
    (date.hour, date.minute) = (hour, minute)
    guard cursor.take(0x3A, in: text) else { return true }
    guard let second = cursor.number(digits: 2, in: text) else { return false }
    date.second = second
    guard cursor.take(0x2E, in: text) || cursor.take(0x2C, in: text) else { return true }
    guard let fraction = cursor.fraction(in: text) else { return false }
    (date.fraction, date.fractionDigits) = (fraction.value, fraction.digits)
    return true
  }

  private static func finish(
    _ text: Span<UInt8>, _ cursor: TextCursor, _ date: CivilDate
  ) -> Double? {
    guard cursor.isAtEnd(of: text), date.isValid else { return nil }
    let interval = date.timeIntervalSinceReferenceDate
    return writableRange.contains(interval) ? interval : nil
  }
}

extension DateText {
  /// The milliseconds since 2001 that are written as a date: the years 0 to 9999 and some around
  /// them.
  private static let range: ClosedRange<Double> = -1e15...1e15

  /// The seconds since 2001 that are written as a date.
  package static let writableRange: ClosedRange<Double> = -1e12...1e12

  /// The seconds since 2001 that are written as a date with a year of four digits, in any pattern.
  package static let fourDigitYears: Range<Double> =
    -62_167_219_200 - EpochSeconds.referenceDate..<253_402_300_800 - EpochSeconds.referenceDate

  /// Appends a date of ISO 8601 in UTC, such as `2012-09-24T03:35:21Z`, with milliseconds only if
  /// there are any.
  ///
  /// Years before 0 or after 9999 have a sign and at least four digits. A date some thousands of
  /// years further off is written as its number of seconds since 2001.
  ///
  /// - Parameters:
  ///   - interval: Seconds since 2001; rounded to the millisecond.
  ///   - output: The bytes to which the text is appended, without quotes.
  package static func appendISO8601(_ interval: Double, to output: inout ByteBuffer) {
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
