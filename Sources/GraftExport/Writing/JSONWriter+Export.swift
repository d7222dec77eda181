import Graft

// What only exports need: keys that are prepared once, text that is taken back, and text that is handed over in chunks.

extension JSONWriter.Style {
  /// Each member on a line of its own, indented by two spaces for each level.
  static let pretty = lines(levels: .max)
}

extension JSONWriter {
  /// Returns a frequent key as ready bytes: its quotes, the comma before it and the colon after it.
  static func prepared(key: String) -> [UInt8] { [0x2C] + quoted(key) + [0x3A] }

  /// Writes a key that ``prepared(key:)`` has made.
  @inline(__always)
  mutating func key(prepared key: Span<UInt8>) {
    if last == .value, !style.isSpaced {
      buffer.append(key)
      last = .keyOrNothing
    } else {
      self.key(quoted: key.extracting(1..<key.count - 1))
    }
  }

  /// Ends a line after a whole value; the next value is a text of its own.
  @inline(never)
  mutating func endLine() {
    buffer.append(0x0A)
    last = .keyOrNothing
  }

  // MARK: Taking back

  /// A position in the text, back to which the text can be cut.
  struct Position: Equatable {
    fileprivate var count: Int
    fileprivate var last: Last
    fileprivate var level: Int
  }

  /// The current end of the text.
  var position: Position { Position(count: buffer.count, last: last, level: level) }

  /// Whether the innermost open container is empty so far.
  var isAtStartOfContainer: Bool { last == .openingBracket }

  /// Removes the text after a position, which must not have been handed over.
  mutating func rewind(to position: Position) {
    buffer.truncate(to: position.count)
    last = position.last
    level = position.level
  }

  // MARK: Handing over

  /// Whether the text is long enough for a chunk and ends with a value.
  ///
  /// After a value no empty container is open that might still be removed.
  @inline(__always)
  var hasChunk: Bool { buffer.count >= Self.chunkSize && last == .value }

  /// Hands over the text written so far, in chunks.
  ///
  /// - Parameter output: Takes the bytes, which are valid while it runs.
  mutating func flush(to output: (RawSpan) throws -> Void) rethrows {
    try buffer.flush(inPiecesOf: Self.chunkSize, to: output)
  }
}
