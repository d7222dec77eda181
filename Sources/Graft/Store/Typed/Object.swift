/// A handle on one object in one snapshot, with a member for each property of its ``Entity``.
///
/// ```swift
/// for tweet in store.graph.objects(Tweet.self) {
///   print(tweet.author?.screenName ?? "?", tweet.text)
/// }
/// ```
///
/// A handle reads straight from the snapshot's columns; nothing is allocated for an object. A
/// property that the entity lacks, or a value of another type, is a compile error.
///
/// Two handles are equal if they are on the same object and the object has the same content in both
/// snapshots. So a set or a view changes only with commits that change its objects.
@dynamicMemberLookup
public struct Object<E: Entity>: Sendable {
  /// The object's identifier in its store, the same in all snapshots.
  public let objectID: ObjectID
  /// The snapshot that the object is read from.
  public let graph: Graph
  @usableFromInline let type: EntityType<E>

  /// - Precondition: The graph contains the object, which is of the entity or one below it.
  @inlinable init(_ id: ObjectID, in graph: Graph, as type: EntityType<E>) {
    objectID = id
    self.graph = graph
    self.type = type
  }

  /// Whether only the object's identity is known so far.
  ///
  /// - Precondition: The object is not a fault, but its content in the database was not read.
  public var isStub: Bool { graph.isStub(objectID) }

  /// Whether only the object's identity was read from a database.
  ///
  /// A link leads to such an object, and no `following:` names the link.
  ///
  /// Reading anything else of it stops the program, and nothing is fetched behind your back.
  public var isFault: Bool { !graph.isRead(objectID) }

  /// The name of the object's entity; for an object of a sub-entity, the sub-entity's name.
  public var entityName: String { graph.schema.entities[objectID.entity].name }
}

// Inlinable, because a literal key path then costs nothing; applied at run time, it was measured at
// 90 ns. One subscript for all properties, because with several the compiler's error for a misspelt
// name would be about overloads.
extension Object {
  /// The value of an attribute, or the object or objects that a relationship leads to.
  ///
  /// - Parameter property: The property's key path.
  /// - Complexity: O(1); O(*n*) in the length of a string.
  @inlinable
  public subscript<P: ReadableProperty>(
    dynamicMember property: any KeyPath<E, P> & Sendable
  ) -> P.Content {
    type.prototype[keyPath: property].content(of: self)
  }

  /// The value of a property, even if a member of the handle has the same name.
  ///
  /// - Parameter property: The property's key path.
  /// - Complexity: O(1); O(*n*) in the length of a string.
  @inlinable public subscript<P: ReadableProperty>(_ property: KeyPath<E, P>) -> P.Content {
    type.prototype[keyPath: property].content(of: self)
  }
}

extension Object {
  @inlinable func value<Value>(of attribute: Attribute<Value>) -> Value {
    attribute.core.value(of: graph.value(objectID, attribute: attribute.core.number))
  }

  @inlinable func object<Destination>(
    of relationship: ToOne<Destination>
  ) -> Object<Destination>? {
    let core = relationship.core
    guard let target = graph.toOne(objectID, relationship: core.number) else { return nil }
    return Object<Destination>(target, in: graph, as: core.type)
  }

  @inlinable func objects<Destination>(
    of relationship: RelationshipCore<Destination>
  ) -> RelatedObjects<Destination> {
    RelatedObjects(
      owner: objectID, relationship: relationship.number, graph: graph, type: relationship.type)
  }
}

extension Object: Identifiable {
  /// The value of the entity's attribute `id`; without such an attribute the ``objectID``.
  @inlinable public var id: E.IDProperty.Value {
    if let attribute = type.prototype.id as? Attribute<E.IDProperty.Value> {
      return value(of: attribute)
    }
    if let id = objectID as? E.IDProperty.Value { return id }
    misuse("an IdentifyingProperty is an Attribute or ObjectIDProperty")
  }
}

extension Object: Hashable {
  /// Returns whether two handles are on the same object with the same content, in whichever
  /// snapshots of one store.
  ///
  /// The content is the values of the attributes, the objects that the relationships lead to, in
  /// their order, and whether the object is a stub. Two handles are unequal exactly if
  /// ``GraphStore/changes`` would list the object as updated. The content of linked objects does
  /// not count.
  ///
  /// - Parameters:
  ///   - lhs: A handle.
  ///   - rhs: Another handle.
  /// - Returns: Whether they are equal.
  /// - Complexity: O(1) in one snapshot, and where nothing near the object was written between the
  ///   two; else O(*n*) in the size of the object.
  public static func == (lhs: Object, rhs: Object) -> Bool {
    lhs.objectID == rhs.objectID && lhs.graph.isSame(lhs.objectID, in: rhs.graph)
  }

  /// Feeds the object's identifier to a hasher.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(objectID) }
}

// Not CustomStringConvertible: its `description` would hide an attribute of that name, which is
// common. Printing or interpolating an object uses `debugDescription` as well.
extension Object: CustomDebugStringConvertible {
  /// The entity and the attributes that have a value, long values shortened; of a fault its identity.
  public var debugDescription: String { GraphObject(self).description }
}

extension GraphObject {
  /// Creates the handle that reads the same object by names.
  ///
  /// - Parameter object: A typed handle.
  public init<E: Entity>(_ object: Object<E>) {
    self.init(id: object.objectID, graph: object.graph)
  }
}

extension Object {
  /// Creates the typed handle on an object; nil if the object is not of the entity, nor of one
  /// below it.
  ///
  /// - Parameter object: A handle that reads by names.
  /// - Precondition: The graph's model was made from the entity.
  public init?(_ object: GraphObject) {
    self.init(object.id, of: object.graph)
  }

  /// Returns the same object as an object of a sub-entity, to read the sub-entity's own properties,
  /// or of an entity above.
  ///
  /// - Parameter entity: The other entity.
  /// - Returns: The handle; nil if the object is not of that entity.
  /// - Precondition: The graph's model was made from the entity.
  public func `as`<Other: Entity>(_ entity: Other.Type) -> Object<Other>? {
    Object<Other>(objectID, of: graph)
  }

  private init?(_ id: ObjectID, of graph: Graph) {
    guard graph.schema.schema(of: E.self).family.contains(id.entity) else { return nil }
    self.init(id, in: graph, as: .shared)
  }
}

extension Graph {
  /// Returns the objects of an entity, by entity and insertion.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - includesSubentities: Whether objects of the entities below it are included.
  /// - Returns: The objects as a collection that makes handles on demand.
  /// - Complexity: O(1).
  public func objects<E: Entity>(
    _ entity: E.Type, includesSubentities: Bool = true
  ) -> Objects<E> {
    let entities = schema.family(of: entity, includesSubentities)
    return Objects(GraphObjects(graph: having(all: entities), entities: entities), as: .shared)
  }

  /// Returns the number of objects of an entity.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - includesSubentities: Whether objects of the entities below it are counted.
  /// - Returns: The number.
  /// - Complexity: O(1).
  public func count<E: Entity>(of entity: E.Type, includesSubentities: Bool = true) -> Int {
    objects(entity, includesSubentities: includesSubentities).count
  }

  /// Returns an object by its identifier.
  ///
  /// - Parameters:
  ///   - id: The object's identifier, from this store.
  ///   - entity: The entity to read it as.
  /// - Returns: The object; nil if this graph does not have it, or it is of another entity.
  public func object<E: Entity>(_ id: ObjectID, as entity: E.Type = E.self) -> Object<E>? {
    object(id).flatMap { Object($0) }
  }

  /// Returns the object with an identity of one attribute.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of entities below it are found as well.
  ///   - identity: The value of its identity attribute.
  /// - Returns: The object; nil if there is none.
  /// - Throws: ``StoreError`` if the entity's identity is not one attribute of this type.
  /// - Complexity: O(1) on average.
  public func object<E: Entity, Value: AttributeConvertible>(
    _ entity: E.Type, id identity: Value
  ) throws(StoreError) -> Object<E>? {
    let schema = schema.schema(of: entity)
    let values = try schema.soleIdentity { try Value.attributeCodec.encode(identity) }
    return try object(schema.name, identifiedBy: values).flatMap { Object($0) }
  }

  /// Returns the object with an identity of several attributes.
  ///
  /// ```swift
  /// let seat = try graph.object(Seat.self, identifiedBy: (\.row, "F"), (\.number, 12))
  /// ```
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of entities below it are found as well.
  ///   - identity: The key path of each of its identity attributes, and the value.
  /// - Returns: The object; nil if there is none.
  /// - Throws: ``StoreError`` if the key paths are not those of the identity.
  /// - Complexity: O(1) on average.
  public func object<E: Entity, each Value>(
    _ entity: E.Type, identifiedBy identity: repeat (KeyPath<E, Attribute<each Value>>, each Value)
  ) throws(StoreError) -> Object<E>? {
    let schema = schema.schema(of: entity)
    let values = try schema.identity(of: entity, repeat each identity)
    return try object(schema.name, identifiedBy: values).flatMap { Object($0) }
  }
}
