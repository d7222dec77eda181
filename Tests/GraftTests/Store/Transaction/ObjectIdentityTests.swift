import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct ObjectIdentityTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `the index finds what a dictionary finds`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = GraphStore(model: Sample.timeline)
    let transaction = store.begin()
    var naive: [Int64: ObjectID] = [:]
    for step in 0..<20_000 {
      let key = Int64.random(in: 0..<3000, using: &random)
      #expect(transaction.find(1, .integer(key)) == naive[key])
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        if naive[key] == nil { naive[key] = transaction.insert(1, .integer(key)) }
      case 5, 6:
        if let id = naive.removeValue(forKey: key) { try transaction.delete([id]) }
      case 7:
        let other = Int64.random(in: 0..<3000, using: &random)
        guard let id = naive[key] else { break }
        if let taken = naive[other], taken != id {
          #expect(throws: StoreError.self) { try transaction.identify(id, .integer(other)) }
        } else {
          #expect(try transaction.identify(id, .integer(other)) == (other != key))
          naive[key] = nil
          naive[other] = id
        }
      default:
        if step % 500 == 0 { _ = try store.commit(transaction) }
      }
    }
    let graph = try store.commit(transaction).graph
    for key in 0..<3000 as Range<Int64> {
      let found = try graph.object("Tweet", identifiedBy: ["id": .integer(key)])
      #expect(found?.id == naive[key])
    }
    #expect(try graph.count(of: "Tweet") == naive.count)
  }

  static let samples: [(AttributeType, AttributeValue, AttributeValue)] = [
    (.integer16, .integer(-7), .integer(7)),
    (.integer64, .integer(.min), .integer(.max)),
    (.double, .double(0.5), .double(-0.5)),
    (.float, .float(0.5), .float(0.25)),
    (.boolean, .boolean(true), .boolean(false)),
    (.date, .date(Date(timeIntervalSince1970: 1)), .date(Date(timeIntervalSince1970: 2))),
    (.decimal, .decimal(1), .decimal(2)),
    (.string, .string(""), .string("a text that is longer than a cell")),
    (
      .string, .string("a text that is longer than a cell"),
      .string("a text that is not the same one")
    ),
    (.binary, .binary(Data([0])), .binary(Data([0, 0]))),
    (.uuid, .uuid(UUID()), .uuid(UUID())),
  ]

  @Test(arguments: samples)
  func `an identity may be of any type`(
    _ type: AttributeType, _ one: AttributeValue, _ other: AttributeValue
  ) throws {
    let attributes = [Sample.attribute("key", type)]
    let store = GraphStore(
      model: Sample.model([Sample.entity("E", attributes: attributes, identity: [0])]))
    let transaction = store.begin()
    let id = transaction.insert(0, one)
    #expect(transaction.find(0, one) == id)
    #expect(transaction.find(0, other) == nil)
    #expect(transaction.get(id, 0) == one)
    let graph = try store.commit(transaction).graph
    #expect(try graph.object("E", identifiedBy: ["key": one])?.id == id)
    #expect(try graph.object("E", identifiedBy: ["key": other]) == nil)
  }

  @Test func `zero and minus zero are one identity`() {
    let attributes = [Sample.attribute("key", .double)]
    let store = GraphStore(
      model: Sample.model([Sample.entity("E", attributes: attributes, identity: [0])]))
    let transaction = store.begin()
    #expect(transaction.insert(0, .double(0)) == transaction.find(0, .double(-0.0)))
  }

  @Test func `several attributes are one identity, each counts, and null is none`() {
    let attributes = [Sample.attribute("a", .string), Sample.attribute("b", .integer64)]
    let store = GraphStore(
      model: Sample.model([Sample.entity("E", attributes: attributes, identity: [0, 1])]))
    let transaction = store.begin()
    let one = transaction.insert(0, .string("x"), .integer(1))
    let two = transaction.insert(0, .string("x"), .integer(2))
    #expect(transaction.find(0, .string("x"), .integer(1)) == one)
    #expect(transaction.find(0, .string("x"), .integer(2)) == two)
    #expect(transaction.find(0, .string("y"), .integer(2)) == nil)
    let halves: [RawValue] = [.integer(1), .null]
    let found = halves.withBorrowed { transaction.find(identityOf: 0, $0) }
    #expect(found == nil)
  }

  @Test func `a family shares one identity`() throws {
    let attributes = [Sample.attribute("id", .integer64)]
    let store = GraphStore(
      model: Sample.model([
        Sample.entity("Shape", attributes: attributes, identity: [0]),
        Sample.entity(
          "Circle", superentity: 0),
        Sample.entity(
          "Square", superentity: 0),
      ]))
    let transaction = store.begin()
    let circle = transaction.insert(1, .integer(1))
    #expect(transaction.find(0, .integer(1)) == circle)
    #expect(transaction.find(2, .integer(1)) == circle)
    let graph = try store.commit(transaction).graph
    #expect(try graph.object("Shape", identifiedBy: ["id": .integer(1)])?.entityName == "Circle")
    #expect(try graph.object("Square", identifiedBy: ["id": .integer(1)]) == nil)
  }
}
