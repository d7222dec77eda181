import Foundation
import Graft
import GraftExport
import Synchronization
import Testing

@testable import GraftTestSupport

private struct Product: Entity {
  let sku = Attribute<String>()
  let name = Attribute<String?>()
  let price = Attribute<Int>(default: 1)
  let color = Attribute<Color>(default: .red)
  let parts = ToMany<Product>()
  static let identity = [\Self.sku]
}

private struct Book: Entity {
  typealias Superentity = Product
  let pages = Attribute<Int?>()
}

private enum Color: String, CaseIterable, Sendable { case red, green }

private struct Refused: Error, CustomStringConvertible { let description = "is refused" }

@Suite struct `Hooks of a typed entity` {
  private func load(
    _ json: String, _ options: ImportOptions
  ) throws -> (graph: Graph, report: ImportReport) {
    let store = try GraphStore(for: Product.self, Book.self)
    let report = try store.importJSON(Product.self, from: Data(json.utf8), options: options)
    return (store.graph, report)
  }

  @Test func `see and change an object by its members`() throws {
    var options = ImportOptions()
    options.hooks(for: Product.self) { hooks in
      hooks.shouldImport = { product in product.name != "Test" }
      hooks.willImport = { product in
        if product.name == nil { product.name = "Nameless" }
        if !product.mentions(\.color) { product.color = .green }
        product.price += 1
      }
    }
    let (graph, report) = try load(
      #"""
      [{"sku": "a", "name": "Test"}, {"sku": "b", "name": null, "price": 4, "color": "red"},
       {"sku": "c", "name": "C"}]
      """#, options)
    #expect(graph.objects(Product.self).map(\.sku) == ["b", "c"])
    #expect(graph.objects(Product.self).map(\.name) == ["Nameless", "C"])
    #expect(graph.objects(Product.self).map(\.price) == [5, 2])
    #expect(graph.objects(Product.self).map(\.color) == [.red, .green])
    #expect(report.count(of: Product.self).inserted == 2)
  }

  @Test func `validate attributes and whole objects`() throws {
    var options = ImportOptions()
    options.errorPolicy = .skipObject
    options.hooks(for: Product.self) { hooks in
      hooks.validate(\.price) { price in
        guard price >= 0 else { throw Refused() }
        return price * 100
      }
      hooks.validate(\.name) { $0 ?? "none" }
      hooks.validate = { product in if product.price > 900 { throw Refused() } }
    }
    let (graph, report) = try load(
      #"""
      [{"sku": "a", "price": -1}, {"sku": "b", "price": 2, "name": null}, {"sku": "c", "price": 10}]
      """#, options)
    #expect(graph.objects(Product.self).map(\.price) == [200])
    #expect(graph.objects(Product.self).map(\.name) == ["none"])
    #expect(report.issues.map(\.error.path) == ["$[0]", "$[2]"])
  }

  @Test func `decide about relationships by key path`() throws {
    var options = ImportOptions()
    options.hooks(for: Product.self) { hooks in
      hooks.shouldImport(\.parts) { product in product.price > 1 }
    }
    let (graph, _) = try load(
      #"[{"sku": "a", "parts": [{"sku": "x"}]}, {"sku": "b", "price": 2, "parts": [{"sku": "y"}]}]"#,
      options)
    let parts = try ["a", "b"].map {
      try #require(try graph.object(Product.self, id: $0)).parts.count
    }
    #expect(parts == [0, 1])
  }

  @Test func `are told of what has been written, with all its values`() throws {
    let seen = Mutex<[String]>([])
    var options = ImportOptions()
    options.hooks(for: Product.self) { hooks in
      hooks.didImport = { product, imported in
        seen.withLock { $0.append("\(imported.path) \(product.sku) \(product.price)") }
      }
    }
    _ = try load(#"[{"sku": "a"}, {"sku": "b", "price": 3}]"#, options)
    #expect(seen.withLock { $0 } == ["$[0] a 1", "$[1] b 3"])
  }

  @Test func `have options by members beside them`() throws {
    let store = try GraphStore(for: Product.self)
    try store.importJSON(
      Product.self, from: Data(#"[{"sku": "a", "price": 1}, {"sku": "b", "price": 2}]"#.utf8))
    var options = ImportOptions()
    options.deletesMissing = true
    options.deletionScope(Product.self) { $0.price == 2 }
    options.modified(by: \Product.price)
    #expect(options.modifiedAttributes == ["Product": "price"])
    let report = try store.importJSON(
      Product.self, from: Data(#"[{"sku": "c"}]"#.utf8), options: options)
    #expect(report.count(of: Product.self).deleted == 1)
    #expect(store.graph.objects(Product.self).map(\.sku) == ["a", "c"])
    var export = ExportOptions()
    export.write(\Product.parts, as: .identifier)
    export.write(\Book.price, as: .omit)
    #expect(export.styles == ["Product": ["parts": .identifier], "Book": ["price": .omit]])
  }
}
