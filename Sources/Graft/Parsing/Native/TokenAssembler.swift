// Reads tokens byte by byte: a token that the end of a slice cuts, a token longer than a window,
// and a token with a fault. It finds all errors of the native engine, in the same order as YAJL's
// engine: a fault for `TextFilter` comes before a fault of the token at the same byte.

/// Reads one token at a time, cut anywhere.
final class TokenAssembler {
  private enum Phase {
    /// White space, or a comma or colon.
    case betweenTokens
    case string
    case escape
    /// An escape that lacks a number of hexadecimal digits.
    case digits(Int)
    case number(NumberPart)
    /// A word, and how many of its bytes have been read.
    case word(StaticString, Int)
  }

  /// The part of a number that was read last.
  private enum NumberPart {
    case start
    case minus
    case zero
    case integer
    case point
    case fraction
    case exponent
    case exponentSign
    case exponentDigits

    /// Whether the number may end here.
    var isComplete: Bool {
      switch self {
      case .zero, .integer, .fraction, .exponentDigits: true
      default: false
      }
    }

    /// The error if the number ends here.
    var fault: LexicalFault {
      switch self {
      case .point: .pointWithoutDigit
      case .exponent, .exponentSign: .exponentWithoutDigit
      default: .minusWithoutDigit
      }
    }

    /// Returns the part to which a byte belongs; nil if it ends the number.
    func after(_ byte: UInt8) -> NumberPart? {
      switch (self, byte) {
      case (.start, UInt8(ascii: "-")): .minus
      case (.start, UInt8(ascii: "0")), (.minus, UInt8(ascii: "0")): .zero
      case (.start, UInt8(ascii: "1")...UInt8(ascii: "9")),
        (.minus, UInt8(ascii: "1")...UInt8(ascii: "9")),
        (.integer, UInt8(ascii: "0")...UInt8(ascii: "9")):
        .integer
      case (.zero, UInt8(ascii: ".")), (.integer, UInt8(ascii: ".")): .point
      case (.point, UInt8(ascii: "0")...UInt8(ascii: "9")),
        (.fraction, UInt8(ascii: "0")...UInt8(ascii: "9")):
        .fraction
      case (.zero, UInt8(ascii: "e")), (.integer, UInt8(ascii: "e")),
        (.fraction, UInt8(ascii: "e")), (.zero, UInt8(ascii: "E")),
        (.integer, UInt8(ascii: "E")), (.fraction, UInt8(ascii: "E")):
        .exponent
      case (.exponent, UInt8(ascii: "+")), (.exponent, UInt8(ascii: "-")): .exponentSign
      case (.exponent, UInt8(ascii: "0")...UInt8(ascii: "9")),
        (.exponentSign, UInt8(ascii: "0")...UInt8(ascii: "9")),
        (.exponentDigits, UInt8(ascii: "0")...UInt8(ascii: "9")):
        .exponentDigits
      default: nil
      }
    }
  }

  private let state: StateBlock<NativeState>
  private let filter: TextFilter
  private var phase = Phase.betweenTokens
  /// The token that has begun.
  private var token: PendingToken?
  /// The kind of that token.
  private var kind: UInt8 = 0
  /// The token's bytes so far.
  private var bytes: [UInt8] = []
  private var hasEscapes = false
  /// The offset after the last byte that has passed the filter.
  private var end = 0

  /// Memory for a token beyond this is not kept for the next one.
  private static let keptCapacity = 1 << 20

  init(_ state: StateBlock<NativeState>, _ options: ParserOptions) {
    self.state = state
    filter = TextFilter(
      replacesLoneSurrogates: options.loneSurrogates == .replaced,
      instructions: options.instructions)
  }

  /// Whether the beginning of a token, or of a character or escape between tokens, waits for the
  /// rest.
  var isActive: Bool { token != nil || !filter.tail.isEmpty }

  /// Begins at a place between two tokens.
  func begin(at offset: Int) {
    end = offset
  }

  /// Reads on to the end of a token.
  ///
  /// - Parameters:
  ///   - chunk: The engine's slice.
  ///   - start: The place to continue from.
  ///   - accept: Takes a token that is complete; false if the engine is to stop.
  /// - Returns: The end of the token in the chunk, or the chunk's end; nil if `accept` has stopped.
  /// - Throws: ``ParsingError`` if something is wrong.
  func read(
    _ chunk: BorrowedBuffer<UInt8>, from start: Int, accept: (AssembledToken) -> Bool
  ) throws -> Int? {
    var index = start
    var size = 64
    while index < chunk.count {
      let next = min(index + size, chunk.count)
      var outcome = Outcome.pending
      let fault = try filter.filter(chunk[index..<next]) { text in
        if case .pending = outcome { outcome = try read(text, accept) }
      }
      switch outcome {
      case .ended(let offset):
        filter.reset()
        return offset - state.pointee.slice.start
      case .stopped: return nil
      case .pending: break
      }
      if let fault {
        throw state.diagnosis().violation(fault, at: end, in: state.pointee.expectation)
      }
      index = next
      size = min(size * 2, 64 << 10)
    }
    return index
  }

  /// Ends the document.
  ///
  /// - Returns: Whether the engine has not stopped.
  /// - Throws: ``ParsingError`` if something is missing.
  func finish(accept: (AssembledToken) -> Bool) throws -> Bool {
    var outcome = Outcome.pending
    try filter.finish { outcome = try read($0, accept) }
    if case .stopped = outcome { return false }
    if case .number(let part) = phase, part.isComplete {
      guard take(accept) else { return false }
    }
    let expectation = state.pointee.expectation
    switch expectation {
    case .nextDocument where token == nil, .endOfDocument: return true
    case .document where state.pointee.isStream && token == nil: return true
    default:
      throw state.diagnosis().truncation(in: token, expectation, at: state.pointee.slice.end)
    }
  }

  // MARK: Reading

  private enum Outcome {
    /// More bytes are needed.
    case pending
    /// A token has ended before an offset.
    case ended(Int)
    /// The receiver took the token and wants no more.
    case stopped
  }

  /// Reads filtered text, which begins at `end`.
  private func read(
    _ text: BorrowedBuffer<UInt8>, _ accept: (AssembledToken) -> Bool
  ) throws(ParsingError) -> Outcome {
    let slice = InputSlice(bytes: text, start: end)
    var index = 0
    while index < text.count {
      let byte = text[index]
      switch phase {
      case .betweenTokens:
        try begin(byte, in: slice, at: index)
        index += 1
        if token == nil {
          guard byte.isStructure else { continue }
          return accept(
            AssembledToken(
              kind: byte, location: state.location(of: end + index - 1), end: end + index))
            ? .ended(end + index) : .stopped
        }
        if case .number = phase { index -= 1 }
      case .string:
        let run = text[index..<text.count].plainCount
        bytes.append(contentsOf: text[index..<index + run])
        index += run
        guard index < text.count else { break }
        switch text[index] {
        case UInt8(ascii: "\""):
          end += index + 1
          return take(accept) ? .ended(end) : .stopped
        case UInt8(ascii: "\\"):
          hasEscapes = true
          bytes.append(UInt8(ascii: "\\"))
          phase = .escape
          index += 1
        default: throw violation(.unescapedControl, slice, index)
        }
      case .escape:
        switch byte {
        case UInt8(ascii: "u"): phase = .digits(4)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
          UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
          phase = .string
        default: throw violation(.unknownEscape, slice, index)
        }
        bytes.append(byte)
        index += 1
      case .digits(let missing):
        guard byte.hexadecimalDigit != nil else {
          throw violation(.escapeWithoutDigits, slice, index)
        }
        bytes.append(byte)
        phase = missing == 1 ? .string : .digits(missing - 1)
        index += 1
      case .number(let part):
        if let next = part.after(byte) {
          bytes.append(byte)
          phase = .number(next)
          index += 1
          continue
        }
        guard part.isComplete else { throw violation(part.fault, slice, index) }
        let numberEnd = end + index
        guard take(accept, end: numberEnd) else { return .stopped }
        // The byte ends the number: neither it nor a character or escape that the filter holds back
        // is allowed after a number.
        guard byte >= 0x80 || byte == UInt8(ascii: "\\") else { return .ended(numberEnd) }
      case .word(let word, let count):
        guard byte == BorrowedBuffer(word)[count] else {
          throw violation(.misspelledWord, slice, index)
        }
        index += 1
        phase = .word(word, count + 1)
        guard count + 1 == word.utf8CodeUnitCount else { continue }
        end += index
        return take(accept) ? .ended(end) : .stopped
      }
    }
    end += text.count
    if let token, token.isTooLong(at: end, state.pointee.limits) {
      let path = state.pointee.containers.path(of: state.pointee.expectation)
      throw state.diagnosis(slice).overlong(token, path: path)
    }
    return .pending
  }

  /// Takes a byte between tokens: white space, a comma or colon, or the first byte of a token.
  @inline(never)
  private func begin(
    _ byte: UInt8, in slice: InputSlice, at index: Int
  ) throws(ParsingError) {
    if byte.isJSONSpace { return }
    let expectation = state.pointee.expectation
    if let next = expectation.afterSeparator(byte) {
      state.pointee.expectation = next
      return
    }
    let offset = slice.start + index
    let isApart =
      expectation != .nextDocument || offset > state.pointee.documentEnd
      || state.pointee.documentsMayTouch && byte.mayTouchDocument
    guard isApart, expectation.allows(byte) else {
      throw state.diagnosis(slice).violation(of: expectation, at: offset)
    }
    switch byte {
    case UInt8(ascii: "\""): phase = .string
    case UInt8(ascii: "t"): phase = .word("true", 1)
    case UInt8(ascii: "f"): phase = .word("false", 1)
    case UInt8(ascii: "n"): phase = .word("null", 1)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): phase = .number(.start)
    default: return
    }
    kind = byte
    token = PendingToken(
      kind: expectation.kind(of: byte), location: state.location(of: offset))
  }

  /// Hands over the token, which is complete.
  ///
  /// - Returns: Whether the engine goes on.
  @inline(never)
  private func take(_ accept: (AssembledToken) -> Bool, end: Int? = nil) -> Bool {
    guard let pending = token else { return true }
    let length = bytes.count
    let hasEscapes = hasEscapes
    token = nil
    phase = .betweenTokens
    self.hasEscapes = false
    guard length <= state.pointee.limits.bytes(of: pending.kind) else {
      // A value is counted where its token is complete, and an error is at that value.
      let expectation = state.pointee.expectation
      state.pointee.failure = state.diagnosis().overlong(
        pending, path: state.pointee.containers.path(of: expectation))
      return false
    }
    var taken: [UInt8] = []
    swap(&taken, &bytes)
    let goesOn = taken.withBorrowed { text in
      accept(
        AssembledToken(
          kind: kind, text: text, hasEscapes: hasEscapes, location: pending.location,
          end: end ?? self.end))
    }
    if taken.capacity <= Self.keptCapacity {
      taken.removeAll(keepingCapacity: true)
      swap(&taken, &bytes)
    }
    return goesOn
  }

  @inline(never)
  private func violation(
    _ fault: LexicalFault, _ slice: InputSlice, _ index: Int
  ) -> ParsingError {
    guard let token else { return state.diagnosis(slice).violation(of: .endOfDocument, at: end) }
    return state.diagnosis(slice).violation(
      fault, at: slice.start + index, in: token, as: state.pointee.expectation)
  }
}

extension BorrowedBuffer<UInt8> {
  /// The number of leading bytes that are neither quotes, backslashes nor control characters.
  fileprivate var plainCount: Int {
    var index = 0
    while index < count {
      let byte = self[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      index &+= 1
    }
    return index
  }
}

extension UInt8 {
  /// Whether the byte begins or ends a container.
  fileprivate var isStructure: Bool {
    switch self {
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"): true
    default: false
    }
  }
}
