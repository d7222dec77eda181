// From chunks to filtered text.
//
// The caller's bytes are never altered and never copied, but for the few that a chunk's end cuts
// off a character or an escape: those wait in `tail` until the next chunk completes them. Text
// before a bad byte is still fed, so that its events come and an earlier error of YAJL wins.

extension EventParser {
  /// The most that YAJL is given at once; a piece is scanned by the filter and then by YAJL while
  /// the cache holds it.
  private static let pieceBytes = 128 << 10

  func read(_ chunk: UnsafeRawBufferPointer) throws {
    guard let base = chunk.baseAddress?.assumingMemoryBound(to: UInt8.self), chunk.count > 0 else {
      return
    }
    var index = 0
    if !isSniffed {
      index = try sniff(UnsafeBufferPointer(start: base, count: chunk.count))
      guard isSniffed else { return }
    }
    if !tail.isEmpty {
      index += try completeTail(base + index, count: chunk.count - index)
    }
    try filter(base, from: index, count: chunk.count)
  }

  func readEnd() throws {
    if !isSniffed { _ = try sniff(UnsafeBufferPointer(start: nil, count: 0), isWhole: true) }
    try tail.withUnsafeBufferPointer { tail in
      guard let text = tail.baseAddress else { return }
      try take(text, count: tail.count)
    }
    try feedHeld()
    try complete()
  }

  /// Takes the bytes that tell the encoding.
  ///
  /// - Returns: How many bytes of the chunk were taken.
  private func sniff(_ chunk: UnsafeBufferPointer<UInt8>, isWhole: Bool = false) throws -> Int {
    let taken = min(chunk.count, TextEncoding.sniffedBytes - tail.count)
    let waiting = tail.count
    tail.append(contentsOf: chunk.prefix(taken))
    let encoding = TextEncoding(of: tail, isWhole: isWhole)
    if encoding == .undecided, !isWhole { return taken }
    isSniffed = true
    let head = tail
    tail = []
    switch encoding {
    case .foreign(let name):
      throw error(.encoding, "the text is in \(name); expected UTF-8")
    case .markedUTF8:
      state.pointee.pieceBase = 3
      state.pointee.markEnd = 3
      state.pointee.gap.start = 3
      return 3 - waiting
    case .utf8, .undecided:
      try head.prefix(waiting).withUnsafeBufferPointer { head in
        guard let text = head.baseAddress else { return }
        try filter(text, from: 0, count: head.count)
      }
      return 0
    }
  }

  /// Completes a character or an escape that the chunk before had begun.
  ///
  /// - Returns: How many bytes of the chunk were taken.
  private func completeTail(_ chunk: UnsafePointer<UInt8>, count: Int) throws -> Int {
    let waiting = tail.count
    tail.append(contentsOf: UnsafeBufferPointer(start: chunk, count: min(count, 12)))
    let seam = tail
    tail = []
    return try seam.withUnsafeBufferPointer { seam in
      guard let text = seam.baseAddress else { return 0 }
      // Only what begins in the tail: what begins in the chunk itself is left to it.
      var index = 0
      while index < waiting {
        index = try filter(text, from: index, to: waiting, count: seam.count)
      }
      return index - waiting
    }
  }

  private func filter(_ text: UnsafePointer<UInt8>, from start: Int, count: Int) throws {
    var index = start
    while index < count {
      let end = min(index + Self.pieceBytes, count)
      index = try filter(text, from: index, to: end, count: count)
    }
  }

  /// Filters a piece and feeds it.
  ///
  /// - Returns: Where it ended: at the end asked for, or after the character or escape
  ///   that stands there.
  private func filter(
    _ text: UnsafePointer<UInt8>, from start: Int, to end: Int, count: Int
  ) throws -> Int {
    let (stop, index) = TextFilter(text: text, count: count).scan(from: start, to: end)
    try take(text + start, count: index - start)
    switch stop {
    case .end:
      return index
    case .incomplete:
      tail.append(contentsOf: UnsafeBufferPointer(start: text + index, count: count - index))
      return count
    case .loneSurrogate where options.loneSurrogates == .replaced:
      try take(Self.replacement, count: Self.replacement.count)
      return index + Self.replacement.count
    case .loneSurrogate:
      try feedHeld()
      throw error(.encoding, "half a surrogate pair; expected the escape of its other half")
    case .verticalTab, .formFeed:
      try feedHeld()
      let name = stop == .verticalTab ? "vertical tab (0x0B)" : "form feed (0x0C)"
      throw error(.syntax, "a \(name) cannot stand in JSON; it must be escaped in strings")
    case .invalidUTF8:
      try feedHeld()
      throw error(.encoding, "invalid UTF-8: the byte \(text[index].hexadecimal) cannot stand here")
    }
  }

  /// The escape that stands for half a surrogate pair where those are replaced; as long as
  /// what it replaces.
  private static let replacement = Array(#"\uFFFD"#.utf8)

  /// The error of the place reached.
  private func error(_ kind: ParsingError.Kind, _ message: String) -> ParsingError {
    ParsingError(
      kind: kind, location: state.location(of: state.pointee.pieceBase),
      path: state.path(ofNext: state.pointee.gap.expectation), message: message)
  }
}
