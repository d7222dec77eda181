// Writers take turns. An import reads without a lock while it waits for bytes and parses, and holds
// the lock only while a batch is written: `lock(_:)` takes it, and replays the batch onto the
// changes that others have committed since it began (`BatchRebase`). An import that saves at its
// end alone, or saves nothing, writes its batches into one transaction, and so keeps the lock from
// its first batch on.

import Graft

/// The destination of one import into a database: writes the import's batches and its row in `graft_import`.
final class DatabaseImport: BatchDestination {
  private let database: GraphDatabase
  /// The empty graph with which each batch begins.
  private let empty: Graph
  /// The connection that writes.
  private let connection: any DatabaseConnection
  private let statements: DatabaseStatements
  /// The connection for look-ups: a second one if the import writes a batch while it reads the next.
  private var reader: any DatabaseConnection
  private let schema: DatabaseSchema
  private let batch: DatabaseBatch
  /// The save that a second thread carries out; until it has ended, nothing that it changes is used.
  private var pendingSave: PendingSave?
  private let record: ImportRecord
  private let options: ImportOptions
  /// The `_id` of the next row that is inserted; 0 before the first save.
  private var nextRowID: Int64 = 0
  /// The rows that the import, or its group, has not mentioned yet; nil if no missing objects are deleted.
  private var missing: MissingRows?
  /// The objects that relationships have lost in earlier batches.
  private var removed: RemovedRows?
  /// The import's group, whose connection it uses; nil for an import by itself.
  private let group: DatabaseGroup?
  /// Whether the import uses the connection.
  private var isOpen = false
  /// Whether the import holds the lock, and with it an open transaction.
  private var isLocked = false
  /// Whether a chunk is being read.
  private var isReading = false
  /// Whether another writer has committed since this import last held the lock.
  private var hasOtherWriter = false
  /// Whether the import has a row in `graft_import`.
  private var hasRecord = false
  /// Reads the rows that deletion scopes ask for, once the document has ended.
  private let scopeReader: DeletionScopeReader
  /// Counts the objects that the saves have mentioned.
  private var tally: ImportTally?
  /// The tables into which the import has written stubs.
  private var stubTables: Set<Int> = []
  private var unfilledStubCount = 0

  init(
    _ database: GraphDatabase, _ connection: any DatabaseConnection, _ record: ImportRecord,
    _ options: ImportOptions, group: DatabaseGroup?
  ) {
    self.database = database
    self.group = group
    self.connection = connection
    self.record = record
    // The import calls the hooks, which may hold the importer.
    var options = options
    options.hooks = [:]
    self.options = options
    schema = database.schema
    empty = Graph(emptyOf: database.model)
    scopeReader = DeletionScopeReader(schema, empty, connection)
    statements = DatabaseStatements(connection, schema)
    reader = connection
    batch = DatabaseBatch(statements, empty)
  }

  var model: GraphModel { database.model }
  var owner: AnyObject { database }
  var releasesSavedObjects: Bool { true }
  var resumed: ImportPlace? { record.resumed?.place }

  func makeLookAhead(
    _ roots: [ImportRoot], _ options: ImportOptions
  ) throws -> (any LookAhead)? {
    try connection.dialect.lookUpGroups.map {
      try DatabaseLookAhead(
        roots, options, from: resumed, for: batch, byteLimit: $0.byteCount)
    }
  }

  /// The save policy of the options, by default with batches that grow.
  ///
  /// A small first batch is soon written beside the next, and a large one touches each page of a table once for many
  /// rows. An import that saves at its end writes such batches too, into one transaction of the database.
  var savePolicy: ImportOptions.SavePolicy {
    var policy = options.savePolicy
    if policy.objects == nil {
      policy.firstObjects = connection.dialect.batchSizes.lowerBound
      policy.objects = connection.dialect.batchSizes.upperBound
    }
    return policy
  }

  func begin(of rootEntities: Set<Int>) throws(StoreError) -> GraphTransaction {
    try group?.beginImport()
    if group == nil {
      try ImportRecord.addColumns(connection)
      if let statement = connection.dialect.temporaryTablesOnDisk {
        try connection.execute(statement)
      }
    }
    let transaction = batch.transaction
    tally = ImportTally(transaction.layout, schema)
    batch.fetched.keepsRows = true
    isOpen = true
    do throws(StoreError) {
      // From here on, another writer is noticed.
      if try connection.noteVersion() { group?.noteOtherWriter() }
      if group != nil {
        missing = MissingRows(ofGroup: batch, connection)
      } else if options.deletesMissing, options.group == nil {
        try noteRows(of: rootEntities)
      }
      makeIndexes(for: statements)
      let isEmpty = try schema.tables.map { (table) throws(StoreError) in
        try connection.integer("SELECT 1 FROM \(SQL.quote(table.name)) LIMIT 1") == nil
      }
      batch.rows.noteEmptyTables { isEmpty[$0.number] }
      return transaction
    } catch {
      // An import that could not begin is never abandoned by its caller.
      abandon()
      throw error
    }
  }

  /// Whether look-ups have a connection of their own.
  private var isReadingBeside: Bool { reader !== connection }

  func beginReading() throws(StoreError) {
    isReading = true
    if isReadingBeside || !isLocked { try reader.beginReading() }
  }

  func endReading() {
    isReading = false
    if isReadingBeside || !isLocked { reader.endReading() }
  }

  /// Waits until no other writer holds the lock, and begins a transaction that may write.
  private func takeLock() throws(StoreError) {
    reader.endReading()
    if try connection.begin() {
      group?.noteOtherWriter()
      hasOtherWriter = true
    }
    isLocked = true
    // Another process may have opened the database with another model between two saves.
    if hasOtherWriter || !hasRecord { try schema.requireUnchanged(connection) }
  }

  private func makeIndexes(for statements: DatabaseStatements) {
    statements.makeIndex = { [unowned self] (index) throws(StoreError) in try makeIndex(index) }
  }

  /// Makes an index that a look-up needs, in a transaction of its own where the lock is not held.
  private func makeIndex(_ index: DatabaseSchema.Index) throws(StoreError) {
    try awaitSave()
    if try connection.indexNames().contains(index.name) { return }
    guard !isLocked else { return try connection.execute(index.creation) }
    try takeLock()
    isLocked = false
    do throws(StoreError) {
      try connection.execute(index.creation)
      try connection.commit()
    } catch {
      connection.rollback()
      throw error
    }
    if isReading { try reader.beginReading() }
  }

  /// Waits for the save that is under way, whose rows the look-ups find from now on.
  private func awaitSave() throws(StoreError) {
    guard let save = pendingSave else { return }
    pendingSave = nil
    batch.rows.noteSaved()
    try save.wait()
    guard isReading else { return }
    reader.endReading()
    try reader.beginReading()
  }

  func failureOfSave() -> StoreError? {
    do throws(StoreError) {
      try awaitSave()
      return nil
    } catch {
      return error
    }
  }

  func lock(
    _ transaction: GraphTransaction, _ outcomes: ObjectOutcomes
  ) throws(StoreError) -> [ObjectID: ObjectID]? {
    try awaitSave()
    try batch.check()
    guard !isLocked else { return nil }
    try takeLock()
    if !hasRecord { try makeRecord() }
    if nextRowID == 0 || hasOtherWriter { nextRowID = try schema.freeRowID(connection) }
    guard hasOtherWriter else {
      if let error = batch.fetched.missingRow { throw error }
      batch.fetched.keepsRows = false
      return nil
    }
    hasOtherWriter = false
    if isKept, group == nil && missing != nil || removed != nil, try record.isSucceeded(connection)
    {
      throw StoreError(
        .database,
        "\(connection.name): the same import has been begun again meanwhile, and has dropped what this one had noted;"
          + " what this one has saved stays; run one of them at a time")
    }
    return try BatchRebase(batch, transaction, outcomes).remapping()
  }

  private func makeRecord() throws(StoreError) {
    hasRecord = true
    try record.begin(connection)
    if !record.isResumed { try dropEarlier(MissingRows.prefix) }
  }

  private func dropEarlier(_ prefix: String) throws(StoreError) {
    for name in try RowKeyTable.names(prefix, earlierThan: record, connection) {
      try connection.execute("DROP TABLE \(SQL.quote(name))")
    }
  }

  /// Whether this import can be resumed from its last save if it is interrupted.
  private var isKept: Bool {
    record.canBeResumed && isSavingInSteps
  }

  /// Records the existing rows, so that the import does not delete rows that others insert later.
  private func noteRows(of rootEntities: Set<Int>) throws(StoreError) {
    guard isKept else {
      let rows = MissingRows(batch, connection, of: rootEntities, number: nil)
      missing = rows
      return try rows.create()
    }
    try takeLock()
    try makeRecord()
    let rows = MissingRows(batch, connection, of: rootEntities, number: record.number)
    missing = rows
    if record.isResumed {
      try RowKeyTable.require(rows.tables, connection)
    } else {
      try rows.create()
    }
    try connection.commit()
    isLocked = false
    // Nothing has been read so far.
    hasOtherWriter = false
  }

  func save(
    _ transaction: GraphTransaction, _ outcomes: ObjectOutcomes, _ removed: RemovedObjects?,
    at place: ImportPlace?
  ) throws(StoreError) -> CommitResult? {
    let graph = try prepareWriting(transaction)
    let isBehind = place != nil && writesBehind && removed == nil
    let writer = BatchWriter(
      statements, isBehind ? batch.fetched.copy() : batch.fetched, graph,
      isBehind ? ObjectOutcomes(batchOf: outcomes) : outcomes, importNumber: record.number)
    let save = { [unowned self] () throws(StoreError) in
      try write(writer, removed)
      try tally?.add(writer.fetched, graph, writer.outcomes)
      // If all saves are one transaction, that transaction continues.
      guard let place, isSavingInSteps else { return }
      try record.note(place, connection)
      try connection.commit()
    }
    if isBehind { try readBeside(writer) } else { try save() }
    batch.reset()
    transaction.reset(to: empty)
    if place != nil, isSavingInSteps {
      isLocked = false
      batch.fetched.keepsRows = true
    }
    if isBehind { pendingSave = PendingSave(save) }
    if isReading, !isLocked { try reader.beginReading() }
    return nil
  }

  /// Whether each save is a transaction by itself.
  private var isSavingInSteps: Bool { !options.savePolicy.isAtEnd && !options.isDryRun }

  /// Whether a batch may be written while the next one is read; a batch that has changed identities may not.
  private var writesBehind: Bool {
    options.writesBehind && isSavingInSteps && group == nil && missing == nil
      && !batch.fetched.hasMovedObjects
  }

  /// Makes another connection look up rows, in the batch being written and in the database.
  private func readBeside(_ writer: BatchWriter) throws(StoreError) {
    var reading = batch.statements
    if !isReadingBeside {
      reader = try database.connect()
      reading = DatabaseStatements(reader, schema)
      makeIndexes(for: reading)
    }
    batch.rows.resume(beside: PendingBatch(writer, schema), reading: reading) {
      [unowned self] () throws(StoreError) in try awaitSave()
    }
  }

  func finish(
    _ transaction: GraphTransaction, _ outcomes: ObjectOutcomes, noting notes: [ImportNote]
  ) throws(StoreError) -> CommitResult {
    let graph = try prepareWriting(transaction)
    try write(
      BatchWriter(statements, batch.fetched, graph, outcomes, importNumber: record.number), nil)
    // An import that saves once has counted each object once.
    if tally?.isEmpty == false { try tally?.add(batch.fetched, graph, outcomes) }
    try tally?.settle(outcomes)
    try DatabaseNotes.write(notes, connection)
    try writeEnd()
    return CommitResult(graph: graph)
  }

  /// Checks the objects of a batch, which are about to be written, and numbers their rows.
  private func prepareWriting(_ transaction: GraphTransaction) throws(StoreError) -> Graph {
    let graph = try transaction.checked()
    try batch.check()
    batch.prepareWriting(graph, &nextRowID)
    record.greatestRowID = nextRowID - 1
    return graph
  }

  /// Writes the objects of a batch into the transaction of the database.
  private func write(_ writer: BatchWriter, _ removed: RemovedObjects?) throws(StoreError) {
    stubTables.formUnion(try writer.write())
    try missing?.note(mentionedIn: writer.graph, writer.outcomes, writer.binder)
    if let removed {
      if self.removed == nil {
        self.removed = try RemovedRows(
          batch, connection, of: removed, record, isTemporary: !isKept)
      }
      try self.removed?.add(removed, in: writer.graph, writer.binder)
    }
  }

  func restoreRemoved(_ removed: RemovedObjects) throws(StoreError) -> Bool {
    if self.removed?.isStarted == false {
      // An index finds the objects that have a link to one.
      let missing = try schema.missingReadingIndexes(connection)
      if !missing.isEmpty { try connection.makeIndexes(missing) }
    }
    return try self.removed?.restore(to: removed) ?? false
  }

  /// Deletes objects that were not mentioned, counts unfilled stubs, makes indexes and foreign keys, and commits.
  private func writeEnd() throws(StoreError) {
    try missing?.end()
    try removed?.drop()
    if removed == nil { try dropEarlier(RemovedRows.prefix) }
    // No index finds stubs, and tables are large, so only tables with stubs of this import are read.
    for number in record.isResumed ? Set(schema.tables.indices) : stubTables {
      let table = schema.tables[number]
      unfilledStubCount += Int(
        try connection.integer(
          "SELECT count(*) FROM \(SQL.quote(table.name))"
            + " WHERE \(SQL.quote(table.columns[table.stubColumn].name)) = \(record.number)") ?? 0)
    }
    // A first import makes indexes and foreign keys at its end, which is faster than to keep them up to date.
    let missing = try schema.missingReadingStatements(connection)
    if isReadingBeside { reader.rest() }
    if !missing.isEmpty { try connection.makeIndexes(missing) }
    try record.end(connection)
    if options.isDryRun { connection.rollback() } else { try connection.commit() }
    end()
  }

  func missingObjects(
    of entities: Set<Int>, _ outcomes: ObjectOutcomes, inParts: Bool
  ) throws(StoreError) -> (objects: [ObjectID], areLast: Bool) {
    try missing?.objects(of: entities, outcomes, inParts: inParts) ?? ([], true)
  }

  func isMentioned(
    _ object: ObjectID, _ outcomes: ObjectOutcomes
  ) throws(StoreError) -> Bool {
    if outcomes[object] != .unmentioned { return true }
    return try missing.map { (missing) throws(StoreError) in try !missing.contains(object) }
      ?? false
  }

  func ask(
    _ scope: (GraphObject) -> Bool, about object: ObjectID
  ) throws(StoreError) -> Bool? {
    guard batch.state(of: object).contains(.stored) else { return nil }
    return try scopeReader.ask(scope, about: batch.key(of: object))
  }

  func unfilledStubs(_ stubs: [ObjectID], in graph: Graph) -> (count: Int, objects: [ObjectID]) {
    (unfilledStubCount, [])
  }

  func abandon() {
    // After its end, the group's connection may already be in use by the next import.
    guard isOpen else { return }
    _ = failureOfSave()
    connection.rollback()
    end()
  }

  private func end() {
    isOpen = false
    isLocked = false
    scopeReader.end()
    group?.endImport()
  }
}

extension DatabaseSchema {
  /// Returns the statements that make the indexes for reading that a database lacks.
  func missingReadingIndexes(_ connection: any DatabaseConnection) throws(StoreError) -> [String] {
    let present = try connection.indexNames()
    return readingIndexes.filter { !present.contains($0.name) }.map(\.creation)
  }

  /// Returns these statements, and the ones for missing foreign keys.
  func missingReadingStatements(_ connection: any DatabaseConnection) throws(StoreError) -> [String]
  {
    try missingReadingIndexes(connection)
      + foreignKeyStatements(connection.dialect, except: try connection.constraintNames())
  }

  /// Returns the first `_id` that no row of any table has had.
  ///
  /// An import may hold the `_id` of a row that others have deleted, so it is never given to another one. The tables
  /// are asked as well, because other tools may have inserted rows.
  func freeRowID(_ connection: any DatabaseConnection) throws(StoreError) -> Int64 {
    var greatest = try ImportRecord.greatestRowID(connection)
    for table in tables where table.isKeyedByNumber {
      let last = try connection.integer("SELECT max(\"_id\") FROM \(SQL.quote(table.name))")
      greatest = max(greatest, last ?? 0)
    }
    guard greatest < .max >> 1 else {
      throw StoreError(
        .database,
        "\(connection.name): the \"_id\" \(greatest) leaves too few numbers for new rows; lower it")
    }
    return greatest + 1
  }
}

extension DatabaseConnection {
  /// Returns the first value of the first row of a query, a number; nil where there is none.
  func integer(_ sql: String) throws(StoreError) -> Int64? {
    let statement = try prepare(sql)
    guard try statement.next() else { return nil }
    defer { statement.reset() }
    return statement.isNull(0) ? nil : Int64(bitPattern: statement.word(0, .integer64))
  }
}
