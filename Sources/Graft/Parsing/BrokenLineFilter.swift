// A parser of its own checks each line before the importing parser reads it, so that nothing of a
// broken line has to be taken back. From the lines
//
//   {"id": 1}
//   {"id": 2, "na
//   {"id": 3}
//
// the importing parser gets the first and the third line, and spaces for the bytes of the second,
// so that all places stay right.

/// Drops the lines of a stream that are not JSON, so that the parser does not see them.
///
/// Each line must hold whole documents: a document that is spread over several lines counts as
/// several broken ones.
final class BrokenLineFilter {
  private let options: ParserOptions
  /// The most bytes of a line; one that is longer is broken.
  private let lineLimit: Int
  /// The line that has not ended yet.
  private var line: [UInt8] = []
  /// The number of bytes already dropped from the current line, which is too long.
  private var droppedCount = 0
  /// The beginning of the current line.
  private var lineStart = SourceLocation(offset: 0, line: 1, column: 1)
  /// Checks lines until one is invalid.
  private var checker: EventParser?
  /// Whether the text is in an encoding in which lines cannot be found; the parser refuses it.
  private var isOtherEncoding = false

  init(options: ParserOptions, lineLimit: Int) {
    self.options = options
    self.lineLimit = lineLimit
  }

  /// Passes on the complete lines.
  ///
  /// - Parameters:
  ///   - chunk: Bytes that follow those already filtered, cut anywhere.
  ///   - parser: Gets the good lines, and spaces in the place of the others.
  ///   - report: Takes the fault of a line.
  /// - Throws: The parser's error.
  func parse(
    _ chunk: BorrowedBuffer<UInt8>, into parser: EventParser, report: (ParsingError) -> Void
  ) throws {
    guard !isOtherEncoding else { return try parser.parse(chunk) }
    var rest = chunk
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      try append(rest[0..<end + 1], parser)
      rest = rest[end + 1..<rest.count]
      try endLine(into: parser, report: report)
      if isOtherEncoding { break }
    }
    try append(rest, parser)
  }

  /// Passes on the last line.
  func finish(into parser: EventParser, report: (ParsingError) -> Void) throws {
    try endLine(into: parser, report: report)
  }

  private func append(_ bytes: BorrowedBuffer<UInt8>, _ parser: EventParser) throws {
    if isOtherEncoding { return try parser.parse(bytes) }
    guard droppedCount == 0, line.count + bytes.count <= lineLimit else {
      try blank(line.count + bytes.count, bytes.last == UInt8(ascii: "\n"), parser)
      droppedCount += line.count + bytes.count
      line = []
      return
    }
    line.append(contentsOf: bytes)
  }

  private func endLine(into parser: EventParser, report: (ParsingError) -> Void) throws {
    let count = line.count + droppedCount
    defer {
      line.removeAll(keepingCapacity: line.capacity <= 1 << 20)
      droppedCount = 0
      lineStart.offset += count
      lineStart.line += 1
    }
    guard droppedCount == 0 else {
      return report(
        error(
          .limit, lineStart, "$",
          "a line of more than \(lineLimit) bytes; ImportOptions.bufferLimit may be raised"))
    }
    guard let fault = check() else { return try Self.pass(line, to: parser) }
    report(fault)
    try blank(line.count, line.last == UInt8(ascii: "\n"), parser)
  }

  /// Returns the error of the current line, or nil if the line is valid.
  private func check() -> ParsingError? {
    if lineStart.offset == 0, TextEncoding(of: Array(line.prefix(4)), isWhole: true).fault != nil {
      isOtherEncoding = true
      return nil
    }
    guard !line.allSatisfy(\.isJSONSpace) else { return nil }
    if line.last == UInt8(ascii: "\n") {
      if let checker, isValid(by: checker) { return nil }
      let fresh = makeChecker()
      checker = fresh
      if isValid(by: fresh) { return nil }
      checker = nil
    }
    return fault(foundBy: makeChecker())
  }

  /// Makes a parser of the current line and the next ones.
  private func makeChecker() -> EventParser {
    EventParser(
      sink: EventSink(), options: options, line: lineStart.offset == 0 ? nil : lineStart.line)
  }

  private func isValid(by parser: EventParser) -> Bool {
    (try? Self.pass(line, to: parser)) != nil && parser.engine.isBetweenDocuments
  }

  /// Returns the error of the line; nil if it is valid.
  ///
  /// Its end is left out: a string that is cut would go on in it.
  private func fault(foundBy parser: EventParser) -> ParsingError? {
    do {
      try Self.pass(Array(line.prefix(length)), to: parser)
      try parser.finish()
      return nil
    } catch let fault as ParsingError {
      return error(fault.kind, place(of: fault), fault.path, fault.message)
    } catch {
      return self.error(.syntax, lineStart, "$", "\(error)")
    }
  }

  /// The number of bytes of the line, without its end.
  private var length: Int {
    line.count - line.reversed().prefix { $0 == 0x0A || $0 == 0x0D }.count
  }

  private func error(
    _ kind: ParsingError.Kind, _ place: SourceLocation, _ path: String, _ message: String
  ) -> ParsingError {
    ParsingError(
      kind: kind, location: place, path: path,
      message: "line \(lineStart.line) is skipped: \(message)")
  }

  /// Returns the place in the whole text of a fault that a new parser has found; the end of the
  /// line if a part is missing after it.
  private func place(of fault: ParsingError) -> SourceLocation {
    let isInLine = fault.location.line == lineStart.line
    let column = isInLine ? min(fault.location.column, length + 1) : length + 1
    return SourceLocation(
      offset: lineStart.offset + column - 1, line: lineStart.line, column: column)
  }

  private func blank(_ count: Int, _ hasLineFeed: Bool, _ parser: EventParser) throws {
    var left = count - (hasLineFeed ? 1 : 0)
    while left > 0 {
      let piece = min(left, 65_536)
      try Self.pass([UInt8](repeating: 0x20, count: piece), to: parser)
      left -= piece
    }
    if hasLineFeed { try Self.pass([UInt8(ascii: "\n")], to: parser) }
  }

  private static func pass(_ bytes: [UInt8], to parser: EventParser) throws {
    try bytes.withBorrowed { try parser.parse($0) }
  }
}
