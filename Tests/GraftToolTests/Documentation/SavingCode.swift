import Foundation
import Graft
import GraftExport

@testable import GraftTestSupport

enum SavingAndLoading: CodeOfPage {
  struct Note: Entity {
    let id = Attribute<Int>()
    let text = Attribute<String>()
    let labels = ToManyOrdered<Label>("tags", inverse: \.notes)
    static let identity = [\Self.id]
  }

  struct Label: Entity {
    let name = Attribute<String>("label")
    let notes = ToMany<Note>(.nowhere)
    static let identity = [\Self.name]
  }

  static func saved(_ store: GraphStore, to file: URL) throws {
    let exporter = try JSONExporter(model: store.model)
    try exporter.write(.graph(store.graph), to: file)
  }

  static func loaded(from file: URL) async throws -> GraphStore {
    let restored = try GraphStore(for: Note.self)
    try await restored.load(from: .url(file))
    return restored
  }

  static func reading(_ lines: URL, into store: GraphStore) async throws {
    var options = ImportOptions()
    options.parser.format = .ndjson
    options.savePolicy = .every(objects: 10_000)
    let report = try await store.importJSON(Note.self, from: .url(lines), options: options)
    print(report.insertedCount, "objects are new")
  }

  static func writing(_ store: GraphStore) throws {
    var options = ExportOptions()
    options.isNDJSON = true
    options.relationships = .identifier
    let exporter = try JSONExporter(model: store.model, options: options)
    let text = String(
      decoding: try exporter.data(.entity(Note.self, of: store.graph)), as: UTF8.self)
    print(text)
  }
}
