import Foundation
import Graft

extension RawSpan {
  /// Reads a big-endian integer; nil where there are not enough bytes.
  func integer<I: FixedWidthInteger>(at offset: Int, as type: I.Type) -> I? {
    let end = offset + MemoryLayout<I>.size
    guard end <= byteCount else { return nil }
    return (offset..<end).reduce(0) { $0 << 8 | I(truncatingIfNeeded: byte(at: $1)) }
  }

  func byte(at index: Int) -> UInt8 {
    precondition(0..<byteCount ~= index)
    // Within the bounds, and any bits are a byte.
    return unsafe unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
  }
}

extension FixedWidthInteger {
  /// Reads the bytes of one integer; nil where there are more or fewer.
  init?(wire: RawSpan) {
    guard wire.byteCount == MemoryLayout<Self>.size,
      let value = wire.integer(at: 0, as: Self.self)
    else { return nil }
    self = value
  }
}

extension String {
  /// Reads UTF-8.
  init(wire: RawSpan) {
    // Lent for the call.
    self = unsafe wire.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

extension AttributeValue {
  /// Reads a value that a server sent in binary.
  ///
  /// - Parameters:
  ///   - bytes: The value.
  ///   - type: The attribute's type; the value is of its column's type.
  /// - Throws: ``PostgresError`` for what the attribute cannot hold, and for bytes that are no value.
  init(wire bytes: RawSpan, as type: AttributeType) throws(PostgresError) {
    guard let value = Self.value(bytes, type) else {
      throw PostgresError(
        .value,
        "expected a value of type \(type.rawValue), found one that it cannot hold: an infinite date, NaN, more"
          + " than 38 digits, or what is no URL")
    }
    self = value
  }

  private static func value(_ bytes: RawSpan, _ type: AttributeType) -> AttributeValue? {
    switch type {
    case .integer16: Int16(wire: bytes).map { .integer(Int64($0)) }
    case .integer32: Int32(wire: bytes).map { .integer(Int64($0)) }
    case .integer64: Int64(wire: bytes).map { .integer($0) }
    case .decimal: Numeric(wire: bytes)?.decimal.map { .decimal($0) }
    case .double: UInt64(wire: bytes).map { .double(Double(bitPattern: $0)) }
    case .float: UInt32(wire: bytes).map { .float(Float(bitPattern: $0)) }
    case .string: .string(String(wire: bytes))
    case .boolean: UInt8(wire: bytes).map { .boolean($0 != 0) }
    case .date: Int64(wire: bytes).flatMap { Timestamp(microseconds: $0).date }.map { .date($0) }
    // Lent for the call, which copies them.
    case .binary: unsafe .binary(bytes.withUnsafeBytes { unsafe Data($0) })
    case .uuid: uuid(bytes).map { .uuid($0) }
    case .uri: URL(string: String(wire: bytes)).map { .uri($0) }
    case .transformable: .json(String(wire: bytes))
    }
  }

  private static func uuid(_ bytes: RawSpan) -> UUID? {
    guard bytes.byteCount == 16 else { return nil }
    // As many bytes as it has, and any bits are an identifier.
    return unsafe UUID(uuid: bytes.unsafeLoadUnaligned(as: uuid_t.self))
  }
}
