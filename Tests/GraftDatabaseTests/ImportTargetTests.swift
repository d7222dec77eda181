import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftExport
@testable import GraftTestSupport

private struct Bird: Entity {
  let id = Attribute<Int>()
  let name = Attribute<String>()
  static let identity = [\Self.id]
}

/// A document of one bird, in a file.
private struct Document {
  private let file: TemporaryFile
  let data: Data
  var url: URL { file.url }

  init(id: Int) throws {
    data = Data(#"{"birds": [{"id": \#(id), "name": "n\#(id)"}]}"#.utf8)
    file = try TemporaryFile(data, name: "birds.json")
  }
}

@Suite struct `A store and a database` {
  private let file = TemporaryDatabase()

  /// Each form of an import, once.
  private func importAll(into target: some ImportTarget) async throws -> [ImportReport] {
    let documents = try (0..<16).map { try Document(id: $0) }
    defer { for document in documents { try? FileManager.default.removeItem(at: document.url) } }
    let roots = [ImportRoot(Bird.self, at: "birds")]
    let options = ImportOptions()
    func data(_ number: Int) -> Data { documents[number].data }
    func url(_ number: Int) -> URL { documents[number].url }

    var reports: [ImportReport] = []
    reports.append(try await target.importJSON(roots, from: .data(data(0))))
    reports.append(
      try await target.importJSON(roots, from: .url(url(1)), options: options) { _ in })
    reports.append(try await target.importJSON(Bird.self, at: "birds", from: url(2)))
    reports.append(
      try await target.importJSON(Bird.self, at: "birds", from: url(3), options: options) { _ in })
    reports.append(try await target.importJSON(Bird.self, at: "birds", from: .data(data(4))))
    reports.append(try await target.importJSON(entity: "Bird", at: "birds", from: url(5)))
    reports.append(try await target.importJSON(entity: "Bird", at: "birds", from: .url(url(6))))
    for importer in [
      try target.makeImporter(roots), try target.makeImporter(roots, options: options),
      try target.makeImporter(Bird.self, at: "birds"),
      try target.makeImporter(Bird.self, at: "birds", options: options),
      try target.makeImporter(entity: "Bird", at: "birds"),
    ] {
      try importer.parse(data(reports.count))
      reports.append(try importer.finish())
    }
    return try reports + importDataAtOnce(documents.map(\.data), into: target)
  }

  private func importDataAtOnce(
    _ data: [Data], into target: some ImportTarget
  ) throws -> [ImportReport] {
    [
      try target.importJSON([ImportRoot("Bird", at: "birds")], from: data[12]),
      try target.importJSON(Bird.self, at: "birds", from: data[13]),
      try target.importJSON(entity: "Bird", at: "birds", from: data[14]),
      try target.importJSON(entity: "Bird", at: "birds", from: Array(data[15])),
    ]
  }

  @Test func `import by the same calls`() async throws {
    let store = try GraphStore(for: Bird.self)
    let database = try GraphDatabase(for: Bird.self, at: file.url, configuration: .quick)
    let reports = (
      store: try await importAll(into: store), database: try await importAll(into: database)
    )
    for reports in [reports.store, reports.database] {
      #expect(reports.map(\.insertedCount) == Array(repeating: 1, count: 16))
    }
    #expect(store.graph.canonicalJSON() == (try await database.graph().canonicalJSON()))
    #expect(store.graph.count(of: Bird.self) == 16)
  }

  @Test func `list the objects of a root where there is a graph in which they are found`() throws {
    var options = ImportOptions()
    options.listsRootObjects = true
    let data = try Document(id: 7).data
    let store = try GraphStore(for: Bird.self)
    let stored = try store.importJSON(Bird.self, at: "birds", from: data, options: options).roots[0]
    #expect(stored.ids.compactMap { store.graph.object($0)?["id"] } == [.integer(7)])
    let database = try GraphDatabase(for: Bird.self, at: file.url, configuration: .quick)
    let kept = try database.importJSON(Bird.self, at: "birds", from: data, options: options).roots[
      0]
    #expect(kept.objects == 1 && kept.ids == [])
  }

  @Test(arguments: [true, false])
  func `let go of the hooks when an import ends, by which an importer may hold itself`(
    isCancelled: Bool
  ) throws {
    weak var left: ImporterHolder?
    do {
      let holder = ImporterHolder()
      left = holder
      var options = ImportOptions()
      options.hooks["Bird"] = holder.hooks(isCancelling: isCancelled)
      let database = try GraphDatabase(for: Bird.self, at: file.url, configuration: .quick)
      let importer = try database.makeImporter(Bird.self, at: "birds", options: options)
      holder.hold(importer)
      let report = try? { () throws -> ImportReport in
        try importer.parse(Document(id: 1).data)
        return try importer.finish()
      }()
      #expect((report == nil) == isCancelled)
    }
    #expect(left == nil)
  }

  /// Imports two pages; neither mentions the first bird.
  private func importPages(into target: some ImportTarget) async throws -> ImportReport {
    for id in 1...3 {
      try target.importJSON(Bird.self, at: "birds", from: Document(id: id).data)
    }
    return try await target.importGroup { group in
      var options = ImportOptions()
      options.deletesMissing = true
      options.group = group
      for id in 2...3 {
        try target.importJSON(Bird.self, at: "birds", from: Document(id: id).data, options: options)
      }
    }
  }

  @Test func `group imports by the same calls`() async throws {
    let store = try GraphStore(for: Bird.self)
    let database = try GraphDatabase(for: Bird.self, at: file.url, configuration: .quick)
    for report in [try await importPages(into: store), try await importPages(into: database)] {
      #expect(report.entities.map(\.deleted) == [1])
    }
    #expect(store.graph.canonicalJSON() == (try await database.graph().canonicalJSON()))
  }

  @Test func `take what an export of a graph has written`() async throws {
    let store = try GraphStore(for: Bird.self)
    try store.importJSON(Bird.self, at: "birds", from: Document(id: 1).data)
    let text = try JSONExporter(model: store.model).data(.graph(store.graph))
    let database = try GraphDatabase(for: Bird.self, at: file.url, configuration: .quick)
    try await database.load(from: .data(text))
    #expect(store.graph.canonicalJSON() == (try await database.graph().canonicalJSON()))
  }

  @Test(arguments: [(nil, 4, 4), (5, 4, 5), (5, nil, 5)] as [(Int?, Int?, Int)])
  func `save as the options say, unless the call says otherwise`(
    call: Int?, option: Int?, savedCount: Int
  ) async throws {
    let database = try GraphDatabase(for: Bird.self, at: file.url, configuration: .quick)
    var options = ImportOptions()
    options.parser.format = .ndjson
    options.savePolicy = .every(objects: option)
    let lines = (0..<6).map { "{\"id\": \($0), \"name\": \"a\"}\n" }.joined()
    await #expect(throws: ImportError.self) {
      try await database.importJSON(
        Bird.self, from: .data(Data((lines + "{").utf8)), options: options, saveEvery: call)
    }
    #expect(try await database.count(of: Bird.self) == savedCount)
  }
}
