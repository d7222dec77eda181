// The order in which entities and properties were described means nothing: a model editor sorts
// them by name, a program declares them as it likes. So models are compared by names.

extension GraphModel: Equatable {
  /// Returns whether two models mean the same: the same entities with the same properties, places
  /// in JSON and policies, in whatever order.
  ///
  /// - Parameters:
  ///   - first: A model.
  ///   - second: Another one.
  /// - Returns: Whether they are equal.
  public static func == (first: GraphModel, second: GraphModel) -> Bool {
    first.schema === second.schema
      || first.dialect == second.dialect && first.schema.meaning == second.schema.meaning
  }
}

/// What an entity says, with names in place of numbers.
private struct EntityMeaning: Equatable {
  /// What is left when all that is numbered is taken out.
  var rest: EntitySchema
  var superentity: String?
  var attributes: [String: AttributeSchema]
  var relationships: [String: RelationshipMeaning]
  var identity: [String]
  var modifiedAttribute: String?
  var discriminated: [String: String]
}

/// What a relationship says, with names in place of numbers.
private struct RelationshipMeaning: Equatable {
  var rest: RelationshipSchema
  var destination: String
  var inverse: String?
  var relatedBy: String?
}

extension ModelSchema {
  fileprivate var meaning: [String: EntityMeaning] {
    Dictionary(uniqueKeysWithValues: entities.map { ($0.name, meaning(of: $0)) })
  }

  private func meaning(of entity: EntitySchema) -> EntityMeaning {
    var rest = entity
    rest.number = 0
    rest.superentity = nil
    rest.family = []
    rest.attributes = []
    rest.relationships = []
    rest.identity = []
    rest.identityRoot = 0
    rest.discriminated = [:]
    rest.modifiedAttribute = nil
    return EntityMeaning(
      rest: rest,
      superentity: entity.superentity.map { entities[$0].name },
      attributes: Dictionary(uniqueKeysWithValues: entity.attributes.map { ($0.name, $0) }),
      relationships: Dictionary(
        uniqueKeysWithValues: entity.relationships.map { ($0.name, meaning(of: $0)) }),
      identity: entity.identity.map { entity.attributes[$0].name }.sorted(),
      modifiedAttribute: entity.modifiedAttribute.map { entity.attributes[$0].name },
      discriminated: entity.discriminated.mapValues { entities[$0].name })
  }

  private func meaning(of relationship: RelationshipSchema) -> RelationshipMeaning {
    let destination = entities[relationship.destination]
    var rest = relationship
    rest.destination = 0
    rest.inverse = nil
    rest.relatedBy = nil
    return RelationshipMeaning(
      rest: rest,
      destination: destination.name,
      inverse: relationship.inverse.map { destination.relationships[$0].name },
      relatedBy: relationship.relatedBy.map { destination.attributes[$0].name })
  }
}
