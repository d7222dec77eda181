import Graft

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
