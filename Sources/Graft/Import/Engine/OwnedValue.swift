/// A value of a column, not null, that owns its bytes.
struct OwnedValue: Hashable {
  private let bits: UInt64
  private let bytes: [UInt8]?

  /// The bytes that it holds besides itself.
  var byteCount: Int { bytes?.count ?? 0 }

  init(_ value: RawValue) {
    bits = value.bits
    bytes = value.hasBytes ? Array(value.bytes) : nil
  }

  /// Calls a closure with the value as columns take it.
  func withRawValue<Result>(_ body: (RawValue) throws -> Result) rethrows -> Result {
    guard let bytes else { return try body(.word(bits)) }
    return try bytes.withBorrowed { try body(.bytes($0)) }
  }

  /// Calls a closure with several values as columns take them.
  static func withRawValues<Result>(
    _ values: ArraySlice<OwnedValue>, _ body: (BorrowedBuffer<RawValue>) -> Result
  ) -> Result {
    func lend(_ rest: ArraySlice<OwnedValue>, _ lent: [RawValue]) -> Result {
      guard let first = rest.first else { return lent.withBorrowed(body) }
      return first.withRawValue { lend(rest.dropFirst(), lent + [$0]) }
    }
    return lend(values, [])
  }
}
