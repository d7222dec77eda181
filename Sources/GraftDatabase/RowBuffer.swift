import Graft

/// A row of a result, copied so that it stays while others are read.
struct RowBuffer: ~Copyable {
  fileprivate enum Cell {
    case null
    case word(UInt64)
    case bytes(start: Int, count: Int)
  }

  fileprivate var cells: [Cell] = []
  fileprivate var bytes: [UInt8] = []
  /// The array that `withValues` lends, kept because a new one for each row would cost as much as reading the row.
  private var lent: [RawValue] = []

  /// Takes the current row of a statement.
  mutating func read(
    _ statement: any DatabaseStatement, _ columns: some Collection<DatabaseSchema.Column>
  ) {
    cells.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    for (number, column) in columns.enumerated() {
      if statement.isNull(number) {
        cells.append(.null)
      } else if column.type.isWord {
        cells.append(.word(statement.word(number, column.type)))
      } else {
        let start = bytes.count
        statement.withBytes(number, column.type) { value in
          value.withBorrowed { bytes.append(contentsOf: $0) }
        }
        cells.append(.bytes(start: start, count: bytes.count - start))
      }
    }
  }

  /// Calls a closure with values of the row, which are valid until it returns.
  ///
  /// - Parameters:
  ///   - columns: The positions of the values.
  ///   - body: Receives the values, in the order of `columns`.
  /// - Returns: What the closure returns.
  mutating func withValues<R>(
    _ columns: some Collection<Int>, _ body: (BorrowedBuffer<RawValue>) -> R
  ) -> R {
    var values = lent
    lent = []
    values.removeAll(keepingCapacity: true)
    let result = bytes.withBorrowed { bytes in
      for column in columns { values.append(value(column, in: bytes)) }
      return values.withBorrowed(body)
    }
    lent = values
    return result
  }

  /// Calls a closure with all values of the row, which are valid until it returns.
  mutating func withAll<R>(_ body: (BorrowedBuffer<RawValue>) -> R) -> R {
    withValues(cells.indices, body)
  }

  /// Values of the row as the key of a row of a table.
  mutating func key(_ columns: some Collection<Int>, of table: Int) -> RowKey {
    RowKey(table: table, values: withValues(columns) { $0.map { OwnedValue($0) } })
  }

  /// Returns the number of the entity of a table's row.
  mutating func entity(of table: DatabaseSchema.Table, _ model: ModelSchema) -> Int {
    guard let column = table.entityColumn else { return table.entities[0] }
    let name = withValues([column]) { $0[0].text }
    return model.entityNumbers[name] ?? table.entities[0]
  }

  private func value(_ column: Int, in bytes: BorrowedBuffer<UInt8>) -> RawValue {
    switch cells[column] {
    case .null: .null
    case .word(let word): .word(word)
    case .bytes(let start, let count): .bytes(bytes[start..<start + count])
    }
  }
}

/// Rows as they were read, one after the other.
struct RowLog {
  private struct Entry {
    var object: ObjectID
    var cells: Range<Int>
    var bytes: Range<Int>
  }

  private var entries: [Entry] = []
  private var cells: [RowBuffer.Cell] = []
  private var bytes: [UInt8] = []

  /// The number of rows.
  var count: Int { entries.count }

  /// Adds the row of an object.
  mutating func append(_ row: borrowing RowBuffer, of object: ObjectID) {
    entries.append(
      Entry(
        object: object, cells: cells.count..<cells.count + row.cells.count,
        bytes: bytes.count..<bytes.count + row.bytes.count))
    cells += row.cells
    bytes += row.bytes
  }

  /// Forgets all rows, and keeps the memory.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Returns the object of a row, by the row's number.
  func object(_ number: Int) -> ObjectID { entries[number].object }

  /// Copies a row, by its number, into a buffer.
  func copy(_ number: Int, to row: inout RowBuffer) {
    row.cells.removeAll(keepingCapacity: true)
    row.bytes.removeAll(keepingCapacity: true)
    row.cells += cells[entries[number].cells]
    row.bytes += bytes[entries[number].bytes]
  }
}

extension DatabaseStatement {
  /// Returns the keys that the statement finds; it selects no other columns.
  ///
  /// - Parameters:
  ///   - columns: The columns of the keys.
  ///   - table: The number of the table of the rows.
  /// - Returns: The keys, in the order of the rows.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func readKeys(_ columns: [DatabaseSchema.Column], of table: Int) throws(StoreError) -> [RowKey] {
    var row = RowBuffer()
    var keys: [RowKey] = []
    while try next() {
      row.read(self, columns)
      keys.append(row.key(columns.indices, of: table))
    }
    return keys
  }
}

extension GraphTransaction {
  /// Writes the values of a table's row to an object, except for its identity and its links.
  func write(_ values: BorrowedBuffer<RawValue>, of table: DatabaseSchema.Table, to id: ObjectID) {
    let writer = row(id)
    for (attribute, column) in table.ownAttributes[id.entity] {
      _ = writer.set(attribute, values[column])
    }
    setStub(id, !values[table.stubColumn].isNull)
  }
}

extension AttributeType {
  /// Whether a column keeps values of the type as words, and not as bytes.
  var isWord: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean, .date: true
    case .decimal, .string, .binary, .uuid, .uri, .transformable: false
    }
  }
}
