import Foundation
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

/// Each folder of `Fixtures/shapes` and `Fixtures/documents` has a document, the model that imports it, its
/// roots and the graph.
///
/// Shapes are single ones; documents have the structure of public formats, with all their oddities, and
/// graphs that a script has made of them without Graft.
@Suite struct `A document of the fixtures` {

  private func text(of store: GraphStore) -> String {
    String(decoding: store.graph.canonicalJSON(), as: UTF8.self)
  }

  @Test func `is there for each shape and format`() {
    #expect(FixtureTrial.shapes.count >= 13)
    #expect(FixtureTrial.documents.count >= 10)
  }

  @Test(arguments: FixtureTrial.shapes + FixtureTrial.documents)
  func `gives its graph, however it is cut`(folder: String) throws {
    let trial = try FixtureTrial.of(folder)
    for chunk in [1, 2, 3, 7, 64, 100_000] {
      let store = GraphStore(model: trial.model)
      let report = try trial.load(into: store, chunk: chunk)
      #expect(text(of: store) == trial.graph, "chunks of \(chunk)")
      #expect(report.issueCount == 0)
    }
  }

  @Test(arguments: FixtureTrial.shapes + FixtureTrial.documents)
  func `gives the same graph when it is imported again`(folder: String) throws {
    let trial = try FixtureTrial.of(folder)
    let store = try trial.store()
    let content = store.graph.content
    let report = try trial.load(into: store, chunk: 1000)
    #expect(store.graph.content == content)
    // Objects without identity are replaced by others like them.
    #expect(report.insertedCount == report.entities.reduce(0) { $0 + $1.deleted })
  }

  @Test(arguments: FixtureTrial.shapes + FixtureTrial.documents)
  func `comes back from an export of the whole graph, or the export says what does not`(
    folder: String
  ) throws {
    let trial = try FixtureTrial.of(folder)
    let store = try trial.store()
    var report = ExportReport()
    let json = try JSONExporter(model: trial.model).data(.graph(store.graph), report: &report)
    #expect(report.losses.map { "\($0.entity).\($0.property)" }.sorted() == trial.lost)
    guard report.losses.isEmpty else { return }
    let roots = try trial.model.roots(of: json)
    let again = GraphStore(model: trial.model)
    try again.importJSON(roots, from: json)
    #expect(again.graph.content == store.graph.content)
  }
}
