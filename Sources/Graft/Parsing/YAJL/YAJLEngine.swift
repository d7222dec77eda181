// Passes a document to YAJL.
//
// A chunk is cut into slices of at most 128 KiB by the filter; YAJL is given one slice at a time.
//
// YAJL reads a token that the end of a slice cuts again from its first byte with each further
// slice. That is quadratic: 62 seconds for a string of 10 MB in chunks of 4 KiB. So bytes of a long
// token that do not end it are held until there are as many as YAJL already has, and are then
// passed on together: YAJL reads the token log(n) times. Bytes that end a token are given at once,
// so that no event is late.
//
// Raw memory. Invariants
// - The engine owns `state` and `callbacks`, which have fixed addresses because YAJL keeps pointers
//   to both, and YAJL's handle; all three are freed together.
// - `state` refers to the sink unretained; `sink` keeps it alive.
// - A slice is open only while YAJL runs, inside `feed`; see YAJLState.swift.

#if canImport(CYAJL)

import CYAJL

/// Reads a document with YAJL, and adds what YAJL lacks: strictness, limits, and exact places.
@safe final class YAJLEngine: EventEngine {
  let state: StatePointer
  @safe private let callbacks: UnsafeMutablePointer<yajl_callbacks>
  private let sink: EventSink
  private let filter: TextFilter
  /// Bytes of a long token that wait for more.
  private var held: [UInt8] = []

  /// The length from which a token's bytes are held; YAJL may read shorter tokens again.
  private static let longToken = 256
  /// Memory for held bytes beyond this is not kept for the next token.
  private static let keptCapacity = 1 << 20

  init(sink: EventSink, options: ParserOptions) {
    self.sink = sink
    filter = TextFilter(
      replacesLoneSurrogates: options.loneSurrogates == .replaced,
      instructions: options.instructions)
    let callbacks = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
    unsafe callbacks.initialize(to: type(of: sink).callbacks.table)
    unsafe self.callbacks = callbacks
    state = unsafe StatePointer { context in
      guard let handle = unsafe yajl_alloc(callbacks, nil, context) else {
        fatalError("out of memory")
      }
      _ = unsafe cyajl_config(handle, yajl_dont_validate_strings, 1)
      return unsafe YAJLState(handle: handle, sink: sink, options: options)
    }
    if state.pointee.isStream { expectStream() }
  }

  deinit {
    unsafe yajl_free(state.pointee.handle)
    unsafe state.pointee.containers.deallocate()
    unsafe state.deallocate()
    unsafe callbacks.deallocate()
  }

  func skipByteOrderMark() {
    let count = TextEncoding.byteOrderMark.count
    state.pointee.slice = InputSlice(start: count)
    state.pointee.event.endOffset = count
    state.pointee.lookahead.start = count
    state.pointee.lines.skip(count)
  }

  func expectStream() {
    state.pointee.isStream = true
    _ = unsafe cyajl_config(state.pointee.handle, yajl_allow_multiple_values, 1)
  }

  func read(_ bytes: BorrowedBuffer<UInt8>) throws {
    guard let fault = try filter.filter(bytes, receive: { try take($0) }) else { return }
    try feedHeld()
    throw state.diagnosis().violation(
      fault, at: state.pointee.slice.start, in: state.pointee.lookahead.expectation)
  }

  func finish() throws {
    try filter.finish { try take($0) }
    try feedHeld()
    let isEmpty = state.eventKind == .none && state.pendingToken == nil
    if isEmpty, state.pointee.isStream { return }
    let status = unsafe yajl_complete_parse(state.pointee.handle)
    if status == yajl_status_client_canceled { throw reason(of: status) }
    // YAJL takes a document for complete also where a string has begun after it and not ended.
    guard status == yajl_status_ok, state.pendingToken == nil else {
      throw state.truncation()
    }
  }

  /// Takes filtered text: gives it to YAJL, or holds it.
  private func take(_ text: BorrowedBuffer<UInt8>) throws {
    guard let token = state.pendingToken else { return try feed(text) }
    let fed = state.pointee.slice.start - token.location.offset
    let waiting = held.count + text.count
    let mustWait =
      fed >= Self.longToken && waiting < fed
      && fed + waiting <= state.pointee.limits.bytes(of: token.kind) && !token.ends(in: text)
    guard mustWait || !held.isEmpty else { return try feed(text) }
    held.append(contentsOf: text)
    if !mustWait { try feedHeld() }
  }

  private func feedHeld() throws {
    guard !held.isEmpty else { return }
    // Taken out of the property first: the sink may ask for `byteCount` while YAJL reads them.
    var bytes: [UInt8] = []
    swap(&bytes, &held)
    try bytes.withBorrowed { try feed($0) }
    guard bytes.capacity <= Self.keptCapacity else { return }
    bytes.removeAll(keepingCapacity: true)
    swap(&bytes, &held)
  }

  /// Gives YAJL a slice.
  private func feed(_ text: BorrowedBuffer<UInt8>) throws {
    state.pointee.slice = InputSlice(bytes: text, start: state.pointee.slice.start)
    defer { state.closeSlice() }
    let status = unsafe text.withUnsafePointer {
      unsafe yajl_parse(state.pointee.handle, $0, text.count)
    }
    guard status == yajl_status_ok else { throw reason(of: status) }
    try state.lookAhead()
  }

  /// Returns the reason why YAJL stopped.
  private func reason(of status: yajl_status) -> any Error {
    guard status == yajl_status_client_canceled else { return state.refusal() }
    guard let failure = sink.failure ?? state.pointee.failure else {
      fatalError("a sink that stops the parser has set its failure")
    }
    return failure
  }
}

// MARK: - Where the document and the current event are

extension YAJLEngine {
  var tokenLocation: SourceLocation { state.tokenLocation }

  var isInsideDocument: Bool {
    depth > 0 || !filter.tail.isEmpty || !held.isEmpty || state.pendingToken != nil
  }

  var byteCount: Int { state.pointee.slice.end + held.count + filter.tail.count }
}

#endif
