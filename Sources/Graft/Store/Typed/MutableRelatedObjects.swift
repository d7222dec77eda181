/// The objects that a to-many relationship of an object leads to, in a graph that is being written.
///
/// ```swift
/// tweet.hashtags.append(sun)
/// tweet.hashtags.removeAll { $0.text.isEmpty }
/// tweet.replies = []
/// print(tweet.hashtags.first?.text ?? "", tweet.hashtags.count)
/// ```
///
/// It always shows the relationship as it is now. An impossible change, such as a link to a deleted
/// object, has no effect, and `write` throws the error at its end.
///
/// After a deletion, visit the objects of a relationship without inverse in a `for` loop, which reads them once. `map`
/// and subscripts look for each position anew.
public struct MutableRelatedObjects<E: Entity>: RandomAccessCollection {
  private enum Content {
    case relationship(MutableGraphObject, Int)
    /// An array literal that is not yet assigned.
    case list([MutableObject<E>])
  }

  private let content: Content

  init(_ owner: MutableGraphObject, _ relationship: RelationshipCore<E>) {
    content = .relationship(owner, relationship.number)
  }

  /// The position of the first object: 0.
  public var startIndex: Int { 0 }

  /// The position after the last object, which is their number.
  ///
  /// - Complexity: O(1); O(*n*) for a relationship without inverse after a deletion in the same write.
  public var endIndex: Int {
    switch content {
    case .list(let objects): objects.count
    case .relationship(let owner, let relationship):
      owner.graph.deferringErrors(0) { writer throws(StoreError) in
        try writer.memberCount(of: owner.id, relationship: relationship)
      }
    }
  }

  /// The object at a position.
  ///
  /// - Parameter position: A position that is not the end.
  /// - Complexity: O(1); O(*n*) for a relationship without inverse after a deletion in the same write.
  public subscript(_ position: Int) -> MutableObject<E> {
    switch content {
    case .list(let objects): return objects[position]
    case .relationship(let owner, let relationship):
      let member = owner.graph.deferringErrors(nil) { writer throws(StoreError) in
        try writer.member(of: owner.id, relationship: relationship, at: position)
      }
      guard let member else {
        misuse("position \(position) is out of range: the relationship leads to \(count) objects")
      }
      return MutableObject(of: owner.graph.handle(member))
    }
  }

  /// Returns an iterator over the current objects; they may be written during the iteration.
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> IndexingIterator<[MutableObject<E>]> { objects.makeIterator() }

  private var objects: [MutableObject<E>] {
    switch content {
    case .list(let objects): return objects
    case .relationship(let owner, let relationship):
      let members = owner.graph.deferringErrors([]) { writer throws(StoreError) in
        try writer.members(of: owner.id, relationship: relationship)
      }
      return members.map { MutableObject(of: owner.graph.handle($0)) }
    }
  }
}

extension MutableRelatedObjects {
  /// Links an object, in an ordered relationship after the others.
  ///
  /// - Parameter object: The object; one that is there already keeps its position.
  public func append(_ object: MutableObject<E>) { append(contentsOf: CollectionOfOne(object)) }

  /// Links objects, in an ordered relationship after the others.
  ///
  /// - Parameter objects: The objects; those that are there already keep their positions.
  public func append(contentsOf objects: some Sequence<MutableObject<E>>) {
    change { writer, owner, relationship throws(StoreError) in
      try writer.addMembers(objects.map { id(of: $0) }, to: owner, relationship: relationship)
    }
  }

  /// Links an object at a position of an ordered relationship.
  ///
  /// - Parameters:
  ///   - object: The object; an existing member is moved.
  ///   - index: Its position in the result, counted from 0.
  public func insert(_ object: MutableObject<E>, at index: Int) {
    change { writer, owner, relationship throws(StoreError) in
      try writer.insertMember(id(of: object), at: index, of: owner, relationship: relationship)
    }
  }

  /// Unlinks an object; it is not deleted.
  ///
  /// - Parameter object: The object; nothing happens if it is not there.
  public func remove(_ object: MutableObject<E>) {
    change { writer, owner, relationship throws(StoreError) in
      try writer.removeMember(id(of: object), from: owner, relationship: relationship)
    }
  }

  /// Unlinks the object at a position; it is not deleted.
  ///
  /// - Parameter index: A position that is not the end.
  /// - Returns: The object.
  @discardableResult
  public func remove(at index: Int) -> MutableObject<E> {
    let object = self[index]
    remove(object)
    return object
  }

  /// Unlinks all objects; they are not deleted.
  public func removeAll() { replace(with: []) }

  /// Unlinks the objects that meet a condition; they are not deleted.
  ///
  /// - Parameter isRemoved: Whether an object is unlinked.
  /// - Throws: The closure's error; nothing is unlinked then.
  public func removeAll(where isRemoved: (MutableObject<E>) throws -> Bool) rethrows {
    let kept = try filter { try !isRemoved($0) }
    if kept.count < count { replace(with: kept) }
  }

  /// Unlinks all objects, and links these instead.
  ///
  /// - Parameter objects: The objects; in an ordered relationship, in this order.
  public func replace(with objects: some Sequence<MutableObject<E>>) {
    change { writer, owner, relationship throws(StoreError) in
      try writer.setMembers(objects.map { id(of: $0) }, of: owner, relationship: relationship)
    }
  }

  private func change(
    _ body: (CheckedWriter, ObjectID, Int) throws(StoreError) -> Void
  ) {
    guard case .relationship(let owner, let relationship) = content else {
      misuse("the objects of a literal are changed; assign them to a relationship first")
    }
    owner.graph.deferringErrors(()) { writer throws(StoreError) in
      try body(writer, owner.id, relationship)
    }
  }

  /// Returns the identifier of an object, which must be one of the same write.
  private func id(of object: MutableObject<E>) -> ObjectID {
    guard case .relationship(let owner, _) = content else { return object.objectID }
    return owner.graph.id(of: object.untyped)
  }
}

extension MutableRelatedObjects: ExpressibleByArrayLiteral {
  /// Creates objects to assign to a relationship.
  ///
  /// - Parameter elements: The objects.
  public init(arrayLiteral elements: MutableObject<E>...) { content = .list(elements) }
}

extension MutableRelatedObjects: CustomStringConvertible {
  /// The objects' descriptions.
  public var description: String { "[\(map(\.debugDescription).joined(separator: ", "))]" }
}
