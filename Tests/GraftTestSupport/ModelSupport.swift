import Foundation
import Testing

@testable import Graft

// Helpers for tests of models: short ways to write a model and to read the compiled form.

extension AttributeDescription {
  /// An attribute with annotations.
  static func make(
    _ name: String, _ type: AttributeType = .string, _ userInfo: [String: String] = [:]
  ) -> AttributeDescription {
    AttributeDescription(name: name, type: type, userInfo: userInfo)
  }
}

extension RelationshipDescription {
  /// A relationship with annotations.
  static func make(
    _ name: String, to destination: String, many: Bool = false, inverse: String? = nil,
    _ userInfo: [String: String] = [:]
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse, isToMany: many, userInfo: userInfo)
  }
}

extension GraphModel {
  /// Makes a model from a compiled form that a test has made by hand.
  init(schema: ModelSchema) {
    self.init(entities: [], warnings: [], schema: schema)
  }

  /// The compiled form of an entity.
  func compiled(_ name: String) throws -> EntitySchema {
    schema.entities[try #require(schema.entityNumbers[name])]
  }

  /// The compiled form of an attribute.
  func attribute(_ entity: String, _ name: String) throws -> AttributeSchema {
    try #require(try compiled(entity).attributes.first { $0.name == name })
  }

  /// The compiled form of a relationship.
  func relationship(_ entity: String, _ name: String) throws -> RelationshipSchema {
    try #require(try compiled(entity).relationships.first { $0.name == name })
  }

  /// The names of the attributes that identify an entity's objects.
  func identity(of entity: String) throws -> [String] {
    let compiled = try compiled(entity)
    return compiled.identity.map { compiled.attributes[$0].name }
  }

  /// The texts of an attribute's or a relationship's paths.
  func paths(_ entity: String, _ property: String) throws -> [String] {
    let compiled = try compiled(entity)
    let paths =
      compiled.attributes.first { $0.name == property }?.paths
      ?? compiled.relationships.first { $0.name == property }?.paths
    return try #require(paths).map(\.description)
  }

  /// The warnings, one a line.
  var warningText: String { warnings.map(\.description).joined(separator: "\n") }
}

/// The errors of a model, one a line; empty if it has none.
func errors(
  _ entities: [EntityDescription], dialect: Dialect? = .graft,
  extensions: ModelExtensions = ModelExtensions()
) -> String {
  do {
    _ = try GraphModel(entities: entities, dialect: dialect, extensions: extensions)
    return ""
  } catch {
    return error.description
  }
}
