@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// A model with relationships of every kind, all with inverses of every kind, and documents that link and unlink
/// the same few objects again and again; repeatable by its seed.
struct RandomFamily {
  let model: GraphModel
  private let entities: [EntityDescription]

  /// - Parameters:
  ///   - random: The source of random numbers.
  ///   - removes: Whether imports may delete objects that lists have lost.
  ///   - dialect: The dialect of the model; in another than Graft's and Groot's, objects may lack their identity.
  /// - Throws: `ModelError` for a model that is none.
  init(_ random: inout SeededGenerator, removes: Bool = true, dialect: Dialect = .graft) throws {
    let removes = removes && dialect == .graft
    var entities = (0..<Int.random(in: 1...3, using: &random)).map { number in
      EntityDescription.make("E\(number)", [.make("name")])
    }
    for pair in 0..<Int.random(in: 1...4, using: &random) {
      let from = Int.random(in: entities.indices, using: &random)
      let to = Int.random(in: entities.indices, using: &random)
      let name = "r\(pair)"
      let kind = Int.random(in: 0..<8, using: &random)
      // A relationship that is its own inverse, or has none, or has one of any kind.
      let inverse = kind == 0 && from == to ? name : kind < 3 ? nil : "back\(pair)"
      entities[from].relationships.append(
        Self.relationship(name, to: "E\(to)", inverse, removes, &random))
      if let inverse, inverse != name {
        entities[to].relationships.append(
          Self.relationship(inverse, to: "E\(from)", name, removes, &random))
      }
    }
    if dialect == .graft, Bool.random(using: &random) {
      entities[0].userInfo["JSONDiscriminator"] = "kind"
      entities.append(
        .make(
          "E0A", identity: "", parent: "E0", [.make("own")], [], ["JSONDiscriminatorValue": "A"])
      )
    }
    if dialect != .graft {
      entities = entities.map { Self.translated($0, to: dialect, &random) }
    }
    self.entities = entities
    model = try GraphModel(entities: entities, dialect: dialect)
  }

  /// Returns an entity with the annotations by which a dialect knows its identity and places.
  private static func translated(
    _ entity: EntityDescription, to dialect: Dialect, _ random: inout SeededGenerator
  ) -> EntityDescription {
    var entity = entity
    entity.userInfo = [:]
    for number in entity.relationships.indices { entity.relationships[number].userInfo = [:] }
    switch dialect {
    case .groot:
      entity.userInfo["identityAttributes"] = "id"
      for number in entity.attributes.indices {
        entity.attributes[number].userInfo["JSONKeyPath"] = entity.attributes[number].name
      }
      for number in entity.relationships.indices {
        entity.relationships[number].userInfo["JSONKeyPath"] = entity.relationships[number].name
      }
    case .magicalrecord:
      entity.userInfo["relatedByAttribute"] = "id"
    case .dandy:
      let isSingle = Int.random(in: 0..<4, using: &random) == 0
      entity.userInfo["@primaryKey"] = isSingle ? "@singleton" : "id"
    default: break
    }
    return entity
  }

  private static func relationship(
    _ name: String, to destination: String, _ inverse: String?, _ removes: Bool,
    _ random: inout SeededGenerator
  ) -> RelationshipDescription {
    let isToMany = Bool.random(using: &random)
    var relationship = RelationshipDescription(
      name: name, destination: destination, inverse: inverse, isToMany: isToMany,
      isOrdered: isToMany && Bool.random(using: &random))
    relationship.deleteRule =
      [.nullify, .nullify, .cascade].randomElement(using: &random) ?? .nullify
    if Int.random(in: 0..<4, using: &random) == 0, removes {
      relationship.userInfo["JSONRemoved"] = "delete"
    }
    if isToMany, Int.random(in: 0..<4, using: &random) == 0 {
      relationship.userInfo["JSONCollection"] = "union"
    }
    return relationship
  }

  var root: ImportRoot { ImportRoot("E0") }

  /// Objects of the first entity, one a line.
  func document(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...6, using: &random))
      .map { _ in object(0, depth: 0, &random).text(shuffledBy: &random) + "\n" }.joined()
  }

  private func object(
    _ number: Int, depth: Int, _ random: inout SeededGenerator
  ) -> RandomValue {
    var members: [RandomValue.Member] = []
    if [.graft, .groot].contains(model.dialect) || Int.random(in: 0..<4, using: &random) > 0 {
      members.append(.init("id", .scalar("\(Int.random(in: 0..<5, using: &random))")))
    }
    if Bool.random(using: &random) {
      members.append(.init("name", .scalar("\"\(Int.random(in: 0..<3, using: &random))\"")))
    }
    if entities[number].userInfo["JSONDiscriminator"] != nil, Bool.random(using: &random) {
      members.append(.init("kind", .scalar("\"A\"")))
      members.append(.init("own", .scalar("\"\(Int.random(in: 0..<3, using: &random))\"")))
    }
    for relationship in entities[number].relationships where Bool.random(using: &random) {
      members.append(.init(relationship.name, value(of: relationship, depth, &random)))
    }
    return .object(members)
  }

  private func value(
    of relationship: RelationshipDescription, _ depth: Int, _ random: inout SeededGenerator
  ) -> RandomValue {
    let destination = entities.firstIndex { $0.name == relationship.destination } ?? 0
    func one() -> RandomValue {
      depth < 2 && Bool.random(using: &random)
        ? object(destination, depth: depth + 1, &random)
        : .scalar("\(Int.random(in: 0..<5, using: &random))")
    }
    guard Int.random(in: 0..<8, using: &random) > 0 else { return .scalar("null") }
    guard relationship.isToMany else { return one() }
    return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in one() })
  }
}
