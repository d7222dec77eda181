#if canImport(CPQ)
import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftDatabase
@testable import GraftPostgres
@testable import GraftTestSupport

/// Imports into a cluster of Citus whose machines fail and come.
@Suite(.waits, .enabled(if: PostgresServer.hasCitus, PostgresServer.citusAbsence))
struct `A cluster of Citus` {
  private let model: GraphModel
  private let document: TemporaryFile
  private let store: GraphStore

  init() throws {
    model = try GraphModel(
      entities: [
        .make(
          "Post", [.make("text")],
          [
            .make("author", to: "User", inverse: "posts"),
            RelationshipDescription(
              name: "tags", destination: "Tag", isToMany: true, isOrdered: true),
          ]),
        .make("User", [.make("name")], [.make("posts", to: "Post", many: true, inverse: "author")]),
        .make("Tag", identity: "text", [.make("text")]),
      ], dialect: .graft)
    let lines = (0..<600).map { number in
      #"{"id": \#(number % 500), "text": "p\#(number)", "author": {"id": \#(number % 37), "name": "u\#(number)"}, "#
        + #""tags": [{"text": "t\#(number % 7)"}, {"text": "t\#(number % 11)"}]}"#
    }
    let text = lines.joined(separator: "\n")
    document = try TemporaryFile(text, name: "posts.ndjson")
    store = GraphStore(model: model)
    try store.importJSON(
      entity: "Post", from: Data(text.utf8), options: .with { $0.parser.format = .ndjson })
  }

  private func open(_ server: PostgresServer) throws -> GraphDatabase {
    try GraphDatabase(model: model, onPostgres: server.emptySchema(), distributed: true)
  }

  private func load(
    _ database: GraphDatabase, resuming isResuming: Bool = false
  ) async throws -> ImportReport {
    try await database.importJSON(
      [ImportRoot("Post")], from: .url(document.url), options: .with { $0.chunkSize = 500 },
      saveEvery: 20, resuming: isResuming)
  }

  @Test(arguments: [0, 1, 2])
  func `loses nothing that was saved when a machine crashes, and the import is resumed`(
    node: Int
  ) async throws {
    let server = try PostgresServer(workers: 2)
    let database = try open(server)
    var random = SeededGenerator(seed: UInt64(node))
    for attempt in 0..<40 {
      let wait = Double.random(in: 0...0.1 * Double(attempt + 1), using: &random)
      let crash = Task.detached { [isLast = attempt > 30] in
        guard !isLast else { return }
        try await Task.sleep(for: .seconds(wait))
        try server.crash(node: node)
      }
      let report = try? await load(database, resuming: true)
      if report != nil { crash.cancel() }
      _ = await crash.result
      if report != nil { break }
    }
    // What a crash left prepared on a worker is committed within a second.
    let expected = try store.graph.content(depth: 2)
    for _ in 0..<50 where try await database.graph().content(depth: 2) != expected {
      try await Task.sleep(for: .milliseconds(100))
    }
    #expect(try await database.graph().content(depth: 2) == expected)
    let report = try await load(database, resuming: true)
    #expect("\(report.notices)".contains("was imported to its end before"))
  }

  @Test func `gets another machine between two imports, and keeps what it has`() async throws {
    let server = try PostgresServer(workers: 2, spares: 1, shards: 4)
    let database = try open(server)
    _ = try await load(database)
    try server.addWorker(3)
    try server.execute("SELECT rebalance_table_shards(shard_transfer_mode => 'block_writes')")
    let machines: PostgresSQL =
      "SELECT count(DISTINCT nodeport) FROM citus_shards WHERE citus_table_type = 'distributed'"
    #expect(try server.execute(machines).rows.first?.integer(0) == 3)
    let report = try await load(database)
    #expect(report.insertedCount == 0)
    #expect(try await database.graph().content(depth: 2) == store.graph.content(depth: 2))
  }

  @Test func `has four shards for each worker, also in a table that comes later`() async throws {
    let server = try PostgresServer(workers: 3, spares: 1, shards: nil)
    let address = try server.emptySchema()
    _ = try GraphDatabase(model: model, onPostgres: address, distributed: true)
    let count = try shardCounts(of: server).count
    #expect(try shardCounts(of: server) == Array(repeating: 12, count: count))
    try server.addWorker(4)
    let larger = try GraphModel(
      entities: model.entities + [.make("Place", [.make("name")])], dialect: .graft)
    _ = try GraphDatabase(model: larger, onPostgres: address)
    #expect(try shardCounts(of: server) == Array(repeating: 12, count: count + 1))
  }

  @Test func `has as many shards as the server's settings say, where they do`() throws {
    let server = try PostgresServer(workers: 2, shards: 5)
    _ = try open(server)
    #expect(try Set(shardCounts(of: server)) == [5])
  }

  /// The number of shards of each distributed table.
  private func shardCounts(of server: PostgresServer) throws -> [Int64?] {
    let counts: PostgresSQL =
      "SELECT shard_count::int8 FROM citus_tables WHERE citus_table_type = 'distributed'"
    return try server.execute(counts).rows.map { try $0.integer(0) }
  }

  @Test func `exports what one machine exports`() async throws {
    let databases = [
      try open(PostgresServer.cluster.get()),
      try GraphDatabase(model: model, onPostgres: PostgresServer.emptySchema()),
    ]
    var exports: [Data] = []
    for database in databases {
      _ = try await load(database)
      exports.append(try JSONExporter(model: model).data(.graph(database)))
    }
    #expect(exports[0] == exports[1])
  }
}
#endif
