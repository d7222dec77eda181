// Makes an error for people from a place in the document and a fault. Words and places are the same
// for both engines.

/// A fault inside a token, named by the byte where it is.
enum LexicalFault {
  case minusWithoutDigit
  case pointWithoutDigit
  case exponentWithoutDigit
  case escapeWithoutDigits
  case unknownEscape
  case unescapedControl
  case misspelledWord
  /// Another expectation, as text.
  case other(String)
}

/// Makes the errors of a document from the place that has been reached in it.
struct Diagnosis {
  private let slice: InputSlice
  /// The bytes with the fault: the slice, or a token that began in an earlier slice.
  private let text: InputSlice
  private let containers: ContainerStack
  private let limits: ParserLimits
  private let lines: LineTracker

  init(
    _ slice: InputSlice, _ containers: ContainerStack, _ lines: LineTracker,
    _ limits: ParserLimits, text: InputSlice? = nil
  ) {
    self.slice = slice
    self.text = text ?? slice
    self.containers = containers
    self.lines = lines
    self.limits = limits
  }

  /// Returns the error of a token that is wrong inside.
  func violation(
    _ fault: LexicalFault, at offset: Int, in token: PendingToken, as expectation: Expectation
  ) -> ParsingError {
    let path = containers.path(of: expectation)
    if token.isTooLong(at: offset, limits) { return overlong(token, path: path) }
    let found = found(at: offset)
    let message =
      switch fault {
      case .minusWithoutDigit: "expected a digit after '-', found \(found)"
      case .pointWithoutDigit: "expected a digit after the decimal point, found \(found)"
      case .exponentWithoutDigit: "expected a digit in the exponent, found \(found)"
      case .escapeWithoutDigits: "expected four hexadecimal digits after '\\u', found \(found)"
      case .unescapedControl: "\(found) must be escaped in a string"
      case .unknownEscape: "'\\' is not allowed before \(found) in a string"
      case .misspelledWord: "expected true, false or null, found \(found) inside the word"
      case .other(let words): words
      }
    return ParsingError(
      kind: .syntax, location: location(of: offset), path: path, message: message)
  }

  /// Returns the error of a byte that is not allowed between tokens.
  func violation(of expectation: Expectation, at offset: Int) -> ParsingError {
    let byte = text.byte(at: offset) ?? 0
    let found =
      switch byte {
      case UInt8(ascii: "\""): "a string"
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): "a number"
      default: found(at: offset)
      }
    let message =
      switch (expectation, byte) {
      case (.element, UInt8(ascii: "]")): "expected another element after ',', found ']'"
      case (.nextKey, UInt8(ascii: "}")): "expected another member after ',', found '}'"
      case (.nextDocument, _) where byte.beginsJSONValue:
        "expected white space between two documents, found \(found)"
      default: "expected \(expectation.words), found \(found)\(Self.hint(byte))"
      }
    return ParsingError(
      kind: .syntax, location: location(of: offset), path: containers.path(of: expectation),
      message: message)
  }

  /// Returns the error of bytes that the filter has stopped at.
  func violation(
    _ fault: TextFilter.Fault, at offset: Int, in expectation: Expectation
  ) -> ParsingError {
    let (kind, message): (ParsingError.Kind, String) =
      switch fault {
      case .verticalTab:
        (.syntax, "a vertical tab (0x0B) is not allowed in JSON; it must be escaped in strings")
      case .formFeed:
        (.syntax, "a form feed (0x0C) is not allowed in JSON; it must be escaped in strings")
      case .invalidUTF8(let byte):
        (.encoding, "invalid UTF-8: the byte \(byte.hexadecimal) is not allowed here")
      case .loneSurrogate:
        (.encoding, "half a surrogate pair; expected the escape of its other half")
      }
    return ParsingError(
      kind: kind, location: location(of: offset), path: containers.path(of: expectation),
      message: message)
  }

  /// Returns the error of a document that ends too early.
  ///
  /// - Parameters:
  ///   - token: The token that has begun and not ended, if any.
  ///   - expectation: The kind of the token, or the missing part.
  ///   - end: The end of the document.
  /// - Returns: The error.
  func truncation(
    in token: PendingToken?, _ expectation: Expectation, at end: Int
  ) -> ParsingError {
    let message: String
    if let token {
      let noun =
        switch token.kind {
        case .key: "a key"
        case .string: "a string"
        case .number: "a number"
        case .literal: "a word"
        }
      message = "the document ends inside \(noun) that begins at \(token.location)"
    } else {
      message =
        expectation == .document
        ? "the document is empty: expected a value"
        : "the document ends too early: expected \(expectation.words)"
    }
    return ParsingError(
      kind: .truncated, location: location(of: end), path: containers.path(of: expectation),
      message: message)
  }

  // MARK: Limits

  /// Returns the error of a token that is longer than its limit.
  func overlong(_ token: PendingToken, path: String) -> ParsingError {
    let (noun, option) =
      switch token.kind {
      case .key: ("key", "keyBytes")
      case .number: ("number", "numberBytes")
      case .string, .literal: ("string", "tokenBytes")
      }
    return ParsingError(
      kind: .limit, location: token.location, path: path,
      message: """
        a \(noun) of more than \(limits.bytes(of: token.kind)) bytes; \
        ParserLimits.\(option) may be raised
        """)
  }

  /// Returns the error of a container that is nested deeper than the limit.
  func tooDeep(at location: SourceLocation) -> ParsingError {
    ParsingError(
      kind: .limit, location: location, path: containers.path,
      message: """
        more than \(limits.depth) containers inside each other; \
        ParserLimits.depth may be raised
        """)
  }

  // MARK: Words

  private func location(of offset: Int) -> SourceLocation {
    var lines = lines
    return lines.location(of: offset, in: slice)
  }

  /// Returns a description of the byte or character at an offset.
  private func found(at offset: Int) -> String {
    guard let byte = text.byte(at: offset) else { return "the end" }
    switch byte {
    case UInt8(ascii: "'"): return "an apostrophe"
    case UInt8(ascii: "\n"): return "a line feed"
    case UInt8(ascii: "\r"): return "a carriage return"
    case UInt8(ascii: "\t"): return "a tab"
    case 0x20: return "a space"
    case 0x21...0x7E: return "'\(Character(Unicode.Scalar(byte)))'"
    case 0x80...:
      // The filter lets only whole characters through, so this one is whole.
      let text = String(
        decoding: text.bytes.dropFirst(offset - text.start).prefix(4), as: UTF8.self)
      return text.unicodeScalars.first.map { "'\(Character($0))'" } ?? "a byte"
    default: return "the control character \(byte.hexadecimal)"
    }
  }

  private static func hint(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "/"): " (JSON has no comments)"
    case UInt8(ascii: "'"): " (strings are written in double quotes)"
    case UInt8(ascii: "N"), UInt8(ascii: "I"): " (JSON has neither NaN nor Infinity)"
    case UInt8(ascii: "T"), UInt8(ascii: "F"): " (true and false are written in small letters)"
    case UInt8(ascii: "+"): " (numbers have no plus sign)"
    case UInt8(ascii: "."): " (numbers begin with a digit)"
    default: ""
    }
  }
}

extension Expectation {
  /// A description of the expected token.
  fileprivate var words: String {
    switch self {
    case .document, .element, .memberValue: "a value"
    case .nextDocument: "white space or another document"
    case .endOfDocument: "nothing but white space after the document"
    case .firstElement: "a value or ']'"
    case .firstKey: "a key in double quotes or '}'"
    case .nextKey: "a key in double quotes"
    case .colon: "':' after the key"
    case .commaInArray: "',' or ']' after an array element"
    case .commaInObject: "',' or '}' after an object member"
    }
  }
}

extension UInt8 {
  /// Such as `0x0B`.
  fileprivate var hexadecimal: String {
    let digits = String(self, radix: 16, uppercase: true)
    return (digits.count < 2 ? "0x0" : "0x") + digits
  }
}
