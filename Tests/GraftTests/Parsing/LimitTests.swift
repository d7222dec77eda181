import Testing

@testable import Graft
@testable import GraftTestSupport

struct `Limits of the parser` {
  private static let limits = ParserLimits(depth: 2, tokenBytes: 8, keyBytes: 6, numberBytes: 4)

  @Test(arguments: [
    ("[[1]]", nil), ("[[[]]]", "1:3 $[0][0]"), ("[\"12345678\"]", nil),
    ("[\"123456789\"]", "1:2 $[0]"), ("[0,\"\\u0041\\u0042\"]", "1:4 $[1]"),
    ("{\"123456\":0}", nil),
    ("{\"1234567\":0}", "1:2 $"), ("{\"a\":1,\"\\u00412\":0}", "1:8 $"), ("[1234]", nil),
    ("{\"a\":12345}", "1:6 $.a"), ("[\"123456789", "1:2 $[0]"), ("[\"12345678\t\"]", nil),
    ("[\"123456789\t\"]", "1:2 $[0]"),
  ])
  func `are the same for every cutting`(text: String, place: String?) throws {
    let options = ParserOptions(limits: Self.limits)
    let whole = try Reading(Array(text.utf8), options: options)
    let error = whole.error?.kind == .limit ? whole.error : nil
    #expect(error.map { "\($0.location) \($0.path)" } == place)
    for size in 1...5 {
      #expect(try Reading(Array(text.utf8), chunk: size, options: options) == whole)
    }
  }

  @Test func `count a thousand containers by default`() throws {
    let open = [UInt8](repeating: UInt8(ascii: "["), count: 1_001)
    let close = [UInt8](repeating: UInt8(ascii: "]"), count: 1_000)
    #expect(try Reading(open.dropFirst() + close, places: false).error == nil)
    let error = try Reading(open, places: false).error
    #expect(error?.kind == .limit)
    #expect(error?.location.offset == 1_000)
  }
}

struct `Long tokens` {
  @Test(
    arguments: [
      ("\"", "x", "\""), ("\"", "\\u0041", "\""), ("", "7", " "), ("{\"", "\\\"", "\":1}"),
    ], [16, 4_096])
  func `cost no more in chunks than whole`(
    parts: (begin: String, repeated: String, end: String), chunk: Int
  ) throws {
    let most = 1 << 30
    let limits = ParserLimits(tokenBytes: most, keyBytes: most, numberBytes: most)
    let options = ParserOptions(limits: limits)
    let count = 600_000 / parts.repeated.utf8.count
    let text = Array(
      (parts.begin + String(repeating: parts.repeated, count: count) + parts.end).utf8)
    let sink = EventLog()
    let parser = EventParser(sink: sink, options: options)
    // Of this thread, since the machine has other things to do.
    let seconds = try ThreadTime.seconds {
      try text.withUnsafeBytes { text in
        for start in stride(from: 0, to: text.count, by: chunk) {
          let end = min(start + chunk, text.count)
          try parser.parse(UnsafeRawBufferPointer(rebasing: text[start..<end]).bytes)
        }
      }
      try parser.finish()
    }
    #expect(!sink.events.isEmpty)
    // Quadratic reading takes minutes, also where tests are slow.
    #expect(seconds < 10)
  }
}
