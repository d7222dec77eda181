/// The objects of an ``Entity`` in a graph that is being written; see
/// ``MutableGraph``.
///
/// The collection has the objects that existed when it was made, without deleted ones.
public struct MutableObjects<E: Entity>: BidirectionalCollection {
  private let base: MutableGraphObjects

  init(_ base: MutableGraphObjects) {
    self.base = base
  }

  /// The position of the first object.
  public var startIndex: GraphObjects.Index { base.startIndex }

  /// The position after the last object.
  public var endIndex: GraphObjects.Index { base.endIndex }

  /// Returns the position after another.
  ///
  /// - Parameter index: A position that is not the end.
  /// - Returns: The next position.
  public func index(after index: GraphObjects.Index) -> GraphObjects.Index {
    base.index(after: index)
  }

  /// Returns the position before another.
  ///
  /// - Parameter index: A position that is not the start.
  /// - Returns: The previous position.
  public func index(before index: GraphObjects.Index) -> GraphObjects.Index {
    base.index(before: index)
  }

  /// The object at a position.
  ///
  /// - Parameter position: A position that is not the end.
  public subscript(_ position: GraphObjects.Index) -> MutableObject<E> {
    MutableObject(of: base[position])
  }

  /// Returns an iterator over the objects.
  ///
  /// Objects may be written during the iteration: newly inserted ones are not visited, deleted ones
  /// are skipped.
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> Iterator { Iterator(base: base.makeIterator()) }

  /// An iterator over the objects of an entity.
  public struct Iterator: IteratorProtocol {
    fileprivate var base: MutableGraphObjects.Iterator

    /// Advances to the next object.
    ///
    /// - Returns: The object; nil after the last.
    public mutating func next() -> MutableObject<E>? { base.next().map { MutableObject(of: $0) } }
  }
}
