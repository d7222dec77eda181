// Makes events from the scanner's tokens, by the grammar of JSON.
//
// The code that sends events is compiled for each class of sinks that asks for it, so that the import is called
// directly, and once for all other classes. The code for these also checks content that a sink does not want, without
// calls.
//
// The walk makes no errors. A token that is cut, wrong, too long or in the wrong place ends the
// walk before it. `TokenAssembler` reads the token again, byte by byte, and finds the fault, if
// there is one.
//
// Raw memory. Invariants
// - The window and the bytes of the text stay as they are while the walk runs, except that the sink is
//   called.
// - A key is sent with `InputSlice.keyPadding` bytes that can be read at its address: `readable` counts the
//   bytes of the chunk from the beginning of the text.

/// The reason why a walk has ended.
struct WalkEnd {
  /// The number of bytes read.
  var count: Int
  /// Whether a sink or a limit has stopped it.
  var isStopped: Bool
}

/// A token that has been read byte by byte.
struct AssembledToken {
  /// The token's first byte.
  var kind: UInt8
  /// A string or key without its quotes, or a number; stays until the token has been taken.
  var text = BorrowedBuffer<UInt8>()
  var hasEscapes = false
  /// The place where the token begins.
  var location: SourceLocation
  /// The offset of its end.
  var end: Int
}

/// A sink that is called without reference counting, because the engine keeps it alive.
@safe private struct BorrowedSink<Sink: EventSink> {
  private let sink: Unmanaged<Sink>

  init(of engine: Unmanaged<NativeEngine>) {
    unsafe sink = engine._withUnsafeGuaranteedRef {
      unsafe .passUnretained(unsafeDowncast($0.sink, to: Sink.self))
    }
  }

  @inline(__always)
  func callAsFunction(_ body: (Sink) -> Bool) -> Bool {
    unsafe sink._withUnsafeGuaranteedRef(body)
  }
}

/// A walk through the tokens of a window.
@safe struct TokenWalk {
  /// Sends events to the sinks of one class until the walk ends or begins to skip; see ``send(to:)``.
  typealias Sender = @Sendable (inout TokenWalk) -> Ending

  enum Ending {
    /// All tokens have been read.
    case end
    /// The next token is read byte by byte.
    case odd
    /// Sending begins or ends.
    case modeChange
    /// A sink or limit has stopped the walk.
    case stop
  }

  private let engine: Unmanaged<NativeEngine>
  private let state: StateBlock<NativeState>
  private let tokens: ScannedTokens
  private let text: BorrowedBuffer<UInt8>
  /// The offset of the text in the document.
  private let base: Int
  private let readable: Int
  private let stringLimit: Int
  private let keyLimit: Int
  private let numberLimit: Int
  private var index = 0
  private var expectation: Expectation
  /// The expectation after a value of the innermost container.
  private var afterValue: Expectation
  /// The innermost level.
  private var level: LevelAddress
  private var isWanted: Bool

  private init(
    _ engine: NativeEngine, _ tokens: ScannedTokens, _ text: BorrowedBuffer<UInt8>, _ start: Int
  ) {
    unsafe self.engine = .passUnretained(engine)
    state = engine.state
    self.tokens = tokens
    self.text = text
    base = state.pointee.slice.start &+ start
    readable = state.pointee.slice.bytes.count &- start
    stringLimit = state.pointee.limits.tokenBytes
    keyLimit = state.pointee.limits.keyBytes
    numberLimit = state.pointee.limits.numberBytes
    expectation = state.pointee.expectation
    afterValue = state.pointee.expectationAfterValue
    level = state.pointee.containers.topAddress
    isWanted = !state.pointee.skipsNextValue
  }

  /// Walks through the tokens of a text.
  ///
  /// - Parameters:
  ///   - engine: The engine.
  ///   - tokens: The tokens.
  ///   - text: The text.
  ///   - start: Its beginning in the engine's slice.
  ///   - send: Sends the events to the engine's sink.
  /// - Returns: The end of the walk, and its reason.
  static func run(
    _ engine: NativeEngine, _ tokens: ScannedTokens, of text: BorrowedBuffer<UInt8>, at start: Int,
    _ send: Sender
  ) -> WalkEnd {
    var walk = TokenWalk(engine, tokens, text, start)
    var ending: Ending
    repeat {
      ending = walk.state.pointee.skippedDepth > 0 ? walk.walkForAnySink(sends: false) : send(&walk)
    } while ending == .modeChange
    walk.state.pointee.expectation = walk.expectation
    walk.state.pointee.skipsNextValue = !walk.isWanted
    let count = ending == .end ? walk.tokens.scanned : walk.tokens.offset(walk.index)
    return WalkEnd(count: count, isStopped: ending == .stop)
  }

  /// Sends events to a sink.
  ///
  /// - Parameter class: The class of the sink, which the compiler must know where this is called.
  /// - Returns: The reason why the walk has ended.
  // Inlined before the optimizer begins, or else it would optimize this function for any class too.
  @_transparent
  mutating func send<Sink: EventSink>(to class: Sink.Type) -> Ending {
    walk(sends: true, unsafe BorrowedSink<Sink>(of: engine))
  }

  /// Walks on with a sink of any class.
  @inline(never)
  mutating func walkForAnySink(sends: Bool) -> Ending {
    walk(sends: sends, unsafe BorrowedSink<EventSink>(of: engine))
  }

  /// Walks on.
  ///
  /// - Parameters:
  ///   - sends: Whether events are sent; a constant where this is compiled for one class.
  ///   - sink: The sink.
  /// - Returns: The reason why the walk has ended.
  @_transparent
  private mutating func walk<Sink: EventSink>(sends: Bool, _ sink: BorrowedSink<Sink>) -> Ending {
    while true {
      // Containers begin and end in one place each: the compiler's time grows much faster than this loop.
      var isClosing = false
      // Nearly always a member is followed by another one: the tokens `,` `"` `"` `:`.
      if expectation == .commaInObject, tokens.kinds(index) == 0x3A22_222C {
        index &+= 1
        expectation = .nextKey
        if let ending = key(sends: sends, sink) { return ending }
        index &+= 3
      } else {
        switch expectation {
        case .commaInObject:
          switch tokens.kind(index) {
          case UInt8(ascii: ","):
            index &+= 1
            expectation = .nextKey
            continue
          case UInt8(ascii: "}"):
            isClosing = true
          case 0: return .end
          default: return .odd
          }
        case .firstKey, .nextKey:
          if tokens.kinds(index) & 0xFF_FFFF == 0x3A_2222 {
            if let ending = key(sends: sends, sink) { return ending }
            index &+= 3
            break
          }
          // A key without its colon is at the end of the window, or is wrong.
          switch tokens.kind(index) {
          case UInt8(ascii: "}") where expectation == .firstKey:
            isClosing = true
          case 0: return .end
          default: return .odd
          }
        case .colon:
          switch tokens.kind(index) {
          case UInt8(ascii: ":"):
            index &+= 1
            expectation = .memberValue
            continue
          case 0: return .end
          default: return .odd
          }
        case .commaInArray:
          switch tokens.kind(index) {
          case UInt8(ascii: ","):
            index &+= 1
            expectation = .element
          case UInt8(ascii: "]"):
            isClosing = true
          case 0: return .end
          default: return .odd
          }
        case .firstElement:
          isClosing = tokens.kind(index) == UInt8(ascii: "]")
        case .endOfDocument:
          return tokens.kind(index) == 0 ? .end : .odd
        case .nextDocument:
          if tokens.kind(index) == 0 { return .end }
          // Most documents must be separated by something.
          if base &+ tokens.offset(index) <= state.pointee.documentEnd,
            !(state.pointee.documentsMayTouch && tokens.kind(index).mayTouchDocument)
          {
            return .odd
          }
        case .element, .memberValue, .document: break
        }
      }
      if isClosing {
        let isArray = tokens.kind(index) == UInt8(ascii: "]")
        if let ending = close(isArray: isArray, sends: sends, sink) { return ending }
        continue
      }
      // The value at the index.
      let start = tokens.offset(index)
      switch tokens.kind(index) {
      case UInt8(ascii: "\""):
        guard tokens.kind(index &+ 1) == UInt8(ascii: "\"") else { return .odd }
        let end = tokens.offset(index &+ 1)
        guard end &- start &- 1 <= stringLimit else { return .odd }
        if begin(start, sends: sends) {
          var string = text[start &+ 1..<end]
          if tokens.hasBackslash(from: start &+ 1, to: end) { string = decode(string) }
          guard sink({ $0.string(string) }) else { return .stop }
        }
        index &+= 2
        finish(end &+ 1)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isArray = tokens.kind(index) == UInt8(ascii: "[")
        if let ending = open(isArray: isArray, sends: sends, sink) { return ending }
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let (scan, end) = NumberScan.read(text, from: start, to: tokens.scanned)
        // The byte after the number shows that the number has ended.
        guard end > 0, end < tokens.scanned, text[end].endsScalar, end &- start <= numberLimit
        else { return .odd }
        if begin(start, sends: sends) {
          let number = text[start..<end]
          guard sink({ $0.number(number, scan) }) else { return .stop }
        }
        index &+= 1
        finish(end)
      case UInt8(ascii: "n"):
        guard isWord(0x6C6C_756E, at: start, count: 4) else { return .odd }
        if begin(start, sends: sends) { guard sink({ $0.null() }) else { return .stop } }
        index &+= 1
        finish(start &+ 4)
      case UInt8(ascii: "t"):
        guard isWord(0x6575_7274, at: start, count: 4) else { return .odd }
        if begin(start, sends: sends) { guard sink({ $0.boolean(true) }) else { return .stop } }
        index &+= 1
        finish(start &+ 4)
      case UInt8(ascii: "f"):
        guard isWord(0x736C_6166, at: start, count: 5) else { return .odd }
        if begin(start, sends: sends) { guard sink({ $0.boolean(false) }) else { return .stop } }
        index &+= 1
        finish(start &+ 5)
      case 0: return .end
      default: return .odd
      }
    }
  }

  // MARK: Values and keys

  /// Counts a scalar.
  ///
  /// - Returns: Whether it is sent.
  @inline(__always)
  private func begin(_ start: Int, sends: Bool) -> Bool {
    level.pointee.index &+= 1
    guard sends, isWanted else { return false }
    state.pointee.tokenOffset = base &+ start
    return true
  }

  /// Goes on after a scalar.
  @inline(__always)
  private mutating func finish(_ end: Int) {
    isWanted = true
    expectation = afterValue
    if afterValue == .nextDocument { state.pointee.documentEnd = base &+ end }
  }

  /// Returns whether the rest of `true`, `false` or `null` follows its first four bytes.
  @inline(__always)
  private func isWord(_ bytes: UInt32, at start: Int, count: Int) -> Bool {
    let end = start &+ count
    return end <= tokens.scanned
      && UInt32(littleEndian: text.load(at: start, as: UInt32.self)) == bytes
      && (count == 4 || text[end &- 1] == UInt8(ascii: "e"))
      && (end == tokens.scanned || text[end].endsScalar)
  }

  /// Takes the key at the index, and leaves the index there; nil if the walk continues.
  @inline(__always)
  private mutating func key<Sink: EventSink>(
    sends: Bool, _ sink: BorrowedSink<Sink>
  ) -> Ending? {
    let start = tokens.offset(index) &+ 1
    let end = tokens.offset(index &+ 1)
    guard end &- start <= keyLimit else { return .odd }
    var key = text[start..<end]
    if sends {
      let isPlain =
        start &+ InputSlice.keyPadding <= readable && !tokens.hasBackslash(from: start, to: end)
      if isPlain {
        level.pointee.key = key
      } else {
        key = keep(key)
      }
      state.pointee.tokenOffset = base &+ start &- 1
      guard sink({ $0.key(key) }) else { return .stop }
      isWanted = !sink { $0.skipsValue }
    } else {
      level.pointee.setRawKey(key)
    }
    expectation = .memberValue
    return nil
  }

  // MARK: Containers

  @inline(__always)
  private mutating func open<Sink: EventSink>(
    isArray: Bool, sends: Bool, _ sink: BorrowedSink<Sink>
  ) -> Ending? {
    let offset = base &+ tokens.offset(index)
    index &+= 1
    level.pointee.index &+= 1
    guard state.pointee.containers.push(isArray: isArray, at: offset) else {
      return Self.refuseDepth(state, at: offset)
    }
    level = state.pointee.containers.topAddress
    expectation = isArray ? .firstElement : .firstKey
    afterValue = isArray ? .commaInArray : .commaInObject
    guard sends else { return nil }
    let ending = Self.start(state, sink, offset, isArray: isArray, isWanted)
    isWanted = true
    return ending
  }

  @inline(__always)
  private mutating func close<Sink: EventSink>(
    isArray: Bool, sends: Bool, _ sink: BorrowedSink<Sink>
  ) -> Ending? {
    let offset = base &+ tokens.offset(index)
    index &+= 1
    let ending = Self.end(state, sink, offset, isArray: isArray, sends: sends)
    level = state.pointee.containers.topAddress
    afterValue = state.pointee.expectationAfterValue
    expectation = afterValue
    return ending
  }

  /// Sends the start of a container that has been pushed.
  ///
  /// - Returns: nil if its content is sent as well.
  @inline(__always)
  private static func start<Sink: EventSink>(
    _ state: StateBlock<NativeState>, _ sink: BorrowedSink<Sink>, _ offset: Int, isArray: Bool,
    _ isWanted: Bool
  ) -> Ending? {
    if isWanted {
      state.pointee.tokenOffset = offset
      guard sink({ isArray ? $0.startArray() : $0.startObject() }) else { return .stop }
      guard sink({ $0.skipsContent }) else { return nil }
    }
    state.pointee.skippedDepth = state.pointee.containers.depth
    state.pointee.sendsSkippedEnd = isWanted
    return .modeChange
  }

  /// Sends the end of the innermost container, and pops it.
  ///
  /// - Returns: nil if nothing changes in what is sent.
  @inline(__always)
  private static func end<Sink: EventSink>(
    _ state: StateBlock<NativeState>, _ sink: BorrowedSink<Sink>, _ offset: Int, isArray: Bool,
    sends: Bool
  ) -> Ending? {
    let endsSkipping = !sends && state.pointee.containers.depth == state.pointee.skippedDepth
    var goesOn = true
    if sends || endsSkipping && state.pointee.sendsSkippedEnd {
      state.pointee.tokenOffset = offset
      // The container, which ends, is the current value.
      state.pointee.containers.top.key = nil
      state.pointee.containers.top.index = -1
      goesOn = sink { isArray ? $0.endArray() : $0.endObject() }
    }
    state.pointee.containers.pop()
    if state.pointee.containers.isEmpty { state.pointee.documentEnd = offset &+ 1 }
    guard goesOn else { return .stop }
    guard endsSkipping else { return nil }
    state.pointee.skippedDepth = 0
    return .modeChange
  }

  @inline(never)
  private static func refuseDepth(_ state: StateBlock<NativeState>, at offset: Int) -> Ending {
    state.pointee.tokenOffset = offset
    state.pointee.failure = state.diagnosis().tooDeep(at: state.tokenLocation)
    return .stop
  }

  // MARK: Helpers

  @inline(never)
  private func decode(_ text: BorrowedBuffer<UInt8>) -> BorrowedBuffer<UInt8> {
    unsafe engine._withUnsafeGuaranteedRef { $0.decoder.decode(text) }
  }

  /// Keeps a key that has escapes, or is so near the end of the chunk that its padding is missing, in the
  /// level's own memory.
  @inline(never)
  private func keep(_ key: BorrowedBuffer<UInt8>) -> BorrowedBuffer<UInt8> {
    unsafe engine._withUnsafeGuaranteedRef { $0.keep(key, hasEscapes: true) }
  }
}

// MARK: - Tokens read byte by byte

extension TokenWalk {
  /// Takes a token that is allowed where it is.
  ///
  /// - Returns: Whether the engine goes on.
  static func accept(_ engine: NativeEngine, _ token: AssembledToken) -> Bool {
    let state = engine.state
    let sink = unsafe BorrowedSink<EventSink>(of: .passUnretained(engine))
    let sends = state.pointee.skippedDepth == 0
    let offset = token.location.offset
    var isWanted = !state.pointee.skipsNextValue
    var ending: Ending?
    state.pointee.tokenLocation = token.location
    defer { state.pointee.tokenLocation = nil }
    switch token.kind {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let isArray = token.kind == UInt8(ascii: "[")
      state.pointee.containers.top.index &+= 1
      guard state.pointee.containers.push(isArray: isArray, at: offset) else {
        return refuseDepth(state, at: offset) != .stop
      }
      state.pointee.expectation = isArray ? .firstElement : .firstKey
      if sends {
        ending = start(state, sink, offset, isArray: isArray, isWanted)
        isWanted = true
      }
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      let isArray = token.kind == UInt8(ascii: "]")
      ending = end(state, sink, offset, isArray: isArray, sends: sends)
      state.pointee.expectation = state.pointee.expectationAfterValue
    case UInt8(ascii: "\"") where state.pointee.expectation.isKey:
      let key = engine.keep(token.text, hasEscapes: token.hasEscapes)
      state.pointee.expectation = .colon
      guard sends else { break }
      state.pointee.tokenOffset = offset
      if !sink({ $0.key(key) }) { ending = .stop }
      isWanted = !sink { $0.skipsValue }
    default:
      state.pointee.containers.top.index &+= 1
      if sends, isWanted {
        state.pointee.tokenOffset = offset
        let text = token.hasEscapes ? engine.decoder.decode(token.text) : token.text
        if !sink({ $0.receive(token.kind, text) }) { ending = .stop }
      }
      isWanted = true
      state.pointee.expectation = state.pointee.expectationAfterValue
      if state.pointee.containers.isEmpty { state.pointee.documentEnd = token.end }
    }
    state.pointee.skipsNextValue = !isWanted
    return ending != .stop
  }
}

extension EventSink {
  /// Receives a scalar by its first byte.
  fileprivate func receive(_ kind: UInt8, _ text: BorrowedBuffer<UInt8>) -> Bool {
    switch kind {
    case UInt8(ascii: "\""): string(text)
    case UInt8(ascii: "t"): boolean(true)
    case UInt8(ascii: "f"): boolean(false)
    case UInt8(ascii: "n"): null()
    default: number(text)
    }
  }
}
