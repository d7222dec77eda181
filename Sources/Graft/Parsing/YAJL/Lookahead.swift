// Reads the input between the last event and the end so far: white space, a comma or colon, and
// perhaps the beginning of a token.
//
// YAJL reports an error only after the whole offending token. The offset that it reports depends on
// the kind of error, and for one kind even on how the input is cut. So errors between tokens are
// found here: the scan knows the expectation after the last event, and stops at the first byte that
// is not allowed. It runs once at the end of each slice, and once where YAJL complains. It also
// finds an error at the end of the slice, which YAJL would find with the next slice, and an error
// that YAJL never finds: `[1] "abc`, an unterminated string after the document.
//
// The scan can be exact because each complete and allowed token has given an event. After the last
// event there is at most one comma or colon, white space, and one incomplete or wrong token. After
// the event 1 in `{"a": 1, "b`, for instance, the scan expects a comma or `}`, finds the comma,
// then expects a key, and finds that one begins at offset 9.

#if canImport(CYAJL)

/// The point at which a scan stopped at the end of a slice; the next slice continues from here.
struct Lookahead {
  /// The end of that event's token; after a later event the lookahead no longer counts.
  var start = 0
  /// The expectation at the end of the scan; inside a token, the kind of the token.
  var expectation = Expectation.document
  /// A token that has begun and is not complete.
  var token: PendingToken?
}

/// The progress of a scan between tokens.
struct SeparatorScan {
  enum Stop {
    /// The end of the slice.
    case end
    /// The beginning of a token that is allowed.
    case token
    /// A byte that is not allowed.
    case violation
  }

  var expectation: Expectation
  var stop: Stop
  var offset: Int
}

extension StatePointer {
  /// The token that had begun when the slice began, as long as it has given no event.
  var pendingToken: PendingToken? {
    pointee.lookahead.start == eventEnd ? pointee.lookahead.token : nil
  }

  /// Scans from the last event to the end of the slice.
  ///
  /// - Precondition: No token is pending from an earlier slice (see ``pendingToken``).
  func scanSeparators() -> SeparatorScan {
    let slice = pointee.slice
    let lookahead = pointee.lookahead
    let lastEnd = eventEnd
    var scan = SeparatorScan(
      expectation: lookahead.start == lastEnd ? lookahead.expectation : expectationAfterEvent,
      stop: .end, offset: Swift.max(lastEnd, slice.start))
    while let byte = slice.byte(at: scan.offset) {
      if !byte.isJSONSpace {
        guard let next = scan.expectation.afterSeparator(byte) else {
          let isApart =
            scan.expectation != .nextDocument || scan.offset > lastEnd
            || pointee.documentsMayTouch && byte.mayTouchDocument
          scan.stop = isApart && scan.expectation.allows(byte) ? .token : .violation
          return scan
        }
        scan.expectation = next
      }
      scan.offset += 1
    }
    return scan
  }

  /// Returns the token at which a scan has stopped.
  func token(at scan: SeparatorScan) -> PendingToken? {
    guard scan.stop == .token, let byte = pointee.slice.byte(at: scan.offset) else { return nil }
    return PendingToken(
      kind: scan.expectation.kind(of: byte), location: location(of: scan.offset))
  }

  /// Reads the text after the last event, at the end of a slice that YAJL has accepted.
  func lookAhead() throws(ParsingError) {
    var token = pendingToken
    if token == nil {
      let scan = scanSeparators()
      guard scan.stop != .violation else {
        throw diagnosis().violation(of: scan.expectation, at: scan.offset)
      }
      token = self.token(at: scan)
      pointee.lookahead = Lookahead(start: eventEnd, expectation: scan.expectation, token: token)
    }
    if let token, token.isTooLong(at: pointee.slice.end, pointee.limits) {
      let path = pointee.containers.path(of: pointee.lookahead.expectation)
      throw diagnosis().overlong(token, path: path)
    }
  }

  private var expectationAfterEvent: Expectation {
    let isArray = pointee.containers.top.isArray
    switch eventKind {
    case .none: return .document
    case .opening: return isArray ? .firstElement : .firstKey
    case .key: return .colon
    case .value:
      return .afterValue(in: pointee.containers, isStream: pointee.isStream)
    }
  }

  /// Returns whether the string or key of the current event is longer than its limit, as it is
  /// written in the document.
  @inline(never)
  func isTooLong(_ kind: PendingToken.Kind) -> Bool {
    let quotes = 2
    return eventEnd - tokenLocation.offset - quotes > pointee.limits.bytes(of: kind)
  }
}

#endif
