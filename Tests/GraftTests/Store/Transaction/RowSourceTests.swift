import Testing

@testable import Graft
@testable import GraftTestSupport

// A source of rows knows nothing of the transaction: it returns rows and keys, and the transaction
// inserts their objects.

@Suite struct `A source of rows` {
  /// User 3, who has the tweets 7 and 8.
  private let source = SampleRows(users: [3: "ada"], authors: [7: 3, 8: 3])
  private let transaction: GraphTransaction

  init() {
    transaction = GraphTransaction(
      base: Graph(emptyOf: Sample.timeline), fetched: FetchedObjects(source))
  }

  private func find(_ entity: Int, _ identity: Int64) -> ObjectID? {
    BorrowedBuffer.withOne(.integer(identity)) { transaction.find(identityOf: entity, $0) }
  }

  @Test func `is asked once for an object that is looked up`() throws {
    let user = try #require(find(0, 3))
    #expect(find(0, 3) == user)
    #expect(transaction.value(user, attribute: 1).text == "ada")
    #expect(find(0, 4) == nil)
    #expect(source.requests == ["user 3", "user 4"])
  }

  @Test func `is asked for the target of a link only when that is looked up`() throws {
    let tweet = try #require(find(1, 7))
    let user = try #require(transaction.toOne(tweet, relationship: 0))
    #expect(source.requests == ["tweet 7"])
    #expect(transaction.isNull(user, attribute: 1))
    #expect(find(0, 3) == user)
    #expect(!transaction.isNull(user, attribute: 1))
    #expect(source.requests == ["tweet 7", "user 3"])
  }

  @Test func `is asked for a list before the list is replaced`() throws {
    let user = try #require(find(0, 3))
    let kept = try #require(find(1, 8))
    _ = transaction.setToMany(user, relationship: 0, [kept].span)
    #expect(source.requests.contains("tweets of 3"))
    let fetched = try #require(transaction.fetched)
    #expect(fetched.storedMembers(of: user, 0).count == 2, "the list as the source has it")
    let lost = try #require(find(1, 7))
    #expect(transaction.toOne(lost, relationship: 0) == nil)
    #expect(fetched.state(of: lost).contains(.written))
    #expect(fetched.state(of: kept) == .stored, "its link is as the source has it")
  }

  @Test func `is asked only for the members that a list loses`() throws {
    let user = try #require(find(0, 3))
    let writer = CheckedWriter(transaction: transaction)
    let members = try writer.members(of: user, relationship: 0)
    try writer.setMembers([members[1]], of: user, relationship: 0)
    #expect(source.requests == ["user 3", "tweets of 3", "tweet 7"])
    try writer.removeMember(members[1], from: user, relationship: 0)
    #expect(source.requests.dropFirst(3) == ["tweet 8"])
    #expect(try writer.members(of: user, relationship: 0) == [])
    #expect(try writer.target(of: members[1], relationship: 0) == nil)
  }

  @Test func `does not return an object that was removed, or has another identity`() throws {
    let tweet = try #require(find(1, 7))
    try transaction.delete([tweet])
    #expect(find(1, 7) == nil)
    let other = try #require(find(1, 8))
    _ = try BorrowedBuffer.withOne(.integer(9)) { (identity) throws(StoreError) in
      try transaction.setIdentity(other, identity)
    }
    #expect(find(1, 9) == other)
    #expect(find(1, 8) == nil)
  }

  @Test func `ends with its first error, which is told at the next check`() throws {
    source.error = StoreError(.database, "the disk is gone")
    #expect(find(0, 3) == nil)
    source.error = nil
    #expect(find(0, 3) == nil, "nothing is read after an error")
    #expect(throws: StoreError.self) { try transaction.fetched?.check() }
  }

  @Test func `has an error for a link that leads nowhere`() throws {
    source.users = [:]
    let tweet = try #require(find(1, 7))
    _ = try #require(transaction.toOne(tweet, relationship: 0))
    #expect(find(0, 3) != nil)
    let error = #expect(throws: StoreError.self) { try transaction.fetched?.check() }
    #expect(error?.message == "no row of entity 0")
  }
}
