/// The form of a key.
enum KeyForm {
  /// A member's name, as a programmer writes it.
  case name
  /// A name with a mark before it: `@type`, `$ref`, `_id`.
  case annotation
  /// A number.
  case number
  /// A code, a date, a path or a text.
  case data

  init(_ key: String) { self = Self.of(key) }

  private static func of(_ key: String) -> KeyForm {
    let bytes = key.utf8
    guard let first = bytes.first else { return .data }
    let digits = bytes.count(where: isDigit)
    if digits == bytes.count { return .number }
    if "@$_".utf8.contains(first), bytes.count > 1 {
      // `_8086` and `_0c` are numbers with a mark.
      let rest = KeyForm(String(key.dropFirst()))
      return rest.isData ? .data : .annotation
    }
    let isPlain = bytes.allSatisfy { isDigit($0) || isLetter($0) || "_-:.".utf8.contains($0) }
    guard isPlain, !isDigit(first), bytes.count <= 60 else { return .data }
    let isHexadecimal =
      bytes.count >= 12
      && bytes.allSatisfy { isDigit($0) || (0x61...0x66).contains($0 | 0x20) || $0 == 0x2D }
    // `iso_3166_1` is a name, of a standard.
    let isCode =
      (digits >= 4 || digits > 1 && digits * 2 > bytes.count)
      && !key.lowercased().hasPrefix("iso")
    // `model.jaffle_shop.orders` is the full name of something, and so is `AWS::Lambda::Function`.
    let isFullName =
      bytes.count { $0 == 0x2E } > 1
      || zip(bytes.dropFirst(), bytes.dropFirst(2)).contains { $0 == 0x3A && $1 == 0x3A }
    return isHexadecimal || isCode || isFullName ? .data : .name
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  var isData: Bool { self == .number || self == .data }
}
