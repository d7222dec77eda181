import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct DeletionTests {
  /// A parent (0) with children (1); the rule is the parent's.
  private static func store(_ rule: DeleteRule, many: Bool = true) -> GraphStore {
    let id = Sample.attribute("id", .integer64)
    return GraphStore(
      model: Sample.model([
        Sample.entity(
          "Parent", attributes: [id],
          relationships: [
            Sample.relationship("children", to: 1, inverse: 0, many: many, rule: rule)
          ],
          identity: [0]),
        Sample.entity(
          "Child", attributes: [id],
          relationships: [Sample.relationship("parent", to: 0, inverse: 0)], identity: [0]),
      ]))
  }

  @Test(arguments: [DeleteRule.nullify, .noAction])
  func `nullify and no action leave the others without a link`(_ rule: DeleteRule) throws {
    let store = Self.store(rule)
    let transaction = store.begin()
    let parent = transaction.insert(0, .integer(1))
    let child = transaction.insert(1, .integer(1))
    transaction.link(child, 0, parent)
    try transaction.delete([parent])
    #expect(!transaction.contains(parent))
    #expect(transaction.contains(child))
    #expect(transaction.toOne(child, relationship: 0) == nil)
    #expect(transaction.find(0, .integer(1)) == nil)
  }

  @Test func `leaves one empty group, however many commits delete`() throws {
    let store = Self.store(.nullify)
    var alive: [ObjectID] = []
    for number in 0..<40 {
      let transaction = store.begin()
      alive += (0..<1000).map { transaction.insert(0, .integer(Int64(number * 1000 + $0))) }
      try transaction.delete(Array(alive.dropLast(500)))
      alive = alive.suffix(500)
      _ = try store.commit(transaction)
    }
    let groups = store.graph.storage.tables[0].chunks.flatMap(\.groups).map {
      ObjectIdentifier($0.owner)
    }
    #expect(groups.count > 10)
    #expect(Set(groups).count < 5)
  }

  @Test func `cascade takes everything below along`() throws {
    let entity = Sample.entity(
      "Node", attributes: [Sample.attribute("id", .integer64)],
      relationships: [
        Sample.relationship("children", to: 0, inverse: 1, many: true, rule: .cascade),
        Sample.relationship("parent", to: 0, inverse: 0),
      ], identity: [0])
    let store = GraphStore(model: Sample.model([entity]))
    let transaction = store.begin()
    let nodes = (0..<1000).map { transaction.insert(0, .integer($0)) }
    for node in nodes.dropFirst() {
      transaction.link(node, 1, nodes[(node.row - 1) / 2])
    }
    try transaction.delete([nodes[1]])
    let left = nodes.filter(transaction.contains)
    func isBelow(_ row: Int) -> Bool { row == 1 || row > 1 && isBelow((row - 1) / 2) }
    #expect(left == nodes.filter { !isBelow($0.row) })
    #expect(try store.commit(transaction).graph.count(of: "Node") == left.count)

    transaction.link(nodes[0], 1, nodes[998])
    try transaction.delete([nodes[2]])
    #expect(try store.commit(transaction).graph.count(of: "Node") == 0, "a circle goes whole")
  }

  @Test func `deny refuses while the other end stays, and changes nothing`() throws {
    let store = Self.store(.deny)
    let transaction = store.begin()
    let parent = transaction.insert(0, .integer(1))
    let child = transaction.insert(1, .integer(2))
    transaction.link(child, 0, parent)
    let error = #expect(throws: StoreError.self) { try transaction.delete([parent]) }
    #expect(error?.kind == .deletionDenied)
    #expect(error?.message.contains("Parent(id: 1)") == true)
    #expect(error?.message.contains("Child(id: 2)") == true)
    #expect(transaction.toOne(child, relationship: 0) == parent)
    try transaction.delete([child, parent])
    #expect(!transaction.contains(parent))
  }

  @Test func `links without inverse lead nowhere no longer after the commit`() throws {
    let store = GraphStore(model: Sample.timeline)
    let transaction = store.begin()
    let tweets = (0..<3).map { transaction.insert(1, .integer($0)) }
    transaction.link(tweets[1], 1, tweets[0])
    transaction.link(tweets[2], 1, tweets[1])
    _ = try store.commit(transaction)
    try transaction.delete([tweets[0]])
    let graph = try store.commit(transaction).graph
    #expect(graph.toOne(tweets[1], relationship: 1) == nil)
    #expect(graph.toOne(tweets[2], relationship: 1) == tweets[1])
  }

  @Test func `deleting many members of one list takes one pass over it`() throws {
    let store = Self.store(.nullify)
    let transaction = store.begin()
    let parent = transaction.insert(0, .integer(1))
    let children = (0..<60_000).map { transaction.insert(1, .integer($0)) }
    for child in children { transaction.link(child, 0, parent) }
    let odd = children.filter { $0.row % 2 == 1 }.shuffled()
    // A pass for each would take a minute.
    let seconds = try ThreadTime.seconds { try transaction.delete(odd) }
    #expect(seconds < 10)
    #expect(transaction.toMany(parent, relationship: 0) == children.filter { $0.row % 2 == 0 })
  }

  @Test func `deleting the members of one list one by one takes no pass for each`() throws {
    let store = Self.store(.nullify)
    let transaction = store.begin()
    let parent = transaction.insert(0, .integer(1))
    let children = (0..<40_000).map { transaction.insert(1, .integer($0)) }
    for child in children { transaction.link(child, 0, parent) }
    let odd = children.filter { $0.row % 2 == 1 }.shuffled()
    let seconds = try ThreadTime.seconds { for child in odd { try transaction.delete([child]) } }
    #expect(seconds < 10)
    #expect(transaction.toMany(parent, relationship: 0) == children.filter { $0.row % 2 == 0 })
  }

  @Test func `a row is never used again`() throws {
    let store = Self.store(.nullify)
    let transaction = store.begin()
    let first = transaction.insert(0, .integer(1))
    try transaction.delete([first])
    let second = transaction.insert(0, .integer(1))
    #expect(first != second)
    #expect(transaction.rowCount(0) == 2)
    #expect(try store.commit(transaction).graph.object(first) == nil)
  }

  @Test func `deleted objects give their memory back`() throws {
    let store = GraphStore(model: Sample.timeline)
    let transaction = store.begin()
    let tweets = (0..<5000).map { transaction.insert(1, .integer($0)) }
    for tweet in tweets { transaction.set(tweet, 1, .string(String(repeating: "x", count: 100))) }
    _ = try store.commit(transaction)
    try transaction.delete(tweets.filter { $0.row < 4500 })
    let graph = try store.commit(transaction).graph
    let groups = graph.storage.tables[1].chunks.flatMap(\.groups)
    let bytes = groups.map(\.pointer.header.allocated)
    // Twice the text of the 500 tweets that are left.
    let byteCount = bytes.reduce(0, +)
    #expect(byteCount < 100_000)
    #expect(Set(groups.dropLast().map(\.pointer.base)).count == 1)
    #expect(try graph.objects("Tweet").map(\.id) == tweets.filter { $0.row >= 4500 })
  }
}
