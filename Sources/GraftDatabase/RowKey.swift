import Graft

/// The key of a row.
struct RowKey: Hashable {
  /// The number of its table.
  var table: Int
  /// A value for each column of the key.
  var values: [OwnedValue]
}
