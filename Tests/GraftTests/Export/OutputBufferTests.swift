import Testing

@testable import Graft

/// The literals that are written at speed, against those that are written plainly.
@Suite struct `An output buffer` {
  private func text(_ write: (inout OutputBuffer) throws -> Void) throws -> String {
    var bytes: [UInt8] = []
    var buffer = OutputBuffer { chunk in chunk.withUnsafeBytes { bytes += $0 } }
    try write(&buffer)
    try buffer.flush()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `escapes what must be escaped, wherever it stands`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let letters = ["a", "é", "😀", "\"", "\\", "\n", "\u{1}", "\u{1f}", " ", "\u{7f}", "z", "/"]
    for length in 0..<40 {
      var value = (0..<length).map { _ in
        Int.random(in: 0..<4, using: &random) == 0
          ? letters.randomElement(using: &random) ?? "" : "x"
      }.joined()
      var expected: [UInt8] = []
      value.withUTF8 { JSONLiteral.appendString($0, to: &expected) }
      let written = try text { buffer in
        try value.withUTF8 { try buffer.appendString($0) }
      }
      #expect(written == String(decoding: expected, as: UTF8.self))
    }
  }

  @Test func `writes integers of any size`() throws {
    var values: [Int64] = [0, 1, -1, .max, .min]
    var power: Int64 = 1
    for _ in 0..<18 {
      power *= 10
      values += [power - 1, power, power + 1, -power]
    }
    for value in values {
      #expect(try text { try $0.appendInteger(value) } == "\(value)")
    }
  }
}
