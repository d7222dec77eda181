/// Growing bytes of compact JSON, written the way servers write it.
struct JSONBytes {
  private(set) var bytes: [UInt8] = []

  /// How a text's characters are written.
  enum Spelling {
    /// As UTF-8.
    case plain
    /// Everything beyond ASCII as `\u` escapes, in surrogate pairs where needed.
    case escaped
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Appends JSON as it stands.
  mutating func raw(_ json: String) {
    bytes.append(contentsOf: json.utf8)
  }

  mutating func number(_ value: Int) {
    raw(String(value))
  }

  /// Appends the inside of a JSON string.
  mutating func text(_ text: String, _ spelling: Spelling = .plain) {
    for character in text.unicodeScalars {
      switch character {
      case "\"", "\\", "/":
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(UInt8(truncatingIfNeeded: character.value))
      case "\n":
        raw("\\n")
      case _ where character.isASCII || spelling == .plain:
        bytes.append(contentsOf: UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
      default:
        for unit in UTF16.encode(character) ?? UTF16.encodedReplacementCharacter {
          escape(unit)
        }
      }
    }
  }

  private mutating func escape(_ unit: UInt16) {
    raw("\\u")
    for shift in stride(from: 12, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: unit >> UInt16(shift)) & 15
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
