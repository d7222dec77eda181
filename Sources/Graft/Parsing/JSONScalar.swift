// Views of strings and numbers in the parser's memory, valid only during the call that passes them. They cannot be
// copied or kept, which makes them safe.

public import Foundation

/// A scalar value of a document.
public enum JSONScalar: ~Copyable {
  /// The value `null`.
  case null
  /// The value `true` or `false`.
  case boolean(Bool)
  /// A number, as it is written.
  case number(JSONNumber)
  /// A string.
  case string(JSONString)
}

/// A string or key of a document, its escapes decoded.
public struct JSONString: ~Copyable {
  private let bytes: BorrowedBuffer<UInt8>

  init(_ bytes: BorrowedBuffer<UInt8>) {
    self.bytes = bytes
  }

  /// The number of bytes in UTF-8.
  public var count: Int { bytes.count }

  /// A copy as a string of Swift.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns whether a string has the same bytes as a literal; no string of Swift is made.
  ///
  /// - Parameters:
  ///   - string: A string of the document.
  ///   - literal: The text to compare with.
  /// - Returns: Whether they are equal, byte by byte: unlike strings of Swift, without regard
  ///   to Unicode's equivalence.
  public static func == (string: borrowing JSONString, literal: StaticString) -> Bool {
    string.bytes.elementsEqual(BorrowedBuffer(literal))
  }

  /// Calls a closure with the bytes, in UTF-8.
  ///
  /// - Parameter body: Reads the bytes; they are not valid after it returns.
  /// - Returns: The closure's result.
  /// - Throws: The closure's error.
  public func withBytes<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.withRawSpan(body)
  }
}

/// A number of a document, as it is written; converting it may lose digits.
public struct JSONNumber: ~Copyable {
  private let bytes: BorrowedBuffer<UInt8>

  init(_ bytes: BorrowedBuffer<UInt8>) {
    self.bytes = bytes
  }

  /// The number as it is written in the document.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The nearest number of type `Double`; infinite beyond its range.
  public var double: Double { Double(text) ?? .nan }

  /// The number as a decimal; nil if it has more digits than a decimal holds.
  public var decimal: Decimal? {
    guard let exact, exact.digits.count <= DecimalText.maximumDigits,
      (-128...127).contains(exact.exponent)
    else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }

  /// Returns the number as an integer of the given type; nil if it is out of range or has a fraction.
  ///
  /// `3.0` and `1e3` are integers.
  ///
  /// - Parameter type: The type of integer.
  /// - Returns: The exact number, or nil.
  public func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
    guard let exact, exact.exponent >= 0, exact.digits.count + exact.exponent <= 40 else {
      return nil
    }
    var value: Integer = 0
    for digit in exact.digits + repeatElement(UInt8(ascii: "0"), count: exact.exponent) {
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let unit = Integer(digit - UInt8(ascii: "0"))
      let (sum, carry) =
        exact.isNegative
        ? tens.subtractingReportingOverflow(unit) : tens.addingReportingOverflow(unit)
      if overflow || carry { return nil }
      value = sum
    }
    return value
  }

  private var exact: DecimalText? {
    bytes.withSpan { DecimalText($0) }
  }
}
