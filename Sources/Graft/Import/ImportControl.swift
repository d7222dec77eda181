import Foundation
import Synchronization

/// Pauses and resumes imports from sources.
///
/// ```swift
/// let control = ImportControl()
/// options.control = control
/// let importing = Task { try await store.importJSON(Tweet.self, from: url, options: options) }
/// control.pause()
/// control.resume()
/// ```
///
/// A paused import reads no more bytes after the chunk that it works on, so that a server or a pipe waits too. It keeps
/// what it has read, a thread that is made for it, and the lock of a database, unless it saves in steps. A server may close a connection on
/// which nothing is read for long. The import fails then; an import of pages requests the page again. To give an import
/// up, paused or not, cancel its task.
public final class ImportControl: Sendable {
  private let paused = Atomic(false)

  /// Creates the control of one or more imports, which are not paused.
  public init() {}

  /// Whether the imports are paused.
  public var isPaused: Bool { paused.load(ordering: .acquiring) }

  /// Pauses the imports.
  public func pause() { paused.store(true, ordering: .releasing) }

  /// Resumes the imports, within a tenth of a second.
  public func resume() { paused.store(false, ordering: .releasing) }

  /// Waits while the imports are paused.
  ///
  /// - Parameter check: Throws if the import is given up meanwhile.
  func wait(_ check: () throws -> Void) rethrows {
    while isPaused {
      try check()
      Thread.sleep(forTimeInterval: 0.05)
    }
  }
}
