import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

@Suite struct `Imports into a database that belong together` {
  private let file = TemporaryDatabase()
  private let database: GraphDatabase

  init() throws {
    let model = try GraphModel(
      entities: [
        .make("Hero", [.make("year", .integer64)], [.make("boss", to: "Hero")]), .make("Power"),
      ], dialect: .graft)
    database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    try load(#"[{"id":1},{"id":2},{"id":3,"year":9},{"id":4,"boss":5},{"id":5}]"#)
    try load("[1,2]", as: "Power")
  }

  private func load(
    _ text: String, as entity: String = "Hero", _ options: ImportOptions = ImportOptions()
  ) throws {
    let importer = try database.makeImporter([ImportRoot(entity)], options: options)
    try importer.parse(Data(text.utf8))
    _ = try importer.finish()
  }

  private func options(
    _ group: ImportGroup, _ change: (inout ImportOptions) -> Void = { _ in }
  ) -> ImportOptions {
    .with {
      $0.deletesMissing = true
      $0.savePolicy.objects = 1
      $0.group = group
      change(&$0)
    }
  }

  private var heroes: [String] {
    get throws { try file.rows("SELECT id FROM Hero ORDER BY id") }
  }

  @Test func `delete what none of them mentions, at their end`() async throws {
    let report = try await database.importGroup { group in
      for page in [#"[{"id":1}]"#, #"[{"id":7,"boss":3},{"id":4}]"#, "[]"] {
        try load(page, options(group))
        #expect(try heroes.starts(with: ["1", "2", "3", "4", "5"]))
      }
    }
    #expect(try heroes == ["1", "3", "4", "7"])
    #expect(report.entities == [.init(entity: "Hero", deleted: 2)])
    #expect(try await database.count(of: "Power") == 2)
    #expect(try file.rows("SELECT boss FROM Hero WHERE id = 4") == [""])
    #expect(try file.integrityFaults() == [])
    #expect(try file.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'graft_g%'") == [])
  }

  @Test(arguments: ["[{", #"[{"id":"x"}]"#])
  func `delete nothing where one of them fails`(json: String) async throws {
    let report = try await database.importGroup { group in
      try load("[1]", options(group))
      #expect(throws: ImportError.self) { try load(json, options(group)) }
      try load("[2]", options(group))
    }
    #expect(try heroes == ["1", "2", "3", "4", "5"])
    #expect(report.entities == [])
    #expect(
      report.notices.map(\.description) == [
        "nothing that is missing was deleted: of 3 imports of the group, 1 did not end well"
      ])
  }

  @Test func `delete nothing where one of them has not ended`() async throws {
    try await database.importGroup { group in
      try load("[1]", options(group))
      _ = try database.makeImporter([ImportRoot("Hero")], options: options(group))
    }
    #expect(try heroes == ["1", "2", "3", "4", "5"])
  }

  @Test func `spare what one mentions that itself deletes nothing, and what is out of scope`()
    async throws
  {
    try await database.importGroup { group in
      try load("[1]", options(group) { $0.deletionScopes["Hero"] = { $0["year"] == nil } })
      try load("[2]", options(group) { $0.deletesMissing = false })
      try load("[1]", as: "Power", options(group) { $0.deletesMissing = false })
    }
    #expect(try heroes == ["1", "2", "3"])
    #expect(try await database.count(of: "Power") == 2)
  }

  @Test func `delete nothing by a root that is null, or a trial`() async throws {
    try await database.importGroup { try load("null", options($0)) }
    try await database.importGroup { group in
      try load("[1]", options(group) { $0.isDryRun = true })
    }
    #expect(try heroes == ["1", "2", "3", "4", "5"])
  }

  @Test func `delete nothing where others have written`() async throws {
    let report = try await database.importGroup { group in
      try load("[1]", options(group))
      try load("[77]")
      try load("[2]", options(group))
    }
    #expect(try heroes == ["1", "2", "3", "4", "5", "77"])
    #expect(
      report.notices.map(\.description) == [
        "nothing that is missing was deleted: somebody else has written to the database since the group began"
      ])
  }

  @Test func `follow one another`() async throws {
    try await database.importGroup { group in
      let first = try database.makeImporter([ImportRoot("Hero")], options: options(group))
      try first.parse(Data("[1,".utf8))
      #expect {
        try database.makeImporter([ImportRoot("Hero")], options: options(group))
      } throws: {
        "\($0)".contains("imports of a group into a database follow one another")
      }
      try first.parse(Data("2]".utf8))
      _ = try first.finish()
    }
    #expect(try heroes == ["1", "2", "3", "4", "5"])
  }

  @Test func `go on where the group has ended before them`() throws {
    let group = try ImportGroup(database)
    // The first objects are in the open transaction when the group ends.
    let importer = try database.makeImporter(
      [ImportRoot("Hero")], options: options(group) { $0.savePolicy.isAtEnd = true })
    try importer.parse(Data("[6,7,".utf8))
    try group.finish()
    try importer.parse(Data("8]".utf8))
    _ = try importer.finish()
    #expect(try heroes == ["1", "2", "3", "4", "5", "6", "7", "8"])
  }

  @Test func `are of one database, and end once`() throws {
    let other = GraphStore(model: database.model)
    #expect {
      try load("[1]", options(ImportGroup(other)))
    } throws: {
      "\($0)" == "the group of imports was begun for another store; begin one for this store"
    }
    let group = try ImportGroup(database)
    try group.finish()
    #expect(throws: ImportError.self) { try group.finish() }
    #expect(throws: ImportError.self) { try load("[1]", options(group)) }
  }

  @Test func `are not resumed`() async throws {
    let document = file.url.appendingPathExtension("json")
    try "[1]".write(to: document, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: document) }
    let group = try ImportGroup(database)
    await #expect {
      try await database.importJSON(
        [ImportRoot("Hero")], from: .url(document), options: options(group), resuming: true)
    } throws: {
      "\($0)".contains("an import of a group cannot be resumed")
    }
  }

  @Test(arguments: DatabaseKind.sharing(Seeds.some(10, of: 30)))
  func `delete what a group deletes in memory`(kind: DatabaseKind, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let family = try RandomFamily(&random)
    let store = GraphStore(model: family.model)
    let trial = try TrialDatabase(kind)
    let database = try trial.open(family.model)
    for round in 0..<3 {
      let groups = (ImportGroup(store), try ImportGroup(database))
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let text = family.document(&random)
        var options = ImportOptions()
        options.parser.format = .ndjson
        options.errorPolicy = .skipObject
        options.deletesMissing = Int.random(in: 0..<4, using: &random) > 0
        options.group = groups.0
        let expected = Self.outcome(
          { try store.makeImporter([family.root], options: options) }, text)
        options.group = groups.1
        options.savePolicy.objects = expected.contains("$") ? 1000 : 1
        let found = Self.outcome(
          { try database.makeImporter([family.root], options: options) }, text)
        try #require(found == expected, "seed \(seed), round \(round): \(text)")
      }
      let (expected, found) = (try? groups.0.finish(), try? groups.1.finish())
      try #require(found?.entities == expected?.entities, "seed \(seed), round \(round)")
      try #require(
        database.graph().content(depth: 2) == (try store.graph.content(depth: 2)),
        "seed \(seed), round \(round)")
      try #require(try trial.faults() == [], "seed \(seed), round \(round)")
    }
  }

  /// Returns the report of an import, or its error.
  private static func outcome(_ importer: () throws -> JSONImporter, _ text: String) -> String {
    do {
      let importer = try importer()
      try importer.parse(Data(text.utf8))
      let report = try importer.finish()
      return "\(report.issueCount) issues, \(report.insertedCount > 0)"
    } catch {
      return "\(error)"
    }
  }
}
