import Synchronization

// A mutex that the thread sanitizer understands. On Linux, a thread that has to wait for a `Mutex`
// takes the lock inside the standard library, which is not instrumented. The sanitizer misses the
// order of the threads, and reports races where there are none. A flag that each holder reads first
// and writes last makes the order visible to it, and costs two plain moves.

/// A value that one thread at a time may use.
package struct Guarded<Value>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let turn = Atomic<Bool>(false)

  package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Runs `body` with the value while no other thread does.
  package func withLock<R, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    try mutex.withLock { value throws(E) in
      _ = turn.load(ordering: .acquiring)
      defer { turn.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
