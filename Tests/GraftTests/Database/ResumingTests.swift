import Foundation
import GraftSQLite
import Testing

@testable import Graft

@Suite struct `An import into a database that has stopped` {
  private let model: GraphModel
  private let file = TemporaryDatabase()
  private let document: URL

  init() throws {
    model = try GraphModel(
      entities: [
        .make(
          "List", [.make("name")],
          [
            RelationshipDescription(
              name: "items", destination: "Item", isToMany: true, isOrdered: true)
          ]),
        .make("Item", [.make("text")]),
        .make("Note", identity: "", [.make("text")], [.make("about", to: "Item")]),
      ], dialect: .graft)
    document = file.url.appendingPathExtension("json")
  }

  /// Lists that share items, and notes without identity about them.
  private static func text(_ count: Int, ndjson: Bool = false) -> String {
    let objects = (0..<count).map { number in
      let items = (0..<3).map { #"{"id": \#((number * 7 + $0) % 50), "text": "t\#(number)"}"# }
      return
        #"{"id": \#(number), "name": "n\#(number)", "items": [\#(items.joined(separator: ", "))]}"#
    }
    if ndjson { return objects.joined(separator: "\n") + "\n" }
    let notes = (0..<count).map { #"{"text": "n\#($0)", "about": \#($0 % 60)}"# }
    return
      #"{"lists": [\#(objects.joined(separator: ",\n"))], "notes": [\#(notes.joined(separator: ", "))]}"#
  }

  private var roots: [ImportRoot] {
    get throws { [try ImportRoot("List", at: "lists"), try ImportRoot("Note", at: "notes")] }
  }

  /// Imports the beginning of a document, as if the process had ended then.
  private func importBeginning(
    _ bytes: Int, _ text: String, _ database: GraphDatabase, saveEvery interval: Int
  ) async throws {
    let stop = CancellationError()
    await #expect(throws: (any Error).self) {
      try await database.importJSON(
        roots, from: .url(document), options: .with { $0.chunkSize = 64 }, saveEvery: interval
      ) { progress in
        if progress.byteCount >= bytes { withUnsafeCurrentTask { $0?.cancel() } }
      }
      throw stop
    }
  }

  @Test(arguments: [1, 500, 1000, 2500, 4000, 5000], [1, 7, 10_000])
  func `ends as one that was never stopped, when it is resumed`(
    bytes: Int, saveInterval: Int
  ) async throws {
    let text = Self.text(40)
    try text.write(to: document, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: document) }
    let store = GraphStore(model: model)
    try store.importJSON(roots, from: Data(text.utf8))
    let database = try GraphDatabase(model: model, at: file.url)
    try await importBeginning(bytes, text, database, saveEvery: saveInterval)
    let report = try await database.importJSON(
      roots, from: .url(document), saveEvery: saveInterval, resuming: true)
    #expect(report.issueCount == 0)
    #expect(report.ignoredReferenceCount == 0)
    #expect(try database.graph().content(depth: 2) == store.graph.content(depth: 2))
    #expect(try file.integrityFaults() == [])
    #expect(try file.rows("SELECT count(*) FROM graft_import WHERE ended IS NULL") == ["0"])
  }

  @Test func `is not resumed from a file that has changed`() async throws {
    let text = Self.text(40)
    try text.write(to: document, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: document) }
    let database = try GraphDatabase(model: model, at: file.url)
    try await importBeginning(2000, text, database, saveEvery: 1)
    let before = try database.graph().content(depth: 2)
    try (text + "\n").write(to: document, atomically: true, encoding: .utf8)
    await #expect {
      try await database.importJSON(roots, from: .url(document), saveEvery: 1, resuming: true)
    } throws: {
      "\($0)".contains("the file has changed since the import that is to be resumed")
    }
    #expect(try database.graph().content(depth: 2) == before)
  }

  @Test func `is not imported again when it has come to its end, unless the file changes`()
    async throws
  {
    let text = Self.text(5)
    try text.write(to: document, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: document) }
    let database = try GraphDatabase(model: model, at: file.url)
    try await database.importJSON(roots, from: .url(document), resuming: true)
    let notes = try database.count(of: "Note")
    let report = try await database.importJSON(roots, from: .url(document), resuming: true)
    #expect(report.notices.count == 1)
    #expect(try database.count(of: "Note") == notes)
    try Self.text(6).write(to: document, atomically: true, encoding: .utf8)
    try await database.importJSON(roots, from: .url(document), resuming: true)
    #expect(try database.count(of: "List") == 6)
  }

  @Test func `cannot be resumed from what is no file`() async throws {
    let database = try GraphDatabase(model: model, at: file.url)
    await #expect {
      try await database.importJSON(roots, from: .data(Data("{}".utf8)), resuming: true)
    } throws: {
      "\($0)".contains("only the import of a file can be resumed")
    }
  }
}
