@testable import Graft

// Models and documents for the laws of importing, repeatable by their seed.
//
// The entities E0, E1 … have whatever relationships chance gives them. Some have sub-entities, which
// a discriminator tells apart and which read the same key as different types; some find an object of
// F in the very object that they are read from.

/// A model of random shape, and documents that fit it.
struct RandomImport {
  /// The entities at which relationships and roots lead.
  private let bases: [EntityDescription]

  private let model: GraphModel

  /// An empty store; documents without roots are read as objects of the first entity.
  func trial() -> ImportTrial { ImportTrial(model, entity: "E0") }

  /// Makes a model in which any entity may lead to any, with and without identity, sub-entities,
  /// inverse and order.
  init(_ random: inout SeededGenerator) throws {
    let count = Int.random(in: 1...4, using: &random)
    var bases: [EntityDescription] = []
    var others: [EntityDescription] = []
    for number in 0..<count {
      var base = Self.entity(number, of: count, &random)
      if Int.random(in: 0..<3, using: &random) == 0 {
        base.userInfo["JSONDiscriminator"] = ["kind", "deep.kind"].randomElement(using: &random)
        base.isAbstract = Bool.random(using: &random)
        for (letter, type) in [("A", AttributeType.string), ("B", .transformable)] {
          others.append(
            .make(
              "E\(number)\(letter)", identity: "", parent: "E\(number)", [.make("own", type)], [],
              ["JSONDiscriminatorValue": letter]))
        }
      }
      bases.append(base)
    }
    if bases.contains(where: \.hasFlat) {
      others.append(.make("F", identity: "fid", [.make("fid", .integer64), .make("fname")]))
    }
    self.bases = bases
    model = try GraphModel(entities: bases + others, dialect: .graft)
  }

  private static func entity(
    _ number: Int, of count: Int, _ random: inout SeededGenerator
  ) -> EntityDescription {
    var attributes: [AttributeDescription] = []
    for (index, type) in types.enumerated() where Bool.random(using: &random) {
      attributes.append(.make("a\(index)", type, ["JSONKeyPath": path("a\(index)", &random)]))
    }
    // A path that leads through the object of a relationship, where there is one of this name.
    if Bool.random(using: &random) {
      attributes.append(.make("through", .integer64, ["JSONKeyPath": "r0.id"]))
    }
    // A value of the object around, which may come after the object.
    if Int.random(in: 0..<3, using: &random) == 0 {
      attributes.append(.make("outer", .integer64, ["JSONKeyPath": "@parent.id"]))
    }
    var relationships = (0..<Int.random(in: 0...3, using: &random)).map { index in
      let isToMany = Bool.random(using: &random)
      // A relationship may have an earlier path, at which there may be nothing.
      let hasAlternative = Int.random(in: 0..<3, using: &random) == 0
      return RelationshipDescription(
        name: "r\(index)", destination: "E\(Int.random(in: 0..<count, using: &random))",
        isToMany: isToMany, isOrdered: Bool.random(using: &random) && isToMany,
        userInfo: hasAlternative ? ["JSONKeyPath": "first_r\(index) | r\(index)"] : [:])
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      relationships.append(.make("flat", to: "F", ["JSONKeyPath": "$"]))
    }
    let hasIdentity = number == 0 || Int.random(in: 0..<4, using: &random) > 0
    return .make("E\(number)", identity: hasIdentity ? "id" : "", attributes, relationships)
  }

  private static let types: [AttributeType] = [
    .integer64, .string, .boolean, .double, .date, .transformable, .decimal,
  ]

  private static func path(_ name: String, _ random: inout SeededGenerator) -> String {
    [name, name, "deep.\(name)", "\(name)x | deep.\(name)", "list[1].\(name)"]
      .randomElement(using: &random) ?? name
  }

  /// Whether importing a document twice can leave the second time nothing to do.
  var isIdentified: Bool { bases.allSatisfy(\.hasIdentity) }

  /// A document: an array of objects of the first entity.
  ///
  /// Bare identifiers may be let to stand for objects whose entity they do not tell.
  func document(_ random: inout SeededGenerator, namesAny: Bool = false) -> RandomValue {
    .array(
      (0..<Int.random(in: 1...6, using: &random)).map { _ in
        object(of: 0, depth: 0, namesAny, &random)
      })
  }

  /// A document with objects of every entity, each in its place, and the roots that lead there.
  func documentOfRoots(_ random: inout SeededGenerator) throws -> (RandomValue, [ImportRoot]) {
    var members: [RandomValue.Member] = [.init("other", .array([.scalar("1")]))]
    var roots: [ImportRoot] = []
    for number in bases.indices {
      let objects = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        object(of: number, depth: 1, false, &random)
      }
      if Bool.random(using: &random) {
        members.append(.init("e\(number)", .array(objects)))
        roots.append(try ImportRoot("E\(number)", at: "e\(number)"))
      } else {
        let named = objects.enumerated().map { RandomValue.Member("k\($0.offset)", $0.element) }
        members.append(.init("m\(number)", .object([.init("in", .object(named))])))
        roots.append(try ImportRoot("E\(number)", at: "m\(number).in.*"))
      }
    }
    return (.object(members), roots)
  }

  private func object(
    of entity: Int, depth: Int, _ namesAny: Bool, _ random: inout SeededGenerator
  ) -> RandomValue {
    let description = bases[entity]
    let number = Int.random(in: 0..<9, using: &random)
    var members: [RandomValue.Member] = []
    var deep: [RandomValue.Member] = []
    for attribute in description.attributes {
      if attribute.name == "outer" { continue }
      if attribute.name == "id" {
        members.append(.init("id", .scalar(Self.spelling(number, &random))))
      } else if Int.random(in: 0..<4, using: &random) > 0 {
        let value = RandomValue.sample(of: attribute.type, &random)
        switch attribute.userInfo["JSONKeyPath"] {
        case "deep.\(attribute.name)": deep.append(.init(attribute.name, value))
        case "list[1].\(attribute.name)":
          members.append(
            .init("list", .array([.scalar("0"), .object([.init(attribute.name, value)])])))
        case "\(attribute.name)x | deep.\(attribute.name)":
          deep.append(.init(attribute.name, value))
          members.append(.init("\(attribute.name)x", .sample(of: attribute.type, &random)))
        default: members.append(.init(attribute.name, value))
        }
      }
    }
    if description.hasFlat {
      members.append(.init("fid", .scalar(Self.spelling(number, &random))))
      members.append(.init("fname", .sample(of: .string, &random)))
    }
    if let path = description.userInfo["JSONDiscriminator"] {
      members.append(.init("own", .sample(of: .string, &random)))
      // The identity decides the sub-entity, so that the object has the same one at all of its
      // places.
      let kind = ["A", "B", description.isAbstract ? "A" : nil][number % 3]
      if let kind, path == "deep.kind" { deep.append(.init("kind", .scalar("\"\(kind)\""))) }
      if let kind, path == "kind" {
        members.insert(
          .init("kind", .scalar("\"\(kind)\"")), at: Bool.random(using: &random) ? 0 : members.count
        )
      }
    }
    if !deep.isEmpty { members.append(.init("deep", .object(deep))) }
    for relationship in description.relationships where depth < 3 && relationship.name != "flat" {
      if relationship.userInfo["JSONKeyPath"] != nil, Bool.random(using: &random) {
        let value = target(of: relationship, depth, namesAny, &random)
        members.append(.init("first_\(relationship.name)", value))
      }
      members.append(.init(relationship.name, target(of: relationship, depth, namesAny, &random)))
    }
    members.append(
      .init("unknown", .object([.init("id", .scalar("1")), .init("list", .array([]))])))
    // A key stands once: which of two values counts depends on their order.
    var seen: Set<String> = []
    return .object(members.filter { seen.insert($0.key).inserted })
  }

  private func target(
    of relationship: RelationshipDescription, _ depth: Int, _ namesAny: Bool,
    _ random: inout SeededGenerator
  ) -> RandomValue {
    let entity = Int(relationship.destination.dropFirst()) ?? 0
    let isNamed =
      bases[entity].hasIdentity
      && (namesAny || bases[entity].userInfo["JSONDiscriminator"] == nil)
    let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ -> RandomValue in
      switch Int.random(in: 0..<5, using: &random) {
      case 0: .scalar("null")
      case 1 where isNamed:
        .reference(Self.spelling(Int.random(in: 0..<9, using: &random), &random))
      default: object(of: entity, depth: depth + 1, namesAny, &random)
      }
    }
    return relationship.isToMany ? .array(elements) : elements.first ?? .scalar("null")
  }

  private static func spelling(_ number: Int, _ random: inout SeededGenerator) -> String {
    Bool.random(using: &random) ? "\(number)" : "\"\(number)\""
  }
}

extension EntityDescription {
  fileprivate var hasIdentity: Bool { userInfo["identityAttributes"] != nil }
  fileprivate var hasFlat: Bool { relationships.contains { $0.name == "flat" } }
}
