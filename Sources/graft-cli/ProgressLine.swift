import CommandLineSupport
import Foundation
import Graft
import Synchronization

/// Shows the progress of an import in a line on standard error.
final class ProgressLine: Sendable {
  private static let interval = Duration.milliseconds(100)

  private let name: String
  private let start = ContinuousClock.now
  private let lastDrawn = Mutex<ContinuousClock.Instant?>(nil)

  /// Creates a progress line; nil unless standard error is a terminal.
  init?(of name: String) {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    self.name = name
  }

  /// Draws the line again, at most ten times a second.
  func show(_ progress: ImportProgress) {
    let now = ContinuousClock.now
    let isDue = lastDrawn.withLock { last in
      guard progress.wait != nil || now - (last ?? start) >= Self.interval else { return false }
      last = now
      return true
    }
    guard isDue else { return }
    let line = ProgressText.line(of: name, progress, elapsed: now - start, width: Self.width)
    Console.tell("\r\u{1B}[K\(line)")
  }

  /// Wipes the line away.
  func clear() {
    if lastDrawn.withLock({ $0 != nil }) { Console.tell("\r\u{1B}[K") }
  }

  /// The characters that fit into a line of the terminal.
  private static var width: Int {
    var size = winsize()
    let isKnown = unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0
    return isKnown && size.ws_col > 0 ? Int(size.ws_col) - 1 : 79
  }
}
