import Testing

@testable import Graft
@testable import GraftTestSupport

/// The reader of numbers, eight digits at a time, against one that reads them one by one.
@Suite struct `A number` {
  /// The parts of a number, read byte by byte.
  private struct Parts: Equatable {
    var digits: UInt64 = 0
    var digitCount = 0
    var power = 0
    var isNegative = false
    var isWhole = true

    init(_ text: String) {
      let mantissa = text.prefix { $0 != "e" && $0 != "E" }
      isNegative = mantissa.hasPrefix("-")
      for digit in mantissa where digit.isNumber {
        digits = digits &* 10 &+ UInt64(digit.wholeNumberValue ?? 0)
        if digits > 0 || digitCount > 0 { digitCount += 1 }
      }
      if ["0", "-0"].contains(mantissa) { digitCount = 1 }
      if let point = mantissa.firstIndex(of: ".") {
        power = 1 - mantissa.distance(from: point, to: mantissa.endIndex)
        isWhole = false
      }
      if mantissa.count < text.count {
        power += Int(text.dropFirst(mantissa.count + 1)) ?? 0
        isWhole = false
      }
    }

    init(_ scan: NumberScan) {
      digits = scan.digits
      digitCount = Int(scan.digitCount)
      power = Int(scan.power)
      isNegative = scan.isNegative
      isWhole = scan.isWhole
    }
  }

  private static func text(using random: inout SeededGenerator) -> String {
    func digits(_ counts: ClosedRange<Int>) -> String {
      (0..<Int.random(in: counts, using: &random)).map { _ in
        "\(Int.random(in: 0...9, using: &random))"
      }.joined()
    }
    var text = Bool.random(using: &random) ? "-" : ""
    text +=
      Bool.random(using: &random)
      ? "0" : "\(Int.random(in: 1...9, using: &random))\(digits(0...26))"
    if Bool.random(using: &random) { text += ".\(digits(1...26))" }
    if Int.random(in: 0...3, using: &random) == 0 {
      text += ["e", "E", "e+", "E-"][Int.random(in: 0...3, using: &random)] + digits(1...9)
    }
    return text
  }

  @Test(arguments: Seeds.some(2, of: 4))
  func `is read alike wherever it is in a text, and however much follows`(seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 600)
    for _ in 0..<2_000 {
      let text = Self.text(using: &random)
      let expected = Parts(text)
      #expect(NumberScan(Array(text.utf8).span).map(Parts.init) == expected, "\(text)")
      let start = Int.random(in: 0...12, using: &random)
      let before = String(repeating: "7", count: start)
      let after = [",", "}", "]", " ", "\n"][Int.random(in: 0...4, using: &random)]
      let rest = after + String(repeating: "7", count: Int.random(in: 0...12, using: &random))
      let bytes = Array((before + text + rest).utf8)
      let (scan, end) = bytes.withBorrowed { NumberScan.read($0, from: start, to: bytes.count) }
      #expect(end == start + text.utf8.count, "\(text)")
      #expect(Parts(scan) == expected, "\(text)")
    }
  }

  @Test(arguments: [
    ("0", 0), ("-0", 0), ("7", 7), ("-12345678", -12_345_678),
    ("123456789012345678", 123_456_789_012_345_678),
    ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("1e3", 1_000),
    ("12.00", 12), ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.5", nil),
    ("18446744073709551617", nil), ("100000000000000000000", nil), ("01", nil), ("-", nil),
    ("1e-1", nil), ("1 ", nil), ("", nil),
  ])
  func `is an integer where its value is one of 64 bits`(text: String, value: Int64?) {
    #expect(IntegerText.parse(Array(text.utf8).span) == value)
  }

  @Test(arguments: [
    ("5e0000000000001", 50.0), ("5E-0000000000000001", 0.5), ("0e99999999999", 0),
    ("-0e-99999999999", -0.0), ("1e-99999999999", 0), ("1e99999999999", nil),
    ("1e-18446744073709551617", 0), ("1e18446744073709551617", nil),
  ])
  func `has an exponent of any length`(text: String, value: Double?) {
    #expect(FloatText.parse(Array(text.utf8).span) == value)
  }

  @Test(arguments: [
    "", "-", "+1", "01", "-00", "1.", ".5", "1e", "1e+", "x", "1x", "1..2",
  ])
  func `is none in another grammar`(text: String) {
    #expect(NumberScan(Array(text.utf8).span).map(Parts.init) == nil)
  }
}
