import Testing

@testable import Graft
@testable import GraftTestSupport

/// Lists that are so long that their members cannot be moved for each change.
@Suite struct `A long list` {
  private static let count = 4_000

  /// Owners (0) and their members (1); the inverse is to-one.
  private static func store(isOrdered: Bool, hasInverse: Bool = true) -> GraphStore {
    let id = Sample.attribute("id", .integer64)
    return GraphStore(
      model: Sample.model([
        Sample.entity(
          "Owner", attributes: [id],
          relationships: [
            Sample.relationship(
              "members", to: 1, inverse: hasInverse ? 0 : nil, many: true, ordered: isOrdered)
          ], identity: [0]),
        Sample.entity(
          "Member", attributes: [id],
          relationships: [Sample.relationship("owner", to: 0, inverse: hasInverse ? 0 : nil)],
          identity: [0]),
      ]))
  }

  /// The expected list: members in the order in which they came.
  private struct NaiveList {
    private(set) var members: [ObjectID] = []
    private(set) var known: Set<ObjectID> = []

    mutating func insert(_ member: ObjectID) {
      if known.insert(member).inserted { members.append(member) }
    }

    mutating func remove(_ member: ObjectID) {
      if known.remove(member) != nil { members.removeAll { $0 == member } }
    }

    func content(isOrdered: Bool) -> [ObjectID] { isOrdered ? members : members.sorted() }
  }

  @Test(arguments: [false, true], Seeds.some(1, of: 4))
  func `holds what was linked, whenever it is read`(_ isOrdered: Bool, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = Self.store(isOrdered: isOrdered)
    let transaction = store.begin()
    let owner = transaction.insert(0, .integer(1))
    let other = transaction.insert(0, .integer(2))
    let members = (0..<Self.count).map { transaction.insert(1, .integer(Int64($0))) }
    var naive = NaiveList()
    for member in members.shuffled(using: &random) {
      transaction.link(member, 0, owner)
      naive.insert(member)
    }
    var isSame = true
    for step in 0..<3_000 {
      let member = members[Int.random(in: 0..<Self.count, using: &random)]
      switch Int.random(in: 0..<1_000, using: &random) {
      case 0..<300:
        transaction.link(member, 0, nil as ObjectID?)
        naive.remove(member)
      case 300..<350:
        transaction.link(member, 0, other)
        naive.remove(member)
      case 350..<370:
        let few = (0..<3).map { _ in members[Int.random(in: 0..<Self.count, using: &random)] }
        transaction.join(owner, 0, few)
        for member in few { naive.insert(member) }
      case 370..<380:
        let expected = naive.content(isOrdered: isOrdered)
        isSame = isSame && transaction.toMany(owner, relationship: 0) == expected
      case 380..<385:
        isSame =
          isSame
          && transaction.tables.memberCount(owner, relationship: 0) == naive.members.count
      case 385..<387: _ = try store.commit(transaction)
      default:
        transaction.link(member, 0, owner)
        naive.insert(member)
      }
      if !isSame {
        Issue.record("the list differs at step \(step)")
        break
      }
    }
    let expected = naive.content(isOrdered: isOrdered)
    #expect(transaction.toMany(owner, relationship: 0) == expected)
    #expect(try store.commit(transaction).graph.members(of: owner, 0) == expected)
  }

  @Test func `without inverse holds what was added in any order`() throws {
    var random = SeededGenerator(seed: 3)
    let store = Self.store(isOrdered: false, hasInverse: false)
    let transaction = store.begin()
    let owner = transaction.insert(0, .integer(1))
    let members = (0..<Self.count).map { transaction.insert(1, .integer(Int64($0))) }
    for member in members.shuffled(using: &random) { transaction.join(owner, 0, [member, member]) }
    #expect(!transaction.join(owner, 0, [members[7], members[3_000]]))
    #expect(transaction.toMany(owner, relationship: 0) == members)
  }

  @Test(arguments: [false, true])
  func `that is never read is published with all its changes`(_ isOrdered: Bool) throws {
    let store = Self.store(isOrdered: isOrdered)
    let transaction = store.begin()
    let owner = transaction.insert(0, .integer(1))
    let members = (0..<Self.count).map { transaction.insert(1, .integer(Int64($0))) }
    for member in members.reversed() { transaction.link(member, 0, owner) }
    let first = try store.commit(transaction).graph
    #expect(first.members(of: owner, 0) == (isOrdered ? members.reversed() : members))
    for member in members where member.row % 2 == 1 {
      transaction.link(member, 0, nil as ObjectID?)
    }
    #expect(transaction.difference().updated.contains { $0.object == owner })
    let second = try store.commit(transaction).graph
    let even = members.filter { $0.row % 2 == 0 }
    #expect(second.members(of: owner, 0) == (isOrdered ? even.reversed() : even))
    #expect(first.members(of: owner, 0).count == Self.count)
  }

  @Test func `goes with its owner, changes and all`() throws {
    let store = Self.store(isOrdered: false)
    let transaction = store.begin()
    let owner = transaction.insert(0, .integer(1))
    let members = (0..<Self.count).map { transaction.insert(1, .integer(Int64($0))) }
    for member in members.reversed() { transaction.link(member, 0, owner) }
    try transaction.delete([owner])
    let graph = try store.commit(transaction).graph
    let isFree = members.allSatisfy { graph.toOne($0, relationship: 0) == nil }
    #expect(isFree)
  }

  // Each change of the middle moved all members after it: for 120,000 members 100 GB.
  @Test func `grows in any order in little more time than at its end`() throws {
    let count = 120_000
    func seconds(_ order: ([ObjectID]) -> [ObjectID]) -> Double {
      let transaction = Self.store(isOrdered: false).begin()
      let owner = transaction.insert(0, .integer(1))
      let members = order((0..<count).map { transaction.insert(1, .integer(Int64($0))) })
      return ThreadTime.seconds {
        for member in members { transaction.link(member, 0, owner) }
        for member in members { transaction.link(member, 0, nil as ObjectID?) }
      }
    }
    var random = SeededGenerator(seed: 5)
    let straight = seconds { $0 }
    #expect(seconds { $0.shuffled(using: &random) } < straight * 6 + 0.5)
  }

  @Test func `in order loses its members at the other end without being searched for each`() throws
  {
    let count = 30_000
    let transaction = Self.store(isOrdered: true).begin()
    let owner = transaction.insert(0, .integer(1))
    let members = (0..<count).map { transaction.insert(1, .integer(Int64($0))) }
    for member in members { transaction.link(member, 0, owner) }
    var random = SeededGenerator(seed: 5)
    let order = members.shuffled(using: &random)
    // A search for each would take minutes.
    let seconds = ThreadTime.seconds {
      for member in order { transaction.link(member, 0, nil as ObjectID?) }
    }
    #expect(seconds < 5)
    #expect(transaction.toMany(owner, relationship: 0).isEmpty)
  }
}
