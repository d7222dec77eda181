import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// The `_id` of a row whose entity has no identity, or whose objects may lack it.
///
/// An import may hold the number of a row while others delete that row.
@Suite struct `The number of a row` {
  private let file = TemporaryDatabase()

  private func database() throws -> GraphDatabase {
    var hero = EntityDescription.make(
      "Hero", [.make("x", .integer64)], [.make("boss", to: "Hero")])
    hero.missingIdentity = .insert
    let model = try GraphModel(entities: [hero], dialect: .graft)
    return try GraphDatabase(model: model, at: file.url, configuration: .quick)
  }

  private static let heroes = Data(
    #"[{"id": 1, "x": 1}, {"id": 2, "x": 2}, {"id": 3, "x": 3}]"#.utf8)

  /// Deletes hero 3 and inserts hero 30, as another process does.
  private func replaceThird() throws {
    try database().write { graph in
      try graph.object("Hero", identifiedBy: ["id": .integer(3)])?.delete()
    }
    try database().importJSON(entity: "Hero", from: Data(#"{"id": 30, "x": 30}"#.utf8))
  }

  @Test func `is not given to another row when its row is deleted`() throws {
    try database().importJSON(entity: "Hero", from: Self.heroes)
    try replaceThird()
    let numbers = try file.rows("SELECT _id FROM Hero ORDER BY id").compactMap { Int($0) }
    #expect(numbers.count == 3 && numbers[2] > 3)
  }

  @Test func `leads an import to no row that others have inserted`() throws {
    try database().importJSON(entity: "Hero", from: Self.heroes)
    let importer = try database().makeSourceImporter([ImportRoot("Hero")])
    try importer.parse(Data(#"[{"id": 3, "x": 33}, {"id": 1, "boss": 3}"#.utf8))
    try replaceThird()
    try importer.parse(Data("]".utf8))
    _ = try importer.finish()
    // The import has changed hero 3, and so inserts it again.
    #expect(try file.rows("SELECT id, x FROM Hero ORDER BY id") == ["1|1", "2|2", "3|33", "30|30"])
    let boss = try database().object(
      "Hero", identifiedBy: ["id": .integer(1)], following: ["boss"])?
      .object("boss")
    #expect(boss?["id"] == .integer(3))
  }

  @Test func `is not that of an object that others have inserted when what is missing is deleted`()
    throws
  {
    try database().importJSON(entity: "Hero", from: Self.heroes)
    let importer = try database().makeSourceImporter(
      [ImportRoot("Hero")], options: .with { $0.deletesMissing = true })
    try importer.parse(Data(#"[{"id": 1}"#.utf8))
    try replaceThird()
    try importer.parse(Data("]".utf8))
    _ = try importer.finish()
    #expect(try file.rows("SELECT id FROM Hero ORDER BY id") == ["1", "30"])
  }

  @Test func `is refused where it leaves too few for new rows, and the file stays as it was`()
    throws
  {
    try database().importJSON(entity: "Hero", from: Self.heroes)
    try file.run("INSERT INTO Hero (_id, id) VALUES (\(Int64.max), 4)")
    let error = #expect(throws: ImportError.self) {
      try database().importJSON(entity: "Hero", from: Data(#"{"id": 5}"#.utf8))
    }
    #expect(error?.message.contains("leaves too few numbers for new rows; lower it") == true)
    #expect(try file.rows("SELECT id FROM Hero ORDER BY id") == ["1", "2", "3", "4"])
  }
}
