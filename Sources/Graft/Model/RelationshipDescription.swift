/// A relationship of an entity: its destination, its bounds, and its paths in JSON.
///
/// Code gives values; a model editor keeps annotations in ``userInfo``. If both are present, the
/// value counts.
public struct RelationshipDescription: Sendable, Hashable {
  /// The relationship's name, unique among the properties of its entity.
  public var name: String
  /// The name of the entity whose objects the relationship leads to.
  public var destination: String
  /// The name of the destination's relationship that leads back.
  public var inverse: String?
  /// Whether the relationship leads to any number of objects instead of at most one.
  public var isToMany: Bool
  /// Whether the objects of a to-many relationship have an order.
  public var isOrdered: Bool
  /// Whether an object may lack a link.
  public var isOptional: Bool
  /// The fewest objects that a to-many relationship may lead to; 0 sets no bound.
  public var minimumCount: Int
  /// The most objects that a to-many relationship may lead to; 0 sets no bound.
  public var maximumCount: Int
  /// The effect of deleting an object on the objects at the other end.
  public var deleteRule: DeleteRule
  /// The paths of the related objects in JSON; by default the relationship's own name.
  public var paths: JSONPaths?
  /// The name of the destination's attribute that bare identifiers hold; by default its identity.
  public var relatedBy: String?
  /// The policies of imports and exports for the relationship.
  public var policies: Policies
  /// Annotations: names and values as a model editor keeps them.
  public var userInfo: [String: String]

  /// Creates a description of a relationship with these properties.
  public init(
    name: String,
    destination: String,
    inverse: String? = nil,
    isToMany: Bool = false,
    isOrdered: Bool = false,
    isOptional: Bool = true,
    minimumCount: Int = 0,
    maximumCount: Int = 0,
    deleteRule: DeleteRule = .nullify,
    paths: JSONPaths? = nil,
    relatedBy: String? = nil,
    policies: Policies = Policies(),
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.destination = destination
    self.inverse = inverse
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.isOptional = isOptional
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
    self.deleteRule = deleteRule
    self.paths = paths
    self.relatedBy = relatedBy
    self.policies = policies
    self.userInfo = userInfo
  }
}

/// The effect of deleting an object on the objects at the other end of a relationship.
public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
  /// The objects at the other end lose their link back.
  case nullify = "Nullify"
  /// The objects at the other end are deleted as well.
  case cascade = "Cascade"
  /// The deletion is refused while there is an object at the other end.
  case deny = "Deny"
  /// The other end stays, and the link to the deleted object is removed.
  case noAction = "No Action"
}
