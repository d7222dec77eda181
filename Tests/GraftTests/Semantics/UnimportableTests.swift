import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `A value or object that cannot be imported` {
  private static let model: [EntityDescription] = [
    .make(
      "Hero", [.make("name"), .make("age", .integer64)],
      [.make("boss", to: "Hero"), .make("team", to: "Hero", many: true)])
  ]

  /// A wrong value in an object, in a nested one and in an element, and a wrong link.
  private static let document = """
    [{"id":1,"name":"a","age":"x"},
     {"id":2,"boss":{"id":3,"age":"x","name":"c"}},
     {"id":4,"team":[{"id":5,"age":[]},{"id":6}]},
     {"id":7,"boss":[],"name":"g"}]
    """

  private static let places = [
    "1:27: $[0].age: ", "2:31: $[1].boss.age: ", "3:32: $[2].team[0].age: ", "4:17: $[3].boss: ",
  ]

  private static let withoutValues = [
    #"Hero/1 id: 1, name: "a""#, #"Hero/2 id: 3, name: "c""#, "Hero/3 boss: Hero/2, id: 2",
    "Hero/4 id: 5", "Hero/5 id: 6", "Hero/6 id: 4, team: [Hero/4, Hero/5]",
    #"Hero/7 id: 7, name: "g""#,
  ]

  private static let withoutObjects = [
    "Hero/1 id: 2", "Hero/2 id: 6", "Hero/3 id: 4, team: [Hero/2]",
  ]

  @Test(arguments: Dialect.allCases)
  func `fails the import by default`(dialect: Dialect) throws {
    let result = try outcome(of: Self.document, in: dialect, for: Self.model)
    #expect(
      result == [#"! 1:27: $[0].age: expected an integer of 64 bits, found the string "x""#])
  }

  @Test(arguments: Dialect.allCases, [ImportOptions.ErrorPolicy.skipValue, .skipObject])
  func `is skipped, alone or with its object, and listed with its place`(
    dialect: Dialect, policy: ImportOptions.ErrorPolicy
  ) throws {
    let trial = try ImportTrial(Self.model, speaking: dialect)
    let report = try trial.load(Self.document, .with { $0.errorPolicy = policy })
    #expect(trial.lines == (policy == .skipValue ? Self.withoutValues : Self.withoutObjects))
    #expect(report.issueCount == 4)
    #expect(report.issues.count == 4)
    for (issue, place) in zip(report.issues, Self.places) {
      #expect(issue.description.hasPrefix(place))
    }
  }

  @Test(arguments: Dialect.allCases, 0...5)
  func `is listed up to a limit, and counted beyond it`(dialect: Dialect, limit: Int) throws {
    let trial = try ImportTrial(Self.model, speaking: dialect)
    let report = try trial.load(
      Self.document,
      .with {
        $0.errorPolicy = .skipValue
        $0.issueLimit = limit
      })
    #expect(report.issueCount == 4)
    #expect(report.issues.allSatisfy { $0.severity == .issue })
    #expect(
      report.issues.map(\.error.property) == Array(["age", "age", "age", "boss"].prefix(limit)))
  }
}
