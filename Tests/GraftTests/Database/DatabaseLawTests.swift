import Foundation
import GraftSQLite
import Testing

@testable import Graft

/// What is read back from a database is the graph that the same import gives in memory.
@Suite struct `Laws of importing into a database` {
  @Test(arguments: FixtureTrial.shapes + FixtureTrial.documents, [1, 10_000])
  func `the graph is that of memory, however often it is saved`(
    folder: String, saveInterval: Int
  ) throws {
    let trial = try FixtureTrial(folder)
    let file = TemporaryDatabase()
    let database = try GraphDatabase(model: trial.model, at: file.url, configuration: .quick)
    let report = try trial.load(into: database, saveEvery: saveInterval)
    #expect(report.issueCount == 0)
    let expected = try trial.store().graph.content(depth: 2)
    #expect(try database.graph().content(depth: 2) == expected)
    #expect(try file.integrityFaults() == [])
  }

  @Test(arguments: FixtureTrial.shapes + FixtureTrial.documents, [3])
  func `importing twice gives the same graph as in memory`(folder: String, saveInterval: Int) throws
  {
    let trial = try FixtureTrial(folder)
    let file = TemporaryDatabase()
    let database = try GraphDatabase(model: trial.model, at: file.url, configuration: .quick)
    try trial.load(into: database, saveEvery: saveInterval)
    try trial.load(into: database, saveEvery: saveInterval)
    let store = try trial.store()
    try trial.load(into: store, chunk: 1000)
    let expected = try store.graph.content(depth: 2)
    #expect(try database.graph().content(depth: 2) == expected)
    #expect(try file.integrityFaults() == [])
  }
}

extension FixtureTrial {
  @discardableResult
  func load(into database: GraphDatabase, saveEvery saveInterval: Int) throws -> ImportReport {
    var options = options
    options.saveInterval = saveInterval
    let importer = try database.makeImporter(roots, options: options)
    try importer.parse(document)
    return try importer.finish()
  }
}

extension `Laws of importing into a database` {
  /// What an import did, or why it did not.
  static func outcome(_ importer: () throws -> JSONImporter, _ text: String) -> String {
    do {
      let importer = try importer()
      try importer.parse(Data(text.utf8))
      let report = try importer.finish()
      return "\(report.issueCount) issues, \(report.insertedCount > 0)"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: 1...80 as ClosedRange<UInt64>)
  func `links change as in memory, whatever their inverses, policies and modes`(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    let family = try RandomFamily(&random)
    let store = GraphStore(model: family.model)
    let file = TemporaryDatabase()
    let database = try GraphDatabase(model: family.model, at: file.url, configuration: .quick)
    for round in 0..<4 {
      let text = family.document(&random)
      var options = ImportOptions()
      options.parser.format = .ndjson
      options.errorPolicy = [.fail, .skipObject].randomElement(using: &random) ?? .fail
      options.mode =
        [.upsert, .upsert, .insertOnly, .updateOnly].randomElement(using: &random) ?? .upsert
      options.relationships.reference = ReferencePolicy.allCases.randomElement(using: &random)
      options.deletesMissing = Int.random(in: 0..<4, using: &random) == 0
      let before = try store.graph.content(depth: 2)
      let expected = Self.outcome({ try store.makeImporter([family.root], options: options) }, text)
      // An import that fails keeps what it has saved; so it saves nothing here.
      let fails = expected.contains("$")
      options.saveInterval = fails ? 1000 : Int.random(in: 1...3, using: &random)
      let found = Self.outcome({ try database.makeImporter([family.root], options: options) }, text)
      let place = "seed \(seed), round \(round), \(options.saveInterval ?? 0): \(text)"
      try #require(found == expected, "\(place)")
      let graph = try database.graph()
      try #require(
        graph.content(depth: 2) == (try store.graph.content(depth: 2)),
        "\(place), before \(before.keys.sorted())")
      try #require(try file.integrityFaults() == [], "\(place)")
    }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `values of every type come back, whatever the shape of the document`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let mapping = RandomMapping(&random)
    let model = try GraphModel(entities: mapping.entities, dialect: .graft)
    let store = GraphStore(model: model)
    let file = TemporaryDatabase()
    let database = try GraphDatabase(model: model, at: file.url, configuration: .quick)
    for _ in 0..<2 {
      let expected = Self.outcome({ try store.makeImporter(mapping.roots) }, mapping.text)
      let found = Self.outcome({ try database.makeImporter(mapping.roots) }, mapping.text)
      try #require(found == expected, "seed \(seed): \(mapping.text)")
      try #require(
        try database.graph().content(depth: 2) == (try store.graph.content(depth: 2)),
        "seed \(seed): \(mapping.text)")
    }
    #expect(try file.integrityFaults() == [])
  }
}
