import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Bare identifier for an object` {
  private static func model(_ notes: [String: String] = [:]) -> [EntityDescription] {
    [
      .make(
        "Hero", [.make("name")],
        [.make("boss", to: "Hero", notes), .make("team", to: "Hero", many: true, notes)])
    ]
  }

  /// Number 9 is nowhere, number 2 comes later.
  private static let document = #"[{"id":1,"boss":9,"team":[2,9]},{"id":2,"name":"b"}]"#

  typealias Setting = (policy: ReferencePolicy, lines: [String], unfilled: Int, ignored: Int)

  /// The result of the document by each setting.
  static let settings: [Setting] = [
    (
      .stub,
      [
        "Hero/1 id: 9", #"Hero/2 id: 2, name: "b""#,
        "Hero/3 boss: Hero/1, id: 1, team: [Hero/1, Hero/2]",
      ], 1, 0
    ),
    (.ignore, ["Hero/1 id: 1", #"Hero/2 id: 2, name: "b""#], 0, 3),
    (.defer, ["Hero/1 id: 1, team: [Hero/2]", #"Hero/2 id: 2, name: "b""#], 0, 2),
    (
      .error,
      [
        "! 1:17: $[0].boss: expected the identity of an existing object of Hero,"
          + " found the number 9, which identifies no object"
      ], 0, 0
    ),
  ]

  private func check(
    _ setting: Setting, _ dialect: Dialect = .graft, _ notes: [String: String] = [:],
    _ options: ImportOptions = ImportOptions()
  ) throws {
    let trial = try ImportTrial(Self.model(notes), speaking: dialect)
    #expect(try trial.outcome(of: Self.document, options) == setting.lines)
    guard setting.policy != .error else { return }
    let again = try ImportTrial(Self.model(notes), speaking: dialect)
    let report = try again.load(Self.document, options)
    #expect(report.unfilledStubCount == setting.unfilled)
    #expect(report.ignoredReferenceCount == setting.ignored)
    #expect(report.issueCount == 0)
    guard setting.policy == .ignore else { return }
    #expect(report.noticeCount == setting.ignored)
    #expect(
      report.notices.first?.description
        == "1:17: $[0].boss: expected the identity of an existing object of Hero,"
        + " found the number 9, which identifies no object")
  }

  @Test(arguments: Dialect.identifying)
  func `makes an object for a later payload to fill, or is ignored in Sync's dialect`(
    dialect: Dialect
  ) throws {
    try check(Self.settings[dialect == .sync ? 1 : 0], dialect)
  }

  @Test(arguments: Dialect.identifying, settings)
  func `does what the option says in every dialect`(dialect: Dialect, setting: Setting) throws {
    try check(setting, dialect, [:], .with { $0.relationships.reference = setting.policy })
  }

  @Test(arguments: settings, ReferencePolicy.allCases)
  func `does what the annotation says, whatever the option`(
    setting: Setting, option: ReferencePolicy
  ) throws {
    try check(
      setting, .graft, ["JSONReference": setting.policy.rawValue],
      .with { $0.relationships.reference = option })
  }

  @Test(arguments: Dialect.identifying, ReferencePolicy.allCases)
  func `finds the object that is there under every setting, and leaves its values`(
    dialect: Dialect, policy: ReferencePolicy
  ) throws {
    let result = try outcome(
      of: #"[{"id":2,"name":"b"},{"id":3}]"#, #"{"id":1,"boss":2,"team":["3",2]}"#, in: dialect,
      for: Self.model(), .with { $0.relationships.reference = policy })
    #expect(
      result == [
        #"Hero/1 id: 2, name: "b""#, "Hero/2 id: 3",
        "Hero/3 boss: Hero/1, id: 1, team: [Hero/1, Hero/2]",
      ])
  }

  @Test func `names nothing where no object has an identity`() throws {
    #expect(
      try outcome(of: #"{"id":1,"boss":2}"#, in: .zds, for: Self.model()) == [
        "! 1:16: $.boss: expected an object of Hero, found the number 2;"
          + " Hero has no identity that a value could give"
      ])
  }

  @Test(arguments: Dialect.identifying, ReferencePolicy.allCases)
  func `for an identity of several attributes is an error`(
    dialect: Dialect, policy: ReferencePolicy
  ) throws {
    guard [.graft, .groot].contains(dialect) else { return }
    let result = try outcome(
      of: #"{"a":1,"b":2,"next":1}"#, in: dialect,
      for: [
        .make(
          "Pair", identity: "a,b", [.make("a", .integer64), .make("b", .integer64)],
          [.make("next", to: "Pair")])
      ], .with { $0.relationships.reference = policy })
    #expect(
      result == [
        "! 1:21: $.next: expected an object of Pair, found the number 1;"
          + " Pair has an identity of 2 attributes, which a single value cannot give"
      ])
  }
}
