import Foundation

// The tables that say what is in a database: `graft_model`, with the model as Graft's own schema, and
// `graft_import`, with a row for each import. A row that has a place but no end is of an import that stopped: it
// can be resumed behind the last object that was saved.

/// The row of one import.
final class ImportRecord {
  static let creation = [
    """
    CREATE TABLE "graft_model" ("format" INTEGER NOT NULL, "model" TEXT NOT NULL, "spellings" TEXT NOT NULL)
    """,
    """
    CREATE TABLE "graft_import" ("number" INTEGER NOT NULL PRIMARY KEY, "source" TEXT, "started" TEXT NOT NULL, \
    "ended" TEXT, "byte_offset" BIGINT NOT NULL, "object_count" BIGINT NOT NULL, "byte_count" BIGINT)
    """,
  ]

  /// The number of the import, counted from 1.
  private(set) var number: Int64 = 0
  /// What is imported, such as the path of a file; nil where nobody knows.
  let source: String?
  /// The size of the source, where it is known.
  let byteCount: Int?
  /// Where an import of the same source stopped that this one goes on from; nil for a new one.
  let resumed: (number: Int64, place: ImportPlace)?

  var isResumed: Bool { resumed != nil }

  init(source: String?, byteCount: Int?, resumed: (number: Int64, place: ImportPlace)?) {
    self.source = source
    self.byteCount = byteCount
    self.resumed = resumed
  }

  /// Adds the row, or takes that of the import that is resumed.
  func begin(_ connection: any DatabaseConnection) throws(StoreError) {
    if let resumed {
      number = resumed.number
      return
    }
    number = (try connection.integer("SELECT max(\"number\") FROM \"graft_import\"") ?? 0) + 1
    let statement = try connection.prepare(
      """
      INSERT INTO "graft_import" ("number", "source", "started", "byte_offset", "object_count", "byte_count") \
      VALUES ($1, $2, $3, 0, 0, $4)
      """)
    statement.bind(0, .integer64, word: UInt64(bitPattern: number))
    if let source { statement.bind(1, text: source) } else { statement.bindNull(1) }
    statement.bind(2, text: Self.now)
    if let byteCount {
      statement.bind(3, .integer64, word: UInt64(byteCount))
    } else {
      statement.bindNull(3)
    }
    try statement.run()
  }

  /// Notes how far the import has come.
  func note(_ place: ImportPlace, _ connection: any DatabaseConnection) throws(StoreError) {
    let statement = try connection.prepare(
      """
      UPDATE "graft_import" SET "byte_offset" = $1, "object_count" = $2 WHERE "number" = \(number)
      """)
    statement.bind(0, .integer64, word: UInt64(place.offset))
    statement.bind(1, .integer64, word: UInt64(place.objectCount))
    try statement.run()
  }

  /// Notes that the import has ended, and how it has found numbers spelled.
  func end(
    _ connection: any DatabaseConnection, _ spellings: Spellings, _ model: ModelSchema
  ) throws(StoreError) {
    let statement = try connection.prepare(
      "UPDATE \"graft_import\" SET \"ended\" = $1 WHERE \"number\" = \(number)")
    statement.bind(0, text: Self.now)
    try statement.run()
  }

  private static var now: String {
    Date.now.formatted(.iso8601)
  }

  /// The import of a source that has stopped before its end.
  ///
  /// - Returns: Its number, how far it has come, and the size that the source had; nil where there is none.
  static func unfinished(
    _ source: String, _ connection: any DatabaseConnection
  ) throws(StoreError) -> (number: Int64, place: ImportPlace, byteCount: Int?)? {
    let statement = try connection.prepare(
      """
      SELECT "number", "byte_offset", "object_count", "byte_count" FROM "graft_import" \
      WHERE "source" = $1 AND "ended" IS NULL ORDER BY "number" DESC LIMIT 1
      """)
    statement.bind(0, text: source)
    guard try statement.next() else { return nil }
    defer { statement.reset() }
    let values = (0..<4).map { column in
      statement.isNull(column) ? nil : Int(statement.word(column, .integer64))
    }
    return (
      Int64(values[0] ?? 0), ImportPlace(offset: values[1] ?? 0, objectCount: values[2] ?? 0),
      values[3]
    )
  }
}

extension DatabaseStatement {
  /// Binds a text.
  func bind(_ parameter: Int, text: String) {
    text.withBorrowedUTF8 { $0.withRawSpan { bind(parameter, .string, bytes: $0) } }
  }

  /// A text of the current row; nil for null.
  func text(_ column: Int) -> String? {
    guard !isNull(column) else { return nil }
    var text = ""
    withBytes(column, .string) { bytes in
      text = bytes.withBorrowed { String(decoding: $0, as: UTF8.self) }
    }
    return text
  }
}
