import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct LocatedJSONTests {
  /// The values in the order of the document, with their places, keys and content.
  private func lines(of value: LocatedJSON) -> [String] {
    switch value.content {
    case .array(let elements): ["\(value.location) \(value.kind)"] + elements.flatMap(lines)
    case .object(let members):
      ["\(value.location) \(value.kind)"]
        + members.flatMap { ["\($0.location) key \($0.key)"] + lines(of: $0.value) }
    default: ["\(value.location) \(value.kind)"]
    }
  }

  @Test func `holds every value and key with its place, repeated keys included`() throws {
    let json = """
      { "a": [1.50, true],
        "a": null, "b": "é" }
      """
    #expect(
      try lines(of: LocatedJSON(parsing: Array(json.utf8))) == [
        "1:1 an object", "1:3 key a", "1:8 an array", "1:9 the number 1.50", "1:15 true",
        "2:3 key a", "2:8 null", "2:14 key b", "2:19 the string \"é\"",
      ])
  }

  @Test(arguments: [
    ("{\"a\": [1,}", "1:10"), ("", "1:1"), ("[] []", "1:4"),
    (String(repeating: "[", count: 65), "1:65"),
  ])
  func `is refused with the place at which a text stops being JSON`(
    json: String, place: String
  ) {
    let error = #expect(throws: ParsingError.self) {
      try LocatedJSON(parsing: Array(json.utf8))
    }
    #expect("\(error?.location, default: "-")" == place)
  }
}
