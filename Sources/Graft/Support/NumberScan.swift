/// A number in the grammar of RFC 8259: its digits as one integer, and a power of ten.
///
/// The digits are read once, eight at a time: the sums of pairs, fours and eights of them are made in one
/// word (D. Lemire, "Quickly parsing eight digits", 2018).
package struct NumberScan: BitwiseCopyable {
  /// The number of digits that always fit into 64 bits.
  static let digitLimit = 19

  /// The digits before and after the point as one integer, if there are at most ``digitLimit``; more
  /// digits overflow.
  let digits: UInt64
  /// The power of ten of the last digit: -1.25e3 is 125 with the power 1.
  let power: Int32
  /// The number of digits from the first one that is not zero; 255 if there are more.
  ///
  /// 17 digits distinguish every `Double`.
  package let digitCount: UInt8
  let isNegative: Bool
  /// Whether it is written without a fraction and without an exponent.
  let isWhole: Bool

  /// Reads a number; nil if the text is not a number.
  ///
  /// - Parameter text: The bytes of the whole number.
  package init?(_ text: Span<UInt8>) {
    // The text is borrowed for the call.
    let (scan, end) = unsafe text.withUnsafeBufferPointer {
      NumberScan.read(unsafe BorrowedBuffer($0), from: 0, to: text.count)
    }
    guard end > 0, end == text.count else { return nil }
    self = scan
  }

  private init(
    _ digits: UInt64, _ power: Int, digitCount: Int, isNegative: Bool, isWhole: Bool
  ) {
    self.digits = digits
    self.power = Int32(truncatingIfNeeded: power)
    self.digitCount = UInt8(truncatingIfNeeded: min(digitCount, 255))
    self.isNegative = isNegative
    self.isWhole = isWhole
  }

  /// Reads the number at the beginning of a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - start: The position at which the number begins.
  ///   - limit: The end of the bytes that may be read.
  /// - Returns: The number, and the position behind it; that is 0 where there is no number.
  @inline(__always)
  static func read(
    _ text: BorrowedBuffer<UInt8>, from start: Int, to limit: Int
  ) -> (scan: NumberScan, end: Int) {
    var digits: UInt64 = 0
    let isNegative = start < limit && text[start] == UInt8(ascii: "-")
    let first = isNegative ? start &+ 1 : start
    var end = endOfDigits(text, first, limit, &digits)
    var digitCount = end &- first
    var isValid = digitCount == 1 || digitCount > 1 && text[first] != UInt8(ascii: "0")
    var isWhole = true
    var power = 0
    if end < limit, text[end] == UInt8(ascii: ".") {
      isWhole = false
      let point = end &+ 1
      end = endOfDigits(text, point, limit, &digits)
      power = point &- end
      digitCount &-= power
      if power == 0 { isValid = false }
      if text[first] == UInt8(ascii: "0") {
        digitCount &-= 1 &+ zeroCount(text, point, end)
      }
    }
    if end < limit, text[end] | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      let exponent = exponent(of: text, &end, limit)
      power &+= exponent ?? 0
      if exponent == nil { isValid = false }
    }
    return (
      NumberScan(
        digits, power, digitCount: digitCount, isNegative: isNegative, isWhole: isWhole),
      isValid ? end : 0
    )
  }

  /// Finds the end of digits, and appends them to an integer.
  @inline(__always)
  private static func endOfDigits(
    _ text: BorrowedBuffer<UInt8>, _ start: Int, _ limit: Int, _ digits: inout UInt64
  ) -> Int {
    var end = start
    while true {
      let word = word(of: text, at: end, to: limit) ^ 0x3030_3030_3030_3030
      // The first high bit marks the first byte that is no digit.
      let others = (word &+ 0x7676_7676_7676_7676 | word) & 0x8080_8080_8080_8080
      let count = others.trailingZeroBitCount &>> 3
      guard count > 0 else { return end }
      end &+= count
      guard count < 8 else {
        digits = digits &* 100_000_000 &+ sum(word)
        continue
      }
      digits = digits &* powersOfTen[count] &+ sum(word &<< UInt64(64 &- 8 &* count))
      return end
    }
  }

  /// Returns the number of zeros at the beginning of a range.
  @inline(never)
  private static func zeroCount(_ text: BorrowedBuffer<UInt8>, _ start: Int, _ end: Int) -> Int {
    text[start..<end].firstIndex { $0 != UInt8(ascii: "0") } ?? end &- start
  }

  /// Returns the number that eight digits form; each byte has a digit's value, the lowest byte the first digit's.
  @inline(__always)
  private static func sum(_ word: UInt64) -> UInt64 {
    let pairs = word &* 10 &+ (word &>> 8)
    let low = (pairs & 0xFF_0000_00FF) &* 0xF_4240_0000_0064
    let high = (pairs &>> 16 & 0xFF_0000_00FF) &* 0x2710_0000_0001
    return (low &+ high) &>> 32
  }

  private static let powersOfTen: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000,
  ]

  /// Returns eight bytes of a text; bytes after its end are zeros, which are no digits.
  @inline(__always)
  private static func word(
    of text: BorrowedBuffer<UInt8>, at position: Int, to limit: Int
  ) -> UInt64 {
    position &+ 8 <= limit
      ? UInt64(littleEndian: text.load(at: position, as: UInt64.self))
      : lastWord(of: text, at: position, to: limit)
  }

  private static func lastWord(
    of text: BorrowedBuffer<UInt8>, at position: Int, to limit: Int
  ) -> UInt64 {
    guard limit < 8 else {
      // The last eight bytes, without those before the position.
      return UInt64(littleEndian: text.load(at: limit &- 8, as: UInt64.self))
        >> UInt64(8 &* (position &+ 8 &- limit))
    }
    var word: UInt64 = 0
    for index in (position..<limit).reversed() { word = word &<< 8 | UInt64(text[index]) }
    return word
  }

  /// Reads an exponent, with its letter; nil if there is none here.
  ///
  /// An exponent beyond 999,999,999 is read as that: every number but zero is too large or too small then.
  @inline(never)
  private static func exponent(
    of text: BorrowedBuffer<UInt8>, _ end: inout Int, _ limit: Int
  ) -> Int? {
    end &+= 1
    let isBelowOne = end < limit && text[end] == UInt8(ascii: "-")
    if isBelowOne || end < limit && text[end] == UInt8(ascii: "+") { end &+= 1 }
    let start = end
    var exponent: UInt64 = 0
    end = endOfDigits(text, start, limit, &exponent)
    guard end > start else { return nil }
    if end &- start > 9, end &- zeroCount(text, start, end) &- start > 9 { exponent = 999_999_999 }
    return isBelowOne ? -Int(exponent) : Int(exponent)
  }

  /// The number as an integer, where it is written as one of up to 18 digits.
  @inline(__always)
  var integer: Int64? {
    // 18 digits cannot overflow, and cover all but the rarest numbers.
    guard isWhole, digitCount <= 18 else { return nil }
    let magnitude = Int64(bitPattern: digits)
    return isNegative ? 0 &- magnitude : magnitude
  }

  /// Calls a closure with each digit before the exponent, as its character.
  func forEachDigit(in text: Span<UInt8>, _ body: (UInt8) -> Void) {
    for position in text.indices where text[position] != UInt8(ascii: ".") {
      if text[position] | 0x20 == UInt8(ascii: "e") { return }
      if text[position] != UInt8(ascii: "-") { body(text[position]) }
    }
  }
}

extension UInt8 {
  /// Whether the byte may follow a number or word in a text without control characters.
  @inline(__always)
  var endsScalar: Bool {
    self <= 0x20 || self == UInt8(ascii: ",") || self == UInt8(ascii: "}")
      || self == UInt8(ascii: "]")
  }
}
