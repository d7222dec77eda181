/// Integers from their digits, exact to 64 bits.
package enum IntegerText {
  /// Reads an integer: digits with an optional sign, or a number such as `3.0` or `1e3` whose value
  /// is an integer.
  ///
  /// - Parameter text: The bytes of the whole number.
  /// - Returns: nil if the text is no integer or does not fit into 64 bits; nothing wraps and
  ///   nothing is rounded.
  @inline(__always)
  package static func parse(_ text: Span<UInt8>) -> Int64? {
    var position = 0
    let count = text.count
    let isNegative = count > 0 && text[0] == 0x2D
    if isNegative { position = 1 }
    // 18 digits cannot overflow, and cover all but the rarest numbers.
    guard count > position, count - position <= 18,
      text[position] != 0x30 || count == position + 1
    else { return parseExactly(text) }
    var value: Int64 = 0
    while position < count {
      let digit = text[position] &- 0x30
      guard digit <= 9 else { return parseExactly(text) }
      value = value &* 10 &+ Int64(digit)
      position += 1
    }
    return isNegative ? 0 &- value : value
  }

  @inline(never)
  private static func parseExactly(_ text: Span<UInt8>) -> Int64? {
    DecimalText(text)?.integer
  }
}
