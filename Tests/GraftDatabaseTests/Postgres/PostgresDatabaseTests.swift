#if canImport(CPQ)
import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftPostgres
@testable import GraftTestSupport

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

  @Test func `changes nothing again where dates have more than microseconds`() throws {
    let model = try GraphModel(
      entities: [
        .make("Moment", identity: "at", [.make("at", .date), .make("until", .date)])
      ], dialect: .graft)
    let database = try GraphDatabase(model: model, onPostgres: PostgresServer.emptySchema())
    let document = """
      [{"at": "2020-01-01T00:00:00.123456789Z", "until": "1969-12-31T23:59:59.999999999Z"},
       {"at": "2020-01-01T00:00:00.123456849Z"},
       {"at": "2020-01-01T00:00:00.123457849Z", "until": "9998-01-01T00:00:00.000000499Z"}]
      """
    var counts: [[Int]] = []
    for _ in 0..<2 {
      let importer = try database.makeImporter([ImportRoot("Moment")])
      try importer.parse(Data(document.utf8))
      let report = try importer.finish()
      counts.append([report.insertedCount, report.updatedCount])
    }
    #expect(counts == [[2, 0], [0, 0]])
  }

  @Test(arguments: 1...20) func `keeps a date as it is rounded before`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for scale in [1.0, 1e3, 1e6, 1e9, 1e11] {
      let date = Double.random(in: -scale...scale, using: &random)
      let rounded = EpochSeconds.roundedToMicroseconds(date)
      let kept = try Timestamp(Date(timeIntervalSinceReferenceDate: date)).date
      #expect(kept?.timeIntervalSinceReferenceDate == rounded)
      #expect(EpochSeconds.roundedToMicroseconds(rounded) == rounded)
    }
  }

  @Test func `says what is too long for an index`() throws {
    let model = try GraphModel(
      entities: [.make("Word", identity: "text", [.make("text")])], dialect: .graft)
    let database = try GraphDatabase(model: model, onPostgres: PostgresServer.emptySchema())
    var random = SeededGenerator(seed: 1)
    let text = String(
      (0..<9000).map { _ in "abcdefghijklmnop".randomElement(using: &random) ?? "a" })
    let importer = try database.makeImporter([ImportRoot("Word")])
    let error = #expect(throws: (any Error).self) {
      try importer.parse(Data("[{\"text\": \"\(text)\"}]".utf8))
      _ = try importer.finish()
    }
    #expect(
      error.map { "\($0)" }?.contains("shorten it, or let the attribute not be indexed") == true)
  }

  @Test func `has columns beside those of the server, and no index of JSON`() throws {
    var json = AttributeDescription.make("extra", .transformable)
    json.isIndexed = true
    let model = try GraphModel(
      entities: [
        .make(
          "Ctid", [.make("ctid"), .make("xmin", .integer64), json],
          [
            .make("others", to: "Ctid", many: true)
          ])
      ], dialect: .graft)
    let database = try GraphDatabase(model: model, onPostgres: PostgresServer.emptySchema())
    let importer = try database.makeImporter([ImportRoot("Ctid")])
    try importer.parse(
      Data(#"[{"id": 1, "ctid": "a", "xmin": 2, "extra": [1], "others": [{"id": 2}, 1]}]"#.utf8))
    _ = try importer.finish()
    let object = try #require(try database.objects("Ctid").first)
    #expect(object["ctid"] == .string("a") && object["xmin"] == .integer(2))
    #expect(object.objects("others").count == 2)
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
    // Links lead to rows, whatever program writes.
    let broken = #expect(throws: PostgresError.self) {
      try connection.execute("UPDATE \"Tweet\" SET author = 99")
    }
    #expect(broken?.sqlState == "23503")
  }

  @Test func `has its foreign keys once a first import has ended, each once`() throws {
    let address = try PostgresServer.emptySchema()
    let database = try database(address)
    let connection = try PostgresConnection(PostgresAddress(address))
    func keys() throws -> [String?] {
      try connection.execute(
        """
        SELECT conname::text FROM pg_constraint WHERE contype = 'f' AND convalidated
          AND connamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) ORDER BY 1
        """
      ).rows.map { try $0.text(0) }
    }
    #expect(try keys().isEmpty)
    for text in ["a", "b"] {
      try load(database, #"[{"id":1,"text":"\#(text)","author":2,"tags":["x"]}]"#)
      #expect(try keys() == ["Tweet_author_fkey", "Tweet_tags_tag_fkey", "Tweet_tags_tweet_fkey"])
    }
  }

  @Test func `lets links follow an identity that a write changes, though nothing was imported`()
    throws
  {
    let address = try PostgresServer.emptySchema()
    let database = try database(address)
    try database.write { graph in
      let ada = try graph.findOrInsert("User", identifiedBy: ["id": .integer(3)])
      try graph.findOrInsert("Tweet", identifiedBy: ["id": .integer(1)]).setObject(
        ada, of: "author")
    }
    try database.write { graph in
      try graph.findOrInsert("User", identifiedBy: ["id": .integer(3)]).setValue(
        .integer(4), of: "id")
    }
    let connection = try PostgresConnection(PostgresAddress(address))
    let row = try connection.execute("SELECT author FROM \"Tweet\"").rows.first
    #expect(try row?.integer(0) == 4)
  }

  @Test func `shortens names of more than 63 bytes, and numbers names that differ in case alone`()
    throws
  {
    let long = String(repeating: "é", count: 40)
    let names = ["Tweet", "tweet", "\(long)a", "\(long)b"]
    let address = try PostgresServer.emptySchema()
    let model = try GraphModel(
      entities: names.map {
        .make($0, [.make("text"), .make("Text"), .make("\(long)x"), .make("\(long)y")])
      },
      dialect: .graft)
    let database = try GraphDatabase(model: model, onPostgres: address)
    let (store, cut) = (GraphStore(model: model), String(repeating: "é", count: 27))
    for name in names {
      let json = #"[{"id":1,"text":"\#(name)","Text":"b","\#(long)x":"c","\#(long)y":"d"}]"#
      for importer in [
        try store.makeImporter([ImportRoot(name)]), try database.makeImporter([ImportRoot(name)]),
      ] {
        try importer.parse(Data(json.utf8))
        _ = try importer.finish()
      }
    }
    #expect(try database.graph().content == store.graph.content)
    let connection = try PostgresConnection(PostgresAddress(address))
    let columns = try connection.execute(
      """
      SELECT table_name || '.' || string_agg(column_name, ' ' ORDER BY ordinal_position)
        FROM information_schema.columns WHERE table_schema = current_schema() AND table_name NOT LIKE 'graft%'
        GROUP BY table_name ORDER BY table_name COLLATE "C"
      """)
    let expected = "id text_2 Text \(String(repeating: "é", count: 31)) \(cut)_2 _stub"
    #expect(
      try columns.rows.map { try $0.text(0) }
        == ["Tweet", "tweet_2", "\(cut)_2", String(repeating: "é", count: 31)].map {
          "\($0).\(expected)"
        })
  }

  @Test func `names the column of a string that Postgres does not hold, and keeps what was saved`()
    throws
  {
    let address = try PostgresServer.emptySchema()
    let database = try database(address)
    try load(database, #"[{"id":1,"text":"a"}]"#)
    let error = #expect(throws: (any Error).self) {
      try database.write { graph in
        for (id, text) in [(2, "b"), (3, "c\0d")] {
          _ = try graph.insert("Tweet", ["id": .integer(Int64(id)), "text": .string(text)])
        }
      }
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
    let first = try database(address)
    let second = try GraphDatabase(
      contentsOfPostgres: address, lockTimeout: .milliseconds(100))
    try first.write { graph in
      for (id, text) in [(1, "a"), (2, "b")] {
        try graph.findOrInsert("Tweet", identifiedBy: ["id": .integer(Int64(id))])["text"] =
          .string(text)
      }
      let waiting = #expect(throws: (any Error).self) { try load(second, #"[{"id":9}]"#) }
      #expect("\(waiting.map { "\($0)" } ?? "")".contains("graft of graft (process"))
    }
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
