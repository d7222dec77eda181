/// Reads and writes UUIDs as their canonical text of 36 characters.
package enum UUIDText {
  /// Reads the 16 bytes of a UUID.
  ///
  /// - Parameters:
  ///   - text: The bytes of the whole text; hexadecimal digits of either case.
  ///   - bytes: Room for the 16 bytes.
  /// - Returns: Whether the text is a UUID.
  package static func parse(
    _ text: Span<UInt8>, into bytes: inout MutableSpan<UInt8>
  ) -> Bool {
    guard text.count == 36 else { return false }
    var position = 0
    for index in 0..<16 {
      if index == 4 || index == 6 || index == 8 || index == 10 {
        guard text[position] == 0x2D else { return false }
        position += 1
      }
      guard let high = text[position].hexadecimalDigit,
        let low = text[position + 1].hexadecimalDigit
      else { return false }
      bytes[index] = high << 4 | low
      position += 2
    }
    return true
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit of either case; nil for any other byte.
  var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self &- UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self &- UInt8(ascii: "A") &+ 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self &- UInt8(ascii: "a") &+ 10
    default: nil
    }
  }
}

extension UUIDText {
  private static let capitals = Array("0123456789ABCDEF".utf8)

  /// Appends a UUID in its canonical text, in capital letters.
  ///
  /// - Parameters:
  ///   - bytes: The 16 bytes.
  ///   - output: The bytes to which the text is appended, without quotes.
  package static func append(_ bytes: Span<UInt8>, to output: inout ByteBuffer) {
    for index in bytes.indices {
      let byte = bytes[index]
      if index == 4 || index == 6 || index == 8 || index == 10 { output.append(0x2D) }
      output.append(capitals[Int(byte >> 4)])
      output.append(capitals[Int(byte & 15)])
    }
  }
}
