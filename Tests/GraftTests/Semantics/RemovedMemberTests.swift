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
      $0.relationships.removed = policy
      $0.relationships.collection = .replace
    }
    #expect(try counts(dialect, [:], options) == (policy == .delete ? [1, 1, 1] : [2, 2, 2]))
  }

  /// What is left of two items when Sync's dialect reads an array of its own kind.
  @Test(arguments: [
    (#""items":[{"id":2}]"#, 1), (#""items":[{"id":2},3]"#, 1), (#""items":[]"#, 0),
    (#""items":null"#, 0), (#""items":[2]"#, 2), (#""items":[3]"#, 2), (#""items_ids":[2]"#, 2),
    (#""items_ids":[]"#, 2), (#""items_ids":null"#, 2),
  ])
  func `are deleted by a list of objects, and unlinked by one of identifiers, in Sync's dialect`(
    list: String, count: Int
  ) throws {
    for reference in [nil, ReferencePolicy.ignore, .defer] {
      let trial = try ImportTrial(Self.model(), speaking: .sync)
      try trial.load(Self.before)
      try trial.load(#"{"id":1,\#(list)}"#, .with { $0.relationships.reference = reference })
      #expect(try trial.store.graph.count(of: "Item") == count)
      let members = try trial.store.graph.objects("List").map { $0.objects("items").count }
      #expect(members == [list.contains("2") ? 1 : 0])
    }
  }

  @Test(arguments: RemovedPolicy.allCases, [#"[2]"#, "[2,3]", "[]"])
  func `are what annotation and option say where a list holds identifiers alone`(
    policy: RemovedPolicy, list: String
  ) throws {
    for reference in [ReferencePolicy.ignore, .defer] {
      for (notes, option) in [
        (["JSONRemoved": policy.rawValue], nil), ([:], policy),
        (["JSONRemoved": policy.rawValue], RemovedPolicy.allCases.first { $0 != policy }),
      ] {
        let trial = try ImportTrial(Self.model(notes))
        try trial.load(Self.before)
        try trial.load(
          #"{"id":1,"items":\#(list)}"#,
          .with {
            $0.relationships.reference = reference
            $0.relationships.removed = option
          })
        let kept = policy == .unlink ? 2 : list == "[]" ? 0 : 1
        #expect(try trial.store.graph.count(of: "Item") == kept)
      }
    }
  }

  @Test(arguments: RemovedPolicy.allCases, RemovedPolicy.allCases)
  func `are what the annotation says, whatever the option`(
    policy: RemovedPolicy, option: RemovedPolicy
  ) throws {
    let result = try counts(
      .graft, ["JSONRemoved": policy.rawValue], .with { $0.relationships.removed = option })
    #expect(result == (policy == .delete ? [1, 1, 1] : [2, 2, 2]))
  }

  @Test(arguments: Dialect.identifying)
  func `are none where arrays join the members`(dialect: Dialect) throws {
    let options = ImportOptions.with {
      $0.relationships.removed = .delete
      $0.relationships.collection = .union
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
    try trial.load(json, .with { $0.relationships.removed = .delete })
    let one = try trial.store.graph.object("Item", identifiedBy: ["id": .integer(1)])
    #expect(one?.object("list") != nil)
  }

  @Test(arguments: ["null", "[]"])
  func `are all members where the relationship is emptied`(value: String) throws {
    let trial = try ImportTrial(Self.model())
    try trial.load(Self.before)
    let report = try trial.load(
      #"{"id":1,"items":\#(value)}"#, .with { $0.relationships.removed = .delete })
    #expect(report.count(of: "Item").deleted == 2)
  }
}
