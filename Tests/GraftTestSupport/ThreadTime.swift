import Foundation

/// The time of the processor, which does not pass while a thread waits for its turn.
enum ThreadTime {
  /// The seconds that this thread works for a closure, which starts no other.
  static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = now
    try body()
    return now - start
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
