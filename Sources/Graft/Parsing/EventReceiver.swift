/// Receives a document's events in another module, which cannot inherit from ``EventSink``.
///
/// The bytes of strings, keys and numbers are valid UTF-8, and must not be kept beyond the call.
package protocol EventReceiver: AnyObject {
  func null()
  func boolean(_ value: Bool)
  /// Receives a number as it is written in the document.
  func number(_ bytes: BorrowedBuffer<UInt8>)
  /// Receives a string, its escapes decoded.
  func string(_ bytes: BorrowedBuffer<UInt8>)
  /// Receives the key of the value that follows, its escapes decoded.
  func key(_ bytes: BorrowedBuffer<UInt8>)
  func startObject()
  func endObject()
  func startArray()
  func endArray()
}

extension EventParser {
  /// Creates a parser for another module.
  ///
  /// - Parameters:
  ///   - receiver: Gets the events.
  ///   - options: The options for reading the document.
  package convenience init(
    sendingTo receiver: any EventReceiver, options: ParserOptions = ParserOptions()
  ) {
    self.init(sink: ForwardingSink(receiver), options: options)
  }
}

/// Passes each event on to a receiver.
///
/// It has no callbacks and no token walk of its own: these would be compiled a third time, and spare a receiver
/// less than 2 ns an event.
private final class ForwardingSink: EventSink {
  private let receiver: any EventReceiver

  init(_ receiver: any EventReceiver) { self.receiver = receiver }

  override func null() -> Bool {
    receiver.null()
    return true
  }
  override func boolean(_ value: Bool) -> Bool {
    receiver.boolean(value)
    return true
  }
  override func number(_ bytes: BorrowedBuffer<UInt8>) -> Bool {
    receiver.number(bytes)
    return true
  }
  override func string(_ bytes: BorrowedBuffer<UInt8>) -> Bool {
    receiver.string(bytes)
    return true
  }
  override func key(_ bytes: BorrowedBuffer<UInt8>) -> Bool {
    receiver.key(bytes)
    return true
  }
  override func startObject() -> Bool {
    receiver.startObject()
    return true
  }
  override func endObject() -> Bool {
    receiver.endObject()
    return true
  }
  override func startArray() -> Bool {
    receiver.startArray()
    return true
  }
  override func endArray() -> Bool {
    receiver.endArray()
    return true
  }
}
