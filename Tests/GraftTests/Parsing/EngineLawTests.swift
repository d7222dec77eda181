#if canImport(CYAJL)
import Foundation
import Testing

@testable import Graft

/// The native engine with each set of instructions that this processor has.
private let instructions = ScanInstructions.allCases.filter(\.isAvailable)

extension ParserOptions {
  fileprivate func native(_ instructions: ScanInstructions) -> ParserOptions {
    var options = self
    options.engine = .native
    options.instructions = instructions
    return options
  }

  fileprivate var yajl: ParserOptions {
    var options = self
    options.engine = .yajl
    return options
  }
}

struct `Laws of the two engines` {
  @Test(arguments: 1...25 as ClosedRange<UInt64>, `Laws of cutting`.formats)
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

  /// One token of each kind, right and wrong, in an array and in an object.
  static let tokens: [String] =
    [
      "null", "true", "false", "0", "-0.5e-7", "12345678901234567890", #""""#, #""plain""#,
      #""\"\\\/\b\f\n\r\t""#, #""\u0041\u00e9\u6771""#, #""\ud83d\uDE00""#, #""é東😀""#, #""\\\\""#,
      "{}", "[]", #"{"a":[{"b":{}}]}"#, #"{"\u0061\n":1}"#,
      "\"" + String(repeating: "long ", count: 30) + "\"",
    ] + [
      "nul", "nulll", "truE", "fals", "00", "-", "1.", "1e", "1e+", "+1", ".5", "1.5.2", "0x1",
      "1\"a\"",
      "\"a\"b", #""\x""#, #""\u12g4""#, #""\ud83d""#, #""\ud83dx""#, #""\ud83d\n""#, #""\ude00""#,
      #""\ud83d\u0041""#, #""\ud83d\u12""#, "\"tab\there\"", "\"\u{0B}\"", "\u{0C}", "\\",
      #"\u0041"#,
      #"\ud800"#, "é", "😀", "'a'", "{1:2}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "[1,]", "[,]",
      "{,}", "]",
      "}", ":", ",", "\u{0}", "\u{1F}", "\u{7F}", "NaN", "/*", "\"unended", #""\"#, #""\u"#,
      #""\ud8"#,
      #""\ud83d\u"#, "12\u{0B}", #"12\"#, "12é",
    ]

  @Test(arguments: tokens)
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
          try #require(
            try Reading(text, options: native) == expected, "\(instructions), \(place)")
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

  @Test(arguments: instructions)
  func `wherever a document ends too early, the error is the same`(
    instructions: ScanInstructions
  ) throws {
    let text = Array(Self.allKinds.utf8)
    for end in text.indices {
      let beginning = Array(text[..<end])
      let expected = try Reading(beginning, options: ParserOptions().yajl)
      let native = ParserOptions().native(instructions)
      try #require(try Reading(beginning, options: native) == expected, "after \(end) bytes")
      try #require(try Reading(beginning, chunk: 7, options: native) == expected, "\(end), cut")
    }
  }

  @Test(
    arguments: instructions, [0x00, 0x09, 0x0B, 0x22, 0x2C, 0x5C, 0x7B, 0x80, 0xC3, 0xED, 0xFF])
  func `a wrong byte anywhere gives the same error`(
    instructions: ScanInstructions, byte: Int
  ) throws {
    let text = Array(Self.allKinds.utf8)
    for place in text.indices {
      var damaged = text
      damaged[place] = UInt8(byte)
      let expected = try Reading(damaged, options: ParserOptions().yajl, places: false)
      let native = ParserOptions().native(instructions)
      try #require(
        try Reading(damaged, options: native, places: false) == expected, "at \(place)")
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
        for size in [text.count, 1, 5] where size == text.count || text.count < 50_000 {
          let reading = try Reading(
            text, chunk: size, options: native, places: text.count < 50_000)
          #expect(reading == expected, "\(instructions), chunks of \(size)")
        }
      }
    }
  }
}

/// Receives a document without the members whose keys begin with `skip`, and without the content of
/// containers whose keys begin with `hollow`: from the native engine by asking for less, from YAJL's by
/// ignoring what comes.
private final class PartialLog: EventSink {
  var events: [String] = []
  weak var engine: (any EventEngine)?
  /// The depth of the container that is ignored; .max where none is.
  private var ignoredDepth = Int.max
  private var ignoresValue = false
  private var isHollow = false
  private var depth = 0

  override var skipsValue: Bool { ignoresValue }
  override var skipsContent: Bool { depth >= ignoredDepth }

  override func null() -> Bool { scalar("null") }
  override func boolean(_ value: Bool) -> Bool { scalar("\(value)") }
  override func number(_ bytes: BorrowedBuffer<UInt8>) -> Bool {
    scalar(String(decoding: bytes, as: UTF8.self))
  }
  override func string(_ bytes: BorrowedBuffer<UInt8>) -> Bool {
    scalar(String(decoding: bytes, as: UTF8.self))
  }
  override func key(_ bytes: BorrowedBuffer<UInt8>) -> Bool {
    guard depth < ignoredDepth else { return true }
    let key = String(decoding: bytes, as: UTF8.self)
    ignoresValue = key.hasPrefix("skip")
    isHollow = key.hasPrefix("hollow")
    return note(key)
  }
  override func startObject() -> Bool { start("{") }
  override func startArray() -> Bool { start("[") }
  override func endObject() -> Bool { end("}") }
  override func endArray() -> Bool { end("]") }

  private func scalar(_ event: String) -> Bool {
    if depth >= ignoredDepth { return true }
    defer { (ignoresValue, isHollow) = (false, false) }
    return ignoresValue || note(event)
  }

  private func start(_ event: String) -> Bool {
    depth += 1
    if depth > ignoredDepth { return true }
    if ignoresValue || isHollow { ignoredDepth = depth }
    return ignoresValue || note(event)
  }

  private func end(_ event: String) -> Bool {
    defer { depth -= 1 }
    if depth > ignoredDepth { return true }
    let wasHidden = ignoresValue && depth == ignoredDepth
    if depth == ignoredDepth { (ignoredDepth, ignoresValue, isHollow) = (.max, false, false) }
    return wasHidden || note(event)
  }

  private func note(_ event: String) -> Bool {
    let place = engine.map { "\($0.tokenLocation) \($0.path()) \($0.currentIndex) \($0.depth)" }
    events.append("\(event) \(place ?? "")")
    return true
  }
}

struct `Skipping what nobody wants` {
  private static func read(
    _ text: [UInt8], chunk: Int, _ options: ParserOptions
  ) throws -> Reading {
    var reading = try Reading([UInt8(ascii: "0")])
    let log = PartialLog()
    let parser = EventParser(sink: log, options: options)
    log.engine = parser.engine
    reading.error = nil
    do {
      for start in stride(from: 0, to: text.count, by: chunk) {
        try Array(text[start..<min(start + chunk, text.count)]).withRawSpan {
          try parser.parse($0)
        }
      }
      try parser.finish()
    } catch let error as ParsingError {
      reading.error = error
    }
    reading.events = log.events
    return reading
  }

  private static func document(_ random: inout SeededGenerator, depth: Int = 0) -> String {
    guard depth < 4 else { return RandomDocument.make(&random, depth: 5) }
    let members = (0..<Int.random(in: 0...5, using: &random)).map { index in
      let name = ["skip", "hollow", "keep", "k\\u0065ep"].randomElement(using: &random) ?? ""
      return "\"\(name)\(index)\" : \(document(&random, depth: depth + 1))"
    }
    return "{\(members.joined(separator: ", "))}"
  }

  @Test(arguments: 1...25 as ClosedRange<UInt64>)
  func `what is skipped is checked as all else is, and the rest is the same`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 77_000)
    for round in 0..<12 {
      var text = Array(Self.document(&random).utf8)
      if round > 3 { text = RandomDocument.damage(text, &random) }
      for limits in [
        ParserLimits(), ParserLimits(depth: 4, tokenBytes: 9, keyBytes: 8, numberBytes: 5),
      ] {
        let options = ParserOptions(limits: limits)
        let expected = try Self.read(text, chunk: max(1, text.count), options.yajl)
        for instructions in instructions {
          for size in [max(1, text.count), 1, Int.random(in: 2...70, using: &random)] {
            let reading = try Self.read(text, chunk: size, options.native(instructions))
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
