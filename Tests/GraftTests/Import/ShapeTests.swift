import Foundation
import Testing

@testable import Graft

/// The shapes that JSON has: each folder of `Fixtures/shapes` has a document, the model that imports it, its
/// roots and the graph.
@Suite struct `Shapes of JSON` {
  private struct Shape {
    let model: GraphModel
    let document: Data
    let roots: [ImportRoot]
    let graph: String
    var options = ImportOptions()

    init(_ name: String) throws {
      let folder = "Fixtures/shapes/\(name)"
      let files = try FileManager.default.contentsOfDirectory(atPath: Fixture.url(folder).path)
      let file = try #require(files.first { $0.hasPrefix("document.") })
      model = try GraphModel(contentsOf: Fixture.url("\(folder)/model.json"))
      document = try Data(contentsOf: Fixture.url("\(folder)/\(file)"))
      graph = try Fixture.text("\(folder)/graph.json")
      roots = try Fixture.text("\(folder)/roots.txt").split { $0 == "," || $0.isNewline }.map {
        let parts = $0.split(separator: "@", maxSplits: 1)
        return try ImportRoot(String(parts[0]), at: parts.count > 1 ? String(parts[1]) : nil)
      }
      options.fileName = file
      if file.hasSuffix(".ndjson") { options.parser.format = .ndjson }
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

  private static let names =
    (try? FileManager.default.contentsOfDirectory(atPath: Fixture.url("Fixtures/shapes").path))?
    .sorted() ?? []

  private func text(of store: GraphStore) -> String {
    String(decoding: store.graph.canonicalJSON(), as: UTF8.self)
  }

  @Test func `are there`() { #expect(Self.names.count >= 11) }

  @Test(arguments: names)
  func `give their graph, however the document is cut`(name: String) throws {
    let shape = try Shape(name)
    for chunk in [1, 2, 3, 7, 64, 100_000] {
      let store = GraphStore(model: shape.model)
      let report = try shape.load(into: store, chunk: chunk)
      #expect(text(of: store) == shape.graph, "chunks of \(chunk)")
      #expect(report.issueCount == 0)
    }
  }

  @Test(arguments: names)
  func `give the same graph when they are imported again`(name: String) throws {
    let shape = try Shape(name)
    let store = GraphStore(model: shape.model)
    try shape.load(into: store, chunk: 1000)
    let isIdentified = shape.model.schema.entities.allSatisfy { !$0.identity.isEmpty }
    guard isIdentified else { return }
    let report = try shape.load(into: store, chunk: 1000)
    #expect(text(of: store) == shape.graph)
    #expect(report.insertedCount == 0 && report.updatedCount == 0)
  }

  @Test(arguments: names)
  func `come back from an export of the whole graph, or it says what does not`(name: String) throws
  {
    let shape = try Shape(name)
    let store = GraphStore(model: shape.model)
    try shape.load(into: store, chunk: 1000)
    var report = ExportReport()
    let json = try JSONExporter(model: shape.model).data(.graph(store.graph), report: &report)
    let outside = ["constants-and-lines", "dictionaries-of-dictionaries", "values-from-outside"]
    #expect(report.notices.isEmpty != outside.contains(name), "\(report.notices)")
    guard report.notices.isEmpty else { return }
    let roots = try `Laws of exporting`.roots(of: json, in: shape.model)
    let again = try store.graph.reimported(String(decoding: json, as: UTF8.self), roots)
    #expect(again.content == store.graph.content)
  }
}
