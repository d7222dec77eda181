// What YAJL would let through and must not see: vertical tab and form feed (it takes them for white
// space), bytes that are not UTF-8, and escapes that are half of a surrogate pair (it makes wrong
// characters of them, and unpatched versions read past their buffer).
//
// The filter knows nothing of strings. It need not: backslashes and non-ASCII are legal in
// strings only, and YAJL finds those elsewhere, at an offset that is never beyond the one the
// filter would report.
//
// Plain ASCII, the bulk of most documents, is passed over in blocks of 32 bytes; other bytes are
// found a word at a time.

/// Checks a text from the left.
struct TextFilter {
  enum Stop {
    /// All of it is fine.
    case end
    /// A character or escape begins that the text does not hold whole.
    case incomplete
    case verticalTab
    case formFeed
    case invalidUTF8
    case loneSurrogate
  }

  let text: UnsafePointer<UInt8>
  let count: Int

  /// Finds the first place that cannot pass.
  ///
  /// - Parameters:
  ///   - start: Where to begin, at no second byte of a character or escape.
  ///   - end: Where to end; a character or escape that begins before is looked at whole.
  /// - Returns: What stands at the place reached, and the place.
  func scan(from start: Int, to end: Int) -> (stop: Stop, index: Int) {
    var index = start
    while true {
      index = plainEnd(from: index, to: end)
      guard index < end else { return (.end, index) }
      let byte = text[index]
      let item: Item
      if byte >= 0x80 {
        item = character(at: index)
      } else if byte == UInt8(ascii: "\\") {
        item = escape(at: index)
      } else {
        return (byte == 0x0B ? .verticalTab : .formFeed, index)
      }
      switch item {
      case .count(let count): index += count
      case .stop(let stop): return (stop, index)
      }
    }
  }

  /// A character or escape.
  enum Item {
    case count(Int)
    case stop(Stop)
  }
}

extension TextFilter {
  private static let high: UInt64 = 0x8080_8080_8080_8080
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Passes over ASCII without Unicode escape, vertical tab and form feed.
  ///
  /// Blocks are told by `\u` and not by the backslash alone, because texts are full of `\/`, `\n`
  /// and `\"`. A backslash that is itself escaped may look like the beginning of an escape then, so
  /// what comes before it is counted.
  @inline(__always)
  private func plainEnd(from start: Int, to end: Int) -> Int {
    let raw = UnsafeRawPointer(text)
    var index = plainBlocksEnd(from: start, to: end)
    if index > start, isInsideEscape(index, from: start) { index += 1 }
    while index + 8 <= end {
      let word = UInt64(
        littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let special = Self.special(word)
      guard special == 0 else { return index + special.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < end, !Self.isSpecial(text[index]) { index += 1 }
    return index
  }

  /// Whether a byte is the second of an escape that began after `start`.
  @inline(__always)
  private func isInsideEscape(_ index: Int, from start: Int) -> Bool {
    var first = index
    while first > start, text[first - 1] == UInt8(ascii: "\\") { first -= 1 }
    return (index - first) & 1 == 1
  }

  @inline(__always)
  private func plainBlocksEnd(from start: Int, to end: Int) -> Int {
    let raw = UnsafeRawPointer(text)
    var index = start
    // A block is looked at together with the byte behind it.
    while index + 32 < end {
      let first = Self.special(raw + index)
      let second = Self.special(raw + index + 16)
      let words = unsafeBitCast(first | second, to: SIMD2<UInt64>.self)
      guard (words[0] | words[1]) & Self.high == 0 else { break }
      index += 32
    }
    return index
  }

  /// Sets the high bit of each of 16 lanes that is special: not ASCII, white space that YAJL alone
  /// takes for such, or the backslash of what may be a Unicode escape.
  @inline(__always)
  private static func special(_ raw: UnsafeRawPointer) -> SIMD16<UInt8> {
    let bytes = raw.loadUnaligned(as: SIMD16<UInt8>.self)
    let next = raw.loadUnaligned(fromByteOffset: 1, as: SIMD16<UInt8>.self)
    // Spelt with types: the comparison with a literal is compiled to a loop over the lanes.
    let backslashes = SIMD16<UInt8>(repeating: 0x5C)
    let letters = SIMD16<UInt8>(repeating: 0x75)
    let verticalTabs = SIMD16<UInt8>(repeating: 0x0B)
    let formFeeds = SIMD16<UInt8>(repeating: 0x0C)
    let escapes = (bytes .== backslashes) .& (next .== letters)
    let found = escapes .| (bytes .== verticalTabs) .| (bytes .== formFeeds)
    return bytes | unsafeBitCast(found, to: SIMD16<UInt8>.self)
  }

  /// Sets the high bit of bytes that are special; exact up to the lowest such byte.
  @inline(__always)
  private static func special(_ word: UInt64) -> UInt64 {
    let backslash = zeroBytes(word ^ (ones &* 0x5C))
    let verticalTab = zeroBytes(word ^ (ones &* 0x0B))
    let formFeed = zeroBytes(word ^ (ones &* 0x0C))
    return (word | backslash | verticalTab | formFeed) & high
  }

  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    (word &- ones) & ~word
  }

  @inline(__always)
  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == 0x5C || byte == 0x0B || byte == 0x0C
  }
}
