// The stretch between the last event and the place reached, which holds white space, commas, colons
// and perhaps the beginning of a token.
//
// YAJL tells of an error when it has the whole of an offending token, and its offsets depend on the
// kind of error and, for one of them, on the cutting. So the place and the wording of errors
// between tokens are found here: the walk knows what the grammar expects after the last event, and
// stops at the first byte that cannot stand. It runs once at the end of each piece and once when
// YAJL complains. An error that YAJL would find later, with the next piece, is found at once, and
// an error that YAJL never finds (an unterminated string after the document) is found at all.
//
// The walk is exact because every token that was allowed and complete gave an event: what
// follows the last event is at most one comma or colon, white space, and one token that is
// incomplete or wrong.

/// What may come next.
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

/// A gap that reaches the end of a piece.
struct Gap {
  /// Where the event before the gap ended.
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
}

/// Where a walk through a gap came to its end.
struct Walk {
  enum Stop {
    /// The end of the piece.
    case end
    /// A token that may stand here begins.
    case token
    /// A byte that cannot stand here.
    case violation
  }

  var expectation: Expectation
  var stop: Stop
  var offset: Int
}

extension StatePointer {
  /// Walks from the last event to the end of the piece.
  ///
  /// - Precondition: No token is pending from an earlier piece (see ``pendingToken``).
  func walkGap() -> Walk {
    let isContinued = pointee.gap.start == eventEnd
    var walk = Walk(
      expectation: isContinued ? pointee.gap.expectation : expectationAfterEvent, stop: .end,
      offset: Swift.max(eventEnd, pointee.pieceBase))
    let end = pointee.pieceBase + pointee.pieceCount
    while walk.offset < end {
      let byte = pointee.piece[walk.offset - pointee.pieceBase]
      if !byte.isJSONSpace {
        guard let next = walk.expectation.afterSeparator(byte) else {
          let isApart = walk.expectation != .nextDocument || walk.offset > eventEnd
          walk.stop = isApart && walk.expectation.allows(byte) ? .token : .violation
          return walk
        }
        walk.expectation = next
      }
      walk.offset += 1
    }
    return walk
  }

  /// The token that had begun when the piece began, as long as it has not given its event.
  var pendingToken: PendingToken? {
    pointee.gap.start == eventEnd ? pointee.gap.token : nil
  }

  private var expectationAfterEvent: Expectation {
    let isRoot = pointee.top == pointee.levels
    let isArray = pointee.top.pointee.isArray
    switch lastEvent {
    case .nothing: return .document
    case .opening: return isArray ? .firstElement : .firstKey
    case .key: return .colon
    case .value where isRoot: return pointee.isStream ? .nextDocument : .endOfDocument
    case .value: return isArray ? .commaInArray : .commaInObject
    }
  }
}

extension Expectation {
  /// What comes after a comma or colon that may stand here; nil if the byte is none.
  func afterSeparator(_ byte: UInt8) -> Expectation? {
    switch (self, byte) {
    case (.commaInArray, UInt8(ascii: ",")): .element
    case (.commaInObject, UInt8(ascii: ",")): .nextKey
    case (.colon, UInt8(ascii: ":")): .memberValue
    default: nil
    }
  }

  /// Tells whether a token that begins with the byte may stand here.
  func allows(_ byte: UInt8) -> Bool {
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
  func kind(of byte: UInt8) -> PendingToken.Kind {
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
}
