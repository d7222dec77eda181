@testable import Graft

/// Writes down a document's events, and what the engine tells about the place of each.
final class EventLog: EventSink {
  weak var engine: (any EventEngine)?
  var events: [String] = []
  var asksForPlaces = true

  override func null() -> Bool { note("null") }
  override func boolean(_ value: Bool) -> Bool { note("\(value)") }
  override func number(_ bytes: BorrowedBuffer<UInt8>) -> Bool {
    note("number \(decoded(bytes))")
  }
  override func string(_ bytes: BorrowedBuffer<UInt8>) -> Bool {
    note("string \(decoded(bytes))")
  }
  override func key(_ bytes: BorrowedBuffer<UInt8>) -> Bool {
    note("key \(decoded(bytes))")
  }
  override func startObject() -> Bool { note("{") }
  override func endObject() -> Bool { note("}") }
  override func startArray() -> Bool { note("[") }
  override func endArray() -> Bool { note("]") }

  private func decoded(_ bytes: BorrowedBuffer<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  private func note(_ event: String) -> Bool {
    guard asksForPlaces, let engine else {
      events.append(event)
      return true
    }
    let depth = engine.depth
    let container =
      depth > 0
      ? "in \(engine.path(ofContainerAt: depth)) from \(engine.location(ofContainerAt: depth))" : ""
    let key = String(decoding: engine.currentKey ?? BorrowedBuffer(), as: UTF8.self)
    events.append(
      """
      \(event) at \(engine.tokenLocation.offset)=\(engine.tokenLocation) \(engine.path()) \
      #\(engine.documentCount - 1) \(depth) \(container) \(key) \(engine.currentIndex)
      """)
    return true
  }
}

/// The events of a parser for a text, and its error.
struct Reading: Equatable {
  var events: [String] = []
  var error: ParsingError?

  init(events: [String], error: ParsingError?) {
    self.events = events
    self.error = error
  }

  /// Reads a text cut into chunks of one size, or whole.
  init(
    _ text: [UInt8], chunk: Int? = nil, options: ParserOptions = ParserOptions(),
    places: Bool = true
  ) throws {
    let size = max(1, chunk ?? text.count)
    let cuts = stride(from: size, to: text.count, by: size)
    try self.init(text, cuts: Array(cuts), options: options, places: places)
  }

  /// Reads a text cut at the given places.
  ///
  /// Each chunk is in memory of its own that is overwritten after use, so that stale
  /// pointers show.
  init(
    _ text: [UInt8], cuts: [Int], options: ParserOptions = ParserOptions(), places: Bool = true
  ) throws {
    let log = EventLog()
    log.asksForPlaces = places
    let parser = EventParser(sink: log, options: options)
    log.engine = parser.engine
    do {
      var start = 0
      for cut in cuts + [text.count] {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: cut - start, alignment: 1)
        defer { chunk.deallocate() }
        chunk.copyBytes(from: text[start..<cut])
        defer { for index in chunk.indices { chunk[index] = UInt8(ascii: "#") } }
        try parser.parse(UnsafeRawBufferPointer(chunk).bytes)
        start = cut
      }
      try parser.finish()
    } catch let error as ParsingError {
      self.error = error
    }
    events = log.events
  }
}
