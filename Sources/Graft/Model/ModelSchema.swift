// The compiled form of a model, made once by `GraphModel` and read by every other part of the library.
//
// Entities and properties are numbered, so that no name is looked up for each value:
// - An entity's number is its index in `ModelSchema.entities`.
// - An attribute's number is its index in `EntitySchema.attributes`, a relationship's its index in
//   `EntitySchema.relationships`. Inherited ones come first, in the order of the super-entity, so a
//   number that is valid for an entity is valid, and means the same property, for all its
//   sub-entities.
// - Policies are the property's own; `ModelSchema.policies(of:options:)` adds the other levels.

/// The compiled form of a model.
package final class ModelSchema: Sendable {
  package let entities: [EntitySchema]
  package let entityNumbers: [String: Int]
  package let dialect: Dialect
  /// The numbers of the entities that Swift types describe, by type.
  package let types: [ObjectIdentifier: Int]
  /// The words of messages for the parts of the model.
  package var words: ModelVocabulary { types.isEmpty ? .annotations : .parameters }

  package init(entities: [EntitySchema], dialect: Dialect, types: [ObjectIdentifier: Int] = .init())
  {
    self.entities = entities
    self.dialect = dialect
    self.types = types
    entityNumbers = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0.number) })
  }

  /// Returns whether the Swift type of an attribute lacks some values of its column.
  package func isLimitedByType(_ attribute: AttributeSchema) -> Bool {
    !types.isEmpty && attribute.domain.isLimited
  }

  /// Returns an entity and all those above it, beginning with the entity.
  package func lineage(of entity: EntitySchema) -> some Sequence<EntitySchema> {
    sequence(first: entity) { [entities] in $0.superentity.map { entities[$0] } }
  }

  /// Returns the policies that hold for a property.
  package func policies(
    of property: Policies, options: Policies = Policies()
  ) -> SettledPolicies {
    property.over(options).over(dialect.policies).settled
  }

  /// Returns the treatment of an entity's objects that lack their identity.
  package func missingIdentity(
    of entity: EntitySchema, options: Policies = Policies()
  ) -> MissingIdentityPolicy {
    policies(of: Policies(missingIdentity: entity.missingIdentity), options: options)
      .missingIdentity
  }
}

/// A description that is compiled once, shared and never changed: an entity, an attribute or a relationship.
///
/// It is a class, so that a look at it copies one reference and not two dozen values, whose counts of references
/// the optimizer would move about in every plan, check and export.
package protocol CompiledDescription: AnyObject, Equatable, Sendable {
  associatedtype Fields: Equatable
  var fields: Fields { get }
  init(_ fields: Fields)
}

extension CompiledDescription {
  /// Returns the description with other values.
  package func with(_ change: (inout Fields) -> Void) -> Self {
    var fields = fields
    change(&fields)
    return Self(fields)
  }

  package static func == (first: Self, second: Self) -> Bool {
    first === second || first.fields == second.fields
  }
}

/// The compiled form of an entity, inherited properties included.
package final class EntitySchema: CompiledDescription {
  @usableFromInline package let fields: Fields

  package init(_ fields: Fields) { self.fields = fields }

  /// The values of an entity, which can be changed until the entity is created.
  @usableFromInline package struct Fields: Sendable, Equatable {
    @usableFromInline package var number: Int
    @usableFromInline package var name: String
    var isAbstract: Bool
    /// The number of the super-entity.
    @usableFromInline package var superentity: Int?
    /// The entity itself and all entities below it, ascending by number.
    @usableFromInline package var family: [Int]
    @usableFromInline package var attributes: [AttributeSchema]
    @usableFromInline package var relationships: [RelationshipSchema]
    /// The numbers of the attributes by which an object is found again, in the order of their names;
    /// empty without identity.
    @usableFromInline package var identity: [Int]
    /// The attributes of the identity in the order in which the model lists them, for people to read.
    var declaredIdentity: [Int] = []
    /// The topmost entity with the same identity: all entities that share it have their objects
    /// uniqued together.
    @usableFromInline package var identityRoot: Int
    @usableFromInline package var isSingleton = false
    package var missingIdentity: MissingIdentityPolicy?
    /// The paths to the name of the sub-entity; the first one with a value counts.
    var discriminators: [JSONPath] = []
    /// This entity's own value of the discriminator.
    var discriminatorValue: String
    /// The entities of the family by their values of the discriminator; empty without one.
    var discriminated = [String: Int]()
    /// The entity of objects whose discriminator holds an unknown value; nil makes that an error.
    var unknownEntity: Int?
    /// The number of the attribute that must have grown for an update to apply.
    package var modifiedAttribute: Int?
    var entityMapperName: String?
    /// The caller's code that chooses the entity of an object, where a table does not.
    var mapper: ObjectCode<String>?
    var dictionaryTransformerName: String?
    /// The caller's code that rewrites an object before it is read.
    var dictionaryTransformer: ObjectCode<[String: JSONValue]>?
  }

  @inlinable package var number: Int { fields.number }
  @inlinable package var name: String { fields.name }
  package var isAbstract: Bool { fields.isAbstract }
  @inlinable package var superentity: Int? { fields.superentity }
  @inlinable package var family: [Int] { fields.family }
  @inlinable package var attributes: [AttributeSchema] { fields.attributes }
  @inlinable package var relationships: [RelationshipSchema] { fields.relationships }
  @inlinable package var identity: [Int] { fields.identity }
  package var declaredIdentity: [Int] { fields.declaredIdentity }
  @inlinable package var identityRoot: Int { fields.identityRoot }
  @inlinable package var isSingleton: Bool { fields.isSingleton }
  package var missingIdentity: MissingIdentityPolicy? { fields.missingIdentity }
  package var discriminators: [JSONPath] { fields.discriminators }
  package var discriminatorValue: String { fields.discriminatorValue }
  package var discriminated: [String: Int] { fields.discriminated }
  package var unknownEntity: Int? { fields.unknownEntity }
  package var modifiedAttribute: Int? { fields.modifiedAttribute }
  package var entityMapperName: String? { fields.entityMapperName }
  package var mapper: ObjectCode<String>? { fields.mapper }
  package var dictionaryTransformerName: String? { fields.dictionaryTransformerName }
  package var dictionaryTransformer: ObjectCode<[String: JSONValue]>? {
    fields.dictionaryTransformer
  }

  /// Returns the number of the attribute of a name; nil if there is none.
  package func attributeNumber(named name: String) -> Int? {
    attributes.firstIndex { $0.name == name }
  }

  /// Returns the number of the relationship of a name; nil if there is none.
  package func relationshipNumber(named name: String) -> Int? {
    relationships.firstIndex { $0.name == name }
  }
}

/// The compiled form of an attribute.
package final class AttributeSchema: CompiledDescription {
  @usableFromInline package let fields: Fields

  package init(_ fields: Fields) { self.fields = fields }

  /// The values of an attribute, which can be changed until it is created.
  @usableFromInline package struct Fields: Sendable, Equatable {
    @usableFromInline package var name: String
    @usableFromInline package var type: AttributeType
    @usableFromInline package var isOptional: Bool
    @usableFromInline package var defaultValue: AttributeValue?
    /// The attribute's paths in JSON; the first one that is present counts.
    ///
    /// Without paths, the property is neither imported nor exported.
    package var paths: [JSONPath]
    /// The annotation that gives the paths, for summaries; nil if none does.
    var annotation: String?
    @usableFromInline package var dateFormat: DateFormat = .automatic
    var transformerName: String?
    /// The transformer of that name; nil if there is none.
    ///
    /// A name without transformer is possible only in a model that tolerates missing code.
    var transformer: TransformerKind?
    var policies = Policies()
    var minimum: Bound?
    var maximum: Bound?
    var pattern: String?
    /// The only values that JSON may hold; empty for all of the type.
    @usableFromInline package var values: [AttributeValue] = []
    /// The value that replaces an invalid one.
    var unknownValue: AttributeValue?
    /// Whether a scalar must be of the attribute's own type, even if the import converts others.
    var isStrict = false
    /// The values that JSON or the Swift type of the attribute can hold.
    var domain = ValueDomain.everything
    @usableFromInline package var isIndexed = false
  }

  @inlinable package var name: String { fields.name }
  @inlinable package var type: AttributeType { fields.type }
  @inlinable package var isOptional: Bool { fields.isOptional }
  @inlinable package var defaultValue: AttributeValue? { fields.defaultValue }
  package var paths: [JSONPath] { fields.paths }
  package var annotation: String? { fields.annotation }
  @inlinable package var dateFormat: DateFormat { fields.dateFormat }
  package var transformerName: String? { fields.transformerName }
  package var transformer: TransformerKind? { fields.transformer }
  /// Whether the model names a transformer that it does not have.
  package var lacksTransformer: Bool { transformerName != nil && transformer == nil }
  package var policies: Policies { fields.policies }
  package var minimum: Bound? { fields.minimum }
  package var maximum: Bound? { fields.maximum }
  package var pattern: String? { fields.pattern }
  @inlinable package var values: [AttributeValue] { fields.values }
  package var unknownValue: AttributeValue? { fields.unknownValue }
  package var isStrict: Bool { fields.isStrict }
  var domain: ValueDomain { fields.domain }
  @inlinable package var isIndexed: Bool { fields.isIndexed }
}

/// The compiled form of a relationship.
package final class RelationshipSchema: CompiledDescription {
  @usableFromInline package let fields: Fields

  package init(_ fields: Fields) { self.fields = fields }

  /// The values of a relationship, which can be changed until it is created.
  @usableFromInline package struct Fields: Sendable, Equatable {
    @usableFromInline package var name: String
    /// The number of the destination entity.
    @usableFromInline package var destination: Int
    /// The number of the inverse among the destination's relationships.
    @usableFromInline package var inverse: Int?
    @usableFromInline package var isToMany: Bool
    @usableFromInline package var isOrdered: Bool
    @usableFromInline package var isOptional: Bool
    @usableFromInline package var minimumCount: Int
    @usableFromInline package var maximumCount: Int
    var deleteRule: DeleteRule
    /// The paths of the related objects in JSON; the first one that is present counts.
    ///
    /// Without paths, the property is neither imported nor exported.
    var paths: [JSONPath]
    /// The annotation that gives the paths, for summaries; nil if none does.
    var annotation: String?
    /// Further paths, to identifiers of related objects (Sync's `<name>_id` and `<name>_ids`).
    var identifierPaths: [JSONPath] = []
    /// The number of the destination's attribute that bare identifiers name (`JSONRelatedBy`), if it is not the
    /// destination's identity.
    @usableFromInline package var relatedBy: Int?
    /// Whether `JSONRelatedBy` names the destination's identity.
    ///
    /// Identifiers then tell no sub-entity.
    var isRelatedByIdentity = false
    var policies = Policies()
  }

  @inlinable package var name: String { fields.name }
  @inlinable package var destination: Int { fields.destination }
  @inlinable package var inverse: Int? { fields.inverse }
  @inlinable package var isToMany: Bool { fields.isToMany }
  @inlinable package var isOrdered: Bool { fields.isOrdered }
  @inlinable package var isOptional: Bool { fields.isOptional }
  @inlinable package var minimumCount: Int { fields.minimumCount }
  @inlinable package var maximumCount: Int { fields.maximumCount }
  package var deleteRule: DeleteRule { fields.deleteRule }
  package var paths: [JSONPath] { fields.paths }
  package var annotation: String? { fields.annotation }
  package var identifierPaths: [JSONPath] { fields.identifierPaths }
  /// Whether several paths are tried.
  var hasAlternatives: Bool { paths.count + identifierPaths.count > 1 }
  @inlinable package var relatedBy: Int? { fields.relatedBy }
  package var isRelatedByIdentity: Bool { fields.isRelatedByIdentity }
  package var policies: Policies { fields.policies }
}
