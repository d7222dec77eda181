// The column of a property that a model drops stays in the table. A later model that has the
// property again takes the column back. `graft_former` records the table, the column, its type and
// its purpose.

import Graft

/// Records the columns that a database has and its model does not.
struct FormerColumns {
  /// The purpose of a column.
  enum Kind: String {
    case key
    case attribute
    /// A part of the key at the other end of a to-one relationship.
    case reference
    /// A column of the table of a to-many relationship.
    case list
  }

  struct Entry: Equatable {
    var table: String
    var column: DatabaseSchema.Column
    var kind: Kind
    /// The table to which a reference leads; empty for other columns.
    var target = ""
  }

  private(set) var entries: [Entry] = []
  private var stored: [Entry] = []

  private static let table = "graft_former"

  /// Reads the former columns of a database.
  init(_ connection: any DatabaseConnection) throws(StoreError) {
    guard try connection.tableNames().contains(Self.table) else { return }
    let statement = try connection.prepare(
      "SELECT \"table\", \"column\", \"type\", \"kind\", \"target\" FROM \"\(Self.table)\"")
    while try statement.next() {
      guard let table = statement.text(0), let column = statement.text(1),
        let type = statement.text(2).flatMap(AttributeType.init(rawValue:)),
        let kind = statement.text(3).flatMap(Kind.init(rawValue:))
      else { continue }
      entries.append(
        Entry(
          table: table, column: .init(name: column, type: type), kind: kind,
          target: statement.text(4) ?? ""))
    }
    stored = entries
  }

  /// Returns the columns of a table.
  func columns(of table: String) -> [Entry] { entries.filter { $0.table == table } }

  mutating func add(_ entry: Entry) {
    entries.removeAll { $0.table == entry.table && $0.column.name == entry.column.name }
    entries.append(entry)
  }

  mutating func remove(_ column: String, of table: String) {
    entries.removeAll { $0.table == table && $0.column.name == column }
  }

  mutating func remove(table: String) { entries.removeAll { $0.table == table } }

  /// Renames the tables of columns.
  mutating func rename(tables: [String: String]) {
    for index in entries.indices {
      entries[index].table = tables[entries[index].table] ?? entries[index].table
      entries[index].target = tables[entries[index].target] ?? entries[index].target
    }
  }

  /// Renames columns of a table.
  mutating func rename(columns: [String: String], of table: String) {
    for index in entries.indices where entries[index].table == table {
      let name = entries[index].column.name
      entries[index].column.name = columns[name] ?? name
    }
  }

  /// Writes the changes to `graft_former`.
  func write(_ connection: any DatabaseConnection) throws(StoreError) {
    guard entries != stored else { return }
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS "\(Self.table)" ("table" TEXT NOT NULL, "column" TEXT NOT NULL, \
      "type" TEXT NOT NULL, "kind" TEXT NOT NULL, "target" TEXT NOT NULL)
      """)
    try connection.execute("DELETE FROM \"\(Self.table)\"")
    let insert = try connection.prepare("INSERT INTO \"\(Self.table)\" VALUES ($1, $2, $3, $4, $5)")
    for entry in entries {
      let texts = [
        entry.table, entry.column.name, entry.column.type.rawValue, entry.kind.rawValue,
        entry.target,
      ]
      for (parameter, text) in texts.enumerated() { insert.bind(parameter, text: text) }
      try insert.run()
    }
  }
}
