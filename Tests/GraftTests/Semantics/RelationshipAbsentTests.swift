import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Relationship absent` {
  private static let before = #"{"id":1,"boss":{"id":2},"team":[{"id":3},{"id":4}]}"#
  private static let others = ["Hero/1 id: 2", "Hero/2 id: 3", "Hero/3 id: 4"]
  private static let whole = "Hero/4 boss: Hero/1, id: 1, team: [Hero/2, Hero/3]"

  private static func model(_ notes: [String: String] = [:]) -> [EntityDescription] {
    [
      .make(
        "Hero", [],
        [.make("boss", to: "Hero", notes), .make("team", to: "Hero", many: true, notes)])
    ]
  }

  /// The links of the object by each setting.
  static let settings: [(AbsentPolicy, String)] = [
    (.keep, whole), (.clear, "Hero/4 id: 1"),
    (.error, "! 1:1: $: expected boss of Hero to be present, found no key for it"),
  ]

  private static func expected(_ line: String) -> [String] {
    line.hasPrefix("!") ? [line] : others + [line]
  }

  @Test(arguments: Dialect.allCases)
  func `keeps the links by default`(dialect: Dialect) throws {
    let result = try outcome(of: Self.before, #"{"id":1}"#, in: dialect, for: Self.model())
    #expect(
      result == Self.others + [Self.whole] + (dialect == .zds ? ["Hero/5 id: 1"] : []))
  }

  @Test(arguments: Dialect.identifying, settings)
  func `does what the option says in every dialect`(
    dialect: Dialect, setting: (AbsentPolicy, String)
  ) throws {
    let options = ImportOptions.with { $0.relationships.onAbsent = setting.0 }
    let result = try outcome(of: Self.before, #"{"id":1}"#, in: dialect, for: Self.model(), options)
    #expect(result == Self.expected(setting.1))
  }

  @Test(arguments: settings, AbsentPolicy.allCases)
  func `does what the annotation says, whatever the option`(
    setting: (AbsentPolicy, String), option: AbsentPolicy
  ) throws {
    let options = ImportOptions.with { $0.relationships.onAbsent = option }
    let model = Self.model(["JSONAbsent": setting.0.rawValue])
    // The others are identifiers alone: as objects they would lack links themselves.
    let before = #"{"id":1,"boss":2,"team":[3,4]}"#
    #expect(
      try outcome(of: before, #"{"id":1}"#, for: model, options) == Self.expected(setting.1))
  }
}
