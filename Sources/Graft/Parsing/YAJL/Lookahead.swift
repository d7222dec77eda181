// What lies between the last event and the end of the input so far: white space, a comma or colon,
// and perhaps the beginning of a token.
//
// YAJL reports an error only when it has read the whole of an offending token, and the offset that
// it tells then depends on the kind of error, for one kind even on the cutting. So errors between
// tokens are found here: the scan knows what the grammar expects after the last event, and stops at
// the first byte that is not allowed. It runs once at the end of each slice, and once where YAJL
// complains. That also finds an error at the end of the slice that YAJL would find with the next
// one, and an error that YAJL never finds: `[1] "abc`, an unterminated string after the document.
//
// The scan can be exact because every token that was complete and allowed has given an event: what
// follows the last event is at most one comma or colon, white space, and one token that is
// incomplete or wrong. After the event 1 in `{"a": 1, "b`, for instance, the scan expects a comma
// or `}`, finds the comma, then expects a key, and finds that one begins at offset 9.

/// What may come next in a document, by the grammar of RFC 8259.
enum Expectation: UInt8 {
  case document
  case nextDocument
  case endOfDocument
  case firstElement
  case element
  case firstKey
  case nextKey
  case colon
  case memberValue
  case commaInArray
  case commaInObject
}

/// What followed the last event when a slice ended; the next slice goes on from here.
struct Lookahead {
  /// Where the token of that event ended; after a later event the lookahead no longer counts.
  var start = 0
  /// What may come next; where a token has begun, what that token is.
  var expectation = Expectation.document
  /// A token that has begun and is not complete.
  var token: PendingToken?
}

/// A token that has begun.
struct PendingToken {
  enum Kind: UInt8 {
    case key
    case string
    case number
    case literal
  }

  var kind: Kind
  var location: SourceLocation

  /// Whether the token ends in bytes that continue it.
  ///
  /// - Precondition: The bytes do not begin inside an escape.
  func ends(in bytes: BorrowedBuffer<UInt8>) -> Bool {
    switch kind {
    case .key, .string:
      var index = 0
      while index < bytes.count {
        if bytes[index] == UInt8(ascii: "\"") { return true }
        index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
      }
      return false
    case .number:
      return !bytes.allSatisfy(\.continuesNumber)
    case .literal:
      return true
    }
  }
}

/// How far a scan of what is between tokens has come.
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
          let isApart = scan.expectation != .nextDocument || scan.offset > lastEnd
          scan.stop = isApart && scan.expectation.allows(byte) ? .token : .violation
          return scan
        }
        scan.expectation = next
      }
      scan.offset += 1
    }
    return scan
  }

  /// The token at which a scan has stopped.
  func token(at scan: SeparatorScan) -> PendingToken? {
    guard scan.stop == .token, let byte = pointee.slice.byte(at: scan.offset) else { return nil }
    return PendingToken(kind: scan.expectation.kind(of: byte), location: location(of: scan.offset))
  }

  /// Looks at what follows the last event, at the end of a slice that YAJL has accepted.
  func lookAhead() throws(ParsingError) {
    var token = pendingToken
    if token == nil {
      let scan = scanSeparators()
      guard scan.stop != .violation else { throw Diagnosis(self).violation(scan) }
      token = self.token(at: scan)
      pointee.lookahead = Lookahead(start: eventEnd, expectation: scan.expectation, token: token)
    }
    if let token, isTooLong(token, at: pointee.slice.end) {
      throw Diagnosis(self).overlong(token, path: pathOfNext)
    }
  }

  /// The path of what is expected next, as far as the lookahead knows.
  var pathOfNext: String { path(of: pointee.lookahead.expectation) }

  /// The path that an error has where something is expected and not found.
  func path(of expectation: Expectation) -> String {
    let containers = pointee.containers
    return switch expectation {
    case .document, .nextDocument, .endOfDocument: "$"
    case .colon, .memberValue: containers.path
    case .firstKey, .nextKey, .commaInArray, .commaInObject:
      containers.path(ofContainerAt: containers.depth)
    case .firstElement, .element: containers.pathOfNextElement
    }
  }

  private var expectationAfterEvent: Expectation {
    let isArray = pointee.containers.top.isArray
    switch eventKind {
    case .none: return .document
    case .opening: return isArray ? .firstElement : .firstKey
    case .key: return .colon
    case .value where pointee.containers.isEmpty:
      return pointee.isStream ? .nextDocument : .endOfDocument
    case .value: return isArray ? .commaInArray : .commaInObject
    }
  }
}

// MARK: - Limits of tokens

extension StatePointer {
  /// Whether the string or key of the current event is longer than its limit, as it is written in
  /// the document.
  @inline(never)
  func isTooLong(_ kind: PendingToken.Kind) -> Bool {
    let quotes = 2
    return eventEnd - tokenLocation.offset - quotes > limit(of: kind)
  }

  /// Whether a token that goes on at an offset is longer than its limit.
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

// MARK: - The grammar, byte by byte

extension Expectation {
  /// What comes after a comma or colon that is allowed here; nil if the byte is none.
  fileprivate func afterSeparator(_ byte: UInt8) -> Expectation? {
    switch (self, byte) {
    case (.commaInArray, UInt8(ascii: ",")): .element
    case (.commaInObject, UInt8(ascii: ",")): .nextKey
    case (.colon, UInt8(ascii: ":")): .memberValue
    default: nil
    }
  }

  /// Whether a token that begins with the byte is allowed here.
  fileprivate func allows(_ byte: UInt8) -> Bool {
    switch self {
    case .document, .nextDocument, .element, .memberValue: byte.beginsJSONValue
    case .firstElement: byte.beginsJSONValue || byte == UInt8(ascii: "]")
    case .firstKey: byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "}")
    case .nextKey: byte == UInt8(ascii: "\"")
    case .commaInArray: byte == UInt8(ascii: "]")
    case .commaInObject: byte == UInt8(ascii: "}")
    case .endOfDocument, .colon: false
    }
  }

  /// The kind of token that begins with the byte here.
  fileprivate func kind(of byte: UInt8) -> PendingToken.Kind {
    switch byte {
    case UInt8(ascii: "\""): self == .firstKey || self == .nextKey ? .key : .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
    default: .literal
    }
  }
}

extension UInt8 {
  /// White space of RFC 8259.
  @inline(__always)
  var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  var beginsJSONValue: Bool {
    switch self {
    case UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "{"),
      UInt8(ascii: "["):
      true
    default: false
    }
  }

  fileprivate var continuesNumber: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
