import Testing

@testable import Graft
@testable import GraftTestSupport

/// An array updates the members of a to-many relationship, and unlinks or deletes those it no
/// longer names.
@Suite struct `A to-many array` {
  private static func model(
    _ userInfo: [String: String] = [:], inverse: Bool = true
  )
    -> [EntityDescription]
  {
    [
      .make(
        "List", [],
        [
          .make("items", to: "Item", many: true, inverse: inverse ? "list" : nil, userInfo),
          RelationshipDescription(
            name: "order", destination: "Item", isToMany: true, isOrdered: true, userInfo: userInfo),
        ]),
      .make(
        "Item", [.make("name")],
        inverse ? [.make("list", to: "List", inverse: "items", ["JSONKeyPath": "-"])] : []),
    ]
  }

  private func trial(_ userInfo: [String: String] = [:], inverse: Bool = true) throws -> ImportTrial
  {
    let trial = try ImportTrial(Self.model(userInfo, inverse: inverse))
    try trial.load("[1,2,3,4]", as: "Item")
    try trial.load(#"{"id":1,"items":[1,2],"order":[2,1]}"#)
    return trial
  }

  @Test(arguments: [
    ("[3]", "[Item/3]", "[Item/1, Item/2, Item/3]"),
    ("[3,1,3]", "[Item/1, Item/3]", "[Item/1, Item/2, Item/3]"), ("[]", "", "[Item/1, Item/2]"),
    ("[null,2]", "[Item/2]", "[Item/1, Item/2]"),
  ])
  func `replaces the members, or joins them`(json: String, replaced: String, united: String) throws
  {
    for (policy, expected) in [(CollectionPolicy.replace, replaced), (.union, united)] {
      let trial = try trial()
      try trial.load(#"{"items":\#(json),"id":1}"#, .with { $0.relationships.collection = policy })
      let list = try #require(trial.lines.first { $0.hasPrefix("List") })
      let items = expected.isEmpty ? "" : ", items: \(expected)"
      #expect(list == "List/1 id: 1\(items), order: [Item/2, Item/1]")
    }
  }

  @Test func `that joins leaves the order of members that are there`() throws {
    let trial = try trial(["JSONCollection": "union"])
    try trial.load(#"{"id":1,"order":[1,2]}"#)
    #expect(trial.lines.last?.hasSuffix("order: [Item/2, Item/1]") == true)
  }

  @Test func `that says the same as before changes nothing`() throws {
    let trial = try trial()
    let report = try trial.load(#"{"id":1,"items":[2,1,2],"order":[2,1]}"#)
    #expect(report.updatedCount == 0)
  }

  static let removals = [true, false]

  @Test(arguments: removals)
  func `spares what the document mentions elsewhere, and what another owner has`(
    hasInverse: Bool
  ) throws {
    let trial = try trial(inverse: hasInverse)
    let report = try trial.load(
      #"[{"id":1,"items":[],"order":[]},{"id":2,"items":[1]},{"id":3,"items":[{"id":2}]}]"#,
      .with { $0.relationships.removed = .delete })
    #expect(report.count(of: "Item").deleted == 0)
    #expect(try trial.store.graph.count(of: "Item") == 4)
  }

  @Test(arguments: removals)
  func `deletes only members in the scope`(hasInverse: Bool) throws {
    let trial = try trial(inverse: hasInverse)
    let report = try trial.load(
      #"{"id":1,"items":[],"order":[]}"#,
      .with {
        $0.relationships.removed = .delete
        $0.deletionScopes["Item"] = { $0["id"] == .integer(2) }
      })
    #expect(report.count(of: "Item").deleted == 1)
    #expect(try trial.store.graph.object("Item", identifiedBy: ["id": .integer(2)]) == nil)
  }

  @Test func `that fails has deleted nothing`() throws {
    let trial = try trial(["JSONRemoved": "delete"])
    #expect(trial.failure(#"[{"id":1,"items":[]},{"id":"x"}]"#).contains("$[1].id"))
  }
}
