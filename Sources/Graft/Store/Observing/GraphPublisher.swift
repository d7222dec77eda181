// Where a store's current graph hangs, and who waits for the next.
//
// It is apart from the store so that observers need not keep the store alive: their sequences end
// when it is let go.
//
// Commits follow one another, so that `publish` is never called twice at once. A queue is entered
// while it is told the current graph, under the lock that `publish` takes after it has changed the
// graph: a commit is either in that graph or arrives later, and one that is both is recognised by
// the queue. Without queues, observation costs a commit one look at an empty dictionary.

/// The current graph and the queues of those who observe it.
final class GraphBoard: Sendable {
  private let current: Guarded<Graph>
  private let queues = Guarded<[ObjectIdentifier: ChangeQueue]?>([:])

  init(_ graph: Graph) {
    current = Guarded(graph)
  }

  var graph: Graph { current.withLock { $0 } }

  /// Replaces the graph, and enters the commit into the queues.
  func publish(_ graph: Graph) {
    // The graph before is let go outside the lock: it may be the last reference to much memory.
    let previous = current.withLock { held in
      let previous = held
      held = graph
      return previous
    }
    let observers = queues.withLock { $0?.isEmpty == false ? $0.map { Array($0.values) } : nil }
    guard let observers else { return }
    let commit = GraphCommit(from: previous, to: graph)
    for queue in observers { queue.append(commit) }
  }

  /// Makes a queue of the commits after a graph; those already made arrive as one.
  func observe(since graph: Graph) -> ChangeQueue {
    let queue = ChangeQueue(seen: graph)
    queues.withLock { queues in
      queue.catchUp(with: self.graph)
      guard queues != nil else { return queue.end() }
      queues?[ObjectIdentifier(queue)] = queue
    }
    return queue
  }

  func forget(_ queue: ChangeQueue) {
    queues.withLock { _ = $0?.removeValue(forKey: ObjectIdentifier(queue)) }
  }

  /// Ends all queues, because no commit will follow.
  func close() {
    let observers = queues.withLock { queues in
      defer { queues = nil }
      return queues
    }
    for queue in (observers ?? [:]).values { queue.end() }
  }
}

// The commits that one observer has not seen yet.
//
// The queue is short. What does not fit is laid together with the last commit in it: the changes
// between the graph before the one and the graph after the other. Since changes are found by
// comparing two graphs, that needs no rules: an object inserted and then deleted is in neither.
// A slow observer therefore holds a few graphs, which share what they have in common.

/// The commits between what an observer has seen and the current graph.
final class ChangeQueue: Sendable {
  /// The commits kept apart for an observer that is behind.
  static let capacity = 8

  private struct State {
    /// The graph after the last commit that was entered.
    var last: Graph
    var pending: [GraphCommit] = []
    var waiter: CheckedContinuation<GraphCommit?, Never>?
    var isEnded = false
  }

  private let state: Guarded<State>

  init(seen graph: Graph) {
    state = Guarded(State(last: graph))
  }

  /// Enters a commit; one whose graph has been entered already is passed over.
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

  /// Enters all that was committed between the graph seen last and this one, as one commit.
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
          precondition(state.waiter == nil, "two tasks wait on one iterator of changes")
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

  /// Lets nothing more in; what is pending is still given out.
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
