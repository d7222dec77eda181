import Foundation

/// Runs a closure that may block, such as a wait for a lock or a pause, on a thread of its own.
///
/// The threads of Swift's concurrency are as many as the processor has cores; all tasks of a program would stand still
/// if each of these waited.
package enum BlockingWork {
  /// Runs a closure, which may block its thread.
  package static func run<R, E: Error>(
    _ body: () async throws(E) -> R
  ) async throws(E) -> R {
    try await withTaskExecutorPreference(ThreadExecutor()) { () async throws(E) -> R in
      // A task goes to the executor that it prefers when it is resumed, and not before.
      await Task.yield()
      return try await body()
    }
  }
}

/// Runs each job of a task on a thread that is made for it.
///
/// A Dispatch queue is not enough: on Linux it shares the threads of Swift's concurrency, and has
/// no more of them than the processor has cores while they compute.
private final class ThreadExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Run once, as an executor has to.
    let thread = Thread { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    // Hooks and transformers run here, and may expect the stack of a main thread.
    thread.stackSize = 8 << 20
    thread.start()
  }
}
