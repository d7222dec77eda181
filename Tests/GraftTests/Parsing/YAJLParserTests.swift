import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// Notes what it is told; hands dictionaries under a key of choice to a child.
private final class Notes: YAJLParserDelegate {
  struct Refusal: Error, Equatable {}

  var lines: [String] = []
  var childKey: String?
  var child: Notes?
  var refusedPath: String?
  private var key = ""

  func parser(
    _ parser: YAJLParser, childFor container: JSONContainer
  ) throws -> (any YAJLParserDelegate)? { key == childKey ? child : nil }

  func parser(_ parser: YAJLParser, didEndChild child: any YAJLParserDelegate) throws {
    lines.append("child ended at \(parser.path)")
  }

  func parserDidStartDictionary(_ parser: YAJLParser) throws { lines.append("{") }
  func parserDidEndDictionary(_ parser: YAJLParser) throws { lines.append("}") }
  func parserDidStartArray(_ parser: YAJLParser) throws { lines.append("[") }
  func parserDidEndArray(_ parser: YAJLParser) throws { lines.append("]") }

  func parser(_ parser: YAJLParser, didMapKey key: borrowing JSONString) throws {
    self.key = key.string
    lines.append(key == "id" ? "the identity" : "key \(key.string)")
  }

  func parser(_ parser: YAJLParser, didAdd value: borrowing JSONScalar) throws {
    if parser.path == refusedPath { throw Refusal() }
    switch value {
    case .null: lines.append("null")
    case .boolean(let value): lines.append("\(value)")
    case .number(let number): lines.append(number.text)
    case .string(let text): lines.append(text.string)
    }
  }
}

struct `The push parser` {
  @Test func `tells its delegate everything, from every kind of bytes`() throws {
    let notes = Notes()
    let parser = YAJLParser(delegate: notes)
    #expect(try parser.parse(Data("{\"id\":1,".utf8)) == .insufficientData)
    #expect(try parser.parse(Array("\"b\":[tr".utf8)) == .insufficientData)
    let rest: ContiguousArray<UInt8> = ContiguousArray("ue,null,\"x\"]}".utf8)
    #expect(try parser.parse(rest.span.bytes) == .complete)
    try parser.finish()
    #expect(
      notes.lines == ["{", "the identity", "1", "key b", "[", "true", "null", "x", "]", "}"])
    #expect(parser.bytesParsed == 28)
  }

  @Test func `hands a nested value to a child and takes the events back`() throws {
    let notes = Notes()
    let child = Notes()
    let grandchild = Notes()
    (notes.childKey, notes.child) = ("user", child)
    (child.childKey, child.child) = ("tags", grandchild)
    let parser = YAJLParser(delegate: notes)
    try parser.parse(
      Data(#"{"user":{"tags":[[1]],"n":"x"},"last":true}"#.utf8))
    try parser.finish()
    #expect(notes.lines == ["{", "key user", "child ended at $.user", "key last", "true", "}"])
    #expect(
      child.lines == ["{", "key tags", "child ended at $.user.tags", "key n", "x", "}"])
    #expect(grandchild.lines == ["[", "[", "1", "]", "]"])
  }

  @Test func `throws what its delegate throws, again and again`() throws {
    let notes = Notes()
    notes.refusedPath = "$[1]"
    let parser = YAJLParser(delegate: notes)
    #expect(throws: Notes.Refusal()) { try parser.parse(Data("[1,2,3]".utf8)) }
    #expect(throws: Notes.Refusal()) { try parser.parse(Data("]".utf8)) }
    #expect(throws: Notes.Refusal()) { try parser.finish() }
    #expect(notes.lines == ["[", "1"])
  }

  @Test func `can be asked for its place after an error, when the chunk is gone`() throws {
    let notes = Notes()
    notes.refusedPath = "$.key[1]"
    let parser = YAJLParser(delegate: notes)
    var chunk = Array("{\"key\": [\"a\", \"b\"]}".utf8)
    #expect(throws: Notes.Refusal()) { try parser.parse(chunk) }
    for index in chunk.indices { chunk[index] = UInt8(ascii: "#") }
    chunk = []
    #expect(parser.path == "$.key[1]")
    #expect(parser.depth == 2)
    #expect(parser.location.line == 1)
  }

  @Test func `checks without a delegate`() throws {
    let parser = YAJLParser()
    try parser.parse(Data("[1,".utf8))
    let error = try #require(throws: ParsingError.self) { try parser.finish() }
    #expect(error.description == "1:4: $[1]: the document ends too early: expected a value")
  }

  @Test(.isToldAtOnce) func `refuses to be called from inside its delegate`() async {
    await #expect(processExitsWith: .failure) {
      final class Meddler: YAJLParserDelegate {
        func parserDidStartArray(_ parser: YAJLParser) throws { try parser.parse([UInt8(0x5D)]) }
      }
      try YAJLParser(delegate: Meddler()).parse(Array("[1]".utf8))
    }
  }
}

struct `Numbers of a document` {
  private final class Catcher: YAJLParserDelegate {
    var integer: Int64?
    var byte: UInt8?
    var double: Double?
    var decimal: Decimal?

    func parser(_ parser: YAJLParser, didAdd value: borrowing JSONScalar) throws {
      switch value {
      case .number(let number):
        integer = number.integer(as: Int64.self)
        byte = number.integer(as: UInt8.self)
        double = number.double
        decimal = number.decimal
      default: break
      }
    }
  }

  private func convert(_ text: String) throws -> Catcher {
    let catcher = Catcher()
    let parser = YAJLParser(delegate: catcher)
    try parser.parse(Array("[\(text)]".utf8))
    try parser.finish()
    return catcher
  }

  @Test(arguments: [
    ("0", 0), ("-0", 0), ("-0.0e5", 0), ("12", 12), ("3.0", 3), ("1e3", 1_000), ("1200e-2", 12),
    ("0.5e1", 5), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
    ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.5", nil), ("1e-1", nil),
    ("1e400", nil), ("1e99999999999999999999", nil), ("-7", -7), ("-1e2", -100),
  ])
  func `become integers exactly or not at all`(text: String, value: Int64?) throws {
    #expect(try convert(text).integer == value)
  }

  @Test func `stay within the type asked for`() throws {
    #expect(try convert("255").byte == 255)
    #expect(try convert("256").byte == nil)
    #expect(try convert("-1").byte == nil)
  }

  @Test func `become doubles by the nearest and decimals by their digits`() throws {
    #expect(try convert("-0.0").double?.sign == .minus)
    #expect(try convert("1E400").double == .infinity)
    #expect(try convert("0.1").decimal?.description == "0.1")
    #expect(
      try convert("1234567890.12345678901234567890").decimal?.description
        == "1234567890.1234567890123456789")
    #expect(try convert("0.\(String(repeating: "1", count: 50))").decimal == nil)
  }
}
