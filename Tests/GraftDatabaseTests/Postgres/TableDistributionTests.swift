import Foundation
import GraftPostgres
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// Tables that are spread over the machines of a Citus cluster.
@Suite struct `Distributed tables` {
  private static let entities: [EntityDescription] = [
    .make(
      "Tweet", [.make("text")],
      [
        .make("author", to: "User"), .make("language", to: "Language"),
        .make("tags", to: "Tag", many: true), .make("replies", to: "Tweet", many: true),
      ]),
    .make("User", [.make("name")], [.make("speaks", to: "Language", many: true)]),
    .make("Tag", identity: "name", [.make("name")]),
    .make(
      "Language", identity: "code", [.make("code")], [.make("family", to: "Family", many: true)]),
    .make("Family", identity: "isOld", [.make("isOld", .boolean)]),
    .make("Note", identity: "", [.make("text")]),
    .make("It's", identity: "a'b", [.make("a'b")]),
  ]

  private func schema(_ distribution: TableDistribution?) throws -> (DatabaseSchema, SQLDialect) {
    let model = try GraphModel(entities: Self.entities, dialect: .graft)
    var dialect = SQLDialect(
      typeNames: [:], keyedTableSuffix: "", nameLimit: 63, checksLinks: true)
    dialect.distribution = distribution
    return (DatabaseSchema(model.schema, dialect), dialect)
  }

  @Test func `are spread by their keys, and lists beside their owners`() throws {
    let (schema, dialect) = try schema(TableDistribution(small: ["Language"]))
    let statements = schema.creationStatements(dialect).filter { $0.hasPrefix("SELECT") }
    #expect(
      statements == [
        #"SELECT create_distributed_table('"Tweet"', 'id')"#,
        #"SELECT create_distributed_table('"User"', 'id')"#,
        #"SELECT create_distributed_table('"Tag"', 'name')"#,
        #"SELECT create_reference_table('"Language"')"#,
        #"SELECT create_reference_table('"Family"')"#,
        #"SELECT create_distributed_table('"Note"', '_id')"#,
        #"SELECT create_distributed_table('"It''s"', 'a''b')"#,
        #"SELECT create_distributed_table('"Tweet_tags"', 'tweet', colocate_with => '"Tweet"')"#,
        #"SELECT create_distributed_table('"Tweet_replies"', 'tweet', colocate_with => '"Tweet"')"#,
        #"SELECT create_distributed_table('"User_speaks"', 'user', colocate_with => '"User"')"#,
        #"SELECT create_reference_table('"Language_family"')"#,
      ])
  }

  @Test func `of a changed model follow the existing ones`() throws {
    let (schema, dialect) = try schema(TableDistribution(small: ["Language"]))
    let present = Set(schema.tables.map(\.name)).union(["Tweet_tags"]).subtracting(["Tag"])
    let statements = schema.creationStatements(dialect, except: present)
    #expect(
      statements.filter { $0.hasPrefix("SELECT") }.prefix(2) == [
        #"SELECT create_distributed_table('"Tag"', 'name')"#,
        #"SELECT create_distributed_table('"Tweet_replies"', 'tweet', colocate_with => '"Tweet"')"#,
      ])
  }

  @Test func `have the foreign keys that a cluster checks`() throws {
    let (schema, dialect) = try schema(TableDistribution(small: ["Language"]))
    let keys = schema.foreignKeyStatements(dialect, except: [:])
    #expect(
      keys.map { String($0.prefix { $0 != "(" }) } == [
        #"ALTER TABLE "Tweet" ADD CONSTRAINT "Tweet_language_fkey" FOREIGN KEY "#,
        #"ALTER TABLE "Tweet_tags" ADD CONSTRAINT "Tweet_tags_tweet_fkey" FOREIGN KEY "#,
        #"ALTER TABLE "Tweet_replies" ADD CONSTRAINT "Tweet_replies_tweet_fkey" FOREIGN KEY "#,
        #"ALTER TABLE "User_speaks" ADD CONSTRAINT "User_speaks_user_fkey" FOREIGN KEY "#,
        #"ALTER TABLE "User_speaks" ADD CONSTRAINT "User_speaks_language_fkey" FOREIGN KEY "#,
        #"ALTER TABLE "Language_family" ADD CONSTRAINT "Language_family_language_fkey" FOREIGN KEY "#,
        #"ALTER TABLE "Language_family" ADD CONSTRAINT "Language_family_family_fkey" FOREIGN KEY "#,
      ])
    #expect(!keys.joined().contains("ON UPDATE"))
    let (_, single) = try self.schema(nil)
    let all = schema.foreignKeyStatements(single, except: ["Tweet": ["Tweet_author_fkey"]])
    #expect(all.count == schema.foreignKeys().count - 1)
    #expect(all.allSatisfy { $0.contains("ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED") })
  }
}

#if canImport(CPQ)
@testable import GraftPostgres

extension `Distributed tables` {
  private func open(_ address: String) throws -> GraphDatabase {
    try GraphDatabase(
      model: GraphModel(entities: Self.entities, dialect: .graft), onPostgres: address,
      distributed: true, smallEntities: ["Language"])
  }

  @Test(.enabled(if: PostgresServer.isPresent, PostgresServer.absence))
  func `need the extension, and the error says where to get it`() throws {
    let address = try PostgresServer.emptySchema()
    let error = #expect(throws: StoreError.self) { try open(address) }
    #expect(error?.kind == .database)
    let fault =
      PostgresServer.hasCitus
      ? "the extension Citus and has not loaded it; add citus to shared_preload_libraries"
      : "the extension Citus, and it has not; install it"
    #expect(error?.message.contains(fault) == true)
    #expect(
      try PostgresConnection(PostgresAddress(address)).execute(
        "SELECT to_regclass('graft_model') IS NULL"
      )
      .rows.first?.boolean(0) == true)
  }

  @Test(.enabled(if: PostgresServer.hasCitus, PostgresServer.citusAbsence))
  func `are made by the coordinator only`() throws {
    let error = #expect(throws: StoreError.self) {
      try open(PostgresServer.cluster.get().address(node: 1))
    }
    #expect(error?.message.contains("is a worker of a cluster of Citus") == true)
  }

  @Test(.enabled(if: PostgresServer.hasCitus, PostgresServer.citusAbsence))
  func `keep what memory has, small ones included`() throws {
    let address = try PostgresServer.cluster.get().emptySchema()
    let database = try open(address)
    let store = GraphStore(model: database.model)
    let root = ImportRoot("Tweet")
    for text in ["a", "b"] {
      let json =
        #"[{"id":1,"text":"\#(text)","author":{"id":3,"speaks":["de"]},"language":"en","tags":["x","y"]},"#
        + #"{"id":2,"author":4,"replies":[1]}]"#
      for importer in [try store.makeImporter([root]), try database.makeImporter([root])] {
        try importer.parse(Data(json.utf8))
        _ = try importer.finish()
      }
      #expect(try database.graph().content == store.graph.content)
    }
  }

  @Test(.enabled(if: PostgresServer.isPresent, PostgresServer.absence))
  func `are refused where a small entity is not in the model`() throws {
    let address = try PostgresServer.emptySchema()
    let error = #expect(throws: StoreError.self) {
      try GraphDatabase(
        model: GraphModel(entities: Self.entities, dialect: .graft), onPostgres: address,
        distributed: true, smallEntities: ["Langauge"])
    }
    #expect(error?.message.contains("no entity Langauge in the model") == true)
  }
}
#endif
