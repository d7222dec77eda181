import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `A JSON writer` {
  private func text(
    _ style: JSONWriter.Style = .compact, _ write: (inout JSONWriter) -> Void
  ) -> String {
    var json = JSONWriter(style: style)
    write(&json)
    return json.text
  }

  private func writeSample(to json: inout JSONWriter) {
    json.beginObject()
    json.key("id")
    json.integer(7)
    json.key("tags")
    json.beginArray()
    json.string("new")
    json.beginArray()
    json.endArray()
    json.boolean(true)
    json.endArray()
    json.key("none")
    json.null()
    json.endObject()
  }

  @Test func `puts commas and white space where its style has them`() {
    #expect(text { writeSample(to: &$0) } == #"{"id":7,"tags":["new",[],true],"none":null}"#)
    #expect(
      text(.lines(levels: .max)) { writeSample(to: &$0) } == """
        {
          "id": 7,
          "tags": [
            "new",
            [],
            true
          ],
          "none": null
        }
        """)
    #expect(
      text(.lines(levels: 1)) { writeSample(to: &$0) } == """
        {
          "id": 7,
          "tags": ["new", [], true],
          "none": null
        }
        """)
  }

  @Test(arguments: Seeds.some(16, of: 40))
  func `escapes what must be escaped, wherever it is`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters: [Character] = [
      "a", "é", "😀", "\"", "\\", "\n", "\u{1}", "\u{1f}", " ", "\u{7f}", "z", "/",
    ]
    for length in 0..<40 {
      let value = String(
        (0..<length).map { _ in
          Int.random(in: 0..<4, using: &random) == 0
            ? letters.randomElement(using: &random) ?? "x" : "x"
        })
      #expect(text { $0.string(value) } == "\"" + value.map(Self.escaped).joined() + "\"")
    }
  }

  /// A character as RFC 8259 requires it in a string, without regard to speed.
  private static func escaped(_ character: Character) -> String {
    switch character {
    case "\"", "\\": "\\\(character)"
    case "\n": "\\n"
    case "\u{1}": "\\u0001"
    case "\u{1f}": "\\u001f"
    default: String(character)
    }
  }

  @Test func `has short escapes for the control characters that JSON has them for`() {
    #expect(text { $0.string("\u{8}\t\n\u{c}\r") } == #""\b\t\n\f\r""#)
  }

  @Test func `writes integers of any size`() {
    var values: [Int64] = [0, 1, -1, 7, -7, .max, .min]
    var power: Int64 = 1
    for _ in 0..<18 {
      power *= 10
      values += [power - 1, power, power + 1, -power]
    }
    for value in values {
      #expect(text { $0.integer(value) } == "\(value)")
    }
  }

  @Test func `writes a number that reads back as the same`() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let text = text { $0.number(value) }
      #expect(Double(text)?.bitPattern == value.bitPattern)
      let isNumber = NumberScan(Array(text.utf8).span) != nil
      #expect(isNumber, "\(text)")
    }
  }

  @Test(arguments: [(3.0, "3"), (0.1, "0.1"), (1e16, "1e+16"), (.nan, "null"), (.infinity, "null")])
  func `writes numbers by their shortest text, and null where JSON has none`(
    _ value: Double, _ text: String
  ) {
    #expect(self.text { $0.number(value) } == text)
  }
}
