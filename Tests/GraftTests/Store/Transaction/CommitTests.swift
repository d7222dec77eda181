import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct CommitTests {
  @Test func `a snapshot shows the moment at which it was taken`() throws {
    let store = GraphStore(model: Sample.timeline)
    let empty = store.graph
    let transaction = store.begin()
    let id = transaction.insert(0, .integer(1))
    transaction.set(id, 1, .string("first"))
    let first = try store.commit(transaction).graph
    transaction.set(id, 1, .string("second"))
    try transaction.delete([transaction.insert(1, .integer(1))])
    let second = try store.commit(transaction).graph
    try transaction.delete([id])
    let third = try store.commit(transaction).graph

    #expect(try empty.count(of: "User") == 0)
    #expect(first.object(id)?["name"] == .string("first"))
    #expect(second.object(id)?["name"] == .string("second"))
    #expect(third.object(id) == nil)
    #expect(try second.object("User", identifiedBy: ["id": .integer(1)])?.id == id)
    #expect(try third.object("User", identifiedBy: ["id": .integer(1)]) == nil)
  }

  @Test func `uncommitted changes are invisible to others`() throws {
    let store = GraphStore(model: Sample.timeline)
    do {
      let transaction = store.begin()
      let id = transaction.insert(0, .integer(1))
      transaction.set(id, 1, .string("x"))
    }
    #expect(try store.graph.count(of: "User") == 0)
  }

  @Test func `a missing required attribute is refused, named, and nothing is published`() throws {
    let store = GraphStore(model: Sample.timeline)
    let transaction = store.begin()
    transaction.insert(1, .integer(5))
    let user = transaction.insert(0, .integer(7))
    let error = #expect(throws: StoreError.self) { try store.commit(transaction) }
    #expect(error?.kind == .invalidObjects)
    #expect(error?.entity == "User" && error?.property == "name")
    #expect(error?.message.hasPrefix("User(id: 7): \"name\" is required") == true)
    #expect(try store.graph.count(of: "Tweet") == 0)
    transaction.set(user, 1, .string("x"))
    #expect(try store.commit(transaction).graph.count(of: "Tweet") == 1)
  }

  @Test func `all failures are counted and only some listed`() throws {
    let store = GraphStore(model: Sample.timeline)
    let transaction = store.begin()
    for number in 0..<5000 as Range<Int64> { transaction.insert(0, .integer(number)) }
    let error = #expect(throws: StoreError.self) { try store.commit(transaction) }
    #expect(error?.failures.count == ModelCheck.failureLimit)
    #expect(error?.message.hasSuffix("(and 4999 more)") == true)
  }

  @Test func `a stub lacks what is required until it is filled`() throws {
    let store = GraphStore(model: Sample.timeline)
    let transaction = store.begin()
    let id = transaction.insert(0, .integer(1), stub: true)
    #expect(try store.commit(transaction).graph.object(id)?.isStub == true)
    transaction.setStub(id, false)
    #expect(throws: StoreError.self) { try store.commit(transaction) }
    transaction.set(id, 1, .string("known"))
    #expect(try store.commit(transaction).graph.object(id)?.isStub == false)
  }

  struct Bounds: Sendable {
    var isOptional = true
    var minimum = 0
    var maximum = 0
    var allowed: Set<Int>
  }

  @Test(arguments: [
    Bounds(allowed: [0, 1, 2, 3]),
    Bounds(isOptional: false, allowed: [1, 2, 3]),
    Bounds(minimum: 2, allowed: [0, 2, 3]),
    Bounds(isOptional: false, minimum: 2, maximum: 2, allowed: [2]),
    Bounds(maximum: 1, allowed: [0, 1]),
  ])
  func `a to-many relationship keeps to its bounds`(_ bounds: Bounds) throws {
    let entity = Sample.entity(
      "E", attributes: [],
      relationships: [
        Sample.relationship(
          "members", to: 0, inverse: nil, many: true, isOptional: bounds.isOptional,
          minimum: bounds.minimum, maximum: bounds.maximum)
      ])
    for count in 0...3 {
      let store = GraphStore(model: Sample.model([entity]))
      let transaction = store.begin()
      let objects = (0..<4).map { _ in
        transaction.insert(entity: 0, identity: BorrowedBuffer(), stub: true)
      }
      transaction.setStub(objects[3], false)
      transaction.link(objects[3], 0, Array(objects.prefix(count)))
      let isAllowed = (try? store.commit(transaction)) != nil
      #expect(isAllowed == bounds.allowed.contains(count), "\(count) members")
    }
  }

  @Test func `a required to-one needs an object`() throws {
    let entity = Sample.entity(
      "E", attributes: [],
      relationships: [Sample.relationship("next", to: 0, inverse: nil, isOptional: false)])
    let store = GraphStore(model: Sample.model([entity]))
    let transaction = store.begin()
    let id = transaction.insert(entity: 0, identity: BorrowedBuffer())
    #expect(throws: StoreError.self) { try store.commit(transaction) }
    transaction.link(id, 0, id)
    #expect(throws: Never.self) { try store.commit(transaction) }
  }

  @Test func `the difference names what was inserted, changed and deleted`() throws {
    let store = GraphStore(model: Sample.timeline)
    let transaction = store.begin()
    let tweets = (0..<5).map { transaction.insert(1, .integer($0)) }
    _ = try store.commit(transaction)
    #expect(transaction.difference().isEmpty)
    let user = transaction.insert(0, .integer(1))
    transaction.set(tweets[1], 1, .string("x"))
    transaction.link(tweets[2], 0, user)
    transaction.set(tweets[3], 1, .string("x"))
    transaction.set(tweets[3], 1, nil)
    try transaction.delete([tweets[4], transaction.insert(1, .integer(9))])
    let difference = transaction.difference()
    #expect(difference.inserted == [user])
    #expect(difference.deleted == [tweets[4]])
    #expect(difference.updated.map(\.object) == [tweets[1], tweets[2]])
    #expect(difference.updated.map(\.attributes) == [[1], []])
    #expect(difference.updated.map(\.relationships) == [[], [0]])
  }

  @Test func `readers see whole commits while a writer commits`() async throws {
    let store = GraphStore(model: Sample.timeline)
    let rounds = 200
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          var last = 0
          while last < rounds {
            let graph = store.graph
            let users = try graph.count(of: "User")
            #expect(users >= last)
            last = users
            // Each commit adds a user with two tweets.
            #expect(try graph.count(of: "Tweet") == users * 2)
            var seen = 0
            for user in try graph.objects("User") {
              #expect(user.objects("tweets").count == 2)
              seen += 1
            }
            #expect(seen == users)
            await Task.yield()
          }
        }
      }
      group.addTask {
        let transaction = store.begin()
        for round in 0..<Int64(rounds) {
          let user = transaction.insert(0, .integer(round))
          transaction.set(user, 1, .string("user number \(round) of many"))
          for number in 0..<2 as Range<Int64> {
            transaction.link(transaction.insert(1, .integer(round * 2 + number)), 0, user)
          }
          _ = try store.commit(transaction)
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
  }
}
