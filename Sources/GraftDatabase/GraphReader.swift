import Graft

/// Reads rows of a database into a graph in memory.
struct GraphReader {
  private let connection: any DatabaseConnection
  private let schema: DatabaseSchema
  private let transaction: GraphTransaction
  /// The objects by their `_id`, by table.
  private(set) var objectsByRow: [[Int64: ObjectID]]

  init(_ connection: any DatabaseConnection, _ schema: DatabaseSchema, _ model: GraphModel) {
    self.init(connection, schema, into: Graph(emptyOf: model))
  }

  /// - Parameters:
  ///   - connection: A connection to the database.
  ///   - schema: Its tables.
  ///   - empty: An empty graph of the store to which the objects are to belong.
  init(_ connection: any DatabaseConnection, _ schema: DatabaseSchema, into empty: Graph) {
    self.connection = connection
    self.schema = schema
    transaction = GraphTransaction(base: empty)
    objectsByRow = schema.tables.map { _ in [:] }
  }

  /// Reads all objects.
  mutating func readAll() throws(StoreError) -> Graph {
    try connection.execute("BEGIN")
    defer { connection.rollback() }
    return try readAllRows()
  }

  /// Reads all objects, within a transaction of the database that has begun.
  mutating func readAllRows() throws(StoreError) -> Graph {
    for number in schema.tables.indices { try readRows(number) }
    for number in schema.tables.indices { try readReferences(number) }
    for number in schema.lists.indices { try readList(number) }
    return transaction.freeze()
  }

  private mutating func readRows(_ number: Int) throws(StoreError) {
    let table = schema.tables[number]
    let statement = try connection.prepare(
      schema.rows(of: table, " ORDER BY \(SQL.list(table.keyNames))"))
    var row = RowBuffer()
    while try statement.next() {
      row.read(statement, table, schema.model)
      let entity = row.entity
      let layout = schema.layouts[entity]
      let id = row.withValues(layout.identity) {
        transaction.insert(entity: entity, identity: $0)
      }
      try row.withAll { (values) throws(StoreError) in
        try transaction.check(values, layout, of: entity)
        transaction.write(values, layout, to: id)
        if table.isKeyedByNumber { objectsByRow[number][values[table.key[0]].integer] = id }
      }
    }
  }

  private func object(_ table: Int, _ key: BorrowedBuffer<RawValue>) -> ObjectID? {
    schema.tables[table].isKeyedByNumber
      ? objectsByRow[table][key[0].integer]
      : transaction.find(identityOf: schema.tables[table].entities[0], key)
  }

  private func readReferences(_ number: Int) throws(StoreError) {
    let table = schema.tables[number]
    for reference in schema.references(of: table) {
      let columns = table.keyColumns + reference.columns
      let statement = try connection.prepare(
        "SELECT \(SQL.list(columns.map(\.name))) FROM \(SQL.quote(table.name)) WHERE "
          + "\(SQL.quote(reference.columns[0].name)) IS NOT NULL"
          + " ORDER BY \(SQL.list(table.keyNames))")
      var row = RowBuffer()
      while try statement.next() {
        row.read(statement, columns)
        row.withAll { values in
          let count = table.key.count
          guard let owner = object(number, values[0..<count]),
            let target = object(reference.table, values[count..<values.count]),
            let relationship = table.references[owner.entity]
              .firstIndex(of: reference.positions)
          else { return }
          transaction.link(owner, relationship, to: target)
        }
      }
    }
  }

  private func readList(_ number: Int) throws(StoreError) {
    let list = schema.lists[number]
    let columns = list.ownerColumns + list.memberColumns
    // Another tool may have linked objects of other entities.
    let ends = schema.ends(of: list.relationship, of: list.entity)
    let (owners, targets) = (Set(ends.owners.entities), Set(ends.members.entities))
    let order = SQL.list(list.ownerColumns.map(\.name)) + (list.isOrdered ? ", \"position\"" : "")
    let statement = try connection.prepare(
      "SELECT \(SQL.list(columns.map(\.name))) FROM \(SQL.quote(list.name)) ORDER BY \(order)")
    var row = RowBuffer()
    var owner: ObjectID?
    var members: [ObjectID] = []
    func end() {
      if let owner { transaction.link(owner, list.relationship, toAll: members) }
      members = []
    }
    while try statement.next() {
      row.read(statement, columns)
      row.withAll { values in
        let count = list.ownerColumns.count
        guard let next = object(list.ownerTable, values[0..<count]),
          let member = object(list.memberTable, values[count..<values.count]),
          owners.contains(next.entity), targets.contains(member.entity)
        else { return }
        if next != owner { end() }
        owner = next
        members.append(member)
      }
    }
    end()
  }
}
