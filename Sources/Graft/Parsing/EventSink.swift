/// Receives a document's events.
///
/// Each method returns whether to go on. One that returns false has set ``failure`` before. The
/// bytes of strings, keys and numbers are valid UTF-8, not terminated, and must not be kept beyond
/// the call. Inside these methods the ``EventSource`` gives the event's place.
///
/// A class, and not a protocol with a generic engine, because a C callback cannot be generic
/// (docs/decisions/0001-one-sink-class.md). A final subclass for which speed matters overrides
/// ``callbacks`` and ``sendTokens`` with functions compiled for the subclass.
class EventSink {
  /// The error that stopped the sink; the parser throws it instead of an error of its own.
  final var failure: (any Error)?

  init() {}

  func null() -> Bool { true }
  func boolean(_ value: Bool) -> Bool { true }
  /// Receives a number as it is written in the document; RFC 8259 allows it, and it is no longer
  /// than the limit.
  func number(_ bytes: BorrowedBuffer<UInt8>) -> Bool { true }
  /// Receives a number whose digits have been read already.
  func number(_ bytes: BorrowedBuffer<UInt8>, _ scan: NumberScan) -> Bool { number(bytes) }
  /// Receives a string, its escapes decoded.
  func string(_ bytes: BorrowedBuffer<UInt8>) -> Bool { true }
  /// Receives the key of the value that follows, its escapes decoded; at least
  /// ``InputSlice/keyPadding`` bytes can be read at its address.
  func key(_ bytes: BorrowedBuffer<UInt8>) -> Bool { true }
  func startObject() -> Bool { true }
  func endObject() -> Bool { true }
  func startArray() -> Bool { true }
  func endArray() -> Bool { true }

  /// Whether the value of the last key received may be left out: checked, but not sent.
  var skipsValue: Bool { false }
  /// Whether the content of the container that has just started may be left out.
  var skipsContent: Bool { false }

  #if canImport(CYAJL)
  /// The C functions through which YAJL sends events to sinks of this class.
  class var callbacks: YAJLCallbacks { .anySink }
  #endif
  /// The function by which a walk over tokens sends events to sinks of this class.
  class var sendTokens: TokenWalk.Sender { { $0.walkForAnySink(sends: true) } }
}
