/// The objects of an ``Entity`` in a graph, by entity and insertion.
///
/// It makes handles on demand.
public struct Objects<E: Entity>: Sendable, BidirectionalCollection {
  let base: GraphObjects
  let type: EntityType<E>

  init(_ base: GraphObjects, as type: EntityType<E>) {
    self.base = base
    self.type = type
  }

  /// The number of objects.
  ///
  /// - Complexity: O(1) in the number of objects.
  public var count: Int { base.count }

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
  public subscript(_ position: GraphObjects.Index) -> Object<E> {
    Object(base[position].id, in: base.graph, as: type)
  }

  /// Returns an iterator over the objects.
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> Iterator {
    Iterator(
      RowSequence(graph: base.graph, entities: base.entities), of: base.graph, as: type)
  }

  /// An iterator over the objects of an entity.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var rows: RowSequence
    @usableFromInline let graph: Graph
    @usableFromInline let type: EntityType<E>

    init(_ rows: RowSequence, of graph: Graph, as type: EntityType<E>) {
      self.rows = rows
      self.graph = graph
      self.type = type
    }

    /// Advances to the next object.
    ///
    /// - Returns: The object; nil after the last.
    @inlinable public mutating func next() -> Object<E>? {
      guard let id = rows.next() else { return nil }
      return Object(id, in: graph, as: type)
    }
  }
}

extension Objects: CustomStringConvertible {
  /// The objects' descriptions, the first ones of many.
  public var description: String {
    let shown = prefix(20).map(\.debugDescription).joined(separator: ", ")
    return count > 20 ? "[\(shown), … \(count) in all]" : "[\(shown)]"
  }
}
