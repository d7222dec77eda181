/// Checks text that is in memory for JSON.
package enum JSONSyntax {
  /// Checks that a text is one JSON value.
  ///
  /// - Throws: ``ParsingError`` at the first fault, which may be a byte order mark.
  /// - Complexity: O(*n*) in its length.
  package static func check(_ text: BorrowedBuffer<UInt8>) throws {
    let parser = EventParser(
      sink: EventSink(), options: ParserOptions(format: .json, limits: .none), line: 1)
    try parser.parse(text)
    try parser.finish()
  }

  /// Returns whether a text is one JSON value.
  static func isValue(_ text: String) -> Bool {
    text.withBorrowedUTF8 { (try? check($0)) != nil }
  }
}
