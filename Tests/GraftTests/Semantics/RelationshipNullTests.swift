import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `To-one null, to-many null or empty` {
  private static let before = #"{"id":1,"boss":{"id":2},"team":[{"id":3},{"id":4}]}"#
  private static let others = ["Hero/1 id: 2", "Hero/2 id: 3", "Hero/3 id: 4"]
  private static let whole = "Hero/4 boss: Hero/1, id: 1, team: [Hero/2, Hero/3]"
  private static let withoutBoss = "Hero/4 id: 1, team: [Hero/2, Hero/3]"
  private static let withoutTeam = "Hero/4 boss: Hero/1, id: 1"

  private static func model(_ notes: [String: String] = [:]) -> [EntityDescription] {
    [
      .make(
        "Hero", [],
        [.make("boss", to: "Hero", notes), .make("team", to: "Hero", many: true, notes)])
    ]
  }

  private func result(
    _ member: String, _ dialect: Dialect = .graft, _ notes: [String: String] = [:],
    _ options: ImportOptions = ImportOptions()
  ) throws -> [String] {
    try outcome(
      of: Self.before, #"{"id":1,\#(member)}"#, in: dialect, for: Self.model(notes), options)
  }

  @Test(arguments: Dialect.identifying)
  func `is cleared or emptied by default`(dialect: Dialect) throws {
    #expect(try result(#""boss":null"#, dialect) == Self.others + [Self.withoutBoss])
    #expect(try result(#""team":null"#, dialect) == Self.others + [Self.withoutTeam])
  }

  @Test func `is nothing in a new object, where all are new`() throws {
    for member in [#""boss":null"#, #""team":null"#, #""team":[]"#] {
      #expect(try result(member, .zds) == Self.others + [Self.whole, "Hero/5 id: 1"])
    }
  }

  @Test(arguments: Dialect.identifying)
  func `is emptied by an empty array, unless arrays join the members`(dialect: Dialect) throws {
    let line = dialect == .magicalrecord ? Self.whole : Self.withoutTeam
    #expect(try result(#""team":[]"#, dialect) == Self.others + [line])
  }

  typealias Setting = (policy: NullPolicy, boss: String, team: String)

  /// The links by each setting; `!` where it refuses the `null`.
  static let settings: [Setting] = [
    (.clear, withoutBoss, withoutTeam), (.keep, whole, whole),
    (
      .error, "! 1:16: $.boss: expected an object of Hero, found null",
      "! 1:16: $.team: expected an array of Hero, found null"
    ),
  ]

  private func check(
    _ setting: Setting, _ dialect: Dialect = .graft, _ notes: [String: String] = [:],
    option: NullPolicy
  ) throws {
    for (key, line) in [("boss", setting.boss), ("team", setting.team)] {
      let result = try result(
        "\"\(key)\":null", dialect, notes, .with { $0.relationships.onNull = option })
      #expect(result == (line.hasPrefix("!") ? [line] : Self.others + [line]))
    }
  }

  @Test(arguments: Dialect.identifying, settings)
  func `does what the option says in every dialect`(dialect: Dialect, setting: Setting) throws {
    try check(setting, dialect, option: setting.policy)
  }

  @Test(arguments: settings, NullPolicy.allCases)
  func `does what the annotation says, whatever the option`(
    setting: Setting, option: NullPolicy
  ) throws {
    try check(setting, .graft, ["JSONNull": setting.policy.rawValue], option: option)
  }

  @Test(arguments: settings)
  func `is the same for null where arrays join the members, and an empty array adds nothing`(
    setting: Setting
  ) throws {
    try check(
      setting, .graft, ["JSONNull": setting.policy.rawValue, "JSONCollection": "union"],
      option: .clear)
    let result = try result(
      #""team":[]"#, .graft,
      ["JSONNull": setting.policy.rawValue, "JSONCollection": "union"])
    #expect(result == Self.others + [Self.whole])
  }
}
