import Testing

@testable import Graft
@testable import GraftTestSupport

/// A stub is promoted to an object of a sub-entity while others commit.
@Suite struct `A stub that is promoted beside other writers` {
  private enum Kind {
    static let party = 0
    static let person = 1
    static let company = 2
    static let note = 3
  }

  private let store: GraphStore
  private let stub: ObjectID
  private let other: ObjectID
  private let notes: [ObjectID]

  /// Two notes on the stub, which is 7; both lead to it in every way.
  private init(rule: DeleteRule) throws {
    store = GraphStore(
      model: Sample.model([
        Sample.entity(
          "Party", attributes: [Sample.attribute("id", .integer64)],
          relationships: [
            Sample.relationship("notes", to: Kind.note, inverse: 0, many: true, rule: rule)
          ],
          identity: [0]),
        Sample.entity(
          "Person", superentity: Kind.party, attributes: [Sample.attribute("age", .integer64)]),
        Sample.entity("Company", superentity: Kind.party),
        Sample.entity(
          "Note", attributes: [Sample.attribute("id", .integer64)],
          relationships: [
            Sample.relationship("party", to: Kind.party, inverse: 0),
            Sample.relationship("sender", to: Kind.party, inverse: nil),
            Sample.relationship(
              "readers", to: Kind.party, inverse: nil, many: true, ordered: true),
          ],
          identity: [0]),
      ]))
    let setup = store.begin()
    let stub = setup.insert(Kind.party, .integer(7), stub: true)
    let other = setup.insert(Kind.party, .integer(8))
    notes = (1...2 as ClosedRange<Int64>).map { number in
      let note = setup.insert(Kind.note, .integer(number))
      setup.link(note, 0, stub)
      setup.link(note, 1, stub)
      setup.link(note, 2, [stub, other])
      return note
    }
    (self.stub, self.other) = (stub, other)
    _ = try store.commit(setup)
  }

  init() throws {
    try self.init(rule: .nullify)
  }

  /// Does what an import does that reads an object of a sub-entity with the stub's identity.
  private func promote(
    in transaction: GraphTransaction, to entity: Int = Kind.person
  ) -> ObjectID {
    let object = transaction.promote(stub, to: entity, .integer(7))
    transaction.redirectOneWayLinks([stub: object])
    return object
  }

  @Test(arguments: [DeleteRule.nullify, .cascade, .deny])
  func `takes nothing along that another writer has linked to it`(_ rule: DeleteRule) throws {
    let trial = try Self(rule: rule)
    let (one, two) = (trial.store.begin(), trial.store.begin())
    let person = trial.promote(in: one)
    one.set(person, 1, .integer(36))
    let note = two.insert(Kind.note, .integer(3))
    two.link(note, 0, trial.stub)
    two.link(note, 1, trial.stub)
    two.link(note, 2, [trial.other, trial.stub])
    _ = try trial.store.commit(two)
    let result = try trial.store.commit(one)
    let (graph, replacement) = (result.graph, result.current(person))
    #expect(graph.object(trial.stub) == nil)
    #expect(graph.object(replacement)?["age"] == .integer(36))
    #expect(graph.members(of: replacement, 0) == trial.notes + [note])
    #expect(graph.toOne(note, relationship: 0) == replacement)
    #expect(graph.toOne(note, relationship: 1) == replacement)
    #expect(graph.members(of: note, 2) == [trial.other, replacement])
    #expect(graph.members(of: trial.notes[0], 2) == [replacement, trial.other])
  }

  @Test func `gets no link back that another writer has removed`() throws {
    let (one, two) = (store.begin(), store.begin())
    let person = promote(in: one)
    two.link(notes[0], 0, other)
    two.link(notes[0], 1, other)
    two.link(notes[0], 2, [other])
    _ = try store.commit(two)
    let result = try store.commit(one)
    let (graph, replacement) = (result.graph, result.current(person))
    #expect(graph.members(of: replacement, 0) == [notes[1]])
    #expect(graph.toOne(notes[0], relationship: 0) == other)
    #expect(graph.toOne(notes[0], relationship: 1) == other)
    #expect(graph.members(of: notes[0], 2) == [other])
    #expect(graph.toOne(notes[1], relationship: 1) == replacement)
  }

  @Test func `leads later links of others to what is in its place`() throws {
    let (one, two) = (store.begin(), store.begin())
    let person = promote(in: one)
    let note = two.insert(Kind.note, .integer(3))
    two.link(note, 0, stub)
    two.link(note, 1, stub)
    two.link(note, 2, [other, stub])
    _ = try store.commit(one)
    let graph = try store.commit(two).graph
    #expect(graph.members(of: person, 0) == notes + [note])
    #expect(graph.toOne(note, relationship: 0) == person)
    #expect(graph.toOne(note, relationship: 1) == person)
    #expect(graph.members(of: note, 2) == [other, person])
  }

  @Test func `is deleted if what took its place was`() throws {
    let (one, two) = (store.begin(), store.begin())
    try one.delete([promote(in: one)])
    two.insert(Kind.note, .integer(3))
    _ = try store.commit(two)
    let graph = try store.commit(one).graph
    #expect(try graph.object("Party", identifiedBy: ["id": .integer(7)]) == nil)
    #expect(graph.toOne(notes[0], relationship: 0) == nil)
  }

  @Test func `makes room for an object that knew nothing of it`() throws {
    let store = GraphStore(model: self.store.model)
    let (one, two) = (store.begin(), store.begin())
    let note = one.insert(Kind.note, .integer(1))
    one.link(note, 0, one.insert(Kind.party, .integer(7), stub: true))
    let person = two.insert(Kind.person, .integer(7))
    two.set(person, 1, .integer(36))
    _ = try store.commit(one)
    let result = try store.commit(two)
    #expect(try result.graph.count(of: "Party") == 1)
    #expect(result.graph.object(result.current(person))?["age"] == .integer(36))
    #expect(result.graph.toOne(note, relationship: 0) == result.current(person))
  }

  @Test(arguments: [false, true])
  func `conflicts if it was filled or promoted to another entity`(isFilled: Bool) throws {
    let (one, two) = (store.begin(), store.begin())
    let person = promote(in: one)
    if isFilled { two.setStub(stub, false) } else { _ = promote(in: two, to: Kind.company) }
    let before = try store.commit(two).graph
    let error = #expect(throws: StoreError.self) { try store.commit(one) }
    #expect(error?.kind == .duplicateIdentity)
    #expect(
      error?.message.hasPrefix(
        "Person(id: 7): its identity belongs to \(isFilled ? "Party" : "Company")(id: 7)") == true)
    #expect(store.graph.storage === before.storage)
    #expect(one.contains(person), "the transaction is as it was")
  }
}
