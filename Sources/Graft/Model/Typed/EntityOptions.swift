/// The options of an entity besides its properties and its identity.
///
/// ```swift
/// struct Media: Entity {
///   let kind = Attribute<String>("type")
///   static let options = EntityOptions<Self>(
///     isAbstract: true, subentities: [Photo.self, Video.self], discriminator: "type")
/// }
/// ```
public struct EntityOptions<E: Entity>: Sendable {
  /// The spelling of keys; nil for the spelling of the entity above.
  let keys: KeyStyle?
  let isAbstract: Bool
  let subentities: [any Entity.Type]
  let missingIdentity: MissingIdentityPolicy?
  let discriminator: JSONPaths?
  let discriminatorValue: String?
  let unknown: (any Entity.Type)?
  // Safe: key paths do not change, and this one was sent here.
  nonisolated(unsafe) let modified: PartialKeyPath<E>?
  let mapper: EntityMapper?
  let renamingIdentifier: String?
  let renamingIdentifiers: [String: String]

  /// Creates options of an entity.
  ///
  /// - Parameters:
  ///   - keys: The spelling of JSON keys for properties that name no path; by default the spelling
  ///     of the entity above, or else the properties' own names.
  ///   - isAbstract: Whether only sub-entities of the entity can have objects.
  ///   - subentities: The entities below this one; a model with this entity has them as well.
  ///   - missingIdentity: The treatment of an object without its identity.
  ///   - discriminator: The paths to the name of an object's sub-entity.
  ///   - discriminatorValue: The discriminator's value for objects of this entity; by default the
  ///     entity's name.
  ///   - unknown: The entity of objects whose discriminator has an unknown value: this entity or
  ///     one below. By default an unknown value is an error.
  ///   - mapper: Chooses the sub-entity in code, instead of a discriminator.
  ///   - renamingIdentifier: The entity's former name, by which a database finds the table to
  ///     rename.
  ///   - renamingIdentifiers: The properties' former names, by their current names.
  ///   - modified: The attribute that must be greater than the stored value for an update to apply; by
  ///     default every update applies.
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
    renamingIdentifiers: [String: String] = [:],
    modified: sending PartialKeyPath<E>? = nil
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
    unsafe self.modified = modified
  }
}
