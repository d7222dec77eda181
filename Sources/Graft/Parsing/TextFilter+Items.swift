// Characters and escapes. Each decides on as few bytes as it can, so that what is wrong is wrong
// at once, and only what may still become right is held back: three bytes of a character, eleven
// of an escape.

extension TextFilter {
  /// Checks the characters beyond ASCII that begin here, up to the next ASCII byte or the
  /// first bad one.
  @inline(__always)
  func character(at start: Int) -> Item {
    let raw = UnsafeRawPointer(text)
    var index = start
    // Most such text is runs of three-byte characters; E0 and ED, whose second byte has a range of
    // its own, go below.
    while index + 4 <= count {
      let word = UInt32(
        littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt32.self))
      let lead = word & 0x0F
      guard word & 0xC0_C0F0 == 0x80_80E0, lead != 0, lead != 0x0D else { break }
      index += 3
    }
    guard index == start else { return .count(index - start) }
    return singleCharacter(at: start)
  }

  private func singleCharacter(at index: Int) -> Item {
    let lead = text[index]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: return .stop(.invalidUTF8)
    }
    for offset in 1..<length {
      guard index + offset < count else { return .stop(.incomplete) }
      guard second.contains(text[index + offset]) else { return .stop(.invalidUTF8) }
      second = 0x80...0xBF
    }
    return .count(length)
  }

  /// Checks an escape.
  ///
  /// What is no escape at all is left to YAJL, which refuses it.
  @inline(__always)
  func escape(at index: Int) -> Item {
    guard index + 1 < count else { return .stop(.incomplete) }
    let kind = text[index + 1]
    guard kind == UInt8(ascii: "u") else {
      // The byte after a wrong backslash may itself be one that must not pass.
      return .count(kind > 0x1F && kind < 0x80 ? 2 : 1)
    }
    return unicodeEscape(at: index)
  }

  private func unicodeEscape(at index: Int) -> Item {
    switch unit(at: index + 2) {
    case .incomplete: return .stop(.incomplete)
    case .malformed: return .count(2)
    case .unit(0xDC00...0xDFFF): return .stop(.loneSurrogate)
    case .unit(0xD800...0xDBFF): break
    case .unit: return .count(6)
    }
    for (offset, byte) in [(6, UInt8(ascii: "\\")), (7, UInt8(ascii: "u"))] {
      guard index + offset < count else { return .stop(.incomplete) }
      guard text[index + offset] == byte else { return .stop(.loneSurrogate) }
    }
    switch unit(at: index + 8) {
    case .incomplete: return .stop(.incomplete)
    case .unit(0xDC00...0xDFFF): return .count(12)
    case .unit, .malformed: return .stop(.loneSurrogate)
    }
  }

  private enum Unit {
    case unit(UInt16)
    case malformed
    case incomplete
  }

  /// Reads four hexadecimal digits.
  private func unit(at start: Int) -> Unit {
    var unit: UInt16 = 0
    for index in start..<start + 4 {
      guard index < count else { return .incomplete }
      guard let digit = text[index].hexadecimalDigit else { return .malformed }
      unit = unit << 4 | UInt16(digit)
    }
    return .unit(unit)
  }
}

extension UInt8 {
  fileprivate var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
