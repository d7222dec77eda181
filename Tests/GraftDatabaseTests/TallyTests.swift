import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

@Suite struct `The report of an import into a database` {
  private static func load(
    _ database: GraphDatabase, _ text: String, saveEvery saveInterval: Int
  ) throws -> [ImportReport.EntityCount] {
    let importer = try database.makeSourceImporter(
      [ImportRoot("Post")],
      options: .with {
        $0.parser.format = .ndjson
        $0.savePolicy.objects = saveInterval
      })
    try importer.parse(Data(text.utf8))
    return try importer.finish().entities
  }

  @Test(arguments: DatabaseKind.with([1, 2, 3, 1000]))
  func `counts objects, in however many saves they are`(
    kind: DatabaseKind, saveInterval: Int
  ) throws {
    let first = """
      {"id": 1, "text": "a", "author": {"id": 3, "name": "Ada"}}
      {"id": 2, "text": "b", "author": {"id": 3, "name": "Bob"}}
      {"id": 1, "text": "c", "author": 3}
      {"id": 4, "author": {"id": 5, "name": "Eve"}}
      {"id": 1, "text": "a", "author": {"id": 3, "name": "Ada"}}

      """
    let trial = try TrialDatabase(kind)
    let database = try trial.open(.posts())
    let store = GraphStore(model: try .posts())
    for text in [
      first, first, "{\"id\": 1, \"text\": \"a\"}\n{\"id\": 9}\n{\"id\": 1, \"text\": \"d\"}\n",
    ] {
      let report = try store.importJSON(
        entity: "Post", from: Data(text.utf8), options: .with { $0.parser.format = .ndjson })
      let found = try Self.load(database, text, saveEvery: saveInterval)
      // A change and its reversal count as unchanged only within one save.
      let changed = { (counts: [ImportReport.EntityCount]) in
        counts.map { [$0.inserted, $0.updated + $0.unchanged] }
      }
      #expect(changed(found) == changed(report.entities))
    }
  }

  @Test func `counts more objects than it has in memory`() throws {
    let trial = try TrialDatabase(.sqlite)
    let database = try trial.open(.posts())
    // The second round mentions each object again, after the marks of the first have gone to the disk.
    var text = ""
    for round in 0..<2 {
      for id in 0..<400 {
        text += "{\"id\": \(id), \"text\": \"\(round)\", \"author\": \(id % 7)}\n"
      }
    }
    let counts = try ImportTally.$limit.withValue(64) {
      try Self.load(database, text, saveEvery: 50)
    }
    #expect(counts.first { $0.entity == "Post" }?.inserted == 400)
    #expect(counts.first { $0.entity == "Post" }?.updated == 0)
    #expect(counts.first { $0.entity == "User" }?.inserted == 7)
  }
}
