// The protocols and classes that send and receive a document's events.
//
//   EventEngine  reads bytes, and sends events with their places     (YAJLEngine, NativeEngine)
//   EventSource  gives the place of the current event                (an engine, a replay buffer)
//   EventSink    receives events                                     (DelegateSink, the import)
//
// EventParser chooses the engine; no sink need know which one it is.

/// Gives the place of the current event in the document.
///
/// Places are computed only on request. At the string of `{"tags": ["a"]}`, `path()` is
/// `$.tags[0]`, ``tokenLocation`` is line 1, column 11, ``currentKey`` is empty, ``currentIndex``
/// is 0, and `path(ofContainerAt: 2)` is `$.tags`.
protocol EventSource: AnyObject {
  /// The beginning of the current event's token.
  var tokenLocation: SourceLocation { get }
  /// Returns the path of the current value; at a key, the path of the value that will follow.
  func path() -> String
  /// The key of the current value in its object, borrowed until the event ends; nil in an array and
  /// at the root.
  var currentKey: BorrowedBuffer<UInt8>? { get }
  /// The index of the current value in its container, counted from 0.
  var currentIndex: Int { get }
  /// Returns the beginning of an open container; depth 1 is the outermost container.
  func location(ofContainerAt depth: Int) -> SourceLocation
  /// Returns the path of an open container; depth 1 is the outermost container.
  func path(ofContainerAt depth: Int) -> String
}

/// Reads a document in UTF-8, or a stream of documents, and sends its events to a sink.
///
/// Events, errors and their places do not depend on how the document is cut into chunks. The
/// ``EventParser`` that owns the engine keeps the order of calls: no call comes from inside the
/// sink, after an error, or after the end.
///
/// All places are computed from the state, except the beginning of the current event's token.
protocol EventEngine: EventSource {
  associatedtype State: DocumentState

  var state: StateBlock<State> { get }

  /// Counts the byte order mark with which the document begins, and which the engine does not get.
  func skipByteOrderMark()
  /// Expects any number of documents, whatever the options say; called before the first byte.
  func expectStream()
  /// Reads the next bytes of the document, cut anywhere.
  ///
  /// - Throws: The sink's failure, or ``ParsingError``.
  func read(_ bytes: BorrowedBuffer<UInt8>) throws
  /// Ends the document.
  ///
  /// - Throws: The sink's failure, or ``ParsingError`` if something is missing.
  func finish() throws

  /// The number of open containers, including one that is just starting or ending.
  var depth: Int { get }
  /// The number of documents that have begun; 0 only for empty input.
  var documentCount: Int { get }
  /// Whether a document has begun and not ended.
  var isInsideDocument: Bool { get }
  /// The number of bytes taken so far.
  var byteCount: Int { get }
}

extension EventEngine {
  /// Whether a document has ended and none has begun since.
  var isBetweenDocuments: Bool { documentCount > 0 && !isInsideDocument }
}

// The places that are computed from the state.
extension EventEngine {
  /// Counts lines from a number; called before the first byte.
  func begin(atLine line: Int) { state.pointee.lines.begin(atLine: line) }

  var depth: Int { state.pointee.containers.depth }

  var documentCount: Int { state.pointee.containers.document.index + 1 }

  func path() -> String { state.pointee.containers.path }

  var currentKey: BorrowedBuffer<UInt8>? { state.pointee.containers.aroundCurrentValue.key }

  var currentIndex: Int { state.pointee.containers.aroundCurrentValue.index }

  func location(ofContainerAt depth: Int) -> SourceLocation {
    state.location(ofContainerAt: depth)
  }

  func path(ofContainerAt depth: Int) -> String {
    guard depth >= 1, depth <= self.depth else { misuse("no container is open at depth \(depth)") }
    return state.pointee.containers.path(ofContainerAt: depth)
  }
}

/// The source of a sink that is not connected to an engine yet.
final class NoEventSource: EventSource, Sendable {
  static let shared = NoEventSource()

  var tokenLocation: SourceLocation { SourceLocation(offset: 0, line: 1, column: 1) }
  func path() -> String { "$" }
  var currentKey: BorrowedBuffer<UInt8>? { nil }
  var currentIndex: Int { 0 }
  func location(ofContainerAt depth: Int) -> SourceLocation { tokenLocation }
  func path(ofContainerAt depth: Int) -> String { "$" }
}
