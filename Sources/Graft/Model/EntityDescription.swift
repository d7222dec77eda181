/// What an entity's objects look like: its name, its properties and the annotations that steer
/// import and export.
public struct EntityDescription: Sendable, Hashable {
  /// The entity's name, unique in its model.
  public var name: String
  /// The name of the entity whose properties and annotations this one inherits.
  public var superentity: String?
  /// Whether the entity only gathers what its sub-entities share and has no objects of its own.
  public var isAbstract: Bool
  /// The attributes that the entity declares itself, without inherited ones.
  public var attributes: [AttributeDescription]
  /// The relationships that the entity declares itself, without inherited ones.
  public var relationships: [RelationshipDescription]
  /// Annotations: names and values as a model editor keeps them.
  public var userInfo: [String: String]

  /// Creates a description of an entity.
  ///
  /// - Parameters:
  ///   - name: The entity's name, unique in its model.
  ///   - superentity: The name of the entity whose properties are inherited.
  ///   - isAbstract: Whether objects of this very entity cannot exist.
  ///   - attributes: The attributes declared here.
  ///   - relationships: The relationships declared here.
  ///   - userInfo: Annotations such as `identityAttributes`.
  public init(
    name: String,
    superentity: String? = nil,
    isAbstract: Bool = false,
    attributes: [AttributeDescription] = [],
    relationships: [RelationshipDescription] = [],
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.superentity = superentity
    self.isAbstract = isAbstract
    self.attributes = attributes
    self.relationships = relationships
    self.userInfo = userInfo
  }
}
