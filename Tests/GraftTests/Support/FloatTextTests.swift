import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// The reader of floating-point numbers, against `strtod` and `strtof` of the C library.
@Suite struct `Floating-point numbers` {
  private func check(_ text: String) {
    let bytes = Array(text.utf8)
    let double = strtod(text, nil)
    #expect(
      FloatText.parse(bytes.span)?.bitPattern == (double.isFinite ? double.bitPattern : nil),
      "\(text)")
    let single = strtof(text, nil)
    #expect(
      FloatText.parseSingle(bytes.span)?.bitPattern == (single.isFinite ? single.bitPattern : nil),
      "\(text), of 32 bits")
  }

  @Test(arguments: [
    "0", "-0", "0.0e5", "0e400", "1", "0.1", "-12.5e-3", "9007199254740993",
    "9007199254740992.999999999999", "9007199254740993.00000000000000000000000000001",
    // The largest numbers, and what is beyond.
    "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1e309", "-1e400",
    "3.4028234663852886e38", "3.4028235677973362e38", "3.4028235677973366e38", "1e39",
    // The least ones, normal and subnormal, and what is rounded to them or to zero.
    "2.2250738585072014e-308", "2.2250738585072011e-308", "2.2250738585072012e-308",
    "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-400",
    "1.1754943508222875e-38", "1.401298464324817e-45", "7.006492321624085e-46",
    "7.0064923216240854e-46",
    // Digits that do not count, and powers that take them back.
    "0.000000000000000000000000000000000000000000000000000000000000000000000000001",
    "100000000000000000000000000000000000000000000000000", "123456789012345678901234567890",
    "12345678901234567890e-40", "18446744073709551615", "18446744073709551616",
    "0.0000000000000000000000000000000000000000012345678901234567890123e60",
    // Known to be hard: W. Kahan, V. Paxson, R. Regan.
    "6929495644600919.5", "3.237883913302901e-319", "9.5e-322", "5e-324", "2.5e-324",
    "8.5185522412e-68", "9.5367431640625e-7", "7.2057594037927933e16", "1.00000005960464477540",
  ])
  func `are read as strtod reads them`(text: String) {
    check(text)
    check("-\(text)".replacing("--", with: ""))
  }

  @Test(arguments: Seeds.some(2, of: 4))
  func `of any bits are read from any number of digits`(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 9_000)
    for _ in 0..<1_500 {
      let double = Double(bitPattern: random.next())
      let single = Float(bitPattern: UInt32(truncatingIfNeeded: random.next() >> 32))
      guard double.isFinite, single.isFinite else { continue }
      check("\(double)")
      check("\(single)")
      for format in ["%.8e", "%.15e", "%.16e", "%.17e", "%.18e", "%.19e", "%.30e"] {
        check(String(format: format, double))
      }
      // The middle of two numbers of 32 bits is a number of 64 bits.
      let middle = (Double(single) + Double(single.nextUp)) / 2
      if middle.isFinite {
        for digits in [17, 19, 160] { check(String(format: "%.\(digits)e", middle)) }
      }
    }
  }

  @Test func `of any digits with any power are read`() {
    var random = SeededGenerator(seed: 4_711)
    for _ in 0..<6_000 {
      let digits = random.next() >> (random.next() % 64)
      check("\(digits)e\(Int.random(in: -345...310, using: &random))")
      check("\(digits)e\(Int.random(in: -30...30, using: &random))")
      check("0.000\(digits)\(random.next())e\(Int.random(in: -345...310, using: &random))")
    }
  }

  /// An odd number of 54 bits is in the middle of two that 64 bits can hold, and so are its products with
  /// powers of two.
  @Test func `in the middle of two are rounded to the even one, and beside it to the nearer`() {
    var random = SeededGenerator(seed: 53)
    for _ in 0..<800 {
      let odd = UInt64.random(in: 1 << 53..<1 << 54, using: &random) | 1
      var texts: [String] = []
      // odd / 2^power, as 5^power has to be multiplied with: all digits are there.
      var digits = odd
      for power in 0...4 {
        texts.append("\(digits)e-\(power)")
        texts += [digits - 1, digits + 1].map { "\($0)e-\(power)" }
        texts += ["0000000000001", "4999999999999"].map { "\(digits).\($0)e-\(power)" }
        texts.append("\(digits - 1).99999999999999999e-\(power)")
        let (product, overflows) = digits.multipliedReportingOverflow(by: 5)
        guard !overflows else { break }
        digits = product
      }
      // A multiple of 5^power, written with that power of ten.
      var five: UInt64 = 1
      for power in 0...22 {
        let factor = (odd / five) | 1
        texts += ["\(factor)e\(power)", "\(factor).0000000000000000000001e\(power)"]
        five *= 5
      }
      for text in texts { check(text) }
    }
  }

  @Test func `that are subnormal are read from all of their digits`() {
    var random = SeededGenerator(seed: 324)
    for _ in 0..<60 {
      let double = Double(bitPattern: UInt64.random(in: 1..<1 << 52, using: &random))
      check(String(format: "%.780e", double))
      check(String(format: "%.17e", double))
    }
  }

  @Test(arguments: ["", "-", "+1", "01", "1.", ".5", "1e", "0x10", "nan", "inf", "1 ", " 1", "1_0"])
  func `are none in another grammar`(text: String) {
    #expect(FloatText.parse(Array(text.utf8).span) == nil)
    #expect(FloatText.parseSingle(Array(text.utf8).span) == nil)
  }
}
