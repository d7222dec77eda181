import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

private struct Repository: Entity {
  let id = Attribute<Int>()
  let name = Attribute<String>()
  let issues = ToMany<Issue>(.nowhere)
  static let identity = [\Self.id]
}

private struct Person: Entity {
  let login = Attribute<String>()
  let company = Attribute<String?>()
  static let identity = [\Self.login]
}

private struct Label: Entity {
  let name = Attribute<String>()
  let weight = Attribute<Int?>()
  static let identity = [\Self.name]
}

private struct Issue: Entity {
  let id = Attribute<Int>()
  let title = Attribute<String>()
  let closedAt = Attribute<Date?>()
  let author = ToOne<Person>()
  let repository = ToOne<Repository>(inverse: \.issues)
  let labels = ToMany<Label>()
  static let identity = [\Self.id]
  static let options = EntityOptions<Self>(subentities: [Pull.self])
}

private struct Pull: Entity {
  typealias Superentity = Issue
  let isMerged = Attribute<Bool>(default: false)
}

@Suite struct `A condition of a typed entity` {
  private static let document = """
    [{"id": 1, "title": "a", "closedAt": null, "author": {"login": "ada", "company": "X"},
        "repository": {"id": 1, "name": "r"}, "labels": [{"name": "bug", "weight": 3}, {"name": "ui"}]},
      {"id": 2, "title": "b", "closedAt": "2020-01-01T00:00:00Z", "author": {"login": "ben"},
        "repository": {"id": 1, "name": "r"}, "labels": [{"name": "ui"}]},
      {"id": 3, "title": "c", "repository": {"id": 2, "name": "s"}}]
    """

  private func database(_ kind: DatabaseKind) throws -> GraphDatabase {
    let database = try TrialDatabase.opened(kind, GraphModel(for: Issue.self))
    let importer = try database.makeImporter([ImportRoot(Issue.self)])
    try importer.parse(Data(Self.document.utf8))
    _ = try importer.finish()
    try database.write { graph in
      let pull = try graph.insert("Pull")
      pull["id"] = .integer(4)
      pull["title"] = .string("p")
    }
    return database
  }

  @Test(arguments: DatabaseKind.present)
  func `takes key paths without their entity's name`(kind: DatabaseKind) throws {
    let database = try database(kind)
    func ids(_ condition: DatabaseCondition<Issue>) throws -> [Int] {
      try database.objects(Issue.self, where: condition).map(\.id)
    }
    #expect(try ids(.attribute(\.closedAt, equals: nil)) == [1, 3, 4])
    #expect(try ids(.attribute(\.title, in: "b"...)) == [2, 3, 4])
    #expect(try ids("\(\.title) = \("a") OR id = \(3)") == [1, 3])
    #expect(try ids(.attribute(\.id, in: 2...) && !"title = 'c'") == [2, 4])
    let pulls = try database.objects(
      Pull.self, where: .attribute(\.isMerged, equals: false) && .attribute(\.title, equals: "p"))
    #expect(pulls.map(\.id) == [4])
  }

  @Test(arguments: DatabaseKind.present)
  func `follows relationships`(kind: DatabaseKind) throws {
    let database = try database(kind)
    func ids(_ condition: DatabaseCondition<Issue>) throws -> [Int] {
      try database.objects(Issue.self, where: condition).map(\.id)
    }
    #expect(try ids(.relationship(\.author, where: .attribute(\.login, equals: "ada"))) == [1])
    #expect(try ids(.relationship(\.author)) == [1, 2])
    #expect(try ids(!.relationship(\.author)) == [3, 4])
    #expect(try ids(.relationship(\.labels, where: .attribute(\.name, equals: "ui"))) == [1, 2])
    #expect(try ids(.relationship(\.labels, where: "weight > \(2)")) == [1])
    // One label must meet both conditions; two labels that meet one each do not count.
    let both = DatabaseCondition.attribute(\Label.name, equals: "ui")
    #expect(try ids(.relationship(\.labels, where: both && .attribute(\.weight, in: 1...))) == [])
    #expect(try ids(.relationship(\.repository, where: .attribute(\.name, in: ..."r"))) == [1, 2])
    let repositories = try database.objects(
      Repository.self,
      where: .relationship(
        \.issues, where: .relationship(\.labels, where: .attribute(\.name, equals: "bug"))))
    #expect(repositories.map(\.name) == ["r"])
    let named = try database.objects(
      "Repository", where: .relationship("issues", where: .attribute("title", equals: .string("c")))
    )
    #expect(named.map { $0["name"] } == [.string("s")])
  }

  @Test(arguments: DatabaseKind.present, [3, 1_000])
  func `may be a long chain`(kind: DatabaseKind, count: Int) throws {
    let database = try database(kind)
    let any = (2...count).reduce(DatabaseCondition.attribute(\Issue.id, equals: 1)) {
      $0 || .attribute(\.id, equals: $1)
    }
    let all = (4...count + 4).reduce(any) { $0 && !.attribute(\.id, equals: $1) }
    #expect(try database.objects(Issue.self, where: all).map(\.id) == [1, 2, 3])
  }

  @Test(arguments: DatabaseKind.present)
  func `counts objects`(kind: DatabaseKind) throws {
    let database = try database(kind)
    #expect(try database.count(of: Issue.self) == 4)
    #expect(try database.count(of: Issue.self, includesSubentities: false) == 3)
    #expect(try database.count(of: "Issue") == 4)
    #expect(try database.count(of: "Issue", includesSubentities: false) == 3)
    #expect(try database.count(of: Issue.self, where: .attribute(\.closedAt, equals: nil)) == 3)
    #expect(try database.count(of: "Issue", where: "id > \(2)", includesSubentities: false) == 1)
    #expect(throws: StoreError.self) { try database.count(of: "Issue", where: "nothing = 1") }
    #expect(throws: StoreError.self) { try database.count(of: "Isue") }
  }

  @Test(arguments: DatabaseKind.present)
  func `is refused where it makes no sense`(kind: DatabaseKind) throws {
    let database = try database(kind)
    func refusal(_ condition: DatabaseCondition<GraphObject>) throws -> StoreError.Kind? {
      #expect(throws: StoreError.self) { try database.objects("Issue", where: condition) }?.kind
    }
    #expect(try refusal(.attribute("titel", equals: .string("a"))) == .unknownProperty)
    #expect(try refusal(.attribute("labels", equals: .string("a"))) == .unknownProperty)
    #expect(try refusal(.attribute("id", equals: .string("a"))) == .wrongType)
    #expect(try refusal(.relationship("title")) == .unknownProperty)
    #expect(
      try refusal(.relationship("author", where: .attribute("title", equals: nil)))
        == .unknownProperty)
    #expect(try refusal("labels = 'bug'") == .invalidCondition)
    #expect(try refusal("id = ") == .invalidCondition)
    #expect(try refusal("id = nothing(1)") == .invalidCondition)
    #expect(try refusal(.relationship("labels", where: "wait = 1")) == .invalidCondition)
    for text in ["id = :a", "id = @a", "id=:a1", "id = ?1", "title LIKE 'a' AND id = :a"] {
      #expect(try refusal(DatabaseCondition(sql: text)) == .invalidCondition)
    }
    // Each of them leaves nothing behind.
    #expect(try database.count(of: "Issue", where: "title <> ':a @b'") == 4)
    if kind.isOnServer {
      #expect(try refusal("id = 'a'") == .invalidCondition)
      #expect(try refusal("id = \("a")") == .invalidCondition)
      #expect(try refusal("1 / (id - 1) = 1") == .invalidCondition)
      #expect(
        try database.count(of: "Issue", where: #"title <> E'\') ; --' AND id::text = '1'"#) == 1)
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `of a write is refused in the same way`(kind: DatabaseKind) throws {
    let database = try database(kind)
    let error = #expect(throws: StoreError.self) {
      try database.write { _ = try $0.objects("Issue", where: "nothing = 1") }
    }
    #expect(error?.kind == .invalidCondition)
    try database.write { graph in
      let newest = try graph.objects(
        Issue.self, where: .attribute(\.id, in: 1...), orderedBy: .reverse(\.id), limit: 1)
      newest.first?.title = "new"
    }
    #expect(
      try database.object("Issue", identifiedBy: ["id": .integer(4)])?["title"] == .string("new"))
  }

  @Test(arguments: DatabaseKind.with(Seeds.some(4, of: 60)))
  func `of a relationship finds what the relationship of the graph says`(
    kind: DatabaseKind, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let family = try RandomFamily(&random)
    let database = try TrialDatabase.opened(kind, family.model)
    var options = ImportOptions()
    options.parser.format = .ndjson
    // An object whose identity another entity has already is passed over.
    options.errorPolicy = .skipObject
    let importer = try database.makeImporter([family.root], options: options)
    try importer.parse(Data(family.document(&random).utf8))
    _ = try importer.finish()
    let graph = try database.graph()
    for entity in family.model.entities {
      for relationship in entity.relationships {
        func targets(_ object: GraphObject) -> [GraphObject] {
          relationship.isToMany
            ? object.objects(relationship.name)
            : [object.object(relationship.name)].compactMap(\.self)
        }
        let all = try graph.objects(entity.name)
        let any = try database.objects(entity.name, where: .relationship(relationship.name))
        #expect(
          Set(any.map { $0["id"] }) == Set(all.filter { !targets($0).isEmpty }.map { $0["id"] }))
        let named = try database.objects(
          entity.name,
          where: .relationship(relationship.name, where: .attribute("name", equals: .string("1"))))
        let wanted = all.filter { targets($0).contains { $0["name"] == .string("1") } }
        #expect(Set(named.map { $0["id"] }) == Set(wanted.map { $0["id"] }))
      }
    }
  }
}
