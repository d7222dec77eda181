import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

/// A graph read back from a database equals the graph of the same import in memory.
@Suite struct `Laws of importing into a database` {
  private static let folders = FixtureTrial.shapes + FixtureTrial.documents

  @Test(arguments: DatabaseKind.with(folders), [1, 10_000])
  func `the graph is that of memory, however often it is saved`(
    trial: (kind: DatabaseKind, folder: String), saveInterval: Int
  ) throws {
    let fixture = try FixtureTrial.of(trial.folder)
    let place = try TrialDatabase(trial.kind)
    let database = try place.open(fixture.model)
    let report = try fixture.load(into: database, saveEvery: saveInterval)
    #expect(report.issueCount == 0)
    let expected = try FixtureTrial.content(of: trial.folder)
    #expect(try database.graph().content(depth: 2) == expected)
    #expect(try place.openAgain().graph().content(depth: 2) == expected)
    #expect(try place.faults() == [])
  }

  @Test(arguments: DatabaseKind.with(folders), [3])
  func `importing twice gives the same graph as in memory`(
    trial: (kind: DatabaseKind, folder: String), saveInterval: Int
  ) throws {
    let fixture = try FixtureTrial.of(trial.folder)
    let place = try TrialDatabase(trial.kind)
    let database = try place.open(fixture.model)
    try fixture.load(into: database, saveEvery: saveInterval)
    try fixture.load(into: database, saveEvery: saveInterval)
    let store = try fixture.store()
    try fixture.load(into: store, chunk: 1000)
    let expected = try store.graph.content(depth: 2)
    #expect(try database.graph().content(depth: 2) == expected)
    #expect(try place.faults() == [])
  }
}

extension FixtureTrial {
  @discardableResult
  func load(into database: GraphDatabase, saveEvery saveInterval: Int) throws -> ImportReport {
    var options = options
    options.savePolicy.objects = saveInterval
    let importer = try database.makeSourceImporter(roots, options: options)
    try importer.parse(document)
    return try importer.finish()
  }
}

extension `Laws of importing into a database` {
  /// Returns the report of an import, or its error.
  private static func outcome(
    _ importer: () throws -> JSONImporter, _ text: String, chunk: Int = .max
  ) -> String {
    do {
      let importer = try importer()
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        try importer.parse(Data(rest.prefix(chunk)))
        rest = rest.dropFirst(chunk)
      }
      let report = try importer.finish()
      return "\(report.issueCount) issues, \(report.insertedCount > 0)"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: DatabaseKind.sharing(Seeds.some(20, of: 60)))
  func `links change as in memory, whatever their inverses, policies and modes`(
    kind: DatabaseKind, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    try Self.compare(try RandomFamily(&random), kind, seed, &random)
  }

  @Test(
    arguments: [Dialect.groot, .magicalrecord, .sync, .dandy, .zds],
    DatabaseKind.sharing(Seeds.some(2, of: 40)))
  func `a model of another importer gives the graph that it gives in memory`(
    dialect: Dialect, trial: (kind: DatabaseKind, seed: UInt64)
  ) throws {
    var random = SeededGenerator(seed: trial.seed)
    try Self.compare(
      try RandomFamily(&random, dialect: dialect), trial.kind, trial.seed, &random)
  }

  /// Imports the same documents into memory and into a database, and compares what comes of it.
  private static func compare(
    _ family: RandomFamily, _ kind: DatabaseKind, _ seed: UInt64,
    _ random: inout SeededGenerator
  ) throws {
    let store = GraphStore(model: family.model)
    let trial = try TrialDatabase(kind)
    let database = try trial.open(family.model)
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
      options.savePolicy.objects = fails ? 1000 : Int.random(in: 1...3, using: &random)
      // The chunk decides which look-ups are made together.
      let chunk = Bool.random(using: &random) ? .max : Int.random(in: 10...100, using: &random)
      let found = Self.outcome(
        { try database.makeSourceImporter([family.root], options: options) }, text, chunk: chunk)
      let place = "seed \(seed), round \(round), \(options.savePolicy.objects ?? 0): \(text)"
      try #require(found == expected, "\(place)")
      let graph = try database.graph()
      try #require(
        graph.content(depth: 2) == (try store.graph.content(depth: 2)),
        "\(place), before \(before.keys.sorted())")
      try #require(try trial.faults() == [], "\(place)")
    }
  }

  @Test(arguments: DatabaseKind.sharing(Seeds.some(16, of: 50)))
  func `values of every type come back, whatever the shape of the document`(
    kind: DatabaseKind, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let mapping = RandomMapping(&random)
    let model = try GraphModel(entities: mapping.entities, dialect: .graft)
    let store = GraphStore(model: model)
    let trial = try TrialDatabase(kind)
    let database = try trial.open(model)
    for _ in 0..<2 {
      let expected = Self.outcome({ try store.makeImporter(mapping.roots) }, mapping.text)
      let found = Self.outcome({ try database.makeImporter(mapping.roots) }, mapping.text)
      try #require(found == expected, "seed \(seed): \(mapping.text)")
      try #require(
        try database.graph().content(depth: 2) == (try store.graph.content(depth: 2)),
        "seed \(seed): \(mapping.text)")
    }
    #expect(try trial.faults() == [])
  }
}
