// A Transformable attribute without transformer keeps the JSON text of its value. While such a value
// is read, the events are written again, without white space; since the text of an inner value is a
// part of the outer's, one text serves all captures that are open at a time.

/// Writes the objects and arrays that attributes keep as JSON.
struct JSONCapture {
  /// An attribute whose value is being written.
  struct Capture {
    var number: Int32
    var property: Int32
    var rank: UInt8
    var requiredBit: UInt64
    /// The index of the parser whose object has the attribute.
    var parser: Int32
    var start: Int
    /// The containers open in the text before the value began.
    var depth: Int
  }

  private(set) var text: [UInt8] = []
  private(set) var captures: [Capture] = []
  private var depth = 0

  /// Begins to capture a container that has just started.
  mutating func begin(isArray: Bool, action: StartAction, parser: Int32) {
    let isFirst = captures.isEmpty
    // A capture that is open already has written the container's bracket.
    if isFirst { start(isArray: isArray) }
    captures.append(
      Capture(
        number: action.number, property: action.property, rank: action.rank,
        requiredBit: action.requiredBit, parser: parser,
        start: text.count - 1, depth: depth - 1))
  }

  /// The captures whose values have ended.
  mutating func takeFinished() -> [Capture] {
    let finished = captures.filter { $0.depth == depth }
    captures.removeAll { $0.depth == depth }
    return finished
  }

  /// Forgets the text when nothing is captured any more.
  mutating func reset() {
    text.removeAll(keepingCapacity: text.capacity <= 1 << 16)
    depth = 0
  }

  mutating func key(_ key: UnsafePointer<UInt8>, _ count: Int) {
    separate()
    JSONLiteral.appendString(UnsafeBufferPointer(start: key, count: count), to: &text)
    text.append(0x3A)
  }

  mutating func scalar(_ scalar: ScalarEvent) {
    separate()
    JSONLiteral.append(scalar, to: &text)
  }

  mutating func start(isArray: Bool) {
    separate()
    text.append(isArray ? 0x5B : 0x7B)
    depth += 1
  }

  mutating func end(isArray: Bool) {
    text.append(isArray ? 0x5D : 0x7D)
    depth -= 1
  }

  private mutating func separate() {
    guard let last = text.last, last != 0x5B, last != 0x7B, last != 0x3A else { return }
    text.append(0x2C)
  }
}
