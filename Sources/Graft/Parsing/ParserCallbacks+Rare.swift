// The ways of the few: tokens that YAJL copied because they have escapes or come first in their
// piece, scalars that are a document of their own, tokens that may be too long.

extension ParserCallbacks {
  @inline(never)
  static func takeNumber(
    _ state: StatePointer, _ text: UnsafePointer<UInt8>, _ count: Int
  ) -> Int32 {
    guard beginValue(state) else { return 0 }
    if state.pieceHolds(text) {
      mark(state, text, end: text + count)
    } else {
      mark(state, .value)
    }
    guard count <= state.pointee.limits.numberBytes else { return state.refuseToken(.number) }
    return state.pointee.sink._withUnsafeGuaranteedRef { $0.number(text, count) } ? 1 : 0
  }

  @inline(never)
  static func takeString(
    _ state: StatePointer, _ text: UnsafePointer<UInt8>, _ count: Int
  ) -> Int32 {
    guard beginValue(state) else { return 0 }
    if state.pieceHolds(text) {
      mark(state, text, end: text + count + 1)
    } else {
      mark(state, .value)
    }
    if count > state.pointee.safeStringCount, state.isTooLong(.string) {
      return state.refuseToken(.string)
    }
    return state.pointee.sink._withUnsafeGuaranteedRef { $0.string(text, count) } ? 1 : 0
  }

  @inline(never)
  static func takeKey(
    _ state: StatePointer, _ text: UnsafePointer<UInt8>, _ count: Int
  ) -> Int32 {
    let top = state.pointee.top
    top.pointee.key = text
    top.pointee.keyCount = count
    mark(state, .key)
    // The level's own memory is larger than what may be read at a key.
    top.keepKey()
    guard let key = top.pointee.key else { return 0 }
    if count > state.pointee.safeKeyCount, state.isTooLong(.key) {
      return state.refuseToken(.key)
    }
    return state.pointee.sink._withUnsafeGuaranteedRef { $0.key(key, count) } ? 1 : 0
  }
}
