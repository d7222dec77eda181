import Graft

/// The rows that an import, or a group of imports, has mentioned, so that those that it has not can be deleted
/// (``ImportOptions/deletesMissing``).
///
/// A document may mention more objects than memory holds, so their keys are in the database: beside each table of the
/// model there is one for the keys of mentioned rows. Those of a single import are dropped at its end, and kept until
/// then, so that it can be resumed; those of a group are temporary, and are dropped with its connection.
struct MentionedRows {
  /// What the tables belong to.
  enum Owner: String {
    case single = "graft_mentioned"
    case group = "graft_group"
  }

  private let batch: DatabaseBatch
  private let connection: any DatabaseConnection
  private let owner: Owner
  private var inserts: [any DatabaseStatement] = []

  private var schema: DatabaseSchema { batch.schema }

  init(_ batch: DatabaseBatch, _ connection: any DatabaseConnection, _ owner: Owner) {
    self.batch = batch
    self.connection = connection
    self.owner = owner
  }

  /// Makes the tables, empty.
  func create() throws(StoreError) {
    try remove()
    for table in schema.tables {
      let columns = table.keyColumns.map(connection.dialect.declaration)
      try connection.execute(
        "CREATE \(owner == .group ? "TEMPORARY " : "")TABLE \(SQL.quote(name(table.number)))"
          + " (\(columns.joined(separator: ", ")), PRIMARY KEY (\(SQL.list(table.keyNames))))"
          + connection.dialect.keyedTableSuffix)
    }
  }

  private func name(_ table: Int) -> String { "\(owner.rawValue)_\(table + 1)" }

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
  /// - Throws: ``StoreError`` of the kind `database`.
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

  /// Removes the tables.
  func remove() throws(StoreError) {
    for number in schema.tables.indices {
      try connection.execute("DROP TABLE IF EXISTS \(SQL.quote(name(number)))")
    }
  }
}
