import Testing

@testable import Graft
@testable import GraftTestSupport

/// Checks the text after "expected" in messages.
@Suite struct `An expectation` {
  struct Case: Sendable, CustomTestStringConvertible {
    var type: AttributeType
    var userInfo: [String: String] = [:]
    var text: String
    var testDescription: String { "\(type.rawValue) \(userInfo.values.joined())" }
  }

  static let cases = [
    Case(type: .integer16, text: "an integer of 16 bits"),
    Case(type: .integer32, text: "an integer of 32 bits"),
    Case(type: .integer64, text: "an integer of 64 bits"),
    Case(type: .decimal, text: "a decimal number of up to 38 digits"),
    Case(type: .double, text: "a number"),
    Case(type: .float, text: "a number of single precision"),
    Case(type: .string, text: "a string"),
    Case(type: .boolean, text: "a boolean"),
    Case(type: .binary, text: "a base64 string"),
    Case(type: .uuid, text: "a UUID"),
    Case(type: .uri, text: "a URI"),
    Case(type: .date, text: "a date"),
    Case(type: .date, userInfo: ["JSONDateFormat": "iso8601"], text: "an ISO 8601 date"),
    Case(
      type: .date, userInfo: ["JSONDateFormat": "unix"],
      text: "a number of seconds since 1970, of a year up to 9999"),
    Case(
      type: .date, userInfo: ["JSONDateFormat": "unix-ms"],
      text: "a number of milliseconds since 1970, of a year up to 9999"),
    Case(
      type: .date, userInfo: ["JSONDateFormat": "yyyy-MM-dd"], text: #"a date ("yyyy-MM-dd")"#),
  ]

  @Test func `is said of each type that does not take everything`() {
    #expect(
      Set(Self.cases.map(\.type)) == Set(AttributeType.allCases).subtracting([.transformable]))
  }

  @Test(arguments: cases)
  func `of an attribute is its type and format`(_ expected: Case) throws {
    let trial = try ImportTrial([.make("Box", [.make("v", expected.type, expected.userInfo)])])
    let error = #expect(throws: ImportError.self) { try trial.load(#"{"id":1,"v":{"a":1}}"#) }
    #expect(error?.expected == expected.text)
    #expect(error?.message == "expected \(expected.text), found an object")
  }

  @Test func `of a kept JSON value is that it is one`() throws {
    let trial = try ImportTrial([
      .make(
        "Box", [.make("v", .transformable, ["JSONNull": "error"]), .make("w", .transformable)])
    ])
    let error = #expect(throws: ImportError.self) { try trial.load(#"{"id":1,"v":null}"#) }
    #expect(error?.expected == "a JSON value")
  }

  @Test(arguments: [
    (#"{"id":1,"one":[1,2]}"#, "an object of Other"), (#"{"id":1,"many":7}"#, "an array of Other"),
    (#""text""#, "an object or an array of Box"),
  ])
  func `of a relationship or root is its objects`(json: String, text: String) throws {
    let trial = try ImportTrial([
      .make("Box", [], [.make("one", to: "Other"), .make("many", to: "Other", many: true)]),
      .make("Other", identity: ""),
    ])
    let error = #expect(throws: ImportError.self) { try trial.load(json) }
    #expect(error?.expected == text)
  }
}
