public import Foundation

extension ImportRoot {
  /// Creates a root of a typed entity.
  ///
  /// - Parameters:
  ///   - entity: The objects' entity.
  ///   - path: The path to the objects, or to the array that holds them; nil for the document
  ///     itself.
  /// - Throws: ``JSONPathError`` where the text is no path.
  public init<E: Entity>(_ entity: E.Type, at path: String? = nil) throws {
    self.init(E.entityName, at: try path.map { try JSONPath($0) } ?? JSONPath())
  }
}

extension GraphStore {
  /// Begins an import of objects of a typed entity.
  ///
  /// - Parameters:
  ///   - entity: The objects' entity.
  ///   - path: The path from the document to the objects, or to the array that holds them; nil
  ///     where the document itself is the object or the array.
  ///   - options: How the import goes about its work.
  /// - Returns: An importer that takes the document's bytes.
  /// - Throws: ``ImportError`` for an entity that the store's model lacks, ``JSONPathError`` for a
  ///   malformed path.
  public func makeImporter<E: Entity>(
    _ entity: E.Type, at path: String? = nil, options: ImportOptions = ImportOptions()
  ) throws -> JSONImporter {
    try makeImporter([ImportRoot(entity, at: path)], options: options)
  }

  /// Imports objects of a typed entity from a document that is in memory.
  ///
  /// - Parameters:
  ///   - entity: The objects' entity.
  ///   - path: The path from the document to the objects; nil for the document itself.
  ///   - data: The document.
  ///   - options: How the import goes about its work.
  /// - Returns: What the import did.
  /// - Throws: ``ImportError``; nothing is published then.
  @discardableResult
  public func importJSON<E: Entity>(
    _ entity: E.Type, at path: String? = nil, from data: Data,
    options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    try importJSON([ImportRoot(entity, at: path)], from: data, options: options)
  }
}
