import Foundation
import Testing

@testable import Graft

/// Each folder of `Fixtures/shapes` and `Fixtures/documents` has a document, the model that imports it, its
/// roots and the graph.
///
/// Shapes are single ones; documents have the structure of public formats, with all their oddities, and
/// graphs that a script has made of them without Graft.
@Suite struct `A document of the fixtures` {
  private struct Trial {
    let model: GraphModel
    let document: Data
    let roots: [ImportRoot]
    let graph: String
    /// The properties that an export cannot write, as `Entity.property`, sorted.
    let lost: [String]
    var options = ImportOptions()

    init(_ folder: String) throws {
      let files = try FileManager.default.contentsOfDirectory(atPath: Fixture.url(folder).path)
      let file = try #require(files.first { $0.hasPrefix("document.") })
      let modelFile = try #require(files.first { $0.hasPrefix("model.") })
      model = try GraphModel(contentsOf: Fixture.url("\(folder)/\(modelFile)"))
      document = try Data(contentsOf: Fixture.url("\(folder)/\(file)"))
      graph = try Fixture.text("\(folder)/graph.json")
      roots = try Self.words("\(folder)/roots.txt").map {
        let parts = $0.split(separator: "@", maxSplits: 1)
        return try ImportRoot(String(parts[0]), at: parts.count > 1 ? String(parts[1]) : nil)
      }
      lost = files.contains("lost.txt") ? try Self.words("\(folder)/lost.txt") : []
      options.fileName = file
      if file.hasSuffix(".ndjson") { options.parser.format = .ndjson }
    }

    private static func words(_ file: String) throws -> [String] {
      try Fixture.text(file).split { $0 == "," || $0.isNewline }.map(String.init)
    }

    func store() throws -> GraphStore {
      let store = GraphStore(model: model)
      try load(into: store, chunk: 1000)
      return store
    }

    @discardableResult
    func load(into store: GraphStore, chunk: Int) throws -> ImportReport {
      let importer = try store.makeImporter(roots, options: options)
      for start in stride(from: 0, to: document.count, by: chunk) {
        try importer.parse(document[start..<min(start + chunk, document.count)])
      }
      return try importer.finish()
    }
  }

  private static let shapes = folders(of: "Fixtures/shapes")
  private static let documents = folders(of: "Fixtures/documents")

  private static func folders(of folder: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: Fixture.url(folder).path)
    return (names ?? []).filter { !$0.contains(".") }.sorted().map { "\(folder)/\($0)" }
  }

  private func text(of store: GraphStore) -> String {
    String(decoding: store.graph.canonicalJSON(), as: UTF8.self)
  }

  @Test func `is there for each shape and format`() {
    #expect(Self.shapes.count >= 13)
    #expect(Self.documents.count >= 10)
  }

  @Test(arguments: shapes + documents)
  func `gives its graph, however it is cut`(folder: String) throws {
    let trial = try Trial(folder)
    for chunk in [1, 2, 3, 7, 64, 100_000] {
      let store = GraphStore(model: trial.model)
      let report = try trial.load(into: store, chunk: chunk)
      #expect(text(of: store) == trial.graph, "chunks of \(chunk)")
      #expect(report.issueCount == 0)
    }
  }

  @Test(arguments: shapes + documents)
  func `gives the same graph when it is imported again`(folder: String) throws {
    let trial = try Trial(folder)
    let store = try trial.store()
    let content = store.graph.content
    let report = try trial.load(into: store, chunk: 1000)
    #expect(store.graph.content == content)
    // Objects without identity are replaced by others like them.
    #expect(report.insertedCount == report.entities.reduce(0) { $0 + $1.deleted })
  }

  @Test(arguments: shapes + documents)
  func `comes back from an export of the whole graph, or the export says what does not`(
    folder: String
  ) throws {
    let trial = try Trial(folder)
    let store = try trial.store()
    var report = ExportReport()
    let json = try JSONExporter(model: trial.model).data(.graph(store.graph), report: &report)
    #expect(report.notices.map { "\($0.entity).\($0.property)" }.sorted() == trial.lost)
    guard report.notices.isEmpty else { return }
    let roots = try `Laws of exporting`.roots(of: json, in: trial.model)
    let again = GraphStore(model: trial.model)
    try again.importJSON(roots, from: json)
    #expect(again.graph.content == store.graph.content)
  }
}
