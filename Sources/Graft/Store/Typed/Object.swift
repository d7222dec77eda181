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
// it was measured at 90 ns. One subscript for all properties, because of several the compiler could
// not say which it means where a name is misspelt.
extension Object {
  /// What a property holds: the value of an attribute, the object or objects that a relationship
  /// leads to.
  ///
  /// - Parameter property: The property's key path.
  /// - Complexity: O(1); O(*n*) in the length of a text.
  @inlinable
  public subscript<P: ReadableProperty>(
    dynamicMember property: any KeyPath<E, P> & Sendable
  ) -> P.Content {
    type.prototype[keyPath: property].content(of: self)
  }

  /// What a property holds, also one whose name a member of the handle has.
  ///
  /// - Parameter property: The property's key path.
  /// - Complexity: O(1); O(*n*) in the length of a text.
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
