// Places and paths. They are lazy: nothing is counted or written until somebody asks, except what
// would be lost with the piece.

extension StatePointer {
  /// The location of a byte of the present piece, or of the place reached.
  func location(of offset: Int) -> SourceLocation {
    let (line, lineStart) = linePosition(of: offset)
    return SourceLocation(offset: offset, line: line, column: offset - lineStart + 1)
  }

  /// The line of a byte of the present piece.
  ///
  /// What has been counted is kept, so that asking for place after place costs no more than asking
  /// for the last.
  private func linePosition(of offset: Int) -> (line: Int, start: Int) {
    let count = Swift.max(0, Swift.min(offset - pointee.pieceBase, pointee.pieceCount))
    var known = pointee.known
    if known.base != pointee.pieceBase || known.count > count {
      known = KnownLine(
        base: pointee.pieceBase, count: 0, line: pointee.line, lineStart: pointee.lineStart)
    }
    let text = pointee.piece + known.count
    let lines = LineCounting.lineFeeds(in: text, count: count - known.count)
    if lines > 0,
      let start = LineCounting.startOfLastLine(in: text, count: count - known.count)
    {
      known.line += lines
      known.lineStart = pointee.pieceBase + known.count + start
    }
    known.count = count
    pointee.known = known
    return (known.line, known.lineStart)
  }

  /// Where the token of the event at hand begins.
  var tokenLocation: SourceLocation {
    let end = eventEnd
    if let text = pointee.text, end > pointee.markEnd {
      let isQuoted = pointee.piece[end - 1 - pointee.pieceBase] == UInt8(ascii: "\"")
      return location(of: pointee.pieceBase + (text - pointee.piece) - (isQuoted ? 1 : 0))
    }
    return location(ofTokenEndingAt: end)
  }

  /// Finds the beginning of a token by reading back from its end.
  ///
  /// Inside a string a quote is always escaped, and before the opening quote there is never
  /// a backslash. A token that reaches back past the piece is the one that was pending when
  /// the piece began.
  private func location(ofTokenEndingAt end: Int) -> SourceLocation {
    let text = pointee.piece
    let last = end - pointee.pieceBase - 1
    guard last >= 0, last < pointee.pieceCount else {
      return pointee.gap.token?.location ?? location(of: end)
    }
    var index = last
    switch text[last] {
    case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
      return location(of: end - 1)
    case UInt8(ascii: "\""):
      repeat {
        index -= 1
      } while index >= 0 && !(text[index] == UInt8(ascii: "\"") && !isEscaped(at: index))
    default:
      while index > 0, text[index - 1].continuesWord { index -= 1 }
      if index == 0, pointee.gap.token != nil { index = -1 }
    }
    guard index < 0 else { return location(of: pointee.pieceBase + index) }
    return pointee.gap.token?.location ?? location(of: pointee.pieceBase)
  }

  /// Tells whether the number of backslashes before a byte is odd.
  private func isEscaped(at index: Int) -> Bool {
    var start = index
    while start > 0, pointee.piece[start - 1] == UInt8(ascii: "\\") { start -= 1 }
    return (index - start) % 2 == 1
  }

  func location(ofContainerAt depth: Int) -> SourceLocation {
    let level = pointee.levels + depth
    let offset = level.pointee.start
    guard level.pointee.line == 0 else {
      let column = offset - level.pointee.lineStart + 1
      return SourceLocation(offset: offset, line: level.pointee.line, column: column)
    }
    return location(of: offset)
  }

  /// The path of the value at hand.
  var path: String {
    var writer = PathWriter()
    if depth > 0 { for level in 1...depth { writer.append(pointee.levels[level]) } }
    return writer.text
  }

  func path(ofContainerAt depth: Int) -> String {
    var writer = PathWriter()
    for level in 1..<Swift.max(depth, 1) { writer.append(pointee.levels[level]) }
    return writer.text
  }

  /// The path that an error has which befalls what is expected next.
  func path(ofNext expectation: Expectation) -> String {
    switch expectation {
    case .document, .nextDocument, .endOfDocument:
      return "$"
    case .colon, .memberValue:
      return path
    case .firstKey, .nextKey, .commaInArray, .commaInObject:
      return path(ofContainerAt: depth)
    case .firstElement, .element:
      var writer = PathWriter(text: path(ofContainerAt: depth))
      writer.append(index: pointee.top.pointee.index + 1)
      return writer.text
    }
  }

  /// Saves what services need later and the piece takes with it: keys and line numbers of
  /// containers still open.
  ///
  /// A container that was open when the piece began, and whose level was not the innermost since,
  /// has not changed. So this looks at the containers opened in the piece and at one more.
  func keepLevels() {
    var level = pointee.top
    while level > pointee.levels {
      if let key = level.pointee.key, pieceHolds(key) { level.keepKey() }
      guard level.pointee.start >= pointee.pieceBase else { break }
      level -= 1
    }
    level += 1
    // Outermost first, so that the piece is counted through once.
    var index = 0
    while level <= pointee.top {
      let next = level.pointee.start - pointee.pieceBase
      if next >= index {
        countLines(from: index, to: next)
        index = next
        level.pointee.line = pointee.line
        level.pointee.lineStart = pointee.lineStart
      }
      level += 1
    }
    countLines(from: index, to: pointee.pieceCount)
  }

  /// Moves the line at the beginning of the piece past a part of the piece.
  private func countLines(from start: Int, to end: Int) {
    let text = pointee.piece + start
    let lines = LineCounting.lineFeeds(in: text, count: end - start)
    guard lines > 0, let last = LineCounting.startOfLastLine(in: text, count: end - start) else {
      return
    }
    pointee.line += lines
    pointee.lineStart = pointee.pieceBase + start + last
  }
}

extension UInt8 {
  /// A byte of a number, or of true, false or null.
  fileprivate var continuesWord: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "E"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
