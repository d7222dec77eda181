// Reading without YAJL:
//
//   slice ─► TokenWindow ─► TokenWalk ─► EventSink
//        │   finds tokens,   checks the
//        │   64 bytes at     grammar
//        │   a time
//        └─► TokenAssembler ─► (the same walk)
//            one token, byte by byte
//
// A chunk is read in slices of 128 KiB, and a slice is scanned in windows of 16 KiB. A window begins between two
// tokens. A token that the end of a window cuts is scanned again with the next window. A token that the end of a
// slice cuts is assembled byte by byte with the bytes that follow. So is every token with a fault, because its
// error must be exact.
//
// Invariants
// - The engine owns `state`, whose address the walk and the assembler use.
// - A slice is open only inside `read`.

/// Reads a document without YAJL, with the same events and the same errors.
@safe final class NativeEngine: EventEngine {
  let state: StateBlock<NativeState>
  let sink: EventSink
  private let window: TokenWindow
  let decoder = EscapeDecoder()
  private let assembler: TokenAssembler
  private let sendTokens: TokenWalk.Sender

  init(sink: EventSink, options: ParserOptions) {
    self.sink = sink
    let state = unsafe StateBlock { _ in NativeState(options: options) }
    self.state = state
    window = TokenWindow(options)
    assembler = TokenAssembler(state, options)
    sendTokens = type(of: sink).sendTokens
  }

  deinit {
    unsafe state.pointee.containers.deallocate()
    unsafe state.deallocate()
  }

  func skipByteOrderMark() {
    let count = TextEncoding.byteOrderMark.count
    state.pointee.slice = InputSlice(start: count)
    state.pointee.lines.skip(count)
  }

  func expectStream() { state.pointee.isStream = true }

  func read(_ bytes: BorrowedBuffer<UInt8>) throws {
    for start in stride(from: 0, to: bytes.count, by: InputSlice.byteLimit) {
      try readSlice(bytes[start..<min(start + InputSlice.byteLimit, bytes.count)])
    }
  }

  private func readSlice(_ bytes: BorrowedBuffer<UInt8>) throws {
    state.pointee.slice = InputSlice(bytes: bytes, start: state.pointee.slice.start)
    defer { state.leaveSlice() }
    var index = 0
    var readsBytes = assembler.isActive
    while index < bytes.count {
      if readsBytes {
        let end = try assembler.read(bytes, from: index) { TokenWalk.accept(self, $0) }
        guard let end else { throw reason }
        index = end
        readsBytes = false
        continue
      }
      let text = bytes[index..<min(index + TokenWindow.size, bytes.count)]
      let end = TokenWalk.run(self, window.scan(text), of: text, at: index, sendTokens)
      guard !end.isStopped else { throw reason }
      index += end.count
      // Without progress, as with a token that the end of the slice cuts, it continues byte by
      // byte.
      readsBytes = end.count == 0
      if readsBytes { assembler.begin(at: state.pointee.slice.start + index) }
    }
  }

  func finish() throws {
    guard try assembler.finish(accept: { TokenWalk.accept(self, $0) }) else { throw reason }
  }

  /// The reason why the sink or a limit has stopped the engine.
  private var reason: any Error {
    guard let failure = sink.failure ?? state.pointee.failure else {
      fatalError("a sink that stops the parser has set its failure")
    }
    return failure
  }

  /// Copies a key into the innermost container's memory, as the container's current key.
  ///
  /// - Returns: The key, its escapes decoded, with ``InputSlice/keyPadding``.
  func keep(_ key: BorrowedBuffer<UInt8>, hasEscapes: Bool) -> BorrowedBuffer<UInt8> {
    state.pointee.containers.top.key = hasEscapes ? decoder.decode(key) : key
    state.pointee.containers.top.keepKey()
    return state.pointee.containers.top.key ?? BorrowedBuffer()
  }
}

// MARK: - Where the document and the current event are

extension NativeEngine {
  var tokenLocation: SourceLocation { state.tokenLocation }

  var isInsideDocument: Bool { depth > 0 || assembler.isActive }

  var byteCount: Int { state.pointee.slice.end }
}

// Invariants
// - NativeEngine owns the block, and outlives all who use it; one thread at a time does.
// - The block is reached through its pointer, field by field, never by a `mutating` method that calls the
//   sink: the sink asks for places, which reads and writes fields of the same block.
// - `slice` is the slice that is read at present, and is empty between slices.

/// The native engine's state after the part of the document read so far.
@safe struct NativeState: DocumentState {
  var isStream: Bool
  let documentsMayTouch: Bool
  let limits: ParserLimits

  var slice = InputSlice(start: 0)
  var containers: ContainerStack
  var lines = LineTracker()
  var expectation = Expectation.document
  /// The offset of the current event's token.
  var tokenOffset = 0
  /// The token's location with its line, if it begins in an earlier slice; nil if it begins in this one.
  var tokenLocation: SourceLocation?
  /// The end of the previous document, in a stream of documents.
  var documentEnd = -1
  /// The depth of the container whose content is checked, but not sent; 0 if there is none.
  var skippedDepth = 0
  /// Whether the sink received the start of the skipped container and so receives its end.
  var sendsSkippedEnd = false
  /// Whether the next value is checked, but not sent.
  var skipsNextValue = false
  /// The error with which the engine itself stopped.
  var failure: ParsingError?

  init(options: ParserOptions) {
    isStream = options.format?.isStream ?? false
    documentsMayTouch = options.format == .concatenated
    limits = options.limits.clamped
    containers = ContainerStack(depthLimit: limits.depth)
  }
}

extension NativeState {
  /// The expectation after a value of the innermost container, or after a document.
  var expectationAfterValue: Expectation { .afterValue(in: containers, isStream: isStream) }
}

extension StateBlock<NativeState> {
  /// The beginning of the current event's token.
  var tokenLocation: SourceLocation {
    pointee.tokenLocation ?? location(of: pointee.tokenOffset)
  }
}
