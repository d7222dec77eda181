import Foundation
import Graft

/// The model that a database was made for, as its table `graft_model` says.
struct DatabaseModel {
  private let connection: any DatabaseConnection

  init(_ connection: any DatabaseConnection) {
    self.connection = connection
  }

  /// Makes the tables of a model where there are none, or adds what the database lacks of it.
  ///
  /// - Parameter model: The model; nil for the one that the database has.
  /// - Returns: The model.
  /// - Throws: ``StoreError`` of the kind `database`.
  func settle(_ model: GraphModel?) throws(StoreError) -> GraphModel {
    guard let present = try read() else {
      guard let model else { throw failure("has no tables of Graft; give a model to make them") }
      try create(model)
      return model
    }
    guard let model else { return present }
    if model.entities == present.entities, model.dialect == present.dialect { return model }
    try change(present, to: model)
    return model
  }

  private func failure(_ message: String) -> StoreError {
    StoreError(.database, "\(connection.name): \(message)")
  }

  /// The model of the database; nil where it is empty.
  private func read() throws(StoreError) -> GraphModel? {
    let names = try connection.tableNames()
    guard names.contains("graft_model") else {
      if let other = names.first {
        throw failure(
          "is a database of something else: it has the table \"\(other)\" and no \"graft_model\"; name"
            + " a file that does not exist yet")
      }
      return nil
    }
    let statement = try connection.prepare("SELECT \"format\", \"model\" FROM \"graft_model\"")
    guard try statement.next() else { throw failure("has an empty table \"graft_model\"") }
    defer { statement.reset() }
    let format = Int(statement.word(0, .integer64))
    guard format == 1, let text = statement.text(1) else {
      throw failure("was made by a later version of Graft (format \(format)); use that")
    }
    do {
      let document = try SchemaFileReader.read(Data(text.utf8), file: connection.name)
      return try GraphModel(
        document, dialect: document.dialect, extensions: ModelExtensions(toleratesMissing: true))
    } catch {
      throw failure("has a model that cannot be read: \(error)")
    }
  }

  private func create(_ model: GraphModel) throws(StoreError) {
    let schema = DatabaseSchema(model.schema, connection.dialect)
    try inTransaction { () throws(StoreError) in
      for sql in ImportRecord.creation { try connection.execute(sql) }
      for sql in schema.creationStatements(connection.dialect)
        + schema.lookupIndexes.map(\.creation)
      {
        try connection.execute(sql)
      }
      try connection.execute(
        "INSERT INTO \"graft_model\" (\"format\", \"model\", \"spellings\") VALUES (1, '', '')")
      try write(model)
    }
  }

  private func write(_ model: GraphModel) throws(StoreError) {
    let statement = try connection.prepare("UPDATE \"graft_model\" SET \"model\" = $1")
    statement.bind(0, text: SchemaFileWriter.text(of: model.entities, dialect: model.dialect))
    try statement.run()
  }

  private func inTransaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    _ = try connection.begin()
    do {
      try body()
      try connection.commit()
    } catch {
      connection.rollback()
      throw error
    }
  }

  /// Gives the tables what a changed model has more, or in another form.
  private func change(_ present: GraphModel, to model: GraphModel) throws(StoreError) {
    let old = DatabaseSchema(present.schema, connection.dialect)
    let new = DatabaseSchema(model.schema, connection.dialect)
    let renaming = try SchemaRenaming(old, for: model, connection.dialect) { failure($0) }
    let change = try SchemaChange(from: renaming.schema, to: new, connection.dialect) {
      failure($0)
    }
    try inTransaction { () throws(StoreError) in
      let spellings = try ImportRecord.spellings(connection, present.schema)
      for sql in renaming.statements { try connection.execute(sql) }
      for typeChange in change.typeChanges { try typeChange.run(connection) }
      for sql in change.statements + new.lookupIndexes.map(\.creation) {
        try connection.execute(sql)
      }
      try ImportRecord.write(spellings, connection, renaming.schema.model)
      try write(model)
    }
  }
}
