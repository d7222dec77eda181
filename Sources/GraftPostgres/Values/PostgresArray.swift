/// The values of one column, for many rows: `unnest($1, $2)` makes rows of several of them, so that one statement
/// writes or finds a whole group of rows.
struct PostgresArray {
  /// The bytes before the first value: the number of dimensions, whether there are nulls, the type, and the length
  /// and first index of the one dimension.
  private static let headSize = 20

  private let type: PostgresType
  private var count = 0
  private var fields = WireWriter()
  private var hasNull = false

  init(of type: PostgresType) {
    self.type = type
    fields.bytes = [UInt8](repeating: 0, count: Self.headSize)
  }

  /// The number of bytes that the array takes.
  var byteCount: Int { fields.bytes.count }

  /// Removes all values, and keeps the memory.
  mutating func removeAll() {
    fields.bytes.removeLast(fields.bytes.count - Self.headSize)
    (count, hasNull) = (0, false)
  }

  /// Adds a value as a function writes it; null where that throws.
  mutating func append<E>(_ write: (inout WireWriter) throws(E) -> Void) throws(E) {
    count += 1
    do throws(E) {
      try fields.appendField(write)
    } catch {
      hasNull = true
      throw error
    }
  }

  /// Adds null.
  mutating func appendNull() {
    count += 1
    hasNull = true
    fields.appendNull()
  }

  /// The array in the binary form of a parameter.
  var bytes: [UInt8] {
    var head = WireWriter()
    head.append(Int32(count == 0 ? 0 : 1))
    head.append(Int32(hasNull ? 1 : 0))
    head.append(type.rawValue)
    guard count > 0 else { return head.bytes }
    head.append(Int32(count))
    head.append(Int32(1))
    var bytes = fields.bytes
    bytes.replaceSubrange(0..<Self.headSize, with: head.bytes)
    return bytes
  }
}
