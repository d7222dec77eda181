// Strings and integers, the literals of which documents mostly consist. Raw memory: both write into
// room that has been reserved for the longest text that can come of what they are given.

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
  /// Sixteen bytes that need no escape are copied as they are; the others one by one.
  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) throws {
    guard let start = text.baseAddress else { return }
    var position = 0
    while position &+ 16 <= text.count {
      let bytes = UnsafeRawPointer(start + position).loadUnaligned(as: SIMD16<UInt8>.self)
      try reserve(16 * 6)
      if any(bytes .< 0x20 .| bytes .== 0x22 .| bytes .== 0x5C) {
        for offset in 0..<16 { putEscaped(start[position &+ offset]) }
      } else {
        put(start + position, 16)
      }
      position &+= 16
    }
    try reserve(16 * 6)
    while position < text.count {
      putEscaped(start[position])
      position &+= 1
    }
  }

  @inline(__always)
  private mutating func putEscaped(_ byte: UInt8) {
    guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { return put(byte) }
    putEscape(byte)
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
