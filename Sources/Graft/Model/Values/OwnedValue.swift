/// A value of a column, not null, that owns its bytes.
package struct OwnedValue: Hashable {
  private let bits: UInt64
  private let bytes: [UInt8]?

  /// The bytes that it holds besides itself.
  var byteCount: Int { bytes?.count ?? 0 }

  package init(_ value: RawValue) {
    bits = value.bits
    bytes = value.hasBytes ? Array(value.bytes) : nil
  }

  /// Calls a closure with the value as columns take it.
  package func withRawValue<Result, E: Error>(
    _ body: (RawValue) throws(E) -> Result
  ) throws(E) -> Result {
    guard let bytes else { return try body(.word(bits)) }
    return try bytes.withBorrowed { (bytes) throws(E) in try body(.bytes(bytes)) }
  }

  /// Calls a closure with several values as columns take them.
  package static func withRawValues<Result, E: Error>(
    _ values: ArraySlice<OwnedValue>, _ body: (BorrowedBuffer<RawValue>) throws(E) -> Result
  ) throws(E) -> Result {
    func lend(_ rest: ArraySlice<OwnedValue>, _ lent: [RawValue]) throws(E) -> Result {
      guard let first = rest.first else { return try lent.withBorrowed(body) }
      return try first.withRawValue { (value) throws(E) in
        try lend(rest.dropFirst(), lent + [value])
      }
    }
    return try lend(values, [])
  }
}
