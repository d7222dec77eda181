import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Scalar of another type` {
  private static let model: [EntityDescription] = [
    .make(
      "Box",
      [
        .make("int", .integer64), .make("text"), .make("flag", .boolean), .make("double", .double),
        .make("decimal", .decimal),
      ])
  ]

  /// Scalars that another type can hold without loss, and what it holds then.
  static let convertible = [
    (#""int":"12""#, "int: 12"), (#""int":3.0"#, "int: 3"), (#""text":12"#, #"text: "12""#),
    (#""text":1.50"#, #"text: "1.50""#), (#""text":true"#, #"text: "true""#),
    (#""flag":"true""#, "flag: true"), (#""flag":1"#, "flag: true"), (#""flag":0"#, "flag: false"),
    (#""double":"0.5""#, "double: 0.5"), (#""decimal":"0.10""#, "decimal: 0.1"),
  ]

  /// Scalars that would lose something.
  static let inconvertible = [
    #""int":true"#, #""int":"x""#, #""int":1.5"#, #""flag":2"#, #""flag":"maybe""#,
    #""double":"x""#, #""decimal":false"#, #""text":[]"#, #""text":{}"#,
  ]

  /// Scalars of the attribute's own type.
  static let own = [
    (#""int":12"#, "int: 12"), (#""text":"x""#, #"text: "x""#), (#""flag":true"#, "flag: true"),
    (#""double":0.5"#, "double: 0.5"), (#""double":1"#, "double: 1"),
    (#""decimal":0.10"#, "decimal: 0.1"),
  ]

  @Test(arguments: Dialect.allCases, own + convertible)
  func `is converted when nothing is lost`(
    dialect: Dialect, scalar: (json: String, value: String)
  ) throws {
    let line = ["id: 1", scalar.value].sorted().joined(separator: ", ")
    #expect(
      try outcome(of: #"{"id":1,\#(scalar.json)}"#, in: dialect, for: Self.model) == [
        "Box/1 \(line)"
      ])
  }

  @Test(arguments: Dialect.allCases, inconvertible)
  func `is an error else`(dialect: Dialect, json: String) throws {
    let result = try outcome(of: #"{"id":1,\#(json)}"#, in: dialect, for: Self.model)
    #expect(result.first?.hasPrefix("! 1:") == true)
    #expect(result.first?.contains(": expected ") == true)
  }

  @Test(arguments: Dialect.allCases)
  func `is always an error where the import is strict`(dialect: Dialect) throws {
    let strict = ImportOptions.with { $0.isStrict = true }
    for (json, _) in Self.convertible where !json.hasSuffix("3.0") {
      let result = try outcome(of: #"{"id":1,\#(json)}"#, in: dialect, for: Self.model, strict)
      #expect(result.first?.contains(": expected ") == true, "\(json)")
    }
    for (json, value) in Self.own {
      let line = ["id: 1", value].sorted().joined(separator: ", ")
      let result = try outcome(of: #"{"id":1,\#(json)}"#, in: dialect, for: Self.model, strict)
      #expect(result == ["Box/1 \(line)"])
    }
  }
}
