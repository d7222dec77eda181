/// Receives a document's events.
///
/// Each method tells whether to go on. One that answers false has set ``failure`` before. Texts are
/// valid UTF-8, not terminated, and die when the method returns. The parser's services
/// (`EventParser.path()` and others) are there for use inside these methods.
///
/// A class, and not a protocol with a generic parser, because C callbacks cannot be generic. A
/// final subclass whose speed matters overrides ``callbacks`` with a table that names it.
class EventSink {
  /// What the sink could not bear; thrown by the parser in place of an error of its own.
  final var failure: (any Error)?

  /// The bytes that can be read where a key stands, so that short keys are loaded as a whole,
  /// without a branch for each size.
  static let keyPadding = 8

  init() {}

  func null() -> Bool { true }
  func boolean(_ value: Bool) -> Bool { true }
  /// Receives a number as the text that RFC 8259 allows, of any length within the parser's limits.
  func number(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool { true }
  /// Receives a string, its escapes resolved.
  func string(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool { true }
  /// Receives a member's name, its escapes resolved; at least ``keyPadding`` bytes can be read at
  /// its address, whatever its size.
  func key(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool { true }
  func startObject() -> Bool { true }
  func endObject() -> Bool { true }
  func startArray() -> Bool { true }
  func endArray() -> Bool { true }

  /// The C functions that bring events to sinks of this class.
  class var callbacks: EventCallbacks { anyCallbacks }

  private static let anyCallbacks = EventCallbacks(
    null: { EventReceiver<EventSink>.null($0) },
    boolean: { EventReceiver<EventSink>.boolean($0, $1) },
    number: { EventReceiver<EventSink>.number($0, $1, $2) },
    string: { EventReceiver<EventSink>.string($0, $1, $2) },
    startObject: { EventReceiver<EventSink>.startObject($0) },
    key: { EventReceiver<EventSink>.key($0, $1, $2) },
    endObject: { EventReceiver<EventSink>.endObject($0) },
    startArray: { EventReceiver<EventSink>.startArray($0) },
    endArray: { EventReceiver<EventSink>.endArray($0) })
}
