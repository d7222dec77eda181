import Graft

/// Binds the values and links of an object to the parameters of statements, and writes the members of its lists.
///
/// Values are not copied: they are the graph's, which never changes, and the statement runs while the graph is there.
struct RowBinder {
  private let statements: DatabaseStatements
  private let graph: Graph
  /// The number of the import, which marks its stubs.
  private let stubMark: Int64
  /// The `_id` of an object of a table that is keyed by it.
  private let rowID: (ObjectID) -> Int64

  init(
    _ statements: DatabaseStatements, _ graph: Graph, stubMark: Int64,
    rowID: @escaping (ObjectID) -> Int64
  ) {
    self.statements = statements
    self.graph = graph
    self.stubMark = stubMark
    self.rowID = rowID
  }

  private var schema: DatabaseSchema { statements.schema }

  /// The source of a column's value.
  enum Source {
    case none
    case attribute(Int, AttributeType)
    /// A part of the key at the other end of a relationship.
    case reference(Int, part: Int, AttributeType)
    case rowID
    case entityName
    case stub
  }

  /// Returns the sources of a table's columns, for objects of an entity.
  func sources(of entity: Int, in table: DatabaseSchema.Table) -> [Source] {
    var sources = Array(repeating: Source.none, count: table.columns.count)
    for (attribute, column) in table.attributes[entity].enumerated() {
      sources[column] = .attribute(attribute, table.columns[column].type)
    }
    for (number, columns) in table.references[entity].enumerated() {
      for (part, column) in columns.enumerated() {
        sources[column] = .reference(number, part: part, table.columns[column].type)
      }
    }
    if table.isKeyedByNumber { sources[table.key[0]] = .rowID }
    if let column = table.entityColumn { sources[column] = .entityName }
    sources[table.stubColumn] = .stub
    return sources
  }

  /// Binds values of an object's row to the parameters of a statement, from the first on.
  func bind(
    _ id: ObjectID, _ sources: [Source], _ columns: some Collection<Int>,
    to statement: any RowParameters
  ) {
    let place = graph.place(of: id)
    for (parameter, column) in columns.enumerated() {
      switch sources[column] {
      case .none: statement.bindNull(parameter)
      case .attribute(let number, let type):
        let value = place.group.value(place.row, place.shape.attributes[number])
        DatabaseStatements.bind(value, type, to: statement, parameter, lasts: true)
      case .reference(let number, let part, let type):
        guard let target = graph.toOne(id, relationship: number) else {
          statement.bindNull(parameter)
          continue
        }
        withKeyPart(part, of: target) {
          DatabaseStatements.bind($0, type, to: statement, parameter, lasts: true)
        }
      case .rowID:
        statement.bind(
          parameter, .integer64, word: UInt64(bitPattern: rowID(id)))
      case .entityName:
        schema.model.entities[id.entity].name.withBorrowedUTF8 {
          $0.withRawSpan { statement.bind(parameter, .string, bytes: $0) }
        }
      case .stub:
        if graph.isStub(id) {
          statement.bind(parameter, .integer64, word: UInt64(bitPattern: stubMark))
        } else {
          statement.bindNull(parameter)
        }
      }
    }
  }

  private func withKeyPart(_ part: Int, of id: ObjectID, _ body: (RawValue) -> Void) {
    let table = schema.table(of: id.entity)
    if table.isKeyedByNumber { return body(.integer(rowID(id))) }
    body(graph.value(id, attribute: schema.model.entities[id.entity].identity[part]))
  }

  /// Binds the key of an object's row to parameters, from a number on.
  func bindKey(
    of id: ObjectID, _ columns: [DatabaseSchema.Column], to statement: any DatabaseStatement,
    from parameter: Int
  ) {
    for part in columns.indices {
      withKeyPart(part, of: id) {
        DatabaseStatements.bind(
          $0, columns[part].type, to: statement, parameter + part, lasts: true)
      }
    }
  }
}

// Lists.
extension RowBinder {
  /// Adds a member to a list; a member that is already there keeps its position.
  ///
  /// - Parameters:
  ///   - member: The object that is added.
  ///   - owner: The object whose list it is.
  ///   - list: The list.
  ///   - position: The place of the member, in a list that has an order.
  ///   - isNew: Whether the member is surely not there, so that the database need not look.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func insert(
    _ member: ObjectID, of owner: ObjectID, _ list: DatabaseSchema.List, position: Int = 0,
    isNew: Bool = false
  ) throws(StoreError) {
    let insert = try statements.insertMember(list.number, isNew: isNew)
    bindEnds(member, owner, list, to: insert)
    if list.isOrdered {
      insert.bind(
        list.ownerColumns.count + list.memberColumns.count, .integer64, word: UInt64(position))
    }
    try insert.run()
  }

  func delete(
    _ member: ObjectID, of owner: ObjectID, _ list: DatabaseSchema.List
  ) throws(StoreError) {
    let delete = try statements.deleteMember(list.number)
    bindEnds(member, owner, list, to: delete)
    try delete.run()
  }

  func deleteMembers(of owner: ObjectID, _ list: DatabaseSchema.List) throws(StoreError) {
    let delete = try statements.deleteMembers(list.number)
    bindKey(of: owner, list.ownerColumns, to: delete, from: 0)
    try delete.run()
  }

  private func bindEnds(
    _ member: ObjectID, _ owner: ObjectID, _ list: DatabaseSchema.List,
    to statement: any DatabaseStatement
  ) {
    bindKey(of: owner, list.ownerColumns, to: statement, from: 0)
    bindKey(of: member, list.memberColumns, to: statement, from: list.ownerColumns.count)
  }
}
