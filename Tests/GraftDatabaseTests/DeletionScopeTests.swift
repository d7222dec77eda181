import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftExport
@testable import GraftTestSupport

/// A deletion scope reads the same from a database as from memory, however far it follows relationships.
@Suite struct `Deletion scopes in a database` {
  private static let entities: [EntityDescription] = [
    .make(
      "Tour", [.make("year", .integer64)],
      [.make("concerts", to: "Concert", many: true, inverse: "tour", ["JSONRemoved": "delete"])]),
    .make(
      "Concert", [.make("year", .integer64)],
      [
        .make("tour", to: "Tour", inverse: "concerts"), .make("venue", to: "Venue"),
        .make("songs", to: "Song", many: true),
      ]),
    .make("Venue", [], [.make("city", to: "City", inverse: "venues")]),
    .make("City", [.make("name")], [.make("venues", to: "Venue", many: true, inverse: "city")]),
    .make("Song", [.make("title")]),
  ]

  private static let before = """
    [{"id":1,"year":5,"concerts":[
      {"id":1,"year":1,"venue":{"id":1,"city":{"id":1,"name":"Graz"}},"songs":[{"id":1,"title":"x"}]},
      {"id":2,"year":2,"venue":{"id":2,"city":{"id":2,"name":"Linz"}},"songs":[{"id":2,"title":"y"}]},
      {"id":3,"year":3,"venue":{"id":3,"city":1},"songs":[1,2]},
      {"id":4,"year":4,"songs":[]}]}]
    """

  private struct Scope: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var allows: @Sendable (GraphObject) -> Bool

    init(_ name: String, _ allows: @escaping @Sendable (GraphObject) -> Bool) {
      testDescription = name
      self.allows = allows
    }
  }

  private static let scopes = [
    Scope("a to-one of a to-one") {
      $0.object("venue")?.object("city")?["name"] == .string("Graz")
    },
    Scope("a to-many") { $0.objects("songs").contains { $0["title"] == .string("x") } },
    Scope("a to-many that is empty") { $0.objects("songs").isEmpty },
    Scope("a to-many of a to-one of a to-one") {
      $0.object("venue")?.object("city")?.objects("venues").count == 2
    },
    Scope("what has lost the object") { $0.object("tour")?["year"] == .integer(5) },
    Scope("a selection") {
      ((try? $0.selection(of: "songs").where("title", equals: .string("y")).count) ?? 0) > 0
    },
    Scope("other objects of the graph") { object in
      let songs = try? object.graph.objects("Song").map { $0["title"] }
      let linz = try? object.graph.object("City", identifiedBy: ["id": .integer(2)])
      return songs?.count == 2 && linz?["name"] == .string("Linz")
    },
    Scope("no fault") { $0.object("venue")?.isFault == false },
  ]

  private func load(
    _ text: String, _ entity: String, _ options: ImportOptions = ImportOptions(),
    into importer: (_ roots: [ImportRoot], _ options: ImportOptions) throws -> JSONImporter
  ) throws -> ImportReport {
    let importer = try importer([ImportRoot(entity)], options)
    try importer.parse(Data(text.utf8))
    return try importer.finish()
  }

  /// The deletions that ask a scope: of missing objects, of removed members, and at the end of a group.
  private enum Deletion: CaseIterable {
    case missing, removed, group
  }

  @Test(arguments: DatabaseKind.present, scopes.indices)
  func `see what memory would show them`(kind: DatabaseKind, number: Int) throws {
    let scope = Self.scopes[number]
    for deletion in Deletion.allCases {
      let model = try GraphModel(entities: Self.entities, dialect: .graft)
      let store = GraphStore(model: model)
      let place = try TrialDatabase(kind)
      let database = try place.open(model)
      var options = ImportOptions()
      options.deletionScopes["Concert"] = scope.allows
      options.deletesMissing = deletion != .removed
      let entity = deletion == .removed ? "Tour" : "Concert"
      let text = deletion == .removed ? #"[{"id":1,"concerts":[]}]"# : "[]"
      func load(
        _ makeGroup: () throws -> ImportGroup,
        _ importer: ([ImportRoot], ImportOptions) throws -> JSONImporter
      ) throws -> [ImportReport.EntityCount] {
        _ = try self.load(Self.before, "Tour", into: importer)
        let group = try makeGroup()
        if deletion == .group { options.group = group }
        let report = try self.load(text, entity, options, into: importer)
        return try report.entities + group.finish().entities
      }
      let inMemory = try load(
        { ImportGroup(store) }, { try store.makeImporter($0, options: $1) })
      let found = try load(
        { try ImportGroup(database) }, { try database.makeImporter($0, options: $1) })
      #expect(found == inMemory, "\(scope.testDescription), \(deletion)")
      #expect(inMemory.contains { $0.deleted > 0 }, "\(scope.testDescription), \(deletion)")
      #expect(
        try database.graph().content(depth: 2) == (try store.graph.content(depth: 2)),
        "\(scope.testDescription), \(deletion)")
    }
  }

  @Test func `end with what they were asked for`() throws {
    let model = try GraphModel(entities: Self.entities, dialect: .graft)
    let place = try TrialDatabase(.sqlite)
    let database = try place.open(model)
    _ = try load(Self.before, "Tour") { try database.makeImporter($0, options: $1) }
    let kept = Kept()
    var options = ImportOptions()
    options.deletesMissing = true
    options.deletionScopes["Concert"] = { object in
      kept.note(object)
      return false
    }
    _ = try load("[]", "Concert", options) { try database.makeImporter($0, options: $1) }
    let object = try #require(kept.last)
    #expect(!object.isFault)
    #expect(object["year"] == .integer(4))
    #expect(throws: ExportError.self) { try JSONExporter(model: model).data(.objects([object])) }
  }
}

/// The objects that a scope was asked about.
private final class Kept: Sendable {
  private let objects = Guarded<[GraphObject]>([])

  var last: GraphObject? { objects.withLock { $0.last } }
  func note(_ object: GraphObject) { objects.withLock { $0.append(object) } }
}
