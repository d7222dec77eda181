// Raw memory: `base` is memory for `capacity` bytes; the first `count` of them are initialized. The
// memory belongs to this buffer alone and is freed with it; the buffer cannot be copied. Every
// write reserves what it needs first. No pointer into the memory leaves a method, except as a span
// that is valid while a closure runs.

/// A buffer of text in UTF-8 that grows at its end.
@safe package struct ByteBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  /// The number of bytes written.
  @usableFromInline package var count = 0

  /// Creates an empty buffer.
  package init(capacity: Int = 128) {
    self.capacity = max(capacity, 16)
    unsafe base = .allocate(capacity: self.capacity)
  }

  deinit { unsafe base.deallocate() }

  /// Makes room for a number of further bytes.
  @inlinable @inline(__always)
  mutating func reserve(_ byteCount: Int) {
    if byteCount > capacity &- count { grow(by: byteCount) }
  }

  @inline(never)
  @usableFromInline mutating func grow(by byteCount: Int) {
    capacity = max(capacity * 2, count + byteCount)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe larger.update(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = larger
  }

  /// Removes all bytes except the first `count`.
  package mutating func truncate(to count: Int) {
    guard count <= self.count else {
      fatalError("a buffer of \(self.count) bytes has no \(count) to keep")
    }
    self.count = count
  }

  /// Removes all bytes, and frees the memory of an unusually large text.
  mutating func removeAll(keepingAtMost bound: Int) {
    count = 0
    guard capacity > bound else { return }
    unsafe base.deallocate()
    capacity = max(bound, 16)
    unsafe base = .allocate(capacity: capacity)
  }
}

// MARK: - Reading

extension ByteBuffer {
  /// Calls `body` with the bytes from a position on.
  package func withBytes<R, E>(
    from start: Int = 0, _ body: (BorrowedBuffer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    guard start <= count else { fatalError("a buffer of \(count) bytes has none at \(start)") }
    return try unsafe body(BorrowedBuffer(start: base + start, count: count - start))
  }

  /// Calls `body` with all bytes.
  package func withSpan<R, E>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try unsafe body(UnsafeBufferPointer(start: base, count: count).span)
  }

  /// Returns a copy of the bytes.
  package func array() -> [UInt8] { withBytes { Array($0) } }

  /// The text.
  package var string: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  /// Hands over all bytes in pieces of at most some size, and empties the buffer.
  package mutating func flush(
    inPiecesOf size: Int, to output: (RawSpan) throws -> Void
  ) rethrows {
    try unsafe BorrowedBuffer(start: base, count: count).withRawSpan { bytes in
      for start in stride(from: 0, to: bytes.byteCount, by: size) {
        try output(bytes.extracting(start..<min(start + size, bytes.byteCount)))
      }
    }
    removeAll(keepingAtMost: size * 4)
  }
}

// MARK: - Text

extension ByteBuffer {
  /// Appends a byte.
  @inlinable @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe base[count] = byte
    count &+= 1
  }

  /// Appends bytes.
  @inlinable @inline(__always)
  package mutating func append(_ bytes: Span<UInt8>) {
    reserve(bytes.count)
    unsafe bytes.withUnsafeBufferPointer { unsafe BorrowedBuffer($0).copy(to: base + count) }
    count &+= bytes.count
  }

  /// Appends the first characters of an ASCII literal, or all.
  @inline(__always)
  package mutating func append(_ text: StaticString, prefix: Int? = nil) {
    let byteCount = prefix ?? text.utf8CodeUnitCount
    reserve(byteCount)
    unsafe (base + count).update(from: text.utf8Start, count: byteCount)
    count &+= byteCount
  }

  /// Appends a string.
  package mutating func append(_ text: String) {
    text.withUTF8Span { append($0) }
  }
}

// MARK: - Numbers

extension ByteBuffer {
  /// Appends an integer.
  @inline(__always)
  package mutating func append(integer value: Int64) {
    if value < 0 { append(0x2D) }
    let magnitude = value.magnitude
    appendDigits(of: magnitude, count: Self.digitCount(of: magnitude))
  }

  /// Appends an integer with zeros in front: `7` as `007`.
  ///
  /// - Parameters:
  ///   - value: The integer, which is not negative.
  ///   - digitCount: The least number of digits.
  @inline(__always)
  package mutating func append(_ value: Int, digits digitCount: Int) {
    let magnitude = UInt64(value)
    appendDigits(of: magnitude, count: max(digitCount, Self.digitCount(of: magnitude)))
  }

  /// Appends the shortest text that reads back as the same number: `3`, `0.1`, `1e+16`.
  ///
  /// Infinity and NaN are appended as Swift describes them, which is not JSON.
  package mutating func append(shortest value: some BinaryFloatingPoint & CustomStringConvertible) {
    append(value.description)
    if count >= 2, unsafe base[count - 1] == 0x30, unsafe base[count - 2] == 0x2E { count -= 2 }
  }

  /// Appends digits from the last to the first, two with each division.
  @inline(__always)
  private mutating func appendDigits(of value: UInt64, count digitCount: Int) {
    reserve(digitCount)
    let start = unsafe base + count
    var position = digitCount
    var rest = value
    while position >= 2 {
      let pair = UInt8(truncatingIfNeeded: rest % 100)
      rest /= 100
      position &-= 2
      unsafe start[position] = 0x30 &+ pair / 10
      unsafe start[position &+ 1] = 0x30 &+ pair % 10
    }
    if position == 1 { unsafe start[0] = 0x30 &+ UInt8(truncatingIfNeeded: rest) }
    count &+= digitCount
  }

  @inline(__always)
  private static func digitCount(of value: UInt64) -> Int {
    var count = 1
    var rest = value
    while rest >= 10_000 {
      rest /= 10_000
      count &+= 4
    }
    return rest < 10 ? count : rest < 100 ? count &+ 1 : rest < 1000 ? count &+ 2 : count &+ 3
  }
}

// MARK: - JSON strings

extension ByteBuffer {
  /// The number of bytes of a string that are escaped before more room is reserved.
  @usableFromInline static let escapedAtOnce = 4096

  /// Appends a JSON string with its quotes, with the escapes that RFC 8259 requires and no others.
  ///
  /// - Parameter text: Valid UTF-8.
  @inlinable @inline(__always)
  package mutating func append(quoted text: Span<UInt8>) {
    append(0x22)
    unsafe text.withUnsafeBufferPointer { text in
      guard var start = text.baseAddress else { return }
      var rest = text.count
      while rest > 0 {
        let byteCount = min(rest, Self.escapedAtOnce)
        // No escape is longer than six bytes; words of eight are written whole.
        reserve(byteCount &* 6 &+ 8)
        unsafe putEscaped(start, byteCount)
        unsafe start += byteCount
        rest &-= byteCount
      }
    }
    append(0x22)
  }

  /// Writes the inside of a string into room that is reserved.
  ///
  /// Eight bytes are read and written at once, as one number. Where one of them needs an escape, the
  /// bytes after it are overwritten. (Swift's own vectors are slower where the processor is not
  /// known to have more than SSE 2.)
  @inline(__always)
  @unsafe private mutating func putEscaped(_ text: UnsafePointer<UInt8>, _ byteCount: Int) {
    var position = 0
    while position &+ 8 <= byteCount {
      let word = unsafe UnsafeRawPointer(text + position).loadUnaligned(as: UInt64.self)
      position &+= putEscaped(word, 8)
    }
    while position < byteCount {
      var word = Self.spaces
      let rest = byteCount &- position
      for offset in 0..<rest {
        let shift = UInt64(truncatingIfNeeded: offset &* 8)
        word ^= unsafe UInt64(text[position &+ offset] ^ 0x20) &<< shift
      }
      position &+= putEscaped(word, rest)
    }
  }

  /// Writes up to eight bytes of a string, and stops after the first that needs an escape.
  ///
  /// - Parameters:
  ///   - word: The bytes, with spaces after them.
  ///   - byteCount: Their number.
  /// - Returns: The number of bytes written.
  @inline(__always)
  private mutating func putEscaped(_ word: UInt64, _ byteCount: Int) -> Int {
    let escapes = Self.bytesToEscape(in: word)
    unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: word, as: UInt64.self)
    if escapes == 0 {
      count &+= byteCount
      return byteCount
    }
    let plain = escapes.trailingZeroBitCount &>> 3
    count &+= plain
    putEscape(UInt8(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: plain &* 8)))
    return plain &+ 1
  }

  private static let spaces: UInt64 = 0x2020_2020_2020_2020

  /// Returns a word with the high bit set in the first byte that needs an escape, and perhaps in later bytes: a
  /// control character, a quote or a backslash.
  @inline(__always)
  private static func bytesToEscape(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let controls = (word &- spaces) & ~word
    return (controls | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes)
      & (ones &* 0x80)
  }

  @inline(never)
  private mutating func putEscape(_ byte: UInt8) {
    append(0x5C)
    switch byte {
    case 0x08: append(0x62)
    case 0x09: append(0x74)
    case 0x0A: append(0x6E)
    case 0x0C: append(0x66)
    case 0x0D: append(0x72)
    case 0x22, 0x5C: append(byte)
    default:
      append("u00")
      append(0x30 &+ byte &>> 4)
      append(byte & 15 < 10 ? 0x30 &+ byte & 15 : 0x57 &+ byte & 15)
    }
  }
}
