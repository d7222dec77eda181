public import Graft
import Synchronization

// The imports of a group share a connection, and note in its temporary tables which objects they mention. These are
// dropped with the connection, so that a process that is killed leaves nothing behind, and groups that run at the same
// time do not see each other's.

/// Keeps the keys of objects that a group of imports into a database has mentioned.
///
/// Unchecked: the connection is used by one import of the group at a time, or by its end, which
/// ``beginImport()`` and ``endImport()`` see to.
final class DatabaseGroup: GroupStorage, @unchecked Sendable {
  private struct State {
    var isImporting = false
    var hasOtherWriter = false
  }

  private let database: GraphDatabase
  let connection: any DatabaseConnection
  private let state = Mutex(State())

  init(_ database: GraphDatabase) throws(StoreError) {
    self.database = database
    connection = try database.connect()
    try ImportRecord.addColumns(connection)
    if let statement = connection.dialect.temporaryTablesOnDisk {
      try connection.execute(statement)
    }
    let batch = DatabaseBatch(
      DatabaseStatements(connection, database.schema), Graph(emptyOf: database.model))
    try MissingRows(ofGroup: batch, connection).create()
    // From here on, another writer is noticed.
    try connection.noteVersion()
  }

  var owner: AnyObject { database }

  /// Takes the connection for an import.
  ///
  /// - Throws: ``Graft/StoreError`` while another import of the group uses it.
  func beginImport() throws(StoreError) {
    let isFree = state.withLock { state in
      defer { state.isImporting = true }
      return !state.isImporting
    }
    guard isFree else {
      throw StoreError(
        .database,
        "\(connection.name): imports of a group into a database follow one another; wait for the one that runs"
      )
    }
  }

  /// Returns the connection to the group.
  func endImport() { state.withLock { $0.isImporting = false } }

  /// Notes that another writer has committed, and may have added objects that no import of the
  /// group can mention.
  func noteOtherWriter() { state.withLock { $0.hasOtherWriter = true } }

  // `MissingRows` has noted the outcomes at each save.
  func add(_ outcomes: ObjectOutcomes) {}

  func deleteMissing(_ deletable: [ImportGroup.DeletableObjects]) throws(StoreError) -> [Int: Int]?
  {
    try beginImport()
    defer { endImport() }
    if try connection.begin() { noteOtherWriter() }
    defer { connection.rollback() }
    guard !state.withLock(\.hasOtherWriter) else { return nil }
    let deletion = GroupDeletion(database, connection)
    let counts = try deletion.delete(deletable)
    try ImportRecord.countCommit(connection)
    try connection.commit()
    return counts
  }

  func end() {
    // An import that has not ended has the connection, and may be in the middle of its transaction.
    guard (try? beginImport()) != nil else { return }
    defer { endImport() }
    connection.rollback()
  }
}

/// Deletes objects that no import of a group has mentioned, in an open transaction.
private struct GroupDeletion {
  private let schema: DatabaseSchema
  private let connection: any DatabaseConnection
  private let batch: DatabaseBatch
  private let transaction: GraphTransaction

  init(_ database: GraphDatabase, _ connection: any DatabaseConnection) {
    schema = database.schema
    self.connection = connection
    batch = DatabaseBatch(
      DatabaseStatements(connection, schema), Graph(emptyOf: database.model))
    transaction = batch.transaction
  }

  /// - Returns: The number of deleted objects, by the number of the entity.
  func delete(_ deletable: [ImportGroup.DeletableObjects]) throws(StoreError) -> [Int: Int] {
    let outcomes = ObjectOutcomes(entityCount: schema.model.entities.count)
    let entities = deletable.reduce(into: Set<Int>()) { $0.formUnion($1.entities) }
    var missing = MissingRows(ofGroup: batch, connection)
    // A scope sees each object as it was before the first one is deleted.
    let inParts = !entities.contains { entity in deletable.contains { $0.asksScope(of: entity) } }
    let empty = transaction.base
    var counts: [Int: Int] = [:]
    while true {
      let part = try missing.objects(of: entities, outcomes, inParts: inParts)
      try delete(part.objects, deletable, missing, outcomes, &counts)
      if part.areLast { return counts }
      batch.reset()
      transaction.reset(to: empty)
    }
  }

  private func delete(
    _ part: [ObjectID], _ deletable: [ImportGroup.DeletableObjects], _ missing: MissingRows,
    _ outcomes: ObjectOutcomes, _ counts: inout [Int: Int]
  ) throws(StoreError) {
    let reader = DeletionScopeReader(schema, transaction.base, connection)
    defer { reader.end() }
    var toDelete: [ObjectID] = []
    for id in part {
      // Scopes see each object as it is in the database.
      let asksScope = deletable.contains { $0.asksScope(of: id.entity) }
      let answer =
        asksScope
        ? try reader.ask(
          { object in deletable.contains { $0.contains(object) } }, about: batch.key(of: id)) : nil
      if answer != false { toDelete.append(id) }
    }
    let deleted = try transaction.delete(toDelete) { (object) throws(StoreError) in
      try !missing.contains(object)
    }
    for object in deleted { counts[object.entity, default: 0] += 1 }
    try batch.check()
    let number = try connection.integer("SELECT max(\"number\") FROM \"graft_import\"")
    let graph = try transaction.checked()
    // Nothing is inserted, so that no row needs an `_id`.
    _ = try BatchWriter(
      batch.statements, batch.fetched, graph, outcomes, importNumber: number ?? 0
    ).write()
  }
}

extension ImportGroup {
  /// Begins a group of imports into a database; ``finish()`` ends it.
  ///
  /// The imports follow one another. If another writer commits before the group ends, no missing
  /// objects are deleted, because the group does not know what was written; a notice of the report
  /// says so.
  ///
  /// - Parameter database: The database into which the imports go.
  /// - Throws: ``Graft/StoreError`` if it cannot be written, for example because another process writes.
  public convenience init(_ database: GraphDatabase) throws(StoreError) {
    self.init(try DatabaseGroup(database), database.schema.model)
  }
}
