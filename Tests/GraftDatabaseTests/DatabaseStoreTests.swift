import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// A store in memory whose commits are written through to a database.
@Suite struct `A store in a database` {
  private let file = TemporaryDatabase()

  /// Returns the content of the file.
  private func stored(_ model: GraphModel) throws -> [String: Int] {
    #expect(try file.integrityFaults() == [])
    return try GraphStore(model: model, at: file.url, configuration: .quick).graph.content(depth: 2)
  }

  @Test(arguments: Seeds.some(12, of: 30))
  func `has after each import what it has in memory`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let family = try RandomFamily(&random)
    let store = try GraphStore(model: family.model, at: file.url, configuration: .quick)
    for _ in 0..<4 {
      var options = ImportOptions()
      options.parser.format = .ndjson
      options.deletesMissing = Bool.random(using: &random)
      options.errorPolicy = .skipObject
      let text = family.document(&random)
      _ = try? store.importJSON([family.root], from: Data(text.utf8), options: options)
      try #require(
        try stored(family.model) == store.graph.content(depth: 2), "seed \(seed): \(text)")
    }
  }

  @Test(arguments: [AttributeType.integer64, .string])
  func `takes no object without the identity that is the key of its table`(
    type: AttributeType
  ) throws {
    let model = try GraphModel(
      entities: [.make("A", [.make("id", type), .make("n")])], dialect: .graft)
    let store = try GraphStore(model: model, at: file.url, configuration: .quick)
    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.insert("A", ["n": .string("x")]) }
    }
    #expect(error?.kind == .missingKey, "\(String(describing: error))")
    #expect(try store.graph.count(of: "A") == 0)
    #expect(try stored(model) == [:])
  }

  @Test(arguments: FixtureTrial.shapes + FixtureTrial.documents)
  func `comes back as it was`(folder: String) throws {
    let trial = try FixtureTrial.of(folder)
    let store = try GraphStore(model: trial.model, at: file.url, configuration: .quick)
    try trial.load(into: store, chunk: 1000)
    #expect(try stored(trial.model) == FixtureTrial.content(of: folder))
  }

  @Test func `keeps what is written, changed and deleted, identities included`() throws {
    let model = try GraphModel(
      entities: [
        .make("User", [.make("name")], [.make("posts", to: "Post", many: true, inverse: "author")]),
        .make(
          "Post", identity: "", [.make("text")],
          [.make("author", to: "User", inverse: "posts"), .make("about", to: "User", many: true)]),
      ], dialect: .graft)
    let store = try GraphStore(model: model, at: file.url, configuration: .quick)
    try store.write { graph in
      let ada = try graph.findOrInsert("User", identifiedBy: ["id": .integer(1)])
      ada["name"] = .string("Ada")
      for number in 0..<3 {
        let post = try graph.insert("Post")
        post["text"] = .string("\(number)")
        try post.setObject(ada, of: "author")
        try post.setObjects([ada], of: "about")
      }
    }
    #expect(try stored(model) == store.graph.content(depth: 2))
    try store.write { graph in
      let ada = try graph.findOrInsert("User", identifiedBy: ["id": .integer(1)])
      ada["id"] = .integer(7)
      try graph.delete(graph.objects("Post").filter { $0["text"] == .string("1") })
    }
    #expect(try stored(model) == store.graph.content(depth: 2))
    #expect(try file.rows("SELECT DISTINCT author FROM Post") == ["7"])
  }

  @Test func `gives former identities to other objects in one commit`() throws {
    let model = try GraphModel(
      entities: [.make("User", [.make("name")], [.make("boss", to: "User")])], dialect: .graft)
    let store = try GraphStore(model: model, at: file.url, configuration: .quick)
    func user(_ id: Int64, _ graph: MutableGraph) throws -> MutableGraphObject {
      try graph.findOrInsert("User", identifiedBy: ["id": .integer(id)])
    }
    try store.write { graph in
      for id in 1...3 as ClosedRange<Int64> {
        try user(id, graph)["name"] = .string("\(id)")
        try user(id, graph).setObject(user(max(id - 1, 1), graph), of: "boss")
      }
    }
    try store.write { graph in
      // 3 becomes 4, 2 becomes 3, 1 becomes 2, and a new user is 1.
      for id in (1...3 as ClosedRange<Int64>).reversed() {
        try user(id, graph)["id"] = .integer(id + 1)
      }
      try user(1, graph)["name"] = .string("new")
    }
    #expect(try stored(model) == store.graph.content(depth: 2))
    #expect(
      try file.rows("SELECT id, name, boss FROM User ORDER BY id")
        == ["1|new|", "2|1|2", "3|2|2", "4|3|3"])
    let error = #expect(throws: StoreError.self) {
      try store.write { graph in
        let (first, second) = (try user(1, graph), try user(2, graph))
        first["id"] = .integer(9)
        second["id"] = .integer(1)
        first["id"] = .integer(2)
      }
    }
    #expect(error?.message.contains("exchange their identities") == true)
    #expect(try stored(model) == store.graph.content(depth: 2))
  }

  @Test(.timeLimit(.minutes(1))) func `gives every object the identity of the next`() throws {
    let model = try GraphModel(entities: [.make("User", [.make("name")])], dialect: .graft)
    let store = try GraphStore(model: model, at: file.url, configuration: .quick)
    let numbers = 1...5_000 as ClosedRange<Int64>
    try store.write { graph in
      for id in numbers { try graph.findOrInsert("User", identifiedBy: ["id": .integer(id)]) }
    }
    try store.write { graph in
      for id in numbers.reversed() {
        try graph.object("User", identifiedBy: ["id": .integer(id)])?["id"] = .integer(id + 1)
      }
    }
    #expect(try stored(model) == store.graph.content(depth: 2))
    #expect(try file.rows("SELECT min(id), max(id), count(*) FROM User") == ["2|5001|5000"])
  }

  @Test func `refuses to write over what another connection has written`() throws {
    let model = try GraphModel(entities: [.make("User", [.make("name")])], dialect: .graft)
    let first = try GraphStore(model: model, at: file.url, configuration: .quick)
    let second = try GraphStore(model: model, at: file.url, configuration: .quick)
    try first.importJSON(entity: "User", from: Data(#"{"id": 1, "name": "a"}"#.utf8))
    let error = #expect(throws: ImportError.self) {
      try second.importJSON(entity: "User", from: Data(#"{"id": 1, "name": "b"}"#.utf8))
    }
    #expect(error?.message.contains("open it again") == true)
    #expect(try second.graph.count(of: "User") == 0)
    #expect(try stored(model) == first.graph.content(depth: 2))
  }
}
