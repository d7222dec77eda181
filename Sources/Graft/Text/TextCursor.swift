/// A position in a text of bytes, moved on by what is recognised there.
struct TextCursor {
  let text: UnsafeBufferPointer<UInt8>
  var position = 0

  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  var isAtEnd: Bool { position == text.count }

  /// The byte at the position, or 0 at the end.
  @inline(__always)
  var next: UInt8 { position < text.count ? text[position] : 0 }

  /// Moves past a byte if it stands here.
  @inline(__always)
  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte, !isAtEnd else { return false }
    position += 1
    return true
  }

  /// Moves past spaces.
  mutating func skipSpaces() {
    while take(0x20) {}
  }

  /// Reads exactly this many digits.
  @inline(__always)
  mutating func number(digits count: Int) -> Int? {
    guard position + count <= text.count else { return nil }
    var value = 0
    for index in position..<position + count {
      let digit = text[index] &- 0x30
      guard digit <= 9 else { return nil }
      value = value &* 10 &+ Int(digit)
    }
    position += count
    return value
  }

  /// Reads as many digits as there are, within bounds.
  @inline(__always)
  mutating func number(digits bounds: ClosedRange<Int>) -> Int? {
    var count = 0
    while count < bounds.upperBound, position + count < text.count,
      text[position + count] &- 0x30 <= 9
    {
      count += 1
    }
    return count >= bounds.lowerBound ? number(digits: count) : nil
  }

  /// Reads the digits of a fraction: those after the ninth are read over.
  mutating func fraction() -> (value: Int64, digits: Int)? {
    let start = position
    var value: Int64 = 0
    var kept = 0
    while next &- 0x30 <= 9, !isAtEnd {
      if kept < 9 {
        value = value &* 10 &+ Int64(next &- 0x30)
        kept += 1
      }
      position += 1
    }
    return position > start ? (value, kept) : nil
  }

  /// Moves past a word, in any case, if it stands here.
  mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard position + count <= text.count else { return false }
    for index in 0..<count
    where text[position + index] | 0x20 != word.utf8Start[index] | 0x20 { return false }
    position += count
    return true
  }

  /// Reads an offset from Greenwich: `Z`, `±hh`, `±hhmm`, `±hh:mm` or one of the zone names
  /// of RFC 2822.
  ///
  /// - Returns: Seconds east of Greenwich; nil, and nothing read, where none stands here.
  mutating func zoneOffset() -> Int? {
    if next == 0x2B || next == 0x2D {
      let sign = next == 0x2D ? -1 : 1
      let start = position
      position += 1
      guard let hours = number(digits: 2) else {
        position = start
        return nil
      }
      let hasColon = take(0x3A)
      guard let minutes = number(digits: 2) else {
        if hasColon { position = start }
        return hasColon ? nil : sign * hours * 3600
      }
      return minutes < 60 ? sign * (hours * 3600 + minutes * 60) : nil
    }
    for zone in Self.zones where take(zone.name) { return zone.hours * 3600 }
    return nil
  }

  /// The names of RFC 2822, section 4.3, longest first where one begins another.
  private static let zones: [(name: StaticString, hours: Int)] = [
    ("UTC", 0), ("GMT", 0), ("UT", 0), ("EST", -5), ("EDT", -4), ("CST", -6), ("CDT", -5),
    ("MST", -7), ("MDT", -6), ("PST", -8), ("PDT", -7), ("Z", 0),
  ]
}
