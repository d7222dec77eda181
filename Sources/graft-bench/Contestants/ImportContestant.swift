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

  /// Long numbers are let through, so that their speed can be measured too.
  private static var options: ImportOptions {
    var options = ImportOptions()
    options.parser.limits.numberBytes = options.parser.limits.tokenBytes
    return options
  }

  init(subject: Subject) throws {
    let root: (entity: String, path: String?)
    switch subject {
    case .timeline:
      store = GraphStore(model: try TimelineModel.make())
      root = ("Tweet", "statuses")
    case .other(let model, let entity, let path):
      store = GraphStore(model: try GraphModel(contentsOf: URL(fileURLWithPath: model)))
      root = (entity, path)
    }
    importer = try store.makeImporter(entity: root.entity, at: root.path, options: Self.options)
  }

  func read(_ bytes: UnsafeRawBufferPointer) throws {
    try importer.parse(bytes)
  }

  func finish() throws {
    let report = try importer.finish()
    guard report.roots.contains(where: { $0.objects > 0 }) else {
      throw ContestantError(description: "the import found no objects")
    }
  }
}
