// The classes between bytes and events:
//
//   chunk ─► EventParser ─┬─► YAJLEngine ─► TextFilter ─► YAJL ─► YAJLCallbacks ─┬─► EventSink
//            detects the  │   gathers       rejects what          keep YAJLState │
//            encoding     │   long tokens   YAJL lets             up to date     │
//                         │                 through                              │
//                         └─► NativeEngine ─┬─► TokenWindow ─► TokenWalk ────────┘
//                                           │   finds tokens   checks the grammar
//                                           └─► TokenAssembler ─► TokenWalk.accept
//                                               what is cut or wrong, byte by byte
//
// Both engines share the types of Grammar: Expectation, LineTracker and ContainerStack know the
// next expectation, the line and the path; Diagnosis makes errors from them.

/// Reads a document, or a stream of documents, and sends its events to a sink.
///
/// After an error it throws the same error again. It is confined to one thread at a time.
package final class EventParser {
  /// Sends the events to the sink, and gives their places.
  let engine: any EventEngine
  /// The first bytes, until there are enough of them to detect the encoding and the format.
  private var head: [UInt8] = []
  private var isEncodingKnown = false
  private let options: ParserOptions
  /// Finds the documents; nil if the engine does so by JSON's grammar.
  private var framing: (any Framing)?

  private var failure: (any Error)?
  private var isBusy = false
  private var isFinished = false
  /// Whether an error says on which line the document began.
  private let namesLines: Bool

  /// Creates a parser.
  ///
  /// - Parameters:
  ///   - sink: Gets the events.
  ///   - options: The options for reading the document.
  ///   - line: The number of the line at which the text begins inside a larger one, so that it has no byte order mark;
  ///     nil for a text of its own.
  init(sink: EventSink, options: ParserOptions = ParserOptions(), line: Int? = nil) {
    engine =
      switch options.engine {
      #if canImport(CYAJL)
      case .yajl: YAJLEngine(sink: sink, options: options)
      #endif
      case .native: NativeEngine(sink: sink, options: options)
      }
    self.options = options
    namesLines = options.format == .ndjson
    framing = options.makeFraming()
    if let line {
      engine.begin(atLine: line)
      isEncodingKnown = true
    }
  }

  /// Reads the next bytes of the document.
  ///
  /// - Parameter chunk: Bytes that follow those already read; any number of them, cut anywhere.
  /// - Throws: The sink's failure, or ``ParsingError``.
  /// - Precondition: Not called from inside the sink, nor after ``finish()``.
  package func parse(_ chunk: BorrowedBuffer<UInt8>) throws {
    try begin()
    do {
      try read(chunk)
      isBusy = false
    } catch {
      throw fail(error)
    }
  }

  /// Reads the next bytes of the document.
  package func parse(_ chunk: RawSpan) throws { try chunk.withBorrowed { try parse($0) } }

  /// Ends the document.
  ///
  /// - Throws: The sink's failure, or ``ParsingError`` if something is missing.
  /// - Precondition: Called once.
  package func finish() throws {
    try begin()
    isFinished = true
    do {
      if !isEncodingKnown {
        let encoding = TextEncoding(of: head, isWhole: true)
        recognizeFormat(of: Array(head.dropFirst(encoding.markLength)), isWhole: true)
        try startEngine(with: encoding)
      }
      try framing?.finish(into: engine)
      try engine.finish()
      isBusy = false
    } catch {
      throw fail(error)
    }
  }

  /// The number of bytes of the document taken so far.
  var byteCount: Int { head.count + (framing?.waitingCount ?? 0) + engine.byteCount }

  /// Whether nothing more is read, whatever bytes follow.
  var hasEnded: Bool { framing?.hasEnded ?? false }

  private func begin() throws {
    guard !isBusy else { misuse("the parser was called from inside its own sink") }
    if let failure { throw failure }
    guard !isFinished else { misuse("the parser was called after finish()") }
    isBusy = true
  }

  private func fail(_ error: any Error) -> any Error {
    let error = (error as? ParsingError).map { atLine($0) } ?? error
    failure = error
    isBusy = false
    return error
  }

  /// Returns an error of a stream with the line on which its document begins, which is the broken
  /// line.
  ///
  /// In `{"id": 1` and `{"id": 2}` on two lines, the missing brace of the first is noticed on the
  /// second.
  private func atLine(_ error: ParsingError) -> ParsingError {
    guard namesLines, error.kind == .syntax || error.kind == .truncated, engine.depth > 0 else {
      return error
    }
    let start = engine.location(ofContainerAt: 1)
    guard start.line < error.location.line else { return error }
    return ParsingError(
      kind: error.kind, location: start, path: error.path,
      message: "the document that begins here goes on to \(error.location), where it is broken:"
        + " \(error.message)")
  }

  private func read(_ chunk: BorrowedBuffer<UInt8>) throws {
    guard !isEncodingKnown else { return try pass(chunk) }
    let beginning = head + chunk.prefix(Self.longestEvidence - head.count)
    let encoding = TextEncoding(
      of: Array(beginning.prefix(TextEncoding.longestEvidence)), isWhole: false)
    guard encoding != .undecided,
      recognizeFormat(of: Array(beginning.dropFirst(encoding.markLength)), isWhole: false)
    else {
      head = beginning
      return
    }
    let restOfMark = max(encoding.markLength - head.count, 0)
    try startEngine(with: encoding)
    try pass(chunk[restOfMark..<chunk.count])
  }

  /// The most first bytes that are needed to detect the encoding and the format.
  private static let longestEvidence = max(
    TextEncoding.longestEvidence,
    TextEncoding.byteOrderMark.count + ParserOptions.Format.longestEvidence)

  /// Takes the format from the first bytes, if the options have none.
  ///
  /// - Returns: Whether it is decided; false if more bytes are needed.
  @discardableResult
  private func recognizeFormat(of head: [UInt8], isWhole: Bool) -> Bool {
    guard options.format == nil else { return true }
    let (format, isDecided) = ParserOptions.Format.recognized(in: head, isWhole: isWhole)
    if let format {
      var options = options
      options.format = format
      framing = options.makeFraming()
      engine.expectStream()
    }
    return isDecided
  }

  private func pass(_ bytes: BorrowedBuffer<UInt8>) throws {
    guard let framing else { return try engine.read(bytes) }
    try framing.read(bytes, into: engine)
  }

  /// Gives the engine the bytes of earlier chunks that waited for the encoding.
  private func startEngine(with encoding: TextEncoding) throws {
    isEncodingKnown = true
    let waiting = head
    head = []
    if let fault = encoding.fault {
      throw ParsingError(
        kind: .encoding, location: SourceLocation(offset: 0, line: 1, column: 1), path: "$",
        message: fault)
    }
    if encoding == .markedUTF8 { engine.skipByteOrderMark() }
    try Array(waiting.dropFirst(encoding.markLength)).withBorrowed { try pass($0) }
  }
}
