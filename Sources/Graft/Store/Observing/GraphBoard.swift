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
