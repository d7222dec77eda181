extension UUIDText {
  private static let hexDigits = Array("0123456789ABCDEF".utf8)

  /// Appends a UUID in its canonical text, in capital letters.
  ///
  /// - Parameters:
  ///   - bytes: The 16 bytes.
  ///   - output: Where the text is appended, without quotes.
  static func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout ByteBuffer) {
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { output.append(0x2D) }
      output.append(hexDigits[Int(byte >> 4)])
      output.append(hexDigits[Int(byte & 15)])
    }
  }
}
