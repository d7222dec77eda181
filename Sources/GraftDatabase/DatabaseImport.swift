import Graft

/// One import into a database: its batches, and its row in `graft_import`.
final class DatabaseImport: BatchSink {
  private let connection: any DatabaseConnection
  private let schema: DatabaseSchema
  private let batch: DatabaseBatch
  private let record: ImportRecord
  private let options: ImportOptions
  /// By table, the `_id` of the next row.
  private var nextRowIDs: [Int64] = []
  private var mentions: MentionedRows?
  /// The group to which the import belongs, and whose connection it uses; nil for an import by itself.
  private let group: DatabaseGroup?
  /// Whether the import has begun a transaction of the database that it must end.
  private var isOpen = false
  /// The tables into which the import has written stubs.
  private var stubTables: Set<Int> = []
  private(set) var unfilledStubCount = 0

  init(
    _ connection: any DatabaseConnection, _ schema: DatabaseSchema, _ record: ImportRecord,
    _ options: ImportOptions, group: DatabaseGroup?
  ) {
    self.group = group
    self.connection = connection
    self.schema = schema
    self.record = record
    self.options = options
    batch = DatabaseBatch(
      schema: schema, statements: DatabaseStatements(connection, schema))
  }

  var source: any ObjectSource { batch }
  var resumed: ImportPlace? { record.resumed?.place }
  var lookAhead: (any LookAheadSink)? {
    connection.dialect.looksUpInGroups ? LookUpCollector(batch, resumed: resumed) : nil
  }

  func begin(_ transaction: GraphTransaction) throws(StoreError) {
    try group?.beginImport()
    if group == nil { try ImportRecord.addColumns(connection) }
    batch.attach(transaction)
    isOpen = true
    do throws(StoreError) {
      try beginTransaction()
      try record.begin(connection)
      nextRowIDs = try schema.freeRowIDs(connection)
      let empty = try schema.tables.map { (table) throws(StoreError) in
        try connection.integer("SELECT 1 FROM \(SQL.quote(table.name)) LIMIT 1") == nil
      }
      batch.noteEmptyTables { empty[$0.number] }
      if group != nil {
        mentions = MentionedRows(batch, connection, .group)
      } else if options.deletesMissing, options.group == nil {
        mentions = MentionedRows(batch, connection, .single)
        if !record.isResumed { try mentions?.create() }
      }
    } catch {
      // An import that could not begin is never abandoned by its caller.
      abandon()
      throw error
    }
  }

  /// Begins a transaction of the database, and tells the group if somebody else has written since the last one.
  ///
  /// - Returns: Whether somebody else has written.
  @discardableResult
  private func beginTransaction() throws(StoreError) -> Bool {
    let hasOtherWriter = try connection.begin()
    if hasOtherWriter { group?.noteOtherWriter() }
    return hasOtherWriter
  }

  func save(
    _ graph: Graph, _ outcomes: ObjectOutcomes, at place: ImportPlace?
  ) throws(StoreError) {
    try batch.check()
    var writer = BatchWriter(
      batch: batch, graph: graph, outcomes: outcomes, importNumber: record.number)
    try writer.write(&nextRowIDs)
    try mentions?.add(graph, outcomes, writer.binder)
    stubTables.formUnion(writer.stubTables)
    guard let place else { return try finish(graph) }
    // One transaction for all saves: it goes on.
    if options.savesAtEnd || options.isDryRun { return batch.reset() }
    try record.note(place, graph.storage.spellings, connection, schema.model)
    try connection.commit()
    batch.reset()
    if try beginTransaction() {
      batch.forgetFilters()
      nextRowIDs = try schema.freeRowIDs(connection)
    }
  }

  private func finish(_ graph: Graph) throws(StoreError) {
    if group == nil { try mentions?.remove() }
    // No index finds stubs, and tables are large: only those to which the import has added stubs are read.
    for number in record.isResumed ? Set(schema.tables.indices) : stubTables {
      let table = schema.tables[number]
      unfilledStubCount += Int(
        try connection.integer(
          "SELECT count(*) FROM \(SQL.quote(table.name))"
            + " WHERE \(SQL.quote(table.columns[table.stubColumn].name)) = \(record.number)") ?? 0)
    }
    // A first import makes indexes and foreign keys at its end, which is faster than to keep them up to date.
    let keys = schema.foreignKeyStatements(
      connection.dialect, except: try connection.constraintNames())
    try connection.makeIndexes(schema.readingIndexes.map(\.creation) + keys)
    try record.end(connection, graph.storage.spellings, schema.model)
    if options.isDryRun { connection.rollback() } else { try connection.commit() }
    end()
  }

  func missingObjects(
    of entities: Set<Int>, _ outcomes: ObjectOutcomes
  ) throws(StoreError) -> [ObjectID] {
    try mentions?.missing(of: entities, outcomes) ?? []
  }

  func abandon() {
    // After its end, the group's connection may already be in use by the next import.
    guard isOpen else { return }
    connection.rollback()
    end()
  }

  private func end() {
    isOpen = false
    batch.detach()
    group?.endImport()
  }
}

extension DatabaseSchema {
  /// By table, the first `_id` after those of its rows; 1 for a table without the column.
  func freeRowIDs(_ connection: any DatabaseConnection) throws(StoreError) -> [Int64] {
    try tables.map { (table) throws(StoreError) in
      guard table.isKeyedByRow else { return 1 }
      return (try connection.integer("SELECT max(\"_id\") FROM \(SQL.quote(table.name))") ?? 0) + 1
    }
  }
}

extension DatabaseConnection {
  /// The first value of the first row of a query, a number; nil where there is none.
  func integer(_ sql: String) throws(StoreError) -> Int64? {
    let statement = try prepare(sql)
    guard try statement.next() else { return nil }
    defer { statement.reset() }
    return statement.isNull(0) ? nil : Int64(bitPattern: statement.word(0, .integer64))
  }
}
