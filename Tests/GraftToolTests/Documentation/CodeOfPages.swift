import Synchronization

@testable import GraftTestSupport

/// A namespace for the code of one page, as the page shows it; the tests call its functions.
///
/// The namespace keeps apart entities that have the same name on several pages. Its `print` records
/// the output, so that tests can compare it with the page.
protocol CodeOfPage {}

extension CodeOfPage {
  /// Notes a line.
  static func print(_ items: Any..., separator: String = " ") {
    let line = items.map { "\($0)" }.joined(separator: separator)
    Transcript.current?.lines.withLock { $0.append(line) }
  }

  /// Runs code of the page.
  ///
  /// - Returns: What the code printed, without the line breaks at its end.
  static func transcript(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
  ) async throws -> String {
    let transcript = Transcript()
    try await Transcript.$current.withValue(transcript, operation: body)
    let text = transcript.lines.withLock { $0.joined(separator: "\n") }
    return String(text.reversed().drop(while: \.isNewline).reversed())
  }
}

/// The output of a page's code.
private final class Transcript: Sendable {
  @TaskLocal static var current: Transcript?
  let lines = Mutex<[String]>([])
}
