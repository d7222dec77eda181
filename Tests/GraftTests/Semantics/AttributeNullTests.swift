import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Attribute null` {
  private static let before = #"{"id":1,"note":"old","size":5,"name":"Ada"}"#

  /// An attribute that is optional, one that is required with a default, and one without.
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
          AttributeDescription(name: "name", type: .string, isOptional: false, userInfo: notes),
        ])
    ]
  }

  typealias Setting = (policy: NullPolicy, note: String, size: String, name: String)

  /// The object by each setting, for the `null` of each attribute; `!` where it is refused.
  static let settings: [Setting] = [
    (.clear, #"name: "Ada", size: 5"#, #"name: "Ada", note: "old", size: 10"#, "!"),
    (
      .keep, #"name: "Ada", note: "old", size: 5"#, #"name: "Ada", note: "old", size: 5"#,
      #"name: "Ada", note: "old", size: 5"#
    ),
    (
      .default, #"name: "Ada", note: "none", size: 5"#, #"name: "Ada", note: "old", size: 10"#, "!"
    ),
    (.error, "!", "!", "!"),
  ]

  /// Imports a `null` of each attribute, and compares with what a setting promises.
  private func check(
    _ setting: Setting, in dialect: Dialect = .graft, _ notes: [String: String] = [:],
    _ options: ImportOptions = ImportOptions()
  ) throws {
    for (key, expected) in [
      ("note", setting.note), ("size", setting.size), ("name", setting.name),
    ] {
      let json = #"{"id":1,"\#(key)":null}"#
      let result = try outcome(of: Self.before, json, in: dialect, for: Self.model(notes), options)
      if expected == "!" {
        #expect(result.first?.hasPrefix("! 1:") == true, "\(key): \(result)")
        #expect(result.first?.contains(key) == true, "\(key): \(result)")
      } else {
        #expect(result == ["Hero/1 id: 1, \(expected)"], "\(key)")
      }
    }
  }

  @Test(arguments: Dialect.identifying)
  func `clears what is optional, else takes the default, else is an error`(
    dialect: Dialect
  ) throws {
    try check(Self.settings[0], in: dialect)
  }

  @Test func `does so in a new object where there are no others`() throws {
    #expect(
      try outcome(of: #"{"id":1,"note":null,"size":null,"name":"x"}"#, in: .zds, for: Self.model())
        == [#"Hero/1 id: 1, name: "x", size: 10"#])
    #expect(
      try outcome(of: #"{"id":1,"name":null}"#, in: .zds, for: Self.model())
        == ["! 1:16: $.name: expected a string, found null"])
  }

  @Test(arguments: Dialect.identifying, settings)
  func `does what the option says in every dialect`(dialect: Dialect, setting: Setting) throws {
    try check(setting, in: dialect, [:], .with { $0.attributes.onNull = setting.policy })
  }

  @Test(arguments: settings, NullPolicy.allCases)
  func `does what the annotation says, whatever the option`(
    setting: Setting, option: NullPolicy
  ) throws {
    try check(
      setting, ["JSONNull": setting.policy.rawValue], .with { $0.attributes.onNull = option })
  }

  @Test(arguments: [
    (NullPolicy.clear, "Hero/1 id: 1"), (.keep, #"Hero/1 id: 1, note: "none""#),
    (.default, #"Hero/1 id: 1, note: "none""#),
  ])
  func `in a new object means the same`(policy: NullPolicy, line: String) throws {
    let model: [EntityDescription] = [
      .make(
        "Hero", [AttributeDescription(name: "note", type: .string, defaultValue: .string("none"))])
    ]
    #expect(
      try outcome(of: #"{"note":null,"id":1}"#, for: model, .with { $0.attributes.onNull = policy })
        == [line])
  }

  @Test(arguments: [
    (
      ImportOptions.ErrorPolicy.skipValue,
      [#"Hero/1 id: 1, name: "Ada""#, #"Hero/2 id: 2, name: "b""#]
    ),
    (.skipObject, [#"Hero/1 id: 1, name: "Ada""#, #"Hero/2 id: 2, name: "b""#]),
  ])
  func `for a default that there is not is an error of that object alone`(
    policy: ImportOptions.ErrorPolicy, lines: [String]
  ) throws {
    let name = AttributeDescription(name: "name", type: .string, isOptional: false)
    for member in [#","name":null"#, ""] {
      let trial = try ImportTrial([.make("Hero", [name])])
      try trial.load(#"{"id":1,"name":"Ada"}"#)
      let report = try trial.load(
        #"[{"id":1\#(member)},{"id":2,"name":"b"}]"#,
        .with {
          $0.errorPolicy = policy
          $0.attributes.onNull = .default
          $0.attributes.onAbsent = .default
        })
      #expect(trial.lines == lines)
      #expect(report.issueCount == 1)
    }
  }
}
