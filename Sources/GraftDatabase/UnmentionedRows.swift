// With `deletesMissing`, an import deletes objects that existed when it began and that the document
// does not mention. A document may mention more objects than fit into memory, so the keys of
// objects not yet mentioned are in the database. A table of the roots' entities has a second table for the keys of the
// rows that existed at the beginning; so has a table of entities whose objects the rule cascade deletes with these. Each
// save removes the keys that it has mentioned. Rows that others insert during the import are never among them.

import Graft

/// Keeps the keys of the rows that existed when an import began and that it has not mentioned.
struct UnmentionedRows {
  private let batch: DatabaseBatch
  private let connection: any DatabaseConnection
  private let tables: [RowKeyTable]
  /// The number of the import; nil for one that cannot be resumed, whose tables are temporary.
  private let number: Int64?
  private let lookup: RowKeyLookup
  private var deletions: [any DatabaseStatement] = []
  /// The place from which missing objects are read.
  private var next: (table: Int, last: RowKey?) = (0, nil)

  static let prefix = "graft_unmentioned_"

  /// - Parameters:
  ///   - batch: The batch that reads the missing objects.
  ///   - connection: The connection of the import.
  ///   - entities: The entities of the roots, and their sub-entities.
  ///   - number: The number of the import in `graft_import`; nil for one that cannot be resumed.
  init(
    _ batch: DatabaseBatch, _ connection: any DatabaseConnection, of entities: Set<Int>,
    number: Int64?
  ) {
    self.batch = batch
    self.connection = connection
    self.number = number
    // The tables of an import that can be resumed have its number.
    let prefix = Self.prefix + (number.map { "\($0)_" } ?? "")
    let entities = batch.schema.model.reachedByCascade(from: entities)
    tables = batch.schema.tables.filter { $0.entities.contains(where: entities.contains) }
      .map { RowKeyTable(table: $0, name: "\(prefix)\($0.number + 1)") }
    lookup = RowKeyLookup(tables, connection)
  }

  /// Creates the tables, with the keys of all existing rows.
  func create() throws(StoreError) {
    try remove()
    for table in tables {
      try table.create(isTemporary: number == nil, connection)
      let key = SQL.list(table.table.keyNames)
      try connection.execute(
        "INSERT INTO \(SQL.quote(table.name)) SELECT \(key) FROM \(SQL.quote(table.table.name))"
          + " ORDER BY \(key)")
    }
  }

  /// Returns whether the tables exist already, as for a resumed import.
  func exist() throws(StoreError) -> Bool {
    let names = Set(try connection.tableNames())
    return tables.allSatisfy { names.contains($0.name) }
  }

  /// Removes the keys of the objects that a batch has mentioned.
  mutating func remove(
    mentionedIn graph: Graph, _ outcomes: ObjectOutcomes, _ binder: RowBinder
  ) throws(StoreError) {
    if deletions.isEmpty {
      deletions = try tables.map { (table) throws(StoreError) in
        try connection.prepare(
          RowChange(.delete, table.name, where: table.table.keyColumns))
      }
    }
    for (table, deletion) in zip(tables, deletions) {
      try table.run(deletion, forMentionedIn: graph, outcomes, binder)
    }
  }

  /// Brings the next objects of entities that no batch has mentioned into the transaction.
  ///
  /// - Parameters:
  ///   - entities: The numbers of the entities.
  ///   - outcomes: The outcomes of the batch that has not been added.
  ///   - inParts: Whether the result may be a part of them.
  /// - Returns: The objects, and whether there are no more.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  mutating func missing(
    of entities: Set<Int>, _ outcomes: ObjectOutcomes, inParts: Bool
  ) throws(StoreError) -> (objects: [ObjectID], areLast: Bool) {
    try RowKeyTable.next(
      tables, &next, isListed: true, of: entities, batch, connection, outcomes, inParts: inParts)
  }

  /// Returns whether an object existed when the import began, and a batch before this one has not mentioned it.
  func has(_ object: ObjectID) throws(StoreError) -> Bool {
    guard batch.state(of: object).contains(.stored) else { return false }
    return try lookup.contains(batch.key(of: object), of: object.entity)
  }

  /// Removes the tables.
  func remove() throws(StoreError) {
    for table in tables { try table.drop(connection) }
  }
}
