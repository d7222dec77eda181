import Dispatch

/// Runs what may block its thread, such as the wait for a lock, on a thread of its own.
///
/// The threads of Swift's concurrency are as many as the processor has cores; all tasks of a program would stand still
/// if each of these waited.
enum BlockingWork {
  /// Runs a closure, which may block its thread.
  static func run<R, E: Error>(
    _ body: () async throws(E) -> R
  ) async throws(E) -> R {
    try await withTaskExecutorPreference(ThreadExecutor(), operation: body)
  }
}

/// Runs the jobs of one task, one after the other; the queue has a thread while there is one.
private final class ThreadExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "graft.blocking")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Run once, as an executor has to.
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
