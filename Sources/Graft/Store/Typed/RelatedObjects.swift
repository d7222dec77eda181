/// The objects that a to-many relationship of an object leads to.
///
/// It makes handles on demand.
public struct RelatedObjects<E: Entity>: Sendable, RandomAccessCollection {
  @usableFromInline let owner: ObjectID
  @usableFromInline let relationship: Int
  @usableFromInline let graph: Graph
  @usableFromInline let type: EntityType<E>

  @inlinable init(owner: ObjectID, relationship: Int, graph: Graph, type: EntityType<E>) {
    self.owner = owner
    self.relationship = relationship
    self.graph = graph
    self.type = type
  }

  /// The position of the first object: 0.
  @inlinable public var startIndex: Int { 0 }

  /// The position after the last object, which is their number.
  @inlinable public var endIndex: Int { graph.memberCount(owner, relationship: relationship) }

  /// The object at a position.
  ///
  /// - Parameter position: A position that is not the end.
  @inlinable public subscript(_ position: Int) -> Object<E> {
    Object(
      graph.member(owner, relationship: relationship, at: position), in: graph, as: type)
  }

  /// Returns whether the relationship leads to an object.
  ///
  /// - Parameter object: An object of the same store.
  /// - Returns: Whether it is among the objects, in whichever snapshot.
  /// - Complexity: O(*n*) in the number of objects.
  public func contains(_ object: Object<E>) -> Bool {
    graph.storage.layout.checkOwns(object.objectID)
    return graph.withToMany(owner, relationship: relationship) { $0.contains(object.objectID) }
  }
}

extension RelatedObjects: CustomStringConvertible {
  /// The objects' descriptions.
  public var description: String {
    if graph.unreadPart(owner, relationship: relationship) != nil { return "[not read]" }
    return "[\(map(\.debugDescription).joined(separator: ", "))]"
  }
}
