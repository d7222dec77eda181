extension GraphStore {
  /// The changes of the store from now on: one element for each commit.
  ///
  /// Imports and writes make commits alike; an import with incremental saves makes one for each
  /// save.
  ///
  /// ```swift
  /// let graph = store.graph
  /// show(graph)
  /// for await changes in store.changes(since: graph) {
  ///   update(changes.inserted, changes.updated, changes.deleted, in: changes.graph)
  /// }
  /// ```
  ///
  /// Observing begins when the sequence is made, not when it is read. Commits between the two
  /// arrive as one element. So do commits that come faster than they are read, beyond a few. No
  /// change is missed, and only a few graphs are held in memory.
  ///
  /// A writer does not wait for observers; each finds the changes on its own time, outside its
  /// actor. Without observers nothing is compared.
  public var changes: GraphChangeSequence {
    GraphChangeSequence(publisher, since: nil, .everything)
  }

  /// Returns the changes of the store since a graph; see ``changes``.
  ///
  /// - Parameter graph: A snapshot of this store; what was committed after it arrives first.
  /// - Returns: The changes.
  public func changes(since graph: Graph) -> GraphChangeSequence {
    GraphChangeSequence(publisher, since: graph, .everything)
  }

  /// Returns the changes of an entity's objects; see ``changes``.
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
    return GraphChangeSequence(publisher, since: graph, .entities(entity.family))
  }

  /// Returns the changes of one object; see ``changes``.
  ///
  /// The sequence ends with the object's deletion, and at once if it is deleted already. If the
  /// object was inserted after the given graph, the first element has it among
  /// ``GraphChanges/inserted``.
  ///
  /// - Parameters:
  ///   - object: The object's identifier, from this store.
  ///   - graph: A snapshot of this store that has been seen already; nil for the current one.
  /// - Returns: The changes that touch the object.
  public func changes(of object: ObjectID, since graph: Graph? = nil) -> GraphChangeSequence {
    GraphChangeSequence(publisher, since: graph, .object(object))
  }
}

extension GraphStore {
  /// Returns the changes of an entity's objects; see ``changes``.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of those below it are included.
  ///   - graph: A snapshot of this store that has been seen already; nil for the current one.
  /// - Returns: The changes that touch such an object, and of each only those.
  public func changes<E: Entity>(
    of entity: E.Type, since graph: Graph? = nil
  ) -> GraphChangeSequence {
    GraphChangeSequence(
      publisher, since: graph, .entities(layout.model.schema.schema(of: entity).family))
  }

  /// Returns the changes of one object; see ``changes``.
  ///
  /// - Parameter object: A handle, whose snapshot is what has been seen already.
  /// - Returns: The changes that touch the object.
  public func changes<E: Entity>(of object: Object<E>) -> GraphChangeSequence {
    changes(of: object.objectID, since: object.graph)
  }
}

/// The changes of a store, one element per commit; see ``GraphStore/changes``.
///
/// Each loop over the sequence begins with the graph from which the sequence was made, so several
/// loops get the same elements. A loop ends when its task is cancelled or the store is released.
///
/// A sequence keeps its starting graph, and with it the memory of later changes; a loop does not.
public struct GraphChangeSequence: AsyncSequence, Sendable {
  private let publisher: GraphPublisher
  private let start: Graph
  private let scope: ChangeScope

  init(_ publisher: GraphPublisher, since graph: Graph?, _ scope: ChangeScope) {
    self.publisher = publisher
    start = graph ?? publisher.graph
    self.scope = scope
    let layout = publisher.graph.storage.layout
    layout.checkOwns(start)
    if case .object(let id) = scope { layout.checkOwns(id) }
  }

  /// Returns an iterator over the changes since the sequence was made.
  ///
  /// - Returns: The iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(publisher, start, scope) }
}

extension GraphChangeSequence {
  /// An iterator over the changes of a store.
  public struct Iterator: AsyncIteratorProtocol {
    private let observation: Observation
    private let scope: ChangeScope
    private var hasEnded: Bool

    init(_ publisher: GraphPublisher, _ start: Graph, _ scope: ChangeScope) {
      observation = Observation(publisher, since: start)
      self.scope = scope
      // An object that only later graphs have is new: a deleted one never returns.
      hasEnded =
        if case .object(let id) = scope {
          !start.contains(id) && !publisher.graph.contains(id)
        } else { false }
    }

    /// Waits for the next commit that changes the observed objects.
    ///
    /// The changes are found outside the caller's actor.
    ///
    /// - Parameter actor: The actor on which the caller runs.
    /// - Returns: The changes; nil when the sequence has ended.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> GraphChanges? {
      while !hasEnded, let commit = await observation.queue.next() {
        guard let changes = await commit.changes(in: scope) else { continue }
        // A deleted object never returns: its identifier is not used again.
        if case .object = scope { hasEnded = !changes.deleted.isEmpty }
        return changes
      }
      hasEnded = true
      return nil
    }
  }
}

/// Registers a queue of changes, and removes it when its reader is gone.
private final class Observation: Sendable {
  let publisher: GraphPublisher
  let queue: ChangeQueue

  init(_ publisher: GraphPublisher, since graph: Graph) {
    self.publisher = publisher
    queue = publisher.observe(since: graph)
  }

  deinit { publisher.remove(queue) }
}
