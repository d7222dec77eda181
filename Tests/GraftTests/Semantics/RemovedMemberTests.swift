import Testing

@testable import Graft

@Suite struct `To-many array, removed members` {
  /// A list owns its items; a tag belongs to any number of lists; a note knows no list.
  private static func model(_ notes: [String: String] = [:]) -> [EntityDescription] {
    [
      .make(
        "List", [],
        [
          .make("items", to: "Item", many: true, inverse: "list", notes),
          .make("tags", to: "Tag", many: true, inverse: "lists", notes),
          .make("notes", to: "Note", many: true, notes),
        ]),
      .make("Item", [], [.make("list", to: "List", inverse: "items")]),
      .make("Tag", [], [.make("lists", to: "List", many: true, inverse: "tags")]), .make("Note"),
    ]
  }

  private static let before =
    #"{"id":1,"items":[{"id":1},{"id":2}],"tags":[{"id":1},{"id":2}],"notes":[{"id":1},{"id":2}]}"#
  private static let after = #"{"id":1,"items":[{"id":2}],"tags":[{"id":2}],"notes":[{"id":2}]}"#

  /// The numbers of items, tags and notes that are left of two each.
  private func counts(
    _ dialect: Dialect = .graft, _ notes: [String: String] = [:],
    _ options: ImportOptions = ImportOptions()
  ) throws -> [Int] {
    let trial = try ImportTrial(Self.model(notes), speaking: dialect)
    try trial.load(Self.before)
    try trial.load(Self.after, options)
    return try ["Item", "Tag", "Note"].map { try trial.store.graph.count(of: $0) }
  }

  @Test(arguments: Dialect.identifying)
  func `are unlinked by default, and deleted in Sync's dialect if the list alone owned them`(
    dialect: Dialect
  ) throws {
    #expect(try counts(dialect) == (dialect == .sync ? [1, 2, 2] : [2, 2, 2]))
  }

  @Test(arguments: Dialect.identifying, RemovedPolicy.allCases)
  func `are what the option says in every dialect`(
    dialect: Dialect, policy: RemovedPolicy
  ) throws {
    let options = ImportOptions.with {
      $0.removed = policy
      $0.collection = .replace
    }
    #expect(try counts(dialect, [:], options) == (policy == .delete ? [1, 1, 1] : [2, 2, 2]))
  }

  @Test(arguments: RemovedPolicy.allCases, RemovedPolicy.allCases)
  func `are what the annotation says, whatever the option`(
    policy: RemovedPolicy, option: RemovedPolicy
  ) throws {
    let result = try counts(
      .graft, ["JSONRemoved": policy.rawValue], .with { $0.removed = option })
    #expect(result == (policy == .delete ? [1, 1, 1] : [2, 2, 2]))
  }

  @Test(arguments: Dialect.identifying)
  func `are none where arrays join the members`(dialect: Dialect) throws {
    let options = ImportOptions.with {
      $0.removed = .delete
      $0.collection = .union
    }
    #expect(try counts(dialect, [:], options) == [2, 2, 2])
  }

  @Test(arguments: [
    #"[{"id":1,"items":[]},{"id":2,"items":[{"id":1}]}]"#,
    #"[{"id":2,"items":[1]},{"id":1,"items":[]}]"#,
    #"[{"id":1,"items":[]},{"id":1,"items":[2,1]}]"#,
  ])
  func `are spared where the document mentions them, before or after`(json: String) throws {
    let trial = try ImportTrial(Self.model())
    try trial.load(#"{"id":1,"items":[{"id":1}]}"#)
    try trial.load(json, .with { $0.removed = .delete })
    let one = try trial.store.graph.object("Item", identifiedBy: ["id": .integer(1)])
    #expect(one?.object("list") != nil)
  }

  @Test(arguments: ["null", "[]"])
  func `are all members where the relationship is emptied`(value: String) throws {
    let trial = try ImportTrial(Self.model())
    try trial.load(Self.before)
    let report = try trial.load(#"{"id":1,"items":\#(value)}"#, .with { $0.removed = .delete })
    #expect(report.count(of: "Item").deleted == 2)
  }
}
