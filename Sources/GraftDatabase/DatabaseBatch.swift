// A batch is a graph of the objects that the document has mentioned since the last save. Objects
// that the database has are first read from there. Of
//
//   {"id": 7, "text": "Hi!", "user": {"id": 3, "name": "Ada"}}
//
// where the database has user 3 and not tweet 7: the resolver looks for user 3, which the transaction does not
// hold; the batch reads the row, and inserts it. Then the import goes on as in memory: the user's name is
// compared and written, and the tweet inserted and linked. At the save, `BatchWriter` inserts the tweet's row, and
// updates the user's if a value differed.
//
// Each object of the batch has a state, which describes its row in the database:
//
// - new        nothing; its row is inserted
// - stored     there is a row; it is updated if the object is written
// - unread     stored, but only the key was read, because a link leads there
//
// An import reads without a lock, so that others may write before its batch is saved. The rows and
// lists that it has read are kept as they were. At the save, `BatchRebase` replays the changes of
// the batch onto the present rows if another writer has committed.
//
// Links of a stored object to one object are columns of its row. A list is read before it is
// changed; until then it holds only the links that the batch has made. `StoredLists` has the
// members of each list that was read, as they are in the database.

import Graft

/// The flags that describe an object's row in the database.
struct StoredState: OptionSet {
  let rawValue: UInt8
  /// There is a row.
  static let stored = StoredState(rawValue: 1)
  /// Only the key of the row was read.
  static let unread = StoredState(rawValue: 2)
  /// A value or link was written.
  static let written = StoredState(rawValue: 4)
}

/// Reads objects from a database into a transaction, and tracks which of its objects have rows there.
final class DatabaseBatch: ObjectSource {
  let schema: DatabaseSchema
  let statements: DatabaseStatements
  // Unchecked, here and below: no function changes a property while its caller changes the same one.
  @safe @exclusivity(unchecked) private var attached: GraphTransaction?
  /// By entity and row.
  @safe @exclusivity(unchecked) private var states: [[StoredState]]
  /// The `_id` of objects of tables that are keyed by it, by entity and row.
  @safe @exclusivity(unchecked) private var rowIDs: [[Int64]]
  /// By table, the objects that are held, by their `_id`.
  private var objectsByRow: [[Int64: ObjectID]]
  /// The lists that were read.
  @safe @exclusivity(unchecked) private var lists: StoredLists
  /// The rows of objects that were removed.
  private(set) var removed: Set<RowKey> = []
  private var promotions: [ObjectID: ObjectID] = [:]
  /// The keys that the rows have of objects that got another identity, and the objects by these keys.
  private(set) var formerKeys: [ObjectID: RowKey] = [:]
  private var movedObjects: [RowKey: ObjectID] = [:]
  /// Whether an object of the batch got another identity.
  ///
  /// Its row may then be found by an identity that the object no longer has.
  private var hasIdentityChanges = false
  /// By identity index, the identities that the database has; nil where they are not known.
  @safe @exclusivity(unchecked) private var filters: [BloomFilter?]
  private var filterMemory = BloomFilter.Memory()
  private var failure: StoreError?
  @safe @exclusivity(unchecked) private var row = RowBuffer()
  private var prefetched: PrefetchedRows
  /// Whether rows and lists are kept as they were read: others may write before the batch is saved.
  var keepsRows = false
  /// The rows of the batch as they were read.
  private var rows = RowLog()
  /// A link leads to a row that does not exist; an error unless another writer has deleted the row
  /// since.
  private(set) var missingRow: StoreError?

  init(schema: DatabaseSchema, statements: DatabaseStatements) {
    self.schema = schema
    self.statements = statements
    states = schema.model.entities.map { _ in [] }
    rowIDs = schema.model.entities.map { _ in [] }
    lists = StoredLists(entityCount: schema.model.entities.count)
    objectsByRow = schema.tables.map { _ in [:] }
    filters = []
    prefetched = PrefetchedRows(schema)
  }

  /// The transaction that holds the batch; it owns this object.
  var transaction: GraphTransaction {
    guard let attached else { misuse("a batch is read before its import has begun") }
    return attached
  }

  /// Begins the first batch; any identity may be in the database.
  func attach(_ transaction: GraphTransaction) {
    attached = transaction
    filters = Array(repeating: nil, count: transaction.layout.indexCount)
  }

  /// Ends the batch, so that it and the transaction, which owns it, do not keep each other.
  func detach() {
    attached = nil
  }

  /// Begins the next batch, which holds no objects.
  func reset() {
    for entity in states.indices {
      states[entity].removeAll(keepingCapacity: true)
      rowIDs[entity].removeAll(keepingCapacity: true)
    }
    for table in objectsByRow.indices where !objectsByRow[table].isEmpty {
      objectsByRow[table].removeAll(keepingCapacity: true)
    }
    lists.removeAll()
    rows.removeAll()
    missingRow = nil
    removed.removeAll(keepingCapacity: true)
    promotions.removeAll()
    prefetched.forgetContent()
    formerKeys.removeAll()
    movedObjects.removeAll()
    hasIdentityChanges = false
  }

  /// Notes which tables are empty: only objects that this import inserts can be found in them.
  func noteEmptyTables(_ isEmpty: (DatabaseSchema.Table) -> Bool) {
    let layout = transaction.layout
    var indexes = Array(repeating: true, count: layout.indexCount)
    for table in schema.tables where !isEmpty(table) {
      for entity in table.entities where layout.identities[entity].index >= 0 {
        indexes[layout.identities[entity].index] = false
      }
    }
    filters = indexes.map { $0 ? BloomFilter() : nil }
  }

  /// The rows, lists and states that the batch read from the database.
  var origin: BatchOrigin {
    BatchOrigin(
      schema: schema, rows: rows, lists: lists, states: states, rowIDs: rowIDs,
      promotions: promotions)
  }

  /// Forgets which identities the database has, because another writer may have added some.
  func forgetFilters() {
    for index in filters.indices { filters[index] = nil }
    filterMemory = BloomFilter.Memory()
  }

  /// - Throws: The first error of a function that cannot throw itself.
  func check() throws(StoreError) {
    if let failure { throw failure }
  }

  // MARK: States

  func state(of id: ObjectID) -> StoredState {
    id.row < states[id.entity].count ? states[id.entity][id.row] : []
  }

  /// The rows and lists that were read so far.
  var readRows: ReadRows { ReadRows(states: states, lists: lists.withoutMembers) }

  private func setState(_ state: StoredState, of id: ObjectID) {
    while states[id.entity].count <= id.row { states[id.entity].append([]) }
    states[id.entity][id.row] = state
  }

  /// Returns the `_id` of an object; nil where it has none yet.
  func rowID(of id: ObjectID) -> Int64? {
    guard id.row < rowIDs[id.entity].count, rowIDs[id.entity][id.row] != 0 else { return nil }
    return rowIDs[id.entity][id.row]
  }

  func setRowID(_ number: Int64, of id: ObjectID) {
    while rowIDs[id.entity].count <= id.row { rowIDs[id.entity].append(0) }
    rowIDs[id.entity][id.row] = number
    objectsByRow[schema.tableNumbers[id.entity]][number] = id
  }

  /// Returns the object in the place of a stub that was promoted, or the object itself.
  func current(_ id: ObjectID) -> ObjectID {
    var current = id
    while let next = promotions[current] { current = next }
    return current
  }

  /// Calls a closure with the key that an object's row has in the database.
  func withKey<R>(of id: ObjectID, _ body: (BorrowedBuffer<RawValue>) -> R) -> R {
    if !formerKeys.isEmpty, let former = formerKeys[id] {
      return OwnedValue.withRawValues(former.values[...], body)
    }
    if schema.table(of: id.entity).isKeyedByRow {
      return BorrowedBuffer.withOne(.integer(rowID(of: id) ?? 0), body)
    }
    return transaction.withIdentity(of: id, body)
  }

  /// Returns the key of an object's row.
  func key(of id: ObjectID) -> RowKey {
    RowKey(
      table: schema.tableNumbers[id.entity],
      values: withKey(of: id) { $0.map { OwnedValue($0) } })
  }

  /// Does something that may fail; a failure ends the import at its next check.
  private func attempt<R>(_ fallback: R, _ body: () throws(StoreError) -> R) -> R {
    guard failure == nil else { return fallback }
    do throws(StoreError) {
      return try body()
    } catch {
      failure = error
      return fallback
    }
  }

  // MARK: Prefetching

  /// Begins the requests of another chunk, and drops those of the chunk before the last.
  func beginPrefetching() { prefetched.beginChunk() }

  /// Sends the queries for all that was requested.
  func sendPrefetches() {
    attempt(()) { () throws(StoreError) in try prefetched.ask(statements) }
  }

  /// Requests the row of an identity, unless the row was read or certainly does not exist.
  func prefetch(identityOf entity: Int, _ values: BorrowedBuffer<RawValue>) {
    let layout = transaction.layout
    guard let hash = layout.hash(values, of: entity),
      filters[layout.identities[entity].index]?.mayContain(hash) ?? true
    else { return }
    if let held = transaction.held(identityOf: entity, values),
      !state(of: held).contains(.unread)
    {
      return
    }
    prefetched.requestRow(
      of: schema.model.entities[entity].identityRoot, values.map { OwnedValue($0) })
  }

  /// Requests the members of an object's list, unless the list was read or the object certainly
  /// does not exist.
  func prefetch(membersOf relationship: Int, of entity: Int, _ identity: BorrowedBuffer<RawValue>) {
    guard let end = schema.listEnd(of: relationship, of: entity),
      !schema.table(of: entity).isKeyedByRow, !identity.contains(where: \.isNull)
    else { return }
    let layout = transaction.layout
    guard let hash = layout.hash(identity, of: entity),
      filters[layout.identities[entity].index]?.mayContain(hash) ?? true
    else { return }
    if let held = transaction.held(identityOf: entity, identity),
      lists.hasRead(relationship, of: held)
    {
      return
    }
    prefetched.requestMembers(end, identity.map { OwnedValue($0) })
  }

  // MARK: Objects

  func find(identityOf entity: Int, _ values: BorrowedBuffer<RawValue>) -> ObjectID? {
    let layout = transaction.layout
    guard let hash = layout.hash(values, of: entity) else { return nil }
    let index = layout.identities[entity].index
    if let filter = filters[index], !filter.mayContain(hash) { return nil }
    return attempt(nil) { () throws(StoreError) in
      // Entities that share an identity are in one table, under the topmost of them.
      let root = schema.model.entities[entity].identityRoot
      let table = schema.table(of: root)
      switch try prefetched.takeRow(of: root, values, statements) {
      case .unknown: break
      case .absent: return nil
      case .present(let found):
        swap(&row, &found.row)
        return try bringRow(of: table)
      }
      let statement = try statements.select(identityOf: root)
      DatabaseStatements.bind(values, table.identityColumns[root], to: statement)
      guard try statement.next() else { return nil }
      defer { statement.reset() }
      let found = try bring(statement, table)
      guard hasIdentityChanges, let found else { return found }
      return transaction.hasIdentity(found, values) ? found : nil
    }
  }

  func findAll(_ entity: Int, attribute: Int, _ value: RawValue) -> [ObjectID] {
    attempt([]) { () throws(StoreError) in
      let table = schema.table(of: entity)
      let column = table.attributes[entity][attribute]
      let statement = try statements.selectKeys(of: entity, where: [column])
      DatabaseStatements.bind(value, table.columns[column].type, to: statement, 0)
      return try objects(statement, table.keyColumns, table, readingValues: true)
    }
  }

  func findAny(of entity: Int) -> ObjectID? {
    attempt(nil) { () throws(StoreError) in
      let table = schema.table(of: entity)
      let statement = try statements.select(anyOf: entity)
      guard try statement.next() else { return nil }
      defer { statement.reset() }
      return try bring(statement, table)
    }
  }

  func readAll(of entity: Int) {
    attempt(()) { () throws(StoreError) in
      let query = DatabaseQuery(entity: schema.model.entities[entity])
      let keys = try query.keys(statements, [entity])
      _ = try objects(for: keys, readingValues: true)
    }
  }

  /// Returns the objects that a query finds, with their values.
  func objects(_ query: DatabaseQuery) throws(StoreError) -> [ObjectID] {
    try check()
    return try objects(for: query.keys(statements), readingValues: true)
  }

  /// Returns the object of a key, with its values; nil where there is none, and after a failure.
  func find(_ key: RowKey) -> ObjectID? {
    attempt(nil) { () throws(StoreError) in try object(for: key, readingValues: true) }
  }

  /// Returns the objects for keys, in the same order and without removed ones; see
  /// ``object(for:readingValues:)``.
  func objects(for keys: [RowKey], readingValues: Bool) throws(StoreError) -> [ObjectID] {
    var objects: [ObjectID] = []
    objects.reserveCapacity(keys.count)
    for key in keys {
      if let object = try object(for: key, readingValues: readingValues) { objects.append(object) }
    }
    return objects
  }

  /// Returns the object of a key, and reads it into the transaction if it is not there yet.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - readingValues: Whether its values are read too; otherwise a link may lead to it, and no more.
  /// - Returns: The object; nil where it was removed, or there is none.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func object(for key: RowKey, readingValues: Bool) throws(StoreError) -> ObjectID? {
    guard !removed.contains(key) else { return nil }
    if !movedObjects.isEmpty, let moved = movedObjects[key] {
      if readingValues { readValues(of: moved) }
      return moved
    }
    let table = schema.tables[key.table]
    let held: ObjectID? = OwnedValue.withRawValues(key.values[...]) { values in
      table.isKeyedByRow
        ? objectsByRow[key.table][values[0].integer]
        : transaction.held(identityOf: table.entities[0], values)
    }
    if let held {
      if readingValues { readValues(of: held) }
      return held
    }
    if !readingValues, table.isKnownByKey {
      return OwnedValue.withRawValues(key.values[...]) { objectKnownByKey($0, table) }
    }
    let statement = try statements.select(keyOf: key.table)
    OwnedValue.withRawValues(key.values[...]) {
      DatabaseStatements.bind($0, table.keyColumns, to: statement)
    }
    guard try statement.next() else { return nil }
    defer { statement.reset() }
    return try bring(statement, table, readingValues: readingValues)
  }

  /// Brings the object of a statement's row into the transaction.
  ///
  /// - Returns: The object; nil where it was removed in this batch.
  private func bring(
    _ statement: any DatabaseStatement, _ table: DatabaseSchema.Table, readingValues: Bool = true
  ) throws(StoreError) -> ObjectID? {
    row.read(statement, table.columns)
    statement.reset()
    return try bringRow(of: table, readingValues: readingValues)
  }

  /// Brings the object of the row that was read last.
  private func bringRow(
    of table: DatabaseSchema.Table, readingValues: Bool = true
  ) throws(StoreError) -> ObjectID? {
    let number = table.number
    if hasMovedRows {
      let key = row.key(table.key, of: number)
      if removed.contains(key) { return nil }
      if let moved = movedObjects[key] { return moved }
    }
    if table.isKeyedByRow {
      let held = row.withValues(table.key) { objectsByRow[number][$0[0].integer] }
      if let held {
        if readingValues { readValues(of: held) }
        return held
      }
    }
    let entity = row.entity(of: table, schema.model)
    let id = row.withValues(table.identities[entity]) {
      transaction.insert(entity: entity, identity: $0, stub: true)
    }
    setState([.stored, .unread], of: id)
    if table.isKeyedByRow {
      setRowID(row.withValues(table.key) { $0[0].integer }, of: id)
    }
    if readingValues { try fill(id, table) }
    return id
  }

  func readValues(of id: ObjectID) {
    guard state(of: id).contains(.unread) else { return }
    attempt(()) { () throws(StoreError) in
      let table = schema.table(of: id.entity)
      let root = schema.model.entities[id.entity].identityRoot
      if !table.isKeyedByRow,
        case .present(let found) = try transaction.withIdentity(
          of: id,
          { (values) throws(StoreError) in
            try prefetched.takeRow(of: root, values, statements)
          })
      {
        swap(&row, &found.row)
        return try fill(id, table)
      }
      let statement = try statements.select(keyOf: table.number)
      bindKey(of: id, to: statement)
      guard try statement.next() else {
        let error = StoreError(
          .database,
          "\(statements.connection.name): a link leads to a row of \"\(table.name)\" that"
            + " is not there; the database was changed by something else")
        guard keepsRows else { throw error }
        // Another writer may have deleted the row since the link was read.
        missingRow = missingRow ?? error
        return setState([.stored], of: id)
      }
      row.read(statement, table.columns)
      statement.reset()
      try fill(id, table)
    }
  }

  /// Writes the values and links of the row that was read last into an object.
  private func fill(_ id: ObjectID, _ table: DatabaseSchema.Table) throws(StoreError) {
    setState([.stored], of: id)
    if keepsRows { rows.append(row, of: id) }
    let entity = schema.model.entities[id.entity]
    row.withAll { transaction.write($0, of: table, to: id) }
    var others: [(relationship: Int, key: RowKey)] = []
    for (number, positions) in table.references[id.entity].enumerated() where !positions.isEmpty {
      let target = schema.table(of: entity.relationships[number].destination)
      row.withValues(positions) { key in
        if key.contains(where: \.isNull) { return }
        if target.isKnownByKey, !hasMovedRows {
          transaction.link(id, number, to: objectKnownByKey(key, target))
        } else {
          others.append((number, RowKey(table: target.number, values: key.map { OwnedValue($0) })))
        }
      }
    }
    // The calls below read other rows into the buffer.
    for (number, key) in others {
      guard let target = try object(for: key, readingValues: false) else { continue }
      transaction.link(id, number, to: target)
    }
    for (number, relationship) in entity.relationships.enumerated()
    where relationship.isToMany && relationship.isBounded {
      readTargets(of: id, number)
    }
  }

  // MARK: Links

  func readTargets(of id: ObjectID, _ relationship: Int) {
    guard state(of: id).contains(.stored) else { return }
    readValues(of: id)
    guard let members = schema.members[id.entity][relationship],
      !lists.hasRead(relationship, of: id)
    else { return }
    lists.noteRead(relationship, of: id)
    attempt(()) { () throws(StoreError) in
      let stored = try memberObjects(of: id, relationship, members)
      guard !stored.isEmpty else { return }
      lists.setMembers(stored, relationship, of: id)
      let hasAll = !stored.contains { hasLeft($0, id, relationship) }
      let present = hasAll ? stored : stored.filter { !hasLeft($0, id, relationship) }
      transaction.link(id, relationship, toAll: present)
    }
  }

  /// Returns the members of a list, as they were read from the database.
  func storedMembers(of id: ObjectID, _ relationship: Int) -> ArraySlice<ObjectID> {
    let stored = lists.members(relationship, of: id)
    return promotions.isEmpty ? stored : stored.map(current)[...]
  }

  /// Returns whether this batch has removed a link of the database, from its other end.
  private func hasLeft(_ member: ObjectID, _ owner: ObjectID, _ relationship: Int) -> Bool {
    guard let inverse = schema.model.entities[owner.entity].relationships[relationship].inverse
    else { return false }
    let destination = schema.model.entities[member.entity].relationships[inverse]
    let isKnown =
      destination.isToMany
      ? lists.hasRead(inverse, of: member) && member != owner
      : !state(of: member).contains(.unread)
    return isKnown
      && !transaction.tables.targets(member, relationship: inverse).contains(owner)
  }

  private func memberObjects(
    of id: ObjectID, _ relationship: Int, _ members: DatabaseSchema.Members
  ) throws(StoreError) -> [ObjectID] {
    if let end = schema.listEnd(of: relationship, of: id.entity),
      !schema.tables[end.table].isKeyedByRow
    {
      switch try prefetched.takeMembers(end, key(of: id).values, statements) {
      case .unknown: break
      case .absent: return []
      case .present(let keys): return try objects(for: keys, readingValues: false)
      }
    }
    guard case .list(let number) = members else {
      let link = schema.model.entities[id.entity].relationships[relationship]
      return try owners(of: link.inverse ?? 0, from: link.destination, to: id, readingValues: false)
    }
    let list = schema.lists[number]
    let statement = try statements.selectMembers(number)
    bindKey(of: id, to: statement)
    return try objects(
      statement, list.memberColumns, schema.tables[list.memberTable], readingValues: false)
  }

  /// Returns the objects of an entity whose relationship leads to a given object.
  private func owners(
    of relationship: Int, from entity: Int, to id: ObjectID, readingValues: Bool
  ) throws(StoreError) -> [ObjectID] {
    let table = schema.table(of: entity)
    if case .list(let number)? = schema.members[entity][relationship] {
      let statement = try statements.selectOwners(number)
      bindKey(of: id, to: statement)
      let list = schema.lists[number]
      return try objects(
        statement, list.ownerColumns, schema.tables[list.ownerTable], readingValues: readingValues)
    }
    let statement = try statements.selectKeys(
      of: entity, where: table.references[entity][relationship])
    bindKey(of: id, to: statement)
    return try objects(statement, table.keyColumns, table, readingValues: readingValues)
  }

  private func bindKey(of id: ObjectID, to statement: any DatabaseStatement) {
    withKey(of: id) {
      DatabaseStatements.bind($0, schema.table(of: id.entity).keyColumns, to: statement)
    }
  }

  /// Returns the objects for the keys that a statement finds, without removed ones.
  private func objects(
    _ statement: any DatabaseStatement, _ columns: [DatabaseSchema.Column],
    _ table: DatabaseSchema.Table, readingValues: Bool
  ) throws(StoreError) -> [ObjectID] {
    if table.isKnownByKey, !readingValues, !hasMovedRows {
      var objects: [ObjectID] = []
      while try statement.next() {
        row.read(statement, columns)
        objects.append(row.withAll { objectKnownByKey($0, table) })
      }
      return objects
    }
    // All keys first: bringing an object may read other rows, and run the same statement again.
    return try objects(
      for: statement.readKeys(columns, of: table.number), readingValues: readingValues)
  }

  /// Returns the object of a key without reading its row, because the key alone determines the object.
  private func objectKnownByKey(
    _ key: BorrowedBuffer<RawValue>, _ table: DatabaseSchema.Table
  ) -> ObjectID {
    let entity = table.entities[0]
    if let held = transaction.held(identityOf: entity, key) { return held }
    let id = transaction.insert(entity: entity, identity: key, stub: true)
    setState([.stored, .unread], of: id)
    return id
  }

  func readNeighbours(of id: ObjectID) {
    guard state(of: id).contains(.stored) else { return }
    readValues(of: id)
    for (number, relationship) in schema.model.entities[id.entity].relationships.enumerated() {
      readTargets(of: id, number)
      guard let inverse = relationship.inverse else { continue }
      let isToMany = schema.model.entities[relationship.destination].relationships[inverse].isToMany
      for target in transaction.tables.targets(id, relationship: number) {
        if isToMany { readTargets(of: target, inverse) } else { readValues(of: target) }
      }
    }
    for (entity, number) in transaction.layout.oneWayRelationships {
      let destination = schema.model.entities[entity].relationships[number].destination
      guard schema.model.entities[destination].family.contains(id.entity) else { continue }
      attempt(()) { () throws(StoreError) in
        for owner in try owners(of: number, from: entity, to: id, readingValues: true) {
          readTargets(of: owner, number)
        }
      }
    }
  }

  func prepareLinks(of id: ObjectID, _ relationship: Int, to targets: Span<ObjectID>) {
    readTargets(of: id, relationship)
    let link = schema.model.entities[id.entity].relationships[relationship]
    guard let inverse = link.inverse else { return }
    let back = schema.model.entities[link.destination].relationships[inverse]
    // A list without order takes its members by the key alone.
    guard !back.isToMany || back.isOrdered || back.isBounded else { return }
    func prepare(_ target: ObjectID) {
      guard state(of: target).contains(.stored) || !back.isToMany else { return }
      readTargets(of: target, inverse)
      guard !back.isToMany else { return }
      // A list that the target is taken from must be known where its order is kept.
      if let previous = transaction.tables.toOne(target, relationship: inverse), previous != id {
        readTargets(of: previous, relationship)
      }
    }
    for index in targets.indices { prepare(targets[index]) }
    if state(of: id).contains(.stored) {
      for target in transaction.tables.targets(id, relationship: relationship) { prepare(target) }
    }
  }

  func noteChange(of id: ObjectID) {
    let state = state(of: id)
    if state.contains(.stored), !state.contains(.written) {
      setState(state.union(.written), of: id)
    }
  }

  func isUnchanged(_ id: ObjectID) -> Bool {
    let state = state(of: id)
    return state.contains(.stored) && !state.contains(.written)
  }

  /// A row whose object got another identity is found by the former one.
  func noteIdentityChange(of id: ObjectID) {
    guard state(of: id).contains(.stored) else { return }
    noteChange(of: id)
    hasIdentityChanges = true
    guard !schema.table(of: id.entity).isKeyedByRow, formerKeys[id] == nil else { return }
    let key = key(of: id)
    formerKeys[id] = key
    movedObjects[key] = id
  }

  /// Whether a row of the database may belong to another object than its key names, or to none.
  private var hasMovedRows: Bool { !removed.isEmpty || !movedObjects.isEmpty }

  // MARK: Promotion and removal

  func notePromotion(of stub: ObjectID, to object: ObjectID) {
    promotions[stub] = object
    let state = state(of: stub)
    guard state.contains(.stored) else { return }
    setState(state.union(.written), of: object)
    setState([], of: stub)
    if let number = rowID(of: stub) { setRowID(number, of: object) }
    for number in schema.model.entities[stub.entity].relationships.indices {
      lists.move(number, from: stub, to: object)
    }
  }

  func noteRemoval(of id: ObjectID) {
    guard state(of: id).contains(.stored) else { return }
    let key = key(of: id)
    formerKeys[id] = nil
    movedObjects[key] = nil
    removed.insert(key)
    setState([], of: id)
    if let number = rowID(of: id) { objectsByRow[key.table][number] = nil }
  }

  /// Notes that the rows of a batch are in the database.
  func noteWritten(_ id: ObjectID, hash: UInt32?) {
    let index = transaction.layout.identities[id.entity].index
    if index >= 0, let hash { filters[index]?.insert(hash, &filterMemory) }
  }

  /// Whether the batch knows all members of a list: the list was read, or the object is new.
  func isKnown(_ id: ObjectID, _ relationship: Int) -> Bool {
    !state(of: id).contains(.stored) || lists.hasRead(relationship, of: id)
  }
}

extension GraphTransaction {
  /// Writes a link that a source has read, and its inverse.
  func link(_ id: ObjectID, _ relationship: Int, to target: ObjectID) {
    writeLinks { _ = $0.setToOne(id, relationship, target) }
  }

  /// Writes the members of a list that a source has read, in their order, and their inverse.
  func link(_ id: ObjectID, _ relationship: Int, toAll members: [ObjectID]) {
    writeLinks { links in
      if tables[id.entity].shape.relationships[relationship].isOrdered {
        _ = links.setToMany(id, relationship, members.span)
      } else {
        _ = links.unite(id, relationship, members.span)
      }
    }
  }
}
