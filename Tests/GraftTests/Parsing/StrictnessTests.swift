import Testing

@testable import Graft
@testable import GraftTestSupport

/// A text that must be rejected, and the error expected; YAJL accepts or misreads many of these.
struct RejectedText: CustomTestStringConvertible {
  let text: [UInt8]
  let kind: ParsingError.Kind
  let place: String
  let path: String

  init(_ text: String, _ kind: ParsingError.Kind, _ place: String, _ path: String = "$") {
    self.init(Array(text.utf8), kind, place, path)
  }

  init(_ text: [UInt8], _ kind: ParsingError.Kind, _ place: String, _ path: String = "$") {
    self.text = text
    self.kind = kind
    self.place = place
    self.path = path
  }

  var testDescription: String { String(decoding: text, as: UTF8.self).debugDescription }
}

private func bytes(_ before: String, _ raw: [UInt8], _ after: String = "\"]") -> [UInt8] {
  Array(before.utf8) + raw + Array(after.utf8)
}

struct `A text that is not JSON is rejected` {
  @Test(arguments: [
    RejectedText("[\u{B}1]", .syntax, "1:2", "$[0]"),
    RejectedText("[1\u{C}]", .syntax, "1:3", "$[0]"),
    RejectedText(bytes("[\"a", [0xC0, 0xAF]), .encoding, "1:4", "$[0]"),
    RejectedText(bytes("[\"a", [0xE0, 0x80, 0xAF]), .encoding, "1:4", "$[0]"),
    RejectedText(bytes("[\"a", [0xED, 0xA0, 0x80]), .encoding, "1:4", "$[0]"),
    RejectedText(bytes("[\"a", [0xF4, 0x90, 0x80, 0x80]), .encoding, "1:4", "$[0]"),
    RejectedText(bytes("[\"a", [0xF5, 0x80, 0x80, 0x80]), .encoding, "1:4", "$[0]"),
    RejectedText(bytes("{\"a", [0xFF]), .encoding, "1:4"),
    RejectedText(#"["\uD800"]"#, .encoding, "1:3", "$[0]"),
    RejectedText(#"["\uD800abc"]"#, .encoding, "1:3", "$[0]"),
    RejectedText(#"["\uD800\u0041"]"#, .encoding, "1:3", "$[0]"),
    RejectedText(#"["\uD800\uD800"]"#, .encoding, "1:3", "$[0]"),
    RejectedText(#"["\uDC00"]"#, .encoding, "1:3", "$[0]"),
    RejectedText(#"["\uD800\\x"]"#, .encoding, "1:3", "$[0]"),
    RejectedText(#"{"\uDFFF":1}"#, .encoding, "1:3"),
    RejectedText("[1]\"abc", .syntax, "1:4"),
    RejectedText("{} \"", .syntax, "1:4"),
    RejectedText("1 \"x", .syntax, "1:3"),
    RejectedText("[1] [", .syntax, "1:5"),
    RejectedText([0xFE, 0xFF, 0x00, 0x5B], .encoding, "1:1"),
    RejectedText([0xFF, 0xFE, 0x5B, 0x00], .encoding, "1:1"),
    RejectedText([0xFF, 0xFE, 0x00, 0x00], .encoding, "1:1"),
    RejectedText([0x5B, 0x00, 0x5D, 0x00], .encoding, "1:1"),
    RejectedText([0x00, 0x00, 0x00, 0x5B], .encoding, "1:1"),
    RejectedText("", .truncated, "1:1"),
    RejectedText(" \n ", .truncated, "2:2"),
    RejectedText("[tr", .truncated, "1:4", "$[0]"),
    RejectedText("[1,", .truncated, "1:4", "$[1]"),
    RejectedText("{\"a\":\"b", .truncated, "1:8", "$.a"),
    RejectedText(bytes("[\"a", [0xE3, 0x81], ""), .truncated, "1:6", "$[0]"),
    RejectedText("[1,]", .syntax, "1:4", "$[1]"),
    RejectedText("{\"a\":1,}", .syntax, "1:8"),
    RejectedText("[01]", .syntax, "1:3"),
    RejectedText("{\"a\":1 \"b\":2}", .syntax, "1:8"),
    RejectedText("{\"a\":[1\n 2]}", .syntax, "2:2", "$.a"),
    RejectedText("[1.]", .syntax, "1:4", "$[0]"),
    RejectedText("[truE]", .syntax, "1:5", "$[0]"),
    RejectedText("[1, // no\n2]", .syntax, "1:5", "$[1]"),
  ])
  func `with the kind, place and path of the error, however it is cut`(
    _ rejected: RejectedText
  ) throws {
    let whole = try Reading(rejected.text)
    let error = try #require(whole.error)
    #expect(error.kind == rejected.kind)
    #expect("\(error.location)" == rejected.place)
    #expect(error.path == rejected.path)
    for size in 1...4 { #expect(try Reading(rejected.text, chunk: size) == whole) }
  }

  @Test(arguments: [
    ("[1,]", "expected another element after ',', found ']'"),
    ("[1 2]", "expected ',' or ']' after an array element, found a number"),
    ("[1}", "expected ',' or ']' after an array element, found '}'"),
    ("{\"a\" 1}", "expected ':' after the key, found a number"),
    ("{a:1}", "expected a key in double quotes or '}', found 'a'"),
    ("[NaN]", "expected a value or ']', found 'N' (JSON has neither NaN nor Infinity)"),
    ("[é]", "expected a value or ']', found 'é'"),
    ("", "the document is empty: expected a value"),
    ("[\"ab", "the document ends inside a string that begins at 1:2"),
    ("[1.x]", "expected a digit after the decimal point, found 'x'"),
    ("[\"\\x\"]", "'\\' is not allowed before 'x' in a string"),
    ("[\"\t\"]", "a tab must be escaped in a string"),
    ("[] []", "expected nothing but white space after the document, found '['"),
  ])
  func `in words that name what was expected and what was found`(
    text: String, message: String
  ) throws {
    #expect(try Reading(Array(text.utf8)).error?.message == message)
  }
}

struct `A text that is JSON is accepted` {
  @Test(arguments: [nil, 1, 2, 5])
  func `escapes are decoded and numbers keep their digits`(chunk: Int?) throws {
    let text = #"{"\u00e9\ud83d\ude00\u0000":[-0,1E400,"\\u\"/\n"]}"#
    let reading = try Reading(Array(text.utf8), chunk: chunk, places: false)
    let expected = ["{", "key é😀\0", "[", "number -0", "number 1E400", "string \\u\"/\n", "]", "}"]
    #expect(reading.error == nil)
    #expect(reading.events == expected)
  }

  @Test(arguments: [nil, 1, 2, 3])
  func `a byte order mark is skipped and counted`(chunk: Int?) throws {
    let reading = try Reading([0xEF, 0xBB, 0xBF] + Array("[x".utf8), chunk: chunk)
    #expect(reading.error?.location == SourceLocation(offset: 4, line: 1, column: 5))
  }

  @Test(arguments: [nil, 1, 4])
  func `half a pair becomes the replacement character where the options say so`(chunk: Int?) throws
  {
    let options = ParserOptions(loneSurrogates: .replaced)
    let text = Array(#"["a\uD800b","\uDC00\uD83D\uDE00","\uD83D\uD83D\uDE00"]"#.utf8)
    let reading = try Reading(text, chunk: chunk, options: options, places: false)
    #expect(reading.error == nil)
    #expect(
      reading.events
        == ["[", "string a\u{FFFD}b", "string \u{FFFD}😀", "string \u{FFFD}😀", "]"])
  }
}

struct `Several documents in one input` {
  private let options = ParserOptions(format: .ndjson)

  @Test(arguments: ["", "\n\n", "{}\n{}\n", "1 2 \"x\"\r\n[]", "null"])
  func `may be any number of them`(text: String) throws {
    #expect(try Reading(Array(text.utf8), options: options).error == nil)
  }

  @Test(arguments: [
    ("{}{}", "1:3"), ("1\"x\"", "1:2"), ("nullnull", "1:5"), ("01", "1:2"),
    ("[]\n\"a\"\"b\"", "2:4"),
    ("[]tru?", "1:3"),
  ])
  func `must be separated by white space`(text: String, place: String) throws {
    let whole = try Reading(Array(text.utf8), options: options)
    #expect(whole.error.map { "\($0.location)" } == place)
    #expect(try Reading(Array(text.utf8), chunk: 1, options: options) == whole)
  }

  @Test func `must each be complete`() throws {
    let reading = try Reading(Array("{}\n\"abc".utf8), options: options)
    #expect(reading.error?.kind == .truncated)
  }
}
