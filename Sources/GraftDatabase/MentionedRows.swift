import Graft

/// The rows that a group of imports has mentioned, so that those that it has not can be deleted
/// (``Graft/ImportOptions/deletesMissing``).
///
/// The documents may mention more objects than memory holds, so their keys are in the database: beside each table of the
/// model there is a temporary one for the keys of mentioned rows, which is dropped with the group's connection.
struct MentionedRows {
  private let batch: DatabaseBatch
  private let connection: any DatabaseConnection
  private var inserts: [any DatabaseStatement] = []

  private var schema: DatabaseSchema { batch.schema }

  init(_ batch: DatabaseBatch, _ connection: any DatabaseConnection) {
    self.batch = batch
    self.connection = connection
  }

  /// Makes the tables, empty.
  func create() throws(StoreError) {
    for table in schema.tables {
      let columns = table.keyColumns.map(connection.dialect.declaration)
      try connection.execute(
        "CREATE TEMPORARY TABLE \(SQL.quote(name(table.number)))"
          + " (\(columns.joined(separator: ", ")), PRIMARY KEY (\(SQL.list(table.keyNames))))"
          + connection.dialect.keyedTableSuffix)
    }
  }

  private func name(_ table: Int) -> String { "graft_group_\(table + 1)" }

  /// Adds what a batch has mentioned.
  mutating func add(
    _ graph: Graph, _ outcomes: ObjectOutcomes, _ binder: RowBinder
  ) throws(StoreError) {
    if inserts.isEmpty {
      inserts = try schema.tables.map { (table) throws(StoreError) in
        try connection.prepare(
          RowChange(.insertMissing, name(table.number), table.keyColumns))
      }
    }
    for table in schema.tables {
      for entity in table.entities {
        for id in graph.rows(entity) where outcomes[id] != .unmentioned {
          binder.bindKey(of: id, table.keyColumns, to: inserts[table.number], from: 0)
          try inserts[table.number].run()
        }
      }
    }
  }

  /// Brings the objects of entities that no batch has mentioned into the transaction.
  ///
  /// - Parameters:
  ///   - entities: The numbers of the entities.
  ///   - outcomes: What the batch that has not been added mentions.
  /// - Returns: The objects.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func missing(of entities: Set<Int>, _ outcomes: ObjectOutcomes) throws(StoreError) -> [ObjectID] {
    var objects: [ObjectID] = []
    for (number, table) in schema.tables.enumerated() {
      let family = table.entities.filter(entities.contains)
      guard !family.isEmpty else { continue }
      let key = SQL.list(table.keyNames)
      let isMentioned =
        "EXISTS (SELECT 1 FROM \(SQL.quote(name(number))) AS m WHERE "
        + table.keyNames.map { "m.\(SQL.quote($0)) = t.\(SQL.quote($0))" }.joined(
          separator: " AND ")
        + ")"
      let statement = try connection.prepare(
        "SELECT \(key) FROM \(SQL.quote(table.name)) AS t WHERE NOT \(isMentioned)"
          + schema.condition(table, isOneOf: family, after: " AND ") + " ORDER BY \(key)")
      let found = try batch.objects(
        for: statement.readKeys(table.keyColumns, of: number), readingValues: true)
      objects += found.filter { outcomes[$0] == .unmentioned }
    }
    return objects
  }
}
