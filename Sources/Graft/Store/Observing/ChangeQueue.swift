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
