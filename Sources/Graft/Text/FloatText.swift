/// Binary floating-point numbers from their text, correctly rounded.
enum FloatText {
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Reads a number of 64 bits.
  ///
  /// A mantissa below 2^53 with a power of ten up to 22 is exact in one operation (W. D.
  /// Clinger, "How to read floating point numbers accurately", 1990); all else is left to
  /// the standard library.
  ///
  /// - Parameter text: The bytes of the whole number, in the grammar of RFC 8259.
  /// - Returns: nil where the text is no number or is too large for the type.
  static func parse(_ text: Span<UInt8>) -> Double? {
    guard let scan = NumberScan(text) else { return nil }
    let digitCount = scan.integerRange.count + scan.fractionRange.count
    let power = scan.exponent - scan.fractionRange.count
    if digitCount <= 18, -22...22 ~= power {
      var mantissa: UInt64 = 0
      for range in [scan.integerRange, scan.fractionRange] {
        let digits = text.extracting(range)
        for index in digits.indices { mantissa = mantissa &* 10 &+ UInt64(digits[index] &- 0x30) }
      }
      if mantissa <= 1 << 53 {
        let magnitude = Double(mantissa)
        let scaled = power < 0 ? magnitude / powersOfTen[-power] : magnitude * powersOfTen[power]
        return scan.isNegative ? -scaled : scaled
      }
    }
    guard let value = Double(String(text)), value.isFinite else { return nil }
    return value
  }

  /// Reads a number of 32 bits.
  ///
  /// - Parameter text: The bytes of the whole number, in the grammar of RFC 8259.
  /// - Returns: nil where the text is no number or is too large for the type.
  static func parseSingle(_ text: Span<UInt8>) -> Float? {
    guard NumberScan(text) != nil, let value = Float(String(text)), value.isFinite else {
      return nil
    }
    return value
  }
}
