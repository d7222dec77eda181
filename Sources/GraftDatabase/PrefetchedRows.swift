// A look-up on a server costs a round trip, whatever it finds. To save round trips, a dry run over
// each chunk (`DatabaseLookAhead`) collects the keys that the import will look up: the identities of its
// objects, and the lists that it will compare. The rows for all of these keys are read with one
// statement for each entity and list. With
//
//   [{"id": 7, "user": {"id": 3}}, {"id": 8, "user": {"id": 4}}]
//
// tweets 7 and 8 and users 3 and 4 are requested. When the import looks up user 3, users 3 and 4 are read at once, and
// the look-up of user 4 finds its row here.
//
// The server works beside the import: the queries of a chunk are sent before the import reads the
// chunk before it. So there are the keys of two chunks here, and those of earlier ones are dropped.
//
// A wrong guess costs time, and changes nothing: a row that the import does not look up is dropped
// with its chunk, and a row that was not requested is looked up by itself. Rows are dropped when
// the batch is written, because the save may change them.

import Graft

/// Keeps the rows and lists that an import will look up, requested or already read.
struct PrefetchedRows {
  /// The result of a look-up here.
  enum Answer<Value> {
    /// The key was not requested: the database must be asked.
    case unknown
    /// The database has no value for the key.
    case absent
    case present(Value)
  }

  /// A row in the order of its table's columns; a class, so that a look-up can swap the buffer out.
  final class Row {
    var row = RowBuffer()
  }

  /// Rows that were taken, whose memory the next ones use.
  private final class SpareRows {
    var rows: [Row] = []
  }

  /// The rows by their identities, for each entity that has an identity.
  private var rows: [LookUpGroup<Row>]
  /// The keys at the other end of each list's end, by the key at this end.
  private var members: [LookUpGroup<RowKeys>]
  private let spare = SpareRows()

  init(_ schema: DatabaseSchema) {
    rows = schema.model.entities.map { _ in LookUpGroup() }
    members = schema.lists.flatMap { _ in [LookUpGroup(), LookUpGroup()] }
  }

  /// Begins the requests of another chunk, and drops those of the chunk before the last.
  mutating func beginChunk() {
    for index in rows.indices { rows[index].beginChunk() }
    for index in members.indices { members[index].beginChunk() }
  }

  /// Forgets all rows that were read, because the batch being written changes them; the keys are requested again.
  mutating func forgetContent() {
    for index in rows.indices { rows[index].forgetContent() }
    for index in members.indices { members[index].forgetContent() }
  }

  /// Requests the row of an identity.
  ///
  /// - Parameters:
  ///   - entity: The topmost entity that has the identity.
  ///   - identity: The values of the identity.
  ///   - isNeeded: Whether the query is sent even if no look-up waits for it.
  mutating func requestRow(of entity: Int, _ identity: BorrowedBuffer<RawValue>, isNeeded: Bool) {
    rows[entity].request(LookUpKey(identity), isNeeded: isNeeded)
  }

  /// Notes that the members of an object's list are about to be read.
  mutating func requestMembers(_ end: DatabaseSchema.ListEnd, _ key: BorrowedBuffer<RawValue>) {
    members[end.number].request(LookUpKey(key), isNeeded: true)
  }

  /// Uses the memory of a row that was taken for another one.
  func reuse(_ row: Row) { spare.rows.append(row) }

  /// Sends the queries for all requested keys, and does not wait for the rows.
  mutating func ask(_ statements: DatabaseStatements) throws(StoreError) {
    for entity in rows.indices where rows[entity].hasRequests {
      try rows[entity].ask(rowQuery(of: entity, statements))
    }
    for list in statements.schema.lists {
      for end in [list.end(ofOwners: true), list.end(ofOwners: false)]
      where members[end.number].hasRequests {
        try members[end.number].ask(memberQuery(end, statements))
      }
    }
  }

  private func rowQuery(
    of entity: Int, _ statements: DatabaseStatements
  ) throws(StoreError) -> LookUpQuery<Row>? {
    guard let statement = try statements.lookUp(identitiesOf: entity) else { return nil }
    let table = statements.schema.table(of: entity)
    let model = statements.schema.model
    return LookUpQuery(
      statement: statement, keyLimit: statements.keyLimit,
      keyColumns: table.identityColumns[entity], numberColumn: table.columns.count
    ) { [spare] statement, _ in
      let row = spare.rows.popLast() ?? Row()
      row.row.read(statement, table, model)
      return row
    }
  }

  private func memberQuery(
    _ end: DatabaseSchema.ListEnd, _ statements: DatabaseStatements
  ) throws(StoreError) -> LookUpQuery<RowKeys>? {
    guard let statement = try statements.lookUp(membersAt: end) else { return nil }
    let columns = end.otherColumns
    return LookUpQuery(
      statement: statement, keyLimit: statements.keyLimit, keyColumns: end.columns,
      numberColumn: columns.count
    ) { statement, earlier in
      let keys = earlier ?? RowKeys(table: end.otherTable, width: columns.count)
      keys.append { $0.append(statement, columns) }
      return keys
    }
  }

  /// Finds the row of an identity, and forgets it, since the transaction holds the object from now on.
  ///
  /// - Parameters:
  ///   - entity: The topmost entity that has the identity.
  ///   - identity: The values of the identity.
  ///   - statements: The statements of the database.
  /// - Returns: The row, where it was requested.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  mutating func takeRow(
    of entity: Int, _ identity: BorrowedBuffer<RawValue>, _ statements: DatabaseStatements
  ) throws(StoreError) -> Answer<Row> {
    guard !rows[entity].isEmpty else { return .unknown }
    let identity = LookUpKey(identity)
    if rows[entity].isUnread(identity) {
      try rows[entity].read(identity, rowQuery(of: entity, statements))
    }
    return rows[entity].take(identity)
  }

  /// Finds the keys of a list's members, and forgets them, since a list is read once.
  ///
  /// - Parameters:
  ///   - end: The end of the list at which the object is.
  ///   - key: The key of the object.
  ///   - statements: The statements of the database.
  /// - Returns: The keys, where they were requested.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  mutating func takeMembers(
    _ end: DatabaseSchema.ListEnd, _ key: BorrowedBuffer<RawValue>,
    _ statements: DatabaseStatements
  ) throws(StoreError) -> Answer<RowKeys> {
    guard !members[end.number].isEmpty else { return .unknown }
    let key = LookUpKey(key)
    if members[end.number].isUnread(key) {
      try members[end.number].read(key, memberQuery(end, statements))
    }
    return members[end.number].take(key)
  }
}

/// A key that is looked up; one that is a single number takes no memory beside itself.
private struct LookUpKey: Hashable {
  private let word: UInt64
  /// The values, unless the key is a single number: each is the number of its bytes and these, or the greatest number
  /// and the value's own.
  private let bytes: [UInt8]

  init(_ values: BorrowedBuffer<RawValue>) {
    if values.count == 1, !values[0].hasBytes {
      (word, bytes) = (values[0].bits, [])
      return
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(values.reduce(0) { $0 + 8 + max(8, $1.bytes.count) })
    func append(_ number: UInt64) {
      for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * byte))) }
    }
    for value in values {
      append(value.hasBytes ? UInt64(value.bytes.count) : .max)
      if value.hasBytes { bytes.append(contentsOf: value.bytes) } else { append(value.bits) }
    }
    (word, self.bytes) = (0, bytes)
  }

  /// Binds the values to the parameters of a statement.
  func bind(_ columns: [DatabaseSchema.Column], to statement: any DatabaseStatement) {
    guard !bytes.isEmpty else { return statement.bind(0, columns[0].type, word: word) }
    bytes.withBorrowed { bytes in
      var start = 0
      func number() -> UInt64 {
        defer { start += 8 }
        return (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) }
      }
      for (parameter, column) in columns.enumerated() {
        let count = number()
        if count == .max {
          statement.bind(parameter, column.type, word: number())
        } else {
          let end = start + Int(count)
          bytes[start..<end].withRawSpan { statement.bind(parameter, column.type, bytes: $0) }
          start = end
        }
      }
    }
  }
}

/// A query for many keys.
private struct LookUpQuery<Value> {
  let statement: any DatabaseStatement
  /// The most keys that are asked for at once.
  let keyLimit: Int
  let keyColumns: [DatabaseSchema.Column]
  /// The column of a result that has the number of the key, counted from 1.
  let numberColumn: Int
  /// Makes the value of a key from a row and from the value that earlier rows of the key have made.
  let value: (any DatabaseStatement, Value?) -> Value
}

/// Keeps the keys of one kind that an import will look up, and their values in the database.
private struct LookUpGroup<Value> {
  private enum Content {
    /// The key is read with the next query.
    case requested
    /// A query for the key was sent.
    case asked
    /// The database has no value for the key.
    case absent
    case present(Value)
  }

  private struct Entry {
    var content: Content
    /// The last chunk that has requested the key.
    var chunk: Int
  }

  private var entries: [LookUpKey: Entry] = [:]
  private var chunk = 0
  /// The keys that this chunk and the one before have requested.
  private var recent: [LookUpKey] = []
  private var former: [LookUpKey] = []
  /// The keys that are requested and not asked for.
  private var requests: [LookUpKey] = []
  /// The keys that are asked for with the others once one of them is looked up.
  private var postponed: [LookUpKey] = []
  /// The keys of the queries that were sent and not read, the earliest first, and the statement that sent them.
  private var sent: [[LookUpKey]] = []
  private var statement: (any DatabaseStatement)?

  var isEmpty: Bool { entries.isEmpty }
  var hasRequests: Bool { !requests.isEmpty }

  mutating func beginChunk() {
    chunk += 1
    for key in former where (entries[key]?.chunk ?? chunk) < chunk - 1 { entries[key] = nil }
    former = recent
    recent = []
    if !requests.isEmpty { requests.removeAll { entries[$0] == nil } }
    if !postponed.isEmpty { postponed.removeAll { entries[$0] == nil } }
  }

  mutating func request(_ key: LookUpKey, isNeeded: Bool) {
    if entries[key] == nil {
      entries[key] = Entry(content: .requested, chunk: chunk)
      if isNeeded { requests.append(key) } else { postponed.append(key) }
      recent.append(key)
    } else if entries[key]?.chunk != chunk {
      entries[key]?.chunk = chunk
      recent.append(key)
    }
  }

  mutating func forgetContent() {
    guard !entries.isEmpty || !sent.isEmpty else { return }
    statement?.dropAsked()
    sent = []
    entries = entries.mapValues { Entry(content: .requested, chunk: $0.chunk) }
    requests = Array(entries.keys)
    postponed = []
  }

  /// Sends queries for the requested keys.
  mutating func ask(_ query: LookUpQuery<Value>?) throws(StoreError) {
    guard let query else { return }
    while !requests.isEmpty {
      let keys = Array(requests.suffix(query.keyLimit))
      requests.removeLast(keys.count)
      for key in keys {
        key.bind(query.keyColumns, to: query.statement)
        try query.statement.run()
        entries[key]?.content = .asked
      }
      try query.statement.ask()
      sent.append(keys)
      statement = query.statement
    }
  }

  /// Returns whether a key was requested, and its value in the database is not known yet.
  func isUnread(_ key: LookUpKey) -> Bool {
    switch entries[key]?.content {
    case .requested?, .asked?: true
    case .absent?, .present?, nil: false
    }
  }

  /// Reads the values in the database for a key and for the keys that are queried with it.
  mutating func read(_ key: LookUpKey, _ query: LookUpQuery<Value>?) throws(StoreError) {
    guard let query else { return }
    if case .requested? = entries[key]?.content {
      requests += postponed
      postponed = []
      try ask(query)
    }
    while isUnread(key), !sent.isEmpty {
      let keys = sent.removeFirst()
      var values: [Int: Value] = [:]
      while try query.statement.next() {
        let number = Int(query.statement.word(query.numberColumn, .integer64)) - 1
        // Takes the value out first, so that a list is not copied for each member.
        let earlier = values.removeValue(forKey: number)
        values[number] = query.value(query.statement, earlier)
      }
      for (number, key) in keys.enumerated() where entries[key] != nil {
        entries[key]?.content = values[number].map { .present($0) } ?? .absent
      }
    }
  }

  /// Takes the value that was read for a key.
  mutating func take(_ key: LookUpKey) -> PrefetchedRows.Answer<Value> {
    switch entries[key]?.content {
    case nil, .requested?, .asked?: return .unknown
    // Kept: where nothing is inserted, it may be looked up again.
    case .absent?: return .absent
    case .present(let value)?:
      entries[key] = nil
      return .present(value)
    }
  }
}
