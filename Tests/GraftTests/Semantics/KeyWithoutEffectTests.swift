import Testing

@testable import Graft
@testable import GraftTestSupport

/// A key whose value is passed over is not absent.
@Suite struct `A key without effect` {
  private static let before =
    #"[{"id":1,"note":"old","boss":{"id":2,"note":"b","boss":null,"team":[]},"team":[2]}]"#
  private static let whole = #"Hero/2 boss: Hero/1, id: 1, note: "old", team: [Hero/1]"#

  private static let model: [EntityDescription] = [
    .make(
      "Hero", [.make("note")], [.make("boss", to: "Hero"), .make("team", to: "Hero", many: true)])
  ]

  private func check(_ json: String, _ options: ImportOptions) throws {
    for policy in [AbsentPolicy.clear, .error] {
      var options = options
      options.attributes.onAbsent = policy
      options.relationships.onAbsent = policy
      let trial = try ImportTrial(Self.model)
      try trial.load(Self.before)
      try trial.load(json, options)
      #expect(trial.lines.last == Self.whole, "\(policy)")
    }
  }

  @Test func `may be null that keeps`() throws {
    try check(
      #"{"id":1,"note":null,"boss":null,"team":null}"#,
      .with {
        $0.attributes.onNull = .keep
        $0.relationships.onNull = .keep
      })
  }

  @Test func `may be a value that is skipped`() throws {
    try check(
      #"{"id":1,"note":[],"boss":[],"team":7}"#, .with { $0.errorPolicy = .skipValue })
    try check(
      #"{"id":1,"note":{},"boss":"x","team":{}}"#, .with { $0.errorPolicy = .skipValue })
  }

  @Test func `may be an unknown identifier that is ignored`() throws {
    try check(
      #"{"id":1,"note":"old","boss":9,"team":[2]}"#, .with { $0.relationships.reference = .ignore })
  }
}
