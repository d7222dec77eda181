// The content of a database, for an export.

public import Graft
public import GraftExport

extension ExportContent {
  /// Exports all objects of a database, without having them in memory.
  ///
  /// An export writes the same bytes as ``graph(_:)-(Graph)`` with `GraphDatabase.graph()`, but
  /// only some objects at a time are in memory. All objects are read from one snapshot, even if
  /// others write during the export.
  ///
  /// ```swift
  /// let exporter = try JSONExporter(model: database.model)
  /// try exporter.write(.graph(database), to: file)
  /// ```
  ///
  /// Some models require that all objects are read first, because the output for one object can
  /// depend on all others:
  ///
  /// - objects without identity are nested in others;
  /// - objects take values from around them (`@parent`), or from nothing but their keys or
  ///   positions (`@key`, `@index`);
  /// - relationships refer to objects by another attribute than their identity;
  /// - an identity is a date or decimal.
  ///
  /// - Parameter database: The database.
  /// - Returns: The content.
  public static func graph(_ database: GraphDatabase) -> ExportContent {
    .source(DatabaseExport(database))
  }

  /// Exports the objects of an entity in a database, in the order of their keys, without having them in memory.
  ///
  /// An export writes the same bytes as ``entity(_:of:includesSubentities:)-(String,Graph,_)`` with
  /// `GraphDatabase.graph()`. In memory are 1,000 objects at a time with all objects nested in
  /// them, and the keys of objects that are not to be repeated (``GraftExport/ExportOptions/repeats``).
  /// All objects are read first in the cases that ``graph(_:)-(GraphDatabase)`` names, except for
  /// objects without identity.
  ///
  /// - Parameters:
  ///   - entity: The entity's name.
  ///   - database: The database.
  ///   - includesSubentities: Whether objects of the entities below it are written too.
  /// - Returns: The content.
  public static func entity(
    _ entity: String, of database: GraphDatabase, includesSubentities: Bool = true
  ) -> ExportContent {
    .source(DatabaseExport(database), entity: entity, includesSubentities: includesSubentities)
  }

  /// Exports the objects of a typed entity in a database, in the order of their keys, without having them in memory.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - database: The database.
  ///   - includesSubentities: Whether objects of the entities below it are written too.
  /// - Returns: The content, as that of ``entity(_:of:includesSubentities:)-(String,GraphDatabase,_)``.
  public static func entity<E: Entity>(
    _ entity: E.Type, of database: GraphDatabase, includesSubentities: Bool = true
  ) -> ExportContent {
    .entity(E.entityName, of: database, includesSubentities: includesSubentities)
  }
}

/// A database whose objects are exported.
struct DatabaseExport: ExportSource {
  private let database: GraphDatabase
  /// The number of exported objects that are read at a time.
  private let pageSize: Int

  init(_ database: GraphDatabase, pageSize: Int = 1000) {
    self.database = database
    self.pageSize = pageSize
  }

  func beginPages() throws -> any ExportPages {
    try DatabasePages(database, pageSize: pageSize)
  }
}
