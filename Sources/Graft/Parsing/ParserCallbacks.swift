// YAJL's callbacks.
//
// Invariants
// - The table is a `static let` of a nonisolated type. Closures written where an actor is in force would check their
//   executor at each call, at half the speed.
// - The context is the parser's StatePointer. The sink is called unretained: the parser holds it.
// - YAJL's `yajl_get_bytes_consumed` is exact inside callbacks: it is the end of the token at hand.
// - No error crosses C: it is parked in the state or in the sink, the callback answers 0, and YAJL stops.
// - A sink is told of nothing that breaks a limit.
// - What is rare goes to functions of its own (ParserCallbacks+Rare), so that the common way needs few registers.

import CYAJL

enum ParserCallbacks {
  static let table = yajl_callbacks(
    yajl_null: { context in
      guard let state = at(context) else { return 0 }
      guard beginValue(state) else { return 0 }
      mark(state, .value)
      return state.pointee.sink._withUnsafeGuaranteedRef { $0.null() } ? 1 : 0
    },
    yajl_boolean: { context, value in
      guard let state = at(context) else { return 0 }
      guard beginValue(state) else { return 0 }
      mark(state, .value)
      return state.pointee.sink._withUnsafeGuaranteedRef { $0.boolean(value != 0) } ? 1 : 0
    },
    yajl_integer: nil,
    yajl_double: nil,
    yajl_number: { context, text, count in
      guard let state = at(context), let text else { return 0 }
      let number = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
      guard isPlainValue(state, number, count, upTo: state.pointee.limits.numberBytes) else {
        return takeNumber(state, number, count)
      }
      state.pointee.top.pointee.index &+= 1
      mark(state, number, end: number + count)
      return state.pointee.sink._withUnsafeGuaranteedRef { $0.number(number, count) } ? 1 : 0
    },
    yajl_string: { context, text, count in
      guard let state = at(context), let text else { return 0 }
      guard isPlainValue(state, text, count, upTo: state.pointee.safeStringCount) else {
        return takeString(state, text, count)
      }
      state.pointee.top.pointee.index &+= 1
      mark(state, text, end: text + count + 1)
      return state.pointee.sink._withUnsafeGuaranteedRef { $0.string(text, count) } ? 1 : 0
    },
    yajl_start_map: { context in
      guard let state = at(context) else { return 0 }
      guard beginValue(state), open(state, isArray: false) else { return 0 }
      return state.pointee.sink._withUnsafeGuaranteedRef { $0.startObject() } ? 1 : 0
    },
    yajl_map_key: { context, text, count in
      guard let state = at(context), let text else { return 0 }
      guard state.pieceHolds(text), count <= state.pointee.safeKeyCount else {
        return takeKey(state, text, count)
      }
      let top = state.pointee.top
      top.pointee.key = text
      top.pointee.keyCount = count
      mark(state, text, end: text + count + 1)
      return state.pointee.sink._withUnsafeGuaranteedRef { $0.key(text, count) } ? 1 : 0
    },
    yajl_end_map: { context in
      guard let state = at(context) else { return 0 }
      beginClosing(state)
      let goesOn = state.pointee.sink._withUnsafeGuaranteedRef { $0.endObject() }
      state.pointee.top -= 1
      return goesOn ? 1 : 0
    },
    yajl_start_array: { context in
      guard let state = at(context) else { return 0 }
      guard beginValue(state), open(state, isArray: true) else { return 0 }
      return state.pointee.sink._withUnsafeGuaranteedRef { $0.startArray() } ? 1 : 0
    },
    yajl_end_array: { context in
      guard let state = at(context) else { return 0 }
      beginClosing(state)
      let goesOn = state.pointee.sink._withUnsafeGuaranteedRef { $0.endArray() }
      state.pointee.top -= 1
      return goesOn ? 1 : 0
    }
  )

  /// Tells whether a token lies in the piece, inside a container and within its limit, as nearly all do.
  @inline(__always)
  private static func isPlainValue(
    _ state: StatePointer, _ text: UnsafePointer<UInt8>, _ count: Int, upTo limit: Int
  ) -> Bool {
    state.pieceHolds(text) && count <= limit && state.pointee.top != state.pointee.levels
  }

  @inline(__always)
  private static func at(_ context: UnsafeMutableRawPointer?) -> StatePointer? {
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
  private static func open(_ state: StatePointer, isArray: Bool) -> Bool {
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
  private static func beginClosing(_ state: StatePointer) {
    mark(state, .value)
    let top = state.pointee.top
    top.pointee.key = nil
    top.pointee.index = -1
  }
}
