import Testing

@testable import Graft
@testable import GraftTestSupport

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

  /// The number of items left of two when Sync's dialect reads an array of its own kind.
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

  @Test(arguments: [#"{"id": "7x"}"#, #"{"id": 8}"#], [true, false])
  func `are spared where a skipped object may be one that would be deleted with them`(
    part: String, deletesMissing: Bool
  ) throws {
    let rule: DeleteRule = deletesMissing ? .cascade : .nullify
    func list(_ name: String, _ destination: String) -> RelationshipDescription {
      RelationshipDescription(
        name: name, destination: destination, isToMany: true, deleteRule: rule)
    }
    let trial = try ImportTrial([
      .make("Hero", [], [list("items", "Item"), list("parts", "Part")]),
      .make(
        "Item", identity: "", [.make("name")],
        [RelationshipDescription(name: "part", destination: "Part", deleteRule: .cascade)]),
      .make("Part"),
    ])
    try trial.load(#"[{"id": 1, "items": [{"name": "i", "part": {"id": 7}}]}, {"id": 2}]"#)
    let report = try trial.load(
      #"[{"id": \#(deletesMissing ? 3 : 1), "items": []}, {"id": 2, "parts": [\#(part)]}]"#,
      .with {
        $0.errorPolicy = .skipObject
        $0.deletesMissing = deletesMissing
        $0.relationships.removed = deletesMissing ? .unlink : .delete
      })
    let isSpared = part.contains("x")
    #expect(try trial.store.graph.count(of: "Item") == (isSpared ? 1 : 0))
    #expect(report.noticeCount == (isSpared ? 1 : 0))
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

  @Test(arguments: [
    (#"{"id":1,"items":[{"id":8},{"id":9}]}"#, #"{"id":1,"items":[{"id":7}]}"#, "7"),
    (#"{"id":1,"items":[{"id":8},9]}"#, #"{"id":1,"items":[7]}"#, "7"),
    (#"{"id":1,"items":[{"id":8},{"id":9}]}"#, #"{"id":1,"items":[9]}"#, "9"),
    (#"{"id":1,"items":[8,9]}"#, #"{"id":1,"items":null}"#, ""),
    (#"{"id":1,"items":[8],"items":[9]}"#, #"{"id":1}"#, "9"),
    // Another owner has it, or had it until it lost it too.
    (#"{"id":1,"items":[8,9]}"#, #"{"id":1,"items":[]},{"id":2,"items":[9]}"#, "9"),
    (#"{"id":1,"items":[8]},{"id":2,"items":[8]}"#, #"{"id":1,"items":[]}"#, "8"),
    (
      #"{"id":1,"items":[8]},{"id":2,"items":[8]}"#, #"{"id":1,"items":[]},{"id":2,"items":[]}"#, ""
    ),
    // Another relationship has it, or had it.
    (#"{"id":1,"items":[8,9]}"#, #"{"id":1,"items":[]},{"id":2,"best":9}"#, "9"),
    (#"{"id":1,"items":[8],"best":8}"#, #"{"id":1,"items":[],"best":null}"#, ""),
    // An item that is skipped mentions nothing less.
    (#"{"id":1,"items":[8]}"#, #"{"id":1,"items":[]},{"id":"x","best":8}"#, "8"),
  ])
  func `include members that a later value of the same document replaces`(
    first: String, second: String, left: String
  ) throws {
    for (saveInterval, hasInverse) in [(nil, true), (nil, false), (1, true), (1, false)] {
      let trial = try Self.trial(hasInverse: hasInverse)
      let report = try trial.load(
        "[\(first),\(second)]",
        .with {
          $0.savePolicy.objects = saveInterval
          $0.errorPolicy = .skipObject
        })
      let items = try trial.store.graph.objects("Item").compactMap { $0["id"] }
      #expect(items == (Int64(left).map { [.integer($0)] } ?? []))
      #expect(report.count(of: "Item").inserted == items.count)
      #expect(report.count(of: "Item").deleted == 0)
    }
  }

  /// Lists, whose items are deleted with their last list, and that may have a best item.
  private static func trial(hasInverse: Bool) throws -> ImportTrial {
    try ImportTrial([
      .make(
        "List", [],
        [
          .make(
            "items", to: "Item", many: true, inverse: hasInverse ? "list" : nil,
            ["JSONRemoved": "delete"]), .make("best", to: "Item"),
        ]),
      .make(
        "Item", [],
        hasInverse ? [.make("list", to: "List", inverse: "items", ["JSONKeyPath": "-"])] : []),
    ])
  }

  @Test(arguments: [true, false])
  func `include members that waited with an array that was replaced`(hasInverse: Bool) throws {
    let trial = try Self.trial(hasInverse: hasInverse)
    try trial.load(
      #"[{"id":1,"items":[{"id":8},99]},{"id":1,"items":[{"id":9},98]}]"#,
      .with { $0.relationships.reference = .defer })
    #expect(try trial.store.graph.objects("Item").map { $0["id"] } == [.integer(9)])
  }

  @Test func `without identity go when a later value of the same document replaces them`() throws {
    let trial = try ImportTrial([
      .make("List", [], [.make("items", to: "Item", many: true, ["JSONRemoved": "delete"])]),
      .make("Item", identity: "", [.make("name")]),
    ])
    try trial.load(
      #"[{"id":1,"items":[{"name":"x"},{"name":"y"}]},{"id":1,"items":[{"name":"z"}]}]"#)
    #expect(trial.lines == [#"Item/1 name: "z""#, "List/1 id: 1, items: [Item/1]"])
  }

  @Test func `are none that were never in the list`() throws {
    let trial = try ImportTrial([
      .make("List", [], [.make("items", to: "Item", many: true, ["JSONRemoved": "delete"])]),
      .make("Item"),
    ])
    try trial.load("[5]", as: "Item")
    try trial.load(#"[{"id":1,"items":[{"id":5},{"id":7}],"items":[{"id":6}]}]"#)
    #expect(try trial.store.graph.objects("Item").map { $0["id"] } == [.integer(5), .integer(6)])
  }

  @Test func `take value objects inside them along, though these lead back`() throws {
    let trial = try ImportTrial([
      .make("List", [], [.make("top", to: "Item", ["JSONRemoved": "delete"])]),
      .make(
        "Item", identity: "", [.make("n", .integer64)],
        [
          .make("inner", to: "Item", inverse: "outer", ["JSONRemoved": "delete"]),
          .make("outer", to: "Item", inverse: "inner", ["JSONKeyPath": "-"]),
        ]),
    ])
    let json = #"{"id":1,"top":{"n":1,"inner":{"n":2,"inner":{"n":3}}}}"#
    for _ in 1...2 { try trial.load(json) }
    #expect(try trial.store.graph.count(of: "Item") == 3)
    try trial.load(#"{"id":1,"top":null}"#)
    #expect(try trial.store.graph.count(of: "Item") == 0)
  }

  @Test func `go within the scope only, which is not asked about what the import has made`() throws
  {
    let trial = try ImportTrial(Self.model(["JSONRemoved": "delete"]))
    try trial.load(#"{"id":1,"items":[{"id":1},{"id":2}]}"#)
    try trial.load(
      #"[{"id":1,"items":[{"id":1},{"id":2},{"id":3}]},{"id":1,"items":[]}]"#,
      .with { $0.deletionScopes["Item"] = { $0["id"] == .integer(2) } })
    #expect(try trial.store.graph.objects("Item").map { $0["id"] } == [.integer(1)])
  }

  @Test func `that are stubs and become objects of a sub-entity stay where a scope says so`() throws
  {
    let trial = try ImportTrial([
      .make("List", [], [.make("items", to: "Item", many: true, ["JSONRemoved": "delete"])]),
      .make("Item", [], [], ["JSONDiscriminator": "kind"]),
      .make("Parcel", identity: "", parent: "Item"),
    ])
    try trial.load(#"{"id":1,"items":[7,8]}"#)
    try trial.load(
      #"[{"id":1,"items":[{"id":7,"kind":"Parcel"},8]},{"id":1,"items":[]}]"#,
      .with { $0.deletionScopes["Item"] = { _ in false } })
    #expect(trial.lines.filter { $0.contains("id: 7") } == ["Parcel/1 id: 7"])
    #expect(try trial.store.graph.count(of: "Item") == 2)
  }

  @Test func `of an inherited relationship are kept by owners of other entities`() throws {
    let trial = try ImportTrial([
      .make("List", [], [.make("notes", to: "Note", many: true, ["JSONRemoved": "delete"])]),
      .make("Short", identity: "", parent: "List"), .make("Long", identity: "", parent: "List"),
      .make("Note"),
    ])
    try trial.load(#"{"id":1,"notes":[5,6]}"#, as: "Short")
    try trial.load(#"{"id":2,"notes":[5]}"#, as: "Long")
    try trial.load(#"{"id":1,"notes":[]}"#, as: "Short")
    #expect(try trial.store.graph.objects("Note").map { $0["id"] } == [.integer(5)])
  }

  @Test func `are counted once, as deleted, though the document had mentioned them`() throws {
    let trial = try ImportTrial(Self.model(["JSONRemoved": "delete"]))
    try trial.load(#"{"id":1,"items":[{"id":5},{"id":6}]}"#)
    let report = try trial.load(#"[{"id":1,"items":[{"id":5},{"id":6}]},{"id":1,"items":[5]}]"#)
    #expect(
      report.count(of: "Item")
        == .init(entity: "Item", inserted: 0, updated: 0, unchanged: 1, deleted: 1))
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
