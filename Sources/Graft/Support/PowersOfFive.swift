/// Powers of five as their first 128 bits; they scale the digits of a decimal number to the nearest binary number.
///
/// Positive powers are cut off after these bits, as the method of D. Lemire requires ("Number
/// parsing at a gigabyte per second", Software: Practice and Experience 51, 2021). Of negative
/// ones, the reciprocals of 5 to 5^27 are rounded up, and those of higher powers are cut off.
enum PowersOfFive {
  /// The exponents that the finite numbers of 64 bits need with digits below 2^64.
  static let exponents = -342...308

  /// Returns the 128 bits of a power, beginning with its first 1.
  ///
  /// - Parameter exponent: One of ``exponents``.
  /// - Returns: The power in two words.
  @inline(__always)
  static func bits(_ exponent: Int) -> (high: UInt64, low: UInt64) {
    let index = 2 &* (exponent &- exponents.lowerBound)
    return (words[index], words[index &+ 1])
  }

  /// Two words for each power, computed where they are first needed, in some 50 microseconds.
  private static let words: [UInt64] = {
    var words: [UInt64] = []
    words.reserveCapacity(2 * exponents.count)
    // 2^1151 divided by five again and again: floor(floor(a / 5) / 5) is floor(a / 25), so nothing is lost.
    var number = LongNumber(wordCount: 18)
    number.words[17] = 1 << 63
    for power in 1 ... -exponents.lowerBound {
      number.divideByFive()
      var (high, low) = number.firstBits
      if power <= 27 {
        low &+= 1
        if low == 0 { high += 1 }
      }
      words.append(low)
      words.append(high)
    }
    words.reverse()
    number = LongNumber(wordCount: 12)
    number.words[0] = 1
    for power in 0...exponents.upperBound {
      if power > 0 { number.multiplyByFive() }
      words.append(number.firstBits.high)
      words.append(number.firstBits.low)
    }
    return words
  }()
}

/// An unsigned integer of `count` words of 64 bits.
private struct LongNumber {
  /// The lowest word first.
  var words: [UInt64]

  init(wordCount: Int) {
    words = Array(repeating: 0, count: wordCount)
  }

  mutating func multiplyByFive() {
    var carry: UInt64 = 0
    for index in words.indices {
      let product = words[index].multipliedFullWidth(by: 5)
      let (low, overflows) = product.low.addingReportingOverflow(carry)
      words[index] = low
      carry = product.high + (overflows ? 1 : 0)
    }
  }

  mutating func divideByFive() {
    var remainder: UInt64 = 0
    for index in words.indices.reversed() {
      (words[index], remainder) = UInt64(5).dividingFullWidth((remainder, words[index]))
    }
  }

  /// The 128 bits from the first one on.
  var firstBits: (high: UInt64, low: UInt64) {
    let first = words.lastIndex { $0 != 0 } ?? 0
    let word = { (index: Int) in index >= 0 ? words[index] : 0 }
    let shift = UInt64(words[first].leadingZeroBitCount)
    // A shift by 64 gives zero.
    let joined = { (index: Int) in word(index) << shift | word(index - 1) >> (64 - shift) }
    return (joined(first), joined(first - 1))
  }
}
