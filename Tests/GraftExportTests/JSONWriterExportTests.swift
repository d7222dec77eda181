import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

@Suite struct `The text of an export` {
  private func text(_ style: JSONWriter.Style, _ write: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter(style: style)
    write(&json)
    return json.text
  }

  @Test(arguments: [JSONWriter.Style.compact, .pretty, .lines(levels: 2)])
  func `is taken back to a position`(_ style: JSONWriter.Style) {
    let expected = text(style) { json in
      json.beginArray()
      json.integer(1)
      json.endArray()
    }
    let written = text(style) { json in
      json.beginArray()
      let start = json.position
      json.beginObject()
      json.key("a")
      json.beginArray()
      let isInnerEmpty = json.isAtStartOfContainer
      json.rewind(to: start)
      let isOuterEmpty = json.isAtStartOfContainer
      #expect(isInnerEmpty && isOuterEmpty)
      json.integer(1)
      let end = json.position
      json.integer(2)
      json.rewind(to: end)
      json.endArray()
    }
    #expect(written == expected)
  }

  @Test func `is handed over once, in chunks`() {
    var json = JSONWriter()
    var expected = ""
    var output = ""
    var chunks = 0
    json.beginArray()
    for number in 0..<40_000 {
      let value = "\(number) \u{1F600}"
      json.string(value)
      expected += (number == 0 ? "[\"" : ",\"") + value + "\""
      if json.hasChunk { flush() }
    }
    // A string that is larger than a chunk.
    let long = String(repeating: "\\", count: 70_000)
    json.string(long)
    json.endArray()
    expected += ",\"" + long + long + "\"]"
    flush()
    flush()
    #expect(output == expected)
    #expect(chunks > 10)

    func flush() {
      var bytes: [UInt8] = []
      json.flush { chunk in
        chunk.withUnsafeBytes { bytes += $0 }
        #expect(chunk.byteCount <= JSONWriter.chunkSize)
        chunks += 1
      }
      output += String(decoding: bytes, as: UTF8.self)
    }
  }
}
