public import Foundation
import Graft

extension Graph {
  /// Writes the objects of a typed entity as JSON, by the same mapping that imports read.
  ///
  /// ```swift
  /// let text = try store.graph.json(of: Tweet.self)
  /// ```
  ///
  /// A ``GraftExport/JSONExporter`` writes several graphs, streams its text, and reports what it could not write.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of the entities below it are written too.
  ///   - options: The options of the export.
  /// - Returns: The text, in UTF-8.
  /// - Throws: ``GraftExport/ExportError`` if an object cannot be written.
  /// - Precondition: The graph's model was made from the entity, as `GraphStore(for:)` does.
  /// - Complexity: O(*n*) in the size of the text, in memory too, and in the model's properties.
  public func json<E: Entity>(
    of entity: E.Type, options: ExportOptions = ExportOptions()
  ) throws -> Data {
    try JSONExporter(model: model, options: options).data(.entity(entity, of: self))
  }

  /// Writes the objects of an entity as JSON, by the same mapping that imports read.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; objects of the entities below it are written too.
  ///   - options: The options of the export.
  /// - Returns: The text, in UTF-8.
  /// - Throws: ``GraftExport/ExportError`` if an object cannot be written, ``StoreError`` for an unknown entity.
  /// - Complexity: O(*n*) in the size of the text, in memory too, and in the model's properties.
  public func json(
    of entity: String, options: ExportOptions = ExportOptions()
  ) throws -> Data {
    try JSONExporter(model: model, options: options).data(.entity(entity, of: self))
  }

  /// Writes all objects as JSON, which `ImportTarget.load(from:)` reads again.
  ///
  /// - Parameter options: The options of the export.
  /// - Returns: The text, in UTF-8; see ``GraftExport/ExportContent/graph(_:)-(Graph)``.
  /// - Throws: ``GraftExport/ExportError`` if an object cannot be written.
  /// - Complexity: O(*n*) in the size of the text, in memory too, and in the model's properties.
  public func json(options: ExportOptions = ExportOptions()) throws -> Data {
    try JSONExporter(model: model, options: options).data(.graph(self))
  }
}
