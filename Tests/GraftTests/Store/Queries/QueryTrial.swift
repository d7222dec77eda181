import Foundation

@testable import Graft
@testable import GraftTestSupport

/// A store of random objects of an entity "Item" and one below it, of several commits, with values
/// that are likely to be mixed up.
struct QueryTrial {
  let type: AttributeType
  /// The graph after each commit.
  private(set) var graphs: [Graph] = []
  let store: GraphStore
  private var generator: SeededGenerator

  init(_ type: AttributeType, count: Int = 160, commits: Int = 3, seed: UInt64) throws {
    self.type = type
    generator = SeededGenerator(seed: seed)
    // So wide that a group has no more than 64 rows, and a few thousand fill several chunks.
    let padding = (0..<64).map { AttributeDescription(name: "padding\($0)", type: .string) }
    let item = EntityDescription(
      name: "Item",
      attributes: [
        AttributeDescription(name: "indexed", type: type, isIndexed: true),
        AttributeDescription(name: "plain", type: type),
      ] + padding)
    // Declared before the entity above, so that it has the lower number.
    let special = EntityDescription(
      name: "Special", superentity: "Item",
      attributes: [AttributeDescription(name: "note", type: .string)])
    store = GraphStore(model: try GraphModel(entities: [special, item]))
    for _ in 0..<commits {
      try commit(count)
      graphs.append(store.graph)
    }
  }

  private mutating func commit(_ count: Int) throws {
    var generator = generator
    let pool = Self.pool(type)
    try store.write { graph in
      for object in try graph.objects("Item") where Int.random(in: 0..<8, using: &generator) == 0 {
        if Bool.random(using: &generator) {
          try graph.delete(object)
        } else {
          object["indexed"] = pool.randomElement(using: &generator) ?? nil
          object["plain"] = pool.randomElement(using: &generator) ?? nil
        }
      }
      for _ in 0..<count {
        var values: [String: AttributeValue] = [:]
        values["indexed"] = pool.randomElement(using: &generator) ?? nil
        values["plain"] = pool.randomElement(using: &generator) ?? nil
        let isSpecial = Int.random(in: 0..<4, using: &generator) == 0
        try graph.insert(isSpecial ? "Special" : "Item", values)
      }
    }
    self.generator = generator
  }

  /// Values, and the lack of one, of a type.
  static func pool(_ type: AttributeType) -> [AttributeValue?] {
    let texts = [
      "", "a", "a\0", "b", "prefix__", "prefix__a", "prefix__b", "prefix__\0", "é", "e\u{301}",
      "\u{FFFF}", "😀", "Z", "a longer text that is kept elsewhere",
      "a longer text that is kept apart",
    ]
    let numbers = [
      0, -0.0, 1, -1, 0.5, -0.5, .infinity, -.infinity, .nan, 1e300, -1e300, .leastNonzeroMagnitude,
    ]
    let values: [AttributeValue] =
      switch type {
      case .integer16: [0, 1, -1, 7, .min, .max].map { (value: Int16) in .integer(Int64(value)) }
      case .integer32: [0, 1, -1, 7, .min, .max].map { (value: Int32) in .integer(Int64(value)) }
      case .integer64: [0, 1, -1, 7, 256, 255, .min, .max].map { .integer($0) }
      case .decimal:
        [
          "0", "0.1", "0.1000000000000000000000000001", "-0.1",
          "-0.1000000000000000000000000001", "18446744073709551615", "18446744073709551614", "9",
          "10",
        ].compactMap { Decimal(string: $0).map { .decimal($0) } }
      case .double: numbers.map { .double($0) }
      case .float: numbers.map { .float(Float($0)) }
      case .string: texts.map { .string($0) }
      case .boolean: [.boolean(false), .boolean(true)]
      case .date:
        [0, -1, 0.5, 1e9].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
      case .binary: texts.map { .binary(Data($0.utf8)) }
      case .uuid:
        (0..<6).map { (byte: UInt8) in
          .uuid(UUID(uuid: (byte & 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte & 2, byte)))
        }
      case .uri:
        ["https://a.b/1", "https://a.b/2", "https://a.b/10"].compactMap {
          URL(string: $0).map { .uri($0) }
        }
      case .transformable: [.json("1"), .json("[1,2]"), .json("{\"a\":\"a longer text\"}")]
      }
    return values + [nil]
  }
}

/// Filters and sorts value by value, to compare queries with.
extension QueryTrial {
  static func precede(_ first: AttributeValue, _ second: AttributeValue) -> Bool {
    switch (first, second) {
    case (.integer(let one), .integer(let other)): one < other
    case (.decimal(let one), .decimal(let other)): one < other
    case (.double(let one), .double(let other)): one < other || !one.isNaN && other.isNaN
    case (.float(let one), .float(let other)): one < other || !one.isNaN && other.isNaN
    case (.boolean(let one), .boolean(let other)): !one && other
    case (.date(let one), .date(let other)): one < other
    case (.string(let one), .string(let other)), (.json(let one), .json(let other)):
      one.unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
    case (.uri(let one), .uri(let other)):
      one.absoluteString.unicodeScalars
        .lexicographicallyPrecedes(other.absoluteString.unicodeScalars)
    case (.binary(let one), .binary(let other)): one.lexicographicallyPrecedes(other)
    case (.uuid(let one), .uuid(let other)): one.uuidString < other.uuidString
    default: fatalError("values of different types")
    }
  }

  static func same(_ first: AttributeValue, _ second: AttributeValue) -> Bool {
    !precede(first, second) && !precede(second, first)
  }

  /// The objects of a graph by an attribute, those without a value last.
  static func sorted(
    _ objects: [GraphObject], by attribute: String, isReversed: Bool = false
  ) -> [GraphObject] {
    let known = objects.enumerated().compactMap { offset, object in
      object.value(attribute).map { (offset: offset, value: $0, object: object) }
    }
    let sorted = known.sorted { first, second in
      if precede(first.value, second.value) { return !isReversed }
      if precede(second.value, first.value) { return isReversed }
      return first.offset < second.offset
    }
    return sorted.map(\.object) + objects.filter { $0.value(attribute) == nil }
  }
}
