// The statements that a server carries out in groups, each described by its meaning and as SQL for one row.

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

/// A query for the rows of a key, or for those of many keys, which costs one round trip to a server.
package struct RowLookup {
  package let table: String
  /// The columns that it returns; a query for many keys returns the number of the key after them, counted from 1.
  package let columns: [DatabaseSchema.Column]
  /// The columns of the keys.
  package let key: [DatabaseSchema.Column]
  /// Further conditions, with `AND` before them; empty for none.
  package let filter: String
  /// The column that orders the rows of one key; nil if they have no order.
  package let order: String?

  /// The query for one key, whose values are the parameters.
  package var sql: String {
    "SELECT \(SQL.list(columns.map(\.name))) FROM \(SQL.quote(table))"
      + " WHERE \(SQL.equal(key.map(\.name), from: 1))\(filter)"
      + (order.map { " ORDER BY \(SQL.quote($0))" } ?? "")
  }
}
