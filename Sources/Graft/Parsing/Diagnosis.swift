// From YAJL's "no" to an error for people. What stands between tokens is judged by the walk
// (Gap.swift); YAJL's own words and offset count only inside a token that may stand where it does.

import CYAJL

extension StatePointer {
  /// Explains why YAJL refused the piece.
  ///
  /// To be called at once: YAJL forgets its offset with the next call.
  func diagnosis() -> ParsingError {
    let reached = pointee.pieceBase + yajl_get_bytes_consumed(pointee.handle)
    guard let token = pendingToken else {
      let walk = walkGap()
      guard walk.stop == .token else { return violation(walk) }
      return lexicalError(in: token(at: walk), as: walk.expectation, reached: reached)
    }
    return lexicalError(in: token, as: pointee.gap.expectation, reached: reached)
  }

  func token(at walk: Walk) -> PendingToken {
    let kind = walk.expectation.kind(of: pointee.piece[walk.offset - pointee.pieceBase])
    return PendingToken(kind: kind, location: location(of: walk.offset))
  }

  private func lexicalError(
    in token: PendingToken, as expectation: Expectation, reached: Int
  ) -> ParsingError {
    let path = path(ofNext: expectation)
    if isTooLong(token, at: reached) {
      return overlong(token.kind, at: token.location, path: path)
    }
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
        "'\\' cannot stand before \(found) in a string"
      case let text where text.contains("invalid string in json text"):
        "expected true, false or null, found \(found) inside the word"
      case let text: text
      }
    return ParsingError(
      kind: .syntax, location: location(of: reached), path: path, message: message)
  }

  /// The error of a byte that cannot stand where it does.
  func violation(_ walk: Walk) -> ParsingError {
    let index = walk.offset - pointee.pieceBase
    let byte = index >= 0 && index < pointee.pieceCount ? pointee.piece[index] : 0
    let found =
      switch byte {
      case UInt8(ascii: "\""): "a string"
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): "a number"
      default: found(at: walk.offset)
      }
    let message =
      switch (walk.expectation, byte) {
      case (.element, UInt8(ascii: "]")): "expected another element after ',', found ']'"
      case (.nextKey, UInt8(ascii: "}")): "expected another member after ',', found '}'"
      case (.nextDocument, _) where byte.beginsJSONValue:
        "expected white space between two documents, found \(found)"
      default: "expected \(walk.expectation.words), found \(found)\(Self.hint(byte))"
      }
    return ParsingError(
      kind: .syntax, location: location(of: walk.offset), path: path(ofNext: walk.expectation),
      message: message)
  }

  /// The error of a document that ends too early.
  func truncation() -> ParsingError {
    let expectation: Expectation
    let message: String
    if let token = pendingToken {
      expectation = pointee.gap.expectation
      let noun =
        switch token.kind {
        case .key: "a key"
        case .string: "a string"
        case .number: "a number"
        case .literal: "a word"
        }
      message = "the document ends inside \(noun) that begins at \(token.location)"
    } else {
      expectation = walkGap().expectation
      message =
        expectation == .document
        ? "the document is empty: expected a value"
        : "the document ends too early: expected \(expectation.words)"
    }
    return ParsingError(
      kind: .truncated, location: location(of: pointee.pieceBase), path: path(ofNext: expectation),
      message: message)
  }

  /// YAJL's message, without its prefix.
  private var yajlMessage: String {
    guard let text = yajl_get_error(pointee.handle, 0, nil, 0) else { return "not valid JSON" }
    defer { yajl_free_error(pointee.handle, text) }
    let line = String(cString: text).prefix { $0 != "\n" }
    return String(line)
  }

  /// The byte or character at an offset, in words.
  private func found(at offset: Int) -> String {
    let index = offset - pointee.pieceBase
    guard index >= 0, index < pointee.pieceCount else { return "the end" }
    let byte = pointee.piece[index]
    switch byte {
    case UInt8(ascii: "'"): return "an apostrophe"
    case UInt8(ascii: "\n"): return "a line feed"
    case UInt8(ascii: "\r"): return "a carriage return"
    case UInt8(ascii: "\t"): return "a tab"
    case 0x20: return "a space"
    case 0x21...0x7E: return "'\(Character(Unicode.Scalar(byte)))'"
    case 0x80...:
      // The filter lets only whole characters through, so this one is whole.
      let rest = UnsafeBufferPointer(
        start: pointee.piece + index, count: Swift.min(4, pointee.pieceCount - index))
      let text = String(decoding: rest, as: UTF8.self)
      return text.unicodeScalars.first.map { "'\(Character($0))'" } ?? "a byte"
    default: return "the control character \(byte.hexadecimal)"
    }
  }

  private static func hint(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "/"): " (JSON has no comments)"
    case UInt8(ascii: "'"): " (strings stand in double quotes)"
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
  var words: String {
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
  var hexadecimal: String {
    let digits = String(self, radix: 16, uppercase: true)
    return (digits.count < 2 ? "0x0" : "0x") + digits
  }
}
