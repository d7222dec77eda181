import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Attribute absent` {
  private static let before = #"{"id":1,"note":"old","size":5}"#

  /// An optional attribute with a default, and a required one.
  private static func model(_ notes: [String: String] = [:]) -> [EntityDescription] {
    [
      .make(
        "Hero",
        [
          AttributeDescription(
            name: "note", type: .string, defaultValue: .string("none"), userInfo: notes),
          AttributeDescription(
            name: "size", type: .integer64, isOptional: false, defaultValue: .integer(10),
            userInfo: notes),
        ])
    ]
  }

  /// The object by each setting, for an existing object and for a new one.
  static let settings: [(AbsentPolicy, existing: String, new: String)] = [
    (.keep, #", note: "old", size: 5"#, #", note: "none", size: 10"#),
    (.clear, ", size: 10", ", size: 10"),
    (.default, #", note: "none", size: 10"#, #", note: "none", size: 10"#),
    (.error, "!", "!"),
  ]

  private static func expected(
    _ setting: (AbsentPolicy, existing: String, new: String), _ dialect: Dialect = .graft
  ) -> (existing: [String], new: [String]) {
    let error = ["! 1:1: $: expected note of Hero to be present, found no key for it"]
    guard setting.existing != "!" else { return (error, error) }
    let new = ["Hero/1 id: 1\(setting.new)"]
    return dialect == .zds
      ? ([#"Hero/1 id: 1, note: "old", size: 5"#, "Hero/2 id: 1\(setting.new)"], new)
      : (["Hero/1 id: 1\(setting.existing)"], new)
  }

  @Test(arguments: Dialect.allCases)
  func `keeps the value by default, and a new object takes its own`(dialect: Dialect) throws {
    let expected = Self.expected(Self.settings[0], dialect)
    let model = Self.model()
    #expect(
      try outcome(of: Self.before, #"{"id":1}"#, in: dialect, for: model) == expected.existing)
    #expect(try outcome(of: #"{"id":1}"#, in: dialect, for: model) == expected.new)
  }

  @Test(arguments: Dialect.allCases, settings)
  func `does what the option says in every dialect`(
    dialect: Dialect, setting: (AbsentPolicy, existing: String, new: String)
  ) throws {
    let options = ImportOptions.with { $0.attributes.onAbsent = setting.0 }
    let expected = Self.expected(setting, dialect)
    let model = Self.model()
    #expect(
      try outcome(of: Self.before, #"{"id":1}"#, in: dialect, for: model, options)
        == expected.existing)
    #expect(try outcome(of: #"{"id":1}"#, in: dialect, for: model, options) == expected.new)
  }

  @Test(arguments: settings, AbsentPolicy.allCases)
  func `does what the annotation says, whatever the option`(
    setting: (AbsentPolicy, existing: String, new: String), option: AbsentPolicy
  ) throws {
    let options = ImportOptions.with { $0.attributes.onAbsent = option }
    let expected = Self.expected(setting)
    let model = Self.model(["JSONAbsent": setting.0.rawValue])
    #expect(try outcome(of: Self.before, #"{"id":1}"#, for: model, options) == expected.existing)
    #expect(try outcome(of: #"{"id":1}"#, for: model, options) == expected.new)
  }

  @Test(arguments: AbsentPolicy.allCases)
  func `takes the default where MagicalRecord's annotation asks for it`(
    option: AbsentPolicy
  ) throws {
    var entities = Dialect.magicalrecord.spell(Self.model())
    for index in entities[0].attributes.indices where entities[0].attributes[index].name != "id" {
      entities[0].attributes[index].userInfo["useDefaultValueWhenNotPresent"] = "YES"
    }
    let trial = try ImportTrial(entities, dialect: .magicalrecord)
    try trial.load(Self.before)
    let outcome = try trial.outcome(of: #"{"id":1}"#, .with { $0.attributes.onAbsent = option })
    #expect(outcome == [#"Hero/1 id: 1, note: "none", size: 10"#])
  }

  @Test(arguments: Dialect.allCases)
  func `is an error where a new object lacks what is required`(dialect: Dialect) throws {
    let model: [EntityDescription] = [
      .make("Hero", [AttributeDescription(name: "name", type: .string, isOptional: false)])
    ]
    #expect(
      try outcome(of: #"{"id":1}"#, in: dialect, for: model) == [
        #"! 1:1: $: expected a value for name of Hero (required, read from "name"), found none"#
      ])
  }
}
