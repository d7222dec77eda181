// A framing divides a text into documents where JSON's own grammar does not, or says more than it:
//
//   ␞{"id": 1}⏎␞{"id": 2}⏎                    a JSON text sequence
//   data: {"id": 1}⏎⏎: still here⏎data: {"id":⏎data: 2}⏎⏎    server-sent events
//
// The engine gets spaces for the bytes that are not part of a document, and for a line feed a line
// feed. So all places stay right, and the engine reads a stream of documents with white space
// between them. Where a frame ends, its document must have ended too.

/// Finds the documents in a text.
///
/// Nothing depends on how the text is cut into chunks. An ``EventParser`` owns the framing.
protocol Framing: AnyObject {
  /// Reads the next bytes of the text.
  ///
  /// - Throws: The engine's error; ``ParsingError`` if a frame ends and its document does not.
  func read(_ bytes: BorrowedBuffer<UInt8>, into engine: any EventEngine) throws
  /// Reads what waits, at the end of the text.
  func finish(into engine: any EventEngine) throws
  /// The number of bytes that the engine has not got yet.
  var waitingCount: Int { get }
  /// Whether the text has ended, whatever bytes follow.
  var hasEnded: Bool { get }
}

extension ParserOptions {
  /// Makes the framing of the format; nil if documents are parted by JSON's grammar.
  func makeFraming() -> (any Framing)? {
    switch format {
    case .sequence: SequenceFraming()
    case .serverSentEvents: ServerSentEvents(endMarker: endMarker)
    case .json, .ndjson, .concatenated, nil: nil
    }
  }
}

extension ParserOptions.Format {
  /// The most first bytes that are needed to recognise a format.
  static let longestEvidence = 6

  /// Recognises a format by bytes with which no JSON begins.
  ///
  /// - Parameters:
  ///   - bytes: The first bytes of the text, at most ``longestEvidence``.
  ///   - isWhole: Whether the text has no more.
  /// - Returns: The format, or nil if it is another; `isDecided` is false if more bytes are needed.
  static func recognized(
    in bytes: [UInt8], isWhole: Bool
  ) -> (format: ParserOptions.Format?, isDecided: Bool) {
    if bytes.first == SequenceFraming.separator { return (.sequence, true) }
    for field in ServerSentEvents.fields {
      if bytes.starts(with: field) { return (.serverSentEvents, true) }
      if !isWhole, field.starts(with: bytes) { return (nil, false) }
    }
    return (nil, true)
  }
}

/// A JSON text sequence (RFC 7464): each document after a record separator.
final class SequenceFraming: Framing {
  static let separator: UInt8 = 0x1E

  let waitingCount = 0
  let hasEnded = false

  func read(_ bytes: BorrowedBuffer<UInt8>, into engine: any EventEngine) throws {
    var index = 0
    while let end = bytes[index..<bytes.count].firstIndex(where: { $0 == Self.separator }) {
      try engine.read(bytes[index..<index + end])
      try engine.endFrame()
      try engine.readBlank([Self.separator])
      index += end + 1
    }
    try engine.read(bytes[index..<bytes.count])
  }

  func finish(into engine: any EventEngine) throws { try engine.endFrame() }
}

/// Server-sent events, as the HTML standard defines them: the lines `data:` of an event are a document.
///
/// Comments and other fields are skipped. A line that cannot be a field is left to the engine, so that
/// its error says what was sent instead of events.
final class ServerSentEvents: Framing {
  /// The beginnings by which such a text is recognised.
  ///
  /// A comment is none of them: broken JSON may begin with a colon, and would be skipped in silence.
  static let fields = ["data:", "event:", "id:", "retry:"].map { Array($0.utf8) }
  private static let data = Array("data".utf8)
  /// The length of the longest name of a field.
  private static let longestName = 32
  private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

  private enum State {
    case lineStart(afterCarriageReturn: Bool)
    /// In the name of a field, which waits.
    case name
    /// After `data:`, where one space does not count.
    case beforeValue
    /// In data that is the end marker so far, up to a number of its bytes.
    case marker(Int)
    case value
    /// In a comment or another field.
    case skipped
    /// After the end marker.
    case ended
  }

  private let marker: [UInt8]?
  private var state = State.lineStart(afterCarriageReturn: false)
  private var name: [UInt8] = []
  /// Whether the event has had a line of data.
  private var hasData = false

  init(endMarker: String?) {
    marker = endMarker.map { Array($0.utf8) }
  }

  var waitingCount: Int {
    if case .marker(let count) = state { count } else { name.count }
  }

  var hasEnded: Bool {
    if case .ended = state { true } else { false }
  }

  func read(_ bytes: BorrowedBuffer<UInt8>, into engine: any EventEngine) throws {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let isLineEnd = byte == Self.lineFeed || byte == Self.carriageReturn
      switch state {
      case .lineStart(afterCarriageReturn: true) where byte == Self.lineFeed:
        try engine.readBlank([byte])
        state = .lineStart(afterCarriageReturn: false)
        index += 1
      case .lineStart where isLineEnd:
        try engine.endFrame()
        hasData = false
        try endLine(byte, engine)
        index += 1
      case .lineStart: state = .name
      case .name where byte.isFieldName && name.count < Self.longestName:
        name.append(byte)
        index += 1
      case .name:
        let isField = isLineEnd || byte == UInt8(ascii: ":")
        let isData = name == Self.data
        let bytes = name
        name = []
        guard isField else {
          try bytes.withBorrowed { try engine.read($0) }
          state = .value
          continue
        }
        try engine.readBlank(bytes)
        // The end of the line is read below.
        state = .skipped
        guard !isLineEnd else { continue }
        try engine.readBlank([byte])
        if isData { state = .beforeValue }
        index += 1
      case .beforeValue:
        if byte == UInt8(ascii: " ") {
          try engine.readBlank([byte])
          index += 1
        }
        state = marker == nil || hasData ? .value : .marker(0)
        hasData = true
      case .marker(let count):
        let marker = marker ?? []
        if count < marker.count, byte == marker[count] {
          state = .marker(count + 1)
          index += 1
        } else if count == marker.count, isLineEnd {
          try engine.endFrame()
          try engine.readBlank(marker)
          state = .ended
        } else {
          state = .value
          try Array(marker.prefix(count)).withBorrowed { try engine.read($0) }
        }
      case .value, .skipped:
        let rest = bytes[index..<bytes.count]
        let count = rest.firstIndex { $0 == Self.lineFeed || $0 == Self.carriageReturn }
        let line = rest[0..<(count ?? rest.count)]
        if case .value = state {
          try engine.read(line)
        } else {
          try engine.readBlank(Array(line))
        }
        index += line.count
        guard count != nil else { continue }
        try endLine(bytes[index], engine)
        index += 1
      case .ended:
        try engine.readBlank(Array(bytes[index..<bytes.count]))
        index = bytes.count
      }
    }
  }

  func finish(into engine: any EventEngine) throws {
    try engine.readBlank(name)
    name = []
    guard case .marker(let count) = state else { return }
    state = .ended
    let bytes = Array((marker ?? []).prefix(count))
    guard count < marker?.count ?? 0 else { return try engine.readBlank(bytes) }
    try bytes.withBorrowed { try engine.read($0) }
  }

  private func endLine(_ byte: UInt8, _ engine: any EventEngine) throws {
    try engine.readBlank([byte])
    state = .lineStart(afterCarriageReturn: byte == Self.carriageReturn)
  }
}

extension EventEngine {
  /// Reads white space in place of bytes that are not part of a document.
  fileprivate func readBlank(_ bytes: [UInt8]) throws {
    let blank: [UInt8] = bytes.map { $0 == UInt8(ascii: "\n") ? $0 : 0x20 }
    try blank.withBorrowed { try read($0) }
  }

  /// Checks that a frame does not end inside a document.
  fileprivate func endFrame() throws {
    guard isInsideDocument else { return }
    try finish()
    throw ParsingError(
      kind: .truncated, location: tokenLocation, path: path(),
      message: "a number must be followed by white space, without which it might be cut off")
  }
}

extension UInt8 {
  fileprivate var isFieldName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
