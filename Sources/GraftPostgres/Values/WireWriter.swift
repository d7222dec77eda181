import Foundation
import Graft

/// Why Postgres cannot hold a value.
///
/// Whoever knows where the value is from tells it in an error.
struct PostgresValueError: Error, Hashable, CustomStringConvertible {
  /// What is wrong, and what would be right.
  let description: String

  init(_ description: String) { self.description = description }

  static func nulCharacter(in text: some Collection<UInt8>) -> PostgresValueError {
    let start = String(decoding: text.prefix(60), as: UTF8.self).replacing("\0", with: "\\u0000")
    return PostgresValueError(
      "the string \"\(start)\" has the character U+0000, which Postgres does not hold; remove it, or let the"
        + " attribute be Binary")
  }
}

/// Values in the binary form that parameters, arrays and COPY share: big-endian, each after the number of its
/// bytes, -1 for null.
struct WireWriter {
  var bytes: [UInt8] = []

  mutating func append<I: FixedWidthInteger>(_ value: I) {
    // Reads of the integer itself.
    unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  mutating func appendField(_ value: Int64?) {
    guard let value else { return append(Int32(-1)) }
    append(Int32(8))
    append(value)
  }

  /// Writes an attribute's value and the number of its bytes.
  ///
  /// - Parameters:
  ///   - value: The value; nil is null.
  ///   - type: The attribute's type.
  /// - Throws: ``PostgresValueError`` where Postgres cannot hold it, or it is not of the type; then nothing is written.
  mutating func appendField(
    _ value: AttributeValue?, as type: AttributeType
  ) throws(PostgresValueError) {
    guard let value else { return append(Int32(-1)) }
    let start = bytes.count
    append(Int32(0))
    do {
      try append(value, as: type)
    } catch {
      bytes.removeSubrange(start...)
      throw error
    }
    guard bytes.count - start - 4 < Self.limit else {
      bytes.removeSubrange(start...)
      throw PostgresValueError(
        "the value is longer than 1 GB, which Postgres does not hold; leave it out")
    }
    setLength(at: start)
  }

  /// Writes how many bytes follow those of the number.
  mutating func setLength(at start: Int) {
    let length = Int32(clamping: bytes.count - start - 4).bigEndian
    for index in 0..<4 {
      bytes[start + index] = UInt8(truncatingIfNeeded: length >> (8 * Int32(index)))
    }
  }

  /// A field of a row has at most so many bytes.
  private static let limit = 1 << 30

  private mutating func append(
    _ value: AttributeValue, as type: AttributeType
  ) throws(PostgresValueError) {
    switch (value, type) {
    case (.integer(let value), .integer64): append(value)
    case (.integer(let value), .integer32) where Int32(exactly: value) != nil:
      append(Int32(truncatingIfNeeded: value))
    case (.integer(let value), .integer16) where Int16(exactly: value) != nil:
      append(Int16(truncatingIfNeeded: value))
    case (.decimal(let value), .decimal): try append(Numeric(value))
    case (.double(let value), .double): append(value.bitPattern)
    case (.float(let value), .float): append(value.bitPattern)
    case (.string(let value), .string): try append(text: value)
    case (.uri(let value), .uri): try append(text: value.absoluteString)
    case (.json(let value), .transformable): try append(text: value)
    case (.boolean(let value), .boolean): bytes.append(value ? 1 : 0)
    case (.date(let value), .date): append(try Timestamp(value).microseconds)
    case (.binary(let value), .binary): bytes.append(contentsOf: value)
    // Reads of the 16 bytes of the identifier.
    case (.uuid(let value), .uuid):
      unsafe withUnsafeBytes(of: value.uuid) { unsafe bytes.append(contentsOf: $0) }
    default:
      throw PostgresValueError(
        "expected a value of type \(type.rawValue), found one of another type, or beyond its range")
    }
  }

  mutating func append(text: String) throws(PostgresValueError) {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    guard !bytes[start...].contains(0) else { throw .nulCharacter(in: bytes[start...]) }
  }

  mutating func append(_ value: Numeric) {
    append(Int16(value.digits.count))
    append(value.weight)
    append(value.sign)
    append(value.scale)
    for digit in value.digits { append(digit) }
  }
}
