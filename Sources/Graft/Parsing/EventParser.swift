// Bytes to events: YAJL, and the layer around it that makes it strict, bounded and
// exact about places.
//
//   chunk ─► encoding sniffed, text filtered ─► long tokens gathered ─► YAJL ─► callbacks ─► sink
//            EventParser+Text                    EventParser+Pieces              ParserCallbacks
//
// A chunk is cut into pieces; a piece is what YAJL is given at once. What a piece held and is
// needed later (keys of open containers, line numbers, a token half read) is saved when it ends.

import CYAJL

/// Reads a document, or a stream of documents, and tells a sink what it holds.
///
/// After an error the parser is finished, and throws the same error again. It is confined to one
/// thread at a time.
final class EventParser {
  let options: ParserOptions
  let state: StatePointer
  /// Kept alive here, called through `state`.
  private let sink: EventSink
  /// YAJL does not copy its table of callbacks.
  private let callbacks: UnsafeMutablePointer<yajl_callbacks>
  /// What a piece points to between pieces.
  private let nowhere: UnsafeMutablePointer<UInt8>

  private var failure: (any Error)?
  private var isBusy = false
  private var isFinished = false

  /// Bytes that wait for the rest of a long token; see EventParser+Pieces.
  var held: [UInt8] = []
  /// Bytes that wait for the rest of a character or escape, or for the encoding to be
  /// told; see EventParser+Text.
  var tail: [UInt8] = []
  var isSniffed = false

  init(sink: EventSink, options: ParserOptions = ParserOptions()) {
    self.sink = sink
    self.options = options
    nowhere = .allocate(capacity: 1)
    nowhere.initialize(to: 0)
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(to: type(of: sink).callbacks.table)
    state = .allocate(capacity: 1)
    state.initialize(
      to: ParserState(
        sink: .passUnretained(sink), options: options, nowhere: UnsafePointer(nowhere)))
    let handle = yajl_alloc(callbacks, nil, state)
    _ = cyajl_config(handle, yajl_dont_validate_strings, 1)
    _ = cyajl_config(handle, yajl_allow_multiple_values, options.format == .ndjson ? 1 : 0)
    state.pointee.handle = handle
  }

  deinit {
    if let handle = state.pointee.handle { yajl_free(handle) }
    state.freeLevels()
    state.deinitialize(count: 1)
    state.deallocate()
    callbacks.deallocate()
    nowhere.deallocate()
  }

  /// Reads the next bytes of the document.
  ///
  /// - Parameter chunk: Bytes that follow those already read; any number of them, cut anywhere.
  /// - Throws: The sink's failure, or ``ParsingError``.
  /// - Precondition: Not called from inside the sink, nor after ``finish()``.
  func parse(_ chunk: UnsafeRawBufferPointer) throws {
    try step { try read(chunk) }
  }

  /// Ends the document.
  ///
  /// - Throws: The sink's failure, or ``ParsingError`` when something is missing.
  /// - Precondition: Called once.
  func finish() throws {
    try step {
      isFinished = true
      try readEnd()
    }
  }

  private func step(_ body: () throws -> Void) throws {
    precondition(!isBusy, "the parser was called from inside its own sink")
    if let failure { throw failure }
    precondition(!isFinished, "the parser was called after finish()")
    isBusy = true
    defer {
      state.pointee.piece = UnsafePointer(nowhere)
      state.pointee.pieceCount = 0
      isBusy = false
    }
    do {
      try body()
    } catch {
      failure = error
      throw error
    }
  }

  /// The number of bytes of the document taken so far.
  var bytesFed: Int {
    state.pointee.pieceBase + state.pointee.pieceCount + held.count + tail.count
  }

  /// Whether a document has ended, and none has begun since.
  var isBetweenDocuments: Bool {
    guard tail.isEmpty, held.isEmpty, state.pendingToken == nil else { return false }
    return state.depth == 0 && state.lastEvent == .value
  }

  /// Why YAJL stopped.
  func reason(of status: yajl_status) -> any Error {
    guard status == yajl_status_client_canceled else { return state.diagnosis() }
    if let failure = sink.failure ?? state.pointee.failure { return failure }
    return ParsingError(
      kind: .cancelled, location: state.tokenLocation, path: state.path,
      message: "the receiver of the events asked to stop")
  }
}
