import Graft

/// The type of a parameter: one value, or an array of them.
enum PostgresParameterType: Hashable, Sendable {
  case one(PostgresType)
  case array(PostgresType)

  /// The type's number in Postgres.
  var number: UInt32 {
    switch self {
    case .one(let type): type.rawValue
    case .array(let type): type.arrayNumber
    }
  }
}

/// A value that is bound to a statement, and never becomes part of its text.
struct PostgresParameter {
  let type: PostgresParameterType
  /// The value in binary; nil for null.
  fileprivate let bytes: [UInt8]?

  fileprivate init(_ type: PostgresParameterType, bytes: [UInt8]?) {
    self.type = type
    self.bytes = bytes
  }

  /// A value of an attribute.
  ///
  /// - Throws: ``PostgresValueError`` where Postgres cannot hold it.
  init(_ value: AttributeValue?, as type: AttributeType) throws(PostgresValueError) {
    var field = WireWriter()
    try field.appendField(value, as: type)
    self.init(.one(PostgresType(type)), bytes: value == nil ? nil : Array(field.bytes.dropFirst(4)))
  }

  /// A `bigint`.
  init(_ value: Int64?) {
    var field = WireWriter()
    if let value { field.append(value) }
    self.init(.one(.bigint), bytes: value == nil ? nil : field.bytes)
  }

  /// A `text`.
  ///
  /// - Throws: ``PostgresValueError`` where it has U+0000.
  init(text: String) throws(PostgresValueError) {
    try self.init(.string(text), as: .string)
  }
}

/// The values of one column, for many rows: `unnest($1, $2)` makes rows of several of them, so that one statement
/// writes or finds a whole group of rows.
struct PostgresArray {
  /// The bytes before the first value: the number of dimensions, whether there are nulls, the type, and the length
  /// and first index of the one dimension.
  private static let headSize = 20

  let type: PostgresType
  private(set) var count = 0
  private var fields = WireWriter()
  private var hasNull = false

  init(of type: PostgresType) {
    self.type = type
    fields.bytes = [UInt8](repeating: 0, count: Self.headSize)
  }

  /// Adds a value of an attribute.
  ///
  /// - Throws: ``PostgresValueError`` where Postgres cannot hold it; then nothing is added.
  mutating func append(
    _ value: AttributeValue?, as type: AttributeType
  ) throws(PostgresValueError) {
    assert(PostgresType(type) == self.type)
    try fields.appendField(value, as: type)
    noteField(isNull: value == nil)
  }

  /// Adds a `bigint`.
  mutating func append(_ value: Int64?) {
    assert(type == .bigint)
    fields.appendField(value)
    noteField(isNull: value == nil)
  }

  private mutating func noteField(isNull: Bool) {
    count += 1
    if isNull { hasNull = true }
  }

  /// The number of bytes that it takes.
  var byteCount: Int { fields.bytes.count }

  /// Removes all values, and keeps the memory.
  mutating func removeAll() {
    fields.bytes.removeLast(fields.bytes.count - Self.headSize)
    (count, hasNull) = (0, false)
  }

  /// Adds a value as a function writes it; null where that throws.
  mutating func append<E>(_ write: (inout WireWriter) throws(E) -> Void) throws(E) {
    let start = fields.bytes.count
    fields.append(Int32(0))
    do throws(E) {
      try write(&fields)
      fields.setLength(at: start)
      noteField(isNull: false)
    } catch {
      fields.bytes.removeSubrange(start...)
      appendNull()
      throw error
    }
  }

  mutating func appendNull() {
    fields.append(Int32(-1))
    noteField(isNull: true)
  }

  /// The array as a parameter has it.
  var bytes: [UInt8] { parameter.bytes ?? [] }

  /// The parameter.
  var parameter: PostgresParameter {
    var head = WireWriter()
    head.append(Int32(count == 0 ? 0 : 1))
    head.append(Int32(hasNull ? 1 : 0))
    head.append(type.rawValue)
    guard count > 0 else { return PostgresParameter(.array(type), bytes: head.bytes) }
    head.append(Int32(count))
    head.append(Int32(1))
    var bytes = fields.bytes
    bytes.replaceSubrange(0..<Self.headSize, with: head.bytes)
    return PostgresParameter(.array(type), bytes: bytes)
  }
}

#if canImport(CPQ)
extension PostgresParameter {
  /// Calls a function with parameters as libpq has them: types, values, lengths, and that all are binary.
  ///
  /// The pointers are those of the arrays, lent for the call.
  static func withPointers<R>(
    to parameters: [PostgresParameter],
    _ body: ([UInt32], [UnsafePointer<CChar>?], [CInt], [CInt]) -> R
  ) -> R {
    var values: [UnsafePointer<CChar>?] = unsafe []
    let types = parameters.map(\.type.number)
    let lengths = parameters.map { CInt($0.bytes?.count ?? 0) }
    let formats = [CInt](repeating: 1, count: parameters.count)
    func collect(_ rest: ArraySlice<PostgresParameter>) -> R {
      guard let first = rest.first else { return unsafe body(types, values, lengths, formats) }
      guard let bytes = first.bytes else {
        unsafe values.append(nil)
        return collect(rest.dropFirst())
      }
      // A value of no bytes needs a pointer too, since without one it is null.
      let readable = bytes.isEmpty ? [0] : bytes
      return unsafe readable.withUnsafeBytes { buffer in
        unsafe values.append(buffer.assumingMemoryBound(to: CChar.self).baseAddress)
        return collect(rest.dropFirst())
      }
    }
    return collect(parameters[...])
  }
}
#endif
