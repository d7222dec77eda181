/// The parts of a number in the grammar of RFC 8259, found in its text.
package struct NumberScan {
  let isNegative: Bool
  let integerRange: Range<Int>
  let fractionRange: Range<Int>
  let exponent: Int
  /// The digits of both ranges as one integer, if there are at most 19; more digits overflow.
  let digits: UInt64

  /// Finds the parts of a number; nil if the text is not a number, or has an exponent of more than
  /// 9 digits.
  ///
  /// - Parameter text: The bytes of the whole number.
  package init?(_ text: Span<UInt8>) {
    var position = 0
    isNegative = !text.isEmpty && text[0] == 0x2D
    if isNegative { position = 1 }
    let integerStart = position
    var digits: UInt64 = 0
    position = Self.endOfDigits(text, position, &digits)
    guard position > integerStart else { return nil }
    guard text[integerStart] != 0x30 || position == integerStart + 1 else { return nil }
    integerRange = integerStart..<position

    var fraction = position..<position
    if position < text.count, text[position] == 0x2E {
      let start = position + 1
      position = Self.endOfDigits(text, start, &digits)
      guard position > start else { return nil }
      fraction = start..<position
    }
    fractionRange = fraction
    self.digits = digits

    var power = 0
    if position < text.count, text[position] | 0x20 == 0x65 {
      position += 1
      var isPowerNegative = false
      if position < text.count, text[position] == 0x2B || text[position] == 0x2D {
        isPowerNegative = text[position] == 0x2D
        position += 1
      }
      let start = position
      var magnitude: UInt64 = 0
      position = Self.endOfDigits(text, start, &magnitude)
      guard position > start, position - start <= 9 else { return nil }
      power = isPowerNegative ? -Int(magnitude) : Int(magnitude)
    }
    exponent = power
    guard position == text.count else { return nil }
  }

  /// Finds the end of digits, and appends them to an integer.
  @inline(__always)
  private static func endOfDigits(
    _ text: Span<UInt8>, _ start: Int, _ integer: inout UInt64
  ) -> Int {
    var position = start
    while position < text.count {
      let digit = text[position] &- 0x30
      guard digit <= 9 else { break }
      integer = integer &* 10 &+ UInt64(digit)
      position &+= 1
    }
    return position
  }
}
