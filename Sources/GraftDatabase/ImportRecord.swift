import Foundation
import Graft

// Two tables describe a database. `graft_model` has the model, as a schema file, and `graft_import`
// a row for each import. A row with a byte offset and without an end belongs to an interrupted
// import, which can be resumed after the last saved object. Row 0 belongs to no import: its "object_count" counts all
// commits, and its "byte_offset" is the greatest `_id` that a row has had.

/// Keeps the row of one import.
final class ImportRecord {
  static let creation = [
    """
    CREATE TABLE "graft_model" ("format" INTEGER NOT NULL, "model" TEXT NOT NULL)
    """,
    """
    CREATE TABLE "graft_import" ("number" INTEGER NOT NULL PRIMARY KEY, "source" TEXT, "started" TEXT NOT NULL, \
    "ended" TEXT, "byte_offset" BIGINT NOT NULL, "object_count" BIGINT NOT NULL, "version" TEXT, \
    "format" TEXT, "roots" TEXT)
    """,
  ]

  /// The number of the import, counted from 1.
  private(set) var number: Int64 = 0
  /// The greatest `_id` that a row has had.
  var greatestRowID: Int64 = 0
  /// The name of the source, such as the path of a file; nil if it has none.
  let source: String?
  /// The roots of the import, a line for each; an import of other roots of the same file is another one.
  let roots: String
  /// The size and modification time of the source file, to detect changes; nil if unknown.
  let version: String?
  /// Whether the source is one document or a stream of them.
  let format: ParserOptions.Format?
  /// The number of the interrupted import that this one resumes, and the place that it reached; nil for a new import.
  let resumed: (number: Int64, place: ImportPlace)?

  var isResumed: Bool { resumed != nil }
  /// Whether an import of this source can be resumed.
  var canBeResumed: Bool { source != nil && version != nil }

  init(
    source: String?, roots: [ImportRoot], version: String?, format: ParserOptions.Format?,
    resumed: (number: Int64, place: ImportPlace)?
  ) {
    self.format = format
    self.source = source
    self.roots = Self.text(of: roots)
    self.version = version
    self.resumed = resumed
  }

  private static func text(of roots: [ImportRoot]) -> String {
    roots.map { "\($0.entity)@\($0.path)" }.sorted().joined(separator: "\n")
  }

  /// Adds the columns that a database made by an earlier version of Graft lacks.
  ///
  /// - Parameter connection: A connection without a transaction.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  static func addColumns(_ connection: any DatabaseConnection) throws(StoreError) {
    for column in ["format", "roots"] {
      guard (try? connection.prepare("SELECT \(SQL.quote(column)) FROM \"graft_import\"")) == nil
      else { continue }
      try connection.execute("ALTER TABLE \"graft_import\" ADD COLUMN \(SQL.quote(column)) TEXT")
    }
  }

  /// Adds a row, or takes over the row of the import that is resumed.
  func begin(_ connection: any DatabaseConnection) throws(StoreError) {
    if let resumed {
      number = resumed.number
      return
    }
    number = (try connection.integer("SELECT max(\"number\") FROM \"graft_import\"") ?? 0) + 1
    let statement = try connection.prepare(
      """
      INSERT INTO "graft_import" ("number", "source", "started", "byte_offset", "object_count", "version", "format", \
      "roots") VALUES ($1, $2, $3, 0, 0, $4, $5, $6)
      """)
    statement.bind(0, .integer64, word: UInt64(bitPattern: number))
    if let source { statement.bind(1, text: source) } else { statement.bindNull(1) }
    statement.bind(2, text: Self.now)
    if let version { statement.bind(3, text: version) } else { statement.bindNull(3) }
    if let format { statement.bind(4, text: format.rawValue) } else { statement.bindNull(4) }
    statement.bind(5, text: roots)
    try statement.run()
  }

  /// Notes the progress of the import.
  func note(_ place: ImportPlace, _ connection: any DatabaseConnection) throws(StoreError) {
    let statement = try connection.prepare(
      """
      UPDATE "graft_import" SET "byte_offset" = $1, "object_count" = $2 WHERE "number" = \(number)
      """)
    statement.bind(0, .integer64, word: UInt64(place.offset))
    statement.bind(1, .integer64, word: UInt64(place.objectCount))
    try statement.run()
    try Self.countCommit(connection, greatestRowID: greatestRowID)
  }

  /// Notes that the import has ended.
  func end(_ connection: any DatabaseConnection) throws(StoreError) {
    let statement = try connection.prepare(
      "UPDATE \"graft_import\" SET \"ended\" = $1 WHERE \"number\" = \(number)")
    statement.bind(0, text: Self.now)
    try statement.run()
    try Self.countCommit(connection, greatestRowID: greatestRowID)
  }

  /// Returns the numbers of the imports of the same roots of the same source that have begun before this one.
  func earlier(_ connection: any DatabaseConnection) throws(StoreError) -> [Int64] {
    try same(by: "<", connection)
  }

  /// Returns whether the same import has begun anew since this one.
  func isSucceeded(_ connection: any DatabaseConnection) throws(StoreError) -> Bool {
    try !same(by: ">", connection).isEmpty
  }

  private func same(
    by comparison: String, _ connection: any DatabaseConnection
  ) throws(StoreError) -> [Int64] {
    guard let source else { return [] }
    let statement = try connection.prepare(
      """
      SELECT "number" FROM "graft_import" WHERE "number" \(comparison) \(number) AND "source" = $1 \
      AND ("roots" = $2 OR "roots" IS NULL)
      """)
    statement.bind(0, text: source)
    statement.bind(1, text: roots)
    var numbers: [Int64] = []
    while try statement.next() { numbers.append(Int64(bitPattern: statement.word(0, .integer64))) }
    return numbers
  }

  /// Counts a commit in row 0, which shows it to other connections.
  ///
  /// - Parameters:
  ///   - connection: The connection, before it commits.
  ///   - greatestRowID: The greatest `_id` that a row has had; 0 if the commit inserts none.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  static func countCommit(
    _ connection: any DatabaseConnection, greatestRowID: Int64 = 0
  ) throws(StoreError) {
    let statement = try connection.prepare(
      """
      INSERT INTO "graft_import" ("number", "started", "ended", "byte_offset", "object_count") \
      VALUES (0, $1, $1, $2, 1) ON CONFLICT ("number") DO UPDATE \
      SET "ended" = excluded."ended", "object_count" = "graft_import"."object_count" + 1, \
      "byte_offset" = CASE WHEN excluded."byte_offset" > "graft_import"."byte_offset" \
      THEN excluded."byte_offset" ELSE "graft_import"."byte_offset" END
      """)
    statement.bind(0, text: now)
    statement.bind(1, .integer64, word: UInt64(bitPattern: greatestRowID))
    try statement.run()
  }

  /// Returns the greatest `_id` that row 0 has kept.
  static func greatestRowID(_ connection: any DatabaseConnection) throws(StoreError) -> Int64 {
    try connection.integer("SELECT \"byte_offset\" FROM \"graft_import\" WHERE \"number\" = 0") ?? 0
  }

  private static var now: String {
    Date.now.formatted(.iso8601)
  }

  /// The state of the last import of a source.
  struct Last {
    var number: Int64
    var place: ImportPlace
    /// The version that the source had.
    var version: String?
    /// The format of the source; nil if neither the options nor the name gave it.
    ///
    /// Earlier versions of Graft did not record it.
    var format: ParserOptions.Format?
    var hasEnded: Bool
  }

  /// Returns the last import of a source with these roots.
  ///
  /// - Parameters:
  ///   - source: The name of the source.
  ///   - roots: The roots.
  ///   - connection: A connection to the database.
  /// - Returns: The state of the import; nil if there was none.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  static func last(
    of source: String, _ roots: [ImportRoot], _ connection: any DatabaseConnection
  ) throws(StoreError) -> Last? {
    try addColumns(connection)
    let statement = try connection.prepare(
      """
      SELECT "number", "byte_offset", "object_count", "version", "ended", "format" FROM "graft_import" \
      WHERE "source" = $1 AND ("roots" = $2 OR "roots" IS NULL) ORDER BY "number" DESC LIMIT 1
      """)
    statement.bind(0, text: source)
    statement.bind(1, text: text(of: roots))
    guard try statement.next() else { return nil }
    defer { statement.reset() }
    let numbers = (0..<3).map { Int64(bitPattern: statement.word($0, .integer64)) }
    return Last(
      number: numbers[0],
      place: ImportPlace(offset: Int(numbers[1]), objectCount: Int(numbers[2])),
      version: statement.text(3),
      format: statement.text(5).flatMap { ParserOptions.Format(rawValue: $0) },
      hasEnded: !statement.isNull(4))
  }
}

extension DatabaseStatement {
  /// Binds a text.
  func bind(_ parameter: Int, text: String) {
    text.withBorrowedUTF8 { $0.withRawSpan { bind(parameter, .string, bytes: $0) } }
  }

  /// Returns a text of the current row; nil for null.
  func text(_ column: Int) -> String? {
    guard !isNull(column) else { return nil }
    var text = ""
    withBytes(column, .string) { bytes in
      text = bytes.withBorrowed { String(decoding: $0, as: UTF8.self) }
    }
    return text
  }
}
