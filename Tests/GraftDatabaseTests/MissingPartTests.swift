import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// An import that deletes what is missing holds a part of it at a time, and deletes the same objects.
@Suite struct `Missing objects in parts` {
  private static let model = Result {
    try GraphModel(
      entities: [
        .make(
          "List", [.make("name")],
          [
            RelationshipDescription(
              name: "items", destination: "Item", inverse: "list", isToMany: true,
              deleteRule: .cascade),
            .make("tags", to: "Tag", many: true, inverse: "lists"),
          ]),
        .make(
          "Item", [.make("text")],
          [.make("list", to: "List", inverse: "items", ["JSONKeyPath": "-"])]),
        .make("Special", parent: "List", [.make("kind")]),
        .make(
          "Tag", identity: "a,b", [.make("a"), .make("b", .integer64)],
          [.make("lists", to: "List", many: true, inverse: "tags", ["JSONKeyPath": "-"])]),
      ], dialect: .graft)
  }

  private static let first: String = {
    let lists = (1...9).map { number in
      #"{"id": \#(number), "name": "n", "items": [{"id": \#(number * 10)}, {"id": \#(number * 10 + 1)}],"#
        + #" "tags": [{"a": "t", "b": \#(number % 4)}]}"#
    }
    return "[\(lists.joined(separator: ","))]"
  }()

  private static let roots = [
    [ImportRoot("List")], [ImportRoot("Tag", at: "tags"), ImportRoot("Item", at: "items")],
  ]
  private static let documents = [
    #"[{"id": 4, "items": [{"id": 20}]}, {"id": 10, "items": [90]}]"#,
    #"{"tags": [{"a": "t", "b": 3}, {"a": "u", "b": 0}], "items": [{"id": 31}]}"#,
  ]

  private func load(
    _ text: String, _ roots: [ImportRoot], into target: some ImportTarget,
    group: ImportGroup? = nil, deletes: Bool = true
  ) throws -> [String] {
    var options = ImportOptions()
    options.deletesMissing = deletes
    options.group = group
    let importer = try target._prepareImport(roots, of: nil, options: options)
    try importer.parse(Data(text.utf8))
    return try importer.finish().entities.map { "\($0)" }
  }

  @Test(arguments: DatabaseKind.with([0, 1]))
  func `are those that memory deletes`(kind: DatabaseKind, number: Int) throws {
    let model = try Self.model.get()
    let (document, roots) = (Self.documents[number], Self.roots[number])
    let store = GraphStore(model: model)
    let database = try TrialDatabase.opened(kind, model)
    for limit in [1, 2, 3, 1000] {
      _ = try load(Self.first, Self.roots[0], into: store, deletes: false)
      _ = try load(Self.first, Self.roots[0], into: database, deletes: false)
      let counts = try load(document, roots, into: store)
      let found = try RemovedRows.$limit.withValue(limit) {
        try load(document, roots, into: database)
      }
      #expect(found == counts, "\(limit)")
      #expect(try database.graph().content(depth: 2) == store.graph.content(depth: 2), "\(limit)")
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `are those of a group of imports`(kind: DatabaseKind) throws {
    let model = try Self.model.get()
    let store = GraphStore(model: model)
    let database = try TrialDatabase.opened(kind, model)
    _ = try load(Self.first, Self.roots[0], into: store, deletes: false)
    _ = try load(Self.first, Self.roots[0], into: database, deletes: false)
    let groups = (ImportGroup(store), try ImportGroup(database))
    for document in [Self.documents[0], #"[{"id": 5}]"#] {
      _ = try load(document, Self.roots[0], into: store, group: groups.0)
      _ = try load(document, Self.roots[0], into: database, group: groups.1)
    }
    let counts = try groups.0.finish().entities.map { "\($0)" }
    let found = try RemovedRows.$limit.withValue(2) {
      try groups.1.finish().entities.map { "\($0)" }
    }
    #expect(found == counts)
    #expect(try database.graph().content(depth: 2) == store.graph.content(depth: 2))
  }
}
