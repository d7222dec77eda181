/// JSON written byte by byte, without white space.
enum JSONLiteral {
  private static let hexDigits = Array("0123456789abcdef".utf8)

  /// Appends a string with its quotes, escaping what RFC 8259 demands and nothing else.
  ///
  /// - Parameters:
  ///   - text: Valid UTF-8.
  ///   - output: Where the string is appended.
  static func appendString(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    output.append(0x22)
    var start = 0
    for position in text.indices {
      let byte = text[position]
      guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { continue }
      output.append(contentsOf: text[start..<position])
      start = position + 1
      switch byte {
      case 0x08: output += [0x5C, 0x62]
      case 0x09: output += [0x5C, 0x74]
      case 0x0A: output += [0x5C, 0x6E]
      case 0x0C: output += [0x5C, 0x66]
      case 0x0D: output += [0x5C, 0x72]
      case 0x22, 0x5C: output += [0x5C, byte]
      default:
        output += [0x5C, 0x75, 0x30, 0x30]
        output += [hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
      }
    }
    output.append(contentsOf: text[start...])
    output.append(0x22)
  }
}
