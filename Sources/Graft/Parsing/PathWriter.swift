/// Writes the path of a value: `$.heroes[3].born`, and names as RFC 9535 normalises them where they
/// need quotes, `$['a b']`.
struct PathWriter {
  var text = "$"

  mutating func append(_ level: Level) {
    if level.isArray {
      if level.index >= 0 { append(index: level.index) }
    } else if let key = level.key {
      append(name: UnsafeBufferPointer(start: key, count: level.keyCount))
    }
  }

  mutating func append(index: Int) {
    text += "[\(index)]"
  }

  mutating func append(name: UnsafeBufferPointer<UInt8>) {
    let name = String(decoding: name, as: UTF8.self)
    if name.isPathShorthand {
      text += ".\(name)"
    } else {
      text += "['"
      for scalar in name.unicodeScalars { append(escaping: scalar) }
      text += "']"
    }
  }

  private mutating func append(escaping scalar: Unicode.Scalar) {
    switch scalar {
    case "'": text += "\\'"
    case "\\": text += "\\\\"
    case "\u{8}": text += "\\b"
    case "\u{9}": text += "\\t"
    case "\u{A}": text += "\\n"
    case "\u{C}": text += "\\f"
    case "\u{D}": text += "\\r"
    case "\0"..."\u{1F}":
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: text.unicodeScalars.append(scalar)
    }
  }
}

extension String {
  /// Tells whether the name can stand after a dot: RFC 9535's `member-name-shorthand`.
  fileprivate var isPathShorthand: Bool {
    guard let first = unicodeScalars.first, !("0"..."9").contains(first) else { return false }
    return unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_": true
      default: scalar.value >= 0x80
      }
    }
  }
}
