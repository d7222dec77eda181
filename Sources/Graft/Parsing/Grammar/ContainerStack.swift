// The containers that are open, and the path that leads through them.
//
// Raw memory: callbacks write to the innermost level at nearly every event, and an array would
// check bounds and uniqueness each time.
//
// Invariants
// - `first <= current <= last`, all in one block that the stack owns and `deallocate()` frees.
//   `first` is the level of the document itself, which has a value but is no container.
// - Levels above `current` are free, but keep their `storage` for the next key.
// - A level's `key` points into the current slice or into the level's own `storage`.

/// One level of nesting: an open container, and the progress in it.
@safe struct Level {
  /// The last key, if any; of an object only.
  var key: BorrowedBuffer<UInt8>? {
    @inline(__always) didSet { isRawKey = false }
  }
  /// The index of the last value, in arrays and objects alike; -1 before the first.
  var index = -1
  /// The beginning of the container; line 0 until the lines up to it have been counted.
  var start = SourceLocation(offset: 0, line: 0, column: 0)
  var isArray = false
  /// Whether the key is as the document has it, its escapes not decoded.
  private var isRawKey = false
  /// The level's own memory, for a key that is needed longer than the slice it was read from.
  private var storage: UnsafeMutablePointer<UInt8>?
  private var capacity = 0

  /// Sets a key that is not sent, with its escapes as they are in the document.
  @inline(__always)
  mutating func setRawKey(_ key: BorrowedBuffer<UInt8>) {
    self.key = key
    isRawKey = true
  }

  /// The key in a path.
  fileprivate var keyInPath: String? {
    guard let key else { return nil }
    let decoder = EscapeDecoder()
    return withExtendedLifetime(decoder) {
      String(decoding: isRawKey ? decoder.decode(key) : key, as: UTF8.self)
    }
  }

  /// Copies the key into the level's own memory, which is larger than ``InputSlice/keyPadding``.
  mutating func keepKey() {
    guard let key else { return }
    if capacity < max(key.count, 32) {
      deallocate()
      capacity = max(32, key.count)
      unsafe storage = .allocate(capacity: capacity)
      unsafe storage?.initialize(repeating: 0, count: capacity)
    }
    guard let storage = unsafe storage else { return }
    unsafe key.copy(to: storage)
    let isRaw = isRawKey
    self.key = unsafe BorrowedBuffer(start: storage, count: key.count)
    isRawKey = isRaw
  }

  fileprivate func deallocate() {
    unsafe storage?.deallocate()
  }
}

/// The address of a level.
typealias LevelAddress = StateBlock<Level>

/// The open containers, innermost on top.
@safe struct ContainerStack {
  private var first: UnsafeMutablePointer<Level>
  private var current: UnsafeMutablePointer<Level>
  private var last: UnsafeMutablePointer<Level>
  private let depthLimit: Int

  init(depthLimit: Int) {
    self.depthLimit = depthLimit
    let capacity = min(depthLimit, 15) + 1
    unsafe first = .allocate(capacity: capacity)
    unsafe first.initialize(repeating: Level(), count: capacity)
    unsafe current = first
    unsafe last = first + (capacity - 1)
  }

  @unsafe func deallocate() {
    for index in unsafe 0...last - first { unsafe first[index].deallocate() }
    unsafe first.deallocate()
  }

  /// The level of the document itself.
  var document: Level { unsafe first.pointee }

  /// The innermost level.
  @inline(__always)
  var top: Level {
    unsafeAddress { unsafe UnsafePointer(current) }
    nonmutating unsafeMutableAddress { unsafe current }
  }

  /// The address of the innermost level, valid until a container is opened or closed.
  @inline(__always)
  var topAddress: LevelAddress { unsafe LevelAddress(address: current) }

  /// The number of open containers.
  var depth: Int { unsafe current - first }

  @inline(__always)
  var isEmpty: Bool { unsafe current == first }

  /// Returns a container that is open; depth 1 is the outermost.
  func level(at depth: Int) -> Level {
    guard depth >= 1, depth <= self.depth else { misuse("no container is open at depth \(depth)") }
    return unsafe first[depth]
  }

  /// Opens a container; false if that would be deeper than the limit.
  @inline(__always)
  mutating func push(isArray: Bool, at offset: Int) -> Bool {
    if unsafe current == last, !grow() { return false }
    unsafe current += 1
    top.key = nil
    top.index = -1
    top.start.offset = offset
    top.start.line = 0
    top.isArray = isArray
    return true
  }

  /// Closes the innermost container.
  @inline(__always)
  mutating func pop() {
    unsafe current -= 1
  }

  @inline(never)
  private mutating func grow() -> Bool {
    let count = unsafe last - first + 1
    guard count <= depthLimit else { return false }
    let capacity = min(count * 2, depthLimit + 1)
    let grown = UnsafeMutablePointer<Level>.allocate(capacity: capacity)
    unsafe grown.moveInitialize(from: first, count: count)
    unsafe (grown + count).initialize(repeating: Level(), count: capacity - count)
    unsafe first.deallocate()
    unsafe current = grown + (count - 1)
    unsafe first = grown
    unsafe last = grown + (capacity - 1)
    return true
  }

  /// The level that holds the current value.
  ///
  /// If the value is a container that starts or ends, and so has a level of its own, this is the
  /// level around it.
  var aroundCurrentValue: Level {
    let isContainer = top.key == nil && top.index < 0
    return isContainer && !isEmpty ? unsafe (current - 1).pointee : top
  }

  /// Saves the parts of a slice that are needed later: the keys and the lines of containers still
  /// open.
  ///
  /// A container that was open when the slice began, and whose level was never the innermost since,
  /// has not changed. So only the containers that the slice opened, and one more, are looked at.
  func leave(_ slice: InputSlice, lines: inout LineTracker) {
    var depth = depth
    while depth > 0 {
      let level = unsafe first + depth
      if let key = unsafe level.pointee.key, slice.contains(key) { unsafe level.pointee.keepKey() }
      guard unsafe level.pointee.start.offset >= slice.start else { break }
      depth -= 1
    }
    // Outermost first, so that lines are counted through the slice once.
    while depth < self.depth {
      depth += 1
      let level = unsafe first + depth
      unsafe level.pointee.start = lines.location(of: level.pointee.start.offset, in: slice)
    }
  }
}

// MARK: - Paths

extension ContainerStack {
  /// The path of the last value, or of the value that follows the last key.
  var path: String { path(throughLevels: depth) }

  /// Returns the path of an open container; depth 1 is the outermost.
  func path(ofContainerAt depth: Int) -> String { path(throughLevels: depth - 1) }

  /// The path of the value that comes next in the innermost container, an array.
  var pathOfNextElement: String {
    var writer = PathWriter(text: path(ofContainerAt: depth))
    writer.append(index: top.index + 1)
    return writer.text
  }

  /// Returns the path that an error has where something is expected and not found.
  func path(of expectation: Expectation) -> String {
    switch expectation {
    case .document, .nextDocument, .endOfDocument: "$"
    case .colon, .memberValue: path
    case .firstKey, .nextKey, .commaInArray, .commaInObject: path(ofContainerAt: depth)
    case .firstElement, .element: pathOfNextElement
    }
  }

  @inline(never)
  private func path(throughLevels count: Int) -> String {
    var writer = PathWriter()
    for level in stride(from: 1, through: count, by: 1) { writer.append(self.level(at: level)) }
    return writer.text
  }
}

/// Writes the path of a value as RFC 9535 does: `$.heroes[3].born`, and `$['a b']` where a name
/// needs quotes.
struct PathWriter {
  var text = "$"

  fileprivate mutating func append(_ level: Level) {
    if level.isArray {
      if level.index >= 0 { append(index: level.index) }
    } else if let key = level.keyInPath {
      append(name: key)
    }
  }

  mutating func append(index: Int) {
    text += "[\(index)]"
  }

  mutating func append(name: BorrowedBuffer<UInt8>) {
    append(name: String(decoding: name, as: UTF8.self))
  }

  fileprivate mutating func append(name: String) {
    if name.isPathShorthand {
      text += ".\(name)"
    } else {
      text += "['"
      for scalar in name.unicodeScalars { append(escaping: scalar) }
      text += "']"
    }
  }

  private mutating func append(escaping scalar: Unicode.Scalar) {
    switch scalar {
    case "'": text += "\\'"
    case "\\": text += "\\\\"
    case "\u{8}": text += "\\b"
    case "\u{9}": text += "\\t"
    case "\u{A}": text += "\\n"
    case "\u{C}": text += "\\f"
    case "\u{D}": text += "\\r"
    case "\0"..."\u{1F}":
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: text.unicodeScalars.append(scalar)
    }
  }
}

extension String {
  /// Whether the name may follow a dot: RFC 9535's `member-name-shorthand`.
  fileprivate var isPathShorthand: Bool {
    guard let first = unicodeScalars.first, !("0"..."9").contains(first) else { return false }
    return unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_": true
      default: scalar.value >= 0x80
      }
    }
  }
}
