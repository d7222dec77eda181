/// Reads binary floating-point numbers from their text, correctly rounded.
///
/// The standard library reads numbers of 32 bits, which are rare. Of 64 bits, up to 19 digits are read as one
/// integer, which is then scaled by a power of ten. Where both are exact in binary, one operation does it (W. D.
/// Clinger, "How to read floating point numbers accurately", 1990). Otherwise the product with the first 128 bits of
/// a power of five has all that the nearest number depends on (the method of M. Eisel and D. Lemire in D. Lemire,
/// "Number parsing at a gigabyte per second", Software: Practice and Experience 51, 2021; N. Mushtak and D. Lemire,
/// "Fast number parsing without fallback", the same 53, 2023, prove that these bits suffice). Of more than 19
/// digits, the others are between none and one in the last place of the 19; where both give the same number, it is
/// right, and else the standard library decides.
package enum FloatText {
  /// Reads a number of 64 bits.
  ///
  /// - Parameter text: The bytes of the whole number, in the grammar of RFC 8259.
  /// - Returns: nil if the text is no number or is too large for the type.
  package static func parse(_ text: Span<UInt8>) -> Double? {
    guard let scan = NumberScan(text) else { return nil }
    if let number = scan.double { return number }
    guard let bits = NearestDouble.bits(nearestTo: LeadingDigits(text, scan)) else {
      return Double(String(text)).flatMap { $0.isFinite ? $0 : nil }
    }
    let magnitude = Double(bitPattern: bits)
    guard magnitude.isFinite else { return nil }
    return scan.isNegative ? -magnitude : magnitude
  }

  /// Reads a number of 32 bits.
  ///
  /// - Parameter text: The bytes of the whole number, in the grammar of RFC 8259.
  /// - Returns: nil if the text is no number or is too large for the type.
  static func parseSingle(_ text: Span<UInt8>) -> Float? {
    guard NumberScan(text) != nil else { return nil }
    return Float(String(text)).flatMap { $0.isFinite ? $0 : nil }
  }
}

extension NumberScan {
  /// Returns the nearest number of 64 bits; nil if the number has more digits than the integer, or is too large for
  /// the type.
  @inline(__always)
  package var double: Double? {
    guard digitCount <= Self.digitLimit else { return nil }
    let power = Int(power)
    let magnitude: Double
    if digits <= 1 << 53, -22...22 ~= power {
      // The integer and the power of ten are exact.
      magnitude =
        power < 0
        ? Double(digits) / Self.exactPowers[-power] : Double(digits) * Self.exactPowers[power]
    } else {
      magnitude = Double(bitPattern: NearestDouble.bits(digits, power))
      guard magnitude.isFinite else { return nil }
    }
    return isNegative ? -magnitude : magnitude
  }

  private static let exactPowers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

/// The first digits of a number as an integer: -1.25e3 is 125 with the power 1.
private struct LeadingDigits {
  private(set) var integer: UInt64 = 0
  /// The power of ten that the integer is multiplied by.
  private(set) var power: Int
  /// Whether digits were left out after the last digit of `integer`.
  private(set) var isCut = false

  init(_ text: Span<UInt8>, _ scan: NumberScan) {
    power = Int(scan.power)
    guard scan.digitCount > NumberScan.digitLimit else {
      integer = scan.digits
      return
    }
    // Zeros before the first other digit do not count.
    var count = 0
    scan.forEachDigit(in: text) { digit in
      if count < NumberScan.digitLimit {
        integer = integer * 10 + UInt64(digit &- 0x30)
        if integer > 0 { count += 1 }
      } else {
        isCut = true
        power += 1
      }
    }
  }

  /// The next greater digits: the same power, and the integer plus one.
  var next: LeadingDigits {
    var next = self
    next.integer += 1
    return next
  }
}

/// The bits of numbers of 64 bits, as decimal numbers are rounded to them.
private enum NearestDouble {
  private static var significandBits: Int { Double.significandBitCount }
  /// The exponent that is kept as zero.
  private static var leastExponent: Int { -1_023 }
  /// The stored exponent of infinity.
  private static var infiniteExponent: Int { 0x7FF }

  /// Returns the bits of the nearest number; nil if the cut-off digits decide.
  @inline(__always)
  static func bits(nearestTo decimal: LeadingDigits) -> UInt64? {
    let bits = bits(decimal.integer, decimal.power)
    guard decimal.isCut else { return bits }
    return bits == self.bits(decimal.next.integer, decimal.power) ? bits : nil
  }

  /// Returns the bits of the number nearest to `integer` × 10^`power`; those of infinity where it is too large.
  @inline(never)
  static func bits(_ integer: UInt64, _ power: Int) -> UInt64 {
    let infinity = Double.infinity.bitPattern
    guard integer != 0, power >= PowersOfFive.exponents.lowerBound else { return 0 }
    guard power <= PowersOfFive.exponents.upperBound else { return infinity }
    let leadingZeros = integer.leadingZeroBitCount
    let product = product(of: integer &<< UInt64(leadingZeros), power)
    // The first bit is one or zero. Two more than are kept are needed: the hidden one, and one to round by.
    let first = Int(product.high &>> 63)
    let shift = UInt64(first &+ 64 &- significandBits &- 3)
    var significand = product.high &>> shift
    // 217,706 / 2^16 is the binary logarithm of ten, near enough for all powers here.
    var exponent = (217_706 &* power) &>> 16 &+ 63 &+ first &- leadingZeros &- leastExponent
    if exponent <= 0 {
      // Subnormal numbers: the leading 1 becomes one of the stored bits.
      guard exponent > -63 else { return 0 }
      significand &>>= UInt64(1 &- exponent)
      significand = (significand &+ significand & 1) &>> 1
      // If rounding reaches the least normal number, the hidden bit becomes an exponent of one.
      return significand
    }
    // Exactly between two numbers, the even one is the nearest. A number that would be rounded up
    // to an odd one is not. Only with these powers of ten can a number be just in the middle.
    if product.low <= 1, significand & 3 == 1, -4...23 ~= power,
      significand &<< shift == product.high
    {
      significand &= ~1
    }
    significand = (significand &+ significand & 1) &>> 1
    if significand >= 2 &<< UInt64(significandBits) {
      significand &>>= 1
      exponent &+= 1
    }
    guard exponent < infiniteExponent else { return infinity }
    let hidden: UInt64 = 1 &<< UInt64(significandBits)
    return UInt64(exponent) &<< UInt64(significandBits) | significand & ~hidden
  }

  /// Returns the first 128 bits of the product with a power of five; of `integer`, the first bit is one.
  @inline(__always)
  private static func product(of integer: UInt64, _ power: Int) -> (high: UInt64, low: UInt64) {
    let five = PowersOfFive.bits(power)
    var product = integer.multipliedFullWidth(by: five.high)
    // If all bits below the needed ones are 1, the product with the second word can carry into
    // them.
    let behind = UInt64.max &>> UInt64(significandBits &+ 3)
    if product.high & behind == behind {
      let (low, carries) = product.low.addingReportingOverflow(
        integer.multipliedFullWidth(by: five.low).high)
      product.low = low
      if carries { product.high &+= 1 }
    }
    return (product.high, product.low)
  }
}
