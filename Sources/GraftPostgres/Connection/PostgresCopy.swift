#if canImport(CPQ)
import Graft

/// Rows that are on their way into a table, in the binary format of COPY.
struct PostgresCopy: ~Copyable {
  private static let chunk = 64 * 1024

  private var fields = WireWriter()
  private var left = 0
  private let send: ([UInt8]) throws(PostgresError) -> Void

  init(_ send: @escaping ([UInt8]) throws(PostgresError) -> Void) {
    self.send = send
    // The signature, no flags, and no extension of the header.
    fields.bytes =
      Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
  }

  /// Begins a row of so many fields.
  ///
  /// - Throws: ``PostgresError`` where the connection is lost.
  mutating func beginRow(of count: Int) throws(PostgresError) {
    assert(left == 0, "the row before lacks \(left) fields")
    if fields.bytes.count >= Self.chunk { try flush() }
    fields.append(Int16(count))
    left = count
  }

  /// Writes the next field of the row: the value of an attribute.
  ///
  /// - Throws: ``PostgresValueError`` where Postgres cannot hold it.
  mutating func append(
    _ value: AttributeValue?, as type: AttributeType
  ) throws(PostgresValueError) {
    try fields.appendField(value, as: type)
    left -= 1
  }

  /// Writes the next field of the row: a `bigint`.
  mutating func append(_ value: Int64?) {
    fields.appendField(value)
    left -= 1
  }

  mutating func end() throws(PostgresError) {
    assert(left == 0, "the last row lacks \(left) fields")
    fields.append(Int16(-1))
    try flush()
  }

  private mutating func flush() throws(PostgresError) {
    try send(fields.bytes)
    fields.bytes.removeAll(keepingCapacity: true)
  }
}
#endif
