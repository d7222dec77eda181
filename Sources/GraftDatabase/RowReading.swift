import Graft

extension RowBuffer {
  /// Reads the current row of a statement.
  mutating func read(
    _ statement: any DatabaseStatement, _ columns: some Collection<DatabaseSchema.Column>
  ) {
    removeAll()
    append(statement, columns)
  }

  /// Reads the current row of a statement that selects all columns of a table.
  mutating func read(
    _ statement: any DatabaseStatement, _ table: DatabaseSchema.Table, _ model: ModelSchema
  ) {
    read(statement, table.columns)
    entity = table.entities[0]
    guard let column = table.entityColumn else { return }
    let name = withValues(CollectionOfOne(column)) { $0[0].text }
    entity = model.entityNumbers[name] ?? entity
  }

  /// Adds the values of the current row of a statement.
  mutating func append(
    _ statement: any DatabaseStatement, _ columns: some Collection<DatabaseSchema.Column>
  ) {
    for (number, column) in columns.enumerated() {
      if statement.isNull(number) {
        appendNull()
      } else if column.type.isWord {
        append(word: statement.word(number, column.type))
      } else {
        statement.withBytes(number, column.type) { append(bytes: $0) }
      }
    }
  }
}

/// Collects values like a statement, from the first column to the last.
final class RowCopy: RowParameters {
  var row = RowBuffer()

  func bindNull(_ parameter: Int) { row.appendNull() }

  func bind(_ parameter: Int, _ type: AttributeType, word: UInt64) { row.append(word: word) }

  func bind(_ parameter: Int, _ type: AttributeType, bytes: RawSpan) { row.append(bytes: bytes) }
}

extension DatabaseStatement {
  /// Returns the keys that the statement finds; it selects no other columns.
  ///
  /// - Parameters:
  ///   - columns: The columns of the keys.
  ///   - table: The number of the table of the rows.
  /// - Returns: The keys, in the order of the rows.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func keys(_ columns: [DatabaseSchema.Column], of table: Int) throws(StoreError) -> RowKeys {
    let keys = RowKeys(table: table, width: columns.count)
    while try next() { keys.append { $0.append(self, columns) } }
    return keys
  }

  /// Returns the same keys, each with values of its own.
  func readKeys(_ columns: [DatabaseSchema.Column], of table: Int) throws(StoreError) -> [RowKey] {
    try keys(columns, of: table).all
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

extension RowKeys {
  /// Copies keys of rows of a table.
  convenience init(_ keys: [RowKey], of table: Int) {
    self.init(table: table, width: keys.first?.values.count ?? 0)
    for key in keys {
      OwnedValue.withRawValues(key.values[...]) { key in
        append { values in
          for value in key {
            if value.isNull {
              values.appendNull()
            } else if value.hasBytes {
              value.bytes.withRawSpan { values.append(bytes: $0) }
            } else {
              values.append(word: value.bits)
            }
          }
        }
      }
    }
  }
}
