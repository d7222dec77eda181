/// Collects rows that are copied into a table, in the binary form of `COPY`.
///
///   COPY "Tweet" ("id", "text") FROM STDIN (FORMAT binary)
///
/// A row is the number of its values, and then each value after the number of its bytes. For the server this is about
/// half of the work of `INSERT … SELECT … FROM unnest`.
struct PostgresCopy {
  /// The bytes before the first row: a signature, the options and the length of an extension.
  static let head =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
  /// The bytes after the last row: a number of values that no row has.
  static let end: [UInt8] = [0xFF, 0xFF]
  /// The number of bytes at which rows are sent: more would keep the server waiting, fewer would cost calls.
  static let sendingLimit = 1 << 16

  /// The statement that copies the rows.
  let statement: PostgresSQL
  private let columnCount: Int
  private var writer = WireWriter()

  init(_ statement: PostgresSQL, columnCount: Int) {
    self.statement = statement
    self.columnCount = columnCount
  }

  /// The rows.
  var bytes: [UInt8] { writer.bytes }

  /// The number of bytes that the rows take.
  var byteCount: Int { writer.bytes.count }

  /// Removes all rows, and keeps the memory.
  mutating func removeAll() { writer.bytes.removeAll(keepingCapacity: true) }

  /// Adds the value of a column as a function writes it, null where that throws; each row has them all, in their order.
  mutating func append<E>(
    _ column: Int, _ write: (inout WireWriter) throws(E) -> Void
  ) throws(E) {
    beginRow(column)
    try writer.appendField(write)
  }

  /// Adds null for a column.
  mutating func appendNull(_ column: Int) {
    beginRow(column)
    writer.appendNull()
  }

  private mutating func beginRow(_ column: Int) {
    if column == 0 { writer.append(Int16(truncatingIfNeeded: columnCount)) }
  }
}
