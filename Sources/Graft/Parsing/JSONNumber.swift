public import Foundation

/// A number of a document, as its text; nothing is lost until it is converted.
public struct JSONNumber: ~Copyable {
  private let bytes: UnsafeRawBufferPointer

  init(_ text: UnsafePointer<UInt8>, _ count: Int) {
    bytes = UnsafeRawBufferPointer(start: text, count: count)
  }

  /// The number as it is written in the document.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The nearest number of type `Double`; infinite beyond its range.
  public var double: Double { Double(text) ?? .nan }

  /// The number as a decimal; nil if it has more digits than a decimal holds.
  public var decimal: Decimal? {
    let (digits, exponent) = significand
    guard digits.count <= 38, (-128...127).contains(exponent) else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }

  /// The number as an integer of the given type; nil if it is out of range or has a fraction.
  ///
  /// `3.0` and `1e3` are integers.
  ///
  /// - Parameter type: The type of integer.
  /// - Returns: The very number, or nil.
  public func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    let (digits, exponent) = significand
    if digits.isEmpty { return 0 }
    guard exponent >= 0, digits.count + exponent <= 40 else { return nil }
    var value: Integer = 0
    for digit in digits + repeatElement(0, count: exponent) {
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let digit = Integer(digit)
      let (sum, carry) =
        isNegative
        ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
      if overflow || carry { return nil }
      value = sum
    }
    return value
  }

  /// The digits without zeros at either end, and the power of ten that they are multiplied with.
  private var significand: (digits: [UInt8], exponent: Int) {
    var digits: [UInt8] = []
    var exponent = 0
    var isFraction = false
    var index = bytes.startIndex
    scan: while index < bytes.endIndex {
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let digit = bytes[index] - UInt8(ascii: "0")
        if digit != 0 || !digits.isEmpty { digits.append(digit) }
        if isFraction { exponent -= 1 }
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        exponent += power(from: index + 1)
        break scan
      default: break
      }
      index += 1
    }
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    return (digits, exponent)
  }

  /// The exponent that is written from here, as far as it matters: beyond a billion all
  /// are the same.
  private func power(from start: Int) -> Int {
    var value = 0
    for byte in bytes[start...] where byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") {
      value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000_000)
    }
    return bytes[start] == UInt8(ascii: "-") ? -value : value
  }
}
