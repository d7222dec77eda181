import Graft

/// The text of values for which databases have no type of their own.
package enum ColumnText {
  /// Calls a closure with a date as `2012-09-24 03:35:21.000`, in UTC, with as many digits as it needs: 3, 6 or 9.
  ///
  /// - Parameters:
  ///   - interval: Seconds since 2001.
  ///   - body: Takes the text.
  /// - Returns: Whether the text stands for exactly the same number; if not, as for years before 0
  ///   and after 9999, the closure is not called.
  package static func date(_ interval: Double, _ body: (RawSpan) -> Void) -> Bool {
    let seconds = (interval + EpochSeconds.referenceDate).rounded(.down)
    guard EpochSeconds.range.contains(seconds) else { return false }
    for digits in [3, 6, 9] {
      var whole = Int64(seconds)
      let unit: Int64 = digits == 3 ? 1000 : digits == 6 ? 1_000_000 : 1_000_000_000
      let scaled = ((interval - (seconds - EpochSeconds.referenceDate)) * Double(unit)).rounded()
      var fraction = Int64(scaled)
      if fraction >= unit { (whole, fraction) = (whole + 1, 0) }
      let exact = EpochSeconds.referenceInterval(
        seconds: whole, fraction: fraction, fractionDigits: digits)
      guard exact == interval else { continue }
      guard DateText.fourDigitYears.contains(exact) else { return false }
      text(seconds: whole, fraction, digits).withBytes { $0.withRawSpan(body) }
      return true
    }
    return false
  }

  /// Returns the text of a date of the years 0 to 9999.
  private static func text(seconds: Int64, _ fraction: Int64, _ digits: Int) -> ByteBuffer {
    let date = CivilDate(secondsSince1970: Int(seconds))
    var text = ByteBuffer(capacity: 48)
    text.append(date.year, digits: 4)
    for (mark, part) in [
      (0x2D, date.month), (0x2D, date.day), (0x20, date.hour), (0x3A, date.minute),
      (0x3A, date.second),
    ] {
      text.append(UInt8(mark))
      text.append(part, digits: 2)
    }
    text.append(0x2E)
    text.append(Int(fraction), digits: digits)
    return text
  }

  /// Returns a text for any date; such texts sort in the order of their dates.
  ///
  /// It is the text of ``date(_:_:)`` if there is one. Any other date is written as the last such text before it and
  /// its bits: `9999-12-31 23:59:59.999999999 C265E7D0CC000000` for the year 12000. Before the year 0 there is no text,
  /// and a hyphen comes before all digits.
  ///
  /// - Parameter interval: Seconds since 2001.
  /// - Returns: The text.
  package static func orderedDate(_ interval: Double) -> String {
    var exact: String?
    if date(
      interval, { bytes in exact = bytes.withBorrowed { String(decoding: $0, as: UTF8.self) } }),
      let exact
    {
      return exact
    }
    let years = DateText.fourDigitYears
    let bits = interval.bitPattern
    let order = String(interval < 0 ? ~bits : bits | 1 << 63, radix: 16, uppercase: true)
    let digits = String(repeating: "0", count: 16 - order.count) + order
    if interval < years.lowerBound { return "- \(digits)" }
    guard interval < years.upperBound else { return "9999-12-31 23:59:59.999999999 \(digits)" }
    // Search for the last nanosecond of this second that is read as an earlier date.
    let second = Int64(interval.rounded(.down)) + Int64(EpochSeconds.referenceDate)
    var (last, later): (Int64, Int64) = (0, 1_000_000_000)
    while later - last > 1 {
      let middle = (last + later) / 2
      let date = EpochSeconds.referenceInterval(
        seconds: second, fraction: middle, fractionDigits: 9)
      if date < interval { last = middle } else { later = middle }
    }
    return "\(text(seconds: second, last, 9).string) \(digits)"
  }

  /// Returns the date in a text, as seconds since 2001; nil if the text is no date.
  package static func date(of text: RawSpan) -> Double? {
    text.withBorrowed { $0.withSpan(DateText.parseISO8601) }
  }

  /// Calls a closure with a UUID as text, in capital letters.
  package static func uuid(_ bytes: RawSpan, _ body: (RawSpan) -> Void) {
    var text = ByteBuffer(capacity: 48)
    bytes.withBorrowed { $0.withSpan { UUIDText.append($0, to: &text) } }
    text.withBytes { $0.withRawSpan(body) }
  }

  /// Calls a closure with the 16 bytes of the UUID in a text, or with 16 zeros if the text is no
  /// UUID.
  package static func uuid(of text: RawSpan, _ body: (RawSpan) -> Void) {
    var bytes: [16 of UInt8] = .init(repeating: 0)
    var span = bytes.mutableSpan
    _ = text.withBorrowed { $0.withSpan { UUIDText.parse($0, into: &span) } }
    // The array's elements are its bytes.
    unsafe body(bytes.span.bytes)
  }

  /// Compares two decimals by their size.
  ///
  /// - Returns: Less than 0 where the first is the smaller one, more than 0 where it is the larger one.
  package static func compareDecimals(_ first: RawSpan, _ second: RawSpan) -> Int32 {
    first.withBorrowed { first in
      second.withBorrowed { second in
        first.withSpan { first in
          second.withSpan { Int32(DecimalText.compare(first, $0)) }
        }
      }
    }
  }
}
