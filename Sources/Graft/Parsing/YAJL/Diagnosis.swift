// From YAJL's refusal, or the layer's own, to an error for people. What is between tokens is judged
// by the scan of Lookahead.swift; YAJL's own message and offset count only inside a token that is
// allowed where it begins.

import CYAJL

/// Makes the errors of a document from the place that has been reached in it.
struct Diagnosis {
  private let state: StatePointer

  init(_ state: StatePointer) {
    self.state = state
  }

  // MARK: Errors that YAJL has found

  /// Explains why YAJL refused the slice.
  ///
  /// To be called at once: YAJL forgets its offset with the next call.
  func refusal() -> ParsingError {
    let reached = state.bytesConsumed
    if let token = state.pendingToken {
      return lexicalError(in: token, as: state.pointee.lookahead.expectation, reached: reached)
    }
    let scan = state.scanSeparators()
    guard let token = state.token(at: scan) else { return violation(scan) }
    return lexicalError(in: token, as: scan.expectation, reached: reached)
  }

  private func lexicalError(
    in token: PendingToken, as expectation: Expectation, reached: Int
  ) -> ParsingError {
    let path = state.path(of: expectation)
    if state.isTooLong(token, at: reached) { return overlong(token, path: path) }
    let found = found(at: reached)
    let message =
      switch yajlMessage {
      case let text where text.contains("after the minus sign"):
        "expected a digit after '-', found \(found)"
      case let text where text.contains("after the decimal point"):
        "expected a digit after the decimal point, found \(found)"
      case let text where text.contains("after the exponent"):
        "expected a digit in the exponent, found \(found)"
      case let text where text.contains("non-hex"):
        "expected four hexadecimal digits after '\\u', found \(found)"
      case let text where text.contains("invalid character inside string"):
        "\(found) must be escaped in a string"
      case let text where text.contains("occurs before a character which it may not"):
        "'\\' is not allowed before \(found) in a string"
      case let text where text.contains("invalid string in json text"):
        "expected true, false or null, found \(found) inside the word"
      case let text: text
      }
    return ParsingError(
      kind: .syntax, location: state.location(of: reached), path: path, message: message)
  }

  /// YAJL's message, without its prefix.
  ///
  /// The short form is asked for: the long one quotes the input, and its place is wrong in chunks.
  private var yajlMessage: String {
    // The text is YAJL's to free.
    guard let text = unsafe yajl_get_error(state.pointee.handle, 0, nil, 0) else {
      return "not valid JSON"
    }
    defer { unsafe yajl_free_error(state.pointee.handle, text) }
    return unsafe String(String(cString: text).prefix { $0 != "\n" })
  }

  // MARK: Errors that YAJL does not find, or not at the right place

  /// The error of a byte that is not allowed between tokens.
  func violation(_ scan: SeparatorScan) -> ParsingError {
    let byte = state.pointee.slice.byte(at: scan.offset) ?? 0
    let found =
      switch byte {
      case UInt8(ascii: "\""): "a string"
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): "a number"
      default: found(at: scan.offset)
      }
    let message =
      switch (scan.expectation, byte) {
      case (.element, UInt8(ascii: "]")): "expected another element after ',', found ']'"
      case (.nextKey, UInt8(ascii: "}")): "expected another member after ',', found '}'"
      case (.nextDocument, _) where byte.beginsJSONValue:
        "expected white space between two documents, found \(found)"
      default: "expected \(scan.expectation.words), found \(found)\(Self.hint(byte))"
      }
    return ParsingError(
      kind: .syntax, location: state.location(of: scan.offset),
      path: state.path(of: scan.expectation), message: message)
  }

  /// The error of bytes that the filter has stopped at.
  func violation(_ fault: TextFilter.Fault) -> ParsingError {
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
      kind: kind, location: state.location(of: state.pointee.slice.start), path: state.pathOfNext,
      message: message)
  }

  /// The error of a document that ends too early.
  func truncation() -> ParsingError {
    let expectation: Expectation
    let message: String
    if let token = state.pendingToken {
      expectation = state.pointee.lookahead.expectation
      let noun =
        switch token.kind {
        case .key: "a key"
        case .string: "a string"
        case .number: "a number"
        case .literal: "a word"
        }
      message = "the document ends inside \(noun) that begins at \(token.location)"
    } else {
      expectation = state.scanSeparators().expectation
      message =
        expectation == .document
        ? "the document is empty: expected a value"
        : "the document ends too early: expected \(expectation.words)"
    }
    return ParsingError(
      kind: .truncated, location: state.location(of: state.pointee.slice.start),
      path: state.path(of: expectation), message: message)
  }

  // MARK: Limits

  /// The error of a token that is longer than its limit.
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
        a \(noun) of more than \(state.limit(of: token.kind)) bytes; \
        ParserLimits.\(option) may be raised
        """)
  }

  /// The error of a container that is nested deeper than the limit.
  func tooDeep() -> ParsingError {
    ParsingError(
      kind: .limit, location: state.tokenLocation, path: state.pointee.containers.path,
      message: """
        more than \(state.pointee.limits.depth) containers inside each other; \
        ParserLimits.depth may be raised
        """)
  }

  // MARK: Words

  /// The byte or character at an offset, in words.
  private func found(at offset: Int) -> String {
    guard let byte = state.pointee.slice.byte(at: offset) else { return "the end" }
    switch byte {
    case UInt8(ascii: "'"): return "an apostrophe"
    case UInt8(ascii: "\n"): return "a line feed"
    case UInt8(ascii: "\r"): return "a carriage return"
    case UInt8(ascii: "\t"): return "a tab"
    case 0x20: return "a space"
    case 0x21...0x7E: return "'\(Character(Unicode.Scalar(byte)))'"
    case 0x80...:
      // The filter lets only whole characters through, so this one is whole.
      let slice = state.pointee.slice
      let text = String(
        decoding: slice.bytes.dropFirst(offset - slice.start).prefix(4), as: UTF8.self)
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
  /// What is expected, in words.
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
