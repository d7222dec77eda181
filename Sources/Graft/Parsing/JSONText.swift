// A view of a string or number in the parser's memory, which dies with the call that hands it
// over. That it cannot be copied is what makes it safe: a borrowed value that cannot be copied
// cannot be kept.

/// A string or key of a document, decoded and not yet copied.
public struct JSONText: ~Copyable {
  let bytes: UnsafeRawBufferPointer

  init(_ text: UnsafePointer<UInt8>, _ count: Int) {
    bytes = UnsafeRawBufferPointer(start: text, count: count)
  }

  /// The number of bytes in UTF-8.
  public var count: Int { bytes.count }

  /// A copy as a string.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Tells whether the text has the same bytes as a literal; no string is made.
  ///
  /// - Parameters:
  ///   - text: A text.
  ///   - literal: What it is compared with.
  /// - Returns: Whether they are equal, byte by byte: unlike strings, without regard
  ///   to Unicode's equivalence.
  public static func == (text: borrowing JSONText, literal: StaticString) -> Bool {
    let other = UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
    return text.bytes.count == other.count && text.bytes.elementsEqual(other)
  }

  /// Calls a closure with the bytes, in UTF-8.
  ///
  /// - Parameter body: Reads the bytes; they are not valid after it returns.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public func withBytes<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(bytes.bytes)
  }
}

/// A scalar value of a document.
public enum JSONScalar: ~Copyable {
  /// The value `null`.
  case null
  /// The value `true` or `false`.
  case boolean(Bool)
  /// A number, as its text.
  case number(JSONNumber)
  /// A string.
  case string(JSONText)
}
