/// The statements by which a database is read and written, each prepared when it is first needed.
final class DatabaseStatements {
  /// What a statement does; of each kind there is one for each table, list or entity.
  private enum Kind: Int, CaseIterable {
    case selectIdentity
    case selectKey
    case selectAny
    case selectMembers
    case selectOwners
    case insert
    case update
    case updateWithKey
    case delete
    case insertMember
    case deleteMember
    case deleteMembers
    case deleteOwners
  }

  /// A statement that is needed too seldom for a place of its own.
  private struct Other: Hashable {
    var entity: Int
    var columns: [Int]
    var isReferring: Bool
  }

  let connection: any DatabaseConnection
  let schema: DatabaseSchema
  /// By kind, and then by the number of the table, list or entity.
  private var prepared: [[(any DatabaseStatement)?]]
  private var others: [Other: any DatabaseStatement] = [:]

  /// Whether indexes may be made where a statement would read a whole table otherwise.
  private let makesIndexes: Bool

  init(
    _ connection: any DatabaseConnection, _ schema: DatabaseSchema, makesIndexes: Bool = true
  ) {
    self.connection = connection
    self.schema = schema
    let count = max(schema.model.entities.count, schema.lists.count)
    prepared = Kind.allCases.map { _ in Array(repeating: nil, count: count) }
    self.makesIndexes = makesIndexes
  }

  private func statement(
    _ kind: Kind, _ number: Int, indexing index: (table: String, columns: [String])? = nil,
    _ sql: () -> String
  ) throws(StoreError) -> any DatabaseStatement {
    if let statement = prepared[kind.rawValue][number] { return statement }
    // Without an index, which a first import does not have yet, the whole table would be read.
    if makesIndexes, let index {
      try connection.execute(DatabaseSchema.index(on: index.table, index.columns))
    }
    let statement = try connection.prepare(sql())
    prepared[kind.rawValue][number] = statement
    return statement
  }

  private func statement(
    _ other: Other, _ sql: () -> String
  ) throws(StoreError) -> any DatabaseStatement {
    if let statement = others[other] { return statement }
    let statement = try connection.prepare(sql())
    others[other] = statement
    return statement
  }

  // MARK: Reading

  /// All columns of the row of an object, by the identity that an entity shares with those below it.
  func select(identityOf entity: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.selectIdentity, entity) {
      let table = schema.table(of: entity)
      let columns = table.isKeyedByRow ? table.identities[entity] : table.key
      return rows(of: table, where: columns, schema.model.entities[entity].family)
    }
  }

  /// All columns of a row, by its key.
  func select(keyOf table: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.selectKey, table) {
      let table = schema.tables[table]
      return rows(of: table, where: table.key, table.entities)
    }
  }

  /// All columns of rows of an entity, and those below it, of which some have the values of the parameters.
  func select(_ entity: Int, where columns: [Int]) throws(StoreError) -> any DatabaseStatement {
    try statement(Other(entity: entity, columns: columns, isReferring: false)) {
      rows(of: schema.table(of: entity), where: columns, schema.model.entities[entity].family)
    }
  }

  private func rows(
    of table: DatabaseSchema.Table, where columns: [Int], _ family: [Int]
  ) -> String {
    let names = columns.map { table.columns[$0].name }
    return rows(of: table, " WHERE \(SQL.equal(names, from: 1))" + filter(table, family, " AND "))
  }

  /// All columns of any one row of an entity.
  func selectAny(_ table: Int, of entity: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.selectAny, entity) {
      let table = schema.tables[table]
      return rows(of: table, filter(table, [entity], " WHERE ") + " LIMIT 1")
    }
  }

  /// All columns of all rows of a table, in the order of their keys.
  func rows(of table: DatabaseSchema.Table, _ clauses: String = "") -> String {
    "SELECT \(SQL.list(table.columns.map(\.name))) FROM \(SQL.quote(table.name))\(clauses)"
  }

  /// A condition that rows are of one of several entities; nothing where all are.
  func filter(_ table: DatabaseSchema.Table, _ family: [Int], _ word: String) -> String {
    guard let column = table.entityColumn, family.count < table.entities.count else { return "" }
    let names = family.map { Self.literal(schema.model.entities[$0].name) }
    return word
      + "\(SQL.quote(table.columns[column].name)) IN (\(names.joined(separator: ", ")))"
  }

  /// A text in apostrophes, as SQL writes it.
  private static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }

  /// The keys of the members of a list, in their order.
  func selectMembers(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.selectMembers, number) {
      let list = schema.lists[number]
      return "SELECT \(SQL.list(list.memberColumns.map(\.name))) FROM \(SQL.quote(list.name))"
        + " WHERE \(SQL.equal(list.ownerColumns.map(\.name), from: 1))"
        + (list.isOrdered ? " ORDER BY \"position\"" : "")
    }
  }

  /// The keys of the objects whose list has a member.
  func selectOwners(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    let list = schema.lists[number]
    return try statement(
      .selectOwners, number, indexing: (list.name, list.memberColumns.map(\.name))
    ) {
      "SELECT \(SQL.list(list.ownerColumns.map(\.name))) FROM \(SQL.quote(list.name))"
        + " WHERE \(SQL.equal(list.memberColumns.map(\.name), from: 1))"
    }
  }

  /// The keys of the objects that a to-one relationship of an entity leads from to another.
  func selectReferring(
    _ entity: Int, by relationship: Int
  ) throws(StoreError) -> any DatabaseStatement {
    let table = schema.table(of: entity)
    let columns = table.references[entity][relationship].map { table.columns[$0].name }
    let other = Other(entity: entity, columns: [relationship], isReferring: true)
    if makesIndexes, others[other] == nil {
      try connection.execute(DatabaseSchema.index(on: table.name, columns))
    }
    return try statement(other) {
      "SELECT \(SQL.list(table.keyNames)) FROM \(SQL.quote(table.name))"
        + " WHERE \(SQL.equal(columns, from: 1))"
        + filter(table, schema.model.entities[entity].family, " AND ")
        + " ORDER BY \(SQL.list(table.keyNames))"
    }
  }

  // MARK: Writing

  /// Inserts a row, of all columns.
  func insert(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.insert, number) {
      let table = schema.tables[number]
      return "INSERT INTO \(SQL.quote(table.name)) (\(SQL.list(table.columns.map(\.name))))"
        + " VALUES (\(SQL.parameters(table.columns.count)))"
    }
  }

  /// Updates all columns of a row that are not its key; the key's values come last.
  func update(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.update, number) {
      let table = schema.tables[number]
      let names = table.values.map { table.columns[$0].name }
      let values = names.enumerated().map { "\(SQL.quote($1)) = $\($0 + 1)" }
      return "UPDATE \(SQL.quote(table.name)) SET \(values.joined(separator: ", "))"
        + " WHERE \(SQL.equal(table.keyNames, from: names.count + 1))"
    }
  }

  /// Updates all columns of a row; its present key's values come last.
  func updateWithKey(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.updateWithKey, number) {
      let table = schema.tables[number]
      let values = table.columns.enumerated().map { "\(SQL.quote($1.name)) = $\($0 + 1)" }
      return "UPDATE \(SQL.quote(table.name)) SET \(values.joined(separator: ", "))"
        + " WHERE \(SQL.equal(table.keyNames, from: values.count + 1))"
    }
  }

  func delete(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.delete, number) {
      let table = schema.tables[number]
      return "DELETE FROM \(SQL.quote(table.name)) WHERE \(SQL.equal(table.keyNames, from: 1))"
    }
  }

  /// Adds a member to a list; one that is there already stays where it is.
  func insertMember(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.insertMember, number) {
      let list = schema.lists[number]
      var names = (list.ownerColumns + list.memberColumns).map(\.name)
      if list.isOrdered { names.append("position") }
      return "INSERT INTO \(SQL.quote(list.name)) (\(SQL.list(names)))"
        + " VALUES (\(SQL.parameters(names.count))) ON CONFLICT DO NOTHING"
    }
  }

  func deleteMember(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.deleteMember, number) {
      let list = schema.lists[number]
      return "DELETE FROM \(SQL.quote(list.name)) WHERE "
        + SQL.equal((list.ownerColumns + list.memberColumns).map(\.name), from: 1)
    }
  }

  /// Removes all members of a list.
  func deleteMembers(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.deleteMembers, number) {
      let list = schema.lists[number]
      return "DELETE FROM \(SQL.quote(list.name)) WHERE "
        + SQL.equal(list.ownerColumns.map(\.name), from: 1)
    }
  }

  /// Removes a member from all lists.
  func deleteOwners(_ number: Int) throws(StoreError) -> any DatabaseStatement {
    try statement(.deleteOwners, number) {
      let list = schema.lists[number]
      return "DELETE FROM \(SQL.quote(list.name)) WHERE "
        + SQL.equal(list.memberColumns.map(\.name), from: 1)
    }
  }

  // MARK: Binding

  /// Binds values to parameters, from a number on.
  static func bind(
    _ values: BorrowedBuffer<RawValue>, _ columns: [DatabaseSchema.Column],
    to statement: any DatabaseStatement, from parameter: Int = 0
  ) {
    for (offset, column) in columns.enumerated() {
      bind(values[offset], column.type, to: statement, parameter + offset)
    }
  }

  @inline(__always)
  static func bind(
    _ value: RawValue, _ type: AttributeType, to statement: any DatabaseStatement,
    _ parameter: Int
  ) {
    if value.isNull {
      statement.bindNull(parameter)
    } else if value.hasBytes {
      value.bytes.withRawSpan { statement.bind(parameter, type, bytes: $0) }
    } else {
      statement.bind(parameter, type, word: value.bits)
    }
  }
}
