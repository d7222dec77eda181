import Graft
import GraftDatabase

// Statements for many rows. Each parameter is an array, with the values of one column; `unnest` makes rows of them:
//
//   INSERT INTO "Tweet" ("id", "text") SELECT c1, c2 FROM unnest($1::bigint[], $2::text[]) AS r(c1, c2)
//
// So thousands of rows cost one round trip and one execution, and a statement is prepared once for any number of
// rows, which a list of `VALUES` would not be. Rows that are surely new are copied, see `PostgresCopy`.

/// The text of statements for many rows.
enum PostgresRows {
  /// Returns the statement that copies rows which are certainly new.
  static func copy(of change: RowChange) -> String {
    "COPY \(SQL.quote(change.table)) (\(SQL.list(change.values.map(\.name)))) FROM STDIN (FORMAT binary)"
  }

  /// Returns the statement that changes rows.
  static func sql(of change: RowChange) -> String {
    let table = SQL.quote(change.table)
    let rows = source(change.values + change.key)
    let condition = equal(change.key, from: change.values.count)
    switch change.kind {
    case .insert, .insertMissing:
      let values = change.values.indices.map { "c\($0 + 1)" }.joined(separator: ", ")
      return
        "INSERT INTO \(table) (\(SQL.list(change.values.map(\.name)))) SELECT \(values) FROM \(rows)"
        + (change.kind == .insertMissing ? " ON CONFLICT DO NOTHING" : "")
    case .update:
      let values = change.values.enumerated().map { "\(SQL.quote($1.name)) = r.c\($0 + 1)" }
      return
        "UPDATE \(table) AS t SET \(values.joined(separator: ", ")) FROM \(rows) WHERE \(condition)"
    case .delete:
      return "DELETE FROM \(table) AS t USING \(rows) WHERE \(condition)"
    }
  }

  /// Returns the query for the rows of many keys, in the order of the keys where rows have one.
  static func sql(of lookup: RowLookup) -> String {
    let columns = lookup.columns.map { "t.\(SQL.quote($0.name))" } + ["r.n"]
    let order = lookup.order.map { " ORDER BY r.n, t.\(SQL.quote($0))" } ?? ""
    return "SELECT \(columns.joined(separator: ", "))"
      + " FROM \(source(lookup.key, isNumbered: true)) JOIN \(SQL.quote(lookup.table)) AS t"
      + " ON \(equal(lookup.key, from: 0))\(lookup.filter)\(order)"
  }

  /// Returns rows `r` of parameters, with columns `c1`, `c2` and so on, and their number as `n`.
  private static func source(
    _ columns: [DatabaseSchema.Column], isNumbered: Bool = false
  ) -> String {
    let arrays = columns.enumerated().map { "$\($0 + 1)::\(PostgresType($1.type))[]" }
    let names = columns.indices.map { "c\($0 + 1)" } + (isNumbered ? ["n"] : [])
    return "unnest(\(arrays.joined(separator: ", ")))\(isNumbered ? " WITH ORDINALITY" : "")"
      + " AS r(\(names.joined(separator: ", ")))"
  }

  private static func equal(_ columns: [DatabaseSchema.Column], from first: Int) -> String {
    columns.enumerated().map { number, column in
      // Keys are compared as the columns are, so that their indexes are used.
      let collation = PostgresType(column.type) == .text ? " COLLATE \"C\"" : ""
      return "t.\(SQL.quote(column.name)) = r.c\(first + number + 1)\(collation)"
    }.joined(separator: " AND ")
  }
}
