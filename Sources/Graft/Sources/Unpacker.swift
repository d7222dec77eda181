/// Unpacks gzip data, and passes on other data as it is.
///
/// The first byte decides: no JSON begins with gzip's first byte.
///
/// Unchecked: an ``ImportFeed`` takes one chunk at a time.
final class Unpacker: @unchecked Sendable {
  private enum Form {
    case undecided
    case plain
    case gzip(GzipStream)
  }

  /// The source, for messages.
  private let name: String
  private var form = Form.undecided
  /// The number of unpacked bytes that are still to be skipped.
  private var skippedByteCount: Int

  /// - Parameters:
  ///   - name: The source, for messages.
  ///   - start: The offset in the document at which its consumer continues. A source that is not
  ///     packed begins there.
  init(of name: String, from start: Int) {
    self.name = name
    skippedByteCount = start
  }

  /// Whether the source is packed; false before the first byte.
  var isPacked: Bool {
    if case .gzip = form { true } else { false }
  }

  /// Returns whether a document is packed that begins with a byte.
  static func isPacked(_ firstByte: UInt8) -> Bool { firstByte == 0x1F }

  /// Expects gzip data, whatever the first byte is.
  func expectGzip() { form = .gzip(GzipStream(of: name)) }

  /// Unpacks the next bytes.
  ///
  /// - Parameters:
  ///   - chunk: The bytes; not empty.
  ///   - consumer: Takes the content, piece by piece.
  /// - Throws: ``ImportSourceError`` if they are damaged; what `consumer` throws.
  func unpack(_ chunk: RawSpan, _ consumer: (RawSpan) throws -> Void) throws {
    if case .undecided = form {
      let isPacked = Self.isPacked(unsafe chunk.unsafeLoad(as: UInt8.self))
      form = isPacked ? .gzip(GzipStream(of: name)) : .plain
    }
    guard case .gzip(let stream) = form else { return try consumer(chunk) }
    try stream.unpack(chunk) { piece in
      let count = min(skippedByteCount, piece.byteCount)
      skippedByteCount -= count
      if count < piece.byteCount { try consumer(piece.extracting(droppingFirst: count)) }
    }
  }

  /// Ends the document.
  ///
  /// - Throws: ``ImportSourceError`` if it is packed and cut off.
  func finish() throws {
    if case .gzip(let stream) = form { try stream.finish() }
  }
}
