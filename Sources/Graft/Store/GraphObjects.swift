/// The objects of an entity in a graph, by entity and insertion.
///
/// It makes handles on demand.
public struct GraphObjects: Sendable, BidirectionalCollection {
  /// A position among the objects.
  public struct Index: Sendable, Hashable, Comparable {
    /// The position among the entities, and the row.
    let entity: Int
    let row: Int

    /// Returns whether a position comes before another.
    ///
    /// - Parameters:
    ///   - lhs: A position.
    ///   - rhs: Another one.
    /// - Returns: Whether `lhs` comes first.
    public static func < (lhs: Index, rhs: Index) -> Bool {
      (lhs.entity, lhs.row) < (rhs.entity, rhs.row)
    }
  }

  let graph: Graph
  let entities: [Int]

  init(graph: Graph, entities: [Int]) {
    self.graph = graph
    self.entities = entities
  }

  /// The number of objects.
  ///
  /// - Complexity: O(1) in the number of objects.
  public var count: Int { entities.reduce(0) { $0 + graph.liveCount($1) } }

  /// The position of the first object.
  public var startIndex: Index { firstIndex(from: Index(entity: 0, row: 0)) }

  /// The position after the last object.
  public var endIndex: Index { Index(entity: entities.count, row: 0) }

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
    var index = index
    repeat {
      while index.row == 0 {
        guard index.entity > 0 else { misuse("there is no object before the first") }
        index = Index(entity: index.entity - 1, row: rowCount(index.entity - 1))
      }
      index = Index(entity: index.entity, row: index.row - 1)
    } while !graph.contains(id(index))
    return index
  }

  /// The object at a position.
  ///
  /// - Parameter position: A position that is not the end.
  public subscript(_ position: Index) -> GraphObject {
    GraphObject(id: id(position), graph: graph)
  }

  /// Returns an iterator over the objects.
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> Iterator { Iterator(graph: graph, entities: entities) }

  /// Finds the first position from another one on that has an object.
  private func firstIndex(from start: Index) -> Index {
    var index = start
    while index.entity < entities.count {
      if index.row >= rowCount(index.entity) {
        index = Index(entity: index.entity + 1, row: 0)
      } else if graph.contains(id(index)) {
        break
      } else {
        index = Index(entity: index.entity, row: index.row + 1)
      }
    }
    return index
  }

  private func rowCount(_ entity: Int) -> Int { graph.storage.tables[entities[entity]].rowCount }

  private func id(_ index: Index) -> ObjectID {
    graph.storage.layout.objectID(entity: entities[index.entity], row: index.row)
  }
}

extension GraphObjects {
  /// An iterator over the objects of an entity.
  public struct Iterator: IteratorProtocol {
    private var rows: RowSequence

    init(graph: Graph, entities: [Int]) {
      rows = RowSequence(graph: graph, entities: entities)
    }

    /// Advances to the next object.
    ///
    /// - Returns: The object; nil after the last.
    public mutating func next() -> GraphObject? {
      rows.next().map { GraphObject(id: $0, graph: rows.graph) }
    }
  }
}
