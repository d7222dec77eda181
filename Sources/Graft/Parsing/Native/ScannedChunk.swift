// A chunk that another thread has read and scanned.
//
// The scanner's result depends on the bytes alone, once it is known that a text begins between two
// tokens. So it can be found ahead, on another thread, while the chunk before is imported. The walk
// over the tokens, with its events and errors, stays on the thread that imports:
//
//   bytes    [{"id": 1, "text": "…"}, {"id": 2, "te|xt": "…"}, {"id": 3, …
//   parts    ├──────────────────────┴─────────────┤
//   rest                                      ├───┴─► the beginning of the next chunk
//
// A chunk ends between two tokens: the token that its end would cut is put at the beginning of the
// next one. A string longer than a window is not scanned. Only its end is searched for; the
// importing thread reads the string byte by byte, and finds its faults.
//
// Raw memory. Invariants
// - The chunk owns its bytes and windows.
// - One thread at a time has the chunk: who hands it on no longer touches it.

/// Bytes of a document, and the tokens found in them.
@safe final class ScannedChunk: @unchecked Sendable {
  /// A part of the bytes, scanned, which begins and ends between two tokens.
  struct Part {
    /// The index of the part's first byte.
    var start: Int
    var tokens: ScannedTokens
  }

  /// The position of the border between two chunks.
  enum Border {
    /// At the beginning of the document.
    case beginning
    /// Between two tokens; the next chunk begins with these bytes of one that the end would have cut.
    case betweenTokens([UInt8])
    /// In a string longer than a window; whether its next byte is escaped.
    case inString(isEscaped: Bool)
    /// The border is unknown: there is a fault before it, and the text after the fault is not
    /// scanned.
    case unknown
  }

  /// The number of bytes of `memory` that belong to the chunk.
  private(set) var count = 0
  /// The scanned parts, in the order of their bytes.
  private(set) var parts: [Part] = []
  private let memory: UnsafeMutableRawBufferPointer
  /// The windows of the parts; there may be more windows than parts.
  private var windows: [TokenWindow] = []
  private let options: ParserOptions

  /// Makes an empty chunk.
  ///
  /// - Parameters:
  ///   - capacity: The most bytes of the chunk.
  ///   - options: The options of the scanner.
  init(capacity: Int, _ options: ParserOptions) {
    unsafe memory = .allocate(byteCount: capacity, alignment: 64)
    self.options = options
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// The bytes, which stay as they are until the chunk is filled again.
  var bytes: BorrowedBuffer<UInt8> {
    unsafe BorrowedBuffer(UnsafeRawBufferPointer(memory).assumingMemoryBound(to: UInt8.self))[
      0..<count]
  }

  /// Fills the chunk with the bytes that come next, and scans them.
  ///
  /// - Parameters:
  ///   - border: The border after the previous chunk.
  ///   - read: Reads bytes to the memory; returns their number, and 0 at the end.
  /// - Returns: The end of the chunk; nil at the end of the document. The chunk may have bytes then
  ///   as well.
  /// - Throws: The error of `read`.
  func fill(
    after border: Border, _ read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws -> Border? {
    parts.removeAll(keepingCapacity: true)
    count = 0
    if case .betweenTokens(let rest) = border {
      unsafe memory.copyBytes(from: rest)
      count = rest.count
    }
    let read = try unsafe read(UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
    count += read
    return read > 0 ? scan(after: border) : nil
  }

  private func scan(after border: Border) -> Border {
    switch border {
    case .beginning:
      let mark = TextEncoding.byteOrderMark
      return scan(from: bytes.starts(with: mark) ? mark.count : 0)
    case .betweenTokens: return scan(from: 0)
    case .inString(let isEscaped): return endString(from: 0, isEscaped: isEscaped)
    case .unknown: return .unknown
    }
  }

  /// Scans from a place between two tokens.
  private func scan(from start: Int) -> Border {
    var start = start
    while true {
      // Scan whole blocks only: in part of a block, a character cut by the end would look invalid.
      let blocks = (count - start) / TokenWindow.blockSize * TokenWindow.blockSize
      let text = bytes[start..<start + min(TokenWindow.size, blocks)]
      if windows.count == parts.count { windows.append(TokenWindow(options)) }
      guard let tokens = windows[parts.count].scanWholeTokens(text) else { return .unknown }
      if tokens.scanned > 0 { parts.append(Part(start: start, tokens: tokens)) }
      start += tokens.scanned
      if text.count == blocks, unsafe count - start <= memory.count / 2 {
        let rest = Array(bytes[start..<count])
        count = start
        return .betweenTokens(rest)
      }
      guard tokens.scanned == 0 else { continue }
      // A token is longer than a window, or than half of the chunk; of numbers only wrong ones are.
      guard bytes[start] == UInt8(ascii: "\"") else { return .unknown }
      return endString(from: start + 1, isEscaped: false)
    }
  }

  /// Looks for the end of a string, and scans the text after it.
  private func endString(from start: Int, isEscaped: Bool) -> Border {
    var isEscaped = isEscaped
    for index in start..<count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\""), !isEscaped { return scan(from: index + 1) }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return .inString(isEscaped: isEscaped)
  }
}
