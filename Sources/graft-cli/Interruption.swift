import Foundation
import Synchronization

/// Cancels a command's work on a signal, before the signal ends the command.
enum Interruption {
  /// Runs work that is cancelled when the command is interrupted or terminated.
  ///
  /// The command then ends as it does without this, by the signal. A second signal does not wait for the work.
  ///
  /// - Parameters:
  ///   - work: The work.
  ///   - tell: Takes the error with which the work has ended because of a signal, and the status of the command.
  /// - Returns: Its result.
  /// - Throws: Its error.
  static func ending<R: Sendable>(
    _ work: @escaping @Sendable () async throws -> R,
    telling tell: (any Error, Int32) -> Void = { _, _ in }
  ) async throws -> R {
    let task = Task { try await work() }
    let received = Mutex<Int32?>(nil)
    return try await withSignals { number in
      let isSecond = received.withLock { first in
        defer { first = number }
        return first != nil
      }
      if isSecond { end(by: number) } else { task.cancel() }
    } while: {
      do {
        return try await task.value
      } catch {
        if let number = received.withLock({ $0 }) {
          tell(error, 128 + number)
          end(by: number)
        }
        throw error
      }
    }
  }

  private static func withSignals<R>(
    _ handle: @escaping @Sendable (Int32) -> Void, while work: () async throws -> R
  ) async rethrows -> R {
    let numbers = [SIGINT, SIGTERM]
    let sources = numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { handle(number) }
      source.resume()
      return source
    }
    defer {
      for source in sources { source.cancel() }
      for number in numbers { signal(number, SIG_DFL) }
    }
    return try await work()
  }

  /// Ends the command by a signal, as if the signal had not been handled.
  private static func end(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    raise(number)
    exit(128 + number)
  }
}
