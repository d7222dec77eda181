import Graft

/// Collects the keys of rows that a group of imports has mentioned, to delete all others
/// (``Graft/ImportOptions/deletesMissing``).
///
/// The documents may mention more objects than fit into memory. The keys are therefore in the
/// database: each table of the model has a temporary table for the keys of mentioned rows, which is
/// dropped with the group's connection.
struct MentionedRows {
  private let batch: DatabaseBatch
  private let connection: any DatabaseConnection
  private let tables: [RowKeyTable]
  private let lookup: RowKeyLookup
  private var inserts: [any DatabaseStatement] = []
  /// The place from which missing objects are read.
  private var next: (table: Int, last: RowKey?) = (0, nil)

  init(_ batch: DatabaseBatch, _ connection: any DatabaseConnection) {
    self.batch = batch
    self.connection = connection
    tables = batch.schema.tables.map {
      RowKeyTable(table: $0, name: "graft_group_\($0.number + 1)")
    }
    lookup = RowKeyLookup(tables, connection)
  }

  /// Makes the tables, empty.
  func create() throws(StoreError) {
    for table in tables { try table.create(isTemporary: true, connection) }
  }

  /// Adds the keys of the objects that a batch has mentioned.
  mutating func add(
    _ graph: Graph, _ outcomes: ObjectOutcomes, _ binder: RowBinder
  ) throws(StoreError) {
    if inserts.isEmpty {
      inserts = try tables.map { (table) throws(StoreError) in
        try connection.prepare(RowChange(.insertMissing, table.name, table.table.keyColumns))
      }
    }
    for (table, insert) in zip(tables, inserts) {
      try table.run(insert, forMentionedIn: graph, outcomes, binder)
    }
  }

  /// Returns whether a batch has mentioned an object.
  func has(_ object: ObjectID) throws(StoreError) -> Bool {
    try lookup.contains(batch.key(of: object), of: object.entity)
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
      tables, &next, isListed: false, of: entities, batch, connection, outcomes, inParts: inParts)
  }
}
