/// An entity: its name, its properties, and the identity of its objects.
///
/// Code gives values; a model editor keeps annotations in ``userInfo``. If both are present, the
/// value counts.
public struct EntityDescription: Sendable, Hashable {
  /// The entity's name, unique in its model.
  public var name: String
  /// The name of the entity whose properties and annotations this one inherits.
  public var superentity: String?
  /// Whether the entity has no objects of its own, but only properties for its sub-entities to
  /// share.
  public var isAbstract: Bool
  /// The attributes that the entity declares itself, without inherited ones.
  public var attributes: [AttributeDescription]
  /// The relationships that the entity declares itself, without inherited ones.
  public var relationships: [RelationshipDescription]
  /// The names of the attributes that identify an object; nil inherits them.
  public var identity: [String]?
  /// The paths to the name of an object's sub-entity.
  public var discriminator: JSONPaths?
  /// The discriminator's value for objects of this entity; by default the entity's name.
  public var discriminatorValue: String?
  /// The entity, this one or one below, for objects whose discriminator has an unknown value, with
  /// a notice; nil makes such a value an error.
  public var unknownEntity: String?
  /// Chooses the sub-entity of an object in code, instead of a discriminator.
  public var mapper: EntityMapper?
  /// The name of the attribute that must be greater for an update to apply.
  public var modifiedAttribute: String?
  /// The treatment of an object without its identity; nil leaves it to the import's options.
  public var missingIdentity: MissingIdentityPolicy?
  /// Annotations: names and values as a model editor keeps them.
  public var userInfo: [String: String]

  /// Creates a description of an entity with these properties.
  public init(
    name: String,
    superentity: String? = nil,
    isAbstract: Bool = false,
    attributes: [AttributeDescription] = [],
    relationships: [RelationshipDescription] = [],
    identity: [String]? = nil,
    discriminator: JSONPaths? = nil,
    discriminatorValue: String? = nil,
    unknownEntity: String? = nil,
    mapper: EntityMapper? = nil,
    modifiedAttribute: String? = nil,
    missingIdentity: MissingIdentityPolicy? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.superentity = superentity
    self.isAbstract = isAbstract
    self.attributes = attributes
    self.relationships = relationships
    self.identity = identity
    self.discriminator = discriminator
    self.discriminatorValue = discriminatorValue
    self.unknownEntity = unknownEntity
    self.mapper = mapper
    self.modifiedAttribute = modifiedAttribute
    self.missingIdentity = missingIdentity
    self.userInfo = userInfo
  }

  /// The name by which files and messages mention the entity's own mapper.
  package var nameOfOwnMapper: String { "\(name) mapper" }
}
