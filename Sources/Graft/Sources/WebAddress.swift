package import Foundation

extension URL {
  /// Creates the URL of an address on the web as it is written.
  ///
  /// What is escaped stays so, and only characters that no URL may have are escaped, such as the brackets of
  /// `?page[size]=5`. Foundation's parser escapes each `%` again as soon as there is one such character.
  ///
  /// - Parameters:
  ///   - address: The address, absolute or relative.
  ///   - base: The address to which it is relative.
  package init?(address: String, relativeTo base: URL? = nil) {
    self.init(string: Self.escaped(address), relativeTo: base)
  }

  /// Characters that an address may have besides letters and digits, behind its host.
  private static let plain = Set("-._~:/?@!$&'()*+,;=".utf8)

  private static func escaped(_ address: String) -> String {
    let bytes = Array(address.utf8)
    var result: [UInt8] = []
    var index = 0
    // The host may have brackets of its own, and is escaped in another way.
    let mark = Array("//".utf8)
    if let slashes = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }),
      !bytes[..<slashes].contains(where: { "/?#".utf8.contains($0) })
    {
      let host = bytes[(slashes + 2)...]
      index = host.firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
      result += bytes[..<index]
    }
    var isInFragment = false
    while index < bytes.count {
      let byte = bytes[index]
      let isLetterOrDigit =
        byte < 0x80 && Character(UnicodeScalar(byte)).isLetter || 0x30...0x39 ~= byte
      let isEscape =
        byte == UInt8(ascii: "%") && index + 2 < bytes.count
        && bytes[(index + 1)...(index + 2)].allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
      let beginsFragment = byte == UInt8(ascii: "#") && !isInFragment
      if isLetterOrDigit || isEscape || beginsFragment || plain.contains(byte) {
        result.append(byte)
        isInFragment = isInFragment || beginsFragment
      } else {
        let digits = Array("0123456789ABCDEF".utf8)
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
      index += 1
    }
    return String(decoding: result, as: UTF8.self)
  }
}
