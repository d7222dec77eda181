import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

private struct Tweet: Entity {
  let id = Attribute<Int>()
  let author = ToOne<User>(inverse: \.tweets)
  let tags = ToMany<Tag>()
  let quoted = ToOne<Tweet>()
  static let identity = [\Self.id]
}

private struct User: Entity {
  let id = Attribute<Int>()
  let tweets = ToMany<Tweet>(.nowhere)
  let groups = ToMany<Group>(inverse: \.members)
  static let identity = [\Self.id]
}

private struct Tag: Entity {
  let text = Attribute<String>()
  static let identity = [\Self.text]
}

private struct Group: Entity {
  let id = Attribute<Int>()
  let members = ToMany<User>(.nowhere)
  static let identity = [\Self.id]
}

@Suite struct `Objects that nothing refers to` {
  private static let document = """
    [{"id": 1, "author": {"id": 1, "groups": [{"id": 5}]}, "tags": [{"text": "a"}, {"text": "b"}]},
     {"id": 2, "quoted": 2}, {"id": 3, "quoted": 4}, {"id": 4, "author": {"id": 2}}]
    """

  private func load(_ trial: TrialDatabase) throws -> GraphDatabase {
    let database = try trial.open(GraphModel(for: Tweet.self))
    let importer = try database.makeImporter([ImportRoot(Tweet.self)])
    try importer.parse(Data(Self.document.utf8))
    _ = try importer.finish()
    try database.write { graph in
      for text in ["x", "y"] { _ = try graph.insert(Tag.self) { $0.text = text } }
      for id in [3, 4] { _ = try graph.insert(User.self) { $0.id = id } }
      _ = try graph.insert(Group.self) { $0.id = 6 }
    }
    return database
  }

  private func keys(_ entity: String, _ database: GraphDatabase) throws -> [String] {
    try database.objects(entity, where: database.orphans(of: entity))
      .compactMap { $0[entity == "Tag" ? "text" : "id"]?.shortText }
  }

  @Test(arguments: DatabaseKind.present)
  func `are found, whichever end keeps the relationship`(kind: DatabaseKind) throws {
    let trial = try TrialDatabase(kind)
    let database = try load(trial)
    #expect(try keys("Tag", database) == ["\"x\"", "\"y\""])
    // A user's tweets and groups lead back to her.
    #expect(try keys("User", database) == ["3", "4"])
    #expect(try keys("Group", database) == ["6"])
    // Tweets 1 and 4 belong to their author's tweets; 2 quotes only itself; 3 is not quoted.
    #expect(try keys("Tweet", database) == ["2", "3"])
    #expect(throws: StoreError.self) { try database.orphans(of: "Nothing") }
  }

  @Test(arguments: DatabaseKind.present)
  func `are deleted, and nothing else is`(kind: DatabaseKind) throws {
    let trial = try TrialDatabase(kind)
    let database = try load(trial)
    #expect(try database.deleteOrphans(of: "Tag", where: "text = \("x")") == 1)
    #expect(try database.deleteOrphans(of: "Tag") == 1)
    #expect(try database.deleteOrphans(of: "Tag") == 0)
    #expect(try database.graph().count(of: "Tag") == 2)
    // Tweet 3 has quoted tweet 4, which has an author.
    #expect(try database.deleteOrphans(of: "Tweet") == 2)
    #expect(try database.graph().objects("Tweet").map { $0["id"] } == [.integer(1), .integer(4)])
    #expect(try trial.faults() == [])
  }

  @Test(arguments: DatabaseKind.present)
  func `are found and deleted by their type`(kind: DatabaseKind) throws {
    let trial = try TrialDatabase(kind)
    let database = try load(trial)
    let unused = try database.objects(Tag.self, where: database.orphans(of: Tag.self))
    #expect(unused.map(\.text) == ["x", "y"])
    #expect(try database.deleteOrphans(of: Tag.self, where: .attribute(\.text, equals: "x")) == 1)
    #expect(try database.deleteOrphans(of: Tag.self) == 1)
    #expect(try database.count(of: Tag.self) == 2)
  }

  /// A person whose parent has a list of children.
  private struct Person: Entity {
    let first = Attribute<Int>()
    let second = Attribute<Int>()
    let parent = ToOne<Person>(inverse: \.children)
    let children = ToMany<Person>(.nowhere)
    static let identity = [\Self.second, \Self.first]
  }

  @Test(arguments: DatabaseKind.present)
  func `may refer to themselves`(kind: DatabaseKind) throws {
    let trial = try TrialDatabase(kind)
    let database = try trial.open(GraphModel(for: Person.self))
    try database.write { graph in
      let people = try (1...4).map { number in
        try graph.insert(Person.self) { ($0.first, $0.second) = (number, 10 - number) }
      }
      people[0].parent = people[0]
      people[1].parent = people[0]
      people[2].parent = people[2]
    }
    // The parent of 1 is herself, and she has a child besides; 2 has a parent.
    let orphans = try database.objects(Person.self, where: database.orphans(of: Person.self))
    #expect(orphans.map(\.first).sorted() == [3, 4])
  }

  @Test(arguments: DatabaseKind.present)
  func `are deleted where only another orphan has referred to them`(kind: DatabaseKind) throws {
    let trial = try TrialDatabase(kind)
    let database = try trial.open(GraphModel(for: Tweet.self))
    try database.write { graph in
      var last: MutableObject<Tweet>?
      // Each is quoted by one with a greater key, so that no pass over the keys finds it with the others.
      for number in 1...5 {
        let quoted = last
        last = try graph.insert(Tweet.self) {
          $0.id = number
          $0.quoted = quoted
        }
      }
    }
    #expect(try database.deleteOrphans(of: "Tweet") == 5)
  }

  @Test func `are deleted in pages`() throws {
    let trial = try TrialDatabase(.sqlite)
    let database = try load(trial)
    try database.write { graph in
      for number in 0..<1200 { _ = try graph.insert(Tag.self) { $0.text = "t\(number)" } }
    }
    #expect(try database.deleteOrphans(of: "Tag") == 1202)
    #expect(try database.graph().count(of: "Tag") == 2)
  }

  /// A statement calls tables by other names; those are not the user's.
  @Test(arguments: DatabaseKind.with(["R", "r", "T", "S"]))
  func `are found whatever an entity is called`(kind: DatabaseKind, name: String) throws {
    let model = try GraphModel(
      entities: [.make(name), .make("Owner", [], [.make("one", to: name)])], dialect: .graft)
    let trial = try TrialDatabase(kind)
    let database = try trial.open(model)
    let importer = try database.makeImporter([ImportRoot("Owner")])
    try importer.parse(Data(#"{"id": 1, "one": {"id": 7}}"#.utf8))
    _ = try importer.finish()
    try database.write { _ = try $0.insert(name, ["id": .integer(1)]) }
    #expect(
      try database.objects(name, where: database.orphans(of: name)).map { $0["id"]?.text } == ["1"])
  }
}
