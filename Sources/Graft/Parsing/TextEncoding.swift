/// What the first bytes of a text tell of its encoding.
enum TextEncoding: Equatable {
  case utf8
  /// UTF-8 after a byte order mark of three bytes.
  case markedUTF8
  /// An encoding that JSON no longer knows, by name.
  case foreign(String)
  /// More bytes are needed to tell.
  case undecided

  /// The number of bytes after which nothing is undecided.
  static let sniffedBytes = 4

  /// Tells the encoding of a text.
  ///
  /// A document's first character is ASCII, so that a NUL beside it betrays wider encodings without
  /// a mark, too.
  ///
  /// - Parameters:
  ///   - bytes: The first bytes of the text, at most four.
  ///   - isWhole: Whether the text has no more.
  init(of bytes: [UInt8], isWhole: Bool) {
    let byte = { (index: Int) in index < bytes.count ? Int(bytes[index]) : isWhole ? -1 : -2 }
    let isOpen = { (index: Int) in byte(index) == -2 }
    switch (byte(0), byte(1)) {
    case (-2, _), (0xEF, -2), (0xFE, -2), (0xFF, -2), (0x00, -2), (0x01...0x7F, -2):
      self = .undecided
    case (0xEF, 0xBB) where isOpen(2): self = .undecided
    case (0xEF, 0xBB) where byte(2) == 0xBF: self = .markedUTF8
    case (0xFE, 0xFF): self = .foreign("UTF-16, big-endian")
    case (0xFF, 0xFE) where isOpen(2) || byte(2) == 0 && isOpen(3): self = .undecided
    case (0xFF, 0xFE) where byte(2) == 0 && byte(3) == 0:
      self = .foreign("UTF-32, little-endian")
    case (0xFF, 0xFE): self = .foreign("UTF-16, little-endian")
    case (0x00, 0x00) where isOpen(2): self = .undecided
    case (0x00, 0x00): self = .foreign("UTF-32, big-endian")
    case (0x00, 0x01...): self = .foreign("UTF-16, big-endian")
    case (0x01...0x7F, 0x00) where isOpen(2) || byte(2) == 0 && isOpen(3): self = .undecided
    case (0x01...0x7F, 0x00) where byte(2) == 0 && byte(3) == 0:
      self = .foreign("UTF-32, little-endian")
    case (0x01...0x7F, 0x00): self = .foreign("UTF-16, little-endian")
    default: self = .utf8
    }
  }
}
