import Foundation

@testable import Graft

/// Models for the tests of the store, whose entities and relationships are named by number.
enum Sample {
  struct Relationship {
    var description: RelationshipDescription
    var destination: Int
    var inverse: Int?
  }

  struct Entity {
    var description: EntityDescription
    var relationships: [Relationship]
    var superentity: Int?
  }

  static func attribute(
    _ name: String, _ type: AttributeType, isOptional: Bool = true,
    default value: AttributeValue? = nil
  ) -> AttributeDescription {
    AttributeDescription(name: name, type: type, isOptional: isOptional, defaultValue: value)
  }

  static func relationship(
    _ name: String, to destination: Int, inverse: Int?, many: Bool = false, ordered: Bool = false,
    isOptional: Bool = true, minimum: Int = 0, maximum: Int = 0, rule: DeleteRule = .nullify
  ) -> Relationship {
    let description = RelationshipDescription(
      name: name, destination: "", isToMany: many, isOrdered: ordered, isOptional: isOptional,
      minimumCount: minimum, maximumCount: maximum, deleteRule: rule)
    return Relationship(description: description, destination: destination, inverse: inverse)
  }

  /// The identity is given by numbers of attributes, and inherited by sub-entities.
  static func entity(
    _ name: String, superentity: Int? = nil, attributes: [AttributeDescription] = [],
    relationships: [Relationship] = [], identity: [Int] = []
  ) -> Entity {
    let names = identity.map { attributes[$0].name }.joined(separator: ",")
    let description = EntityDescription(
      name: name, attributes: attributes,
      userInfo: names.isEmpty ? [:] : ["identityAttributes": names])
    return Entity(
      description: description, relationships: relationships, superentity: superentity)
  }

  static func model(_ entities: [Entity]) -> GraphModel {
    let descriptions = entities.map { entity in
      var result = entity.description
      result.superentity = entity.superentity.map { entities[$0].description.name }
      result.relationships = entity.relationships.map { relationship in
        let destination = entities[relationship.destination]
        var description = relationship.description
        description.destination = destination.description.name
        description.inverse = relationship.inverse.map {
          destination.relationships[$0].description.name
        }
        return description
      }
      return result
    }
    do {
      return try GraphModel(entities: descriptions)
    } catch {
      fatalError("a test's model is wrong: \(error)")
    }
  }

  /// Users (0) and their tweets (1): one of everything that is common.
  static var timeline: GraphModel {
    let user = entity(
      "User",
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
      "Tweet",
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
      entity("Thing", attributes: [attribute("id", .integer64)] + attributes, identity: [0])
    ])
  }
}

extension GraphTransaction {
  func find(_ entity: Int, _ values: AttributeValue?...) -> ObjectID? {
    values.withRawValues(for: types(entity)) { find(identityOf: entity, $0) }
  }

  @discardableResult
  func insert(_ entity: Int, _ values: AttributeValue?..., stub: Bool = false) -> ObjectID {
    values.withRawValues(for: types(entity)) { insert(entity: entity, identity: $0, stub: stub) }
  }

  /// Puts an object of a sub-entity in the place of a stub.
  func promote(_ stub: ObjectID, to entity: Int, _ values: AttributeValue?...) -> ObjectID {
    values.withRawValues(for: types(entity)) {
      promote(stub, to: entity, identity: $0, remainsStub: false)
    }
  }

  func identify(_ id: ObjectID, _ values: AttributeValue?...) throws -> Bool {
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
    setToMany(id, relationship: relationship, targets.span)
  }

  @discardableResult
  func link(_ id: ObjectID, _ relationship: Int, _ target: ObjectID?) -> Bool {
    setToOne(id, relationship: relationship, target)
  }

  @discardableResult
  func join(_ id: ObjectID, _ relationship: Int, _ targets: [ObjectID]) -> Bool {
    unite(id, relationship: relationship, targets.span)
  }

  private func types(_ entity: Int) -> [AttributeType] {
    schema.entities[entity].identity.map { schema.entities[entity].attributes[$0].type }
  }
}

extension GraphStore {
  func begin() -> GraphTransaction { GraphTransaction(base: graph) }
}
