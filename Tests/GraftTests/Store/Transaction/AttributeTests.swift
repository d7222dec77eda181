import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct AttributeTests {
  /// The number of the attribute of a type in `Sample.everything`.
  private static func number(of type: AttributeType) -> Int {
    1 + (AttributeType.allCases.firstIndex(of: type) ?? 0)
  }

  private static let lengths = [0, 1, 4, 12, 13, 40, 700, 3000]
  /// Texts of a character, by their length.
  private static let texts = Dictionary(
    uniqueKeysWithValues: ["a", "é"].map { character in
      (
        character,
        Dictionary(
          uniqueKeysWithValues: lengths.map { ($0, String(repeating: character, count: $0)) })
      )
    })

  private static func value(
    of type: AttributeType, using random: inout SeededGenerator
  ) -> AttributeValue? {
    let integer = Int64.random(in: -5...5, using: &random)
    let length = lengths.randomElement(using: &random) ?? 0
    let text = texts[integer & 1 == 0 ? "a" : "é"]?[length] ?? ""
    if Int.random(in: 0..<8, using: &random) == 0 { return nil }
    return switch type {
    case .integer16, .integer32, .integer64: .integer(integer)
    case .double: .double(Double(integer) / 3)
    case .float: .float(Float(integer) / 3)
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(integer) / 3))
    case .boolean: .boolean(integer > 0)
    case .string: .string(text)
    case .transformable: .json("[\"\(text)\"]")
    case .binary: .binary(Data(text.utf8))
    case .decimal: .decimal(Decimal(integer) / 8)
    case .uri: URL(string: "http://localhost/\(integer)").map { .uri($0) }
    case .uuid:
      .uuid(UUID(uuid: (UInt8(length & 255), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
    }
  }

  @Test(arguments: Seeds.some(1, of: 3))
  func `every cell keeps the last value written, in the transaction and in every snapshot`(
    _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let store = GraphStore(model: Sample.everything)
    let transaction = store.begin()
    var naive: [[AttributeValue?]] = []
    var snapshots: [(Graph, [[AttributeValue?]])] = []
    for _ in 0..<6000 {
      if naive.count < 300, Int.random(in: 0..<10, using: &random) == 0 {
        transaction.insert(0, .integer(Int64(naive.count)))
        naive.append(Array(repeating: nil, count: AttributeType.allCases.count))
      }
      guard let row = naive.indices.randomElement(using: &random) else { continue }
      for (place, type) in AttributeType.allCases.enumerated() {
        let value = Self.value(of: type, using: &random)
        let changed = transaction.set(store.layout.objectID(entity: 0, row: row), place + 1, value)
        if changed != (naive[row][place] != value) { Issue.record("\(type) of \(row)") }
        naive[row][place] = value
      }
      if Int.random(in: 0..<200, using: &random) == 0 {
        snapshots.append((try store.commit(transaction).graph, naive))
      }
    }
    for (graph, expected) in snapshots {
      for (row, values) in expected.enumerated() {
        let object = try #require(graph.object(store.layout.objectID(entity: 0, row: row)))
        #expect(AttributeType.allCases.map { object[$0.rawValue] } == values)
      }
    }
    #expect(snapshots.count > 10)
  }

  @Test func `writing what is there copies nothing`() throws {
    let store = GraphStore(model: Sample.timeline)
    let transaction = store.begin()
    let id = transaction.insert(0, .integer(1))
    transaction.set(id, 1, .string("a name that is longer than a cell"))
    _ = try store.commit(transaction)
    #expect(!transaction.set(id, 1, .string("a name that is longer than a cell")))
    #expect(!transaction.set(id, 2, .integer(0)))
    #expect(!transaction.tables[0].isChanged)
  }

  @Test func `new objects have their defaults`() {
    let transaction = GraphStore(model: Sample.timeline).begin()
    let id = transaction.insert(0, .integer(1))
    #expect(transaction.get(id, 2) == .integer(0))
    #expect(transaction.isNull(id, attribute: 1))
  }

  @Test func `replacing a text again and again does not pile up memory`() throws {
    let store = GraphStore(model: Sample.timeline)
    let setup = store.begin()
    let id = setup.insert(1, .integer(1))
    _ = try store.commit(setup)
    for round in 0..<400 {
      let transaction = store.begin()
      transaction.set(id, 1, .string(String(repeating: "x", count: 500 + round)))
      _ = try store.commit(transaction)
    }
    let header = store.graph.place(of: id).group.header
    #expect(header.allocated < 40_000)
    #expect(Int(header.pageCount) <= GroupPointer.mostPages + 1)
  }

  @Test func `a value may be larger than any page`() throws {
    let store = GraphStore(model: Sample.timeline)
    let transaction = store.begin()
    let id = transaction.insert(1, .integer(1))
    let long = String(repeating: "long ", count: 1_000_000)
    transaction.set(id, 1, .string(long))
    let graph = try store.commit(transaction).graph
    #expect(graph.object(id)?["text"] == .string(long))
    transaction.set(id, 1, .string("short"))
    #expect(try store.commit(transaction).graph.object(id)?["text"] == .string("short"))
    #expect(graph.object(id)?["text"] == .string(long))
    #expect(store.graph.place(of: id).group.header.allocated < 1000)
  }
}
