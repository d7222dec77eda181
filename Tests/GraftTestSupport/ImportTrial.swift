import Foundation
import Testing

@testable import Graft
@testable import GraftExport

// Helpers for tests of imports: models in few words, imports of a text, the graph as text.

/// A store into which a test imports.
struct ImportTrial {
  let store: GraphStore
  /// The entity of documents for which none is named: the model's first.
  private let entity: String

  init(
    _ entities: [EntityDescription], dialect: Dialect = .graft,
    extensions: ModelExtensions = ModelExtensions()
  ) throws {
    store = GraphStore(
      model: try GraphModel(entities: entities, dialect: dialect, extensions: extensions))
    entity = try #require(entities.first?.name)
  }

  init(_ model: GraphModel, entity: String) {
    store = GraphStore(model: model)
    self.entity = entity
  }

  /// Imports a document, in chunks where a size is given.
  @discardableResult
  func load(
    _ json: String, as entity: String? = nil, at path: String? = nil,
    _ options: ImportOptions = ImportOptions(), chunk: Int? = nil
  ) throws -> ImportReport {
    let root = try ImportRoot(entity ?? self.entity, at: path)
    return try load(json, [root], options, chunk: chunk)
  }

  /// Imports a document from several roots.
  @discardableResult
  func load(
    _ json: String, _ roots: [ImportRoot], _ options: ImportOptions = ImportOptions(),
    chunk: Int? = nil
  ) throws -> ImportReport {
    let importer = try store.makeImporter(roots, options: options)
    if chunk == nil { try PlanCheck.run(store.model, roots, options) }
    let bytes = Data(json.utf8)
    for start in stride(from: 0, to: bytes.count, by: chunk ?? max(bytes.count, 1)) {
      try importer.parse(bytes[start..<min(start + (chunk ?? bytes.count), bytes.count)])
    }
    return try importer.finish()
  }

  /// The error of an import that must fail, in full; the store must be as it was.
  func failure(
    _ json: String, as entity: String? = nil, at path: String? = nil,
    _ options: ImportOptions = ImportOptions()
  ) -> String {
    let before = text
    let error = #expect(throws: ImportError.self) {
      try load(json, as: entity, at: path, options)
    }
    #expect(text == before)
    return error?.description ?? ""
  }

  /// The graph in its canonical form.
  var text: String { String(decoding: store.graph.canonicalJSON(), as: UTF8.self) }

  /// Returns the canonical form of each object, one a line, without empty properties.
  ///
  /// `Hero/1 id: 1, name: "Ada", powers: [Power/1, Power/2]`
  var lines: [String] {
    text.split(separator: "\n").filter { $0.contains("{\"@id\"") }.map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: " ,"))
        .replacing(#/, "[^"]+": (null|\[\])(?=[,}])/#, with: "")
        .replacing(#/"([^"]+)": /#) { "\($0.output.1): " }
        .replacing(#/"([A-Z]\w*/\d+)"/#) { $0.output.1 }
        .replacing(#/^{@id: (\S+?)(, |})/#) {
          $0.output.2 == "}" ? "\($0.output.1)}" : "\($0.output.1) "
        }
        .dropLast().description
    }
  }
}

extension ImportOptions {
  /// The usual options with something changed.
  static func with(_ change: (inout ImportOptions) -> Void) -> ImportOptions {
    var options = ImportOptions()
    change(&options)
    return options
  }
}

extension EntityDescription {
  /// An entity that is identified by `id`, unless told otherwise.
  static func make(
    _ name: String, identity: String = "id", parent: String? = nil, isAbstract: Bool = false,
    _ attributes: [AttributeDescription] = [], _ relationships: [RelationshipDescription] = [],
    _ userInfo: [String: String] = [:]
  ) -> EntityDescription {
    let info = identity.isEmpty ? [:] : ["identityAttributes": identity]
    let names = attributes.map(\.name)
    let isImplied = identity == "id" && parent == nil && !names.contains("id")
    return EntityDescription(
      name: name, superentity: parent, isAbstract: isAbstract,
      attributes: (isImplied ? [.make("id", .integer64)] : []) + attributes,
      relationships: relationships, userInfo: info.merging(userInfo) { $1 })
  }
}
