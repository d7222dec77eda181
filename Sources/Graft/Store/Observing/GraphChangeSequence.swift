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
