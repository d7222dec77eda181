// Raw memory: a value with bytes has the address and count of a ``BorrowedBuffer``, from which it is made.

/// A value on its way to or from a column.
///
/// Bytes are borrowed. The code that makes the value keeps its bytes alive until it is stored.
/// Bytes read from a column are valid until the next write to the same transaction, or as long as
/// the graph that they were read from.
@safe @usableFromInline package struct RawValue: BitwiseCopyable {
  /// The bit pattern of an `Int64` or a `Double`, or 0 and 1 for a boolean.
  @usableFromInline package let bits: UInt64
  /// Text, binary, decimal digits, JSON, or the 16 bytes of a UUID; nil for a value without bytes.
  @usableFromInline let start: UnsafePointer<UInt8>?
  /// The number of bytes.
  @usableFromInline let count: Int
  @usableFromInline package let isNull: Bool

  @inlinable init(bits: UInt64, isNull: Bool = false) {
    self.bits = bits
    unsafe start = nil
    count = 0
    self.isNull = isNull
  }

  @inlinable init(start: UnsafePointer<UInt8>, count: Int) {
    bits = 0
    unsafe self.start = start
    self.count = count
    isNull = false
  }

  @inlinable package static var null: RawValue { RawValue(bits: 0, isNull: true) }

  /// Returns a number or a boolean by its bits.
  @inlinable package static func word(_ bits: UInt64) -> RawValue { RawValue(bits: bits) }

  @inlinable package static func integer(_ value: Int64) -> RawValue {
    RawValue(bits: UInt64(bitPattern: value))
  }

  @inlinable package static func double(_ value: Double) -> RawValue {
    RawValue(bits: value.bitPattern)
  }

  static func boolean(_ value: Bool) -> RawValue { RawValue(bits: value ? 1 : 0) }

  /// - Precondition: There are at most ``maximumByteCount``.
  @inline(__always)
  @inlinable package static func bytes(_ bytes: BorrowedBuffer<UInt8>) -> RawValue {
    unsafe bytes.withUnsafePointer { unsafe RawValue(start: $0, count: bytes.count) }
  }

  /// The largest text or binary value that a cell can describe.
  static let maximumByteCount = Int(UInt32.max) - 8

  @inlinable package var integer: Int64 { Int64(bitPattern: bits) }
  @inlinable package var double: Double { Double(bitPattern: bits) }
  package var boolean: Bool { bits != 0 }

  /// Whether the value is bytes, and not a word.
  @inlinable package var hasBytes: Bool { unsafe start != nil }

  /// The bytes; none of a value that is a word or null.
  @inlinable package var bytes: BorrowedBuffer<UInt8> {
    unsafe BorrowedBuffer(UnsafeBufferPointer(start: start, count: count))
  }
}

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
}
