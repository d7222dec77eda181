/// A value on its way to or from a column.
///
/// Bytes are borrowed: whoever makes the value keeps them alive until it is stored, and bytes read
/// from a column are valid until the next write to the same transaction, or as long as the graph
/// they were read from.
@usableFromInline struct RawValue: BitwiseCopyable {
  /// The bit pattern of an `Int64` or a `Double`, or 0 and 1 for a boolean.
  var bits: UInt64
  /// Text, binary, decimal digits, JSON, or the 16 bytes of a UUID.
  var start: UnsafePointer<UInt8>?
  var count: Int
  @usableFromInline var isNull: Bool

  static var null: RawValue { RawValue(bits: 0, start: nil, count: 0, isNull: true) }

  static func integer(_ value: Int64) -> RawValue {
    RawValue(bits: UInt64(bitPattern: value), start: nil, count: 0, isNull: false)
  }

  static func double(_ value: Double) -> RawValue {
    RawValue(bits: value.bitPattern, start: nil, count: 0, isNull: false)
  }

  static func boolean(_ value: Bool) -> RawValue {
    RawValue(bits: value ? 1 : 0, start: nil, count: 0, isNull: false)
  }

  /// - Precondition: `count` is at most ``maximumByteCount``.
  static func bytes(_ start: UnsafePointer<UInt8>?, count: Int) -> RawValue {
    RawValue(bits: 0, start: start, count: count, isNull: false)
  }

  /// The largest text or binary value that a cell can describe.
  static let maximumByteCount = Int(UInt32.max) - 8

  var integer: Int64 { Int64(bitPattern: bits) }
  var double: Double { Double(bitPattern: bits) }
  var boolean: Bool { bits != 0 }
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
}
