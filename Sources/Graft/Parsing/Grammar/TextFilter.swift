// Stops text that YAJL would accept but must not see: vertical tabs and form feeds, invalid UTF-8,
// and escapes of half a surrogate pair. YAJL takes the first two for white space. For half a pair
// it makes wrong characters, and unpatched versions read past their buffer (CVE-2017-16516).
//
// The filter need not know where strings are. Backslashes and non-ASCII characters are allowed in
// strings only; YAJL finds those elsewhere, at or before the offset that the filter would report.
// Bytes before a bad one are still passed on, so that their events come, and an earlier error of
// YAJL wins.
//
// The chunk belongs to the caller, is only read, and is not kept after the call. Part of a
// character or an escape at the end of a chunk is copied to `tail`.

/// Passes on the text that YAJL may see, in slices.
final class TextFilter {
  /// The reason why a text must not be passed on.
  enum Fault: Equatable {
    case verticalTab
    case formFeed
    case invalidUTF8(UInt8)
    case loneSurrogate
  }

  typealias Receiver = (BorrowedBuffer<UInt8>) throws -> Void

  /// The beginning of a character or escape, which waits for the next chunk to complete it.
  private(set) var tail: [UInt8] = []
  private let replacesLoneSurrogates: Bool
  private let instructions: ScanInstructions

  /// The length of the longest escape, a surrogate pair.
  private static let longestEscape = 12
  /// The escape that replaces half a surrogate pair; of the same length, so that offsets stay right.
  private static let replacement = Array(#"\uFFFD"#.utf8)

  init(replacesLoneSurrogates: Bool, instructions: ScanInstructions) {
    self.replacesLoneSurrogates = replacesLoneSurrogates
    self.instructions = instructions
  }

  /// Filters the next bytes of a document.
  ///
  /// - Parameters:
  ///   - chunk: Bytes that follow those already filtered, cut anywhere.
  ///   - receive: Takes what has passed.
  /// - Returns: The reason to stop; nil if all text has passed.
  /// - Throws: The receiver's error.
  func filter(_ chunk: BorrowedBuffer<UInt8>, receive: Receiver) throws -> Fault? {
    guard !chunk.isEmpty else { return nil }
    var index = 0
    if !tail.isEmpty {
      // Only a character or escape that begins in the tail is read from the two joined; the rest is
      // left to the chunk.
      let tailCount = tail.count
      let joined = tail + chunk.prefix(Self.longestEscape)
      tail = []
      let fault = try joined.withBorrowed { joined -> Fault? in
        while index < tailCount {
          if let fault = try pass(joined, from: &index, to: tailCount, receive) { return fault }
        }
        return nil
      }
      if let fault { return fault }
      index -= tailCount
    }
    while index < chunk.count {
      let end = min(index + InputSlice.byteLimit, chunk.count)
      if let fault = try pass(chunk, from: &index, to: end, receive) { return fault }
    }
    return nil
  }

  /// Drops the waiting bytes, because the next bytes do not follow them.
  func reset() {
    tail = []
  }

  /// Passes on the waiting bytes at the end of the document; YAJL finds them incomplete.
  func finish(receive: Receiver) throws {
    let rest = tail
    tail = []
    guard !rest.isEmpty else { return }
    try rest.withBorrowed(receive)
  }

  /// Filters the slice of a text that goes from an index to an end, and passes it on.
  ///
  /// Moves the index to that end, or past it to the end of a character or escape that begins in the
  /// slice. Returns the fault at which the slice had to stop.
  private func pass(
    _ text: BorrowedBuffer<UInt8>, from index: inout Int, to end: Int, _ receive: Receiver
  ) throws -> Fault? {
    let start = index
    let stop = TextScan(text, instructions).scan(from: &index, to: end)
    if index > start { try receive(text[start..<index]) }
    switch stop {
    case .end:
      return nil
    case .incomplete:
      tail.append(contentsOf: text[index..<text.count])
      index = text.count
      return nil
    case .fault(.loneSurrogate) where replacesLoneSurrogates:
      try Self.replacement.withBorrowed(receive)
      index += Self.replacement.count
      return nil
    case .fault(let fault):
      return fault
    }
  }
}

/// Checks a text from the left.
///
/// Plain text, the bulk of most documents, is skipped in blocks of 64 bytes by the scanner in C.
private struct TextScan {
  enum Stop {
    /// The text is valid up to the end.
    case end
    /// A character or escape begins that the text does not have in full.
    case incomplete
    case fault(TextFilter.Fault)
  }

  /// A character or escape.
  enum Item {
    case count(Int)
    case stop(Stop)
  }

  private let text: BorrowedBuffer<UInt8>
  private let instructions: ScanInstructions
  private var count: Int { text.count }

  init(_ text: BorrowedBuffer<UInt8>, _ instructions: ScanInstructions) {
    self.text = text
    self.instructions = instructions
  }

  /// Finds the first place that must not pass.
  ///
  /// - Parameters:
  ///   - index: The place to begin at, not inside a character or escape; moved to the place
  ///     reached.
  ///   - end: The place to end at; a character or escape that begins before it is checked whole.
  /// - Returns: The reason to stop at the place reached.
  func scan(from index: inout Int, to end: Int) -> Stop {
    while true {
      index = plainEnd(from: index, to: end)
      guard index < end else { return .end }
      let item: Item
      switch text[index] {
      case 0x80...: item = character(at: index)
      case UInt8(ascii: "\\"): item = escape(at: index)
      case 0x0B: return .fault(.verticalTab)
      default: return .fault(.formFeed)
      }
      switch item {
      case .count(let count): index += count
      case .stop(let stop): return stop
      }
    }
  }
}

// MARK: - Plain text

extension TextScan {
  /// Skips text without Unicode escape, vertical tab and form feed: in blocks, then ASCII byte by byte.
  ///
  /// Blocks are examined for `\u` and not for the backslash alone, because texts are full of `\/`,
  /// `\n` and `\"`. A backslash that is itself escaped, as in `\\u`, then looks like the beginning
  /// of an escape, so the backslashes before it are counted.
  @inline(__always)
  private func plainEnd(from start: Int, to end: Int) -> Int {
    guard start < end else { return start }
    var index = start + instructions.plainEnd(of: text[start..<end])
    if index > start, isInsideEscape(index, from: start), Self.canEscape(text[index]) { index += 1 }
    while index < end, !Self.isSpecial(text[index]) { index += 1 }
    return index
  }

  /// Returns whether a byte is the second of an escape that began at `start` or later.
  @inline(__always)
  private func isInsideEscape(_ index: Int, from start: Int) -> Bool {
    var first = index
    while first > start, text[first - 1] == UInt8(ascii: "\\") { first -= 1 }
    return (index - first) & 1 == 1
  }

  /// Returns whether a byte after a backslash can be passed on together with it.
  ///
  /// A byte that is wrong after a backslash may itself be one that must be stopped.
  @inline(__always)
  private static func canEscape(_ byte: UInt8) -> Bool { byte > 0x1F && byte < 0x80 }

  @inline(__always)
  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == 0x5C || byte == 0x0B || byte == 0x0C
  }
}

// MARK: - Characters and escapes
//
// Each function decides on as few bytes as it can, so that an error is found at once. Only bytes
// that may still become valid are held back: three of a character, eleven of an escape.

extension TextScan {
  /// Checks a character beyond ASCII.
  private func character(at index: Int) -> Item {
    let lead = text[index]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: return .stop(.fault(.invalidUTF8(lead)))
    }
    for offset in 1..<length {
      guard index + offset < count else { return .stop(.incomplete) }
      guard second.contains(text[index + offset]) else {
        return .stop(.fault(.invalidUTF8(lead)))
      }
      second = 0x80...0xBF
    }
    return .count(length)
  }

  /// Checks an escape.
  ///
  /// An invalid escape is left to YAJL, which refuses it.
  @inline(__always)
  private func escape(at index: Int) -> Item {
    guard index + 1 < count else { return .stop(.incomplete) }
    let kind = text[index + 1]
    guard kind == UInt8(ascii: "u") else {
      return .count(Self.canEscape(kind) ? 2 : 1)
    }
    return unicodeEscape(at: index)
  }

  /// Checks `\uXXXX`, and where that is the first half of a surrogate pair, the second half.
  private func unicodeEscape(at index: Int) -> Item {
    switch unit(at: index + 2) {
    case .incomplete: return .stop(.incomplete)
    case .malformed: return .count(2)
    case .unit(0xDC00...0xDFFF): return .stop(.fault(.loneSurrogate))
    case .unit(0xD800...0xDBFF): break
    case .unit: return .count(6)
    }
    for (offset, byte) in [(6, UInt8(ascii: "\\")), (7, UInt8(ascii: "u"))] {
      guard index + offset < count else { return .stop(.incomplete) }
      guard text[index + offset] == byte else { return .stop(.fault(.loneSurrogate)) }
    }
    switch unit(at: index + 8) {
    case .incomplete: return .stop(.incomplete)
    case .unit(0xDC00...0xDFFF): return .count(12)
    case .unit, .malformed: return .stop(.fault(.loneSurrogate))
    }
  }

  private enum Unit {
    case unit(UInt16)
    case malformed
    case incomplete
  }

  /// Reads four hexadecimal digits.
  private func unit(at start: Int) -> Unit {
    var unit: UInt16 = 0
    for index in start..<start + 4 {
      guard index < count else { return .incomplete }
      guard let digit = text[index].hexadecimalDigit else { return .malformed }
      unit = unit << 4 | UInt16(digit)
    }
    return .unit(unit)
  }
}
