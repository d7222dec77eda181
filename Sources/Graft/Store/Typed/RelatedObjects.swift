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

  /// The position behind the last object, which is their number.
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
    "[\(map(\.debugDescription).joined(separator: ", "))]"
  }
}

/// The objects that a to-many relationship of an object leads to, in a graph that is being written.
///
/// What is not possible, such as linking an object that has been deleted, changes nothing, and
/// `write` throws the error at its end.
public struct MutableRelatedObjects<E: Entity>: Sequence {
  private let owner: MutableGraphObject
  private let relationship: Int

  init(_ owner: MutableGraphObject, _ relationship: RelationshipCore<E>) {
    self.owner = owner
    self.relationship = relationship.number
  }

  private var graph: MutableGraph { owner.graph }

  private var members: [ObjectID] {
    graph.deferringErrors([]) { writer throws(StoreError) in
      try writer.members(of: owner.id, relationship: relationship)
    }
  }

  /// The number of objects.
  public var count: Int { members.count }

  /// Whether there is no object.
  public var isEmpty: Bool { members.isEmpty }

  /// Returns an iterator over the objects as they are now; they may be written meanwhile.
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> some IteratorProtocol<MutableObject<E>> {
    members.lazy.map { MutableObject<E>(of: graph.handle($0)) }.makeIterator()
  }

  /// Links an object, in an ordered relationship behind the others.
  ///
  /// - Parameter object: The object; one that is there already keeps its position.
  public func append(_ object: MutableObject<E>) {
    let member = graph.id(of: object.untyped)
    graph.deferringErrors(()) { writer throws(StoreError) in
      try writer.addMember(member, to: owner.id, relationship: relationship)
    }
  }

  /// Links an object at a position of an ordered relationship.
  ///
  /// - Parameters:
  ///   - object: The object; one that is there already is moved.
  ///   - index: Its position in the result, counted from 0.
  public func insert(_ object: MutableObject<E>, at index: Int) {
    let member = graph.id(of: object.untyped)
    graph.deferringErrors(()) { writer throws(StoreError) in
      try writer.insertMember(
        member, at: index, of: owner.id, relationship: relationship)
    }
  }

  /// Unlinks an object; it is not deleted.
  ///
  /// - Parameter object: The object; nothing happens if it is not there.
  public func remove(_ object: MutableObject<E>) {
    let member = graph.id(of: object.untyped)
    graph.deferringErrors(()) { writer throws(StoreError) in
      try writer.removeMember(member, from: owner.id, relationship: relationship)
    }
  }

  /// Unlinks all objects, and links these instead.
  ///
  /// - Parameter objects: The objects; in an ordered relationship, in this order.
  public func replace(with objects: some Sequence<MutableObject<E>>) {
    let members = objects.map { graph.id(of: $0.untyped) }
    graph.deferringErrors(()) { writer throws(StoreError) in
      try writer.setMembers(members, of: owner.id, relationship: relationship)
    }
  }
}
