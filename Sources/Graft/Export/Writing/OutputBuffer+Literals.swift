// Strings and integers, the literals of which documents mostly consist. Raw memory: both write into
// room that has been reserved for the longest text that can come of what they are given, and for the
// whole of a number that is written for the first of its bytes.

extension OutputBuffer {
  private static let hexDigits: StaticString = "0123456789abcdef"

  /// Writes a string with its quotes, escaping what RFC 8259 demands and nothing else.
  ///
  /// - Parameter text: Valid UTF-8.
  /// - Throws: What the consumer throws.
  @inline(__always)
  mutating func appendString(_ text: UnsafeBufferPointer<UInt8>) throws {
    try reserve(1)
    put(0x22)
    try appendEscaped(text)
    try reserve(1)
    put(0x22)
  }

  /// Writes the inside of a string.
  ///
  /// Eight bytes are looked at and written at once, as one number; those behind the first that needs
  /// an escape are overwritten. (Swift's own vectors are slower where the processor is not known to
  /// have more than SSE 2.)
  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) throws {
    guard let start = text.baseAddress else { return }
    let count = text.count
    var position = 0
    while position &+ 8 <= count {
      try reserve(16)
      let word = UnsafeRawPointer(start + position).loadUnaligned(as: UInt64.self)
      position &+= putEscaped(word, 8)
    }
    while position < count {
      try reserve(16)
      var word: UInt64 = Self.spaces
      let rest = count &- position
      for offset in 0..<rest {
        let shift = UInt64(truncatingIfNeeded: offset &* 8)
        word ^= UInt64(start[position &+ offset] ^ 0x20) &<< shift
      }
      position &+= putEscaped(word, rest)
    }
  }

  private static let spaces: UInt64 = 0x2020_2020_2020_2020

  /// Writes up to eight bytes of a text, the first that needs an escape being the last of them.
  ///
  /// - Parameters:
  ///   - word: The bytes, and spaces behind them.
  ///   - byteCount: Their number.
  /// - Returns: How many have been written.
  @inline(__always)
  private mutating func putEscaped(_ word: UInt64, _ byteCount: Int) -> Int {
    let marks = Self.marks(word)
    if marks == 0 {
      put(word, byteCount)
      return byteCount
    }
    let plain = marks.trailingZeroBitCount &>> 3
    put(word, plain)
    putEscape(UInt8(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: plain &* 8)))
    return plain &+ 1
  }

  /// The high bit of each byte that is a control character, a quote or a backslash; of the bytes
  /// behind the first of them, perhaps of others too.
  @inline(__always)
  private static func marks(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let controls = (word &- spaces) & ~word
    return (controls | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes)
      & (ones &* 0x80)
  }

  @inline(never)
  private mutating func putEscape(_ byte: UInt8) {
    put(0x5C)
    switch byte {
    case 0x08: put(0x62)
    case 0x09: put(0x74)
    case 0x0A: put(0x6E)
    case 0x0C: put(0x66)
    case 0x0D: put(0x72)
    case 0x22, 0x5C: put(byte)
    default:
      put(0x75)
      put(0x30)
      put(0x30)
      put(Self.hexDigits.utf8Start[Int(byte &>> 4)])
      put(Self.hexDigits.utf8Start[Int(byte & 15)])
    }
  }

  /// Writes an integer.
  @inline(__always)
  mutating func appendInteger(_ value: Int64) throws {
    try append(atMost: 20) { start in
      var rest = value.magnitude
      let sign = value < 0 ? 1 : 0
      if sign == 1 { start[0] = 0x2D }
      let count = sign &+ Self.digitCount(of: rest)
      var position = count
      while rest >= 100 {
        let pair = Int(truncatingIfNeeded: rest % 100)
        rest /= 100
        position &-= 2
        start[position] = 0x30 &+ UInt8(truncatingIfNeeded: pair / 10)
        start[position &+ 1] = 0x30 &+ UInt8(truncatingIfNeeded: pair % 10)
      }
      if rest >= 10 {
        start[position &- 1] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
        start[position &- 2] = 0x30 &+ UInt8(truncatingIfNeeded: rest / 10)
      } else {
        start[position &- 1] = 0x30 &+ UInt8(truncatingIfNeeded: rest)
      }
      return count
    }
  }

  @inline(__always)
  private static func digitCount(of value: UInt64) -> Int {
    var count = 1
    var rest = value
    while rest >= 10_000 {
      rest /= 10_000
      count &+= 4
    }
    return rest < 10 ? count : rest < 100 ? count &+ 1 : rest < 1000 ? count &+ 2 : count &+ 3
  }
}
