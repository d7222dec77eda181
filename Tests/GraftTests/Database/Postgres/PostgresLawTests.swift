#if canImport(CPQ)
import Foundation
import Testing

@testable import Graft
@testable import GraftPostgres

/// What is read back from a server is the graph that the same import gives in memory.
@Suite(.enabled(if: PostgresServer.isPresent, PostgresServer.absence))
struct `Laws of importing into Postgres` {
  @Test(arguments: FixtureTrial.shapes + FixtureTrial.documents, [3])
  func `the graph is that of memory, however often it is saved`(
    folder: String, saveInterval: Int
  ) throws {
    let trial = try FixtureTrial(folder)
    let address = try PostgresServer.emptySchema()
    let database = try GraphDatabase(model: trial.model, onPostgres: address)
    let report = try trial.load(into: database, saveEvery: saveInterval)
    #expect(report.issueCount == 0)
    let expected = try trial.store().graph.content(depth: 2)
    #expect(try database.graph().content(depth: 2) == expected)
    #expect(
      try GraphDatabase(contentsOfPostgres: address).graph().content(depth: 2) == expected)
  }

  @Test(arguments: FixtureTrial.shapes, [5])
  func `importing twice gives the same graph as in memory`(folder: String, saveInterval: Int) throws
  {
    let trial = try FixtureTrial(folder)
    let database = try GraphDatabase(
      model: trial.model, onPostgres: try PostgresServer.emptySchema())
    try trial.load(into: database, saveEvery: saveInterval)
    try trial.load(into: database, saveEvery: saveInterval)
    let store = try trial.store()
    try trial.load(into: store, chunk: 1000)
    let expected = try store.graph.content(depth: 2)
    #expect(try database.graph().content(depth: 2) == expected)
  }
}

extension `Laws of importing into Postgres` {
  private typealias Law = `Laws of importing into a database`

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `links change as in memory, whatever their inverses, policies and modes`(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    let family = try RandomFamily(&random)
    let store = GraphStore(model: family.model)
    let database = try GraphDatabase(
      model: family.model, onPostgres: try PostgresServer.emptySchema())
    for round in 0..<4 {
      let text = family.document(&random)
      var options = ImportOptions()
      options.parser.format = .ndjson
      options.errorPolicy = [.fail, .skipObject].randomElement(using: &random) ?? .fail
      options.mode =
        [.upsert, .upsert, .insertOnly, .updateOnly].randomElement(using: &random) ?? .upsert
      options.relationships.reference = ReferencePolicy.allCases.randomElement(using: &random)
      options.deletesMissing = Int.random(in: 0..<4, using: &random) == 0
      let expected = Law.outcome({ try store.makeImporter([family.root], options: options) }, text)
      // An import that fails keeps what it has saved; so it saves nothing here.
      options.saveInterval = expected.contains("$") ? 1000 : Int.random(in: 1...3, using: &random)
      let found = Law.outcome({ try database.makeImporter([family.root], options: options) }, text)
      let place = "seed \(seed), round \(round), \(options.saveInterval ?? 0): \(text)"
      try #require(found == expected, "\(place)")
      try #require(
        try database.graph().content(depth: 2) == (try store.graph.content(depth: 2)), "\(place)")
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `values of every type come back, whatever the shape of the document`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let mapping = RandomMapping(&random)
    let model = try GraphModel(entities: mapping.entities, dialect: .graft)
    let store = GraphStore(model: model)
    let database = try GraphDatabase(model: model, onPostgres: try PostgresServer.emptySchema())
    for _ in 0..<2 {
      let expected = Law.outcome({ try store.makeImporter(mapping.roots) }, mapping.text)
      let found = Law.outcome({ try database.makeImporter(mapping.roots) }, mapping.text)
      try #require(found == expected, "seed \(seed): \(mapping.text)")
      try #require(
        try database.graph().content(depth: 2) == (try store.graph.content(depth: 2)),
        "seed \(seed): \(mapping.text)")
    }
  }
}

@Suite(.enabled(if: PostgresServer.isPresent, PostgresServer.absence))
struct `A graph on a Postgres server` {
  private static let model = Result {
    try GraphModel(
      entities: [
        .make(
          "Tweet",
          [
            .make("text"), .make("at", .date), .make("price", .decimal),
            .make("extra", .transformable),
          ],
          [
            .make("author", to: "User", inverse: "tweets"),
            .make("tags", to: "Tag", many: true),
          ]),
        .make(
          "User", [.make("name")], [.make("tweets", to: "Tweet", many: true, inverse: "author")]),
        .make("Tag", identity: "name", [.make("name")]),
      ], dialect: .graft)
  }

  private func database(_ address: String) throws -> GraphDatabase {
    try GraphDatabase(model: Self.model.get(), onPostgres: address)
  }

  private func load(_ database: GraphDatabase, _ json: String) throws {
    let importer = try database.makeImporter([ImportRoot("Tweet")])
    try importer.parse(Data(json.utf8))
    _ = try importer.finish()
  }

  @Test func `has tables of Postgres' own types, with keys and links`() throws {
    let address = try PostgresServer.emptySchema()
    let database = try database(address)
    try load(
      database,
      #"[{"id":7,"text":"é","at":"2012-09-24T03:35:21.123456Z","price":1.50,"extra":{"b":1,"a":[2]},"#
        + #""author":{"id":3,"name":"Ada"},"tags":[{"name":"x"},{"name":"y"}]}]"#)
    let connection = try PostgresConnection(PostgresAddress(address))
    try connection.execute("SET timezone TO 'UTC'")
    func rows(_ sql: PostgresSQL) throws -> [String?] {
      try connection.execute(sql).rows.map { try $0.text(0) }
    }
    #expect(
      try rows("SELECT t::text FROM (SELECT id, text, at, price, extra, author FROM \"Tweet\") t")
        == [
          #"(7,é,"2012-09-24 03:35:21.123456+00",1.5,"{""b"":1,""a"":[2]}",3)"#
        ])
    #expect(try rows("SELECT extra #>> '{a,0}' FROM \"Tweet\"") == ["2"])
    #expect(try rows("SELECT t::text FROM \"Tweet_tags\" t ORDER BY 1") == ["(7,x)", "(7,y)"])
    // Links lead to rows, whoever writes.
    let broken = #expect(throws: PostgresError.self) {
      try connection.execute("UPDATE \"Tweet\" SET author = 99")
    }
    #expect(broken?.sqlState == "23503")
  }

  @Test func `names the column of a string that Postgres does not hold, and keeps what was saved`()
    throws
  {
    let address = try PostgresServer.emptySchema()
    let database = try database(address)
    try load(database, #"[{"id":1,"text":"a"}]"#)
    let error = #expect(throws: ImportError.self) {
      try load(database, #"[{"id":2,"text":"b"},{"id":3,"text":"c\u0000d"}]"#)
    }
    #expect(
      "\(error.map { "\($0)" } ?? "")".contains(
        #"cannot write "Tweet"."text": the string "c\u0000d""#))
    #expect(try database.count(of: "Tweet") == 1)
  }

  @Test func `is refused where the schema is of something else`() throws {
    let address = try PostgresServer.emptySchema()
    let connection = try PostgresConnection(PostgresAddress(address))
    try connection.execute("CREATE TABLE other (id bigint)")
    let error = #expect(throws: StoreError.self) { try database(address) }
    #expect(error?.message.contains("has the table \"other\" and no \"graft_model\"") == true)
    #expect(throws: StoreError.self) { try GraphDatabase(contentsOfPostgres: "postgres://[") }
  }

  @Test func `has one writer, and sees what others have written`() throws {
    let address = try PostgresServer.emptySchema()
    let (first, second) = (try database(address), try database(address))
    let importer = try first.makeImporter(
      [ImportRoot("Tweet")], options: .with { $0.saveInterval = 1 })
    try importer.parse(Data(#"[{"id":1,"text":"a"},"#.utf8))
    let waiting = #expect(throws: (any Error).self) { try load(second, #"[{"id":9}]"#) }
    #expect("\(waiting.map { "\($0)" } ?? "")".contains("graft of graft (process"))
    try importer.parse(Data(#"{"id":2,"text":"b"}]"#.utf8))
    _ = try importer.finish()
    try load(second, #"[{"id":2,"text":"c"},{"id":3}]"#)
    try load(first, #"[{"id":3,"text":"d"}]"#)
    let texts = try first.graph().objects("Tweet").map { $0["text"] }
    #expect(texts == [.string("a"), .string("c"), .string("d")])
  }

  @Test func `has entities, attributes and relationships of any name`() throws {
    let names = [
      "select", "a\"b", "\"; DROP TABLE graft_model; --", "é漢🦆", "'", "$1", "Table", "table",
    ]
    for name in names {
      let model = try GraphModel(
        entities: [
          .make(
            name, [.make("x\(name)"), .make("y \(name)", .decimal)],
            [.make("z\(name)", to: name, many: true), .make("one\(name)", to: name)])
        ], dialect: .graft)
      let database = try GraphDatabase(model: model, onPostgres: try PostgresServer.emptySchema())
      func load(_ target: JSONImporter) throws {
        let json = try JSONSerialization.data(
          withJSONObject: [
            [
              "id": 1, "x\(name)": name, "y \(name)": 2, "z\(name)": [["id": 2], ["id": 1]],
              "one\(name)": 2,
            ]
          ])
        try target.parse(json)
        _ = try target.finish()
      }
      let store = GraphStore(model: model)
      let root = ImportRoot(name)
      try load(store.makeImporter([root]))
      try load(database.makeImporter([root]))
      #expect(try database.graph().content == store.graph.content)
    }
  }
}
#endif
