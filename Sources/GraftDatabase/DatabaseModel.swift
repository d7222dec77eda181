import Foundation
import Graft
import GraftExport

/// Reads and changes the model of a database, which its table `graft_model` keeps.
struct DatabaseModel {
  private let connection: any DatabaseConnection

  init(_ connection: any DatabaseConnection) {
    self.connection = connection
  }

  /// The number of the format of the tables; numbers below it were never released.
  private static let format = 3

  /// The current model and tables of a database.
  private struct StoredModel {
    var model: GraphModel
    /// The model, as the file has it.
    var file: String
    /// The tables.
    var schema: DatabaseSchema

    /// Returns whether the tables are those of a model; the order of its declarations does not
    /// matter.
    func isModel(_ other: GraphModel) -> Bool { model.text.isSpelled(other.text) }
  }

  /// Creates the tables of a model, or changes existing ones to it.
  ///
  /// - Parameter model: The model; nil for the one that the database has.
  /// - Returns: The model, and its text in the database until a process changes it.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func settle(_ model: GraphModel?) throws(StoreError) -> (model: GraphModel, file: String) {
    if let stored = try read() {
      let next = model ?? stored.model
      if stored.isModel(next) { return (next, stored.file) }
    } else if model == nil {
      throw failure("has no tables of Graft; give a model to make them")
    }
    // Read again under the lock: another process may have created or changed the tables in between.
    return try inTransaction { () throws(StoreError) in
      guard let stored = try read() else {
        guard let model else { throw failure("has no tables of Graft; give a model to make them") }
        try create(model)
        return (model, Self.file(of: model))
      }
      let next = model ?? stored.model
      if stored.isModel(next) { return (next, stored.file) }
      try change(stored, to: next)
      return (next, Self.file(of: next))
    }
  }

  private static func file(of model: GraphModel) -> String {
    SchemaFileWriter.text(of: model.entities, dialect: model.dialect)
  }

  private func failure(_ message: String) -> StoreError {
    StoreError(.database, "\(connection.name): \(message)")
  }

  /// Reads the model and tables of the database; nil if it is empty.
  private func read() throws(StoreError) -> StoredModel? {
    let names = try connection.tableNames()
    guard names.contains("graft_model") else {
      if let other = names.first {
        throw failure(
          "is a database of something else: it has the table \"\(other)\" and no \"graft_model\"; name"
            + " one that is empty or does not exist yet")
      }
      return nil
    }
    let statement = try connection.prepare("SELECT \"format\", \"model\" FROM \"graft_model\"")
    guard try statement.next() else { throw failure("has an empty table \"graft_model\"") }
    defer { statement.reset() }
    let number = Int(statement.word(0, .integer64))
    guard number == Self.format, let text = statement.text(1) else {
      throw failure(
        "was made by another version of Graft (format \(number)); use that, or import into a new"
          + " database")
    }
    let model: GraphModel
    do {
      model = try readModel(text)
    } catch {
      throw failure("has a model that cannot be read: \(error)")
    }
    return StoredModel(
      model: model, file: text, schema: DatabaseSchema(model.schema, connection.dialect))
  }

  /// Reads a model from its text in the database.
  private func readModel(_ text: String) throws(ModelError) -> GraphModel {
    let document = try SchemaFileReader.read(Data(text.utf8), file: connection.name)
    return try GraphModel(
      document, dialect: document.dialect, extensions: ModelExtensions(toleratesMissing: true))
  }

  /// Returns the text of a model; throws if it cannot be read again, such as one that is too large.
  private func readableFile(of model: GraphModel) throws(StoreError) -> String {
    let file = Self.file(of: model)
    do {
      _ = try readModel(file)
    } catch {
      throw failure("cannot keep the model, since its text could not be read again: \(error)")
    }
    return file
  }

  private func create(_ model: GraphModel) throws(StoreError) {
    let schema = DatabaseSchema(model.schema, connection.dialect)
    for sql in ImportRecord.creation { try connection.execute(sql) }
    for sql in schema.creationStatements(connection.dialect)
      + schema.lookupIndexes.map(\.creation)
    {
      try connection.execute(sql)
    }
    try connection.execute(
      "INSERT INTO \"graft_model\" (\"format\", \"model\") VALUES (\(Self.format), '')"
    )
    try write(model)
  }

  private func write(_ model: GraphModel) throws(StoreError) {
    let statement = try connection.prepare(
      "UPDATE \"graft_model\" SET \"format\" = \(Self.format), \"model\" = $1")
    statement.bind(0, text: try readableFile(of: model))
    try statement.run()
  }

  private func inTransaction<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
    _ = try connection.begin()
    do {
      let result = try body()
      try connection.commit()
      return result
    } catch {
      connection.rollback()
      throw error
    }
  }

  /// Changes the tables to those of a changed model.
  private func change(_ stored: StoredModel, to model: GraphModel) throws(StoreError) {
    let match = try SchemaMatch(
      stored.schema, DatabaseSchema(model.schema, connection.dialect), (stored.model, model),
      refuse: failure)
    var change = try SchemaChange(match, connection, refuse: failure)
    try change.run()
    // Pages of rows are read in the order of the key, as it is now.
    for table in match.tables where table.hasReorderedKey {
      try connection.execute(
        DatabaseSchema.Index(table: table.new.name, columns: table.new.keyNames).creation)
    }
    try write(model)
    // Imports that are under way notice it.
    try ImportRecord.countCommit(connection)
  }
}

extension String {
  /// Returns whether another string has the same bytes.
  ///
  /// For `==`, "é" is equal to the letter "e" with an accent after it. For a database, these are two names.
  func isSpelled(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension GraphModel {
  /// The entities and properties as a schema file, in the order of their names.
  fileprivate var text: String {
    let entities = entities.map { entity in
      var entity = entity
      entity.attributes.sort { $0.name < $1.name }
      entity.relationships.sort { $0.name < $1.name }
      return entity
    }
    return SchemaFileWriter.text(of: entities.sorted { $0.name < $1.name }, dialect: dialect)
  }
}

extension DatabaseSchema {
  /// Throws if the model, and with it the tables, was changed since it was read.
  ///
  /// - Parameter connection: A connection.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func requireUnchanged(_ connection: any DatabaseConnection) throws(StoreError) {
    guard try isUnchanged(connection) else { throw Self.changed(connection) }
  }

  /// Returns whether the database has the model, and with it the tables, as they were read.
  func isUnchanged(_ connection: any DatabaseConnection) throws(StoreError) -> Bool {
    if file.isEmpty { return true }
    let statement = try connection.prepare("SELECT \"model\" FROM \"graft_model\"")
    defer { statement.reset() }
    return try statement.next() && statement.text(0)?.isSpelled(file) == true
  }

  /// The error of a model that is no longer the one that was read.
  static func changed(_ connection: any DatabaseConnection) -> StoreError {
    StoreError(
      .database,
      "\(connection.name): its model was changed by another process or connection; open it again")
  }
}
