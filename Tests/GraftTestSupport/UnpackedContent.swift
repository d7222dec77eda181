import Foundation

@testable import Graft

/// The text that compressed data gives, and the error with which it ends.
struct UnpackedContent: Equatable {
  private(set) var text = Data()
  private(set) var error: ImportSourceError?

  /// Decompresses data that comes in pieces.
  ///
  /// - Parameters:
  ///   - data: The data.
  ///   - size: The bytes of a piece.
  ///   - encoding: The header `Content-Encoding` of the answer that has the data.
  ///   - options: The formats and the limit.
  init(
    of data: Data, inPiecesOf size: Int = .max, encoding: String? = nil,
    _ options: Decompression = Decompression()
  ) {
    let unpacker = Unpacker(of: "data", options)
    let bytes = Array(data)
    do {
      try unpacker.expect(contentEncoding: encoding)
      for start in stride(from: 0, to: bytes.count, by: max(1, min(size, bytes.count))) {
        let end = min(size, bytes.count - start) + start
        try Array(bytes[start..<end]).withRawSpan { piece in
          try unpacker.unpack(piece) { self.append($0) }
        }
      }
      try unpacker.finish { self.append($0) }
    } catch {
      self.error = error as? ImportSourceError
    }
  }

  private mutating func append(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { text.append(contentsOf: $0) }
  }
}
