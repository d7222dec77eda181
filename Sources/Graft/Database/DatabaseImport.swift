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
  private(set) var unfilledStubCount = 0

  init(
    _ connection: any DatabaseConnection, _ schema: DatabaseSchema, _ record: ImportRecord,
    _ options: ImportOptions
  ) {
    self.connection = connection
    self.schema = schema
    self.record = record
    self.options = options
    batch = DatabaseBatch(
      schema: schema, statements: DatabaseStatements(connection, schema))
  }

  var source: any ObjectSource { batch }
  var resumed: ImportPlace? { record.resumed?.place }

  func begin(_ transaction: GraphTransaction) throws(StoreError) {
    batch.attach(transaction)
    do throws(StoreError) {
      _ = try connection.begin()
      try record.begin(connection)
      try readTables()
      if options.deletesMissing {
        mentions = try MentionedRows(batch, connection, isResumed: record.isResumed)
      }
    } catch {
      // Nobody else will, since there is no import.
      abandon()
      throw error
    }
  }

  /// Reads what the import must know of the tables: which are empty, and which `_id` comes next.
  private func readTables() throws(StoreError) {
    nextRowIDs = []
    var empty: Set<String> = []
    for table in schema.tables {
      var next: Int64 = 1
      if table.isKeyedByRow {
        next = try connection.integer("SELECT max(\"_id\") FROM \(SQL.quote(table.name))") ?? 0
        if next == 0 { empty.insert(table.name) }
        next += 1
      } else if try connection.integer("SELECT 1 FROM \(SQL.quote(table.name)) LIMIT 1") == nil {
        empty.insert(table.name)
      }
      nextRowIDs.append(next)
    }
    batch.noteEmptyTables { empty.contains($0.name) }
  }

  func save(
    _ graph: Graph, _ outcomes: ObjectOutcomes, at place: ImportPlace?
  ) throws(StoreError) {
    try batch.check()
    let writer = BatchWriter(
      batch: batch, graph: graph, outcomes: outcomes, importNumber: record.number)
    try writer.write(&nextRowIDs)
    try mentions?.add(graph, outcomes)
    guard let place else { return try finish(graph) }
    try record.note(place, connection)
    try connection.commit()
    batch.reset()
    if try connection.begin() {
      // Somebody else has written between the two.
      batch.forgetFilters()
      try readTables()
      batch.forgetFilters()
    }
  }

  private func finish(_ graph: Graph) throws(StoreError) {
    try mentions?.remove()
    for table in schema.tables {
      guard let column = table.stubColumn else { continue }
      unfilledStubCount += Int(
        try connection.integer(
          "SELECT count(*) FROM \(SQL.quote(table.name))"
            + " WHERE \(SQL.quote(table.columns[column].name)) = \(record.number)") ?? 0)
    }
    // A first import makes them here; to others, resumed ones included, they are there or lacking.
    for statement in schema.readingIndexStatements() { try connection.execute(statement) }
    try record.end(connection, graph.storage.spellings, schema.model)
    if options.isDryRun { connection.rollback() } else { try connection.commit() }
    batch.detach()
  }

  func missingObjects(
    of entities: Set<Int>, _ outcomes: ObjectOutcomes
  ) throws(StoreError) -> [ObjectID] {
    try mentions?.missing(of: entities, outcomes) ?? []
  }

  func abandon() {
    connection.rollback()
    batch.detach()
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
