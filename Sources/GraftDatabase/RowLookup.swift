import Graft

/// A query for the rows of many keys, which costs one round trip to a server.
package struct RowLookup {
  package let table: String
  /// The columns of the result; after them comes the number of the key, counted from 1.
  package let columns: [DatabaseSchema.Column]
  /// The columns of the keys.
  package let key: [DatabaseSchema.Column]
  /// Further conditions, with `AND` before them; empty for none.
  package let filter: String
  /// The column by which the rows of a key are in their order; nil where they have none.
  package let order: String?
}
