/// Reads booleans from words and digits.
enum BooleanText {
  private static let words: [(text: StaticString, value: Bool)] = [
    ("true", true), ("false", false), ("yes", true), ("no", false), ("y", true), ("n", false),
    ("t", true), ("f", false), ("on", true), ("off", false), ("1", true), ("0", false),
  ]

  /// Reads a truth value from a text, in any case.
  ///
  /// - Parameter text: The bytes of the whole text.
  /// - Returns: nil if the text is none of the known words.
  static func parse(_ text: Span<UInt8>) -> Bool? {
    for word in words where word.text.utf8CodeUnitCount == text.count {
      let letters = BorrowedBuffer(word.text)
      var position = 0
      while position < text.count {
        let letter = text[position]
        let folded = letter &- 0x41 < 26 ? letter | 0x20 : letter
        guard folded == letters[position] else { break }
        position += 1
      }
      if position == text.count { return word.value }
    }
    return nil
  }
}
