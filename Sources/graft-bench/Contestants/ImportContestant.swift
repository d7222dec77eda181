import Foundation
import Graft

extension Contestant {
  /// Graft's import: typed attributes, relationships, uniquing, and a commit at the end.
  static let importer = Contestant(
    name: "import", title: "Graft, import into a graph", readsChunks: true
  ) { subject in
    try ImportReader(subject: subject)
  }
}

private final class ImportReader: DocumentReader {
  private let store: GraphStore
  private let importer: JSONImporter

  init(subject: Subject) throws {
    switch subject {
    case .timeline:
      store = GraphStore(model: try TimelineModel.make())
      importer = try store.makeImporter(entity: "Tweet", at: "statuses")
    case .other(let model, let entity, let path):
      store = GraphStore(model: try GraphModel(contentsOf: URL(fileURLWithPath: model)))
      importer = try store.makeImporter(entity: entity, at: path)
    }
  }

  func read(_ bytes: UnsafeRawBufferPointer) throws {
    try importer.parse(bytes)
  }

  func finish() throws {
    _ = try importer.finish()
  }
}
