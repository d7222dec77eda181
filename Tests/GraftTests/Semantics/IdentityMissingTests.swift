import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Identity missing or null` {
  private static func model(_ notes: [String: String] = [:]) -> [EntityDescription] {
    [.make("Hero", [.make("name")], [.make("team", to: "Hero", many: true)], notes)]
  }

  /// An object without identity, in every way.
  static let objects = [
    #"{"name":"x"}"#, #"{"id":null,"name":"x"}"#, #"{"name":"x","id":""}"#,
  ]

  private func check(
    _ policy: MissingIdentityPolicy, _ json: String, _ dialect: Dialect = .graft,
    _ notes: [String: String] = [:], _ options: ImportOptions = ImportOptions()
  ) throws {
    let trial = try ImportTrial(Self.model(notes), speaking: dialect)
    try trial.load(#"{"id":1}"#)
    let document = #"[\#(json),{"id":2,"team":[\#(json)]}]"#
    let message = #"expected a value for id of Hero (identity, read from "id"), found none"#
    switch policy {
    case .error:
      #expect(try trial.outcome(of: document, options) == ["! 1:2: $[0]: \(message)"])
    case .insert:
      let report = try trial.load(document, options)
      #expect(report.issueCount == 0)
      #expect(
        trial.lines == [
          "Hero/1 id: 1", #"Hero/2 name: "x""#, #"Hero/3 name: "x""#,
          "Hero/4 id: 2, team: [Hero/3]",
        ])
    case .skip:
      let report = try trial.load(document, options)
      #expect(trial.lines == ["Hero/1 id: 1", "Hero/2 id: 2"])
      #expect(report.issueCount == 2)
      #expect(report.issues.map(\.description).allSatisfy { $0.hasSuffix(message) })
    }
  }

  @Test(arguments: [
    (#"{"heroes":[{"id":1,"name":"x"}]}"#, true), (#"[{"hero":{"id":1,"name":"x"}}]"#, true),
    (#"{"name":"x"}"#, false), (#"{"team":[{"id":1}]}"#, false),
    (#"{"id":1,"team":[{"no":1}]}"#, false),
  ])
  func `says how to name the place of objects, where a root's object has nothing of the entity`(
    json: String, isHint: Bool
  ) throws {
    let trial = try ImportTrial(Self.model())
    let outcome = try trial.outcome(of: json)
    #expect(outcome.count == 1)
    #expect(outcome[0].hasSuffix("name their place with at:") == isHint, "\(outcome)")
  }

  @Test(
    arguments: [
      (.graft, .error), (.groot, .insert), (.magicalrecord, .insert), (.sync, .skip),
      (.dandy, .skip), (.zds, .insert),
    ] as [(Dialect, MissingIdentityPolicy)], objects)
  func `is an error, a new object or skipped, by the dialect`(
    dialect: (Dialect, MissingIdentityPolicy), json: String
  ) throws {
    try check(dialect.1, json, dialect.0)
  }

  @Test(arguments: Dialect.identifying, MissingIdentityPolicy.allCases)
  func `does what the option says in every dialect`(
    dialect: Dialect, policy: MissingIdentityPolicy
  ) throws {
    for json in Self.objects {
      try check(policy, json, dialect, [:], .with { $0.entities.missingIdentity = policy })
    }
  }

  @Test(arguments: MissingIdentityPolicy.allCases, MissingIdentityPolicy.allCases)
  func `does what the annotation says, whatever the option`(
    policy: MissingIdentityPolicy, option: MissingIdentityPolicy
  ) throws {
    for json in Self.objects {
      try check(
        policy, json, .graft, ["JSONMissingIdentity": policy.rawValue],
        .with { $0.entities.missingIdentity = option })
    }
  }

  @Test(arguments: MissingIdentityPolicy.allCases)
  func `is an error at its value where the attribute says so of null`(
    policy: MissingIdentityPolicy
  ) throws {
    let model = [
      EntityDescription.make(
        "Hero", [.make("id", .integer64, ["JSONNull": "error"])], [],
        ["JSONMissingIdentity": policy.rawValue])
    ]
    let json = #"[{"id":null},{"id":2}]"#
    let trial = try ImportTrial(model)
    #expect(
      trial.failure(json)
        == "1:8: $[0].id: expected an integer of 64 bits, found null")
    let report = try trial.load(json, .with { $0.errorPolicy = .skipValue })
    #expect(trial.lines == ["Hero/1 id: 2"])
    #expect(report.issueCount == 1)
  }

  @Test(arguments: Dialect.allCases, MissingIdentityPolicy.allCases)
  func `is no question where the entity has none: its objects are always new`(
    dialect: Dialect, policy: MissingIdentityPolicy
  ) throws {
    let model: [EntityDescription] = [.make("Note", identity: "", [.make("text")])]
    let result = try outcome(
      of: #"{"text":"a"}"#, #"[{"text":"a"},{}]"#, in: dialect, for: model,
      .with { $0.entities.missingIdentity = policy })
    #expect(result == [#"Note/1 text: "a""#, #"Note/2 text: "a""#, "Note/3"])
  }
}
