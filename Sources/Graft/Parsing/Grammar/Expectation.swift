// The grammar of JSON byte by byte: the tokens that may come next, and the effect of each byte.

/// The next token or separator that the grammar of RFC 8259 allows.
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

extension Expectation {
  /// Returns the expectation after an allowed comma or colon, or nil for any other byte.
  func afterSeparator(_ byte: UInt8) -> Expectation? {
    switch (self, byte) {
    case (.commaInArray, UInt8(ascii: ",")): .element
    case (.commaInObject, UInt8(ascii: ",")): .nextKey
    case (.colon, UInt8(ascii: ":")): .memberValue
    default: nil
    }
  }

  /// Returns whether a token that begins with the byte is allowed here.
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

  /// Returns the expectation after a value in a container, or after a document.
  static func afterValue(in containers: ContainerStack, isStream: Bool) -> Expectation {
    if containers.isEmpty { return isStream ? .nextDocument : .endOfDocument }
    return containers.top.isArray ? .commaInArray : .commaInObject
  }

  /// Whether a string is a key here.
  var isKey: Bool { self == .firstKey || self == .nextKey }

  /// Returns the kind of token that begins with the byte here.
  func kind(of byte: UInt8) -> PendingToken.Kind {
    switch byte {
    case UInt8(ascii: "\""): isKey ? .key : .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
    default: .literal
    }
  }
}

extension UInt8 {
  /// White space of RFC 8259.
  @inline(__always)
  var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  /// Whether a document that begins with the byte needs no white space before it, where documents may touch.
  var mayTouchDocument: Bool {
    self == UInt8(ascii: "{") || self == UInt8(ascii: "[") || self == UInt8(ascii: "\"")
  }

  var beginsJSONValue: Bool {
    switch self {
    case UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "{"),
      UInt8(ascii: "["):
      true
    default: false
    }
  }

  var continuesNumber: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
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

  /// Returns whether the token ends in bytes that continue it.
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
      return !bytes.allSatisfy { $0.continuesNumber }
    case .literal:
      return true
    }
  }

  /// Returns whether a token that continues at `offset` is longer than its limit.
  func isTooLong(at offset: Int, _ limits: ParserLimits) -> Bool {
    let quote = kind == .key || kind == .string ? 1 : 0
    return offset - location.offset - quote > limits.bytes(of: kind)
  }
}

extension ParserLimits {
  /// Returns the limit of a token.
  func bytes(of kind: PendingToken.Kind) -> Int {
    switch kind {
    case .key: keyBytes
    case .number: numberBytes
    case .string: tokenBytes
    case .literal: .max
    }
  }
}
