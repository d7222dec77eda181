// YAJL's callbacks.
//
// Invariants
// - The table is a `static let` of a nonisolated type. Closures written where an actor is in force would check their
//   executor at each call, at half the speed.
// - The context is the parser's StatePointer. The sink is called unretained: the parser holds it.
// - YAJL's `yajl_get_bytes_consumed` is exact inside callbacks: it is the end of the token at hand.
// - No error crosses C: it is parked in the state or in the sink, the callback answers 0, and YAJL stops.
// - A sink is told of nothing that breaks a limit.

import CYAJL

enum ParserCallbacks {
  static let table = yajl_callbacks(
    yajl_null: { context in
      guard let state = at(context) else { return 0 }
      guard beginValue(state) else { return 0 }
      return state.pointee.sink._withUnsafeGuaranteedRef { $0.null() } ? 1 : 0
    },
    yajl_boolean: { context, value in
      guard let state = at(context) else { return 0 }
      guard beginValue(state) else { return 0 }
      return state.pointee.sink._withUnsafeGuaranteedRef { $0.boolean(value != 0) } ? 1 : 0
    },
    yajl_integer: nil,
    yajl_double: nil,
    yajl_number: { context, text, count in
      guard let state = at(context), let text else { return 0 }
      guard beginValue(state) else { return 0 }
      guard count <= state.pointee.limits.numberBytes else { return state.refuseToken(.number) }
      return text.withMemoryRebound(to: UInt8.self, capacity: count) { text in
        state.pointee.sink._withUnsafeGuaranteedRef { $0.number(text, count) } ? 1 : 0
      }
    },
    yajl_string: { context, text, count in
      guard let state = at(context), let text else { return 0 }
      guard beginValue(state) else { return 0 }
      if count > state.pointee.safeStringCount, state.isTooLong(.string) {
        return state.refuseToken(.string)
      }
      return state.pointee.sink._withUnsafeGuaranteedRef { $0.string(text, count) } ? 1 : 0
    },
    yajl_start_map: { context in
      guard let state = at(context) else { return 0 }
      guard beginValue(state), open(state, isArray: false) else { return 0 }
      return state.pointee.sink._withUnsafeGuaranteedRef { $0.startObject() } ? 1 : 0
    },
    yajl_map_key: { context, text, count in
      guard let state = at(context), let text else { return 0 }
      advance(state, to: .key)
      let top = state.pointee.top
      top.pointee.key = text
      top.pointee.keyCount = count
      if !state.pieceHolds(text) { top.keepKey() }
      if count > state.pointee.safeKeyCount, state.isTooLong(.key) {
        return state.refuseToken(.key)
      }
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

  @inline(__always)
  private static func at(_ context: UnsafeMutableRawPointer?) -> StatePointer? {
    context?.assumingMemoryBound(to: ParserState.self)
  }

  /// Notes where the token of this event ends.
  @inline(__always)
  private static func advance(_ state: StatePointer, to event: LastEvent) {
    state.pointee.previousEnd = state.pointee.eventEnd
    state.pointee.eventEnd =
      state.pointee.pieceBase &+ yajl_get_bytes_consumed(state.pointee.handle)
    state.pointee.lastEvent = event
  }

  /// Counts the value in its container.
  @inline(__always)
  private static func beginValue(_ state: StatePointer) -> Bool {
    advance(state, to: .value)
    let top = state.pointee.top
    top.pointee.index &+= 1
    return top != state.pointee.levels || state.beginDocument()
  }

  @inline(__always)
  private static func open(_ state: StatePointer, isArray: Bool) -> Bool {
    if state.pointee.top == state.pointee.lastLevel, !state.growLevels() {
      return state.refuseDepth()
    }
    state.pointee.lastEvent = .opening
    state.pointee.top += 1
    let top = state.pointee.top
    top.pointee.key = nil
    top.pointee.index = -1
    top.pointee.start = state.pointee.eventEnd &- 1
    top.pointee.line = 0
    top.pointee.isArray = isArray
    return true
  }

  /// Makes the container that closes the value at hand.
  @inline(__always)
  private static func beginClosing(_ state: StatePointer) {
    advance(state, to: .value)
    let top = state.pointee.top
    top.pointee.key = nil
    top.pointee.index = -1
  }
}
