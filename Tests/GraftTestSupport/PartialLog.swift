@testable import Graft

#if canImport(CYAJL)
extension ParserOptions {
  func native(_ instructions: ScanInstructions) -> ParserOptions {
    var options = self
    options.engine = .native
    options.instructions = instructions
    return options
  }

  var yajl: ParserOptions {
    var options = self
    options.engine = .yajl
    return options
  }
}

#endif

/// Receives a document without members whose keys begin with `skip`, and without the content of
/// containers whose keys begin with `hollow`.
///
/// It asks the native engine for less, and ignores events of YAJL's.
final class PartialLog: EventSink {
  var events: [String] = []
  weak var engine: (any EventEngine)?
  /// The depth of the container that is ignored; .max where none is.
  private var ignoredDepth = Int.max
  private var ignoresValue = false
  private var isHollow = false
  private var depth = 0

  override var skipsValue: Bool { ignoresValue }
  override var skipsContent: Bool { depth >= ignoredDepth }

  override func null() -> Bool { scalar("null") }
  override func boolean(_ value: Bool) -> Bool { scalar("\(value)") }
  override func number(_ bytes: BorrowedBuffer<UInt8>) -> Bool {
    scalar(String(decoding: bytes, as: UTF8.self))
  }
  override func string(_ bytes: BorrowedBuffer<UInt8>) -> Bool {
    scalar(String(decoding: bytes, as: UTF8.self))
  }
  override func key(_ bytes: BorrowedBuffer<UInt8>) -> Bool {
    guard depth < ignoredDepth else { return true }
    let key = String(decoding: bytes, as: UTF8.self)
    ignoresValue = key.hasPrefix("skip")
    isHollow = key.hasPrefix("hollow")
    return note(key)
  }
  override func startObject() -> Bool { start("{") }
  override func startArray() -> Bool { start("[") }
  override func endObject() -> Bool { end("}") }
  override func endArray() -> Bool { end("]") }

  private func scalar(_ event: String) -> Bool {
    if depth >= ignoredDepth { return true }
    defer { (ignoresValue, isHollow) = (false, false) }
    return ignoresValue || note(event)
  }

  private func start(_ event: String) -> Bool {
    depth += 1
    if depth > ignoredDepth { return true }
    if ignoresValue || isHollow { ignoredDepth = depth }
    return ignoresValue || note(event)
  }

  private func end(_ event: String) -> Bool {
    defer { depth -= 1 }
    if depth > ignoredDepth { return true }
    let wasHidden = ignoresValue && depth == ignoredDepth
    // Also after the last member of an object, where the value that is ignored has not been sent.
    (ignoredDepth, ignoresValue, isHollow) = (.max, false, false)
    return wasHidden || note(event)
  }

  private func note(_ event: String) -> Bool {
    let place = engine.map { "\($0.tokenLocation) \($0.path()) \($0.currentIndex) \($0.depth)" }
    events.append("\(event) \(place ?? "")")
    return true
  }
}

extension Reading {
  /// Reads a text cut into chunks of one size, and skips what a ``PartialLog`` does not want.
  init(partOf text: [UInt8], chunk: Int, options: ParserOptions) throws {
    let log = PartialLog()
    let parser = EventParser(sink: log, options: options)
    log.engine = parser.engine
    do {
      for start in stride(from: 0, to: text.count, by: max(1, chunk)) {
        try Array(text[start..<min(start + max(1, chunk), text.count)]).withRawSpan {
          try parser.parse($0)
        }
      }
      try parser.finish()
    } catch let error as ParsingError {
      self.error = error
    }
    events = log.events
  }
}
