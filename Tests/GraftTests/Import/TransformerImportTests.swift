import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

/// Values that go through code, or are held to the model's rules.
@Suite struct `A value` {
  struct Refusal: Error, CustomStringConvertible {
    var description: String { "no thanks" }
  }

  private static let doubling = AttributeTransformer { value in
    switch value {
    case .integer(let value): .integer(value * 2)
    case .json(let text): .integer(Int64(text.count))
    case .string("none"): nil
    default: throw Refusal()
    }
  }

  private func trial(
    _ type: AttributeType, _ transformer: String? = nil, minimum: String? = nil,
    maximum: String? = nil, pattern: String? = nil, isOptional: Bool = true
  ) throws -> ImportTrial {
    try ImportTrial(
      [
        EntityDescription(
          name: "Box",
          attributes: [
            AttributeDescription(
              name: "v", type: type, isOptional: isOptional,
              minimum: minimum.map(AttributeBound.text), maximum: maximum.map(AttributeBound.text),
              pattern: pattern, userInfo: transformer.map { ["JSONTransformerName": $0] } ?? [:])
          ])
      ], extensions: ModelExtensions(transformers: ["double": Self.doubling]))
  }

  @Test(arguments: [
    (AttributeType.integer64, "double", "21", "42"), (.integer64, "double", "[1, 2]", "5"),
    (.integer64, "string-integer", "\"12\"", "12"), (.string, "trim", "\" a b\\n\"", "\"a b\""),
    (.uri, "url", "\"https://a.b/c\"", "\"https://a.b/c\""),
    (.binary, "base64", "\"AP8Q\"", "\"AP8Q\""),
    (.string, "hex-color", "\"#ABC\"", "\"#aabbcc\""),
    (.string, "hex-color", "\"rgba(64, 128, 225, 0.5)\"", "\"#4080e180\""),
    (.transformable, "hex-color", "\"rgb(64,128,225)\"", "\"#4080e1\""),
  ])
  func `is what its transformer makes of it`(
    _ type: AttributeType, _ transformer: String, _ json: String, _ result: String
  ) throws {
    let trial = try trial(type, transformer, isOptional: false)
    try trial.load("{\"v\":\(json)}")
    #expect(trial.lines == ["Box/1 v: \(result)"])
  }

  @Test(arguments: [
    (AttributeValue.string("a \"b\""), #""a \"b\"""#), (.integer(7), "7"), (.double(1.5), "1.5"),
    (.boolean(true), "true"), (.binary(Data([1, 2, 3])), #""AQID""#),
    (.date(Date(timeIntervalSince1970: 0)), #""1970-01-01T00:00:00Z""#), (.json("[1]"), "[1]"),
    (.decimal(0.5), "0.5"),
  ])
  func `made for an attribute that keeps JSON is kept as JSON`(
    _ value: AttributeValue, _ json: String
  ) throws {
    let transformer = AttributeTransformer { _ in value }
    let trial = try ImportTrial(
      [
        EntityDescription(
          name: "Box",
          attributes: [
            AttributeDescription(
              name: "v", type: .transformable, userInfo: ["JSONTransformerName": "made"])
          ])
      ], extensions: ModelExtensions(transformers: ["made": transformer]))
    try trial.load(#"{"v":0}"#)
    #expect(trial.lines == ["Box/1 v: \(json)"])
  }

  @Test func `may be made nothing of`() throws {
    let trial = try trial(.integer64, "double")
    try trial.load(#"{"v":"none"}"#)
    #expect(trial.lines == ["Box/1"])
  }

  @Test func `that its transformer refuses is an error with the reason`() throws {
    #expect(
      try trial(.integer64, "double").failure(#"{"v":"x"}"#)
        == #"1:6: $.v: the transformer "double" threw an error: no thanks"#)
    #expect(
      try trial(.boolean, "double").failure(#"{"v":7}"#).contains(
        "which is not a value of type Boolean"))
  }

  /// Boxes with an identity and one more attribute, which a transformer makes.
  private static func trial(
    _ attribute: AttributeDescription, _ transformer: AttributeTransformer
  ) throws -> ImportTrial {
    var attribute = attribute
    attribute.userInfo["JSONTransformerName"] = "made"
    let extensions = ModelExtensions(transformers: ["made": transformer])
    return ImportTrial(
      try GraphModel(
        entities: [.make("Box", [attribute])], dialect: .graft, extensions: extensions),
      entity: "Box")
  }

  @Test(arguments: [#"{"x":1}"#, "[1]", #""x""#, "1"])
  func
    `that must be there skips its object alone, whether the transformer refuses it or makes nothing of it`(
      json: String
    ) throws
  {
    struct Refusal: Error {}
    for transformer in [
      AttributeTransformer { _ in throw Refusal() }, AttributeTransformer { _ in nil },
    ] {
      let trial = try Self.trial(
        AttributeDescription(name: "v", type: .transformable, isOptional: false), transformer)
      let report = try trial.load(
        #"[{"id":1,"v":\#(json)},{"id":2}]"#, .with { $0.errorPolicy = .skipObject })
      #expect(trial.lines == [])
      #expect(report.issues.map(\.error.property) == ["v", "v"])
      #expect(report.issues.first?.error.path == "$[0].v")
    }
  }

  @Test(arguments: [#"{"x":1}"#, "[1]", #""x""#], [NullPolicy.clear, .keep, .default, .error])
  func `of which its transformer makes nothing is null`(json: String, policy: NullPolicy) throws {
    let trial = try Self.trial(
      AttributeDescription(
        name: "v", type: .transformable, defaultValue: .json("0"),
        userInfo: ["JSONNull": policy.rawValue]),
      AttributeTransformer { $0 == .integer(7) ? .json("7") : nil })
    try trial.load(#"{"id":1,"v":7}"#)
    let outcome = try trial.outcome(of: #"{"id":1,"v":\#(json)}"#)
    switch policy {
    case .clear: #expect(outcome == ["Box/1 id: 1"])
    case .keep: #expect(outcome == ["Box/1 id: 1, v: 7"])
    case .default: #expect(outcome == ["Box/1 id: 1, v: 0"])
    case .error: #expect(outcome.first?.contains("$.v: expected a JSON value, found") == true)
    }
  }

  @Test func `that is no color is an error that says what a color is`() throws {
    #expect(
      try trial(.string, "hex-color").failure(#"{"v":"red"}"#)
        == #"1:6: $.v: expected a color such as #1e90ff or rgb(30,144,255), found the string "red""#
    )
  }

  struct Rule: CustomTestStringConvertible, Sendable {
    var type: AttributeType
    var minimum: String?
    var maximum: String?
    var pattern: String?
    var good: String
    var bad: String
    var complaint: String
    var testDescription: String { "\(type.rawValue): \(complaint)" }
  }

  @Test(arguments: [
    Rule(
      type: .integer64, minimum: "3", maximum: "5", good: "4", bad: "2",
      complaint: "expected between 3 and 5, found 2"),
    Rule(
      type: .double, minimum: "0.5", good: "0.5", bad: "0.25",
      complaint: "expected at least 0.5, found 0.25"),
    Rule(
      type: .decimal, maximum: "9.99", good: "9.99", bad: "9.991",
      complaint: "expected at most 9.99, found 9.991"),
    Rule(
      type: .date, minimum: "2020-01-01T00:00:00Z", good: "\"2020-01-01\"", bad: "\"2019-12-31\"",
      complaint: "expected at least 2020-01-01T00:00:00Z, found 2019-12-31T00:00:00Z"),
    Rule(
      type: .string, minimum: "2", maximum: "3", good: "\"äöü\"", bad: "\"abcd\"",
      complaint: "expected between 2 and 3 characters, found 4"),
    Rule(
      type: .string, pattern: "[a-z]+", good: "\"abc\"", bad: "\"abc1\"",
      complaint: "expected a string that matches \"[a-z]+\" as a whole, found \"abc1\""),
  ])
  func `is held to the model's rules`(rule: Rule) throws {
    let trial = try trial(
      rule.type, minimum: rule.minimum, maximum: rule.maximum, pattern: rule.pattern)
    #expect(trial.failure("{\"v\":\(rule.bad)}") == "1:6: $.v: \(rule.complaint)")
    try trial.load("{\"v\":\(rule.bad)}", .with { $0.validates = false })
    try trial.load("{\"v\":\(rule.good)}")
    #expect(trial.lines.count == 2)
  }

  @Test func `is held to the rules where it stands for an object`() throws {
    let trial = try ImportTrial([
      .make(
        "P", [],
        [.make("p", to: "P"), .make("c", to: "Code")]),
      .make(
        "Code", identity: "code",
        [AttributeDescription(name: "code", type: .string, pattern: "[a-z]+")]),
    ])
    #expect(
      trial.failure(#"{"id":5,"c":"Z9"}"#)
        == "1:13: $.c: expected a string that matches \"[a-z]+\" as a whole, found \"Z9\"")
    try trial.load(#"{"id":5,"c":"z"}"#)
    // The next error is about its own value.
    let report = try trial.load(
      #"{"id":6,"c":"Z9","p":true}"#, .with { $0.errorPolicy = .skipValue })
    #expect(report.issues.map(\.error.property) == ["c", "p"])
    #expect(report.issues.last?.error.found == "true")
  }

  @Test func `that is required is not missed under another name`() throws {
    let trial = try ImportTrial([
      .make("P", [AttributeDescription(name: "d", type: .date, isOptional: false)])
    ])
    #expect(
      trial.failure(#"{"id":5,"d":""}"#) == "1:13: $.d: expected a date, found an empty string")
  }

  @Test(arguments: [
    (AttributeType.integer64, "\"1\""), (.string, "1"), (.boolean, "1"), (.date, "true"),
  ])
  func `of another type is refused where the import is strict`(
    _ type: AttributeType, _ json: String
  )
    throws
  {
    let strict = ImportOptions.with { $0.isStrict = true }
    #expect(try trial(type).failure("{\"v\":\(json)}", strict).hasPrefix("1:6: $.v: expected"))
  }

  @Test func `that is an empty text is refused where that is asked for`() throws {
    let options = ImportOptions.with { $0.refusesEmptyStrings = true }
    #expect(
      try trial(.integer64).failure(#"{"v":""}"#, options)
        == "1:6: $.v: expected an integer of 64 bits, found an empty string")
  }
}
