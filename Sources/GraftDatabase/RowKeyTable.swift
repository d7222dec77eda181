import Graft

/// A table of keys beside a table of the model: of rows that imports have mentioned, or have not mentioned yet.
///
/// Such keys may be more than memory holds.
struct RowKeyTable {
  /// The table of the model whose rows the keys name.
  let table: DatabaseSchema.Table
  let name: String

  /// Makes the table, empty.
  func create(isTemporary: Bool, _ connection: any DatabaseConnection) throws(StoreError) {
    let columns = table.keyColumns.map(connection.dialect.declaration)
    try connection.execute(
      "CREATE \(isTemporary ? "TEMPORARY " : "")TABLE \(SQL.quote(name))"
        + " (\(columns.joined(separator: ", ")), PRIMARY KEY (\(SQL.list(table.keyNames))))"
        + connection.dialect.keyedTableSuffix)
  }

  /// Runs a statement for the key of each object that a batch has mentioned.
  func run(
    _ statement: any DatabaseStatement, forMentionedIn graph: Graph, _ outcomes: ObjectOutcomes,
    _ binder: RowBinder
  ) throws(StoreError) {
    for entity in table.entities {
      for id in graph.rows(entity) where outcomes[id] != .unmentioned {
        binder.bindKey(of: id, table.keyColumns, to: statement, from: 0)
        try statement.run()
      }
    }
  }

  /// Brings objects of the model's table into a transaction, by whether their keys are in this table.
  ///
  /// - Parameters:
  ///   - isListed: Whether to read the objects whose keys are in this table, or all others.
  ///   - entities: The numbers of the entities.
  ///   - batch: The batch that brings them.
  ///   - connection: The connection that has the tables.
  ///   - outcomes: The outcomes of a batch; objects that it has mentioned are left out of the result.
  /// - Returns: The objects.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func objects(
    isListed: Bool, of entities: Set<Int>, _ batch: DatabaseBatch,
    _ connection: any DatabaseConnection, _ outcomes: ObjectOutcomes
  ) throws(StoreError) -> [ObjectID] {
    let family = table.entities.filter(entities.contains)
    guard !family.isEmpty else { return [] }
    let key = SQL.list(table.keyNames)
    let isSame = table.keyNames.map { "m.\(SQL.quote($0)) = t.\(SQL.quote($0))" }
    let statement = try connection.prepare(
      "SELECT \(key) FROM \(SQL.quote(table.name)) AS t WHERE \(isListed ? "" : "NOT ")"
        + "EXISTS (SELECT 1 FROM \(SQL.quote(name)) AS m WHERE \(isSame.joined(separator: " AND ")))"
        + batch.schema.condition(table, isOneOf: family, after: " AND ") + " ORDER BY \(key)")
    return try batch.objects(
      for: statement.readKeys(table.keyColumns, of: table.number), readingValues: true
    ).filter { outcomes[$0] == .unmentioned }
  }
}
