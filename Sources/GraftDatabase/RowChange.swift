import Graft

/// A statement that writes one row, which a database may gather with others of its kind.
///
/// SQLite runs it once for each row. On a server each would cost a round trip, so Postgres gathers
/// rows and sends many with one statement. It needs the statement's meaning for this, which is hard
/// to read from the SQL.
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
  /// The columns that find the rows; their values follow the values to write.
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

  /// Returns whether rows of this statement and of another may be written in either order.
  ///
  /// A row is inserted or updated once in a batch, under a key that does not change. A row that is inserted where it is
  /// missing has the same values each time.
  package func commutes(with other: RowChange) -> Bool {
    table != other.table || kind != .delete && other.kind != .delete
  }
}
