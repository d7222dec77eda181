// Decodes the escapes of strings and keys, which have been checked before.
//
// Raw memory: the decoder owns its memory. It has room for a token as written in the document;
// decoded characters never need more.

/// Decodes the escapes of one token at a time.
@safe final class EscapeDecoder {
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity = 256

  /// Memory beyond this is not kept for the next token.
  private static let keptCapacity = 1 << 20

  init() {
    unsafe memory = .allocate(capacity: capacity)
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// Decodes a token.
  ///
  /// - Parameter text: The text between the quotes; half a surrogate pair becomes U+FFFD.
  /// - Returns: The characters in UTF-8, which stay until the next token is decoded.
  func decode(_ text: BorrowedBuffer<UInt8>) -> BorrowedBuffer<UInt8> {
    reserve(text.count)
    var count = 0
    var index = 0
    while index < text.count {
      let run = text[index..<text.count].firstBackslash
      unsafe text[index..<index + run].copy(to: memory + count)
      count += run
      index += run
      guard index + 1 < text.count else { break }
      index += 2
      switch text[index - 1] {
      case UInt8(ascii: "b"): append(0x08, &count)
      case UInt8(ascii: "f"): append(0x0C, &count)
      case UInt8(ascii: "n"): append(0x0A, &count)
      case UInt8(ascii: "r"): append(0x0D, &count)
      case UInt8(ascii: "t"): append(0x09, &count)
      case UInt8(ascii: "u"): appendCharacter(Self.character(in: text, at: &index), &count)
      case let other: append(other, &count)
      }
    }
    return unsafe BorrowedBuffer(start: memory, count: count)
  }

  private func reserve(_ count: Int) {
    guard count > capacity || capacity > Self.keptCapacity else { return }
    unsafe memory.deallocate()
    capacity = max(256, count)
    unsafe memory = .allocate(capacity: capacity)
  }

  @inline(__always)
  private func append(_ byte: UInt8, _ count: inout Int) {
    unsafe memory[count] = byte
    count &+= 1
  }

  /// Appends a character in UTF-8.
  private func appendCharacter(_ character: UInt32, _ count: inout Int) {
    let last = UInt8(truncatingIfNeeded: character & 0x3F) | 0x80
    let middle = UInt8(truncatingIfNeeded: character &>> 6 & 0x3F) | 0x80
    switch character {
    case 0..<0x80:
      append(UInt8(truncatingIfNeeded: character), &count)
    case 0x80..<0x800:
      append(UInt8(truncatingIfNeeded: character &>> 6) | 0xC0, &count)
      append(last, &count)
    case 0x800..<0x1_0000:
      append(UInt8(truncatingIfNeeded: character &>> 12) | 0xE0, &count)
      append(middle, &count)
      append(last, &count)
    default:
      append(UInt8(truncatingIfNeeded: character &>> 18) | 0xF0, &count)
      append(UInt8(truncatingIfNeeded: character &>> 12 & 0x3F) | 0x80, &count)
      append(middle, &count)
      append(last, &count)
    }
  }

  /// Returns the character whose digits begin at an index, and moves the index past the escape.
  private static func character(
    in text: BorrowedBuffer<UInt8>, at index: inout Int
  ) -> UInt32 {
    let first = unit(in: text, at: index)
    index += 4
    guard first & 0xF800 == 0xD800 else { return first }
    let isPair =
      first < 0xDC00 && index + 6 <= text.count && text[index] == UInt8(ascii: "\\")
      && text[index + 1] == UInt8(ascii: "u")
    guard isPair else { return 0xFFFD }
    let second = unit(in: text, at: index + 2)
    guard second & 0xFC00 == 0xDC00 else { return 0xFFFD }
    index += 6
    return 0x1_0000 &+ (first & 0x3FF) &<< 10 &+ (second & 0x3FF)
  }

  private static func unit(in text: BorrowedBuffer<UInt8>, at start: Int) -> UInt32 {
    guard start + 4 <= text.count else { return 0xFFFD }
    var unit: UInt32 = 0
    for index in start..<start + 4 {
      let byte = UInt32(text[index])
      // Letters have the bit of 0x40, digits have not.
      unit = unit &<< 4 | (byte & 0x0F) &+ (byte &>> 6) &* 9
    }
    return unit
  }
}

extension BorrowedBuffer<UInt8> {
  /// The index of the first backslash; the number of bytes where there is none.
  fileprivate var firstBackslash: Int {
    var index = 0
    while index + 8 <= count {
      let word = UInt64(littleEndian: load(at: index, as: UInt64.self)) ^ 0x5C5C_5C5C_5C5C_5C5C
      let zeros = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
      if zeros != 0 { return index + zeros.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count, self[index] != UInt8(ascii: "\\") { index += 1 }
    return index
  }
}
