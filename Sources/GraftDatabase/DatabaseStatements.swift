import Graft

/// The statements by which a database is read and written, each prepared when it is first used.
final class DatabaseStatements {
  /// The kinds of statements; there is one of each kind for each table, list or entity.
  private enum Kind: Int, CaseIterable {
    case selectIdentity
    case selectKey
    case selectAny
    case selectMembers
    case selectOwners
    case lookUpIdentities
    case lookUpMembers
    case lookUpOwners
    case insert
    case update
    case updateWithKey
    case delete
    case insertMember
    case insertNewMember
    case deleteMember
    case deleteMembers
    case deleteOwners
  }

  /// A way to find rows of an entity: by the values of some columns.
  private struct Lookup: Hashable {
    var entity: Int
    var columns: [Int]
  }

  let connection: any DatabaseConnection
  let schema: DatabaseSchema
  /// The dialect's `checksLinks`, which is asked for each link.
  private let checksLinks: Bool
  /// The prepared statements, by kind and then by the number of the table, list or entity.
  private var prepared: [[(any DatabaseStatement)?]]
  private var lookups: [Lookup: any DatabaseStatement] = [:]
  /// The queries whose text is known only at their first use, by their text.
  private var queries: [String: any DatabaseStatement] = [:]
  private static let queryLimit = 100

  /// The attributes of each entity that could hold a NaN, which the database does not keep.
  private(set) lazy var attributesWithoutNaN: [[Int]] = {
    let keepsNaN = connection.dialect.keepsNaN
    return schema.model.entities.map { entity in
      keepsNaN
        ? []
        : entity.attributes.indices.filter {
          [.double, .float, .date].contains(entity.attributes[$0].type)
        }
    }
  }()

  /// Makes an index for an import that reads without the lock; nil where the statements run under it.
  var makeIndex: ((DatabaseSchema.Index) throws(StoreError) -> Void)?
  /// Whether indexes may be made where a statement would read a whole table otherwise.
  private let makesIndexes: Bool

  init(
    _ connection: any DatabaseConnection, _ schema: DatabaseSchema, makesIndexes: Bool = true
  ) {
    self.connection = connection
    self.schema = schema
    checksLinks = connection.dialect.checksLinks
    let count = max(schema.model.entities.count, schema.lists.count)
    prepared = Kind.allCases.map { _ in Array(repeating: nil, count: count) }
    self.makesIndexes = makesIndexes
  }

  private func statement(
    _ kind: Kind, _ number: Int, preparing: () throws(StoreError) -> any DatabaseStatement
  ) throws(StoreError) -> any DatabaseStatement {
    if let statement = prepared[kind.rawValue][number] { return statement }
    let statement = try preparing()
    prepared[kind.rawValue][number] = statement
    return statement
  }

  private func statement(
    _ kind: Kind, _ number: Int, _ sql: () -> String
  ) throws(StoreError) -> any DatabaseStatement {
    try statement(
      kind, number, preparing: { () throws(StoreError) in try connection.prepare(sql()) })
  }

  /// Makes an index that a statement needs and a first import does not have yet; without it the whole table is read.
  private func index(_ table: String, _ columns: [String]) throws(StoreError) {
    guard makesIndexes else { return }
    let index = DatabaseSchema.Index(table: table, columns: columns)
    if let makeIndex { return try makeIndex(index) }
    try connection.execute(index.creation)
  }

  // MARK: Reading

  /// Returns all columns of the row of an object, by the identity that an entity shares with those
  /// below it.
  func select(identityOf entity: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.selectIdentity, entity) { lookup(identitiesOf: entity).sql }
  }

  private func lookup(identitiesOf entity: Int) -> RowLookup {
    let table = schema.table(of: entity)
    return RowLookup(
      table: table.name, columns: table.columns, key: table.identityColumns[entity],
      filter: schema.condition(
        table, isOneOf: schema.model.entities[entity].family, after: " AND "), order: nil)
  }

  /// Returns all columns of a row, by its key.
  func select(keyOf table: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.selectKey, table) {
      let table = schema.tables[table]
      return schema.rows(of: table, " WHERE \(SQL.equal(table.keyNames, from: 1))")
    }
  }

  /// Returns all columns of any one row of an entity.
  func select(anyOf entity: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.selectAny, entity) {
      let table = schema.table(of: entity)
      return schema.rows(
        of: table, schema.condition(table, isOneOf: [entity], after: " WHERE ") + " LIMIT 1")
    }
  }

  /// Returns a query for the keys of an entity's rows in which some columns have the values of the
  /// parameters, in their order; sub-entities are included.
  func selectKeys(of entity: Int, where columns: [Int]) throws(StoreError) -> any DatabaseStatement
  {
    let lookup = Lookup(entity: entity, columns: columns)
    if let statement = lookups[lookup] { return statement }
    let table = schema.table(of: entity)
    let names = columns.map { table.columns[$0].name }
    if columns != table.key { try index(table.name, names) }
    let key = SQL.list(table.keyNames)
    let statement = try connection.prepare(
      "SELECT \(key) FROM \(SQL.quote(table.name)) WHERE \(SQL.equal(names, from: 1))"
        + schema.condition(table, isOneOf: schema.model.entities[entity].family, after: " AND ")
        + " ORDER BY \(key)")
    lookups[lookup] = statement
    return statement
  }

  /// Returns the keys at the other end of a list, in the order of the list.
  func select(membersAt end: DatabaseSchema.ListEnd) throws(StoreError) -> any DatabaseStatement {
    try statement(
      end.isOwners ? .selectMembers : .selectOwners, end.list.number,
      preparing: { () throws(StoreError) in
        if !end.isKeyed { try index(end.list.name, end.columns.map(\.name)) }
        return try connection.prepare(lookup(membersAt: end).sql)
      })
  }

  private func lookup(membersAt end: DatabaseSchema.ListEnd) -> RowLookup {
    RowLookup(
      table: end.list.name, columns: end.otherColumns, key: end.columns, filter: "",
      order: end.list.isOrdered && end.isOwners ? "position" : nil)
  }

  /// Returns the statement of an SQL text, prepared once.
  func query(_ sql: String) throws(StoreError) -> any DatabaseStatement {
    if let statement = queries[sql] { return statement }
    let statement = try connection.prepare(sql)
    // Texts with values in them could be of any number.
    if queries.count >= Self.queryLimit { queries.removeAll() }
    queries[sql] = statement
    return statement
  }

  /// Returns whether an index shows that a column of dates has no numbers.
  ///
  /// SQLite sorts numbers before all texts, so that an index finds one at once. Without an index, the whole table would
  /// have to be read, and the answer is no.
  func hasTextOnly(_ column: String, of table: DatabaseSchema.Table) throws(StoreError) -> Bool {
    let isIndexed =
      table.keyNames.first == column
      || schema.indexes.contains { $0.table == table.name && $0.columns.first == column }
    guard isIndexed else { return false }
    let statement = try query(
      "SELECT 1 FROM \(SQL.quote(table.name)) WHERE \(SQL.quote(column)) < '' LIMIT 1")
    defer { statement.reset() }
    return try !statement.next()
  }

  // MARK: Reading groups

  /// The most keys that one query asks for.
  var keyLimit: Int { connection.dialect.lookUpGroups?.keyCount ?? 1 }

  /// Returns all columns of the rows of many identities, in a database that looks up in groups; see
  /// ``DatabaseConnection/prepare(_:)``.
  func lookUp(identitiesOf entity: Int) throws(StoreError) -> (any DatabaseStatement)? {
    try lookup(.lookUpIdentities, entity, lookup(identitiesOf: entity))
  }

  /// Returns the keys at the other end of a list for many objects, in the order of the list.
  ///
  /// It is nil also if this would read the whole table: the index is only made for a look-up that must be answered.
  func lookUp(membersAt end: DatabaseSchema.ListEnd) throws(StoreError) -> (any DatabaseStatement)?
  {
    let list = end.list
    let kind: Kind = end.isOwners ? .lookUpMembers : .lookUpOwners
    if !end.isKeyed, prepared[kind.rawValue][list.number] == nil {
      let index = DatabaseSchema.Index(table: list.name, columns: end.columns.map(\.name))
      guard try connection.indexNames().contains(index.name) else { return nil }
    }
    return try lookup(kind, list.number, lookup(membersAt: end))
  }

  private func lookup(
    _ kind: Kind, _ number: Int, _ lookup: @autoclosure () -> RowLookup
  ) throws(StoreError) -> (any DatabaseStatement)? {
    if let statement = prepared[kind.rawValue][number] { return statement }
    let statement = try connection.prepare(lookup())
    prepared[kind.rawValue][number] = statement
    return statement
  }

  // MARK: Writing

  private func statement(
    _ kind: Kind, _ number: Int, _ change: () -> RowChange
  ) throws(StoreError) -> any DatabaseStatement {
    try statement(
      kind, number, preparing: { () throws(StoreError) in try connection.prepare(change()) })
  }

  /// Inserts a row, of all columns.
  func insert(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.insert, number) {
      RowChange(.insert, schema.tables[number].name, schema.tables[number].columns)
    }
  }

  /// Updates all columns of a row that are not its key; the key's values come last.
  func update(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.update, number) {
      let table = schema.tables[number]
      return RowChange(
        .update, table.name, table.values.map { table.columns[$0] }, where: table.keyColumns)
    }
  }

  /// Updates all columns of a row; its current key's values come last.
  ///
  /// Rows may change their keys in a circle, so that each is written by itself.
  func updateWithKey(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.updateWithKey, number) { () throws(StoreError) in
      let table = schema.tables[number]
      guard connection.dialect.distribution == nil else {
        return try RowMove(table, schema, connection)
      }
      return try connection.prepare(
        RowChange(.update, table.name, table.columns, where: table.keyColumns).sql)
    }
  }

  func delete(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.delete, number) {
      RowChange(.delete, schema.tables[number].name, where: schema.tables[number].keyColumns)
    }
  }

  /// Adds a member to a list; a member that is already there keeps its position, unless it is known to be new.
  func insertMember(_ number: Int, isNew: Bool) throws(StoreError) -> any DatabaseStatement {
    // Elsewhere a member may have outlived its owner, whose row another tool has deleted.
    let isNew = isNew && checksLinks
    return try statement(isNew ? .insertNewMember : .insertMember, number) {
      let list = schema.lists[number]
      var columns = list.ownerColumns + list.memberColumns
      if list.isOrdered { columns.append(.init(name: "position", type: .integer64)) }
      return RowChange(isNew ? .insert : .insertMissing, list.name, columns)
    }
  }

  func deleteMember(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.deleteMember, number) {
      let list = schema.lists[number]
      return RowChange(.delete, list.name, where: list.ownerColumns + list.memberColumns)
    }
  }

  /// Removes all members of a list.
  func deleteMembers(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.deleteMembers, number) {
      RowChange(.delete, schema.lists[number].name, where: schema.lists[number].ownerColumns)
    }
  }

  /// Removes a member from all lists.
  func deleteOwners(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.deleteOwners, number) {
      RowChange(.delete, schema.lists[number].name, where: schema.lists[number].memberColumns)
    }
  }

  // MARK: Binding

  /// Binds values to parameters, from a number on.
  static func bind(
    _ values: BorrowedBuffer<RawValue>, _ columns: [DatabaseSchema.Column],
    to statement: any RowParameters, from parameter: Int = 0
  ) {
    for (offset, column) in columns.enumerated() {
      bind(values[offset], column.type, to: statement, parameter + offset)
    }
  }

  /// Binds the key of a row to the first parameters.
  static func bind(
    _ key: RowKey, _ columns: [DatabaseSchema.Column], to statement: any RowParameters
  ) {
    OwnedValue.withRawValues(key.values[...]) { bind($0, columns, to: statement) }
  }

  /// Binds a value to a parameter.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - type: The type of the column.
  ///   - statement: The statement.
  ///   - parameter: The number of the parameter.
  ///   - lasts: Whether the value's bytes last until the statement has run.
  @inline(__always)
  static func bind(
    _ value: RawValue, _ type: AttributeType, to statement: any RowParameters,
    _ parameter: Int, lasts: Bool = false
  ) {
    if value.isNull {
      statement.bindNull(parameter)
    } else if value.hasBytes {
      value.bytes.withRawSpan {
        if lasts {
          statement.bind(parameter, type, lastingBytes: $0)
        } else {
          statement.bind(parameter, type, bytes: $0)
        }
      }
    } else {
      statement.bind(parameter, type, word: value.bits)
    }
  }
}

extension DatabaseSchema {
  /// Returns a query for all columns of rows of a table; `clauses` follows the name of the table.
  func rows(of table: Table, _ clauses: String) -> String {
    "SELECT \(SQL.list(table.columns.map(\.name))) FROM \(SQL.quote(table.name))\(clauses)"
  }

  /// Returns the condition that rows are of one of several entities, such as
  /// `"_entity" IN ('Cat', 'Dog')`.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - entities: The numbers of the entities.
  ///   - word: The word before the condition: ` WHERE ` or ` AND `.
  /// - Returns: The condition; an empty string where all rows are of these entities.
  func condition(_ table: Table, isOneOf entities: [Int], after word: String = "") -> String {
    guard let column = table.entityColumn, entities.count < table.entities.count else { return "" }
    let names = entities.map { SQL.literal(model.entities[$0].name) }
    return word
      + "\(SQL.quote(table.columns[column].name)) IN (\(names.joined(separator: ", ")))"
  }
}

extension DatabaseSchema.Table {
  /// Returns a query for some rows of the table, in the order of their keys.
  ///
  /// - Parameters:
  ///   - columns: The columns that it returns.
  ///   - conditions: The conditions; nil or empty ones are ignored.
  ///   - isLater: Whether the rows come after one whose key is given by the parameters.
  ///   - limit: The most rows.
  /// - Returns: The query.
  func page(
    of columns: [DatabaseSchema.Column], where conditions: [String?], isLater: Bool, limit: Int
  ) -> String {
    let order = SQL.list(keyNames)
    let later = isLater ? "(\(order)) > (\(SQL.parameters(key.count)))" : nil
    return "SELECT \(SQL.list(columns.map(\.name))) FROM \(SQL.quote(name))"
      + SQL.whereAll([later] + conditions) + " ORDER BY \(order) LIMIT \(limit)"
  }
}
