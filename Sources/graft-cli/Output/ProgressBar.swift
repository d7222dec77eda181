import Foundation
import Graft
import Synchronization

/// A bar on standard error, for a person who waits.
final class ProgressBar: Sendable {
  private static let width = 30
  private static let interval = Duration.milliseconds(100)

  private let name: String
  private let start = ContinuousClock.now
  private let lastDrawn = Mutex<ContinuousClock.Instant?>(nil)

  /// Nobody is there to look at it unless standard error is a terminal.
  init?(of name: String) {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    self.name = name
  }

  /// Draws the bar anew, at most ten times a second and only if the size is known.
  func show(_ progress: ImportProgress) {
    guard let total = progress.totalByteCount, total > 0 else { return }
    let now = ContinuousClock.now
    let isDue = lastDrawn.withLock { last in
      guard now - (last ?? start) >= Self.interval else { return false }
      last = now
      return true
    }
    guard isDue else { return }
    let part = min(1, Double(progress.byteCount) / Double(total))
    let filled = Int(part * Double(Self.width))
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
    let speed = Amount.speed(byteCount: progress.byteCount, duration: now - start)
    Console.tell("\r\u{1B}[K\(name) \(bar) \(Int(part * 100)) %  \(speed)")
  }

  /// Wipes the bar away.
  func clear() {
    if lastDrawn.withLock({ $0 != nil }) { Console.tell("\r\u{1B}[K") }
  }
}
