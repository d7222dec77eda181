// Rows are written one by one: bound, and run. A database whose statements cost a round trip each gathers the rows
// instead, and sends many with one statement; so it must know what the statement does, which its text does not
// tell well.

/// A statement that writes one row, which a database may gather with others of its kind.
package struct RowChange {
  package enum Kind {
    /// Inserts a row of all columns.
    case insert
    /// Inserts a row unless there is one of that key.
    case insertMissing
    /// Sets columns of the row of a key.
    case update
    /// Deletes the rows that have the values of some columns.
    case delete
  }

  package let kind: Kind
  package let table: String
  /// The columns that are written, whose values are the first parameters.
  package let values: [DatabaseSchema.Column]
  /// The columns by which rows are found, whose values come behind.
  package let key: [DatabaseSchema.Column]

  init(
    _ kind: Kind, _ table: String, _ values: [DatabaseSchema.Column] = [],
    where key: [DatabaseSchema.Column] = []
  ) {
    self.kind = kind
    self.table = table
    self.values = values
    self.key = key
  }

  /// The statement for one row.
  package var sql: String {
    let table = SQL.quote(table)
    let condition = SQL.equal(key.map(\.name), from: values.count + 1)
    switch kind {
    case .insert, .insertMissing:
      return "INSERT INTO \(table) (\(SQL.list(values.map(\.name))))"
        + " VALUES (\(SQL.parameters(values.count)))"
        + (kind == .insertMissing ? " ON CONFLICT DO NOTHING" : "")
    case .update:
      let assignments = values.enumerated().map { "\(SQL.quote($1.name)) = $\($0 + 1)" }
      return "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \(condition)"
    case .delete:
      return "DELETE FROM \(table) WHERE \(condition)"
    }
  }

  /// Whether rows of this statement and of another may be written in either order.
  ///
  /// A row is inserted or updated once in a batch, under a key that does not change.
  package func commutes(with other: RowChange) -> Bool {
    table != other.table
      || [.insert, .update].contains(kind) && [.insert, .update].contains(other.kind)
  }
}

/// A query for the rows of many keys.
package struct RowLookup {
  package let table: String
  /// The columns that it returns; behind them the number of the key, counted from 1.
  package let columns: [DatabaseSchema.Column]
  /// The columns of the keys.
  package let key: [DatabaseSchema.Column]
  /// What else must hold, with `AND` before it; empty where nothing must.
  package let filter: String
  /// The column by which the rows of a key are in their order; nil where they have none.
  package let order: String?
}

extension DatabaseConnection {
  package func constraintNames() throws(StoreError) -> [String: Set<String>] { [:] }

  /// Prepares a statement that writes a row.
  ///
  /// A database that gathers rows has its own.
  package func prepare(_ change: RowChange) throws(StoreError) -> any DatabaseStatement {
    try prepare(change.sql)
  }

  /// Prepares a query for many keys: `run()` adds one, and `next()` asks for all of them.
  ///
  /// - Returns: The query; nil in a database where one look-up after another costs no more.
  package func prepare(_ lookup: RowLookup) throws(StoreError) -> (any DatabaseStatement)? { nil }
}
