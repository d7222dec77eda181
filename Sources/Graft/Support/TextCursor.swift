/// A position in a text of bytes.
///
/// Its methods recognise text there and move past it.
///
/// The text is passed to each call: a type that keeps a `Span` cannot be made without the
/// experimental feature `Lifetimes`.
struct TextCursor {
  private(set) var position = 0

  func isAtEnd(of text: Span<UInt8>) -> Bool { position == text.count }

  /// Returns the byte at the position, or 0 at the end.
  @inline(__always)
  private func next(in text: Span<UInt8>) -> UInt8 {
    position < text.count ? text[position] : 0
  }

  /// Moves past a byte if it is next.
  @inline(__always)
  mutating func take(_ byte: UInt8, in text: Span<UInt8>) -> Bool {
    guard position < text.count, text[position] == byte else { return false }
    position += 1
    return true
  }

  /// Moves past spaces.
  mutating func skipSpaces(in text: Span<UInt8>) {
    while take(0x20, in: text) {}
  }

  /// Reads exactly this many digits.
  @inline(__always)
  mutating func number(digits count: Int, in text: Span<UInt8>) -> Int? {
    guard position + count <= text.count else { return nil }
    var value = 0
    let digits = text.extracting(position..<position + count)
    for index in digits.indices {
      let digit = digits[index] &- 0x30
      guard digit <= 9 else { return nil }
      value = value &* 10 &+ Int(digit)
    }
    position += count
    return value
  }

  /// Reads a year of four digits, or one of up to six after a sign.
  mutating func year(in text: Span<UInt8>) -> Int? {
    if take(0x2B, in: text) { return number(digits: 4...6, in: text) }
    guard take(0x2D, in: text) else { return number(digits: 4, in: text) }
    return number(digits: 4...6, in: text).map { -$0 }
  }

  /// Reads as many digits as there are, within bounds.
  @inline(__always)
  mutating func number(digits bounds: ClosedRange<Int>, in text: Span<UInt8>) -> Int? {
    var count = 0
    while count < bounds.upperBound, position + count < text.count,
      text[position + count] &- 0x30 <= 9
    {
      count += 1
    }
    return count >= bounds.lowerBound ? number(digits: count, in: text) : nil
  }

  /// Reads the digits of a fraction; those after the ninth do not count.
  mutating func fraction(in text: Span<UInt8>) -> (value: Int64, digits: Int)? {
    let start = position
    var value: Int64 = 0
    var kept = 0
    while position < text.count, text[position] &- 0x30 <= 9 {
      if kept < 9 {
        value = value &* 10 &+ Int64(text[position] &- 0x30)
        kept += 1
      }
      position += 1
    }
    return position > start ? (value, kept) : nil
  }

  /// Moves past a word, in any case, if it is next.
  mutating func take(_ word: StaticString, in text: Span<UInt8>) -> Bool {
    let count = word.utf8CodeUnitCount
    guard position + count <= text.count else { return false }
    for (index, byte) in BorrowedBuffer(word).enumerated()
    where text[position + index] | 0x20 != byte | 0x20 { return false }
    position += count
    return true
  }

  /// Reads an offset from Greenwich: `Z`, `±hh`, `±hhmm`, `±hh:mm` or one of the zone names
  /// of RFC 2822.
  ///
  /// - Returns: Seconds east of Greenwich; nil, and nothing read, where no offset is next.
  mutating func zoneOffset(in text: Span<UInt8>) -> Int? {
    let sign = next(in: text)
    if sign == 0x2B || sign == 0x2D {
      let sign = sign == 0x2D ? -1 : 1
      let start = position
      position += 1
      guard let hours = number(digits: 2, in: text) else {
        position = start
        return nil
      }
      let hasColon = take(0x3A, in: text)
      guard let minutes = number(digits: 2, in: text) else {
        if hasColon { position = start }
        return hasColon ? nil : sign * hours * 3600
      }
      return minutes < 60 ? sign * (hours * 3600 + minutes * 60) : nil
    }
    for zone in Self.zones where take(zone.name, in: text) { return zone.hours * 3600 }
    return nil
  }

  /// The names of RFC 2822, section 4.3, longest first where one begins another.
  private static let zones: [(name: StaticString, hours: Int)] = [
    ("UTC", 0), ("GMT", 0), ("UT", 0), ("EST", -5), ("EDT", -4), ("CST", -6), ("CDT", -5),
    ("MST", -7), ("MDT", -6), ("PST", -8), ("PDT", -7), ("Z", 0),
  ]
}

// The English names of months and weekdays. Three letters distinguish them, and are compared as one
// number, because a date is read for almost every object.
extension TextCursor {
  /// Reads a month's name of three letters, in any case.
  ///
  /// - Returns: The month, from 1; nil, and nothing read, where no such name is next.
  @inline(__always)
  mutating func shortMonth(in text: Span<UInt8>) -> Int? {
    let month: Int
    switch threeLetters(in: text) {
    case 0x6A_61_6E: month = 1
    case 0x66_65_62: month = 2
    case 0x6D_61_72: month = 3
    case 0x61_70_72: month = 4
    case 0x6D_61_79: month = 5
    case 0x6A_75_6E: month = 6
    case 0x6A_75_6C: month = 7
    case 0x61_75_67: month = 8
    case 0x73_65_70: month = 9
    case 0x6F_63_74: month = 10
    case 0x6E_6F_76: month = 11
    case 0x64_65_63: month = 12
    default: return nil
    }
    position += 3
    return month
  }

  /// Reads a weekday's name of three letters, in any case.
  @inline(__always)
  mutating func shortWeekday(in text: Span<UInt8>) -> Bool {
    switch threeLetters(in: text) {
    case 0x6D_6F_6E, 0x74_75_65, 0x77_65_64, 0x74_68_75, 0x66_72_69, 0x73_61_74, 0x73_75_6E:
      position += 3
      return true
    default: return false
    }
  }

  /// Reads a month's full name, in any case.
  mutating func month(in text: Span<UInt8>) -> Int? {
    for (index, name) in CivilDate.monthNames.enumerated() where take(name, in: text) {
      return index + 1
    }
    return nil
  }

  /// Reads a weekday's full name, in any case.
  mutating func weekday(in text: Span<UInt8>) -> Bool {
    for name in CivilDate.weekdayNames where take(name, in: text) { return true }
    return false
  }

  /// Returns the next three letters in lower case as one number; 0 if fewer are left.
  @inline(__always)
  private func threeLetters(in text: Span<UInt8>) -> UInt32 {
    guard position + 3 <= text.count else { return 0 }
    let letters =
      UInt32(text[position]) << 16 | UInt32(text[position + 1]) << 8 | UInt32(text[position + 2])
    return letters | 0x20_20_20
  }
}
