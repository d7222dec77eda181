import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Null inside an array` {
  private static let model: [EntityDescription] = [
    .make("Hero", [], [.make("team", to: "Hero", many: true)])
  ]

  @Test(arguments: Dialect.allCases, NullPolicy.allCases)
  func `is skipped and counted, whatever else null does`(
    dialect: Dialect, policy: NullPolicy
  ) throws {
    let trial = try ImportTrial(Self.model, speaking: dialect)
    let options = ImportOptions.with {
      $0.relationships.onNull = policy
      $0.attributes.onNull = policy
    }
    let report = try trial.load(
      #"[null,{"id":1,"team":[null,{"id":2},null]},null]"#, options)
    #expect(trial.lines == ["Hero/1 id: 2", "Hero/2 id: 1, team: [Hero/1]"])
    #expect(report.skippedNullCount == 4)
    #expect(report.issueCount == 0)
  }

  @Test(arguments: Dialect.identifying)
  func `alone leaves an empty array`(dialect: Dialect) throws {
    let result = try outcome(
      of: #"{"id":1,"team":[{"id":2}]}"#, #"{"id":1,"team":[null]}"#, in: dialect, for: Self.model)
    let links = dialect == .magicalrecord ? ", team: [Hero/1]" : ""
    #expect(result == ["Hero/1 id: 2", "Hero/2 id: 1\(links)"])
  }
}
