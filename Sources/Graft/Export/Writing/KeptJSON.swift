/// JSON that an attribute keeps as text.
enum KeptJSON {
  /// Makes sure that a text is one JSON value, and takes its white space away.
  ///
  /// What an import may take depends on its limits, which are not known here; so none are set, and
  /// the text, which is in memory already, bounds what its parser takes.
  ///
  /// - Parameter text: The text, in UTF-8.
  /// - Returns: The same value in the same words, on one line.
  /// - Throws: ``ParsingError`` where the text is not well-formed.
  /// - Complexity: O(*n*) in its length.
  static func compact(_ text: UnsafeBufferPointer<UInt8>) throws -> [UInt8] {
    let parser = EventParser(sink: EventSink(), options: ParserOptions(limits: unlimited))
    try parser.parse(UnsafeRawBufferPointer(text).bytes)
    try parser.finish()
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var isInString = false
    var isEscaped = false
    for byte in text {
      if isInString {
        isInString = isEscaped || byte != 0x22
        isEscaped = !isEscaped && byte == 0x5C
      } else if byte == 0x22 {
        isInString = true
      } else if byte == 0x20 || 0x09...0x0D ~= byte {
        continue
      }
      result.append(byte)
    }
    return result
  }

  private static let unlimited = ParserLimits(
    depth: .max, tokenBytes: .max, keyBytes: .max, numberBytes: .max)
}
