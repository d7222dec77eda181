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

  private struct FormerLanguage: Entity {
    static let entityName = "Language"
    let code = Attribute<FormerState>()
    let words = ToMany<FormerWord>(.nowhere)
    static let identity = [\Self.code]
  }

  private struct FormerWord: Entity {
    static let entityName = "Word"
    let id = Attribute<Int>()
    let language = ToOne<FormerLanguage>(inverse: \.words)
    static let identity = [\Self.id]
  }

  private struct Language: Entity {
    let code = Attribute<State>()
    let words = ToMany<Word>(.nowhere)
    static let identity = [\Self.code]
  }

  private struct Word: Entity {
    let id = Attribute<Int>()
    let language = ToOne<Language>(inverse: \.words)
    static let identity = [\Self.id]
  }

  private struct FormerTask: Entity {
    static let entityName = "Chore"
    let id = Attribute<Int>()
    let state = Attribute<FormerState>()
    let parts = ToManyOrdered<FormerTask>(inverse: \.whole)
    let whole = ToOne<FormerTask>(.nowhere)
    static let identity = [\Self.id]
  }

  private struct Chore: Entity {
    let id = Attribute<Int>()
    let state = Attribute<State>()
    let parts = ToManyOrdered<Chore>(inverse: \.whole)
    let whole = ToOne<Chore>(.nowhere)
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
    #"Issue.state: expected a State ("open", "closed", "unknown"), found "archived" in the database; let the type have this"#
    + " value, or change the rows through a database that is opened without types"

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
  func `may be an identity, also one that only a link has`(kind: DatabaseKind) throws {
    let place = try TrialDatabase(kind)
    let former = try place.open(GraphModel(for: FormerWord.self))
    let importer = try former.makeImporter([ImportRoot(FormerWord.self)])
    try importer.parse(
      Data(#"[{"id": 1, "language": "open"}, {"id": 2, "language": "archived"}]"#.utf8))
    _ = try importer.finish()
    let database = try place.open(GraphModel(for: Word.self))
    #expect(try database.object(Word.self, id: 1)?.language?.code == .open)
    for read in [
      { _ = try database.object(Word.self, id: 2) }, { _ = try database.objects(Language.self) },
      { _ = try database.graph() },
      { try database.write { _ = try $0.objects(Word.self, where: "id = 2").first?.language } },
    ] as [() throws -> Void] {
      #expect(throws: StoreError.self) { try read() }
    }
  }

  @Test(arguments: DatabaseKind.present)
  func `can be changed where the database is opened without types`(kind: DatabaseKind) throws {
    let place = try filled(kind)
    let old = try GraphModel(data: Data(GraphModel(for: Former.self).schemaFile.utf8))
    try place.open(old).write { graph in
      for issue in try graph.objects("Issue", where: "state = 'archived'") {
        issue["state"] = .string("closed")
        issue["mood"] = nil
      }
    }
    let database = try place.open(GraphModel(for: Issue.self))
    #expect(try database.objects(Issue.self).map(\.state).filter { $0 == .closed }.count == 2)
  }

  @Test(arguments: DatabaseKind.present)
  func `ends an import that mentions its object by its identifier`(kind: DatabaseKind) throws {
    let place = try TrialDatabase(kind)
    let former = try place.open(GraphModel(for: FormerTask.self))
    let importer = try former.makeImporter([ImportRoot(FormerTask.self)])
    try importer.parse(Data(#"[{"id": 2, "state": "archived"}]"#.utf8))
    _ = try importer.finish()
    let database = try place.open(GraphModel(for: Chore.self))
    let next = try database.makeImporter([ImportRoot(Chore.self)])
    #expect(throws: ImportError.self) {
      try next.parse(Data(#"[{"id": 4, "state": "open", "parts": [2]}]"#.utf8))
      _ = try next.finish()
    }
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
