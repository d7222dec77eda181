import Testing

@testable import Graft
@testable import GraftTestSupport

/// The output of a filter for a text.
private struct Filtered: Equatable {
  var passed: [UInt8] = []
  var fault: TextFilter.Fault?

  init(
    _ text: [UInt8], chunk: Int, replacesLoneSurrogates: Bool = false,
    instructions: ScanInstructions = .best
  ) throws {
    let filter = TextFilter(
      replacesLoneSurrogates: replacesLoneSurrogates, instructions: instructions)
    for start in stride(from: 0, to: text.count, by: min(chunk, text.count)) where fault == nil {
      fault = try Array(text[start..<start + min(chunk, text.count - start)])
        .withBorrowed { chunk in
          try filter.filter(chunk) { passed += $0 }
        }
    }
    if fault == nil { try filter.finish { passed += $0 } }
  }
}

struct `The filter before YAJL` {
  private static let plain = "0123456789 \\n \\/ \\\" \\\\u \\\\\\\\u 0123456789 0123456789"

  @Test(arguments: [
    ("\u{B}", TextFilter.Fault.verticalTab), ("\u{C}", .formFeed),
    ("\\uD800", .loneSurrogate), ("\\uDC00", .loneSurrogate), ("\\uD83D\\u0041", .loneSurrogate),
    ("\\\\\\uD800", .loneSurrogate),
  ])
  func `stops at what must not pass, wherever it is and however it is cut`(
    bad: String, fault: TextFilter.Fault
  ) throws {
    for count in [0, 1, 7, 8, 15, 16, 31, 32, 33, Self.plain.utf8.count] {
      let before = Array(Self.plain.utf8.prefix(count))
      guard before.last != UInt8(ascii: "\\") else { continue }
      let text = before + Array(bad.utf8) + Array(Self.plain.utf8)
      for chunk in [1, 2, 3, 11, 64, text.count] {
        let filtered = try Filtered(text, chunk: chunk)
        #expect(filtered.fault == fault, "\(count) bytes before, chunks of \(chunk)")
        #expect(filtered.passed.starts(with: before))
      }
    }
  }

  @Test(
    arguments: [
      [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5],
      [0x80],
    ] as [[UInt8]])
  func `names the byte with which invalid UTF-8 begins`(bytes: [UInt8]) throws {
    let before = Array("東京 é 😀".utf8)
    for chunk in [1, 2, 3, 64] {
      let filtered = try Filtered(before + bytes + Array("abc".utf8), chunk: chunk)
      #expect(filtered.fault == .invalidUTF8(bytes[0]))
      #expect(filtered.passed == before)
    }
  }

  @Test(arguments: 1...14)
  func `passes on all else unchanged`(chunk: Int) throws {
    let text = Array("\(Self.plain) é東京😀 \\uD83D\\uDE00 \\u00e9 \\x \(Self.plain)".utf8)
    let filtered = try Filtered(text, chunk: chunk)
    #expect(filtered.fault == nil)
    #expect(filtered.passed == text)
  }

  @Test(arguments: 1...14)
  func `replaces half a surrogate pair by an escape of the same length`(chunk: Int) throws {
    let filtered = try Filtered(
      Array(#"a\uD800b\uDC00\uD83D\uDE00"#.utf8), chunk: chunk, replacesLoneSurrogates: true)
    #expect(filtered.fault == nil)
    #expect(filtered.passed == Array(#"a\uFFFDb\uFFFD\uD83D\uDE00"#.utf8))
  }

  @Test(arguments: ScanInstructions.allCases.filter(\.isAvailable))
  func `finds the same with any instructions, wherever in a block it is`(
    instructions: ScanInstructions
  ) throws {
    let faults: [(bytes: [UInt8], fault: TextFilter.Fault?)] = [
      ([0x0B], .verticalTab), ([0x0C], .formFeed), (Array("\\uD800".utf8), .loneSurrogate),
      ([0x80], .invalidUTF8(0x80)), ([0xC3], .invalidUTF8(0xC3)),
      ([0xE6, 0x9D], .invalidUTF8(0xE6)), ([0xF0, 0x9F, 0x98], .invalidUTF8(0xF0)),
      (Array("\\\\u \\u00e9".utf8), nil),
    ]
    let characters = String(repeating: "é東京😀 plain ", count: 8).map { Array($0.utf8) }
    for place in characters.indices {
      let before = Array(characters[..<place].joined())
      let after = Array(characters[place...].joined())
      for (bytes, fault) in faults {
        let filtered = try Filtered(
          before + bytes + Array("a".utf8) + after, chunk: .max, instructions: instructions)
        try #require(filtered.fault == fault, "\(bytes) after \(before.count) bytes")
        try #require(
          filtered.passed == (fault == nil ? before + bytes + Array("a".utf8) + after : before))
      }
    }
  }
}
