import Synchronization

/// The thread-safe owner of the current graph, where imports and writes are committed.
///
/// Readers take a snapshot with ``graph`` and are never kept waiting by a writer.
public final class GraphStore: Sendable {
  /// The model that the objects follow.
  public let model: GraphModel

  let layout: StoreLayout
  let board: GraphBoard
  /// Held for the whole of a commit, so that commits follow one another while readers go on.
  private let commits = Guarded(())
  /// The thread that holds `commits`; none is 0.
  private let committer = Atomic<UInt>(0)

  /// Creates an empty store.
  ///
  /// - Parameter model: The entities whose objects the store keeps.
  public init(model: GraphModel) {
    self.model = model
    layout = StoreLayout(model: model)
    board = GraphBoard(Graph(layout: layout))
  }

  deinit { board.close() }

  /// The current graph, as a value that never changes.
  ///
  /// - Complexity: O(1), some nanoseconds.
  public var graph: Graph { board.graph }

  /// Runs `body` while nobody else commits.
  ///
  /// - Precondition: The thread is not in such a body already; it would wait for itself.
  func serially<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    let thread = ThreadNumber.current
    precondition(
      committer.load(ordering: .relaxed) != thread,
      "a write or an import was begun on the thread of a write(_:) that has not ended; "
        + "use the graph that its closure is given, or begin the other one after it")
    return try commits.withLock { _ throws(E) in
      committer.store(thread, ordering: .relaxed)
      defer { committer.store(0, ordering: .relaxed) }
      return try body()
    }
  }
}
