/// The punctuation of a document: commas, line breaks and what is open.
struct JSONWriter: ~Copyable {
  var buffer: OutputBuffer
  let isPretty: Bool
  private var needsComma = false
  private var level = 0
  /// Objects that are opened when something stands in them, and else not at all.
  private var waiting: [UnsafePointer<ExportStep>] = []

  init(to consume: @escaping (RawSpan) throws -> Void, isPretty: Bool) {
    buffer = OutputBuffer(to: consume)
    self.isPretty = isPretty
  }

  /// Writes what stands before a value: the comma after the one before, and its key.
  @inline(__always)
  mutating func begin(_ step: UnsafePointer<ExportStep>) throws {
    if !waiting.isEmpty { try openWaiting() }
    try buffer.reserve(Int(step.pointee.keyCount) &+ 1)
    if needsComma { buffer.put(0x2C) }
    if isPretty { try breakLine(before: Int(step.pointee.keyCount)) }
    buffer.put(step.pointee.key, Int(step.pointee.keyCount))
    needsComma = true
  }

  /// Writes what stands before an element of an array.
  @inline(__always)
  mutating func beginElement() throws {
    try buffer.reserve(1)
    if needsComma { buffer.put(0x2C) }
    if isPretty, level > 0 { try breakLine(before: 0) }
    needsComma = true
  }

  /// Writes what stands before a member whose name comes next.
  mutating func beginMember(named name: [UInt8]) throws {
    try beginElement()
    try buffer.append(name)
    try endName()
  }

  /// Writes what stands behind a member's name.
  mutating func endName() throws {
    try buffer.append(isPretty ? ": " : ":")
  }

  /// Opens an object or array, where a value is due.
  mutating func open(_ bracket: UInt8) throws {
    try buffer.reserve(1)
    buffer.put(bracket)
    needsComma = false
    level &+= 1
  }

  /// Closes an object or array.
  mutating func close(_ bracket: UInt8) throws {
    level &-= 1
    if isPretty, needsComma { try breakLine(before: 0) }
    try buffer.reserve(1)
    buffer.put(bracket)
    needsComma = true
  }

  /// Opens a member that is an object, as soon as something stands in it.
  mutating func openLater(_ step: UnsafePointer<ExportStep>) { waiting.append(step) }

  /// Closes an object that `openLater` was to open.
  mutating func closeIfOpen() throws {
    if waiting.isEmpty { try close(0x7D) } else { waiting.removeLast() }
  }

  /// Ends a line between values.
  mutating func endLine() throws {
    try buffer.append("\n")
    needsComma = false
  }

  @inline(never)
  private mutating func openWaiting() throws {
    let steps = waiting
    waiting = []
    for step in steps {
      try begin(step)
      try open(0x7B)
    }
  }

  @inline(never)
  private mutating func breakLine(before keyCount: Int) throws {
    let width = level &* 2 &+ 1
    try buffer.append(atMost: width &+ keyCount) { start in
      start.update(repeating: 0x20, count: width)
      start.pointee = 0x0A
      return width
    }
  }
}
