/// Writes bytes as base64 text (RFC 4648).
enum Base64Text {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Appends bytes in base64, padded and without line breaks.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - output: The bytes to which the text is appended, without quotes.
  static func append(_ bytes: Span<UInt8>, to output: inout ByteBuffer) {
    var index = 0
    while index < bytes.count {
      let count = min(3, bytes.count - index)
      var group = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < count ? Int(bytes[index + offset]) : 0)
      }
      for position in 0..<4 {
        output.append(position <= count ? alphabet[group >> (18 - 6 * position) & 63] : 0x3D)
      }
      index += count
    }
  }
}
