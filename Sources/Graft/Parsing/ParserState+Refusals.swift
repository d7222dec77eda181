// Reasons of the parser's own to stop inside a callback. Each parks its error and answers as
// the callback must.

extension StatePointer {
  /// Tells whether a value that is a document of its own stands apart from the one before.
  @inline(never)
  func beginDocument() -> Bool {
    let index = eventEnd - pointee.pieceBase
    guard pointee.levels.pointee.index >= 0, index >= 0, index < pointee.pieceCount,
      !pointee.piece[index].isJSONSpace
    else { return true }
    pointee.failure = violation(
      Walk(expectation: .nextDocument, stop: .violation, offset: eventEnd))
    return false
  }

  @inline(never)
  func refuseDepth() -> Bool {
    pointee.failure = ParsingError(
      kind: .limit, location: tokenLocation, path: path,
      message: """
        more than \(pointee.limits.depth) containers inside each other; \
        ParserLimits.depth may be raised
        """)
    return false
  }

  @inline(never)
  func refuseToken(_ kind: PendingToken.Kind) -> Int32 {
    let path = kind == .key ? path(ofContainerAt: depth) : path
    pointee.failure = overlong(kind, at: tokenLocation, path: path)
    return 0
  }

  func overlong(
    _ kind: PendingToken.Kind, at location: SourceLocation, path: String
  ) -> ParsingError {
    let limits = pointee.limits
    let message =
      switch kind {
      case .key: "a key of more than \(limits.keyBytes) bytes; ParserLimits.keyBytes may be raised"
      case .number:
        "a number of more than \(limits.numberBytes) bytes; ParserLimits.numberBytes may be raised"
      case .string, .literal:
        "a string of more than \(limits.tokenBytes) bytes; ParserLimits.tokenBytes may be raised"
      }
    return ParsingError(kind: .limit, location: location, path: path, message: message)
  }

  /// Tells whether the string or key at hand is past its limit as it is written in the document.
  @inline(never)
  func isTooLong(_ kind: PendingToken.Kind) -> Bool {
    let quotes = 2
    return eventEnd - tokenLocation.offset - quotes > limit(of: kind)
  }

  /// Tells whether a token without its end is past its limit at the given offset.
  func isTooLong(_ token: PendingToken, at offset: Int) -> Bool {
    let quote = token.kind == .key || token.kind == .string ? 1 : 0
    return offset - token.location.offset - quote > limit(of: token.kind)
  }

  func limit(of kind: PendingToken.Kind) -> Int {
    switch kind {
    case .key: pointee.limits.keyBytes
    case .number: pointee.limits.numberBytes
    case .string, .literal: pointee.limits.tokenBytes
    }
  }
}
