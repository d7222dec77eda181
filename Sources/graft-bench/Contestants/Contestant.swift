/// One way to read a document, as the benchmark compares it.
struct Contestant: Sendable {
  /// The name by which options and figures call it.
  let name: String
  /// The name that the table shows.
  let title: String
  /// Whether it takes a document in chunks; one that does not is given all of it at once.
  let readsChunks: Bool
  /// Makes a reader for one run.
  let makeReader: @Sendable (Subject) throws -> any DocumentReader
}

/// One run of a contestant through one document.
///
/// What a reader makes stays alive as long as the reader, so that freeing it is not timed for
/// anyone.
protocol DocumentReader: AnyObject {
  /// Takes the next chunk, or the whole document.
  func read(_ bytes: UnsafeRawBufferPointer) throws
  /// Ends the document.
  func finish() throws
}

/// What a document holds, for the contestants that must know.
enum Subject: Sendable {
  /// A timeline: `statuses` with users, hashtags and originals.
  case timeline
  /// Anything else, with the model file and root that an import needs.
  case other(model: String, entity: String, path: String?)
}

/// A document that a contestant does not accept.
struct ContestantError: Error, CustomStringConvertible {
  let description: String
}
