// Finds the reason why YAJL refused a text. The scan of Lookahead.swift finds faults between
// tokens. YAJL's own message and offset count only inside a token that is allowed where it begins.

#if canImport(CYAJL)

import CYAJL

extension StatePointer {
  /// Explains why YAJL refused the slice.
  ///
  /// Call it at once: YAJL forgets its offset with the next call.
  func refusal() -> ParsingError {
    let reached = bytesConsumed
    if let token = pendingToken {
      return diagnosis().violation(
        yajlFault, at: reached, in: token, as: pointee.lookahead.expectation)
    }
    let scan = scanSeparators()
    guard let token = token(at: scan) else {
      return diagnosis().violation(of: scan.expectation, at: scan.offset)
    }
    return diagnosis().violation(yajlFault, at: reached, in: token, as: scan.expectation)
  }

  /// Returns the error of a document that ends too early.
  func truncation() -> ParsingError {
    let token = pendingToken
    let expectation =
      token == nil ? scanSeparators().expectation : pointee.lookahead.expectation
    return diagnosis().truncation(in: token, expectation, at: pointee.slice.start)
  }

  /// The fault of a token, read from YAJL's message.
  ///
  /// The short form is asked for: the long one quotes the input, and its place is wrong in chunks.
  private var yajlFault: LexicalFault {
    // The text is YAJL's to free.
    guard let text = unsafe yajl_get_error(pointee.handle, 0, nil, 0) else {
      return .other("not valid JSON")
    }
    defer { unsafe yajl_free_error(pointee.handle, text) }
    return switch unsafe String(cString: text).prefix(while: { $0 != "\n" }) {
    case let text where text.contains("after the minus sign"): .minusWithoutDigit
    case let text where text.contains("after the decimal point"): .pointWithoutDigit
    case let text where text.contains("after the exponent"): .exponentWithoutDigit
    case let text where text.contains("non-hex"): .escapeWithoutDigits
    case let text where text.contains("invalid character inside string"): .unescapedControl
    case let text where text.contains("occurs before a character which it may not"):
      .unknownEscape
    case let text where text.contains("invalid string in json text"): .misspelledWord
    case let text: .other(String(text))
    }
  }
}

#endif
