/// What a relationship leads to, and the annotations that say where in JSON its objects stand.
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
  /// What happens to the other end when an object is deleted.
  public var deleteRule: DeleteRule
  /// Annotations: names and values as a model editor keeps them.
  public var userInfo: [String: String]

  /// Creates a description of a relationship.
  ///
  /// - Parameters:
  ///   - name: The relationship's name.
  ///   - destination: The name of the entity it leads to.
  ///   - inverse: The name of the destination's relationship that leads back.
  ///   - isToMany: Whether it leads to any number of objects.
  ///   - isOrdered: Whether the objects of a to-many relationship have an order.
  ///   - isOptional: Whether an object may lack a link.
  ///   - minimumCount: The fewest objects of a to-many relationship.
  ///   - maximumCount: The most objects of a to-many relationship; 0 sets no bound.
  ///   - deleteRule: What happens to the other end when an object is deleted.
  ///   - userInfo: Annotations such as `JSONKeyPath`.
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
    self.userInfo = userInfo
  }
}
