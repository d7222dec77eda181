import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `To-many array` {
  private static let before = #"{"id":1,"items":[{"id":1},{"id":2}],"order":[{"id":2},{"id":1}]}"#
  private static let after =
    #"{"id":1,"items":[{"id":3},{"id":1}],"order":[{"id":3},{"id":1},{"id":3}]}"#

  /// An unordered relationship, and one with an order.
  private static func model(_ notes: [String: String] = [:]) -> [EntityDescription] {
    [
      .make(
        "List", [],
        [
          .make("items", to: "Item", many: true, notes),
          RelationshipDescription(
            name: "order", destination: "Item", isToMany: true, isOrdered: true, userInfo: notes),
        ]), .make("Item"),
    ]
  }

  private static let items = ["Item/1 id: 1", "Item/2 id: 2", "Item/3 id: 3"]
  private static let replaced = ["List/1 id: 1, items: [Item/1, Item/3], order: [Item/3, Item/1]"]
  private static let united = [
    "List/1 id: 1, items: [Item/1, Item/2, Item/3], order: [Item/2, Item/1, Item/3]"
  ]

  private static func lists(_ policy: CollectionPolicy) -> [String] {
    policy == .union ? united : replaced
  }

  private func result(
    _ dialect: Dialect = .graft, _ notes: [String: String] = [:],
    _ options: ImportOptions = ImportOptions()
  ) throws -> (lists: [String], items: [String]) {
    let lines = try outcome(
      of: Self.before, Self.after, in: dialect, for: Self.model(notes), options)
    return (lines.filter { $0.hasPrefix("List") }, lines.filter { $0.hasPrefix("Item") })
  }

  @Test(arguments: Dialect.identifying)
  func `replaces in payload order and unlinks the others, or joins in MagicalRecord's dialect`(
    dialect: Dialect
  ) throws {
    let result = try result(dialect)
    #expect(result.lists == Self.lists(dialect == .magicalrecord ? .union : .replace))
    #expect(result.items == Self.items)
  }

  @Test func `makes new members of new lists, where all are new`() throws {
    let result = try result(.zds)
    #expect(result.items.count == 9)
    #expect(
      result.lists == [
        "List/1 id: 1, items: [Item/1, Item/2], order: [Item/3, Item/4]",
        "List/2 id: 1, items: [Item/5, Item/6], order: [Item/7, Item/8, Item/9]",
      ])
  }

  @Test(arguments: Dialect.identifying, CollectionPolicy.allCases)
  func `does what the option says in every dialect`(
    dialect: Dialect, policy: CollectionPolicy
  ) throws {
    let result = try result(dialect, [:], .with { $0.relationships.collection = policy })
    #expect(result.lists == Self.lists(policy))
    #expect(result.items == Self.items)
  }

  @Test(arguments: CollectionPolicy.allCases, CollectionPolicy.allCases)
  func `does what the annotation says, whatever the option`(
    policy: CollectionPolicy, option: CollectionPolicy
  ) throws {
    let result = try result(
      .graft, ["JSONCollection": policy.rawValue], .with { $0.relationships.collection = option })
    #expect(result.lists == Self.lists(policy))
  }
}
