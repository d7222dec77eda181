#if canImport(CPQ)
import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftPostgres
@testable import GraftTestSupport

/// Counts statements that return rows, because each one is a round trip.
private final class CountingConnection: DatabaseConnection {
  private let connection: PostgresDatabase
  let count: Counter

  final class Counter {
    var queries = 0
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
    CountingStatement(try connection.prepare(sql), count)
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
  func beginSnapshot() throws(StoreError) { try connection.beginSnapshot() }
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
  private var isRunning = false
  /// Whether its queries are counted when they are sent.
  private var hasAsked = false

  init(_ statement: any DatabaseStatement, _ count: CountingConnection.Counter) {
    self.statement = statement
    self.count = count
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
    count.queries += 1
    hasAsked = true
    try statement.ask()
  }
  func dropAsked() { statement.dropAsked() }
  func next() throws(StoreError) -> Bool {
    if !isRunning, !hasAsked { count.queries += 1 }
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
    let count = CountingConnection.Counter()
    let model = try Self.model.get()
    // Used by one thread at a time.
    nonisolated(unsafe) let shared = count
    let database = try GraphDatabase(model: model) { () throws(StoreError) in
      try CountingConnection(address, shared)
    }
    count.queries = 0
    let importer = try database.makeImporter([ImportRoot("Tweet")], options: options)
    var rest = Array(json.utf8)[...]
    while !rest.isEmpty {
      try importer.parse(Data(rest.prefix(chunk)))
      rest = rest.dropFirst(chunk)
    }
    _ = try importer.finish()
    return count.queries
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
