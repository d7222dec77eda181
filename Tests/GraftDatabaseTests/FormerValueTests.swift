import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// A program that no longer knows a value which an earlier version of it has stored.
@Suite struct `A stored value that the Swift type of its attribute no longer has` {
  private enum FormerState: String, CaseIterable { case open, closed, archived }
  private enum State: String, CaseIterable { case open, closed, unknown }

  private struct Size: Codable { var width = 1 }
  private struct Area: Codable { var width = 1, height: Int }

  private struct Former: Entity {
    static let entityName = "Issue"
    let id = Attribute<Int>()
    let state = Attribute<FormerState>()
    let mood = Attribute<FormerState?>()
    let size = Attribute<Size?>()
    static let identity = [\Self.id]
  }

  private struct Issue: Entity {
    let id = Attribute<Int>()
    let state = Attribute<State>()
    let mood = Attribute<State?>()
    let size = Attribute<Size?>()
    static let identity = [\Self.id]
  }

  private struct Tolerant: Entity {
    static let entityName = "Issue"
    let id = Attribute<Int>()
    let state = Attribute<State>(unknown: .unknown)
    let mood = Attribute<State?>(unknown: .unknown)
    let size = Attribute<Area?>(unknown: Area(width: 0, height: 0))
    static let identity = [\Self.id]
  }

  private struct Plot: Entity {
    static let entityName = "Issue"
    let id = Attribute<Int>()
    let size = Attribute<Area?>()
    static let identity = [\Self.id]
  }

  private static let objects = #"""
    [{"id": 1, "state": "open"}, {"id": 2, "state": "archived", "mood": "archived"},
     {"id": 3, "state": "closed", "mood": "open", "size": {"width": 3}}]
    """#

  private func load(_ text: String, into database: GraphDatabase) throws -> ImportReport {
    let importer = try database.makeImporter([ImportRoot("Issue")])
    try importer.parse(Data(text.utf8))
    return try importer.finish()
  }

  private func filled(_ kind: DatabaseKind) throws -> TrialDatabase {
    let place = try TrialDatabase(kind)
    _ = try load(Self.objects, into: place.open(GraphModel(for: Former.self)))
    return place
  }

  private static let message =
    "Issue.state: expected a State (\"open\", \"closed\", \"unknown\"), found \"archived\" in the database; give the attribute"
    + " `unknown:`, a value that takes its place, or correct the rows"

  @Test(arguments: DatabaseKind.present)
  func `is an error where the object is read, and never another value`(kind: DatabaseKind) throws {
    let place = try filled(kind)
    let database = try place.open(GraphModel(for: Issue.self))
    #expect(try database.object(Issue.self, id: 1)?.state == .open)
    #expect(try database.object(Issue.self, id: 3)?.mood == .open)
    for read in [
      { _ = try database.object(Issue.self, id: 2) }, { _ = try database.objects(Issue.self) },
      { _ = try database.graph() },
      { _ = try load(#"[{"id": 2, "mood": "open"}]"#, into: database) },
    ] as [() throws -> Void] {
      let error = #expect(throws: (any Error).self) { try read() }
      #expect(
        error.map { "\($0)" }?.contains(Self.message) == true, "\(error.map { "\($0)" } ?? "")")
    }
    #expect(try database.objects("Issue", where: "state = 'archived'", limit: 0).isEmpty)
  }

  @Test(arguments: DatabaseKind.present)
  func `reads as the value that the attribute has for unknown ones`(kind: DatabaseKind) throws {
    let place = try filled(kind)
    let database = try place.open(GraphModel(for: Tolerant.self))
    let issues = try database.objects(Tolerant.self, orderedBy: .forward(\.id))
    #expect(issues.map(\.state) == [.open, .unknown, .closed])
    #expect(issues.map(\.mood) == [nil, .unknown, .open])
    #expect(issues.map { $0.size?.height } == [nil, nil, 0])
    #expect(try database.graph().objects(Tolerant.self).map(\.state) == issues.map(\.state))
    let report = try load(
      #"[{"id": 2, "mood": "open"}, {"id": 1, "state": "open"}]"#, into: database)
    #expect(report.updatedCount == 1 && report.unchangedCount == 1)
    #expect(try database.object(Tolerant.self, id: 2)?.mood == .open)
  }

  @Test(arguments: DatabaseKind.present)
  func `may be the JSON of a type that has changed`(kind: DatabaseKind) throws {
    let place = try filled(kind)
    let database = try place.open(GraphModel(for: Plot.self))
    #expect(throws: StoreError.self) { try database.objects(Plot.self) }
    #expect(try database.object(Plot.self, id: 1)?.size == nil)
  }
}

/// The cases of an enumeration in a model that is written to a file.
@Suite struct `A schema file of a typed enumeration` {
  private enum State: String, CaseIterable { case open, closed }
  private enum Bar: String, CaseIterable {
    case one = "a|b"
    case two = "c"
  }

  private struct Issue: Entity {
    let id = Attribute<Int>()
    let state = Attribute<State>(unknown: .open)
    let mood = Attribute<State?>()
    let bar = Attribute<Bar?>()
    static let identity = [\Self.id]
  }

  @Test func `has its cases, so that a model from it refuses all other values`() throws {
    let model = try GraphModel(for: Issue.self)
    let attributes = model.entities[0].attributes
    #expect(attributes[1].values == [.string("open"), .string("closed")])
    let file = TemporaryDatabase()
    _ = try GraphDatabase(for: Issue.self, at: file.url, configuration: .quick)
    let database = try GraphDatabase(contentsOf: file.url, configuration: .quick)
    func load(_ text: String) throws -> ImportReport {
      let importer = try database.makeImporter([ImportRoot("Issue")])
      try importer.parse(Data(text.utf8))
      return try importer.finish()
    }
    _ = try load(#"[{"id": 1, "state": "lost", "mood": "closed", "bar": "a|b"}]"#)
    let issue = try #require(try database.objects("Issue").first)
    #expect(issue["state"] == .string("open") && issue["mood"] == .string("closed"))
    let error = #expect(throws: ImportError.self) { try load(#"[{"id": 2, "mood": "glum"}]"#) }
    #expect(error?.message == #"expected one of "open", "closed", found "glum""#)
  }
}
