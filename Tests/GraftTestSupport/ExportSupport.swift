import Foundation
import Testing

@testable import Graft
@testable import GraftExport

// Exports of a trial's store, and graphs compared without regard
// to the order in which their objects were inserted.

extension ImportTrial {
  /// The objects of an entity as JSON.
  func export(
    _ entity: String, _ change: (inout ExportOptions) -> Void = { _ in }
  ) throws -> String {
    try export(.entity(entity, of: store.graph), change)
  }

  /// The whole graph as JSON.
  func exportAll(_ change: (inout ExportOptions) -> Void = { _ in }) throws -> String {
    try export(.graph(store.graph), change)
  }

  func export(
    _ content: ExportContent, _ change: (inout ExportOptions) -> Void = { _ in }
  ) throws -> String {
    var options = ExportOptions()
    change(&options)
    let exporter = try JSONExporter(model: store.model, options: options)
    return String(decoding: try exporter.data(content), as: UTF8.self)
  }

  /// Returns the losses of an export.
  func losses(_ content: ExportContent) throws -> [ExportLoss] {
    var report = ExportReport()
    _ = try JSONExporter(model: store.model).data(content, report: &report)
    return report.losses
  }

  func losses(_ entity: String) throws -> [ExportLoss] {
    try losses(.entity(entity, of: store.graph))
  }

  /// Exports the whole graph, and returns the graph of its import with default options.
  func afterExport() throws -> Graph {
    let json = try JSONExporter(model: store.model).data(.graph(store.graph))
    let again = GraphStore(model: store.model)
    try again.importJSON(try store.model.roots(of: json), from: json)
    return again.graph
  }

  /// The error of an export that must fail.
  func exportFailure(
    _ entity: String, _ change: (inout ExportOptions) -> Void = { _ in }
  ) -> ExportError? {
    #expect(throws: ExportError.self) { try export(entity, change) }
  }
}

extension GraphModel {
  /// The roots that read an export of a whole graph.
  var roots: [ImportRoot] {
    schema.entities.filter { !$0.isAbstract }.map {
      ImportRoot($0.name, at: JSONPath([.member($0.name)]))
    }
  }

  /// The roots that read an export of a whole graph in which some entities are found under keys.
  func roots(of graph: Data) throws -> [ImportRoot] {
    let members = try #require(try JSONSerialization.jsonObject(with: graph) as? [String: Any])
    return roots.map { root in
      guard members[root.entity] is [String: Any] else { return root }
      return ImportRoot(root.entity, at: JSONPath(root.path.steps + [.eachMember]))
    }
  }
}

extension Graph {
  /// The graph that an import of a text gives.
  func reimported(
    _ text: String, _ roots: [ImportRoot]? = nil, format: ParserOptions.Format = .json
  ) throws -> Graph {
    let store = GraphStore(model: model)
    let options = ImportOptions.with {
      $0.relationships.reference = .defer
      $0.parser.format = format
    }
    try store.importJSON(roots ?? model.roots, from: Data(text.utf8), options: options)
    return store.graph
  }

  /// Returns the graph as text that does not depend on the order of insertion: each object's
  /// attributes, and a hash of the objects within a few links.
  var content: [String] {
    var labels: [ObjectID: Int] = [:]
    var texts: [ObjectID: String] = [:]
    let ids = schema.entities.flatMap { Array(rows($0.number)) }
    for id in ids {
      let entity = schema.entities[id.entity]
      var json = JSONWriter()
      for (number, attribute) in entity.attributes.enumerated() {
        json.value(value(id, attribute: number), of: attribute.type)
      }
      let text = "\(entity.name) \(json.text)"
      texts[id] = text
      labels[id] = text.hashValue
    }
    for _ in 0..<5 { labels = labels.merging(ids.map { ($0, label($0, labels)) }) { $1 } }
    return ids.map { "\(texts[$0] ?? "") \(labels[$0] ?? 0)" }.sorted()
  }

  private func label(_ id: ObjectID, _ labels: [ObjectID: Int]) -> Int {
    var hasher = Hasher()
    hasher.combine(labels[id])
    for (number, relationship) in schema.entities[id.entity].relationships.enumerated() {
      guard relationship.isToMany else {
        hasher.combine(toOne(id, relationship: number).flatMap { labels[$0] })
        continue
      }
      let members = members(of: id, number).map { labels[$0] ?? 0 }
      hasher.combine(relationship.isOrdered ? members : members.sorted())
    }
    return hasher.finalize()
  }
}
