import Foundation
import Synchronization
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftInference
@testable import GraftTestSupport

/// A document, the model that is inferred from it, and what becomes of it by that model.
struct InferenceTrial {
  let document: Data
  let format: ParserOptions.Format
  let inferred: InferredModel
  let model: GraphModel

  init(
    _ document: Data, format: ParserOptions.Format = .json, fileName: String? = nil,
    chunk: Int = .max, options: InferenceOptions = InferenceOptions()
  ) throws {
    self.document = document
    self.format = format
    let inference = ModelInference(options: options)
    try inference.beginDocument(fileName: fileName, options: ParserOptions(format: format))
    var start = 0
    while start < document.count {
      let end = chunk < document.count - start ? start + chunk : document.count
      try inference.parse(document[start..<end])
      start = end
    }
    inferred = try inference.finish()
    model = try inferred.graphModel()
  }

  /// The trials of files, each inferred once, since many tests look at the same.
  private static let known = Mutex<[String: InferenceTrial]>([:])

  /// The trial of a file, under its name if that is to count.
  static func whole(_ url: URL, fileName: String? = nil) throws -> InferenceTrial {
    let key = "\(url.standardized.path) \(fileName ?? "")"
    if let trial = known.withLock({ $0[key] }) { return trial }
    let trial = try InferenceTrial(
      Data(contentsOf: url), format: url.pathExtension == "ndjson" ? .ndjson : .json,
      fileName: fileName)
    known.withLock { $0[key] = trial }
    return trial
  }

  init(_ json: String, options: InferenceOptions = InferenceOptions()) throws {
    try self.init(Data(json.utf8), options: options)
  }

  /// The paths of all relationships; a name where there is no other path.
  var relationshipPaths: [String] {
    model.entities.flatMap(\.relationships).map { $0.paths?.annotation ?? $0.name }
  }

  /// The graph of the document, imported by the model.
  private func imported() throws -> (GraphStore, ImportReport) {
    let root = try #require(inferred.roots.first ?? nil)
    let store = GraphStore(model: model)
    var options = ImportOptions()
    options.parser.format = format
    options.listsRootObjects = true
    let path = root.path.steps.isEmpty ? nil : root.path.description
    let report = try store.importJSON(
      [try ImportRoot(root.entity, at: path)], from: document, options: options)
    #expect(report.issueCount == 0)
    return (store, report)
  }

  /// Returns the number of an entity's objects after an import.
  func importedCount(_ entity: String) throws -> Int {
    let (store, _) = try imported()
    return try store.graph.objects(entity).count { _ in true }
  }

  /// The graph of the document as `graft import --output graph` prints it.
  func canonicalGraph() throws -> Data {
    let (store, _) = try imported()
    var data = Data()
    store.graph.writeCanonicalJSON { chunk in
      chunk.withUnsafeBytes { unsafe data.append(contentsOf: $0) }
    }
    return data
  }

  /// The document as an export writes it that was imported by the model.
  func exported() throws -> Data {
    let (store, report) = try imported()
    let objects = report.roots[0].ids.compactMap { store.graph.object($0) }
    let exporter = try JSONExporter(model: model)
    if report.roots[0].isSingleObject, format == .json, let object = objects.first {
      return try exporter.data(.object(object))
    }
    return try exporter.data(.objects(objects))
  }

  /// Returns the differences of the exported document, except for nulls, empty containers, and lists of one where the
  /// model reads single objects as such.
  func differences() throws -> [String] {
    let source =
      format == .ndjson
      ? try document.split(separator: UInt8(ascii: "\n")).map {
        try JSONSerialization.jsonObject(with: Data($0), options: .fragmentsAllowed)
      }
      : try JSONSerialization.jsonObject(with: document)
    let result = try JSONSerialization.jsonObject(with: exported())
    var differences: [String] = []
    let wraps = model.entities.contains { entity in
      entity.relationships.contains { $0.policies.wrapsSingleObjects == true }
    }
    Self.compare(Self.trimmed(source), Self.trimmed(result), "$", wraps, &differences)
    return differences
  }

  private static func trimmed(_ value: Any) -> Any? {
    if value is NSNull { return nil }
    if let object = value as? [String: Any] {
      let members = object.compactMapValues(trimmed)
      return members.isEmpty ? nil : members
    }
    if let array = value as? [Any] {
      return array.isEmpty ? nil : array.map { trimmed($0) ?? NSNull() }
    }
    return value
  }

  private static func compare(
    _ first: Any?, _ second: Any?, _ path: String, _ wraps: Bool, _ differences: inout [String]
  ) {
    if let first = first as? [String: Any], let second = second as? [String: Any] {
      for key in Set(first.keys).union(second.keys).sorted() {
        compare(first[key], second[key], "\(path).\(key)", wraps, &differences)
      }
    } else if wraps, !(first is [Any]), let list = second as? [Any], list.count == 1 {
      compare(first, list[0], path, wraps, &differences)
    } else if let first = first as? [Any], let second = second as? [Any],
      first.count == second.count
    {
      for index in first.indices {
        compare(first[index], second[index], "\(path)[\(index)]", wraps, &differences)
      }
    } else if (first as? NSObject) != (second as? NSObject) {
      differences.append("\(path): \(first ?? "nothing") -> \(second ?? "nothing")")
    }
  }

  // MARK: Looking

  func entity(_ name: String) throws -> EntityDescription {
    try #require(model.entity(named: name), "there are \(model.entities.map(\.name))")
  }

  /// Describes a relationship: `→ User`, `⇉ Topic by identifier`.
  func relationship(_ entity: String, _ name: String) throws -> String {
    let entity = try self.entity(entity)
    let found = try #require(
      entity.relationships.first { $0.name == name },
      "there are \(entity.relationships.map(\.name))")
    return (found.isToMany ? "⇉ " : "→ ") + found.destination
      + (found.policies.export == .identifier ? " by identifier" : "")
  }

  func type(_ entity: String, _ name: String) throws -> AttributeType {
    let entity = try self.entity(entity)
    return try #require(
      entity.attributes.first { $0.name == name }, "there are \(entity.attributes.map(\.name))"
    ).type
  }
}
