// The state that YAJL's callbacks update, in one block of raw memory.
//
// Raw memory. Invariants
// - YAJLEngine allocates and frees the block and outlives every callback; one thread at a time
//   uses it.
// - The block is reached through its pointer, field by field, never by a `mutating` method that
//   calls the sink: the sink asks for places, which reads and writes fields of the same block.
// - `slice` is YAJL's current input. The memory belongs to the caller of `read`, so between calls
//   of YAJL the slice is empty, and nothing points into it: `closeSlice()` removes the last
//   pointers.
// - The key of a level points into the slice or into the level's own storage, never into
//   YAJL's buffers.

#if canImport(CYAJL)

import CYAJL

/// The address of the state, which is the context of YAJL's callbacks.
typealias StatePointer = StateBlock<YAJLState>

extension StatePointer {
  /// - Parameter context: The pointer that YAJL gives to a callback.
  @unsafe @inline(__always)
  init?(context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return nil }
    unsafe self.init(address: context.assumingMemoryBound(to: YAJLState.self))
  }
}

@safe struct YAJLState: DocumentState {
  @safe let handle: yajl_handle
  @safe let sink: Unmanaged<EventSink>
  var isStream: Bool
  let documentsMayTouch: Bool
  let limits: ParserLimits
  /// The most decoded bytes for which a string is within its limit, however it is escaped.
  ///
  /// An escape is at most six times as long as its character.
  let safeStringCount: Int
  let safeKeyCount: Int

  var slice = InputSlice(start: 0)
  var event = LastEvent()
  var containers: ContainerStack
  var lines = LineTracker()
  /// The text after the last event, as known when the slice began.
  var lookahead = Lookahead()
  /// The error with which the parser itself stopped, found inside a callback.
  var failure: ParsingError?

  init(handle: yajl_handle, sink: EventSink, options: ParserOptions) {
    unsafe self.handle = handle
    unsafe self.sink = .passUnretained(sink)
    isStream = options.format?.isStream ?? false
    documentsMayTouch = options.format == .concatenated
    limits = options.limits.clamped
    safeStringCount = limits.tokenBytes / 6
    safeKeyCount = limits.keyBytes / 6
    containers = ContainerStack(depthLimit: limits.depth)
  }
}

/// The token of the last event.
///
/// It is recorded in one of two ways, whichever is cheaper; the record with the later end counts. A
/// string, key or number that YAJL hands over inside the slice leaves two addresses, which cost one
/// store each. Other tokens leave the offset of their end, for which YAJL must be called. So a
/// hundred thousand numbers in an array cost no call.
struct LastEvent {
  /// The kinds of events that differ in what may follow them.
  enum Kind: UInt8 {
    case none
    case opening
    case key
    case value
  }

  /// The address of a string, key or number in the slice, without its quotes; 0 without one.
  var token = 0
  /// The end of that token, its closing quote included.
  var tokenEnd = 0
  /// The end of the token of the last event of another kind.
  var endOffset = 0
  /// The kind of the last other event.
  var kind = Kind.none
}

extension StatePointer {
  /// The end of the last event's token.
  var eventEnd: Int {
    let end = pointee.event.tokenEnd
    guard end != 0 else { return pointee.event.endOffset }
    return max(pointee.event.endOffset, pointee.slice.start + pointee.slice.index(of: end))
  }

  /// The offset of the end of YAJL's input so far; inside a callback, the end of the current token.
  @inline(__always)
  var bytesConsumed: Int {
    unsafe pointee.slice.start &+ yajl_get_bytes_consumed(pointee.handle)
  }

  /// The kind of the last event.
  var eventKind: LastEvent.Kind {
    guard let token = tokenInSlice else { return pointee.event.kind }
    return pointee.containers.top.key?.address == token ? .key : .value
  }

  /// The last event's string, key or number, if that is how the event is recorded.
  private var tokenInSlice: Int? {
    eventEnd > pointee.event.endOffset ? pointee.event.token : nil
  }

  /// Ends the slice, and saves the last event, which refers to addresses in the slice.
  func closeSlice() {
    pointee.event = LastEvent(endOffset: eventEnd, kind: eventKind)
    leaveSlice()
  }
}

// MARK: - Where the current token begins

extension StatePointer {
  /// The beginning of the last event's token.
  var tokenLocation: SourceLocation {
    let end = eventEnd
    guard let token = tokenInSlice else { return location(ofTokenEndingAt: end) }
    let isQuoted = pointee.slice.byte(at: end - 1) == UInt8(ascii: "\"")
    return location(
      of: pointee.slice.start + pointee.slice.index(of: token) - (isQuoted ? 1 : 0))
  }

  /// Finds the beginning of a token by reading backwards from its end.
  ///
  /// YAJL hands over an escaped string as a copy, whose length does not show where the string
  /// began. Going backwards from the closing quote, the first quote that is not escaped is the
  /// opening one. A token that begins before the slice is the one that was pending when the slice
  /// began.
  private func location(ofTokenEndingAt end: Int) -> SourceLocation {
    let slice = pointee.slice
    guard let last = slice.byte(at: end - 1) else {
      return pointee.lookahead.token?.location ?? location(of: end)
    }
    var index = end - 1 - slice.start
    switch last {
    case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
      return location(of: end - 1)
    case UInt8(ascii: "\""):
      repeat {
        index -= 1
      } while index >= 0 && !(slice.bytes[index] == UInt8(ascii: "\"") && !slice.isEscaped(index))
    default:
      while index > 0, slice.bytes[index - 1].continuesWord { index -= 1 }
      if index == 0, pointee.lookahead.token != nil { index = -1 }
    }
    guard index < 0 else { return location(of: slice.start + index) }
    return pointee.lookahead.token?.location ?? location(of: slice.start)
  }
}

extension InputSlice {
  /// Returns whether the number of backslashes before a byte is odd.
  fileprivate func isEscaped(_ index: Int) -> Bool {
    var first = index
    while first > 0, bytes[first - 1] == UInt8(ascii: "\\") { first -= 1 }
    return (index - first) % 2 == 1
  }
}

extension UInt8 {
  /// Whether the byte can occur in a number, or in `true`, `false` or `null`.
  fileprivate var continuesWord: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "E"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

#endif
