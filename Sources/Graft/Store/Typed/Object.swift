/// A handle on one object in one snapshot, with a member for each property of its ``Entity``.
///
/// ```swift
/// for tweet in store.graph.objects(Tweet.self) {
///   print(tweet.author?.screenName ?? "?", tweet.text)
/// }
/// ```
///
/// A handle reads straight from the snapshot's columns; nothing is allocated for an object. What
/// the compiler accepts, the graph has: a property that the entity lacks, or a value of another
/// type, is a compile error.
///
/// Two handles are equal if they are on the same object in the same snapshot.
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

  /// Whether nothing but the object's identity is known so far.
  public var isStub: Bool { graph.isStub(objectID) }

  /// The name of the object's entity; of a sub-entity's object, the sub-entity.
  public var entityName: String { graph.schema.entities[objectID.entity].name }
}

// Inlinable, because a key path that the compiler knows then costs nothing; applied by the runtime,
// it was measured at 90 ns.
extension Object {
  /// The value of an attribute, also of one whose name a member of the handle has.
  ///
  /// - Parameter attribute: The attribute's key path.
  /// - Complexity: O(1); O(*n*) in the length of a text.
  @inlinable public subscript<Value>(_ attribute: KeyPath<E, Attribute<Value>>) -> Value {
    value(of: type.prototype[keyPath: attribute])
  }

  /// The value of an attribute.
  ///
  /// - Parameter attribute: The attribute's key path.
  /// - Complexity: O(1); O(*n*) in the length of a text.
  @inlinable
  public subscript<Value>(
    dynamicMember attribute: any KeyPath<E, Attribute<Value>> & Sendable
  ) -> Value {
    value(of: type.prototype[keyPath: attribute])
  }

  /// The value of an attribute of the entity above.
  ///
  /// - Parameter attribute: The attribute's key path.
  @inlinable
  public subscript<Value>(
    dynamicMember attribute: any KeyPath<E.Superentity, Attribute<Value>> & Sendable
  ) -> Value {
    value(of: type.superPrototype[keyPath: attribute])
  }

  /// The object that a relationship leads to; nil if there is none.
  ///
  /// - Parameter relationship: The relationship's key path.
  @inlinable
  public subscript<Destination>(
    dynamicMember relationship: any KeyPath<E, ToOne<Destination>> & Sendable
  ) -> Object<Destination>? {
    object(of: type.prototype[keyPath: relationship])
  }

  /// The object that a relationship of the entity above leads to; nil if there is none.
  ///
  /// - Parameter relationship: The relationship's key path.
  @inlinable
  public subscript<Destination>(
    dynamicMember relationship: any KeyPath<E.Superentity, ToOne<Destination>> & Sendable
  ) -> Object<Destination>? {
    object(of: type.superPrototype[keyPath: relationship])
  }

  /// The objects that a relationship leads to, by entity and insertion.
  ///
  /// - Parameter relationship: The relationship's key path.
  /// - Complexity: O(1).
  @inlinable
  public subscript<Destination>(
    dynamicMember relationship: any KeyPath<E, ToMany<Destination>> & Sendable
  ) -> RelatedObjects<Destination> {
    objects(of: type.prototype[keyPath: relationship].core)
  }

  /// The objects that a relationship of the entity above leads to, by entity and insertion.
  ///
  /// - Parameter relationship: The relationship's key path.
  /// - Complexity: O(1).
  @inlinable
  public subscript<Destination>(
    dynamicMember relationship: any KeyPath<E.Superentity, ToMany<Destination>> & Sendable
  ) -> RelatedObjects<Destination> {
    objects(of: type.superPrototype[keyPath: relationship].core)
  }

  /// The objects that a relationship leads to, in its order.
  ///
  /// - Parameter relationship: The relationship's key path.
  /// - Complexity: O(1).
  @inlinable
  public subscript<Destination>(
    dynamicMember relationship: any KeyPath<E, ToManyOrdered<Destination>> & Sendable
  ) -> RelatedObjects<Destination> {
    objects(of: type.prototype[keyPath: relationship].core)
  }

  /// The objects that a relationship of the entity above leads to, in its order.
  ///
  /// - Parameter relationship: The relationship's key path.
  /// - Complexity: O(1).
  @inlinable
  public subscript<Destination>(
    dynamicMember relationship: any KeyPath<E.Superentity, ToManyOrdered<Destination>> & Sendable
  ) -> RelatedObjects<Destination> {
    objects(of: type.superPrototype[keyPath: relationship].core)
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
