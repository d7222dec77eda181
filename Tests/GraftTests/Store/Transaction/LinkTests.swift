import Testing

@testable import Graft
@testable import GraftTestSupport

// Every combination of ends, driven by random operations and compared with a naive model: a set of
// links, from which both sides are read.

@Suite struct LinkTests {
  /// The form of one end of a relationship.
  enum End: String, CaseIterable { case one, many, ordered }

  struct Shape: Sendable, CustomTestStringConvertible {
    var left: End
    var right: End
    var testDescription: String { "\(left) to \(right)" }
  }

  static let shapes = End.allCases.flatMap { left in
    End.allCases.map { Shape(left: left, right: $0) }
  }

  private static func end(_ name: String, _ end: End, to: Int, inverse: Int) -> Sample.Relationship
  {
    Sample.relationship(
      name, to: to, inverse: inverse, many: end != .one, ordered: end == .ordered)
  }

  /// Two entities, `left` leads from 0 to 1 and `right` back.
  private static func model(_ shape: Shape) -> GraphModel {
    let id = Sample.attribute("id", .integer64)
    return Sample.model([
      Sample.entity(
        "A", attributes: [id], relationships: [end("left", shape.left, to: 1, inverse: 0)],
        identity: [0]),
      Sample.entity(
        "B", attributes: [id], relationships: [end("right", shape.right, to: 0, inverse: 0)],
        identity: [0]),
    ])
  }

  @Test(arguments: shapes, Seeds.some(1, of: 3))
  func `both sides agree after any sequence of writes`(_ shape: Shape, _ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = GraphStore(model: Self.model(shape))
    let transaction = store.begin()
    var naive = NaiveLinks(ends: [shape.left, shape.right])
    var objects: [[ObjectID]] = [[], []]
    for number in 0..<24 {
      let entity = number % 2
      objects[entity].append(transaction.insert(entity, .integer(Int64(number))))
    }
    for step in 0..<600 {
      let side = Int.random(in: 0...1, using: &random)
      guard let source = objects[side].randomElement(using: &random) else { break }
      let candidates = objects[1 - side]
      let targets = (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
        candidates.randomElement(using: &random)
      }
      let isOne = (side == 0 ? shape.left : shape.right) == .one
      switch Int.random(in: 0..<20, using: &random) {
      case 0 where objects[side].count > 4:
        try transaction.delete([source])
        naive.delete(source)
        objects[side].removeAll { $0 == source }
      case 1:
        _ = try store.commit(transaction)
      case 2..<8 where !isOne:
        let changes = transaction.join(source, 0, targets)
        #expect(changes == naive.unite(source, targets))
      default:
        let changed =
          isOne ? transaction.link(source, 0, targets.first) : transaction.link(source, 0, targets)
        #expect(changed == naive.replace(source, isOne ? Array(targets.prefix(1)) : targets))
      }
      for object in objects.joined() {
        let found =
          (object.entity == 0 ? shape.left : shape.right) == .one
          ? transaction.toOne(object, relationship: 0).map { [$0] } ?? []
          : transaction.toMany(object, relationship: 0)
        let isSame = found == naive.targets(of: object)
        try #require(isSame, "\(object) at step \(step)")
      }
    }
  }

  @Test(arguments: End.allCases, Seeds.some(1, of: 3))
  func `a relationship that is its own inverse stays symmetric`(
    _ end: End, _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let entity = Sample.entity(
      "Person", attributes: [Sample.attribute("id", .integer64)],
      relationships: [Self.end("peers", end, to: 0, inverse: 0)], identity: [0])
    let store = GraphStore(model: Sample.model([entity]))
    let transaction = store.begin()
    var people = (0..<10).map { transaction.insert(0, .integer($0)) }
    func peers(_ id: ObjectID) -> [ObjectID] {
      end == .one
        ? transaction.toOne(id, relationship: 0).map { [$0] } ?? []
        : transaction.toMany(id, relationship: 0)
    }
    for _ in 0..<500 {
      let source = try #require(people.randomElement(using: &random))
      let targets = (0..<4).compactMap { _ in people.randomElement(using: &random) }
      if Int.random(in: 0..<25, using: &random) == 0, people.count > 3 {
        try transaction.delete([source])
        people.removeAll { $0 == source }
      } else if end == .one {
        transaction.link(source, 0, targets.first)
        #expect(peers(source) == [targets[0]])
      } else {
        transaction.link(source, 0, targets)
        #expect(Set(peers(source)) == Set(targets))
      }
      for person in people {
        try #require(Set(peers(person)).count == peers(person).count)
        let isSymmetric = peers(person).allSatisfy { peers($0).contains(person) }
        try #require(isSymmetric)
      }
    }
  }

  @Test(arguments: [End.many, .ordered], [End.one, .many])
  func `a list that grows in many steps is not searched or copied in each`(
    _ end: End, _ inverse: End
  ) throws {
    let transaction = GraphStore(model: Self.model(Shape(left: end, right: inverse))).begin()
    let owner = transaction.insert(0, .integer(0))
    let members = (0..<30_000).map { transaction.insert(1, .integer($0)) }
    // A search in each step would take a quarter of a minute.
    let seconds = ThreadTime.seconds {
      for start in stride(from: 0, to: members.count, by: 3) {
        let few = Array(members[start..<start + 3])
        if !transaction.join(owner, 0, few + few) { Issue.record("nothing joins at \(start)") }
      }
    }
    #expect(seconds < 2.5)
    #expect(!transaction.join(owner, 0, [members[1], members[25_000]]))
    #expect(transaction.toMany(owner, relationship: 0) == members)
  }

  @Test func `a long list takes members at its end and loses them anywhere`() throws {
    let store = GraphStore(model: Sample.timeline)
    let transaction = store.begin()
    let user = transaction.insert(0, .integer(1))
    transaction.set(user, 1, .string("one"))
    let tweets = (0..<20_000).map { transaction.insert(1, .integer($0)) }
    for tweet in tweets { transaction.link(tweet, 0, user) }
    #expect(transaction.toMany(user, relationship: 0) == tweets)
    _ = try store.commit(transaction)
    for tweet in tweets where tweet.row % 3 == 0 { transaction.link(tweet, 0, nil as ObjectID?) }
    #expect(transaction.toMany(user, relationship: 0) == tweets.filter { $0.row % 3 != 0 })
    try transaction.delete(tweets.filter { $0.row % 3 == 1 })
    #expect(transaction.toMany(user, relationship: 0) == tweets.filter { $0.row % 3 == 2 })
    #expect(store.graph.members(of: user, 0) == tweets)
  }
}

/// Links as pairs, kept in the order that each end shows.
private struct NaiveLinks {
  private let ends: [LinkTests.End]
  private var lists: [ObjectID: [ObjectID]] = [:]

  init(ends: [LinkTests.End]) { self.ends = ends }

  func targets(of id: ObjectID) -> [ObjectID] {
    let list = lists[id] ?? []
    return ends[id.entity] == .many ? list.sorted() : list
  }

  mutating func replace(_ source: ObjectID, _ targets: [ObjectID]) -> Bool {
    let before = self.targets(of: source)
    var unique: [ObjectID] = []
    for target in targets where !unique.contains(target) { unique.append(target) }
    for old in before where !unique.contains(old) { lists[old]?.removeAll { $0 == source } }
    for new in unique.sorted(by: { ends[source.entity] == .many ? $0 < $1 : false })
    where !before.contains(new) {
      if ends[new.entity] == .one {
        for previous in lists[new] ?? [] { lists[previous]?.removeAll { $0 == new } }
        lists[new] = []
      }
      lists[new, default: []].append(source)
    }
    lists[source] = unique
    return self.targets(of: source) != before
  }

  mutating func unite(_ source: ObjectID, _ targets: [ObjectID]) -> Bool {
    replace(source, self.targets(of: source) + targets)
  }

  mutating func delete(_ id: ObjectID) {
    for other in lists[id] ?? [] { lists[other]?.removeAll { $0 == id } }
    lists[id] = nil
  }
}
