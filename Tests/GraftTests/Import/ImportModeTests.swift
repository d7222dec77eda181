import Testing

@testable import Graft
@testable import GraftTestSupport

/// Checks objects that exist, that do not, and that the document does not mention.
@Suite struct `A mode` {
  private let trial: ImportTrial

  init() throws {
    trial = try ImportTrial([
      .make(
        "Hero", [.make("name"), .make("version", .integer64)],
        [
          .make("boss", to: "Hero"), .make("team", to: "Hero", many: true),
          .make("note", to: "Note"),
        ]),
      .make("Note", identity: "", [.make("text")]),
    ])
    try trial.load(#"[{"id":1,"name":"Ada"},{"id":2,"name":"Bob","boss":1}]"#)
  }

  private static let document = """
    [{"id":1,"name":"new","boss":{"id":3,"name":"Cyd"}},
     {"id":4,"name":"Dan","boss":{"name":"newer","id":2},"team":[1,5]}]
    """

  @Test func `upsert updates and inserts`() throws {
    let report = try trial.load(Self.document)
    #expect(
      report.count(of: "Hero") == .init(entity: "Hero", inserted: 3, updated: 2, unchanged: 0))
    #expect(
      trial.lines == [
        #"Hero/1 boss: Hero/3, id: 1, name: "new""#, #"Hero/2 boss: Hero/1, id: 2, name: "newer""#,
        #"Hero/3 id: 3, name: "Cyd""#, "Hero/4 id: 5",
        #"Hero/5 boss: Hero/2, id: 4, name: "Dan", team: [Hero/1, Hero/4]"#,
      ])
  }

  @Test func `insert-only leaves what is there as it is, and links it`() throws {
    let report = try trial.load(Self.document, .with { $0.mode = .insertOnly })
    #expect(
      report.count(of: "Hero") == .init(entity: "Hero", inserted: 3, updated: 0, unchanged: 2))
    #expect(
      trial.lines == [
        #"Hero/1 id: 1, name: "Ada""#, #"Hero/2 boss: Hero/1, id: 2, name: "Bob""#,
        #"Hero/3 id: 3, name: "Cyd""#, "Hero/4 id: 5",
        #"Hero/5 boss: Hero/2, id: 4, name: "Dan", team: [Hero/1, Hero/4]"#,
      ])
  }

  @Test func `insert-only still fills what has only its identity`() throws {
    try trial.load("[9]")
    try trial.load(#"{"id":9,"name":"Eve"}"#, .with { $0.mode = .insertOnly })
    #expect(trial.lines.last == #"Hero/3 id: 9, name: "Eve""#)
  }

  @Test func `update-only passes over what is not there, and inserts nothing`() throws {
    let report = try trial.load(Self.document, .with { $0.mode = .updateOnly })
    #expect(
      trial.lines == [
        #"Hero/1 id: 1, name: "new""#, #"Hero/2 boss: Hero/1, id: 2, name: "Bob""#,
      ])
    #expect(report.insertedCount == 0)
    #expect(report.ignoredReferenceCount == 1)
    #expect(report.issueCount == 0)
    try trial.load(#"{"id":1,"note":{"text":"x"}}"#, .with { $0.mode = .updateOnly })
    #expect(try trial.store.graph.count(of: "Note") == 0)
  }

  @Test(arguments: [RemovedPolicy.unlink, .delete])
  func `update-only leaves the objects without identity that a list has`(
    removed: RemovedPolicy
  )
    throws
  {
    let trial = try ImportTrial([
      .make(
        "Order", [.make("total", .integer64)],
        [.make("lines", to: "Line", many: true), .make("note", to: "Line")]),
      .make("Line", identity: "", [.make("q", .integer64)]),
    ])
    try trial.load(#"{"id":1,"total":1,"lines":[{"q":1},{"q":2}],"note":{"q":3}}"#)
    let report = try trial.load(
      #"{"id":1,"total":2,"lines":[{"q":4}],"note":{"q":5}}"#,
      .with {
        $0.mode = .updateOnly
        $0.relationships.removed = removed
      })
    #expect(report.deletedCount == 0)
    #expect(
      trial.lines == [
        "Line/1 q: 1", "Line/2 q: 2", "Line/3 q: 3",
        "Order/1 id: 1, lines: [Line/1, Line/2], note: Line/3, total: 2",
      ])
    try trial.load(
      #"{"id":1,"lines":null}"#, .with { $0.mode = .updateOnly })
    #expect(trial.lines.last == "Order/1 id: 1, note: Line/3, total: 2")
  }

  @Test func `update-only replaces links by another attribute than the identity`() throws {
    let trial = try ImportTrial([
      .make("Order", [], [.make("tags", to: "Tag", many: true, ["JSONRelatedBy": "name"])]),
      .make("Tag", identity: "", [.make("name")]),
    ])
    try trial.load(#"[{"id":1,"tags":["a","b"]},{"id":2,"tags":["c"]}]"#)
    try trial.load(#"{"id":1,"tags":["c"]}"#, .with { $0.mode = .updateOnly })
    let names = try trial.store.graph.objects("Order").map {
      $0.objects("tags").compactMap { $0["name"]?.text }
    }
    #expect(names == [[#""c""#], [#""c""#]])
  }

  @Test(arguments: ReferencePolicy.allCases.filter { $0 != .error })
  func `update-only makes nothing of an identifier at a root`(reference: ReferencePolicy) throws {
    let report = try trial.load(
      "[2,9]",
      .with {
        $0.mode = .updateOnly
        $0.relationships.reference = reference
      })
    #expect(report.insertedCount == 0)
    #expect(try trial.store.graph.count(of: "Hero") == 2)
  }

  @Test func `that deletes what is missing spares all that the document mentions`() throws {
    try trial.load(#"[{"id":3},{"id":4},{"id":5},{"id":6,"boss":5}]"#)
    let report = try trial.load(
      #"[{"id":1,"boss":3},{"id":6,"team":[{"id":4}]}]"#, .with { $0.deletesMissing = true })
    #expect(report.count(of: "Hero").deleted == 2)
    #expect(
      try trial.store.graph.objects("Hero").map { $0["id"] } == [1, 3, 4, 6].map { .integer($0) })
    #expect(trial.lines.last == "Hero/4 id: 6, team: [Hero/3]")
  }

  @Test func `that deletes what is missing does so for each root's entity, and for no other`()
    throws
  {
    let trial = try ImportTrial([
      .make("A", isAbstract: true),
      .make("B", identity: "", parent: "A", [], [.make("d", to: "D")]),
      .make("C", identity: "", parent: "A"), .make("D"), .make("E"),
    ])
    try trial.load("[1,2]", as: "B")
    try trial.load("[3,4]", as: "C")
    try trial.load("[1,2]", as: "D")
    try trial.load("[1,2]", as: "E")
    try trial.load(
      #"{"a":[2,{"id":3}],"e":[1]}"#,
      [ImportRoot("A", at: "a"), ImportRoot("E", at: "e")],
      .with { $0.deletesMissing = true })
    #expect(trial.lines == ["B/1 id: 2", "C/1 id: 3", "D/1 id: 1", "D/2 id: 2", "E/1 id: 1"])
  }

  @Test(arguments: [
    ("Animal", ["Cat/1 age: 9, id: 2", "Dog/1 age: 8, id: 4"]),
    ("Dog", ["Dog/1 age: 8, id: 4"]),
  ])
  func `that deletes what is missing does so within the scope that is given`(
    entity: String, left: [String]
  ) throws {
    let trial = try ImportTrial([
      .make("Animal", isAbstract: true, [.make("age", .integer64)]),
      .make("Cat", identity: "", parent: "Animal"), .make("Dog", identity: "", parent: "Animal"),
    ])
    try trial.load(#"[{"id":1,"age":2},{"id":2,"age":9}]"#, as: "Cat")
    try trial.load(#"[{"id":3,"age":2},{"id":4,"age":8}]"#, as: "Dog")
    let report = try trial.load(
      "[]",
      .with {
        $0.deletesMissing = true
        $0.deletionScopes[entity] = { animal in animal["age"] == .integer(2) }
      })
    #expect(trial.lines == left)
    let deletedCount = report.entities.map(\.deleted).reduce(0, +)
    #expect(deletedCount == 4 - left.count)
  }

  @Test(arguments: [
    // Both entities have the scope of the animals, and one of them is a root.
    ("Animal", "", false, true), ("Cat", "", false, true), ("Dog", "", false, false),
    // A relationship deletes dogs.
    ("Dog", "delete", false, true),
    // Another import of the group may have a root of dogs.
    ("Dog", "", true, true),
  ])
  func `that deletes what is missing tells of a scope without effect`(
    entity: String, removed: String, isGroup: Bool, hasEffect: Bool
  ) throws {
    let annotations = removed.isEmpty ? [:] : ["JSONRemoved": removed]
    let trial = try ImportTrial([
      .make("Animal", isAbstract: true),
      .make(
        "Cat", identity: "", parent: "Animal", [],
        [.make("dogs", to: "Dog", many: true, annotations)]),
      .make("Dog", identity: "", parent: "Animal"),
    ])
    let report = try trial.load(
      "[]", as: "Cat",
      .with {
        $0.deletesMissing = true
        $0.deletionScopes[entity] = { _ in true }
        if isGroup { $0.group = ImportGroup(trial.store) }
      })
    let rest = ", or let a relationship to Dog delete what it loses (JSONRemoved)"
    let notice =
      "the deletion scope of Dog has no effect, because deletesMissing deletes objects of the roots' entities only;"
      + " add a root of Dog" + rest
    #expect(report.notices.map(\.description) == (hasEffect ? [] : [notice]))
    let other = try trial.load("[]", as: "Cat", .with { $0.deletionScopes["Dog"] = { _ in true } })
    let reason =
      "the deletion scope of Dog has no effect, because deletesMissing is not set; set it"
    #expect(other.notices.map(\.description) == (removed.isEmpty ? [reason + rest] : []))
  }

  @Test func `asks for no scope of an object that the document mentions`() throws {
    try trial.load(
      #"[{"id":1,"boss":2}]"#,
      .with {
        $0.deletesMissing = true
        $0.deletionScopes["Hero"] = { _ in
          Issue.record("both are mentioned")
          return true
        }
      })
    #expect(trial.lines.count == 2)
  }

  @Test func `does not begin with a scope of an unknown entity`() {
    let error = #expect(throws: ImportError.self) {
      try trial.load("[]", .with { $0.deletionScopes["Heros"] = { _ in true } })
    }
    #expect(
      error?.description
        == #"a deletion scope is given for the unknown entity "Heros", did you mean "Hero"?"#)
  }

  @Test(arguments: [
    (#","modified":"2019-01-01""#, "old"), (#","modified":"2021-01-01""#, "new"), ("", "new"),
    (#","modified":null"#, "new"),
  ])
  func `updates an object with a time only by a newer one or one without`(
    time: String, name: String
  ) throws {
    let trial = try ImportTrial([
      .make("Hero", [.make("name"), .make("modified", .date)], [], ["JSONModified": "modified"])
    ])
    try trial.load(#"{"id":1,"name":"old","modified":"2020-01-01"}"#)
    try trial.load(#"{"id":1,"name":"new"\#(time)}"#)
    let hero = try #require(try trial.store.graph.objects("Hero").first)
    #expect(hero["name"] == .string(name))
    if time.isEmpty { #expect(hero["modified"] != nil) }
  }
}
