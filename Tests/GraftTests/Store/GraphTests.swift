import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct GraphTests {
  private static func family() -> GraphStore {
    let attributes = [Sample.attribute("id", .integer64)]
    return GraphStore(
      model: Sample.model([
        Sample.entity("Shape", attributes: attributes, identity: [0]),
        Sample.entity(
          "Circle", superentity: 0),
        Sample.entity(
          "Square", superentity: 0),
      ]))
  }

  @Test func `objects come by entity and insertion, deleted ones left out, both ways`() throws {
    let store = Self.family()
    let transaction = store.begin()
    var ids = (0..<5000).map { transaction.insert([1, 0, 2][Int($0) % 3], .integer($0)) }
    let deleted = ids.filter { $0.row % 7 < 5 || $0.row > 1500 && $0.row < 1600 }
    try transaction.delete(deleted)
    let graph = try store.commit(transaction).graph
    let gone = Set(deleted)
    ids = ids.filter { !gone.contains($0) }.sorted()
    let objects = try graph.objects("Shape")
    #expect(objects.map(\.id) == ids)
    #expect(objects.indices.map { objects[$0].id } == ids)
    #expect(objects.reversed().map(\.id) == ids.reversed())
    #expect(objects.count == ids.count)
    let own = try graph.objects("Shape", includesSubentities: false)
    #expect(own.map(\.id) == ids.filter { $0.entity == 0 })
    #expect(try graph.count(of: "Circle") == ids.count { $0.entity == 1 })
  }

  @Test func `related objects can be narrowed and put in order`() throws {
    let trial = try ImportTrial([
      .make("User", [], [.make("tweets", to: "Tweet", many: true)]),
      .make("Tweet", [.make("likes", .integer64)]),
    ])
    try trial.load(
      #"[{"id":1,"tweets":[{"id":1,"likes":5},{"id":2,"likes":9},{"id":3}]},{"id":2,"tweets":[]}]"#)
    let user = try #require(try trial.store.graph.objects("User").first)
    let tweets = user.selection(of: "tweets")
    #expect(tweets.map(\.id) == user.objects("tweets").map(\.id))
    #expect(try tweets.where("likes", equals: .integer(9)).map { $0["id"] } == [.integer(2)])
    #expect(
      try tweets.where("likes", in: 1...).ordered(by: "likes").map { $0["id"] }
        == [.integer(1), .integer(2)])
    #expect(try trial.store.graph.objects("User").last?.selection(of: "tweets").isEmpty == true)
  }

  @Test func `an entity without objects is an empty collection`() throws {
    let objects = try Self.family().graph.objects("Shape")
    #expect(objects.isEmpty && objects.startIndex == objects.endIndex && objects.first == nil)
  }

  @Test(arguments: [
    ("Shap", "unknown entity \"Shap\", did you mean \"Shape\"?"),
    ("Zebra", "unknown entity \"Zebra\"; known: \"Circle\", \"Shape\", \"Square\""),
  ])
  func `an unknown entity is answered with those there are`(
    _ name: String, _ message: String
  ) {
    let error = #expect(throws: StoreError.self) { try Self.family().graph.objects(name) }
    #expect(error?.kind == .unknownEntity)
    #expect(error?.message == message)
  }

  @Test func `a lookup with other values than the identity's is an error`() {
    let graph = GraphStore(model: Sample.timeline).graph
    let cases: [([String: AttributeValue], StoreError.Kind)] = [
      (["name": .string("x")], .unknownProperty), ([:], .unknownProperty),
      (["id": .string("x")], .wrongType),
    ]
    for (identity, kind) in cases {
      let error = #expect(throws: StoreError.self) {
        try graph.object("User", identifiedBy: identity)
      }
      #expect(error?.kind == kind)
    }
  }

  @Test func `handles are equal on the same object of the same snapshot`() throws {
    let store = GraphStore(model: Sample.timeline)
    let transaction = store.begin()
    let id = transaction.insert(1, .integer(1))
    let first = try store.commit(transaction).graph
    transaction.set(id, 1, .string("x"))
    let second = try store.commit(transaction).graph
    #expect(first.object(id) == first.object(id))
    #expect(first.object(id) != second.object(id))
    #expect(first.object(id)?.id == second.object(id)?.id)
  }

  @Test func `a description shows the entity and what has a value`() throws {
    let store = GraphStore(model: Sample.timeline)
    let transaction = store.begin()
    let id = transaction.insert(0, .integer(7), stub: true)
    transaction.set(id, 1, .string(String(repeating: "a", count: 100)))
    let object = try store.commit(transaction).graph.object(id)
    let name = String(repeating: "a", count: 77) + "…"
    #expect(object?.description == "User(id: 7, name: \"\(name)\", followers: 0)")
  }

  @Test(.isToldAtOnce) func `an unknown property ends the program with its name`() async {
    await #expect(processExitsWith: .failure) {
      let store = GraphStore(model: Sample.timeline)
      let transaction = store.begin()
      let id = transaction.insert(1, .integer(1))
      _ = try store.commit(transaction).graph.object(id)?["txet"]
    }
  }
}
