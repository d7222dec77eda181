/// What an entity declares besides its properties and its identity.
///
/// ```swift
/// struct Media: Entity {
///   let kind = Attribute<String>("type")
///   static let options = EntityOptions<Self>(
///     isAbstract: true, subentities: [Photo.self, Video.self], discriminator: "type")
/// }
/// ```
public struct EntityOptions<E: Entity>: Sendable {
  /// How keys are spelled; nil for as in the entity above.
  let keys: KeyStyle?
  let isAbstract: Bool
  let subentities: [any Entity.Type]
  let missingIdentity: MissingIdentityPolicy?
  let discriminator: JSONPaths?
  let discriminatorValue: String?
  let unknown: (any Entity.Type)?
  let modified: (any PartialKeyPath<E> & Sendable)?
  let mapper: EntityMapper?
  let renamingIdentifier: String?
  let renamingIdentifiers: [String: String]

  /// Creates options.
  ///
  /// - Parameters:
  ///   - keys: How the keys of properties that name no path are spelled in JSON; by default as in the
  ///     entity above, or else as the properties are named.
  ///   - isAbstract: Whether objects of this very entity cannot exist, only those of entities below
  ///     it.
  ///   - subentities: Entities below this one, which a model of this one has as well.
  ///   - missingIdentity: What happens to an object that lacks its identity.
  ///   - discriminator: Where in an object the name of its sub-entity is found.
  ///   - discriminatorValue: What is found there for objects of this entity; by default its name.
  ///   - unknown: The entity of objects in which something else is found there, this one or one below;
  ///     by default that is an error.
  ///   - mapper: Chooses the sub-entity, where no plain discriminator does.
  ///   - renamingIdentifier: What the entity was called before, so that a database renames its table.
  ///   - renamingIdentifiers: What properties were called before, by their names now.
  public init(
    keys: KeyStyle? = nil,
    isAbstract: Bool = false,
    subentities: [any Entity.Type] = [],
    missingIdentity: MissingIdentityPolicy? = nil,
    discriminator: JSONPaths? = nil,
    discriminatorValue: String? = nil,
    unknown: (any Entity.Type)? = nil,
    mapper: EntityMapper? = nil,
    renamingIdentifier: String? = nil,
    renamingIdentifiers: [String: String] = [:]
  ) {
    self.keys = keys
    self.isAbstract = isAbstract
    self.subentities = subentities
    self.missingIdentity = missingIdentity
    self.discriminator = discriminator
    self.discriminatorValue = discriminatorValue
    self.unknown = unknown
    self.mapper = mapper
    self.renamingIdentifier = renamingIdentifier
    self.renamingIdentifiers = renamingIdentifiers
    modified = nil
  }

  /// Creates options of an entity to which only newer updates apply.
  ///
  /// - Parameters:
  ///   - keys: How the keys of properties that name no path are spelled in JSON; by default as in the
  ///     entity above, or else as the properties are named.
  ///   - isAbstract: Whether objects of this very entity cannot exist, only those of entities below
  ///     it.
  ///   - subentities: Entities below this one, which a model of this one has as well.
  ///   - missingIdentity: What happens to an object that lacks its identity.
  ///   - discriminator: Where in an object the name of its sub-entity is found.
  ///   - discriminatorValue: What is found there for objects of this entity; by default its name.
  ///   - unknown: The entity of objects in which something else is found there, this one or one below;
  ///     by default that is an error.
  ///   - mapper: Chooses the sub-entity, where no plain discriminator does.
  ///   - renamingIdentifier: What the entity was called before, so that a database renames its table.
  ///   - renamingIdentifiers: What properties were called before, by their names now.
  ///   - modified: The attribute that must have grown for an update to apply.
  public init<Modified>(
    keys: KeyStyle? = nil,
    isAbstract: Bool = false,
    subentities: [any Entity.Type] = [],
    missingIdentity: MissingIdentityPolicy? = nil,
    discriminator: JSONPaths? = nil,
    discriminatorValue: String? = nil,
    unknown: (any Entity.Type)? = nil,
    mapper: EntityMapper? = nil,
    renamingIdentifier: String? = nil,
    renamingIdentifiers: [String: String] = [:],
    modified: any KeyPath<E, Attribute<Modified>> & Sendable
  ) {
    self.keys = keys
    self.isAbstract = isAbstract
    self.subentities = subentities
    self.missingIdentity = missingIdentity
    self.discriminator = discriminator
    self.discriminatorValue = discriminatorValue
    self.unknown = unknown
    self.mapper = mapper
    self.renamingIdentifier = renamingIdentifier
    self.renamingIdentifiers = renamingIdentifiers
    self.modified = modified
  }
}
