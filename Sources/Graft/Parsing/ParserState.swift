// The state that YAJL's callbacks touch, in one block of raw memory.
//
// Why raw memory: the callbacks run some thirty million times a second. As properties of a class,
// this state would pay for exclusivity checks and reference counts at each of them, which was
// measured at a third of the whole time.
//
// Invariants
// - The block is allocated and freed by EventParser, which outlives every callback; one thread at a
//   time uses it.
// - It is reached through its pointer, field by field, never by a `mutating` method that spans a
//   call of the sink: the sink calls back into services that read it.
// - `levels[0]` stands for the document itself; `top` is the innermost open
//   container. `top <= lastLevel`, the last one allocated. Levels above `top` are
//   free, but keep their `storage`.
// - `piece` holds the bytes that YAJL reads at present; `pieceBase` is their offset in the
//   document. Between pieces the piece is empty and `pieceBase` is the number of bytes fed.
// - A level's `key` points into the piece or into the level's own `storage`, never
//   into YAJL's buffers.
// - The last event is marked in one of two ways, whichever is cheaper, and the later mark counts
//   (`eventEnd`). A string, key or number that YAJL hands over inside the piece leaves two
//   pointers, `text` and `textEnd`. All else leaves its offset in `markEnd`, which takes a call of
//   YAJL. A hundred thousand numbers cost two stores each, no call.

import CYAJL

/// A container that is open: where it began, and how far it has come.
struct Level {
  /// The last key, if any; of an object only.
  var key: UnsafePointer<UInt8>?
  var keyCount = 0
  /// The position of the last value, of arrays and objects alike; -1 before the first.
  var index = -1
  /// The offset of the opening bracket.
  var start = 0
  /// The line of the opening bracket; 0 while it lies in the present piece and nobody has asked.
  var line = 0
  /// The offset at which that line begins.
  var lineStart = 0
  var isArray = false
  /// The level's own memory for a key that outlives its piece.
  var storage: UnsafeMutablePointer<UInt8>?
  var storageCapacity = 0
}

/// What the last event was, as far as the grammar of what may follow is concerned.
enum LastEvent: UInt8 {
  case nothing
  case opening
  case key
  case value
}

/// The line of a place in a piece.
struct KnownLine {
  /// The offset of the piece.
  var base = -1
  /// How much of it has been counted.
  var count = 0
  var line = 1
  var lineStart = 0
}

struct ParserState {
  var handle: yajl_handle?
  var sink: Unmanaged<EventSink>

  var piece: UnsafePointer<UInt8>
  var pieceCount = 0
  var pieceBase = 0

  /// The last string, key or number that lies in the piece, without quotes.
  var text: UnsafePointer<UInt8>?
  /// Where its token ends, the closing quote included.
  var textEnd: UnsafePointer<UInt8>?
  /// Where the token of the last other event ends.
  var markEnd = 0
  var mark = LastEvent.nothing

  var levels: UnsafeMutablePointer<Level>
  var top: UnsafeMutablePointer<Level>
  var lastLevel: UnsafeMutablePointer<Level>

  let isStream: Bool
  let limits: ParserLimits
  /// Decoded sizes up to these are within the limits however they were escaped: an escape is at
  /// most six times as long as what it stands for.
  let safeStringCount: Int
  let safeKeyCount: Int

  /// The line at the beginning of the piece, and the offset at which that line begins.
  var line = 1
  var lineStart = 0
  /// The last line that somebody asked for.
  var known = KnownLine()
  /// The stretch since the last event, as it was at the end of the piece before.
  var gap = Gap()
  /// The parser's own reason to stop, found inside a callback.
  var failure: ParsingError?

  init(sink: Unmanaged<EventSink>, options: ParserOptions, nowhere: UnsafePointer<UInt8>) {
    let limits = options.limits.clamped
    self.sink = sink
    self.limits = limits
    isStream = options.format == .ndjson
    safeStringCount = limits.tokenBytes / 6
    safeKeyCount = limits.keyBytes / 6
    piece = nowhere
    let capacity = min(limits.depth, 15) + 1
    levels = .allocate(capacity: capacity)
    levels.initialize(repeating: Level(), count: capacity)
    top = levels
    lastLevel = levels + (capacity - 1)
  }
}

typealias StatePointer = UnsafeMutablePointer<ParserState>

extension StatePointer {
  var depth: Int { pointee.top - pointee.levels }

  /// Makes room for more levels; false at the limit of depth.
  func growLevels() -> Bool {
    let count = pointee.lastLevel - pointee.levels + 1
    guard count <= pointee.limits.depth else { return false }
    let capacity = min(count * 2, pointee.limits.depth + 1)
    let depth = depth
    let grown = UnsafeMutablePointer<Level>.allocate(capacity: capacity)
    grown.moveInitialize(from: pointee.levels, count: count)
    (grown + count).initialize(repeating: Level(), count: capacity - count)
    pointee.levels.deallocate()
    pointee.levels = grown
    pointee.top = grown + depth
    pointee.lastLevel = grown + (capacity - 1)
    return true
  }

  /// Frees what the state owns, not the block itself.
  func freeLevels() {
    let count = pointee.lastLevel - pointee.levels + 1
    for index in 0..<count {
      pointee.levels[index].storage?.deallocate()
    }
    pointee.levels.deallocate()
  }

  /// Where the token of the last event ends.
  var eventEnd: Int {
    guard let end = pointee.textEnd else { return pointee.markEnd }
    return Swift.max(pointee.markEnd, pointee.pieceBase + (end - pointee.piece))
  }

  /// What the last event was.
  var lastEvent: LastEvent {
    guard pointee.textEnd != nil, eventEnd > pointee.markEnd else { return pointee.mark }
    return pointee.top.pointee.key == pointee.text ? .key : .value
  }

  /// Tells whether memory lies within the piece.
  @inline(__always)
  func pieceHolds(_ text: UnsafePointer<UInt8>) -> Bool {
    UInt(bitPattern: text) &- UInt(bitPattern: pointee.piece) < UInt(bitPattern: pointee.pieceCount)
  }

  /// Tells whether memory lies within the piece with all that may be read at a key.
  @inline(__always)
  func pieceHoldsKey(_ text: UnsafePointer<UInt8>) -> Bool {
    let index = Int(bitPattern: text) &- Int(bitPattern: pointee.piece)
    return index >= 0 && index <= pointee.pieceCount &- EventSink.keyPadding
  }
}

extension UnsafeMutablePointer<Level> {
  /// Copies the level's key into memory of its own.
  func keepKey() {
    guard let key = pointee.key else { return }
    if pointee.storage == nil || pointee.storageCapacity < pointee.keyCount {
      pointee.storage?.deallocate()
      pointee.storageCapacity = max(32, pointee.keyCount)
      pointee.storage = .allocate(capacity: pointee.storageCapacity)
    }
    pointee.storage?.update(from: key, count: pointee.keyCount)
    pointee.key = UnsafePointer(pointee.storage)
  }
}
