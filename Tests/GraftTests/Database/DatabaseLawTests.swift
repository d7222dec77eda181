import Foundation
import GraftSQLite
import Testing

@testable import Graft

/// What is read back from a database is the graph that the same import gives in memory.
@Suite struct `Laws of importing into a database` {
  @Test(arguments: FixtureTrial.shapes + FixtureTrial.documents, [1, 3, 10_000])
  func `the graph is that of memory, however often it is saved`(
    folder: String, saveInterval: Int
  ) throws {
    let trial = try FixtureTrial(folder)
    let file = TemporaryDatabase()
    let database = try GraphDatabase(model: trial.model, at: file.url)
    let report = try trial.load(into: database, saveEvery: saveInterval)
    #expect(report.issueCount == 0)
    let expected = try trial.store().graph.content(depth: 2)
    #expect(try database.graph().content(depth: 2) == expected)
    #expect(try file.integrityFaults() == [])
  }

  @Test(arguments: FixtureTrial.shapes + FixtureTrial.documents, [1, 3, 10_000])
  func `importing twice gives the same graph as in memory`(folder: String, saveInterval: Int) throws
  {
    let trial = try FixtureTrial(folder)
    let file = TemporaryDatabase()
    let database = try GraphDatabase(model: trial.model, at: file.url)
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
