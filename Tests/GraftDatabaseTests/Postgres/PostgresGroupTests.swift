#if canImport(CPQ)
import Foundation
import Synchronization
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftPostgres
@testable import GraftTestSupport

/// Counts statements that return rows, because each one is a round trip.
private final class CountingConnection: DatabaseConnection {
  private let connection: PostgresDatabase
  let count: Counter

  /// Counts for the thread that reads and for the one that writes.
  final class Counter: Sendable {
    private let counts = Mutex((queries: 0, singles: 0))

    var queries: Int { counts.withLock { $0.queries } }
    /// The queries for one row by its key.
    var singles: Int { counts.withLock { $0.singles } }

    func add(isSingle: Bool = false) {
      counts.withLock {
        $0.queries += 1
        if isSingle { $0.singles += 1 }
      }
    }

    func reset() { counts.withLock { $0 = (0, 0) } }
  }

  init(_ address: String, _ count: Counter) throws(StoreError) {
    do { connection = try PostgresDatabase(PostgresAddress(address)) } catch {
      throw StoreError(.database, "\(error)")
    }
    self.count = count
  }

  var name: String { connection.name }
  var dialect: SQLDialect { connection.dialect }
  func execute(_ sql: String) throws(StoreError) { try connection.execute(sql) }
  func prepare(_ sql: String) throws(StoreError) -> any DatabaseStatement {
    CountingStatement(try connection.prepare(sql), count, isSingle: sql.hasSuffix(" = $1"))
  }
  func prepare(_ change: RowChange) throws(StoreError) -> any DatabaseStatement {
    try connection.prepare(change)
  }
  func prepare(_ lookup: RowLookup) throws(StoreError) -> (any DatabaseStatement)? {
    try connection.prepare(lookup).map { CountingStatement($0, count) }
  }
  func prepareReading(_ sql: String) throws(StoreError) -> any DatabaseStatement {
    CountingStatement(try connection.prepareReading(sql), count)
  }
  func refuseChanges() throws(StoreError) { try connection.refuseChanges() }
  var isLost: Bool { connection.isLost }
  func makeInterrupt() -> @Sendable () -> Void { connection.makeInterrupt() }
  func begin() throws(StoreError) -> Bool { try connection.begin() }
  func noteVersion() throws(StoreError) -> Bool { try connection.noteVersion() }
  func indexNames() throws(StoreError) -> Set<String> { try connection.indexNames() }
  func version() throws(StoreError) -> String { try connection.version() }
  func commit() throws(StoreError) { try connection.commit() }
  func rollback() { connection.rollback() }
  func enforceForeignKeys() throws(StoreError) { try connection.enforceForeignKeys() }
  func columnNames(of table: String) throws(StoreError) -> [String] {
    try connection.columnNames(of: table)
  }

  func tableNames() throws(StoreError) -> [String] { try connection.tableNames() }
  func constraintNames() throws(StoreError) -> [String: Set<String>] {
    try connection.constraintNames()
  }
}

private final class CountingStatement: DatabaseStatement {
  private let statement: any DatabaseStatement
  private let count: CountingConnection.Counter
  private let isSingle: Bool
  private var isRunning = false
  /// Whether its queries are counted when they are sent.
  private var hasAsked = false

  init(
    _ statement: any DatabaseStatement, _ count: CountingConnection.Counter, isSingle: Bool = false
  ) {
    self.statement = statement
    self.count = count
    self.isSingle = isSingle
  }

  func bindNull(_ parameter: Int) { statement.bindNull(parameter) }
  func bind(_ parameter: Int, _ type: AttributeType, word: UInt64) {
    statement.bind(parameter, type, word: word)
  }
  func bind(_ parameter: Int, _ type: AttributeType, bytes: RawSpan) {
    statement.bind(parameter, type, bytes: bytes)
  }
  func run() throws(StoreError) { try statement.run() }
  func ask() throws(StoreError) {
    count.add()
    hasAsked = true
    try statement.ask()
  }
  func dropAsked() { statement.dropAsked() }
  func next() throws(StoreError) -> Bool {
    if !isRunning, !hasAsked { count.add(isSingle: isSingle) }
    isRunning = try statement.next()
    return isRunning
  }
  func reset() {
    isRunning = false
    statement.reset()
  }
  var columnNames: [String] { statement.columnNames }
  func value(_ column: Int) throws(StoreError) -> AttributeValue? { try statement.value(column) }
  func isNull(_ column: Int) -> Bool { statement.isNull(column) }
  func word(_ column: Int, _ type: AttributeType) -> UInt64 { statement.word(column, type) }
  func withBytes(_ column: Int, _ type: AttributeType, _ body: (RawSpan) -> Void) {
    statement.withBytes(column, type, body)
  }
}

@Suite(.enabled(if: PostgresServer.isPresent, PostgresServer.absence))
struct `Groups of rows on a Postgres server` {
  private static let model = Result {
    try GraphModel(
      entities: [
        .make(
          "Tweet", [.make("text")],
          [
            .make("author", to: "User"), .make("tags", to: "Tag", many: true),
            .make("topics", to: "Topic", many: true, inverse: "tweets"),
          ]),
        .make("User", [.make("name")]),
        .make("Tag", identity: "name", [.make("name")]),
        // The links are in the table of this end.
        .make(
          "Topic", identity: "name", [.make("name")],
          [.make("tweets", to: "Tweet", many: true, inverse: "topics")]),
      ], dialect: .graft)
  }

  /// Returns the number of queries that an import makes.
  private func queries(
    _ json: String, _ address: String, _ options: ImportOptions = ImportOptions(), chunk: Int = .max
  ) throws -> Int {
    try count(json, address, options, chunk: chunk) { try $0.makeImporter($1, options: options) }
      .queries
  }

  /// Counts the queries of an import.
  private func count(
    _ json: String, _ address: String, _ options: ImportOptions, chunk: Int,
    by make: (GraphDatabase, [ImportRoot]) throws -> JSONImporter
  ) throws -> CountingConnection.Counter {
    let count = CountingConnection.Counter()
    let database = try GraphDatabase(model: Self.model.get()) { () throws(StoreError) in
      try CountingConnection(address, count)
    }
    count.reset()
    let importer = try make(database, [ImportRoot("Tweet")])
    var rest = Array(json.utf8)[...]
    while !rest.isEmpty {
      try importer.parse(Data(rest.prefix(chunk)))
      rest = rest.dropFirst(chunk)
    }
    _ = try importer.finish()
    return count
  }

  private static func tweets(_ numbers: some Sequence<Int>) -> String {
    "["
      + numbers.map {
        #"{"id":\#($0),"text":"t","author":{"id":\#($0 % 20),"name":"n"},"tags":[{"name":"a\#($0 % 7)"}],"topics":["b\#($0 % 5)"]}"#
      }.joined(separator: ",") + "]"
  }

  @Test func `an import asks as often for three hundred objects that are there as for three`()
    throws
  {
    let (few, many) = (Self.tweets(0..<3), Self.tweets(0..<300))
    let (first, second) = (try PostgresServer.emptySchema(), try PostgresServer.emptySchema())
    _ = try queries(few, first)
    _ = try queries(many, second)
    #expect(try queries(few, first) == queries(many, second))
    // Each save forgets what was read, and the rest of the chunk is read anew.
    let options = ImportOptions.with { $0.savePolicy.objects = 100 }
    let once = try queries(many, second)
    let thrice = try queries(many, second, options)
    #expect(once < thrice && thrice < 100)
  }

  @Test func `a document in one piece is looked up in several`() throws {
    let address = try PostgresServer.emptySchema()
    let json = Self.tweets(0..<8000)
    #expect(json.utf8.count > 2 << 18)
    _ = try queries(json, address)
    #expect(try queries(json, address, chunk: .max) < 100)
    let connection = try PostgresConnection(PostgresAddress(address))
    let row = try connection.execute(
      "SELECT count(*) FROM \"Tweet\" WHERE text = 't' AND author = id % 20"
    ).rows.first
    #expect(try row?.integer(0) == 8000)
  }

  @Test func `rows that a batch has had are asked for together once the next is written`() throws {
    let address = try PostgresServer.emptySchema()
    let options = ImportOptions.with { $0.savePolicy.objects = 500 }
    // The authors of a batch are not those of the next, and come again in the one after it.
    let tweets = (0..<3000).map { #"{"id":\#($0),"author":{"id":\#($0 % 900),"name":"n"}}"# }
    let count = try count(
      "[\(tweets.joined(separator: ","))]", address, options, chunk: 4096
    ) { try $0.makeSourceImporter($1, options: options) }
    #expect(count.singles == 0)
  }

  @Test func `a hook that changes an identity costs a query and changes nothing else`() throws {
    let address = try PostgresServer.emptySchema()
    _ = try queries(Self.tweets(0..<3), address)
    var options = ImportOptions()
    options.hooks["Tweet"] = ImportHooks(
      willImport: { candidate in
        if case .integer(100)?? = candidate.values["id"] { candidate.values["id"] = .integer(1) }
      })
    _ = try queries(#"[{"id":100,"text":"changed"},{"id":2}]"#, address, options)
    let connection = try PostgresConnection(PostgresAddress(address))
    let texts = try connection.execute("SELECT text FROM \"Tweet\" ORDER BY id").rows.map {
      try $0.text(0)
    }
    #expect(texts == ["t", "changed", "t"])
  }

  @Test(arguments: [1, 7, 40, 1000])
  func `rows are the same, wherever chunks and saves end`(chunk: Int) throws {
    let address = try PostgresServer.emptySchema()
    let options = ImportOptions.with { $0.savePolicy.objects = 9 }
    for round in 0..<2 {
      _ = try queries(Self.tweets(0..<40), address, options, chunk: chunk)
      let connection = try PostgresConnection(PostgresAddress(address))
      let row = try connection.execute(
        """
        SELECT (SELECT count(*) || ' ' || sum(author) FROM "Tweet") || ' ' || (SELECT count(*) FROM "User")
          || ' ' || (SELECT count(*) FROM "Tweet_tags")
        """
      ).rows.first
      #expect(try row?.text(0) == "40 380 20 40", "round \(round)")
    }
  }

  @Test func `a document that breaks off is an error of its own`() throws {
    let address = try PostgresServer.emptySchema()
    let error = #expect(throws: ImportError.self) { try queries(#"[{"id":1},{"id":]"#, address) }
    #expect(error?.kind == .invalidJSON)
  }
}

@Suite(.enabled(if: PostgresServer.isPresent, PostgresServer.absence))
struct `New rows on a Postgres server` {
  private let address: String
  private let database: GraphDatabase
  private let connection: PostgresConnection

  init() throws {
    address = try PostgresServer.emptySchema()
    let model = try GraphModel(
      entities: [
        .make(
          "Note", [.make("text"), .make("count", .integer32)],
          [.make("tags", to: "Tag", many: true)]),
        .make("Tag", identity: "name", [.make("name")]),
      ], dialect: .graft)
    database = try GraphDatabase(model: model, onPostgres: address)
    connection = try PostgresConnection(PostgresAddress(address))
  }

  private func load(_ numbers: Range<Int>, text: (Int) -> String) throws -> ImportReport {
    let importer = try database.makeImporter([ImportRoot("Note")])
    let notes = numbers.map {
      #"{"id":\#($0),"text":"\#(text($0))","count":\#($0),"tags":[{"name":"a\#($0 % 7)"}]}"#
    }
    try importer.parse(Data("[\(notes.joined(separator: ","))]".utf8))
    return try importer.finish()
  }

  private func sums() throws -> String? {
    try connection.execute(
      """
      SELECT (SELECT count(*) || ' ' || sum(id) || ' ' || sum(count) || ' ' || sum(length(text)) FROM "Note") || ' '
        || (SELECT count(*) FROM "Note_tags") || ' ' || (SELECT count(*) FROM "Tag")
      """
    ).rows.first?.text(0)
  }

  @Test func `are copied into their tables, more of them than are sent at once`() throws {
    let text = String(repeating: "x", count: 100)
    #expect(try load(0..<2000) { _ in text }.insertedCount == 2007)
    #expect(try sums() == "2000 1999000 1999000 200000 2000 7")
    #expect(try load(0..<2000) { _ in text }.unchangedCount == 2007)
    // New rows beside changed ones.
    #expect(try load(1900..<2100) { _ in text + "y" }.updatedCount == 100)
    #expect(try sums() == "2100 2203950 2203950 210200 2100 7")
  }

  @Test(arguments: [
    #"ALTER COLUMN "text" TYPE varchar(40)"#, #"ALTER COLUMN "count" TYPE bigint"#,
    #"ALTER COLUMN "count" TYPE numeric"#,
  ])
  func `are written where another program has given a column another type`(change: String) throws {
    try connection.executeAll(PostgresSQL(writtenByGraft: #"ALTER TABLE "Note" \#(change)"#))
    #expect(try load(0..<10) { "text \($0)" }.insertedCount == 17)
    #expect(try sums() == "10 45 45 60 10 7")
  }

  @Test func `are none where the server refuses one of them, and the next import goes on`() throws {
    try connection.executeAll(
      #"ALTER TABLE "Note" ADD CONSTRAINT short CHECK (length(text) < 100)"#)
    _ = try load(0..<3) { _ in "a" }
    let error = #expect(throws: ImportError.self) {
      try load(3..<3000) { $0 == 2000 ? String(repeating: "b", count: 100) : "text of note \($0)" }
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains(#"violates check constraint "short""#))
    #expect(try sums() == "3 3 3 3 3 3")
    #expect(try load(3..<5) { _ in "a" }.insertedCount == 4)
    #expect(try sums() == "5 10 10 5 5 5")
  }
}

@Suite struct `Statements for many rows of Postgres` {
  private let columns = [
    DatabaseSchema.Column(name: "id", type: .integer64), .init(name: "a\"b", type: .string),
  ]

  @Test func `take one array for each column`() {
    #expect(
      PostgresRows.sql(of: RowChange(.insert, "T", columns))
        == #"INSERT INTO "T" ("id", "a""b") SELECT c1, c2 FROM unnest($1::bigint[], $2::text[]) AS r(c1, c2)"#
    )
    #expect(
      PostgresRows.sql(of: RowChange(.insertMissing, "T", [columns[0]]))
        == #"INSERT INTO "T" ("id") SELECT c1 FROM unnest($1::bigint[]) AS r(c1) ON CONFLICT DO NOTHING"#
    )
    #expect(
      PostgresRows.sql(of: RowChange(.update, "T", [columns[1]], where: [columns[0]]))
        == #"UPDATE "T" AS t SET "a""b" = r.c1 FROM unnest($1::text[], $2::bigint[]) AS r(c1, c2) WHERE t."id" = r.c2"#
    )
    #expect(
      PostgresRows.sql(of: RowChange(.delete, "T", where: [columns[1]]))
        == #"DELETE FROM "T" AS t USING unnest($1::text[]) AS r(c1) WHERE t."a""b" = r.c1 COLLATE "C""#
    )
    #expect(
      PostgresRows.sql(
        of: RowLookup(
          table: "T", columns: columns, key: [columns[0]], filter: " AND x", order: "position"))
        == #"SELECT t."id", t."a""b", r.n FROM unnest($1::bigint[]) WITH ORDINALITY AS r(c1, n)"#
        + #" JOIN "T" AS t ON t."id" = r.c1 AND x ORDER BY r.n, t."position""#)
  }

  @Test func `copy rows that are surely new`() {
    #expect(
      PostgresRows.copy(of: RowChange(.insert, "T", columns))
        == #"COPY "T" ("id", "a""b") FROM STDIN (FORMAT binary)"#)
    var copy = PostgresCopy("", columnCount: 2)
    copy.append(0) { $0.append(Int64(7)) }
    copy.appendNull(1)
    let row: [UInt8] = [0, 2] + [0, 0, 0, 8] + [0, 0, 0, 0, 0, 0, 0, 7] + [255, 255, 255, 255]
    #expect(copy.bytes == row)
  }

  @Test func `are sent in an order that gives the same rows`() {
    let key = [columns[0]]
    let (insert, update) = (
      RowChange(.insert, "T", columns), RowChange(.update, "T", [columns[1]], where: key)
    )
    let delete = RowChange(.delete, "T", where: key)
    #expect(insert.commutes(with: update) && update.commutes(with: insert))
    #expect(insert.commutes(with: RowChange(.insertMissing, "T", columns)))
    #expect(!insert.commutes(with: delete) && !delete.commutes(with: update))
    #expect(delete.commutes(with: RowChange(.insert, "U", columns)))
  }
}
#endif
