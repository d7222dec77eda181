/// The encoding of a document, detected from its first bytes.
enum TextEncoding: Equatable {
  case utf8
  /// UTF-8 after a byte order mark.
  case markedUTF8
  /// Compressed data instead of text, by the name of its format.
  case packed(String)
  /// An encoding that RFC 8259 does not allow, by name.
  case other(String)
  /// More bytes are needed.
  case undecided

  /// The reason why a text in this encoding cannot be read; nil if it can.
  var fault: String? {
    switch self {
    case .packed("zstd"):
      "the bytes are compressed by zstd; expected UTF-8: decompress them first, or import GraftZstd and name the"
        + " format at the source: .url(url).decompressing(.zstd)"
    case .packed(let format):
      "the bytes are compressed by \(format); expected UTF-8: decompress them first, or import them from an"
        + " ImportSource, which does so"
    case .other(let name): "the text is in \(name); expected UTF-8"
    case .utf8, .markedUTF8, .undecided: nil
    }
  }

  /// The most bytes that are needed to detect the encoding.
  static let longestEvidence = 4
  /// The byte order mark in UTF-8.
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The number of bytes before the text.
  var markLength: Int { self == .markedUTF8 ? Self.byteOrderMark.count : 0 }

  /// Detects the encoding of a document.
  ///
  /// A document begins with an ASCII character. So a NUL beside it reveals UTF-16 and UTF-32 also
  /// where there is no byte order mark: `[` is `5B 00` in little-endian UTF-16.
  ///
  /// - Parameters:
  ///   - bytes: The first bytes of the document, at most ``longestEvidence``.
  ///   - isWhole: Whether the document has no more.
  init(of bytes: [UInt8], isWhole: Bool) {
    let none = -1
    let unknown = -2
    let byte = { (index: Int) in
      index < bytes.count ? Int(bytes[index]) : isWhole ? none : unknown
    }
    switch (byte(0), byte(1)) {
    case (unknown, _), (0xEF, unknown), (0xFE, unknown), (0xFF, unknown), (0x00...0x7F, unknown):
      self = .undecided
    case (0x1F, 0x8B): self = .packed("gzip")
    case (0x28, 0xB5): self = .packed("zstd")
    case (0x78, 0x01), (0x78, 0x5E), (0x78, 0x9C), (0x78, 0xDA): self = .packed("zlib")
    case (0xEF, 0xBB) where byte(2) == unknown: self = .undecided
    case (0xEF, 0xBB) where byte(2) == 0xBF: self = .markedUTF8
    case (0xFE, 0xFF): self = .other("UTF-16, big-endian")
    case (0xFF, 0xFE), (0x01...0x7F, 0x00):
      switch (byte(2), byte(3)) {
      case (unknown, _), (0x00, unknown): self = .undecided
      case (0x00, 0x00): self = .other("UTF-32, little-endian")
      default: self = .other("UTF-16, little-endian")
      }
    case (0x00, 0x00) where byte(2) == unknown: self = .undecided
    case (0x00, 0x00): self = .other("UTF-32, big-endian")
    case (0x00, 0x01...): self = .other("UTF-16, big-endian")
    default: self = .utf8
    }
  }
}
