import Synchronization

// A mutex that the thread sanitizer understands. If a thread has to wait for a `Mutex` on Linux,
// the lock is taken inside the standard library, which is not instrumented: the sanitizer misses
// that the threads follow one another, and reports races that are none. A flag that each holder
// reads first and writes last makes the order visible to it, and costs two plain moves.

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
