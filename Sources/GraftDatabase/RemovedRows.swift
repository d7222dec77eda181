// Only the end of the document decides whether an object that a relationship has lost is deleted: its last line
// may mention the object again. An import that saves in steps has released the object by then, so the database
// keeps the facts that count. Each table to which a deleting relationship leads has a second table for it:
//
//   id   _note
//   7    lost List.items      list 1 has lost item 7
//   7    linked List.best     and list 2 has linked it
//
// At the end a thousand lost objects at a time are read, or all of them if a rule may deny. The objects that lead to them
// are read too, and ``Graft/RemovedObjects`` decides. This is repeated until nothing more is deleted, since a deleted
// object may have been the last owner of another one.

import Graft

/// The notes of an import about objects that relationships have lost or may lose.
struct RemovedRows {
  static let prefix = "graft_removed_"
  private static let note = DatabaseSchema.Column(name: "_note", type: .string)

  /// The number of objects that are read at a time.
  @TaskLocal static var limit = 1000

  private let batch: DatabaseBatch
  private let connection: any DatabaseConnection
  private let tables: [RowKeyTable]
  private let inserts: [any DatabaseStatement]
  /// The queries for the notes about the object of a key, which only the end of the document needs.
  private var queries: [any DatabaseStatement] = []
  private let relationships: [String: RelationshipKey]
  /// The table that is read next, and the key after which reading continues; nil before the first reading.
  private var next: (table: Int, last: RowKey?)?

  /// Makes the tables, or checks that those of a resumed import are there.
  ///
  /// An import that begins anew takes over what the one before has lost, and has not deleted because it failed: objects
  /// without identity, which no other import can have mentioned since.
  ///
  /// - Parameters:
  ///   - batch: The batch that reads the objects.
  ///   - connection: The connection of the import, in a transaction.
  ///   - removed: The relationships that delete.
  ///   - record: The import.
  ///   - isTemporary: Whether the import cannot be resumed.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  init(
    _ batch: DatabaseBatch, _ connection: any DatabaseConnection, of removed: RemovedObjects,
    _ record: ImportRecord, isTemporary: Bool
  ) throws(StoreError) {
    self.batch = batch
    self.connection = connection
    tables = batch.schema.tables
      .filter { $0.entities.contains(where: removed.mayDelete) }
      .map { RowKeyTable($0, prefix: "\(Self.prefix)\(record.number)_", notes: [Self.note]) }
    if record.isResumed {
      try RowKeyTable.require(tables, connection)
    } else {
      for table in tables { try table.create(isTemporary: isTemporary, connection) }
    }
    inserts = try tables.map { (table) throws(StoreError) in
      try connection.prepare(
        RowChange(.insertMissing, table.name, table.table.keyColumns + table.notes))
    }
    relationships = batch.schema.model.entities.reduce(into: [:]) { keys, entity in
      for number in entity.relationships.indices {
        let key = RelationshipKey(entity: entity.number, number: number)
        keys[batch.schema.model.name(of: key)] = key
      }
    }
    if !record.isResumed { try takeOver(record) }
  }

  /// Takes over what earlier imports have lost, and drops their tables.
  private func takeOver(_ record: ImportRecord) throws(StoreError) {
    for name in try RowKeyTable.names(Self.prefix, earlierThan: record, connection) {
      let suffix = name.split(separator: "_").last ?? ""
      for table in tables where table.name.hasSuffix("_\(suffix)") && lacksIdentity(table.table) {
        try connection.execute(
          "INSERT INTO \(SQL.quote(table.name)) SELECT * FROM \(SQL.quote(name))"
            + " WHERE \"_note\" LIKE 'lost %' ON CONFLICT DO NOTHING")
      }
      try connection.execute("DROP TABLE \(SQL.quote(name))")
    }
  }

  private func lacksIdentity(_ table: DatabaseSchema.Table) -> Bool {
    table.entities.allSatisfy { batch.schema.model.entities[$0].identity.isEmpty }
  }

  /// Adds the facts that a batch has found.
  func add(
    _ removed: RemovedObjects, in graph: Graph, _ binder: RowBinder
  ) throws(StoreError) {
    for (table, insert) in zip(tables, inserts) {
      let columns = table.table.keyColumns
      for id in table.table.entities.flatMap(graph.rows) {
        for note in removed.notes(of: id) {
          binder.bindKey(of: id, columns, to: insert, from: 0)
          insert.bind(columns.count, text: text(of: note))
          try insert.run()
        }
      }
    }
  }

  /// Whether objects have been read.
  var isStarted: Bool { next != nil }

  /// Brings the next lost objects into the transaction; see ``BatchDestination/restoreRemoved(_:)``.
  mutating func restore(to removed: RemovedObjects) throws(StoreError) -> Bool {
    if queries.isEmpty {
      queries = try tables.map { (table) throws(StoreError) in
        try connection.prepare(
          "SELECT \"_note\" FROM \(SQL.quote(table.name))"
            + " WHERE \(SQL.equal(table.table.keyNames, from: 1))")
      }
    }
    var (number, last) = next ?? (0, nil)
    var hasObjects = false
    // Without a limit, the lost objects of all tables are judged together, as a rule asks.
    while number < tables.count, !hasObjects || batch.schema.deletionLimit == nil {
      let keys = try lostKeys(tables[number], after: last)
      for key in keys {
        guard let object = try batch.transaction.object(for: key, readingValues: true) else {
          continue
        }
        for note in try notes(of: key, inTable: number) { removed.restore(note, of: object) }
        // The cascade would delete other objects too, and their notes may keep them.
        for other in try batch.transaction.objectsDeleted(with: object).dropFirst() {
          guard let number = tables.position(of: other.entity) else { continue }
          for note in try notes(of: batch.key(of: other), inTable: number) {
            if case .lost = note { continue }
            removed.restore(note, of: other)
          }
        }
      }
      if keys.isEmpty {
        (number, last) = (number + 1, nil)
      } else {
        hasObjects = true
        last = keys.last
      }
    }
    next = hasObjects ? (number, last) : (0, nil)
    if hasObjects { try batch.check() }
    return hasObjects
  }

  /// Returns the next keys of objects that are noted as lost; some may have no row any more.
  private func lostKeys(
    _ table: RowKeyTable, after last: RowKey?
  ) throws(StoreError) -> [RowKey] {
    let columns = SQL.list(table.table.keyNames)
    let range = KeyRange(after: last, through: nil)
    let conditions =
      ["\"_note\" LIKE 'lost %'"] + range.conditions(table.table.keyNames, of: table.name)
    let statement = try connection.prepare(
      "SELECT DISTINCT \(columns) FROM \(SQL.quote(table.name))\(SQL.whereAll(conditions))"
        + " ORDER BY \(columns)" + (batch.schema.deletionLimit.map { " LIMIT \($0)" } ?? ""))
    range.bind(table.table.keyColumns, to: statement)
    return try statement.readKeys(table.table.keyColumns, of: table.table.number)
  }

  /// Returns the facts about the object of a key.
  private func notes(
    of key: RowKey, inTable number: Int
  ) throws(StoreError) -> [RemovedObjects.Note] {
    DatabaseStatements.bind(key, tables[number].table.keyColumns, to: queries[number])
    var notes: [RemovedObjects.Note] = []
    while try queries[number].next() { notes.append(try note(queries[number].text(0) ?? "")) }
    return notes
  }

  /// Removes the tables.
  func drop() throws(StoreError) {
    for table in tables { try table.drop(connection) }
  }

  // MARK: Notes as text

  private func text(of note: RemovedObjects.Note) -> String {
    switch note {
    case .mentioned: "mentioned"
    case .linked(let key): "linked \(batch.schema.model.name(of: key))"
    case .lost(let key): "lost \(batch.schema.model.name(of: key))"
    }
  }

  /// - Throws: ``Graft/StoreError`` if the model has given the relationship another name since.
  private func note(_ text: String) throws(StoreError) -> RemovedObjects.Note {
    let words = text.split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return .mentioned }
    guard let key = relationships[String(words[1])] else {
      throw StoreError(
        .database,
        "\(connection.name): the import that is to be resumed has noted objects of the relationship \(words[1]), which the"
          + " model no longer has; import the file anew, without resuming")
    }
    return words[0] == "lost" ? .lost(key) : .linked(key)
  }
}

extension ModelSchema {
  fileprivate func name(of key: RelationshipKey) -> String {
    "\(entities[key.entity].name).\(entities[key.entity].relationships[key.number].name)"
  }
}

extension DatabaseSchema {
  /// The number of objects that are read and deleted at a time; nil for all, if a rule may refuse to delete some of
  /// them without others.
  var deletionLimit: Int? {
    let relationships = model.entities.lazy.flatMap(\.relationships)
    return relationships.contains { $0.isBounded || $0.deleteRule == .deny }
      ? nil : RemovedRows.limit
  }
}
