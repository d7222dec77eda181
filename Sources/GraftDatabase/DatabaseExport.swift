// What an export writes of a database.

public import Graft

extension ExportContent {
  /// All objects of a database, without having them in memory.
  ///
  /// What is written is what ``graph(_:)-(Graph)`` writes of `GraphDatabase.graph()`, to the byte, but only some
  /// objects at a time are in memory. All that is written is of one moment, whatever others write meanwhile.
  ///
  /// ```swift
  /// let exporter = try JSONExporter(model: database.model)
  /// try exporter.write(.graph(database), to: file)
  /// ```
  ///
  /// All objects are read first where what is written of one can depend on all others: where there are objects
  /// without identity, which are nested in others; where objects take values from around them (`@parent`), or from
  /// nothing but their keys or positions (`@key`, `@index`); where relationships refer to objects by another
  /// attribute than their identity; and where an identity is a date or decimal.
  ///
  /// - Parameter database: The database.
  /// - Returns: The content.
  public static func graph(_ database: GraphDatabase) -> ExportContent {
    .source(DatabaseExport(database))
  }

  /// The objects of an entity in a database, in the order of their keys, without having them in memory.
  ///
  /// What is written is what ``entity(_:of:includesSubentities:)-(String,Graph,_)`` writes of
  /// `GraphDatabase.graph()`, to the byte. 1,000 objects at a time are in memory with all that is nested in them,
  /// and the keys of objects that are not to be written again (``Graft/ExportOptions/repeats``). All objects are read
  /// first in the cases that ``graph(_:)-(GraphDatabase)`` names, other than that of objects without identity.
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

  /// The objects of a typed entity in a database, in the order of their keys, without having them in memory.
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
  /// How many of the objects that are written are read at a time.
  private let pageSize: Int

  init(_ database: GraphDatabase, pageSize: Int = 1000) {
    self.database = database
    self.pageSize = pageSize
  }

  func beginPages() throws -> any ExportPages {
    try DatabasePages(database, pageSize: pageSize)
  }
}
