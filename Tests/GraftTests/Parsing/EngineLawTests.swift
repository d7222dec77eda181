#if canImport(CYAJL)
import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// The native engine with each set of instructions that this processor has.
private let instructions = ScanInstructions.allCases.filter(\.isAvailable)

struct `Laws of the two engines` {
  @Test(arguments: Seeds.some(8, of: 25), `Laws of cutting`.formats)
  func `events, places and errors are the same from both`(
    seed: UInt64, options: ParserOptions
  ) throws {
    var random = SeededGenerator(seed: seed &+ 1_000)
    for round in 0..<10 {
      var text = Array(RandomDocument.make(&random).utf8)
      if options.format == .ndjson { text += Array("\n\(RandomDocument.make(&random))".utf8) }
      // Anywhere in a block of 64 bytes, and across its end.
      let spaces = Int.random(in: 0...130, using: &random)
      text = [UInt8](repeating: 0x20, count: spaces) + text
      if round > 2 { text = RandomDocument.damage(text, &random) }
      let expected = try Reading(text, options: options.yajl)
      for instructions in instructions {
        let native = options.native(instructions)
        for size in [text.count, 1, Int.random(in: 2...130, using: &random)] {
          let reading = try Reading(text, chunk: size, options: native)
          try #require(
            reading == expected,
            "\(instructions), \(String(decoding: text, as: UTF8.self)) in chunks of \(size)")
        }
      }
    }
  }

  @Test(arguments: RandomDocument.tokens)
  func `a token of any kind is read the same at any place of a block`(token: String) throws {
    for place in 0..<66 {
      for text in [
        "[\(String(repeating: " ", count: place))\(token),7]",
        "{\"k\":\(String(repeating: " ", count: place))\(token)}",
      ] {
        let text = Array(text.utf8)
        let expected = try Reading(text, options: ParserOptions().yajl)
        for instructions in instructions {
          let native = ParserOptions().native(instructions)
          let isSame = try Reading(text, options: native) == expected
          try #require(isSame, "\(instructions), \(place)")
        }
      }
    }
  }

  /// A document with each kind of token, in about 600 bytes.
  static let allKinds = """
    {"id": 505874924095815681, "ok": true, "no": false, "nothing": null, "ratio": -12.5e-3,
     "text": "Größe 東京 😀 \\"quoted\\" \\\\ \\/ \\u00e9\\ud83d\\ude00", "empty": "", "o": {}, "a": [],
     "k\\u0065y": [[1, 2.5, -0, 1e10], ["x", "\\n", {"deep": {"deeper": ["deepest"]}}]],
     "\(String(repeating: "long ", count: 40))": "\(String(repeating: "äb", count: 60))",
     "numbers": [0, 1, 12, 123, 1234, 12345, 123456, 1234567, 12345678, 0.1, 1.25, 100.125e+2]}
    """

  @Test(arguments: instructions)
  func `every size of chunks from 1 to 130 gives the same`(instructions: ScanInstructions) throws {
    let text = Array(Self.allKinds.utf8)
    let expected = try Reading(text, options: ParserOptions().yajl)
    try #require(expected.error == nil)
    for size in 1...130 {
      let native = ParserOptions().native(instructions)
      #expect(try Reading(text, chunk: size, options: native) == expected, "chunks of \(size)")
    }
  }

  /// The events before the end are those of any document, whose places other tests compare, and
  /// this one where all is tried.
  @Test func `wherever a document ends too early, the error is the same`() throws {
    let text = Array(Self.allKinds.utf8)
    for end in text.indices {
      let beginning = Array(text[..<end])
      let expected = try Reading(
        beginning, options: ParserOptions().yajl, places: Seeds.areAllTried)
      for instructions in instructions {
        let native = ParserOptions().native(instructions)
        for size in [text.count, 7] {
          let reading = try Reading(
            beginning, chunk: size, options: native, places: Seeds.areAllTried)
          let isSame = reading == expected
          try #require(isSame, "\(instructions), after \(end) bytes, in chunks of \(size)")
        }
      }
    }
  }

  @Test(arguments: [0x00, 0x09, 0x0B, 0x22, 0x2C, 0x5C, 0x7B, 0x80, 0xC3, 0xED, 0xFF])
  func `a wrong byte anywhere gives the same error`(byte: Int) throws {
    let text = Array(Self.allKinds.utf8)
    // Each byte at every other place, so that each place has half of the bytes.
    let places = Seeds.areAllTried ? 1 : 2
    for place in stride(from: byte % places, to: text.count, by: places) {
      var damaged = text
      damaged[place] = UInt8(byte)
      let expected = try Reading(damaged, options: ParserOptions().yajl, places: false)
      for instructions in instructions {
        let native = ParserOptions().native(instructions)
        let isSame = try Reading(damaged, options: native, places: false) == expected
        try #require(isSame, "\(instructions), at \(place)")
      }
    }
  }

  @Test
  func `tokens longer than a window, and windows without an end of a token, are read`() throws {
    let long = String(repeating: "0123456789abcdef", count: 4_000)
    let text = Array(
      #"{"a":"\#(long)","\#(long)":[\#(String(repeating: "1", count: 4_000))]}"#.utf8)
    let expected = try Reading(text, options: ParserOptions().yajl)
    try #require(expected.error == nil)
    for instructions in instructions {
      for size in [text.count, 16_384, 4_099, 100] {
        let native = ParserOptions().native(instructions)
        #expect(try Reading(text, chunk: size, options: native) == expected)
      }
    }
  }

  @Test(
    .enabled(
      if: !ConformanceFile.all.isEmpty,
      "JSONTestSuite is not there: ../shared/peers/jsontestsuite"),
    arguments: ConformanceFile.all)
  func `JSONTestSuite is judged the same, to the last error`(_ file: ConformanceFile) throws {
    let text = [UInt8](try Data(contentsOf: file.url))
    for options in `Laws of cutting`.formats {
      let expected = try Reading(text, options: options.yajl, places: text.count < 50_000)
      for instructions in instructions {
        let native = options.native(instructions)
        for size in [text.count, 1] where size == text.count || text.count < 50_000 {
          let reading = try Reading(
            text, chunk: size, options: native, places: text.count < 50_000)
          #expect(reading == expected, "\(instructions), chunks of \(size)")
        }
      }
    }
  }
}

struct `Skipped values` {
  private static func document(_ random: inout SeededGenerator, depth: Int = 0) -> String {
    guard depth < 4 else { return RandomDocument.make(&random, depth: 5) }
    let members = (0..<Int.random(in: 0...5, using: &random)).map { index in
      let name = ["skip", "hollow", "keep", "k\\u0065ep"].randomElement(using: &random) ?? ""
      return "\"\(name)\(index)\" : \(document(&random, depth: depth + 1))"
    }
    return "{\(members.joined(separator: ", "))}"
  }

  @Test(arguments: Seeds.some(8, of: 25))
  func `what is skipped is checked as all else is, and the rest is the same`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 77_000)
    for round in 0..<12 {
      var text = Array(Self.document(&random).utf8)
      if round > 3 { text = RandomDocument.damage(text, &random) }
      for limits in [
        ParserLimits(), ParserLimits(depth: 4, tokenBytes: 9, keyBytes: 8, numberBytes: 5),
      ] {
        let options = ParserOptions(limits: limits)
        let expected = try Reading(partOf: text, chunk: text.count, options: options.yajl)
        for instructions in instructions {
          for size in [max(1, text.count), 1, Int.random(in: 2...70, using: &random)] {
            let reading = try Reading(
              partOf: text, chunk: size, options: options.native(instructions))
            try #require(
              reading == expected,
              "\(instructions), \(String(decoding: text, as: UTF8.self)) in chunks of \(size)")
          }
        }
      }
    }
  }
}

#if canImport(Glibc) || canImport(Darwin)
/// A text at the very end of memory that may be read: a read past its end is a fault.
private struct GuardedText {
  private let pages: UnsafeMutableRawPointer
  private let size: Int

  init?() {
    size = Int(sysconf(Int32(_SC_PAGESIZE)))
    let flags = MAP_PRIVATE | MAP_ANON
    guard let pages = mmap(nil, 2 * size, PROT_READ | PROT_WRITE, flags, -1, 0),
      pages != MAP_FAILED, mprotect(pages + size, size, PROT_NONE) == 0
    else { return nil }
    self.pages = pages
  }

  func free() { munmap(pages, 2 * size) }

  func withText(_ text: [UInt8], _ body: (RawSpan) throws -> Void) rethrows {
    let start = pages + (size - text.count)
    start.copyMemory(from: text, byteCount: text.count)
    try body(UnsafeRawBufferPointer(start: start, count: text.count).bytes)
  }
}

struct `Reads of the scanner` {
  @Test(arguments: instructions)
  func `nothing is read behind the end of a chunk`(instructions: ScanInstructions) throws {
    let guarded = try #require(GuardedText())
    defer { guarded.free() }
    let text = Array(`Laws of the two engines`.allKinds.utf8)
    for end in 0...text.count {
      let options = ParserOptions().native(instructions)
      let log = EventLog()
      let parser = EventParser(sink: log, options: options)
      try guarded.withText(Array(text[..<end])) { try parser.parse($0) }
      try guarded.withText(Array(text[end...])) { try parser.parse($0) }
      try parser.finish()
      #expect(log.events.count > 50)
    }
  }
}
#endif
#endif
