// The bytes of an export on their way to whoever takes them.
//
// A writer of our own, and not YAJL's generator: the generator wants a call for each token, keys
// included, escapes byte by byte into a buffer of its own that has to be copied out, and knows
// numbers only as `long long` and `double`. In plain C it writes tweets at some 200 MB/s; this
// buffer takes keys as ready bytes, looks at eight bytes of a text at once, and writes the
// digits that the store keeps.
//
// Raw memory: `base` has room for `capacity` bytes, of which the first `count` are written; it is
// the buffer's alone, which cannot be copied, and freed with it. Every `put` writes behind `count`
// and demands that room has been reserved; `reserve` makes it, by handing over what is there. The
// consumer sees the bytes only while it runs.

/// Bytes that are handed over in chunks.
struct OutputBuffer: ~Copyable {
  static let chunkSize = 65_536

  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var count = 0
  private let consume: (RawSpan) throws -> Void

  /// Creates an empty buffer.
  ///
  /// - Parameter consume: Takes the chunks.
  init(to consume: @escaping (RawSpan) throws -> Void) {
    self.consume = consume
    capacity = Self.chunkSize
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  /// Makes room for so many bytes.
  @inline(__always)
  mutating func reserve(_ byteCount: Int) throws {
    if count &+ byteCount > capacity { try makeRoom(byteCount) }
  }

  @inline(never)
  private mutating func makeRoom(_ byteCount: Int) throws {
    try flush()
    guard byteCount > capacity else { return }
    base.deallocate()
    capacity = byteCount
    base = .allocate(capacity: capacity)
  }

  /// Hands over what is there.
  mutating func flush() throws {
    guard count > 0 else { return }
    let bytes = UnsafeRawBufferPointer(start: base, count: count)
    count = 0
    try consume(bytes.bytes)
  }

  /// Writes a byte for which there is room.
  @inline(__always)
  mutating func put(_ byte: UInt8) {
    base[count] = byte
    count &+= 1
  }

  /// Writes the first bytes of eight for which there is room.
  @inline(__always)
  mutating func put(_ word: UInt64, _ byteCount: Int) {
    UnsafeMutableRawPointer(base + count).storeBytes(of: word, as: UInt64.self)
    count &+= byteCount
  }

  /// Writes bytes for which there is room.
  @inline(__always)
  mutating func put(_ bytes: UnsafePointer<UInt8>, _ byteCount: Int) {
    (base + count).update(from: bytes, count: byteCount)
    count &+= byteCount
  }

  /// Writes bytes, however many.
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    var rest = bytes
    while rest.count > Self.chunkSize {
      try append(UnsafeBufferPointer(rebasing: rest[..<Self.chunkSize]))
      rest = UnsafeBufferPointer(rebasing: rest[Self.chunkSize...])
    }
    guard let start = rest.baseAddress else { return }
    try reserve(rest.count)
    put(start, rest.count)
  }

  /// Writes bytes, however many.
  mutating func append(_ bytes: [UInt8]) throws {
    let span = bytes.span
    try span.withUnsafeBufferPointer { try append($0) }
  }

  /// Writes a text that stands in the program.
  mutating func append(_ text: StaticString) throws {
    try append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Writes what `body` does at an address with room for so many bytes; it returns how many it
  /// wrote.
  @inline(__always)
  mutating func append(
    atMost byteCount: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int
  ) throws {
    try reserve(byteCount)
    count &+= body(base + count)
  }
}
