/// Where the machine is in the document: what it asks of whoever sends the events.
protocol EventPlace: AnyObject {
  /// Where the token of the event at hand begins.
  var tokenLocation: SourceLocation { get }
  /// The path of the value at hand.
  func path() -> String
  /// The name under which the value at hand stands in its object.
  var currentKey: UnsafeRawBufferPointer { get }
  /// The position at which the value at hand stands in its array.
  var currentIndex: Int { get }
  /// Where an open container began; 1 is the outermost.
  func location(ofContainerAt depth: Int) -> SourceLocation
  /// The path of an open container; 1 is the outermost.
  func path(ofContainerAt depth: Int) -> String
}

extension EventParser: EventPlace {}

/// The place of a machine that reads nothing yet.
final class Nowhere: EventPlace, Sendable {
  static let shared = Nowhere()

  var tokenLocation: SourceLocation { SourceLocation(offset: 0, line: 1, column: 1) }
  func path() -> String { "$" }
  var currentKey: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
  var currentIndex: Int { 0 }
  func location(ofContainerAt depth: Int) -> SourceLocation { tokenLocation }
  func path(ofContainerAt depth: Int) -> String { "$" }
}
