/// The objects of an entity in a graph that is being written; see
/// ``MutableGraph``.
///
/// The collection has the objects that existed when it was made, without deleted ones. A position
/// stays valid when other objects are deleted.
public struct MutableGraphObjects: BidirectionalCollection {
  /// A position among the objects.
  public typealias Index = GraphObjects.Index

  private let graph: MutableGraph
  /// The entities, and the rows that they had when the collection was made.
  private let extents: [(entity: Int, rowCount: Int)]

  init(graph: MutableGraph, entities: [Int]) {
    self.graph = graph
    graph.readAll(of: entities)
    extents = entities.map { ($0, graph.transaction.rowCount($0)) }
  }

  /// The position of the first object.
  public var startIndex: Index { firstIndex(from: Index(entity: 0, row: 0)) }

  /// The position after the last object.
  public var endIndex: Index { Index(entity: extents.count, row: 0) }

  /// Returns the position after another.
  ///
  /// - Parameter index: A position that is not the end.
  /// - Returns: The next position.
  public func index(after index: Index) -> Index {
    firstIndex(from: Index(entity: index.entity, row: index.row + 1))
  }

  /// Returns the position before another.
  ///
  /// - Parameter index: A position that is not the start.
  /// - Returns: The previous position.
  public func index(before index: Index) -> Index {
    index.previous(rowCount) { graph.transaction.contains(id($0)) }
  }

  /// The object at a position.
  ///
  /// - Parameter position: A position that is not the end.
  public subscript(_ position: Index) -> MutableGraphObject {
    graph.handle(id(position))
  }

  /// Returns an iterator over the objects.
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> Iterator { Iterator(objects: self) }

  private func rowCount(_ entity: Int) -> Int { extents[entity].rowCount }

  private func id(_ index: Index) -> ObjectID {
    graph.transaction.layout.objectID(entity: extents[index.entity].entity, row: index.row)
  }

  private func firstIndex(from index: Index) -> Index {
    index.orNext(before: endIndex, rowCount) { graph.transaction.contains(id($0)) }
  }

  /// An iterator over the objects of an entity.
  public struct Iterator: IteratorProtocol {
    private let objects: MutableGraphObjects
    private var index = Index(entity: 0, row: 0)

    fileprivate init(objects: MutableGraphObjects) {
      self.objects = objects
    }

    /// Advances to the next object.
    ///
    /// - Returns: The object; nil after the last.
    public mutating func next() -> MutableGraphObject? {
      let found = objects.firstIndex(from: index)
      guard found < objects.endIndex else { return nil }
      index = Index(entity: found.entity, row: found.row + 1)
      return objects[found]
    }
  }
}
