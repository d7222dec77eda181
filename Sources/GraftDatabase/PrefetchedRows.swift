// A look-up on a server costs a round trip, whatever it finds. To save round trips, a dry run over
// each chunk (`LookAhead`) collects the keys that the import will look up: the identities of its
// objects, and the lists that it will compare. The first look-up of the import then reads the rows
// for all of these keys, with one statement for each entity and list. With
//
//   [{"id": 7, "user": {"id": 3}}, {"id": 8, "user": {"id": 4}}]
//
// tweets 7 and 8 and users 3 and 4 are requested. When the import looks up user 3, users 3 and 4 are read at once, and
// the look-up of user 4 finds its row here.
//
// A wrong guess costs time, and changes nothing: a row that the import does not look up is dropped
// with the chunk, and a row that was not requested is looked up by itself. Rows are dropped when
// the batch is written, because the save may change them.

import Graft

/// Rows and lists that an import will look up, requested or already read.
struct PrefetchedRows {
  /// The state of a key that will be looked up.
  private enum Content<Value> {
    /// It is read with the next look-up.
    case requested
    /// The database has none.
    case absent
    case present(Value)
  }

  /// The result of a look-up here.
  enum Answer<Value> {
    /// The key was not requested: the database must be asked.
    case unknown
    /// The database has none.
    case absent
    case present(Value)
  }

  /// A row in the order of its table's columns; a class, so that a look-up can swap the buffer out.
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

  /// Forgets all rows that were read, because the batch being written changes them; the keys are requested again.
  mutating func forgetContent() {
    for index in rows.indices where !rows[index].isEmpty {
      rows[index] = rows[index].mapValues { _ in .requested }
    }
    for index in members.indices where !members[index].isEmpty {
      members[index] = members[index].mapValues { _ in .requested }
    }
  }

  /// Requests the row of an identity.
  mutating func requestRow(of entity: Int, _ identity: [OwnedValue]) {
    if rows[entity][identity] == nil { rows[entity][identity] = .requested }
  }

  /// Notes that the members of an owner's list are about to be read.
  mutating func requestMembers(of list: Int, _ owner: [OwnedValue]) {
    if members[list][owner] == nil { members[list][owner] = .requested }
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
    let identity = identity.map { OwnedValue($0) }
    if case .requested? = rows[entity][identity] {
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

  /// Finds the keys of a list's members, and forgets them, since a list is read once.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - owner: The key of its owner.
  ///   - statements: The statements of the database.
  /// - Returns: The keys, where they were requested.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  mutating func takeMembers(
    of list: DatabaseSchema.List, _ owner: @autoclosure () -> [OwnedValue],
    _ statements: DatabaseStatements
  ) throws(StoreError) -> Answer<[RowKey]> {
    guard !members[list.number].isEmpty else { return .unknown }
    let owner = owner()
    if case .requested? = members[list.number][owner] {
      try Self.read(
        &members[list.number], list.ownerColumns, try statements.lookUp(membersOf: list.number),
        first: owner, numberColumn: list.memberColumns.count
      ) { statement, content in
        var row = RowBuffer()
        row.read(statement, list.memberColumns)
        let key = row.key(list.memberColumns.indices, of: list.memberTable)
        var keys: [RowKey] = []
        if case .present(let present) = content { keys = present }
        // Takes the array out of the enumeration first, so that appending does not copy it.
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
    case nil, .requested?: return .unknown
    // Kept: where nothing is inserted, it may be looked up again.
    case .absent?: return .absent
    case .present(let value)?:
      contents[key] = nil
      return .present(value)
    }
  }

  /// Reads the requested keys, up to ``groupLimit`` with one statement, `first` among them.
  private static func read<Value>(
    _ contents: inout [[OwnedValue]: Content<Value>], _ columns: [DatabaseSchema.Column],
    _ statement: (any DatabaseStatement)?, first: [OwnedValue], numberColumn: Int,
    _ take: (any DatabaseStatement, inout Content<Value>) -> Void
  ) throws(StoreError) {
    guard let statement else { return }
    var keys = [first]
    for (key, content) in contents where keys.count < groupLimit {
      if case .requested = content, key != first { keys.append(key) }
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
