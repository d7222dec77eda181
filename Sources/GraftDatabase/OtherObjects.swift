// Keeps the views, triggers and indexes that a user has added to an SQLite file, while a change of the
// model rebuilds tables. SQLite drops indexes and triggers with the old table, and refuses to give the
// new table its name while a view mentions a table that is gone. So all are made again from their SQL,
// as SQLite's documentation of `ALTER TABLE` recommends.

import Graft

/// The views, triggers and indexes of a database that are not of its model.
struct OtherObjects {
  private struct Entry {
    var type: String
    var name: String
    var table: String
    var sql: String
  }

  private let connection: any DatabaseConnection
  private var entries: [Entry] = []

  /// Removes the views and triggers of an SQLite file until ``restore(_:)``.
  ///
  /// - Parameters:
  ///   - connection: A connection in a transaction; tables and columns have their next names.
  ///   - own: The names of the model's indexes.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  init(
    settingAside connection: any DatabaseConnection, except own: [String]
  ) throws(StoreError) {
    self.connection = connection
    guard !connection.dialect.checksLinks else { return }
    let own = Set(own)
    // Triggers may be of views.
    let statement = try connection.prepare(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
        + " AND type IN ('index', 'view', 'trigger') ORDER BY type = 'trigger', rowid")
    while try statement.next() {
      guard let type = statement.text(0), let name = statement.text(1),
        let table = statement.text(2), let sql = statement.text(3), !own.contains(name)
      else { continue }
      entries.append(Entry(type: type, name: name, table: table, sql: sql))
    }
    for entry in entries.reversed() where entry.type != "index" {
      try connection.execute("DROP \(entry.type) \(SQL.quote(entry.name))")
    }
  }

  /// Removes the indexes of a table until ``restore(_:)``, since SQLite removes no column that one of them has.
  ///
  /// - Parameter table: The table.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func removeIndexes(of table: String) throws(StoreError) {
    for entry in entries where entry.type == "index" && entry.table == table {
      try connection.execute("DROP INDEX IF EXISTS \(SQL.quote(entry.name))")
    }
  }

  /// Makes views and triggers again, and the indexes of rebuilt tables; those of removed tables go with them.
  ///
  /// - Parameter refuse: Makes the error for one that cannot be made again, because a column is gone.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func restore(_ refuse: (String) -> StoreError) throws(StoreError) {
    guard !entries.isEmpty else { return }
    let indexes = try connection.indexNames()
    // SQLite notes the table of a trigger as the trigger spells it.
    let tables = Set(
      (try connection.tableNames() + entries.filter { $0.type == "view" }.map(\.name))
        .map { $0.lowercased() })
    for entry in entries where tables.contains(entry.table.lowercased()) {
      if entry.type == "index", indexes.contains(entry.name) { continue }
      do {
        try connection.execute(entry.sql)
      } catch {
        throw refuse(
          "has the \(entry.type) \"\(entry.name)\", which cannot be made again for the changed model"
            + " (\(error.message)); remove it first")
      }
    }
  }
}
