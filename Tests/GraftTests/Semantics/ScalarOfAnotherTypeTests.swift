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

  /// Values that cannot be written in a type of their own: keys are strings, and an index is no
  /// value at all.
  static let unwritten = [
    ("@index", "l[1]", #"{"l":[{},{}]}"#, "0"), ("@index", "l", #"{"l":[{}]}"#, "0"),
    ("@key", "l.*", #"{"l":{"7":{}}}"#, "7"),
    ("@parent.@key", "l.*.m", #"{"l":{"7":{"m":{}}}}"#, "7"),
    ("@line", "l", #"{"l":[{}]}"#, "1"), ("v | '9'", "l", #"{"l":[{}]}"#, "9"),
  ]

  @Test(arguments: unwritten)
  func `is none that is a key, an index or a constant`(
    path: String, root: String, json: String, value: String
  ) throws {
    let model = [
      EntityDescription.make("Box", identity: "", [.make("n", .integer64, ["JSONKeyPath": path])])
    ]
    for isStrict in [false, true] {
      let trial = try ImportTrial(model)
      try trial.load(json, at: root, .with { $0.isStrict = isStrict })
      #expect(trial.lines == ["Box/1 n: \(value)"])
    }
    let reference: [EntityDescription] = [
      .make("Box", identity: "", [], [.make("other", to: "Hero", ["JSONKeyPath": "@key"])]),
      .make("Hero"),
    ]
    let trial = try ImportTrial(reference)
    try trial.load(#"{"7":{}}"#, at: "*", .with { $0.isStrict = true })
    #expect(trial.lines == ["Box/1 other: Hero/1", "Hero/1 id: 7"])
  }

  @Test func `is one that an object around has as a value`() throws {
    let trial = try ImportTrial([
      .make("Box", identity: "", [.make("n", .integer64, ["JSONKeyPath": "@parent.v"])])
    ])
    let error = trial.failure(#"{"v":"7","l":[{}]}"#, at: "l", .with { $0.isStrict = true })
    #expect(error.contains(#"expected an integer of 64 bits, found the string "7""#))
  }

  @Test(arguments: [false, true])
  func `is no key, by which an object of a sub-entity is found`(isStrict: Bool) throws {
    let trial = try ImportTrial([
      .make("Vehicle", [.make("id", .integer64, ["JSONKeyPath": "@key"])]),
      .make("Car", identity: "", parent: "Vehicle", [.make("wheels", .integer64)]),
    ])
    try trial.load(#"{"7":{"wheels":3}}"#, as: "Car", at: "*", .with { $0.isStrict = isStrict })
    try trial.load(#"{"7":{"wheels":4}}"#, as: "Vehicle", at: "*", .with { $0.isStrict = isStrict })
    #expect(trial.lines == ["Car/1 id: 7, wheels: 4"])
  }
}
