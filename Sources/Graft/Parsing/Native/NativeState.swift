// Invariants
// - NativeEngine owns the block, and outlives all who use it; one thread at a time does.
// - The block is reached through its pointer, field by field, never by a `mutating` method that calls the
//   sink: the sink asks for places, which reads and writes fields of the same block.
// - `slice` is the chunk that is read at present, and is empty between chunks.

/// The native engine's state after the part of the document read so far.
@safe struct NativeState: DocumentState {
  @safe let sink: Unmanaged<EventSink>
  var isStream: Bool
  let documentsMayTouch: Bool
  let limits: ParserLimits

  var slice = InputSlice(start: 0)
  var containers: ContainerStack
  var lines = LineTracker()
  var expectation = Expectation.document
  /// The offset of the current event's token.
  var tokenOffset = 0
  /// The same with its line, where the token begins in an earlier chunk.
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

  init(sink: EventSink, options: ParserOptions) {
    unsafe self.sink = .passUnretained(sink)
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
