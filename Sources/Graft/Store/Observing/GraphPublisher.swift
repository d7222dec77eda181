// Commits follow one another, so `publish` is never called twice at once. A queue is added under
// the same lock that `publish` takes after it has changed the graph, and catches up with the
// current graph there. A commit that is not in that graph arrives later. If one is in the graph and
// arrives too, the queue recognises it by its graph. Without queues, a commit costs one look at an
// empty list.

/// Holds a store's current graph, and sends each new one to observers.
///
/// It is separate from the store so that observers need not keep the store alive: their sequences
/// end when the store is released.
final class GraphPublisher: Sendable {
  private let current: Guarded<Graph>
  /// Nil once the publisher is closed.
  private let queues = Guarded<[ChangeQueue]?>([])

  init(_ graph: Graph) {
    current = Guarded(graph)
  }

  @inline(never)
  var graph: Graph { current.withLock { $0 } }

  /// Replaces the graph, and appends the commit to the queues.
  func publish(_ graph: Graph) {
    // The previous graph is released outside the lock: it may be the last reference to much memory.
    let previous = current.withLock { held in
      let previous = held
      held = graph
      return previous
    }
    let observers = queues.withLock { $0 ?? [] }
    guard !observers.isEmpty else { return }
    let commit = GraphCommit(from: previous, to: graph)
    for queue in observers { queue.append(commit) }
  }

  /// Creates a queue of the commits after a graph; commits that were already made arrive as one.
  func observe(since graph: Graph) -> ChangeQueue {
    let queue = ChangeQueue(seen: graph)
    queues.withLock { queues in
      queue.catchUp(with: self.graph)
      guard queues != nil else { return queue.end() }
      queues?.append(queue)
    }
    return queue
  }

  func remove(_ queue: ChangeQueue) {
    queues.withLock { $0?.removeAll { $0 === queue } }
  }

  /// Ends all queues, because no commit will follow.
  func close() {
    let observers = queues.withLock { queues in
      defer { queues = nil }
      return queues ?? []
    }
    for queue in observers { queue.end() }
  }
}

/// The commits that one observer has not seen yet.
///
/// The queue is short. If the queue is full, the last two commits are merged: compare the graph
/// before the first with the graph after the second. Since changes are found by comparing two
/// graphs, that needs no rules: an object that was inserted and then deleted is in neither. A slow
/// observer therefore holds a few graphs, which share their common parts.
final class ChangeQueue: Sendable {
  /// The commits kept apart for a slow observer.
  static let capacity = 8

  private struct State {
    /// The graph after the last commit that was appended.
    var last: Graph
    var pending: [GraphCommit] = []
    var waiter: CheckedContinuation<GraphCommit?, Never>?
    var isEnded = false
  }

  private let state: Guarded<State>

  init(seen graph: Graph) {
    state = Guarded(State(last: graph))
  }

  /// Appends a commit, unless its graph is the last one already.
  func append(_ commit: GraphCommit) {
    let waiter = state.withLock { state -> CheckedContinuation<GraphCommit?, Never>? in
      guard !state.isEnded, commit.graph.storage !== state.last.storage else { return nil }
      state.last = commit.graph
      if let waiter = state.waiter {
        state.waiter = nil
        return waiter
      }
      if state.pending.count == Self.capacity {
        let earlier = state.pending.removeLast()
        state.pending.append(GraphCommit(from: earlier.previous, to: commit.graph))
      } else {
        state.pending.append(commit)
      }
      return nil
    }
    waiter?.resume(returning: commit)
  }

  /// Appends all commits between the last graph and this one, as one commit.
  func catchUp(with graph: Graph) {
    append(GraphCommit(from: state.withLock { $0.last }, to: graph))
  }

  /// Waits for the next commit.
  ///
  /// - Returns: The commit; nil when the queue has ended, or the task is cancelled, which ends it.
  func next() async -> GraphCommit? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isReady, commit) = state.withLock { state -> (Bool, GraphCommit?) in
          guard state.waiter == nil else { misuse("two tasks wait on one iterator of changes") }
          if !state.pending.isEmpty { return (true, state.pending.removeFirst()) }
          if state.isEnded { return (true, nil) }
          state.waiter = continuation
          return (false, nil)
        }
        if isReady { continuation.resume(returning: commit) }
      }
    } onCancel: {
      cancel()
    }
  }

  /// Lets nothing more in; pending commits are still returned.
  func end() {
    let waiter = state.withLock { state in
      state.isEnded = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }

  private func cancel() {
    state.withLock { $0.pending = [] }
    end()
  }
}
