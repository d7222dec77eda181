// A look-up on a server costs a round trip, whatever it finds. So each chunk of a document is read ahead of the import
// (`LookAhead`), which says what will be looked up in it: the identities of its objects, and the lists that will
// be compared. The first look-up that is really made brings the rows of all of them, with one statement for
// each entity and list.
//
// What is foreseen wrongly costs a little, and changes nothing: a row that nobody asks for is dropped with the chunk,
// and one that was not foreseen is looked up by itself. Rows are valid until the batch is written, which is the only
// thing that changes them: the writer has the database for itself.

/// Rows and lists that an import is about to look up, and those that were read ahead.
struct ForeseenRows {
  /// What is known of a key that will be looked up.
  private enum Content<Value> {
    case wanted
    case absent
    case present(Value)
  }

  /// What a look-up finds here.
  enum Answer<Value> {
    /// Nothing is known: it must be made.
    case unknown
    case absent
    case present(Value)
  }

  /// A row in the order of its table's columns, taken by whoever looks it up.
  final class Row {
    var row = RowBuffer()
  }

  /// The most keys that are asked for at once, since their rows may be large.
  private static let groupLimit = 1000

  /// By entity whose identity it is, the rows by their identities.
  private var rows: [[[OwnedValue]: Content<Row>]]
  /// By list, the keys of members by the key of the owner.
  private var members: [[[OwnedValue]: Content<[RowKey]>]]

  init(_ schema: DatabaseSchema) {
    rows = schema.model.entities.map { _ in [:] }
    members = schema.lists.map { _ in [:] }
  }

  /// Forgets everything.
  mutating func removeAll() {
    for index in rows.indices where !rows[index].isEmpty { rows[index] = [:] }
    for index in members.indices where !members[index].isEmpty { members[index] = [:] }
  }

  /// Forgets what was read, which is no longer as it was, but not what is still wanted.
  mutating func forgetContent() {
    for index in rows.indices where !rows[index].isEmpty {
      rows[index] = rows[index].mapValues { _ in .wanted }
    }
    for index in members.indices where !members[index].isEmpty {
      members[index] = members[index].mapValues { _ in .wanted }
    }
  }

  mutating func wantRow(of entity: Int, _ identity: [OwnedValue]) {
    if rows[entity][identity] == nil { rows[entity][identity] = .wanted }
  }

  mutating func wantMembers(of list: Int, _ owner: [OwnedValue]) {
    if members[list][owner] == nil { members[list][owner] = .wanted }
  }

  /// The row of an identity, which nobody looks up twice.
  ///
  /// - Parameters:
  ///   - entity: The topmost entity that has the identity.
  ///   - identity: The values of the identity.
  ///   - statements: The statements of the database.
  /// - Returns: The row, where it was foreseen.
  /// - Throws: ``StoreError`` of the kind `database`.
  mutating func takeRow(
    of entity: Int, _ identity: BorrowedBuffer<RawValue>, _ statements: DatabaseStatements
  ) throws(StoreError) -> Answer<Row> {
    guard !rows[entity].isEmpty else { return .unknown }
    let identity = identity.map { OwnedValue($0) }
    if case .wanted? = rows[entity][identity] {
      let columns = statements.schema.table(of: entity).columns
      try Self.read(
        &rows[entity], statements.schema.table(of: entity).identityColumns[entity],
        try statements.lookUp(identitiesOf: entity), first: identity, numberColumn: columns.count
      ) { statement, content in
        let row = Row()
        row.row.read(statement, columns)
        content = .present(row)
      }
    }
    return Self.take(identity, from: &rows[entity])
  }

  /// The members of a list, which nobody looks up twice.
  mutating func takeMembers(
    of list: DatabaseSchema.List, _ owner: @autoclosure () -> [OwnedValue],
    _ statements: DatabaseStatements
  ) throws(StoreError) -> Answer<[RowKey]> {
    guard !members[list.number].isEmpty else { return .unknown }
    let owner = owner()
    if case .wanted? = members[list.number][owner] {
      try Self.read(
        &members[list.number], list.ownerColumns, try statements.lookUp(membersOf: list.number),
        first: owner, numberColumn: list.memberColumns.count
      ) { statement, content in
        var row = RowBuffer()
        row.read(statement, list.memberColumns)
        let key = row.key(list.memberColumns.indices, of: list.memberTable)
        var keys: [RowKey] = []
        if case .present(let present) = content { keys = present }
        // Else the keys so far would be copied for each that is added.
        content = .absent
        keys.append(key)
        content = .present(keys)
      }
    }
    return Self.take(owner, from: &members[list.number])
  }

  private static func take<Value>(
    _ key: [OwnedValue], from contents: inout [[OwnedValue]: Content<Value>]
  ) -> Answer<Value> {
    switch contents[key] {
    case nil, .wanted?: return .unknown
    // It may be looked up again, where nothing is inserted.
    case .absent?: return .absent
    case .present(let value)?:
      contents[key] = nil
      return .present(value)
    }
  }

  /// Reads what is wanted, as far as one statement goes; first of all a certain key.
  private static func read<Value>(
    _ contents: inout [[OwnedValue]: Content<Value>], _ columns: [DatabaseSchema.Column],
    _ statement: (any DatabaseStatement)?, first: [OwnedValue], numberColumn: Int,
    _ take: (any DatabaseStatement, inout Content<Value>) -> Void
  ) throws(StoreError) {
    guard let statement else { return }
    var keys = [first]
    for (key, content) in contents where keys.count < groupLimit {
      if case .wanted = content, key != first { keys.append(key) }
    }
    for key in keys {
      OwnedValue.withRawValues(key[...]) { DatabaseStatements.bind($0, columns, to: statement) }
      try statement.run()
      contents[key] = .absent
    }
    while try statement.next() {
      let number = Int(statement.word(numberColumn, .integer64))
      take(statement, &contents[keys[number - 1], default: .absent])
    }
  }
}
