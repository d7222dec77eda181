import Synchronization

/// The thread-safe owner of the current graph, where imports and writes are committed.
///
/// Readers take a snapshot with ``graph`` and are never kept waiting by a writer.
public final class GraphStore: Sendable {
  /// The model that the objects follow.
  public let model: GraphModel

  let layout: StoreLayout
  private let current: Mutex<Graph>
  /// Held for the whole of a commit, so that commits follow one another while readers go on.
  private let commits = Mutex(())

  /// Creates an empty store.
  ///
  /// - Parameter model: The entities whose objects the store keeps.
  public init(model: GraphModel) {
    self.model = model
    layout = StoreLayout(model: model)
    current = Mutex(Graph(layout: layout))
  }

  /// The current graph, as a value that never changes.
  ///
  /// - Complexity: O(1), some nanoseconds.
  public var graph: Graph { current.withLock { $0 } }

  func publish(_ graph: Graph) {
    // The graph before is let go outside the lock: it may be the last reference to much memory.
    let previous = current.withLock { held in
      let previous = held
      held = graph
      return previous
    }
    withExtendedLifetime(previous) {}
  }

  func serially<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try commits.withLock { _ throws(E) in try body() }
  }
}
