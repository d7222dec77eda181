// YAJL's callbacks.
//
// Invariants
// - The tables are `static let`s of nonisolated types. Closures written where an actor is in force
//   would check their executor at each call, at half the speed.
// - The context is the parser's StatePointer. The sink is called unretained: the parser holds it.
// - YAJL's `yajl_get_bytes_consumed` is exact inside callbacks: it is the end of the token at hand.
// - No error crosses C: it is parked in the state or in the sink, the callback answers 0,
//   and YAJL stops.
// - A sink is told of nothing that breaks a limit.
// - What is rare goes to functions of its own (ParserCallbacks+Rare), so that the common way
//   needs few registers.
//
// A C function cannot be generic, but it can call a generic one: `EventReceiver` holds the work,
// and each class of sinks has a table of C functions that name its own class, so that a final class
// is called directly and its methods are inlined. Going through the table of methods instead was
// measured at 7 to 10 % of the whole.

import CYAJL

/// C functions that YAJL calls, each with the parser's state as its context.
struct EventCallbacks: Sendable {
  typealias Context = UnsafeMutableRawPointer
  typealias Plain = @convention(c) (Context?) -> Int32
  typealias Text = @convention(c) (Context?, UnsafePointer<UInt8>?, Int) -> Int32
  typealias Number = @convention(c) (Context?, UnsafePointer<CChar>?, Int) -> Int32

  let null: Plain
  let boolean: @convention(c) (Context?, Int32) -> Int32
  let number: Number
  let string: Text
  let startObject: Plain
  let key: Text
  let endObject: Plain
  let startArray: Plain
  let endArray: Plain

  /// The table in YAJL's own form.
  var table: yajl_callbacks {
    yajl_callbacks(
      yajl_null: null, yajl_boolean: boolean, yajl_integer: nil, yajl_double: nil,
      yajl_number: number, yajl_string: string, yajl_start_map: startObject, yajl_map_key: key,
      yajl_end_map: endObject, yajl_start_array: startArray, yajl_end_array: endArray)
  }
}

/// What the callbacks do for sinks of one class.
enum EventReceiver<Sink: EventSink> {
  typealias Context = EventCallbacks.Context

  @inline(__always)
  static func null(_ context: Context?) -> Int32 {
    guard let state = ParserCallbacks.at(context), ParserCallbacks.beginValue(state) else {
      return 0
    }
    ParserCallbacks.mark(state, .value)
    return tell(state) { $0.null() }
  }

  @inline(__always)
  static func boolean(_ context: Context?, _ value: Int32) -> Int32 {
    guard let state = ParserCallbacks.at(context), ParserCallbacks.beginValue(state) else {
      return 0
    }
    ParserCallbacks.mark(state, .value)
    return tell(state) { $0.boolean(value != 0) }
  }

  @inline(__always)
  static func number(_ context: Context?, _ text: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
    guard let state = ParserCallbacks.at(context), let text else { return 0 }
    let number = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
    let limit = state.pointee.limits.numberBytes
    guard ParserCallbacks.isPlainValue(state, number, count, upTo: limit) else {
      return ParserCallbacks.takeNumber(state, number, count)
    }
    state.pointee.top.pointee.index &+= 1
    ParserCallbacks.mark(state, number, end: number + count)
    return tell(state) { $0.number(number, count) }
  }

  @inline(__always)
  static func string(_ context: Context?, _ text: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let state = ParserCallbacks.at(context), let text else { return 0 }
    let limit = state.pointee.safeStringCount
    guard ParserCallbacks.isPlainValue(state, text, count, upTo: limit) else {
      return ParserCallbacks.takeString(state, text, count)
    }
    state.pointee.top.pointee.index &+= 1
    ParserCallbacks.mark(state, text, end: text + count + 1)
    return tell(state) { $0.string(text, count) }
  }

  @inline(__always)
  static func key(_ context: Context?, _ text: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let state = ParserCallbacks.at(context), let text else { return 0 }
    guard state.pieceHoldsKey(text), count <= state.pointee.safeKeyCount else {
      return ParserCallbacks.takeKey(state, text, count)
    }
    let top = state.pointee.top
    top.pointee.key = text
    top.pointee.keyCount = count
    ParserCallbacks.mark(state, text, end: text + count + 1)
    return tell(state) { $0.key(text, count) }
  }

  @inline(__always)
  static func startObject(_ context: Context?) -> Int32 {
    guard let state = ParserCallbacks.at(context), ParserCallbacks.beginValue(state),
      ParserCallbacks.open(state, isArray: false)
    else { return 0 }
    return tell(state) { $0.startObject() }
  }

  @inline(__always)
  static func startArray(_ context: Context?) -> Int32 {
    guard let state = ParserCallbacks.at(context), ParserCallbacks.beginValue(state),
      ParserCallbacks.open(state, isArray: true)
    else { return 0 }
    return tell(state) { $0.startArray() }
  }

  @inline(__always)
  static func endObject(_ context: Context?) -> Int32 {
    guard let state = ParserCallbacks.at(context) else { return 0 }
    ParserCallbacks.beginClosing(state)
    let goesOn = tell(state) { $0.endObject() }
    state.pointee.top -= 1
    return goesOn
  }

  @inline(__always)
  static func endArray(_ context: Context?) -> Int32 {
    guard let state = ParserCallbacks.at(context) else { return 0 }
    ParserCallbacks.beginClosing(state)
    let goesOn = tell(state) { $0.endArray() }
    state.pointee.top -= 1
    return goesOn
  }

  @inline(__always)
  private static func tell(_ state: StatePointer, _ event: (Sink) -> Bool) -> Int32 {
    let sink = Unmanaged<Sink>.fromOpaque(state.pointee.sink.toOpaque())
    return sink._withUnsafeGuaranteedRef(event) ? 1 : 0
  }
}

/// What the callbacks note about events, whoever receives them.
enum ParserCallbacks {
  /// Tells whether a token lies in the piece, inside a container and within its limit, as
  /// nearly all do.
  @inline(__always)
  static func isPlainValue(
    _ state: StatePointer, _ text: UnsafePointer<UInt8>, _ count: Int, upTo limit: Int
  ) -> Bool {
    state.pieceHolds(text) && count <= limit && state.pointee.top != state.pointee.levels
  }

  @inline(__always)
  static func at(_ context: UnsafeMutableRawPointer?) -> StatePointer? {
    context?.assumingMemoryBound(to: ParserState.self)
  }

  /// Notes a token that lies in the piece.
  @inline(__always)
  static func mark(
    _ state: StatePointer, _ text: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
  ) {
    state.pointee.text = text
    state.pointee.textEnd = end
  }

  /// Notes a token by its end.
  @inline(__always)
  static func mark(_ state: StatePointer, _ event: LastEvent) {
    state.pointee.markEnd =
      state.pointee.pieceBase &+ yajl_get_bytes_consumed(state.pointee.handle)
    state.pointee.mark = event
  }

  /// Counts the value in its container.
  @inline(__always)
  static func beginValue(_ state: StatePointer) -> Bool {
    let top = state.pointee.top
    if top == state.pointee.levels, !state.beginDocument() { return false }
    top.pointee.index &+= 1
    return true
  }

  @inline(__always)
  static func open(_ state: StatePointer, isArray: Bool) -> Bool {
    mark(state, .opening)
    if state.pointee.top == state.pointee.lastLevel, !state.growLevels() {
      return state.refuseDepth()
    }
    state.pointee.top += 1
    let top = state.pointee.top
    top.pointee.key = nil
    top.pointee.index = -1
    top.pointee.start = state.pointee.markEnd &- 1
    top.pointee.line = 0
    top.pointee.isArray = isArray
    return true
  }

  /// Makes the container that closes the value at hand.
  @inline(__always)
  static func beginClosing(_ state: StatePointer) {
    mark(state, .value)
    let top = state.pointee.top
    top.pointee.key = nil
    top.pointee.index = -1
  }
}
