import Foundation

@testable import Graft

/// Models for the tests of the store, put together without the model room's checks.
enum Sample {
  static func attribute(
    _ name: String, _ type: AttributeType, isOptional: Bool = true,
    default value: AttributeValue? = nil
  ) -> AttributeSchema {
    AttributeSchema(
      name: name, type: type, isOptional: isOptional, defaultValue: value, paths: [])
  }

  static func relationship(
    _ name: String, to destination: Int, inverse: Int?, many: Bool = false, ordered: Bool = false,
    isOptional: Bool = true, minimum: Int = 0, maximum: Int = 0, rule: DeleteRule = .nullify
  ) -> RelationshipSchema {
    RelationshipSchema(
      name: name, destination: destination, inverse: inverse, isToMany: many, isOrdered: ordered,
      isOptional: isOptional, minimumCount: minimum, maximumCount: maximum, deleteRule: rule,
      paths: [])
  }

  static func entity(
    _ number: Int, _ name: String, superentity: Int? = nil, family: [Int]? = nil,
    attributes: [AttributeSchema], relationships: [RelationshipSchema] = [], identity: [Int] = [],
    identityRoot: Int? = nil
  ) -> EntitySchema {
    EntitySchema(
      number: number, name: name, isAbstract: false, superentity: superentity,
      family: family ?? [number], attributes: attributes, relationships: relationships,
      identity: identity, identityRoot: identityRoot ?? number, discriminatorValue: name)
  }

  static func model(_ entities: [EntitySchema]) -> GraphModel {
    GraphModel(schema: ModelSchema(entities: entities, dialect: .graft))
  }

  /// Users (0) and their tweets (1): one of everything that is common.
  static var timeline: GraphModel {
    let user = entity(
      0, "User",
      attributes: [
        attribute("id", .integer64), attribute("name", .string, isOptional: false),
        attribute("followers", .integer32, default: .integer(0)),
      ],
      relationships: [
        relationship("tweets", to: 1, inverse: 0, many: true, rule: .cascade),
        relationship("friends", to: 0, inverse: 1, many: true),
      ],
      identity: [0])
    let tweet = entity(
      1, "Tweet",
      attributes: [attribute("id", .integer64), attribute("text", .string)],
      relationships: [
        relationship("author", to: 0, inverse: 0), relationship("reply", to: 1, inverse: nil),
      ],
      identity: [0])
    return model([user, tweet])
  }

  /// One entity with an attribute of each type, and "id" as its identity.
  static var everything: GraphModel {
    let attributes = AttributeType.allCases.map { attribute($0.rawValue, $0) }
    return model([
      entity(0, "Thing", attributes: [attribute("id", .integer64)] + attributes, identity: [0])
    ])
  }
}

extension GraphTransaction {
  func find(_ entity: Int, _ values: AttributeValue...) -> ObjectID? {
    values.withRawValues(for: types(entity)) { find(identityOf: entity, $0) }
  }

  @discardableResult
  func insert(_ entity: Int, _ values: AttributeValue..., stub: Bool = false) -> ObjectID {
    values.withRawValues(for: types(entity)) { insert(entity: entity, identity: $0, stub: stub) }
  }

  func identify(_ id: ObjectID, _ values: AttributeValue...) throws -> Bool {
    try values.withRawValues(for: types(id.entity)) { try setIdentity(id, $0) }
  }

  @discardableResult
  func set(_ id: ObjectID, _ attribute: Int, _ value: AttributeValue?) -> Bool {
    let type = schema.entities[id.entity].attributes[attribute].type
    guard let value else { return set(id, attribute: attribute, .null) }
    return value.withRawValue(for: type) { set(id, attribute: attribute, $0) } ?? false
  }

  func get(_ id: ObjectID, _ attribute: Int) -> AttributeValue? {
    let type = schema.entities[id.entity].attributes[attribute].type
    return AttributeValue(value(id, attribute: attribute), type: type)
  }

  @discardableResult
  func link(_ id: ObjectID, _ relationship: Int, _ targets: [ObjectID]) -> Bool {
    targets.withUnsafeBufferPointer { setToMany(id, relationship: relationship, $0) }
  }

  @discardableResult
  func link(_ id: ObjectID, _ relationship: Int, _ target: ObjectID?) -> Bool {
    setToOne(id, relationship: relationship, target)
  }

  @discardableResult
  func join(_ id: ObjectID, _ relationship: Int, _ targets: [ObjectID]) -> Bool {
    targets.withUnsafeBufferPointer { unite(id, relationship: relationship, $0) }
  }

  private func types(_ entity: Int) -> [AttributeType] {
    schema.entities[entity].identity.map { schema.entities[entity].attributes[$0].type }
  }
}

extension GraphStore {
  func begin() -> GraphTransaction { GraphTransaction(base: graph) }
}

/// A reproducible source of random numbers (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
