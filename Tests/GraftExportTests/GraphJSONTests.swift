import Foundation
import Graft
import GraftExport
import Testing

private struct Bird: Entity {
  let id = Attribute<Int>()
  let name = Attribute<String>()
  static let identity = [\Self.id]
}

@Suite struct `The JSON of a graph` {
  private let store: GraphStore
  private let text = #"[{"id":1,"name":"Wren"},{"id":2,"name":"Rook"}]"#

  init() throws {
    store = try GraphStore(for: Bird.self)
    try store.importJSON(Bird.self, from: Data(text.utf8))
  }

  @Test func `has the objects of an entity`() throws {
    let graph = store.graph
    #expect(String(decoding: try graph.json(of: Bird.self), as: UTF8.self) == text)
    #expect(String(decoding: try graph.json(of: "Bird"), as: UTF8.self) == text)
    #expect(throws: StoreError.self) { try graph.json(of: "Brid") }
  }

  @Test func `follows the options`() throws {
    var options = ExportOptions()
    options.isPretty = true
    let exporter = try JSONExporter(model: store.model, options: options)
    let pretty = try store.graph.json(of: Bird.self, options: options)
    #expect(pretty == (try exporter.data(.entity(Bird.self, of: store.graph))))
    #expect(pretty != (try store.graph.json(of: Bird.self)))
  }

  @Test func `is read again`() async throws {
    let copy = GraphStore(model: store.model)
    try await copy.load(from: .data(store.graph.json()))
    #expect(copy.graph.canonicalJSON() == store.graph.canonicalJSON())
  }
}
