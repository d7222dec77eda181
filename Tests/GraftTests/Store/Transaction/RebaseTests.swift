import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct RebaseTests {
  private let store = GraphStore(model: Sample.timeline)

  private func user(_ transaction: GraphTransaction, _ id: Int64, name: String) -> ObjectID {
    let user = transaction.insert(0, .integer(id))
    transaction.set(user, 1, .string(name))
    return user
  }

  @Test func `two transactions on one base both hold`() throws {
    let (one, two) = (store.begin(), store.begin())
    let ada = user(one, 1, name: "Ada")
    one.link(one.insert(1, .integer(10)), 0, ada)
    let bob = user(two, 2, name: "Bob")
    two.link(two.insert(1, .integer(20)), 0, bob)
    _ = try store.commit(one)
    let result = try store.commit(two)
    #expect(try result.graph.count(of: "User") == 2)
    #expect(bob == ada, "both took the first row")
    #expect(result.current(bob) != bob)
    let tweets = result.graph.object(result.current(bob))?.objects("tweets")
    #expect(tweets?.map { $0["id"] } == [.integer(20)])
    #expect(result.graph.object(ada)?.objects("tweets").map { $0["id"] } == [.integer(10)])
  }

  @Test func `an object that both inserted is one object with the values of both`() throws {
    let (one, two) = (store.begin(), store.begin())
    let first = user(one, 1, name: "Ada")
    one.set(first, 2, .integer(5))
    one.link(one.insert(1, .integer(10)), 0, first)
    let second = user(two, 1, name: "Ada Lovelace")
    two.link(two.insert(1, .integer(20)), 0, second)
    _ = try store.commit(one)
    let graph = try store.commit(two).graph
    #expect(try graph.count(of: "User") == 1)
    let ada = try #require(try graph.object("User", identifiedBy: ["id": .integer(1)]))
    #expect(ada["name"] == .string("Ada Lovelace"))
    #expect(ada["followers"] == .integer(5), "a default overwrites nothing")
    #expect(ada.objects("tweets").map { $0["id"] } == [.integer(10), .integer(20)])
  }

  @Test func `changes of different properties both hold, and the later of the same`() throws {
    let setup = store.begin()
    let id = user(setup, 1, name: "Ada")
    _ = try store.commit(setup)
    let (one, two) = (store.begin(), store.begin())
    one.set(id, 1, .string("one"))
    one.set(id, 2, .integer(1))
    two.set(id, 1, .string("two"))
    _ = try store.commit(one)
    let graph = try store.commit(two).graph
    #expect(graph.object(id)?["name"] == .string("two"))
    #expect(graph.object(id)?["followers"] == .integer(1))
  }

  @Test func `links and unlinks of one list by both hold`() throws {
    let setup = store.begin()
    let people = (0..<5).map { user(setup, $0, name: "P") }
    setup.link(people[0], 1, [people[1], people[2]])
    _ = try store.commit(setup)
    let (one, two) = (store.begin(), store.begin())
    one.join(people[0], 1, [people[3]])
    two.link(people[0], 1, [people[2], people[4]])
    _ = try store.commit(one)
    let graph = try store.commit(two).graph
    #expect(graph.members(of: people[0], 1) == [people[2], people[3], people[4]])
    for friend in people.dropFirst() {
      #expect(graph.members(of: friend, 1) == (friend == people[1] ? [] : [people[0]]))
    }
  }

  @Test func `an unlink leaves the link that another commit has given since`() throws {
    let setup = store.begin()
    let (ada, bob) = (user(setup, 1, name: "Ada"), user(setup, 2, name: "Bob"))
    let tweets = (10..<12).map { setup.insert(1, .integer($0)) }
    for tweet in tweets { setup.link(tweet, 0, ada) }
    _ = try store.commit(setup)
    let (one, two) = (store.begin(), store.begin())
    one.link(tweets[0], 0, bob)
    two.link(ada, 0, [])
    _ = try store.commit(one)
    let graph = try store.commit(two).graph
    #expect(graph.toOne(tweets[0], relationship: 0) == bob)
    #expect(graph.toOne(tweets[1], relationship: 0) == nil)
    #expect(graph.members(of: bob, 0) == [tweets[0]] && graph.members(of: ada, 0) == [])
  }

  @Test func `a deletion spares what the transaction has written, whatever another has linked`()
    throws
  {
    let entity = EntityDescription.make(
      "Node", [],
      [
        .make("parent", to: "Node", inverse: "children"),
        RelationshipDescription(
          name: "children", destination: "Node", inverse: "parent", isToMany: true,
          deleteRule: .cascade),
      ])
    let store = GraphStore(model: try GraphModel(entities: [entity], dialect: .graft))
    try store.importJSON(entity: "Node", from: Data(#"[{"id":1},{"id":2},{"id":3}]"#.utf8))
    let importer = try store.makeImporter(
      entity: "Node", options: .with { $0.deletesMissing = true })
    try importer.parse(Data(#"[{"id":2},{"id":4}]"#.utf8))
    try store.write { graph in
      func node(_ id: Int64) throws -> MutableGraphObject {
        try graph.findOrInsert("Node", identifiedBy: ["id": .integer(id)])
      }
      for id in 2...4 { try node(1).add(node(Int64(id)), to: "children") }
    }
    _ = try importer.finish()
    let ids = try store.graph.objects("Node").map { $0["id"] }
    #expect(ids == [.integer(2), .integer(4)])
  }

  @Test(arguments: [false, true])
  func `an object that the rules overrule takes no link from another one`(isToMany: Bool) throws {
    let entity = EntityDescription.make(
      "Node", [.make("name")],
      [
        .make("next", to: "Node", many: isToMany, inverse: "previous"),
        .make("previous", to: "Node", inverse: "next", ["JSONKeyPath": "-"]),
      ])
    let store = GraphStore(model: try GraphModel(entities: [entity], dialect: .graft))
    let next = isToMany ? "[2]" : "2"
    try store.importJSON(entity: "Node", from: Data(#"{"id":1,"next":\#(next)}"#.utf8))
    let importer = try store.makeImporter(
      entity: "Node", options: .with { $0.mode = .insertOnly })
    try importer.parse(Data(#"{"id":3,"name":"new","next":\#(next)}"#.utf8))
    try store.write { graph in
      try graph.insert("Node", ["id": .integer(3), "name": .string("other")])
    }
    _ = try importer.finish()
    let second = try store.graph.object("Node", identifiedBy: ["id": .integer(2)])
    #expect(second?.object("previous")?["id"] == .integer(1))
  }

  @Test func `deletions hold, and what was changed since is there again`() throws {
    let setup = store.begin()
    let (ada, bob) = (user(setup, 1, name: "Ada"), user(setup, 2, name: "Bob"))
    _ = try store.commit(setup)
    let (one, two, three) = (store.begin(), store.begin(), store.begin())
    try one.delete([ada, bob])
    two.set(ada, 2, .integer(3))
    try three.delete([bob])
    _ = try store.commit(one)
    _ = try store.commit(two)
    let result = try store.commit(three)
    #expect(try result.graph.count(of: "User") == 1)
    let found = try #require(try result.graph.object("User", identifiedBy: ["id": .integer(1)]))
    #expect(found.id != ada)
    #expect(found["name"] == .string("Ada"))
    #expect(found["followers"] == .integer(3))
  }

  @Test func `an identity may pass from a deleted object to a new one`() throws {
    let setup = store.begin()
    let old = user(setup, 1, name: "Ada")
    _ = try store.commit(setup)
    let (one, two) = (store.begin(), store.begin())
    _ = user(one, 2, name: "Bob")
    try two.delete([old])
    _ = user(two, 1, name: "New")
    _ = try store.commit(one)
    let graph = try store.commit(two).graph
    #expect(graph.object(old) == nil)
    let found = try graph.object("User", identifiedBy: ["id": .integer(1)])
    #expect(found?["name"] == .string("New"))
    #expect(try graph.count(of: "User") == 2)
  }

  @Test func `a late commit that the store refuses publishes nothing`() throws {
    let setup = store.begin()
    let (ada, bob) = (user(setup, 1, name: "Ada"), user(setup, 2, name: "Bob"))
    _ = try store.commit(setup)
    let (one, two) = (store.begin(), store.begin())
    _ = try one.identify(ada, .integer(3))
    _ = try two.identify(bob, .integer(3))
    two.set(ada, 2, .integer(9))
    let before = try store.commit(one).graph
    let error = #expect(throws: StoreError.self) { try store.commit(two) }
    #expect(error?.kind == .duplicateIdentity)
    #expect(store.graph.storage === before.storage)
    #expect(two.get(ada, 2) == .integer(9), "the transaction is as it was")
  }

  @Test func `a transaction goes on after a late commit`() throws {
    let (one, two) = (store.begin(), store.begin())
    _ = user(one, 1, name: "Ada")
    let bob = user(two, 2, name: "Bob")
    _ = try store.commit(one)
    let result = try store.commit(two)
    two.set(result.current(bob), 1, .string("Robert"))
    let graph = try store.commit(two).graph
    #expect(try graph.count(of: "User") == 2)
    #expect(graph.object(result.current(bob))?["name"] == .string("Robert"))
  }

  @Test(arguments: Seeds.some(12, of: 20))
  func `interleaved transactions lose nothing and make no duplicates`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var expected: Set<Int64> = []
    var transactions = (0..<4).map { _ in store.begin() }
    for _ in 0..<400 {
      let number = Int.random(in: 0..<4, using: &random)
      let key = Int64.random(in: 0..<60, using: &random)
      let transaction = transactions[number]
      let author = transaction.find(0, .integer(key % 7)) ?? user(transaction, key % 7, name: "A")
      let tweet = transaction.find(1, .integer(key)) ?? transaction.insert(1, .integer(key))
      transaction.set(tweet, 1, .string("tweet \(key)"))
      transaction.link(tweet, 0, author)
      expected.insert(key)
      if Int.random(in: 0..<6, using: &random) == 0 {
        _ = try store.commit(transaction)
        if Bool.random(using: &random) { transactions[number] = store.begin() }
      }
    }
    for transaction in transactions { _ = try store.commit(transaction) }
    let graph = store.graph
    let tweets = try graph.objects("Tweet")
    #expect(tweets.count == expected.count)
    for tweet in tweets {
      guard case .integer(let key)? = tweet["id"] else {
        Issue.record("\(tweet) has no identity")
        continue
      }
      #expect(tweet["text"] == .string("tweet \(key)"))
      #expect(tweet.object("author")?["id"] == .integer(key % 7))
      #expect(tweet.object("author")?.objects("tweets").contains(tweet) == true)
    }
  }
}
