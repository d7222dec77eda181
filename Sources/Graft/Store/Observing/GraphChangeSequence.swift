extension GraphStore {
  /// The changes of the store from now on: one element per commit, whoever made it; an import with
  /// incremental saves makes one per save.
  ///
  /// ```swift
  /// let graph = store.graph
  /// show(graph)
  /// for await changes in store.changes(since: graph) {
  ///   update(changes.inserted, changes.updated, changes.deleted, in: changes.graph)
  /// }
  /// ```
  ///
  /// Observing begins when the sequence is made, not when it is read. What is committed between the
  /// two arrives as one element, and so does what is committed faster than it is read: beyond a
  /// few, commits are laid together. Nothing is missed, and no memory but that of a few graphs is
  /// held.
  ///
  /// A writer does not wait for observers; each finds the changes on its own time, beside its
  /// actor. Without observers nothing is looked for.
  public var changes: GraphChangeSequence { GraphChangeSequence(board, since: nil, .everything) }

  /// The changes of the store since a graph; see ``changes``.
  ///
  /// - Parameter graph: A snapshot of this store: what has been committed after it arrives first.
  /// - Returns: The changes.
  public func changes(since graph: Graph) -> GraphChangeSequence {
    GraphChangeSequence(board, since: graph, .everything)
  }

  /// The changes of an entity's objects; see ``changes``.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; objects of its sub-entities are included.
  ///   - graph: A snapshot of this store that has been seen already; nil for the current one.
  /// - Returns: The changes that touch such an object, and of each only those.
  /// - Throws: ``StoreError`` if the model has no such entity.
  public func changes(
    of entity: String, since graph: Graph? = nil
  ) throws(StoreError) -> GraphChangeSequence {
    let entity = try layout.model.schema.entity(entity)
    return GraphChangeSequence(board, since: graph, .entities(entity.family))
  }

  /// The changes of one object; see ``changes``.
  ///
  /// The sequence ends with the object's deletion, and at once if it is deleted already.
  ///
  /// - Parameters:
  ///   - object: The object's identifier, from this store.
  ///   - graph: A snapshot of this store that has been seen already; nil for the current one.
  /// - Returns: The changes that touch the object.
  public func changes(of object: ObjectID, since graph: Graph? = nil) -> GraphChangeSequence {
    GraphChangeSequence(board, since: graph, .object(object))
  }
}

extension GraphStore {
  /// The changes of an entity's objects; see ``changes``.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of those below it are included.
  ///   - graph: A snapshot of this store that has been seen already; nil for the current one.
  /// - Returns: The changes that touch such an object, and of each only those.
  /// - Precondition: The model was made from the entity, as `GraphStore(for:)` does.
  public func changes<E: Entity>(
    of entity: E.Type, since graph: Graph? = nil
  ) -> GraphChangeSequence {
    GraphChangeSequence(
      board, since: graph, .entities(layout.model.schema.number(of: entity).family))
  }

  /// The changes of one object; see ``changes``.
  ///
  /// - Parameter object: A handle, whose snapshot is what has been seen already.
  /// - Returns: The changes that touch the object.
  public func changes<E: Entity>(of object: Object<E>) -> GraphChangeSequence {
    changes(of: object.objectID, since: object.graph)
  }
}

/// The changes of a store, one element per commit; see ``GraphStore/changes``.
///
/// Each loop over the sequence begins with the graph from which it was made, so several loops are
/// told the same. A loop ends when its task is cancelled or the store is let go.
///
/// A sequence keeps the graph from which it was made, and with it the memory of what has been
/// changed since; a loop lets it go.
public struct GraphChangeSequence: AsyncSequence, Sendable {
  private let board: GraphBoard
  private let start: Graph
  private let scope: ChangeScope

  init(_ board: GraphBoard, since graph: Graph?, _ scope: ChangeScope) {
    self.board = board
    start = graph ?? board.graph
    self.scope = scope
    precondition(
      start.storage.layout === board.graph.storage.layout,
      "changes are told since a graph of the same store, and this graph is another store's")
  }

  /// Returns an iterator over the changes since the sequence was made.
  ///
  /// - Returns: The iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(board, start, scope) }
}

extension GraphChangeSequence {
  /// An iterator over the changes of a store.
  public struct Iterator: AsyncIteratorProtocol {
    private let observation: Observation
    private let scope: ChangeScope
    private var hasEnded: Bool

    init(_ board: GraphBoard, _ start: Graph, _ scope: ChangeScope) {
      observation = Observation(board, since: start)
      self.scope = scope
      hasEnded = if case .object(let id) = scope { !start.contains(id) } else { false }
    }

    /// Waits for the next commit that changes what is observed.
    ///
    /// The changes are looked for beside the caller's actor.
    ///
    /// - Parameter actor: The actor on which the caller runs.
    /// - Returns: The changes; nil when the sequence has ended.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> GraphChanges? {
      while !hasEnded, let commit = await observation.queue.next() {
        guard let changes = await commit.changes(in: scope) else { continue }
        // An object that is deleted never returns: its identifier is not used again.
        if case .object = scope { hasEnded = !changes.deleted.isEmpty }
        return changes
      }
      hasEnded = true
      return nil
    }
  }
}

/// A queue for as long as somebody reads it.
private final class Observation: Sendable {
  let board: GraphBoard
  let queue: ChangeQueue

  init(_ board: GraphBoard, since graph: Graph) {
    self.board = board
    queue = board.observe(since: graph)
  }

  deinit { board.forget(queue) }
}
