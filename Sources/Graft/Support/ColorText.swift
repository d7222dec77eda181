/// Reads colours as style sheets write them.
enum ColorText {
  /// Reads `#rgb`, `#rrggbb`, `#rrggbbaa`, `rgb(r,g,b)` or `rgba(r,g,b,a)`, the parts from 0 to 255
  /// and the opacity from 0 to 1.
  ///
  /// - Parameter text: The bytes of the whole text.
  /// - Returns: `#rrggbb` in lower case, or `#rrggbbaa` where the colour is not opaque; nil if the
  ///   text is no colour.
  static func parse(_ text: Span<UInt8>) -> [UInt8]? {
    let text = String(text).lowercased().filter { $0 != " " }
    if text.hasPrefix("#") { return hexadecimal(text.dropFirst()) }
    for prefix in ["rgba(", "rgb("] where text.hasPrefix(prefix) && text.hasSuffix(")") {
      return components(text.dropFirst(prefix.count).dropLast())
    }
    return nil
  }

  private static func hexadecimal(_ digits: Substring) -> [UInt8]? {
    guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }) else { return nil }
    let full: String
    switch digits.count {
    case 3: full = digits.map { "\($0)\($0)" }.joined()
    case 6: full = String(digits)
    case 8: full = digits.hasSuffix("ff") ? String(digits.prefix(6)) : String(digits)
    default: return nil
    }
    return Array("#\(full)".utf8)
  }

  private static func components(_ list: Substring) -> [UInt8]? {
    let parts = list.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 3 || parts.count == 4 else { return nil }
    var digits = ""
    for part in parts.prefix(3) {
      guard let value = Int(part).flatMap(UInt8.init(exactly:)) else { return nil }
      digits += hexadecimal(value)
    }
    if parts.count == 4 {
      guard let opacity = Double(parts[3]), 0...1 ~= opacity else { return nil }
      if opacity < 1 { digits += hexadecimal(UInt8((opacity * 255).rounded())) }
    }
    return Array("#\(digits)".utf8)
  }

  private static func hexadecimal(_ value: UInt8) -> String {
    (value < 16 ? "0" : "") + String(value, radix: 16)
  }
}
