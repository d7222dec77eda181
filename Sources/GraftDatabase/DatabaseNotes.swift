import Graft

/// Texts that imports leave in the database together with their objects, such as the address of the next page.
///
/// Their table is made with the first note.
enum DatabaseNotes {
  private static let table = "graft_note"

  /// Writes notes in the open transaction.
  static func write(
    _ notes: [ImportNote], _ connection: any DatabaseConnection
  ) throws(StoreError) {
    guard !notes.isEmpty else { return }
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS \"\(table)\" (\"key\" TEXT NOT NULL PRIMARY KEY, \"value\" TEXT NOT NULL)"
    )
    for note in notes {
      let statement: any DatabaseStatement
      if let value = note.value {
        statement = try connection.prepare(
          "INSERT INTO \"\(table)\" (\"key\", \"value\") VALUES ($1, $2)"
            + " ON CONFLICT (\"key\") DO UPDATE SET \"value\" = excluded.\"value\"")
        statement.bind(1, text: value)
      } else {
        statement = try connection.prepare("DELETE FROM \"\(table)\" WHERE \"key\" = $1")
      }
      statement.bind(0, text: note.key)
      try statement.run()
    }
  }

  /// Returns a note; nil if there is none.
  static func read(
    _ key: String, _ connection: any DatabaseConnection
  ) throws(StoreError) -> String? {
    guard try connection.tableNames().contains(table) else { return nil }
    let statement = try connection.prepare("SELECT \"value\" FROM \"\(table)\" WHERE \"key\" = $1")
    statement.bind(0, text: key)
    guard try statement.next() else { return nil }
    defer { statement.reset() }
    return statement.text(0)
  }
}
