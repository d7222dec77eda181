import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftExport
@testable import GraftTestSupport

/// The order in which a model declares entities, properties and identities, and in which an import
/// names its roots, does not matter.
@Suite struct `Any two spellings of one model are the same database` {
  private static let forge = [
    EntityDescription.make(
      "User", [.make("name"), .make("Name")],
      [
        .make("watching", to: "Repo", many: true, inverse: "watchers"),
        .make("follows", to: "User", many: true, inverse: "followers"),
        .make("followers", to: "User", many: true),
      ]),
    .make(
      "Repo", identity: "name, forge", [.make("name"), .make("forge")],
      [.make("watchers", to: "User", many: true), .make("owner", to: "Owner")]),
    .make(
      "Owner", [.make("kind"), .make("age", .integer64)],
      [.make("friend", to: "User"), .make("users", to: "User", many: true)],
      ["JSONDiscriminator": "kind"]),
    .make(
      "Bot", identity: "", parent: "Owner", [.make("version")],
      [.make("likes", to: "Repo", many: true)]),
  ]

  private static let documents = [
    #"""
    [{"name": "graft", "forge": "hub", "watchers": [{"id": 1, "name": "a", "Name": "A"}, 2],
      "owner": {"id": 7, "kind": "Bot", "version": "1", "age": 3, "friend": 1, "users": [1, 2]}},
     {"name": "yajl", "forge": "lab", "watchers": [2], "owner": {"id": 8, "kind": "Owner", "friend": 2}}]
    """#,
    #"""
    [{"name": "yajl", "forge": "lab", "watchers": [{"id": 1, "Name": "B", "follows": [2, 3]}]},
     {"name": "hub", "forge": "graft", "owner": {"id": 8, "friend": {"id": 2, "watching": [
       {"name": "hub", "forge": "graft"}, {"name": "graft", "forge": "hub"}]}}}]
    """#,
    #"""
    [{"name": "graft", "forge": "hub", "watchers": [{"id": 3, "name": "c", "followers": [1]}],
      "owner": {"id": 7, "kind": "Bot", "likes": [{"name": "yajl", "forge": "lab"}], "users": []}}]
    """#,
  ]

  /// Every order of the entities, each with its properties in one of two orders.
  private static var permutations: [[EntityDescription]] {
    func orders(_ rest: [EntityDescription]) -> [[EntityDescription]] {
      guard !rest.isEmpty else { return [[]] }
      return rest.indices.flatMap { index in
        var others = rest
        let first = others.remove(at: index)
        return orders(others).map { [first] + $0 }
      }
    }
    return orders(forge).enumerated().map { $0.isMultiple(of: 2) ? $1 : $1.map(\.reversed) }
  }

  private func load(_ text: String, _ database: GraphDatabase) throws {
    let importer = try database.makeImporter([ImportRoot("Repo")])
    try importer.parse(Data(text.utf8))
    _ = try importer.finish()
  }

  @Test(arguments: DatabaseKind.present)
  func `each order of a small model reads and extends what the others have written`(
    kind: DatabaseKind
  ) throws {
    let orders = Self.permutations
    let place = try TrialDatabase(kind)
    let first = try GraphModel(entities: Self.forge, dialect: .graft)
    var tables: [String]?
    for number in orders.indices {
      // Each next to one that differs much, so that few steps meet many pairs.
      let entities = orders[number * 7 % orders.count]
      let names = entities.map(\.name)
      let model = try GraphModel(entities: entities, dialect: .graft)
      #expect(model == first)
      let database = try place.open(model)
      try load(Self.documents[number % Self.documents.count], database)
      let store = GraphStore(model: model)
      // What was written two rounds before is overwritten.
      for earlier in max(0, number - 2 * Self.documents.count)...number {
        let text = Self.documents[earlier % Self.documents.count]
        try store.importJSON([ImportRoot("Repo")], from: Data(text.utf8))
      }
      let expected = try store.graph.content(depth: 2)
      try #require(try database.graph().content(depth: 2) == expected, "\(names)")
      try #require(
        try database.graph().canonicalJSON() == place.openAgain().graph().canonicalJSON(),
        "\(names)")
      try #require(try place.faults() == [], "\(names)")
      let connection = try database.connect()
      let present = try connection.tableNames().flatMap { table in
        try connection.columnNames(of: table).map { "\(table).\($0)" }
      }.sorted()
      try #require(tables == nil || tables == present, "\(names)")
      tables = present
    }
    #expect(tables?.contains("Repo_watchers.user") == true)
  }

  @Test func `a typed model finds what the same model of a file has written, and the reverse`()
    async throws
  {
    let file = TemporaryDatabase()
    let typed = try GraphDatabase(for: Issue.self, at: file.url, configuration: .quick)
    try load(
      #"[{"id": 1, "name": "graft", "watchers": [{"id": 2}, {"id": 3, "watching": [1, 4]}]}]"#,
      typed)
    // Its users come before its repositories.
    let other = try GraphDatabase(for: User.self, Issue.self, at: file.url, configuration: .quick)
    let text = SchemaFileWriter.text(
      of: other.model.entities.reversed().map(\.reversed), dialect: .graft)
    let read = try GraphModel(
      SchemaFileReader.read(Data(text.utf8), file: "model.json"), dialect: nil,
      extensions: ModelExtensions())
    for model in [typed.model, other.model, read, try GraphDatabase(contentsOf: file.url).model] {
      let graph = try await GraphDatabase(model: model, at: file.url, configuration: .quick).graph()
      let watchers = try graph.objects("Repo").map { repo in
        repo.objects("watchers").map { $0["id"]?.text ?? "" }.sorted()
      }
      #expect(watchers == [["2", "3"], ["3"]])
    }
    #expect(
      try file.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%watch%'")
        == ["Repo_watchers"])
  }

  @Test func `another order is opened while another process writes, since it changes nothing`()
    throws
  {
    let file = TemporaryDatabase()
    let database = try GraphDatabase(for: Issue.self, at: file.url, configuration: .quick)
    let writer = try database.connect()
    _ = try writer.begin()
    defer { writer.rollback() }
    var configuration = SQLiteConfiguration.quick
    configuration.lockTimeout = .zero
    _ = try GraphDatabase(for: Issue.self, at: file.url, configuration: configuration)
    _ = try GraphDatabase(for: User.self, Issue.self, at: file.url, configuration: configuration)
    let reversed = try GraphModel(
      entities: database.model.entities.reversed().map(\.reversed), dialect: .graft)
    _ = try GraphDatabase(model: reversed, at: file.url, configuration: configuration)
  }

  private struct Issue: Entity {
    let id = Attribute<Int>()
    let repo = ToOne<Repo>()
    static let identity = [\Self.id]
  }

  private struct Repo: Entity {
    let id = Attribute<Int>()
    let name = Attribute<String?>()
    let watchers = ToMany<User>(inverse: \.watching)
    static let identity = [\Self.id]
  }

  private struct User: Entity {
    let id = Attribute<Int>()
    let watching = ToMany<Repo>()
    static let identity = [\Self.id]
  }

  @Test(arguments: FixtureTrial.shapes + FixtureTrial.documents)
  func `a random order of a model reads and extends what the model of a fixture has written`(
    folder: String
  ) throws {
    var random = SeededGenerator(
      seed: UInt64(folder.utf8.reduce(7) { ($0 &* 31 &+ UInt($1)) % 4093 }))
    let fixture = try FixtureTrial.of(folder)
    let place = try TrialDatabase(.sqlite)
    try fixture.load(into: place.open(fixture.model), saveEvery: 3)
    let tables = try place.open(fixture.model).connect().tableNames().sorted()
    for _ in 0..<(Seeds.areAllTried ? 20 : 3) {
      let entities = fixture.model.entities.shuffled(using: &random).map { entity in
        var entity = entity
        entity.attributes.shuffle(using: &random)
        entity.relationships.shuffle(using: &random)
        return entity
      }
      let model = try GraphModel(
        entities: entities, dialect: fixture.model.dialect,
        extensions: ModelExtensions(toleratesMissing: true))
      // The first annotated attribute may count; another order is then another model, and is warned
      // of.
      guard model == fixture.model else { continue }
      let store = GraphStore(model: model)
      let database = try place.open(model)
      for text in [fixture.document, fixture.document] {
        let importer = try store.makeImporter(
          fixture.roots.shuffled(using: &random), options: fixture.options)
        try importer.parse(text)
        _ = try importer.finish()
      }
      var options = fixture.options
      options.savePolicy.objects = 3
      let importer = try database.makeImporter(
        fixture.roots.shuffled(using: &random), options: options)
      try importer.parse(fixture.document)
      _ = try importer.finish()
      let names = entities.map(\.name)
      try #require(
        try database.connect().tableNames().sorted() == tables, "\(folder), \(names)")
      // Objects without identity are there once more each time.
      if model.schema.entities.allSatisfy({ !$0.identity.isEmpty || $0.isAbstract }) {
        try #require(
          try database.graph().content(depth: 2) == store.graph.content(depth: 2),
          "\(folder), \(names)")
      }
      try #require(try place.faults() == [], "\(folder), \(names)")
    }
  }
}

extension EntityDescription {
  /// The entity with its properties in the reverse order.
  fileprivate var reversed: EntityDescription {
    var entity = self
    entity.attributes.reverse()
    entity.relationships.reverse()
    return entity
  }
}
