import Foundation
public import Graft

/// A graph of objects in a database, for data that outlives the process or does not fit into memory.
///
/// An import finds, updates, inserts and links objects by the same rules as in a
/// ``Graft/GraphStore``. Only the objects since the last save are in memory, so a stream of any
/// length can be imported. It saves after some thousand objects of the roots, as
/// ``Graft/ImportOptions/savePolicy`` says, and at the end. Each save is one transaction of the
/// database, and lasts even if the process is killed after it.
///
/// ```swift
/// import GraftSQLite
///
/// let database = try GraphDatabase(model: model, at: URL(filePath: "tweets.sqlite"))
/// let report = try await database.importJSON(Tweet.self, at: "statuses", from: .url(url))
/// let graph = try database.graph()
/// ```
///
/// Others may write while an import waits for bytes. It holds the lock of writers only while it
/// saves, and then applies its changes to theirs, by the rules of ``Graft/GraphStore``. If both
/// have changed a property, the import wins; a property that only they have changed stays. An
/// import that is one transaction holds the lock from its first batch on.
///
/// The initializers are in the modules of the databases, such as `GraftSQLite`, so that a program that uses none
/// links none.
public final class GraphDatabase: Sendable {
  /// The model that the objects follow.
  public let model: GraphModel

  /// The database's name in messages, such as its path.
  let name: String
  let schema: DatabaseSchema
  let connect: @Sendable () throws(StoreError) -> any DatabaseConnection
  private let dialect: SQLDialect
  private let readers: DatabaseReaders

  /// Opens a database, and makes its tables where it has none.
  ///
  /// - Parameters:
  ///   - model: The model of the objects in the database; nil for the model that the database was
  ///     made with.
  ///   - connect: Makes a connection.
  /// - Throws: ``Graft/StoreError`` of the kind `database` where it cannot be opened, is not one of
  ///   Graft's, or has a model that cannot be changed to this one.
  package init(
    model: GraphModel?, connect: @escaping @Sendable () throws(StoreError) -> any DatabaseConnection
  ) throws(StoreError) {
    let connection = try connect()
    self.connect = connect
    name = connection.name
    dialect = connection.dialect
    let settled = try DatabaseModel(connection).settle(model)
    self.model = settled.model
    schema = DatabaseSchema(settled.model.schema, connection.dialect, file: settled.file)
    readers = DatabaseReaders(schema, connect: connect)
  }

  /// Runs a read on a connection that is kept for the next read.
  ///
  /// - Parameters:
  ///   - interruption: Interrupts the read when it is called; nil for no interruption.
  ///   - body: Reads by the statements that it is given, and is called again if the connection was lost.
  /// - Returns: The result of the closure.
  /// - Throws: The closure's error, and ``Graft/StoreError`` where no connection can be made.
  func reading<R>(
    _ interruption: DatabaseInterruption? = nil,
    _ body: (DatabaseStatements) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    try readers.read(interruption, body)
  }
}

extension GraphDatabase {
  /// Returns the schema of a typed entity.
  ///
  /// - Throws: ``Graft/StoreError`` where the model was not made from the entity, as that of a file is not.
  func schema<E: Entity>(of entity: E.Type) throws(StoreError) -> EntitySchema {
    if let found = schema.model.typedEntity(entity) { return found }
    _ = try schema.model.entity(E.entityName)
    throw StoreError(
      .unknownEntity,
      "\(name): the model was not made from the type \(E.self), by which \"\(E.entityName)\" could be read; open the"
        + " database with GraphDatabase(for: \(E.self).self, …), or read by the entity's name",
      entity: E.entityName)
  }
}

// Importing.
extension GraphDatabase: ImportTarget {
  /// Prepares an import into the database.
  @_documentation(visibility: internal)
  public func _prepareImport(
    _ roots: [ImportRoot], of source: ImportSource?, options: ImportOptions
  ) throws -> JSONImporter {
    try makeImporter(roots, options: options, of: source, resuming: nil)
  }

  /// Begins a group of imports into the database.
  @_documentation(visibility: internal)
  public func _beginGroup() throws -> ImportGroup { try ImportGroup(self) }

  /// Returns a note that an import has left in the database.
  @_documentation(visibility: internal)
  public func _noted(_ key: String) throws -> String? {
    try reading { (statements) throws(StoreError) in
      try DatabaseNotes.read(key, statements.connection)
    }
  }

  /// Returns the greatest value of an attribute.
  @_documentation(visibility: internal)
  public func _greatest(_ attribute: String, of entity: String) throws -> AttributeValue? {
    try objects(entity, orderedBy: .reverse(attribute), limit: 1).first?[attribute]
  }

  /// Runs an import on a thread of its own, which may wait for other writers.
  @_documentation(visibility: internal)
  @concurrent
  public func _runImport(
    _ body: @Sendable () async throws -> ImportReport
  ) async throws -> ImportReport {
    try await BlockingWork.run(body)
  }

  private func makeImporter(
    _ roots: [ImportRoot], options: ImportOptions, of source: ImportSource?,
    resuming last: ImportRecord.Last?
  ) throws -> JSONImporter {
    var options = options
    try requireIdentities(&options)
    options.roundsDates = dialect.roundsDates
    options.valueFaults = dialect.valueFaults
    // Between two chunks, the caller who hands them over may look for what was saved.
    if source?.isSequence ?? true { options.writesBehind = false }
    let record = ImportRecord(
      source: source?.name, roots: roots, version: source?.version, format: options.parser.format,
      resumed: last.flatMap { $0.hasEnded ? nil : (number: $0.number, place: $0.place) })
    // A group of a store or of another database is refused by the importer.
    let group = options.isDryRun ? nil : options.group?.storage as? DatabaseGroup
    return try JSONImporter(
      roots, options: options,
      into: DatabaseImport(
        self, try group?.connection ?? connect(), record, options, group: group))
  }

  /// Makes a missing identity an error where the identity is the key of the table, even if Groot's dialect inserts
  /// such objects.
  ///
  /// - Throws: ``Graft/ImportError`` where the options ask for such objects to be inserted.
  private func requireIdentities(_ options: inout ImportOptions) throws(ImportError) {
    for table in schema.tables where !table.isKeyedByNumber {
      for entity in table.entities.map({ schema.model.entities[$0] }) {
        guard schema.model.missingIdentity(of: entity, options: options.entities) == .insert
        else { continue }
        guard options.entities.missingIdentity == nil else {
          throw ImportError(
            kind: .model, entity: entity.name,
            message:
              "the options insert objects of \(entity.name) that lack their identity, which is the key of"
              + " its table; say \(schema.model.words.setting("JSONMissingIdentity", "insert")) in the"
              + " model before the database is made"
          )
        }
        options.entities.missingIdentity = .error
      }
    }
  }

  /// Imports objects of one or several entities from a document, or resumes such an import.
  ///
  /// - Parameters:
  ///   - roots: The places of the objects in the document.
  ///   - source: The source of the bytes.
  ///   - options: The options of the import.
  ///   - objectCount: The number of root objects after which the import saves; nil for the setting
  ///     of ``Graft/ImportOptions/savePolicy``.
  ///   - isResuming: Whether to continue after the last saved object, if the last import of this
  ///     file with these roots did not reach its end. A file that was imported to its end, and has not
  ///     changed since, is left alone.
  ///   - progress: Called after every chunk with how far the import has come.
  /// - Returns: The report of the import. An object that several saves have written is counted once.
  /// - Throws: As ``Graft/ImportTarget/importJSON(_:from:options:progress:)-(_,ImportSource,_,_)``; what
  ///   was saved before stays.
  ///   ``Graft/ImportError`` where an import is to be resumed and the file has changed since, or is no file.
  @concurrent
  @discardableResult
  public func importJSON(
    _ roots: [ImportRoot], from source: ImportSource, options: ImportOptions = ImportOptions(),
    saveEvery objectCount: Int? = nil, resuming isResuming: Bool = false,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    var options = options
    if let objectCount { options.savePolicy.objects = objectCount }
    if let series = source.series {
      return try await series.importAll(
        SeriesJob(
          roots: roots, target: self, options: options, decompression: source.decompression,
          isResuming: isResuming, progress: progress))
    }
    options.takeName(of: source)
    // All bytes of a file are there at once: one look-up serves many of them, while the server works on the
    // next part.
    if let lookUpGroups = dialect.lookUpGroups, source.version != nil,
      options.chunkSize == ImportOptions().chunkSize
    {
      options.chunkSize = 4 * lookUpGroups.byteCount
    }
    guard !isResuming || options.group == nil else {
      throw ImportError(
        kind: .model,
        message:
          "an import of a group cannot be resumed, because the objects that other imports of the group have"
          + " mentioned are not known; import all of them anew, without resuming")
    }
    let last = isResuming ? try lastImport(of: source, roots) : nil
    if last?.hasEnded == true, last?.version == source.version {
      var report = ImportReport()
      report.note("the file was imported to its end before, and has not changed since")
      return report
    }
    // The interrupted import has already detected whether the source is one document or a stream.
    if let last, !last.hasEnded { options.parser.format = last.format ?? options.parser.format }
    return try await BlockingWork.run { [options] in
      try await makeImporter(roots, options: options, of: source, resuming: last)
        .importAll(of: source, options, progress: progress)
    }
  }

  /// Returns the last import of a file with these roots, if it can be resumed or need not be.
  private func lastImport(
    of source: ImportSource, _ roots: [ImportRoot]
  ) throws -> ImportRecord.Last? {
    guard let name = source.name, let version = source.version else {
      throw ImportError(
        kind: .model,
        message:
          "only the import of a file can be resumed, because nothing else can be known not to"
          + " have changed; download it first")
    }
    guard let last = try ImportRecord.last(of: name, roots, connect()) else { return nil }
    // Nothing of the import was saved.
    guard last.hasEnded || last.place.offset > 0 else { return nil }
    guard last.hasEnded || last.version == version else {
      throw ImportError(
        kind: .model,
        message: "the file has changed since the import that is to be resumed (then"
          + " \(last.version ?? "unknown"), now \(version)); import it anew, without resuming")
    }
    return last
  }

  /// Imports objects of a typed entity from a document, or resumes such an import.
  ///
  /// - Parameters:
  ///   - entity: The objects' entity.
  ///   - path: The path from the document to the objects; nil for the document itself.
  ///   - source: The source of the bytes.
  ///   - options: The options of the import.
  ///   - objectCount: The number of root objects after which the import saves; nil for the setting
  ///     of ``Graft/ImportOptions/savePolicy``.
  ///   - isResuming: Whether to go on after the last object that was saved.
  ///   - progress: Called after every chunk with how far the import has come.
  /// - Returns: The report of the import.
  /// - Throws: As ``importJSON(_:from:options:saveEvery:resuming:progress:)``.
  @concurrent
  @discardableResult
  public func importJSON<E: Entity>(
    _ entity: E.Type, at path: String? = nil, from source: ImportSource,
    options: ImportOptions = ImportOptions(), saveEvery objectCount: Int? = nil,
    resuming isResuming: Bool = false, progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    try await importJSON(
      [ImportRoot(entity, at: path)], from: source, options: options, saveEvery: objectCount,
      resuming: isResuming, progress: progress)
  }
}

// Reading.
extension GraphDatabase {
  /// Reads the whole database as a graph in memory.
  ///
  /// - Returns: All objects. They are in the order of their keys.
  /// - Throws: ``Graft/StoreError`` where the database cannot be read.
  /// - Complexity: O(*n*) in the rows, and in memory.
  public func graph() throws(StoreError) -> Graph { try graph(nil) }

  func graph(_ interruption: DatabaseInterruption?) throws(StoreError) -> Graph {
    try reading(interruption) { (statements) throws(StoreError) in
      var reader = GraphReader(statements.connection, schema, model)
      return try reader.readAll()
    }
  }
}

extension ModelVocabulary {
  /// Returns the text that sets a policy, such as `JSONMissingIdentity = insert`.
  func setting(_ annotation: String, _ value: String) -> String {
    switch self {
    case .annotations: "\(annotation) = \(value)"
    case .parameters: "`\(name(of: annotation).filter { $0 != "`" }): .\(value)`"
    }
  }
}
