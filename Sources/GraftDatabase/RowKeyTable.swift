import Graft

/// A table of keys beside a table of the model: of rows that imports have mentioned, or have not mentioned yet.
///
/// Such keys may be more than memory holds. The tables of an import that can be resumed are kept until
/// its end; of the others they are temporary, so that a process that is killed leaves nothing behind.
struct RowKeyTable {
  /// The table of the model whose rows the keys name.
  let table: DatabaseSchema.Table
  let name: String
  /// Columns that belong to the key as well.
  let notes: [DatabaseSchema.Column]

  /// Describes a table.
  ///
  /// Its name ends with a hash of the model's table and its key, so that an import that is resumed with a changed model
  /// does not take the keys for those of other objects.
  init(_ table: DatabaseSchema.Table, prefix: String, notes: [DatabaseSchema.Column] = []) {
    self.table = table
    self.notes = notes
    let key = table.keyColumns.map { "\($0.name) \($0.type.rawValue)" }
    let hash = ([table.name] + key).joined(separator: "\n")
      .withBorrowedUTF8 { StableHash($0).value }
    name = prefix + String(hash, radix: 16)
  }

  /// Makes the table, empty, unless it exists.
  func create(isTemporary: Bool, _ connection: any DatabaseConnection) throws(StoreError) {
    let columns = table.keyColumns + notes
    let declarations = columns.map(connection.dialect.declaration).joined(separator: ", ")
    try connection.execute(
      "CREATE \(isTemporary ? "TEMPORARY " : "")TABLE IF NOT EXISTS \(SQL.quote(name))"
        + " (\(declarations), PRIMARY KEY (\(SQL.list(columns.map(\.name)))))"
        + connection.dialect.keyedTableSuffix)
  }

  /// Checks that the tables of an import that is resumed are there: a changed model may delete other objects, or give the
  /// tables other names.
  ///
  /// - Throws: ``Graft/StoreError`` of the kind `database` if one is missing.
  static func require(
    _ tables: [RowKeyTable], _ connection: any DatabaseConnection
  ) throws(StoreError) {
    let names = Set(try connection.tableNames())
    guard tables.allSatisfy({ names.contains($0.name) }) else {
      throw StoreError(
        .database,
        "\(connection.name): since the import began, the model has changed in what it deletes, or in its names;"
          + " import the file anew, without resuming")
    }
  }

  /// Removes the table.
  func drop(_ connection: any DatabaseConnection) throws(StoreError) {
    try connection.execute("DROP TABLE IF EXISTS \(SQL.quote(name))")
  }

  /// Returns the names of the tables that the same import has kept before.
  ///
  /// Earlier imports are never resumed once the import has begun anew. The tables of its own first part are among them if
  /// it is resumed.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of the names; the number of the import follows.
  ///   - record: The import that has begun.
  ///   - connection: A connection in a transaction.
  /// - Returns: The names.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  static func names(
    _ prefix: String, earlierThan record: ImportRecord, _ connection: any DatabaseConnection
  ) throws(StoreError) -> [String] {
    var numbers = Set(try record.earlier(connection).map(String.init))
    if record.isResumed { numbers.insert("\(record.number)") }
    guard !numbers.isEmpty else { return [] }
    return try connection.tableNames().filter { name in
      let parts = name.dropFirst(prefix.count).split(separator: "_")
      return name.hasPrefix(prefix) && parts.count == 2 && numbers.contains(String(parts[0]))
    }
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

  /// Brings objects of the model's table into a transaction, by whether their keys are in this table, in the order of
  /// the keys.
  ///
  /// - Parameters:
  ///   - isListed: Whether to read the objects whose keys are in this table, or all others.
  ///   - entities: The numbers of the entities.
  ///   - batch: The batch that brings them.
  ///   - connection: The connection that has the tables.
  ///   - outcomes: The outcomes of a batch; objects that it has mentioned are left out of the result.
  ///   - last: The key after which the objects come; nil for the first ones.
  ///   - limit: The most objects to bring; nil for all.
  /// - Returns: The objects, and the key after which there may be more.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  private func objects(
    isListed: Bool, of entities: Set<Int>, _ batch: DatabaseBatch,
    _ connection: any DatabaseConnection, _ outcomes: ObjectOutcomes, after last: RowKey?,
    limit: Int?
  ) throws(StoreError) -> (objects: [ObjectID], last: RowKey?) {
    let family = table.entities.filter(entities.contains)
    guard !family.isEmpty else { return ([], nil) }
    let part = KeyRange(
      after: last,
      through: try limit.flatMap { (limit) throws(StoreError) in
        try lastKey(of: limit, isListed: isListed, after: last, connection)
      })
    let columns = SQL.list(table.keyNames)
    let isSame = table.keyNames.map { "m.\(SQL.quote($0)) = t.\(SQL.quote($0))" }
    // The range limits both tables: a server might read all keys of the other one for each part.
    let other = batch.schema.compared(name, table.keyNames)
    let match = SQL.whereAll(isSame + part.conditions(table.keyNames, of: "m"))
    let exists = "\(isListed ? "" : "NOT ")EXISTS (SELECT 1 FROM \(other) AS m\(match))"
    let conditions =
      [exists, batch.schema.condition(table, isOneOf: family)]
      + part.conditions(table.keyNames, of: "t")
    let statement = try connection.prepare(
      "SELECT \(columns) FROM \(SQL.quote(table.name)) AS t\(SQL.whereAll(conditions)) ORDER BY \(columns)"
    )
    part.bind(table.keyColumns, to: statement)
    let keys = try statement.keys(table.keyColumns, of: table.number)
    let objects = try batch.transaction.objects(for: keys, readingValues: true)
    return (objects.filter { outcomes[$0] == .unmentioned }, part.last)
  }

  /// Returns the last of some next keys of this table, or of the model's; nil if there are fewer.
  private func lastKey(
    of count: Int, isListed: Bool, after last: RowKey?, _ connection: any DatabaseConnection
  ) throws(StoreError) -> RowKey? {
    let range = KeyRange(after: last, through: nil)
    let source = isListed ? name : table.name
    let columns = SQL.list(table.keyNames)
    let statement = try connection.prepare(
      "SELECT \(columns) FROM \(SQL.quote(source))"
        + SQL.whereAll(range.conditions(table.keyNames, of: source))
        + " ORDER BY \(columns) LIMIT 1 OFFSET \(count - 1)")
    range.bind(table.keyColumns, to: statement)
    return try statement.keys(table.keyColumns, of: table.number).all.first
  }

  /// Brings the next objects of several tables into a transaction, by whether their keys are in these tables.
  ///
  /// - Parameters:
  ///   - tables: The tables.
  ///   - next: The table and the key after which the objects come, which are changed to the place of the next part.
  ///   - isListed: Whether to read the objects whose keys are in these tables, or all others.
  ///   - entities: The numbers of the entities.
  ///   - batch: The batch that brings them.
  ///   - connection: The connection that has the tables.
  ///   - outcomes: The outcomes of a batch; objects that it has mentioned are left out of the result.
  ///   - inParts: Whether the result may be a part of them.
  /// - Returns: The objects, and whether there are no more.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  static func next(
    _ tables: [RowKeyTable], _ next: inout (table: Int, last: RowKey?), isListed: Bool,
    of entities: Set<Int>, _ batch: DatabaseBatch, _ connection: any DatabaseConnection,
    _ outcomes: ObjectOutcomes, inParts: Bool
  ) throws(StoreError) -> (objects: [ObjectID], areLast: Bool) {
    // A cluster would send all keys of a table for each part.
    let limit = inParts && connection.dialect.distribution == nil ? batch.schema.deletionLimit : nil
    var found: [ObjectID] = []
    while next.table < tables.count {
      let part = try tables[next.table].objects(
        isListed: isListed, of: entities, batch, connection, outcomes, after: next.last,
        limit: limit)
      found += part.objects
      next.last = part.last
      if part.last != nil { return (found, false) }
      next.table += 1
    }
    return (found, true)
  }
}

/// The keys after one and up to another.
struct KeyRange {
  /// The key before the first one; nil for all from the beginning.
  let first: RowKey?
  /// The last key; nil for all to the end.
  let last: RowKey?

  init(after first: RowKey?, through last: RowKey?) {
    (self.first, self.last) = (first, last)
  }

  /// Returns conditions that the range makes of a table's row.
  func conditions(_ names: [String], of row: String) -> [String] {
    let key = names.map { "\(SQL.quote(row)).\(SQL.quote($0))" }.joined(separator: ", ")
    let count = first == nil ? 0 : names.count
    return [
      first.map { _ in "(\(key)) > (\(SQL.parameters(names.count)))" },
      last.map { _ in "(\(key)) <= (\(SQL.parameters(names.count, from: count + 1)))" },
    ].compactMap { $0 }
  }

  /// Binds the two keys to the first parameters.
  func bind(_ columns: [DatabaseSchema.Column], to statement: any RowParameters) {
    let values = (first?.values ?? []) + (last?.values ?? [])
    let columns = (first == nil ? [] : columns) + (last == nil ? [] : columns)
    OwnedValue.withRawValues(values[...]) { DatabaseStatements.bind($0, columns, to: statement) }
  }
}

extension [RowKeyTable] {
  /// Returns the position of the table for the objects of an entity; nil if there is none.
  func position(of entity: Int) -> Int? { firstIndex { $0.table.entities.contains(entity) } }
}
