// Feeding YAJL.
//
// YAJL reads a token that is cut by the end of a piece again from its first byte with each
// piece: quadratic, 62 seconds for a string of 10 MB in chunks of 4 KiB. So while a token is
// pending, bytes that do not end it are held until there are as many as YAJL has of it, and go
// to YAJL in one piece: it reads a token log(n) times. Bytes that end a token go at once, so
// that no event waits.

import CYAJL

extension EventParser {
  /// Tokens shorter than this are left to YAJL.
  private static let longToken = 256

  /// Takes filtered text.
  func take(_ text: UnsafePointer<UInt8>, count: Int) throws {
    guard count > 0 else { return }
    guard let token = state.pendingToken else { return try feed(text, count: count) }
    let fed = state.pointee.pieceBase - token.location.offset
    guard held.count > 0 || fed >= Self.longToken else { return try feed(text, count: count) }
    let whole = held.count + count
    let isWithinLimit = fed + whole <= state.limit(of: token.kind)
    let mayHold = whole < fed && isWithinLimit && !token.ends(in: text, count: count)
    guard !mayHold || held.count > 0 else {
      held.append(contentsOf: UnsafeBufferPointer(start: text, count: count))
      return
    }
    guard held.count > 0 else { return try feed(text, count: count) }
    held.append(contentsOf: UnsafeBufferPointer(start: text, count: count))
    if !mayHold { try feedHeld() }
  }

  /// Feeds what was held.
  func feedHeld() throws {
    guard !held.isEmpty else { return }
    var bytes: [UInt8] = []
    swap(&bytes, &held)
    try bytes.withUnsafeBufferPointer { bytes in
      guard let text = bytes.baseAddress else { return }
      try feed(text, count: bytes.count)
    }
    guard bytes.capacity <= 1 << 20 else { return }
    bytes.removeAll(keepingCapacity: true)
    swap(&bytes, &held)
  }

  /// Gives YAJL a piece and saves of it what is needed later.
  private func feed(_ text: UnsafePointer<UInt8>, count: Int) throws {
    state.pointee.piece = text
    state.pointee.pieceCount = count
    let status = yajl_parse(state.pointee.handle, text, count)
    guard status == yajl_status_ok else { throw reason(of: status) }
    try state.endPiece()
  }

  /// Tells YAJL that the document has ended.
  func complete() throws {
    let isEmpty = state.lastEvent == .nothing && state.pendingToken == nil
    if isEmpty, state.pointee.isStream { return }
    let status = yajl_complete_parse(state.pointee.handle)
    if status == yajl_status_client_canceled { throw reason(of: status) }
    // YAJL takes a document for complete when a string has begun after it and not ended.
    guard status == yajl_status_ok, state.pendingToken == nil else { throw state.truncation() }
  }
}

extension StatePointer {
  /// Ends a piece that YAJL has read.
  func endPiece() throws(ParsingError) {
    let end = pointee.pieceBase + pointee.pieceCount
    if let token = pendingToken {
      guard !isTooLong(token, at: end) else {
        throw overlong(
          token.kind, at: token.location, path: path(ofNext: pointee.gap.expectation))
      }
    } else {
      let walk = walkGap()
      guard walk.stop != .violation else { throw violation(walk) }
      let token = walk.stop == .token ? token(at: walk) : nil
      if let token, isTooLong(token, at: end) {
        throw overlong(token.kind, at: token.location, path: path(ofNext: walk.expectation))
      }
      pointee.gap = Gap(start: eventEnd, expectation: walk.expectation, token: token)
    }
    pointee.mark = lastEvent
    pointee.markEnd = eventEnd
    keepLevels()
    pointee.text = nil
    pointee.textEnd = nil
    pointee.pieceBase = end
    pointee.pieceCount = 0
  }
}

extension PendingToken {
  /// Tells whether the token ends in text that continues it.
  ///
  /// - Precondition: The text begins at no second byte of an escape.
  fileprivate func ends(in text: UnsafePointer<UInt8>, count: Int) -> Bool {
    var index = 0
    switch kind {
    case .key, .string:
      while index < count {
        if text[index] == UInt8(ascii: "\"") { return true }
        index += text[index] == UInt8(ascii: "\\") ? 2 : 1
      }
    case .number:
      while index < count {
        guard text[index].continuesNumber else { return true }
        index += 1
      }
    case .literal:
      return true
    }
    return false
  }
}

extension UInt8 {
  fileprivate var continuesNumber: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
