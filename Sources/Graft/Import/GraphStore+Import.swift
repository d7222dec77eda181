public import Foundation

extension GraphStore {
  /// Begins an import of objects of one entity.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity.
  ///   - path: The path from the document to the objects, or to the array that holds them, such as `statuses`; nil where the document
  ///     itself is the object or the array.
  ///   - options: How the import goes about its work.
  /// - Returns: An importer that takes the document's bytes.
  /// - Throws: ``ImportError`` for an unknown entity, ``JSONPathError`` for a malformed path.
  public func makeImporter(
    entity: String, at path: String? = nil, options: ImportOptions = ImportOptions()
  ) throws -> JSONImporter {
    try makeImporter([Self.root(entity, path)], options: options)
  }

  /// Begins an import of objects of several entities, which one document holds in several places.
  ///
  /// - Parameters:
  ///   - roots: Where in the document the objects stand.
  ///   - options: How the import goes about its work.
  /// - Returns: An importer that takes the document's bytes.
  /// - Throws: ``ImportError`` for an unknown entity.
  public func makeImporter(
    _ roots: [ImportRoot], options: ImportOptions = ImportOptions()
  ) throws -> JSONImporter {
    try JSONImporter(store: self, roots: roots, options: options)
  }

  /// Imports a document that is in memory.
  ///
  /// - Parameters:
  ///   - entity: The name of the objects' entity.
  ///   - path: The path from the document to the objects; nil for the document itself.
  ///   - data: The document.
  ///   - options: How the import goes about its work.
  /// - Returns: What the import did.
  /// - Throws: ``ImportError``; nothing is published then.
  @discardableResult
  public func importJSON(
    entity: String, at path: String? = nil, from data: Data,
    options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    try importJSON([Self.root(entity, path)], from: data, options: options)
  }

  /// Imports a document that is in memory, from several roots in one pass.
  ///
  /// - Parameters:
  ///   - roots: Where in the document the objects stand.
  ///   - data: The document.
  ///   - options: How the import goes about its work.
  /// - Returns: What the import did.
  /// - Throws: ``ImportError``; nothing is published then.
  @discardableResult
  public func importJSON(
    _ roots: [ImportRoot], from data: Data, options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    let importer = try makeImporter(roots, options: options)
    try importer.parse(data)
    return try importer.finish()
  }

  static func root(_ entity: String, _ path: String?) throws -> ImportRoot {
    try path.map { try ImportRoot(entity, at: $0) } ?? ImportRoot(entity)
  }
}
