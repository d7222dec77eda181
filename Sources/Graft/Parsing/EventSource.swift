/// Whoever sends events to a sink: an engine that reads a document, or a buffer that replays one.
///
/// The sink asks it, while it handles an event, where in the document that event is. Nothing is
/// computed before it is asked. With the events `{`, `key "tags"`, `[`, `string "a"` of
/// `{"tags": ["a"]}`, the source says at the string: `path()` is `$.tags[0]`, ``tokenLocation`` is
/// 1:11, ``currentKey`` is empty, ``currentIndex`` is 0, and `path(ofContainerAt: 2)` is `$.tags`.
protocol EventSource: AnyObject {
  /// Where the token of the current event begins.
  var tokenLocation: SourceLocation { get }
  /// The path of the current value; after a key, the path of the value that will follow.
  func path() -> String
  /// The key of the current value in its object; empty in an array and at the root.
  var currentKey: UnsafeRawBufferPointer { get }
  /// The index of the current value in its container, counted from 0.
  var currentIndex: Int { get }
  /// Where an open container begins; depth 1 is the outermost container.
  func location(ofContainerAt depth: Int) -> SourceLocation
  /// The path of an open container; depth 1 is the outermost container.
  func path(ofContainerAt depth: Int) -> String
}

/// The source of a sink that has not been connected to an engine yet.
final class NoEventSource: EventSource, Sendable {
  static let shared = NoEventSource()

  var tokenLocation: SourceLocation { SourceLocation(offset: 0, line: 1, column: 1) }
  func path() -> String { "$" }
  var currentKey: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
  var currentIndex: Int { 0 }
  func location(ofContainerAt depth: Int) -> SourceLocation { tokenLocation }
  func path(ofContainerAt depth: Int) -> String { "$" }
}
