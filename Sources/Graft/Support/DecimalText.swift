// A decimal number by its text, for numbers whose every digit counts: integers written with a
// fraction or an exponent, and `Decimal` attributes. Binary floating point is not used.

/// The digits and the exponent of a number as it was written.
package struct DecimalText {
  /// The most significant digits that `Decimal` holds exactly.
  static let maximumDigits = 38

  private(set) var isNegative = false
  /// The significant digits as ASCII, without leading or trailing zeros; empty for zero.
  private(set) var digits: [UInt8] = []
  /// The power of ten of the last digit.
  private(set) var exponent = 0

  /// Reads a number in the grammar of RFC 8259; nil if the text is not a number.
  ///
  /// - Parameter text: The number's bytes.
  package init?(_ text: Span<UInt8>) {
    guard let scan = NumberScan(text) else { return nil }
    self.init(text, scan)
  }

  /// Takes the digits of a number whose parts have been found.
  init(_ text: Span<UInt8>, _ scan: NumberScan) {
    isNegative = scan.isNegative
    scan.forEachDigit(in: text) { digit in
      if !digits.isEmpty || digit != 0x30 { digits.append(digit) }
    }
    exponent = Int(scan.power)
    while digits.last == 0x30 {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty {
      exponent = 0
      isNegative = false
    }
  }

  /// Reads a number in the grammar of RFC 8259 from a string.
  init?(_ text: String) {
    self.init(ContiguousArray(text.utf8).span)
  }

  /// The number as an integer; nil if it is not an integer or does not fit.
  var integer: Int64? {
    guard exponent >= 0, digits.count + exponent <= 19 else { return nil }
    var magnitude: UInt64 = 0
    for digit in digits { magnitude = magnitude &* 10 &+ UInt64(digit &- 0x30) }
    for _ in 0..<exponent { magnitude &*= 10 }
    guard isNegative else { return Int64(exactly: magnitude) }
    return magnitude <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
  }

  /// The number in plain notation, one text for equal numbers; nil if `Decimal` cannot hold it
  /// exactly.
  package var canonicalText: [UInt8]? {
    guard digits.count <= Self.maximumDigits, (-128...127).contains(exponent) else { return nil }
    guard !digits.isEmpty else { return [0x30] }
    var text: [UInt8] = isNegative ? [0x2D] : []
    if exponent >= 0 {
      text += digits
      text += repeatElement(0x30, count: exponent)
    } else if digits.count > -exponent {
      text += digits.dropLast(-exponent)
      text.append(0x2E)
      text += digits.suffix(-exponent)
    } else {
      text += [0x30, 0x2E]
      text += repeatElement(0x30, count: -exponent - digits.count)
      text += digits
    }
    return text
  }

  /// Compares two numbers in the grammar of RFC 8259.
  ///
  /// - Returns: Less than 0 if the first is smaller, more than 0 if it is larger; 0 as well where one
  ///   of them is no such number.
  package static func compare(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Int {
    guard let first = DecimalText(first), let second = DecimalText(second) else { return 0 }
    if first.isNegative != second.isNegative { return first.isNegative ? -1 : 1 }
    let (low, high) = first.isNegative ? (second, first) : (first, second)
    return low.isMagnitudeLess(than: high) ? -1 : high.isMagnitudeLess(than: low) ? 1 : 0
  }

  private func isMagnitudeLess(than other: DecimalText) -> Bool {
    guard !digits.isEmpty, !other.digits.isEmpty else {
      return digits.isEmpty && !other.digits.isEmpty
    }
    let (size, otherSize) = (digits.count + exponent, other.digits.count + other.exponent)
    return size != otherSize
      ? size < otherSize : digits.lexicographicallyPrecedes(other.digits)
  }
}
