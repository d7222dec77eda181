// Documents may mention more objects than fit into memory. So the keys are in tables of the database, one beside each
// table of the model that may lose objects. An import by itself lists the rows that existed when it began. Each save
// removes the rows that it has mentioned, so rows that others insert during the import are never missing. Entities whose
// objects the rule cascade deletes have such tables too. A group of imports lists the rows that it has mentioned, since
// its roots are not known when it begins.

import Graft

/// Finds the rows that an import, or a group of imports, has not mentioned (``Graft/ImportOptions/deletesMissing``).
struct MissingRows {
  private let batch: DatabaseBatch
  private let connection: any DatabaseConnection
  let tables: [RowKeyTable]
  /// Whether the tables list the missing rows; otherwise they list the mentioned ones.
  private let listsMissing: Bool
  /// Whether the tables are dropped with their connection, at the latest.
  private let isTemporary: Bool
  private var changes: [any DatabaseStatement] = []
  /// The place from which missing objects are read.
  private var next: (table: Int, last: RowKey?) = (0, nil)

  static let prefix = "graft_unmentioned_"

  /// Creates the rows that an import by itself has not mentioned.
  ///
  /// - Parameters:
  ///   - batch: The batch that reads the missing objects.
  ///   - connection: The connection of the import.
  ///   - entities: The entities of the roots, and their sub-entities.
  ///   - number: The number of the import in `graft_import`; nil for one that cannot be resumed.
  init(
    _ batch: DatabaseBatch, _ connection: any DatabaseConnection, of entities: Set<Int>,
    number: Int64?
  ) {
    // The tables of an import that can be resumed have its number.
    let prefix = Self.prefix + (number.map { "\($0)_" } ?? "")
    let entities = batch.schema.model.reachedByCascade(from: entities)
    let tables = batch.schema.tables.filter { $0.entities.contains(where: entities.contains) }
    self.init(
      batch, connection, tables, prefix: prefix, listsMissing: true, isTemporary: number == nil)
  }

  /// Creates the rows that a group of imports has not mentioned.
  init(ofGroup batch: DatabaseBatch, _ connection: any DatabaseConnection) {
    self.init(
      batch, connection, batch.schema.tables, prefix: "graft_group_", listsMissing: false,
      isTemporary: true)
  }

  private init(
    _ batch: DatabaseBatch, _ connection: any DatabaseConnection, _ tables: [DatabaseSchema.Table],
    prefix: String, listsMissing: Bool, isTemporary: Bool
  ) {
    self.batch = batch
    self.connection = connection
    self.listsMissing = listsMissing
    self.isTemporary = isTemporary
    self.tables = tables.map { RowKeyTable($0, prefix: prefix) }
  }

  /// Creates the tables, with the keys of all existing rows if they list missing ones.
  func create() throws(StoreError) {
    for table in tables {
      if listsMissing { try table.drop(connection) }
      try table.create(isTemporary: isTemporary, connection)
      guard listsMissing else { continue }
      let key = SQL.list(table.table.keyNames)
      try connection.execute(
        "INSERT INTO \(SQL.quote(table.name)) SELECT \(key) FROM \(SQL.quote(table.table.name))"
          + " ORDER BY \(key)")
    }
  }

  /// Notes the objects that a batch has mentioned.
  mutating func note(
    mentionedIn graph: Graph, _ outcomes: ObjectOutcomes, _ binder: RowBinder
  ) throws(StoreError) {
    if changes.isEmpty {
      changes = try tables.map { (table) throws(StoreError) in
        let key = table.table.keyColumns
        return try connection.prepare(
          listsMissing
            ? RowChange(.delete, table.name, where: key)
            : RowChange(.insertMissing, table.name, key))
      }
    }
    for (table, change) in zip(tables, changes) {
      try table.run(change, forMentionedIn: graph, outcomes, binder)
    }
  }

  /// Brings the next missing objects of entities into the transaction.
  ///
  /// - Parameters:
  ///   - entities: The numbers of the entities.
  ///   - outcomes: The outcomes of the batch that has not been noted.
  ///   - inParts: Whether the result may be a part of them.
  /// - Returns: The objects, and whether there are no more.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  mutating func objects(
    of entities: Set<Int>, _ outcomes: ObjectOutcomes, inParts: Bool
  ) throws(StoreError) -> (objects: [ObjectID], areLast: Bool) {
    try RowKeyTable.next(
      tables, &next, isListed: listsMissing, of: entities, batch, connection, outcomes,
      inParts: inParts)
  }

  /// Returns whether no batch has mentioned an object; one that an import by itself has inserted is never missing.
  func contains(_ object: ObjectID) throws(StoreError) -> Bool {
    if listsMissing, !batch.state(of: object).contains(.stored) { return false }
    guard let position = tables.position(of: object.entity) else { return !listsMissing }
    let table = tables[position]
    let query = try batch.statements.query(
      "SELECT 1 FROM \(SQL.quote(table.name)) WHERE \(SQL.equal(table.table.keyNames, from: 1))")
    defer { query.reset() }
    DatabaseStatements.bind(batch.key(of: object), table.table.keyColumns, to: query)
    return try query.next() == listsMissing
  }

  /// Drops the tables of an import by itself.
  func end() throws(StoreError) {
    guard listsMissing else { return }
    for table in tables { try table.drop(connection) }
  }
}
