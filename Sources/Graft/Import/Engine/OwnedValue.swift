/// A value of a column, not null, that owns its bytes.
struct OwnedValue: Hashable {
  private let bits: UInt64
  private let bytes: [UInt8]?

  /// The bytes that it holds besides itself.
  var byteCount: Int { bytes?.count ?? 0 }

  init(_ value: RawValue) {
    bits = value.bits
    bytes = value.start.map { Array(UnsafeBufferPointer(start: $0, count: value.count)) }
  }

  /// Calls a closure with the value as columns take it.
  func withRawValue<Result>(_ body: (RawValue) throws -> Result) rethrows -> Result {
    guard let bytes else {
      return try body(RawValue(bits: bits, start: nil, count: 0, isNull: false))
    }
    return try bytes.withUnsafeBufferPointer { buffer in
      // An empty array may have no address; a value needs one.
      var none: UInt8 = 0
      return try withUnsafePointer(to: &none) {
        try body(.bytes(buffer.baseAddress ?? $0, count: buffer.count))
      }
    }
  }

  /// Calls a closure with several values as columns take them.
  static func withRawValues<Result>(
    _ values: ArraySlice<OwnedValue>, _ body: (UnsafeBufferPointer<RawValue>) -> Result
  ) -> Result {
    func lend(_ rest: ArraySlice<OwnedValue>, _ lent: [RawValue]) -> Result {
      guard let first = rest.first else { return lent.withUnsafeBufferPointer(body) }
      return first.withRawValue { lend(rest.dropFirst(), lent + [$0]) }
    }
    return lend(values, [])
  }
}
