// The bridge from C: the functions that YAJL calls, one for each kind of token.
//
// A C function cannot be generic, but it can call a generic one. So the work is in
// `YAJLTrampoline<Sink>`, and each class of sinks has a table of nine C functions that name its own
// class. A final class is then called directly, and its methods are inlined into the callback, and not
// called through the class's method table (docs/decisions/0001-one-sink-class.md).
//
// Raw memory. Invariants
// - The tables are `static let`s of nonisolated types. In closures written where an actor is in
//   force the compiler checks the executor at each call, at half the speed.
// - The context of every callback is the engine's StatePointer. The sink is called unretained: the
//   engine holds it.
// - Inside a callback `yajl_get_bytes_consumed` is exact: it is the end of the current token.
// - No error crosses C: it is left in the state or in the sink, the callback returns 0, and
//   YAJL stops.
// - The sink receives no token that breaks a limit.
// - Rare cases have functions of their own at the end of this file, so that the common path needs
//   few registers.

#if canImport(CYAJL)

import CYAJL

/// The C functions that send YAJL's events to sinks of one class.
@safe struct YAJLCallbacks: Sendable {
  typealias Context = UnsafeMutableRawPointer
  typealias Plain = @convention(c) (Context?) -> Int32
  typealias Bytes = @convention(c) (Context?, UnsafePointer<UInt8>?, Int) -> Int32

  let null: Plain
  let boolean: @convention(c) (Context?, Int32) -> Int32
  let number: @convention(c) (Context?, UnsafePointer<CChar>?, Int) -> Int32
  let string: Bytes
  let startObject: Plain
  let key: Bytes
  let endObject: Plain
  let startArray: Plain
  let endArray: Plain

  /// The functions in YAJL's own table.
  var table: yajl_callbacks {
    unsafe yajl_callbacks(
      yajl_null: null, yajl_boolean: boolean, yajl_integer: nil, yajl_double: nil,
      yajl_number: number, yajl_string: string, yajl_start_map: startObject, yajl_map_key: key,
      yajl_end_map: endObject, yajl_start_array: startArray, yajl_end_array: endArray)
  }

  /// The functions for a sink of any class.
  static let anySink = unsafe YAJLCallbacks(
    null: { unsafe YAJLTrampoline<EventSink>.null($0) },
    boolean: { unsafe YAJLTrampoline<EventSink>.boolean($0, $1) },
    number: { unsafe YAJLTrampoline<EventSink>.number($0, $1, $2) },
    string: { unsafe YAJLTrampoline<EventSink>.string($0, $1, $2) },
    startObject: { unsafe YAJLTrampoline<EventSink>.startObject($0) },
    key: { unsafe YAJLTrampoline<EventSink>.key($0, $1, $2) },
    endObject: { unsafe YAJLTrampoline<EventSink>.endObject($0) },
    startArray: { unsafe YAJLTrampoline<EventSink>.startArray($0) },
    endArray: { unsafe YAJLTrampoline<EventSink>.endArray($0) })
}

/// Implements the callbacks: each updates the state, then calls a sink of the given class.
enum YAJLTrampoline<Sink: EventSink> {
  typealias Context = YAJLCallbacks.Context

  @inline(__always)
  static func null(_ context: Context?) -> Int32 {
    guard let state = unsafe StatePointer(context: context), state.beginValue() else { return 0 }
    state.note(.value)
    return send(state) { $0.null() }
  }

  @inline(__always)
  static func boolean(_ context: Context?, _ value: Int32) -> Int32 {
    guard let state = unsafe StatePointer(context: context), state.beginValue() else { return 0 }
    state.note(.value)
    return send(state) { $0.boolean(value != 0) }
  }

  @inline(__always)
  static func number(_ context: Context?, _ bytes: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
    guard let state = unsafe StatePointer(context: context), let bytes = unsafe bytes else {
      return 0
    }
    let start = unsafe UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self)
    let number = unsafe BorrowedBuffer(start: start, count: count)
    guard state.isCommonValue(number, limit: state.pointee.limits.numberBytes) else {
      return state.slowNumber(number)
    }
    state.pointee.containers.top.index &+= 1
    state.noteToken(number, quotes: 0)
    return send(state) { $0.number(number) }
  }

  @inline(__always)
  static func string(_ context: Context?, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let state = unsafe StatePointer(context: context), let bytes = unsafe bytes else {
      return 0
    }
    let string = unsafe BorrowedBuffer(start: bytes, count: count)
    guard state.isCommonValue(string, limit: state.pointee.safeStringCount) else {
      return state.slowString(string)
    }
    state.pointee.containers.top.index &+= 1
    state.noteToken(string, quotes: 1)
    return send(state) { $0.string(string) }
  }

  @inline(__always)
  static func key(_ context: Context?, _ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let state = unsafe StatePointer(context: context), let bytes = unsafe bytes else {
      return 0
    }
    let key = unsafe BorrowedBuffer(start: bytes, count: count)
    guard state.pointee.slice.containsKey(key), count <= state.pointee.safeKeyCount else {
      return state.slowKey(key)
    }
    state.pointee.containers.top.key = key
    state.noteToken(key, quotes: 1)
    return send(state) { $0.key(key) }
  }

  @inline(__always)
  static func startObject(_ context: Context?) -> Int32 {
    guard let state = unsafe StatePointer(context: context), state.beginContainer(isArray: false)
    else { return 0 }
    return send(state) { $0.startObject() }
  }

  @inline(__always)
  static func startArray(_ context: Context?) -> Int32 {
    guard let state = unsafe StatePointer(context: context), state.beginContainer(isArray: true)
    else { return 0 }
    return send(state) { $0.startArray() }
  }

  @inline(__always)
  static func endObject(_ context: Context?) -> Int32 {
    guard let state = unsafe StatePointer(context: context) else { return 0 }
    state.beginEnd()
    let goesOn = send(state) { $0.endObject() }
    state.pointee.containers.pop()
    return goesOn
  }

  @inline(__always)
  static func endArray(_ context: Context?) -> Int32 {
    guard let state = unsafe StatePointer(context: context) else { return 0 }
    state.beginEnd()
    let goesOn = send(state) { $0.endArray() }
    state.pointee.containers.pop()
    return goesOn
  }

  @inline(__always)
  private static func send(_ state: StatePointer, _ event: (Sink) -> Bool) -> Int32 {
    let sink = unsafe Unmanaged<Sink>.fromOpaque(state.pointee.sink.toOpaque())
    return unsafe sink._withUnsafeGuaranteedRef(event) ? 1 : 0
  }
}

// MARK: - Bookkeeping for each event, the same for all sinks

extension StatePointer {
  /// Returns whether a string or number is inside a container, inside the slice, and within its
  /// limit.
  ///
  /// Nearly all are.
  @inline(__always)
  fileprivate func isCommonValue(_ token: BorrowedBuffer<UInt8>, limit: Int) -> Bool {
    pointee.slice.contains(token) && token.count <= limit && !pointee.containers.isEmpty
  }

  /// Notes a string, key or number that lies in the slice.
  @inline(__always)
  fileprivate func noteToken(_ token: BorrowedBuffer<UInt8>, quotes: Int) {
    pointee.event.token = token.address
    pointee.event.tokenEnd = token.address &+ token.count &+ quotes
  }

  /// Notes a token by the offset of its end.
  @inline(__always)
  fileprivate func note(_ kind: LastEvent.Kind) {
    pointee.event.endOffset = bytesConsumed
    pointee.event.kind = kind
  }

  /// Counts the value in its container.
  @inline(__always)
  fileprivate func beginValue() -> Bool {
    if pointee.containers.isEmpty, !beginDocument() { return false }
    pointee.containers.top.index &+= 1
    return true
  }

  @inline(__always)
  fileprivate func beginContainer(isArray: Bool) -> Bool {
    guard beginValue() else { return false }
    note(.opening)
    guard pointee.containers.push(isArray: isArray, at: pointee.event.endOffset &- 1) else {
      return refuseDepth()
    }
    return true
  }

  /// Makes the innermost container, which ends, the current value.
  @inline(__always)
  fileprivate func beginEnd() {
    note(.value)
    pointee.containers.top.key = nil
    pointee.containers.top.index = -1
  }
}

// MARK: - Slow path: escaped tokens, top-level values, tokens that may be too long

extension StatePointer {
  @inline(never)
  fileprivate func slowNumber(_ number: BorrowedBuffer<UInt8>) -> Int32 {
    guard beginValue() else { return 0 }
    if pointee.slice.contains(number) {
      noteToken(number, quotes: 0)
    } else {
      note(.value)
    }
    guard number.count <= pointee.limits.numberBytes else { return refuseToken(.number) }
    return send { $0.number(number) }
  }

  @inline(never)
  fileprivate func slowString(_ string: BorrowedBuffer<UInt8>) -> Int32 {
    guard beginValue() else { return 0 }
    if pointee.slice.contains(string) {
      noteToken(string, quotes: 1)
    } else {
      note(.value)
    }
    if string.count > pointee.safeStringCount, isTooLong(.string) { return refuseToken(.string) }
    return send { $0.string(string) }
  }

  /// Takes a key that is outside the slice, or so near its end that the padding is missing, and
  /// copies it into the level's own memory.
  @inline(never)
  fileprivate func slowKey(_ key: BorrowedBuffer<UInt8>) -> Int32 {
    pointee.containers.top.key = key
    note(.key)
    pointee.containers.top.keepKey()
    guard let key = pointee.containers.top.key else { return 0 }
    if key.count > pointee.safeKeyCount, isTooLong(.key) { return refuseToken(.key) }
    return send { $0.key(key) }
  }

  /// Returns whether a value that begins a document is separated from the document before it.
  @inline(never)
  private func beginDocument() -> Bool {
    guard pointee.containers.document.index >= 0,
      let next = pointee.slice.byte(at: eventEnd), !next.isJSONSpace,
      !(pointee.documentsMayTouch && next.mayTouchDocument)
    else { return true }
    pointee.failure = diagnosis().violation(of: .nextDocument, at: eventEnd)
    return false
  }

  @inline(never)
  private func refuseDepth() -> Bool {
    pointee.failure = diagnosis().tooDeep(at: tokenLocation)
    return false
  }

  private func send(_ event: (EventSink) -> Bool) -> Int32 {
    unsafe pointee.sink._withUnsafeGuaranteedRef(event) ? 1 : 0
  }

  private func refuseToken(_ kind: PendingToken.Kind) -> Int32 {
    let containers = pointee.containers
    pointee.failure = diagnosis().overlong(
      PendingToken(kind: kind, location: tokenLocation),
      path: kind == .key ? containers.path(ofContainerAt: containers.depth) : containers.path)
    return 0
  }
}

#endif
