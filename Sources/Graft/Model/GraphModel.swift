/// The checked, frozen set of entities whose objects a store keeps.
///
/// A model is made once, from types, from descriptions in code or from a file. It is checked when
/// it is made: a fault is an error then, and not during an import. Doubtful parts are in
/// ``warnings``.
public struct GraphModel: Sendable {
  /// The entities as they were described, in order.
  public let entities: [EntityDescription]
  /// Doubtful parts of the model that do not prevent its use, each with a remedy.
  public let warnings: [ModelIssue]
  package let schema: ModelSchema

  /// The dialect of the model's annotations and default policies.
  public var dialect: Dialect { schema.dialect }

  /// Returns the same model in another compiled form.
  package func with(_ schema: ModelSchema) -> GraphModel {
    GraphModel(entities: entities, warnings: warnings, schema: schema)
  }

  /// Returns the entity of a name.
  ///
  /// - Parameter name: The name of an entity.
  /// - Returns: The entity as it was described, or nil if the model has none of this name.
  public func entity(named name: String) -> EntityDescription? {
    schema.entityNumbers[name].map { entities[$0] }
  }
}

extension GraphModel {
  /// Creates a model from descriptions of its entities.
  ///
  /// - Parameters:
  ///   - entities: The entities, in any order.
  ///   - dialect: The dialect of the annotations; nil picks it by the annotations that are present.
  ///   - extensions: The code that annotations mention by name.
  /// - Throws: ``ModelError`` with all errors found.
  /// - Complexity: O(*n*) in the number of properties, inherited ones counted for each entity that
  ///   has them.
  public init(
    entities: [EntityDescription],
    dialect: Dialect? = nil,
    extensions: ModelExtensions = ModelExtensions()
  ) throws(ModelError) {
    try self.init(
      ModelDocument(entities: entities, log: IssueLog()), dialect: dialect, extensions: extensions)
  }

  package init(
    _ document: ModelDocument, dialect: Dialect?, extensions: ModelExtensions,
    types: [ObjectIdentifier: Int] = .init()
  ) throws(ModelError) {
    let (entities, log) = (document.entities, document.log)
    if entities.isEmpty { log.error("the model has no entities; declare at least one") }
    guard let hierarchy = ModelLimits.admit(entities, log: log) else {
      throw ModelError(log.errors)
    }
    let tables = PropertyTable.tables(of: entities, hierarchy, log: log)
    let annotations = DialectDetection(entities, tables)
    let dialect = dialect ?? annotations.dialect
    annotations.report(chosen: dialect, log: log)
    var unknown = UnknownAnnotations(dialect, log: log)
    unknown.report(in: entities, tables)
    let compiler = ModelCompiler(
      entities, hierarchy, tables, dialect.rules, extensions, log: log)
    let compiled = compiler.compile()
    guard log.errors.isEmpty else { throw ModelError(log.errors) }
    self.init(
      entities: entities, warnings: log.warnings,
      schema: ModelSchema(entities: compiled, dialect: dialect, types: types))
  }
}

// MARK: - Equality

// The order of entities and properties has no meaning: a model editor sorts them by name, code
// lists them in any order. So models are compared with names in place of numbers.

extension GraphModel: Equatable {
  /// Returns whether two models mean the same: the same entities with the same properties, places
  /// in JSON and policies, in any order.
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

/// An entity as it is compared with one of another model: names replace numbers.
private struct EntityMeaning: Equatable {
  /// The entity without properties that contain numbers.
  var rest: EntitySchema
  var superentity: String?
  /// The attributes in the order of their names, and so the relationships.
  var attributes: [AttributeSchema]
  var relationships: [RelationshipMeaning]
  var identity: [String]
  var modifiedAttribute: String?
  var discriminated: [String: String]
  var unknownEntity: String?
}

/// A relationship as it is compared with one of another model.
private struct RelationshipMeaning: Equatable {
  var rest: RelationshipSchema
  var destination: String
  var inverse: String?
  var relatedBy: String?
}

extension ModelSchema {
  /// The meaning of all entities, in the order of their names.
  fileprivate var meaning: [EntityMeaning] {
    entities.map { meaning(of: $0) }.inOrder { $0.rest.name < $1.rest.name }
  }

  private func meaning(of entity: EntitySchema) -> EntityMeaning {
    let rest = entity.with {
      $0.number = 0
      $0.superentity = nil
      $0.family = []
      $0.attributes = []
      $0.relationships = []
      $0.identity = []
      $0.declaredIdentity = []
      $0.identityRoot = 0
      $0.discriminated.removeAll()
      $0.modifiedAttribute = nil
      $0.unknownEntity = nil
    }
    return EntityMeaning(
      rest: rest,
      superentity: entity.superentity.map { entities[$0].name },
      attributes: entity.attributes.map { $0.with { $0.annotation = nil } }
        .inOrder { $0.name < $1.name },
      relationships: entity.relationships.map { meaning(of: $0) }
        .inOrder { $0.rest.name < $1.rest.name },
      identity: entity.identity.map { entity.attributes[$0].name }.sorted(),
      modifiedAttribute: entity.modifiedAttribute.map { entity.attributes[$0].name },
      discriminated: entity.discriminated.mapValues { entities[$0].name },
      unknownEntity: entity.unknownEntity.map { entities[$0].name })
  }

  private func meaning(of relationship: RelationshipSchema) -> RelationshipMeaning {
    let destination = entities[relationship.destination]
    let rest = relationship.with {
      $0.destination = 0
      $0.inverse = nil
      $0.relatedBy = nil
      $0.annotation = nil
    }
    return RelationshipMeaning(
      rest: rest,
      destination: destination.name,
      inverse: relationship.inverse.map { destination.relationships[$0].name },
      relatedBy: relationship.relatedBy.map { destination.attributes[$0].name })
  }
}

/// A model as a file or code describes it, not yet checked.
package struct ModelDocument {
  var entities: [EntityDescription] = []
  /// The dialect that the file itself names.
  package var dialect: Dialect?
  /// The errors and warnings of the reader, with the places in the file.
  ///
  /// A harmless value replaces each one that could not be read, so that the rest of the model is
  /// checked as well.
  let log: IssueLog
}
