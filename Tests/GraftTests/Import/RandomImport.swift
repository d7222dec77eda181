@testable import Graft

// Models and documents for the laws of importing, repeatable by their seed. A document is kept as a
// tree until it is written, so that the same document can be written with its keys in any order.

/// A model of random shape, and documents that fit it.
struct RandomImport {
  /// A JSON value of which the order of the keys is not settled.
  indirect enum Value {
    case scalar(String)
    case array([Value])
    case object([(key: String, value: Value)])
  }

  let entities: [EntityDescription]
  private let count: Int

  /// Makes a model in which any entity may lead to any, with and without identity, inverse and order.
  init(_ random: inout SeededGenerator) {
    let count = Int.random(in: 1...4, using: &random)
    self.count = count
    entities = (0..<count).map { number in
      var attributes: [AttributeDescription] = []
      for (index, type) in Self.types.enumerated() where Bool.random(using: &random) {
        attributes.append(
          .make("a\(index)", type, ["JSONKeyPath": Self.path("a\(index)", &random)]))
      }
      // A path that leads through the object of a relationship, where there is one of this name.
      if Bool.random(using: &random) {
        attributes.append(.make("through", .integer64, ["JSONKeyPath": "r0.id"]))
      }
      let relationships = (0..<Int.random(in: 0...3, using: &random)).map { index in
        RelationshipDescription(
          name: "r\(index)", destination: "E\(Int.random(in: 0..<count, using: &random))",
          isToMany: Bool.random(using: &random), isOrdered: Bool.random(using: &random))
      }
      let hasIdentity = number == 0 || Int.random(in: 0..<4, using: &random) > 0
      return .make(
        "E\(number)", identity: hasIdentity ? "id" : "", attributes,
        relationships.map {
          var relationship = $0
          relationship.isOrdered = $0.isToMany && $0.isOrdered
          return relationship
        })
    }
  }

  private static let types: [AttributeType] = [
    .integer64, .string, .boolean, .double, .date, .transformable, .decimal,
  ]

  private static func path(_ name: String, _ random: inout SeededGenerator) -> String {
    [name, name, "deep.\(name)", "\(name)x | deep.\(name)", "list[1].\(name)"]
      .randomElement(using: &random) ?? name
  }

  /// Whether importing a document twice can leave the second time nothing to do.
  var isIdentified: Bool { entities.allSatisfy { !$0.userInfo.isEmpty } }

  /// A document: an array of objects of the first entity.
  func document(_ random: inout SeededGenerator) -> Value {
    .array(
      (0..<Int.random(in: 1...6, using: &random)).map { _ in object(of: 0, depth: 0, &random) })
  }

  private func object(of entity: Int, depth: Int, _ random: inout SeededGenerator) -> Value {
    let description = entities[entity]
    var members: [(key: String, value: Value)] = []
    var deep: [(key: String, value: Value)] = []
    for attribute in description.attributes {
      if attribute.name == "id" {
        members.append(("id", .scalar(identifier(&random))))
      } else if Int.random(in: 0..<4, using: &random) > 0 {
        let value = Self.scalar(attribute.type, &random)
        switch attribute.userInfo["JSONKeyPath"] {
        case "deep.\(attribute.name)": deep.append((attribute.name, value))
        case "list[1].\(attribute.name)":
          members.append(("list", .array([.scalar("0"), .object([(attribute.name, value)])])))
        case "\(attribute.name)x | deep.\(attribute.name)":
          deep.append((attribute.name, value))
          members.append(("\(attribute.name)x", Self.scalar(attribute.type, &random)))
        default: members.append((attribute.name, value))
        }
      }
    }
    if !deep.isEmpty { members.append(("deep", .object(deep))) }
    for relationship in description.relationships where depth < 4 {
      members.append((relationship.name, target(of: relationship, depth, &random)))
    }
    members.append(("unknown", .object([("id", .scalar("1")), ("list", .array([]))])))
    // A key stands once: which of two values counts depends on their order.
    var seen: Set<String> = []
    return .object(members.filter { seen.insert($0.key).inserted })
  }

  private func target(
    of relationship: RelationshipDescription, _ depth: Int, _ random: inout SeededGenerator
  ) -> Value {
    let entity = Int(relationship.destination.dropFirst()) ?? 0
    let hasIdentity = !entities[entity].userInfo.isEmpty
    let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ -> Value in
      switch Int.random(in: 0..<5, using: &random) {
      case 0: .scalar("null")
      case 1 where hasIdentity: .scalar(identifier(&random))
      default: object(of: entity, depth: depth + 1, &random)
      }
    }
    return relationship.isToMany ? .array(elements) : elements.first ?? .scalar("null")
  }

  private func identifier(_ random: inout SeededGenerator) -> String {
    let number = Int.random(in: 0..<9, using: &random)
    return Bool.random(using: &random) ? "\(number)" : "\"\(number)\""
  }

  private static func scalar(_ type: AttributeType, _ random: inout SeededGenerator) -> Value {
    let texts: [String] =
      switch type {
      case .integer64: ["1", "-7", "\"12\"", "9007199254740993", "null", "\"\""]
      case .boolean: ["true", "false", "0", "\"yes\"", "null"]
      case .double, .decimal: ["0.1", "1e3", "\"2.50\"", "null"]
      case .date: ["\"2012-09-24\"", "0", "\"2012-09-24T03:35:21.5+02:00\"", "null"]
      default: ["\"é\\u00e9 😀\\n\"", "\"\"", "\"x\"", "null", "\"\\\\\""]
      }
    return .scalar(texts.randomElement(using: &random) ?? "null")
  }
}

extension RandomImport.Value {
  /// The document's text, its keys in their order or in another.
  func text(shuffledBy random: inout SeededGenerator, _ isShuffled: Bool = true) -> String {
    switch self {
    case .scalar(let text): return text
    case .array(let elements):
      return "["
        + elements.map { $0.text(shuffledBy: &random, isShuffled) }.joined(separator: ", ") + "]"
    case .object(let members):
      let ordered = isShuffled ? members.shuffled(using: &random) : members
      let texts = ordered.map {
        "\"\($0.key)\": \($0.value.text(shuffledBy: &random, isShuffled))"
      }
      return "{" + texts.joined(separator: ",\n ") + "}"
    }
  }

  /// The document with numbers for identities, so that no two objects of it are one.
  func withDistinctIdentities(_ next: inout Int) -> Self {
    switch self {
    case .scalar: return self
    case .array(let elements):
      return .array(elements.map { $0.withDistinctIdentities(&next) })
    case .object(let members):
      return .object(
        members.map { member in
          guard member.key == "id" else {
            return (member.key, member.value.withDistinctIdentities(&next))
          }
          next += 1
          return ("id", .scalar("\(next)"))
        })
    }
  }
}
