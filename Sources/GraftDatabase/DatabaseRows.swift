import Graft

/// Reads rows of a database: by statements, or in groups that were requested before.
final class DatabaseRows: RowSource {
  let schema: DatabaseSchema
  private(set) var statements: DatabaseStatements
  private let layout: StoreLayout
  /// The identities that the database has, by identity index; nil if they are not known.
  @safe @exclusivity(unchecked) private var filters: [BloomFilter?]
  private var filterMemory = BloomFilter.Memory()
  private var prefetched: PrefetchedRows
  /// The rows of the batch as they were read.
  private(set) var kept = RowLog()
  /// The batch before this one, while it is being written.
  private var pending: PendingBatch?
  /// Waits until the batch before this one has been written.
  private var awaitSave: (() throws(StoreError) -> Void)?
  private var hasStaleRows = false

  init(_ statements: DatabaseStatements, _ layout: StoreLayout) {
    self.statements = statements
    self.layout = layout
    schema = statements.schema
    filters = Array(repeating: nil, count: layout.indexCount)
    prefetched = PrefetchedRows(schema)
  }

  var layouts: [RowLayout] { schema.layouts }
  var isLookAhead: Bool { false }

  // MARK: The rows as they were read

  func keep(_ row: borrowing RowBuffer, of object: ObjectID) { kept.append(row, of: object) }

  /// Forgets the rows of a batch that has been saved.
  func forgetKept() { kept.removeAll() }

  // MARK: The batch that is being written

  /// Continues to read while another connection writes a batch.
  ///
  /// - Parameters:
  ///   - pending: The rows of the batch.
  ///   - statements: The statements of the connection that reads from now on.
  ///   - awaitSave: Waits until the batch has been written, and calls ``noteSaved()``.
  func resume(
    beside pending: PendingBatch, reading statements: DatabaseStatements,
    _ awaitSave: @escaping () throws(StoreError) -> Void
  ) {
    self.statements = statements
    self.pending = pending
    self.awaitSave = awaitSave
  }

  /// Notes that the batch was saved, and forgets rows that may lack its changes.
  func noteSaved() {
    guard pending != nil else { return }
    pending = nil
    awaitSave = nil
    hasStaleRows = true
  }

  /// Forgets rows that were read before a batch was written.
  ///
  /// The rows are not forgotten at once: a statement that is prepared while a row is taken may wait for the batch.
  private func forgetStaleRows() {
    if hasStaleRows { forgetRequested() }
  }

  /// Waits for the batch that is being written, because a look-up may find any of its rows.
  private func settle() throws(StoreError) {
    try awaitSave?()
    forgetStaleRows()
  }

  // MARK: Identities that the database may have

  /// Notes which tables are empty: only objects that this import inserts can be found in them.
  func noteEmptyTables(_ isEmpty: (DatabaseSchema.Table) -> Bool) {
    var indexes = Array(repeating: true, count: layout.indexCount)
    for table in schema.tables where !isEmpty(table) {
      for entity in table.entities where layout.identities[entity].index >= 0 {
        indexes[layout.identities[entity].index] = false
      }
    }
    filters = indexes.map { $0 ? BloomFilter() : nil }
  }

  /// Notes that the row of an identity is in the database.
  func noteWritten(_ id: ObjectID, _ identity: [Int], in graph: Graph) {
    let index = layout.identities[id.entity].index
    guard index >= 0, filters[index] != nil,
      let hash = graph.withValues(identity, of: id, { layout.hash($0, of: id.entity) })
    else { return }
    filters[index]?.insert(hash, &filterMemory)
  }

  /// Forgets which identities the database has, because another writer may have added some.
  func forgetFilters() {
    for index in filters.indices { filters[index] = nil }
    filterMemory = BloomFilter.Memory()
  }

  /// Returns whether there may be a row of an identity.
  func mayHave(_ entity: Int, _ values: BorrowedBuffer<RawValue>) -> Bool {
    if values.contains(where: \.isNull) { return false }
    let index = layout.identities[entity].index
    guard filters[index] != nil, let hash = layout.hash(values, of: entity) else { return true }
    return filters[index]?.mayContain(hash) ?? true
  }

  // MARK: Requests

  /// Begins the requests of another chunk, and drops those of the chunk before the last.
  func beginChunk() { prefetched.beginChunk() }

  /// Requests the row of an identity.
  func request(identityOf entity: Int, _ values: BorrowedBuffer<RawValue>) {
    // The batch that is being written has these rows, until another is written in its place.
    prefetched.requestRow(
      of: schema.model.entities[entity].identityRoot, values,
      isNeeded: pending?.hasRow(identityOf: entity, values) != true)
  }

  /// Requests the members of an object's list.
  func request(_ end: DatabaseSchema.ListEnd, _ key: BorrowedBuffer<RawValue>) {
    prefetched.requestMembers(end, key)
  }

  /// Sends the queries for all that was requested.
  func sendRequests() throws(StoreError) {
    forgetStaleRows()
    try prefetched.ask(statements)
  }

  /// Forgets the rows that were requested, because the batch being written changes them.
  func forgetRequested() {
    hasStaleRows = false
    prefetched.forgetContent()
  }

  // MARK: Rows

  func readRow(
    identityOf entity: Int, _ values: BorrowedBuffer<RawValue>, into row: inout RowBuffer
  ) throws(StoreError) -> Bool {
    guard mayHave(entity, values) else { return false }
    forgetStaleRows()
    if let pending, pending.readRow(identityOf: entity, values, into: &row) { return true }
    // Entities that share an identity are in one table, under the topmost of them.
    let root = schema.model.entities[entity].identityRoot
    let table = schema.table(of: root)
    switch try prefetched.takeRow(of: root, values, statements) {
    case .unknown: break
    case .absent: return false
    case .present(let found):
      swap(&row, &found.row)
      prefetched.reuse(found)
      return true
    }
    let statement = try statements.select(identityOf: root)
    DatabaseStatements.bind(values, table.identityColumns[root], to: statement)
    return try read(statement, table, into: &row)
  }

  func readRow(
    of key: BorrowedBuffer<RawValue>, _ entity: Int, isWhole: Bool, into row: inout RowBuffer
  ) throws(StoreError) -> Bool {
    forgetStaleRows()
    if let pending, pending.readRow(of: key, entity, into: &row) { return true }
    let table = schema.table(of: entity)
    // A row that was requested is returned once.
    if isWhole, !table.isKeyedByNumber,
      case .present(let found) = try prefetched.takeRow(
        of: schema.model.entities[entity].identityRoot, key, statements)
    {
      swap(&row, &found.row)
      prefetched.reuse(found)
      return true
    }
    let statement = try statements.select(keyOf: table.number)
    DatabaseStatements.bind(key, table.keyColumns, to: statement)
    return try read(statement, table, into: &row)
  }

  func readAnyRow(of entity: Int, into row: inout RowBuffer) throws(StoreError) -> Bool {
    try settle()
    return try read(try statements.select(anyOf: entity), schema.table(of: entity), into: &row)
  }

  private func read(
    _ statement: any DatabaseStatement, _ table: DatabaseSchema.Table, into row: inout RowBuffer
  ) throws(StoreError) -> Bool {
    guard try statement.next() else { return false }
    row.read(statement, table, schema.model)
    statement.reset()
    return true
  }

  func missingRow(of entity: Int) -> StoreError {
    StoreError(
      .database,
      "\(statements.connection.name): a link leads to a row of \"\(schema.table(of: entity).name)\" that"
        + " is not there; the database was changed by something else")
  }

  // MARK: Keys

  func keys(of entity: Int) throws(StoreError) -> RowKeys {
    try settle()
    return try DatabaseQuery(entity: schema.model.entities[entity]).keys(statements, [entity])
  }

  func keys(of entity: Int, attribute: Int, _ value: RawValue) throws(StoreError) -> RowKeys {
    try settle()
    let table = schema.table(of: entity)
    let column = table.attributes[entity][attribute]
    let statement = try statements.selectKeys(of: entity, where: [column])
    DatabaseStatements.bind(value, table.columns[column].type, to: statement, 0)
    return try statement.keys(table.keyColumns, of: table.number)
  }

  func keys(
    ofMembers relationship: Int, of entity: Int, _ key: BorrowedBuffer<RawValue>
  ) throws(StoreError) -> RowKeys {
    forgetStaleRows()
    switch pending?.members(relationship, of: entity, key) {
    case .unchanged?, nil: break
    case .known(let keys)?: return keys
    case .unknown?: try settle()
    }
    if let end = schema.listEnd(of: relationship, of: entity),
      !schema.tables[end.table].isKeyedByNumber
    {
      switch try prefetched.takeMembers(end, key, statements) {
      case .unknown: break
      case .absent: return RowKeys([], of: end.otherTable)
      case .present(let keys): return keys
      }
    }
    guard case .list(let number)? = schema.members[entity][relationship] else {
      let link = schema.model.entities[entity].relationships[relationship]
      return try storedKeys(ofOwners: link.inverse ?? 0, of: link.destination, key)
    }
    return try storedKeys(at: schema.lists[number].end(ofOwners: true), key)
  }

  private func storedKeys(
    at end: DatabaseSchema.ListEnd, _ key: BorrowedBuffer<RawValue>
  ) throws(StoreError) -> RowKeys {
    let statement = try statements.select(membersAt: end)
    DatabaseStatements.bind(key, end.columns, to: statement)
    return try statement.keys(end.otherColumns, of: end.otherTable)
  }

  func keys(
    ofOwners relationship: Int, of entity: Int, _ key: BorrowedBuffer<RawValue>
  ) throws(StoreError) -> RowKeys {
    try settle()
    return try storedKeys(ofOwners: relationship, of: entity, key)
  }

  private func storedKeys(
    ofOwners relationship: Int, of entity: Int, _ key: BorrowedBuffer<RawValue>
  ) throws(StoreError) -> RowKeys {
    if case .list(let number)? = schema.members[entity][relationship] {
      return try storedKeys(at: schema.lists[number].end(ofOwners: false), key)
    }
    let table = schema.table(of: entity)
    let columns = table.references[entity][relationship]
    let statement = try statements.selectKeys(of: entity, where: columns)
    DatabaseStatements.bind(key, columns.map { table.columns[$0] }, to: statement)
    return try statement.keys(table.keyColumns, of: table.number)
  }
}
