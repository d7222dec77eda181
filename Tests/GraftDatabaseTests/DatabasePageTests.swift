import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// Pages of any size, in any order of any attributes, are together the whole ordered list, each object once.
@Suite struct `Pages of a database` {
  private static let attributes: [(name: String, type: AttributeType)] = [
    ("count", .integer32), ("price", .decimal), ("score", .double), ("ratio", .float),
    ("title", .string), ("isOpen", .boolean), ("day", .date), ("token", .uuid), ("bytes", .binary),
    ("link", .uri), ("extra", .transformable),
  ]

  /// The key of the table's rows.
  enum Key: CaseIterable, Sendable {
    case identity
    /// An identity of two attributes.
    case identities
    /// A number of the database's own, because another relationship finds the objects by an attribute.
    case row
  }

  private static func model(_ key: Key) throws -> GraphModel {
    let identity = key == .identities ? "title,id" : "id"
    let things = EntityDescription.make(
      "Thing", identity: identity,
      [.make("id", .integer64)] + attributes.map { .make($0.name, $0.type) })
    var finder = EntityDescription.make("Finder", [], [.make("thing", to: "Thing")])
    if key == .row { finder.relationships[0].userInfo = ["JSONRelatedBy": "count"] }
    let special = EntityDescription.make("Special", identity: "", parent: "Thing")
    return try GraphModel(entities: [things, finder, special], dialect: .graft)
  }

  /// One of few values, so that many are the same, or none.
  private static func value(
    _ type: AttributeType, _ random: inout SeededGenerator
  ) -> AttributeValue? {
    let number = Int.random(in: -1...3, using: &random)
    guard number >= 0 else { return nil }
    let value = Double(number) - 1.5
    switch type {
    case .integer16, .integer32, .integer64: return .integer(Int64(number) * 10 - 15)
    // 9.5 comes before 10, though its digits do not.
    case .decimal: return .decimal([9.5, 10, -2, 100][number])
    case .double: return .double(value)
    case .float: return .float(Float(value))
    case .string: return .string(["", "a", "B", "ä"][number])
    case .boolean: return .boolean(number > 1)
    case .date: return .date(Date(timeIntervalSince1970: value * 1e9))
    case .binary: return .binary(Data([UInt8(number), 0]))
    case .uuid:
      return UUID(uuidString: "0000000\(number)-0000-0000-0000-00000000000A").map { .uuid($0) }
    case .uri: return URL(string: "x:\(number)").map { .uri($0) }
    case .transformable: return .json("[\(number)]")
    }
  }

  private static func fill(
    _ database: GraphDatabase, _ count: Int, _ random: inout SeededGenerator
  ) throws {
    var generator = random
    try database.write { graph in
      for number in (0..<count).shuffled(using: &generator) {
        let entity = Bool.random(using: &generator) ? "Thing" : "Special"
        let thing = try graph.insert(entity)
        thing["id"] = .integer(Int64(number))
        for attribute in attributes {
          var value = value(attribute.type, &generator)
          if attribute.name == "title", value == nil { value = .string("none") }
          thing[attribute.name] = value
        }
      }
    }
    random = generator
  }

  /// Less than 0 where a value comes first; nil comes last in any direction.
  private static func compare(
    _ first: AttributeValue?, _ second: AttributeValue?, isReversed: Bool
  ) -> Int {
    guard let first, let second else { return (first == nil ? 1 : 0) - (second == nil ? 1 : 0) }
    let order =
      switch (first, second) {
      case (.integer(let first), .integer(let second)): first < second ? -1 : first > second ? 1 : 0
      case (.decimal(let first), .decimal(let second)): first < second ? -1 : first > second ? 1 : 0
      case (.double(let first), .double(let second)): first < second ? -1 : first > second ? 1 : 0
      case (.float(let first), .float(let second)): first < second ? -1 : first > second ? 1 : 0
      case (.date(let first), .date(let second)): first < second ? -1 : first > second ? 1 : 0
      case (.boolean(let first), .boolean(let second)): (first ? 1 : 0) - (second ? 1 : 0)
      default:
        bytes(first).lexicographicallyPrecedes(bytes(second))
          ? -1 : bytes(second).lexicographicallyPrecedes(bytes(first)) ? 1 : 0
      }
    return isReversed ? -order : order
  }

  private static func bytes(_ value: AttributeValue) -> [UInt8] {
    switch value {
    case .string(let text), .json(let text): Array(text.utf8)
    case .binary(let data): Array(data)
    case .uri(let url): Array(url.absoluteString.utf8)
    case .uuid(let uuid): Array(uuid.uuidString.utf8)
    default: []
    }
  }

  private static func expected(
    _ objects: [GraphObject], _ keys: [(name: String, isReversed: Bool)]
  ) -> [GraphObject] {
    let byKey = keys.last?.isReversed == true ? objects.reversed() : objects
    let positions = byKey.indices.sorted { first, second in
      for key in keys {
        let order = compare(
          byKey[first][key.name], byKey[second][key.name], isReversed: key.isReversed)
        if order != 0 { return order < 0 }
      }
      return first < second
    }
    return positions.map { byKey[$0] }
  }

  @Test(arguments: DatabaseKind.with(Key.allCases), Seeds.some(4, of: 40))
  func `are together the whole list in its order`(
    trial: (kind: DatabaseKind, key: Key), seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let database = try TrialDatabase.opened(trial.kind, Self.model(trial.key))
    let count = Int.random(in: 1...17, using: &random)
    try Self.fill(database, count, &random)
    // In the order of their keys, and none twice.
    let all = try database.objects("Thing")
    #expect(Set(all.map { $0["id"] }).count == count)
    for _ in 0..<6 {
      let keys = Self.attributes.shuffled(using: &random)
        .prefix(Int.random(in: 0...3, using: &random))
        .map { (name: $0.name, isReversed: Bool.random(using: &random)) }
      let order = DatabaseOrder<GraphObject>(
        keys.map { $0.isReversed ? .reverse($0.name) : .forward($0.name) })
      let entity = Bool.random(using: &random) ? "Thing" : "Special"
      let wanted = Self.expected(all.filter { entity == "Thing" || $0.entityName == entity }, keys)
        .map { $0["id"] }
      let whole = try database.objects(entity, orderedBy: order)
      #expect(whole.map { $0["id"] } == wanted, "\(keys)")
      let size = Int.random(in: 1...count, using: &random)
      var pages: [GraphObject] = []
      while true {
        let page = try database.objects(entity, orderedBy: order, after: pages.last, limit: size)
        pages += page
        guard page.count == size, pages.count <= count else { break }
      }
      #expect(pages.map { $0["id"] } == wanted, "\(keys), \(size) at a time")
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `go on after an object that was deleted or changed`(kind: DatabaseKind) throws {
    let database = try TrialDatabase.opened(kind, Self.model(.identity))
    try database.write { graph in
      for number in 0..<6 {
        let thing = try graph.insert("Thing")
        thing["id"] = .integer(Int64(number))
        thing["count"] = .integer(Int64(number / 2))
      }
    }
    let first = try database.objects("Thing", orderedBy: .reverse("count"), limit: 3)
    #expect(first.map { $0["id"] } == [.integer(5), .integer(4), .integer(3)])
    try database.write { try $0.object("Thing", identifiedBy: ["id": .integer(3)])?.delete() }
    let second = try database.objects("Thing", orderedBy: .reverse("count"), after: first.last)
    #expect(second.map { $0["id"] } == [.integer(2), .integer(1), .integer(0)])
  }

  @Test func `refuse an object of another entity or without identity`() throws {
    let model = try GraphModel(
      entities: [.make("A", identity: "", [.make("x")]), .make("B")], dialect: .graft)
    let database = try TrialDatabase.opened(.sqlite, model)
    try database.write { graph in
      try graph.insert("A")["x"] = .string("1")
      try graph.insert("B")["id"] = .integer(1)
    }
    let other = try #require(try database.objects("B").first)
    let error = #expect(throws: StoreError.self) { try database.objects("A", after: other) }
    #expect(error?.message == "a page of A continues after an object of it, not after one of B")
    let anonymous = try #require(try database.objects("A").first)
    #expect(throws: StoreError.self) { try database.objects("A", after: anonymous) }
  }
}
