import Foundation
import Graft

/// What is to be read from a database.
struct DatabaseQuery {
  var entity: EntitySchema
  var condition: DatabaseCondition?
  /// The attribute by whose values objects are ordered; by their keys where there is none.
  var attribute: String?
  var order = SortOrder.forward
  var limit: Int?
  /// Paths of relationships, such as `author.location`.
  var following: [String] = []

  /// The keys of the rows that it finds.
  ///
  /// - Parameters:
  ///   - schema: The tables.
  ///   - connection: A connection to the database.
  ///   - entities: The numbers of the entities whose rows are found; nil for the query's and those below it.
  /// - Returns: The keys, in the order that is asked for.
  /// - Throws: ``StoreError`` for a condition that cannot be used, and of the kind `database`.
  func keys(
    in schema: DatabaseSchema, _ connection: any DatabaseConnection, _ entities: [Int]? = nil
  ) throws(StoreError) -> [RowKey] {
    let table = schema.table(of: entity.number)
    var writer = ConditionWriter(schema, connection.dialect, entity)
    let filter = schema.condition(table, isOneOf: entities ?? entity.family, after: " WHERE ")
    let filtering = try condition.map { (condition) throws(StoreError) in
      // On lines of its own, so that it ends where it ends.
      (filter.isEmpty ? " WHERE" : " AND") + " (\n\(try writer.sql(condition.form))\n)"
    }
    let ordering = try attribute.map { (name) throws(StoreError) in
      try writer.order(name, order)
    }
    let start = "SELECT \(SQL.list(table.keyNames)) FROM \(SQL.quote(table.name))\(filter)"
    let end =
      " ORDER BY \(ordering ?? SQL.list(table.keyNames))"
      + (limit.map { " LIMIT \(max(0, $0))" } ?? "")
    let statement: any DatabaseStatement
    do {
      statement = try connection.prepare(start + (filtering ?? "") + end)
    } catch {
      // What can be read without it is wrong because of it.
      guard condition != nil, (try? connection.prepare(start + end)) != nil else { throw error }
      let columns = table.columns.map { SQL.quote($0.name) }.joined(separator: ", ")
      throw StoreError(
        .invalidCondition,
        "\(error.message); the condition may use SQL and the columns of \"\(table.name)\": \(columns)",
        entity: entity.name)
    }
    writer.bind(to: statement)
    return try statement.readKeys(table.keyColumns, of: table.number)
  }
}

/// Reads objects, and what they lead to, into a graph in memory.
///
/// A batch of an import does the work: it brings rows into a transaction, and stubs for what they lead to. So what
/// was not read is a stub.
struct GraphFetch {
  /// Relationships that are followed, and those that are followed from there.
  private struct Branch {
    var relationships: [(number: Int, branch: Branch)] = []
  }

  private let connection: any DatabaseConnection
  private let schema: DatabaseSchema
  private let transaction: GraphTransaction
  private let batch: DatabaseBatch

  init(_ connection: any DatabaseConnection, _ schema: DatabaseSchema, _ model: GraphModel) {
    self.connection = connection
    self.schema = schema
    batch = DatabaseBatch(
      schema: schema, statements: DatabaseStatements(connection, schema, makesIndexes: false))
    transaction = GraphTransaction(base: GraphStore(model: model).graph, source: batch)
    batch.attach(transaction)
  }

  /// Reads what a query asks for.
  ///
  /// - Returns: The graph, and the objects that the query found, in its order.
  /// - Throws: ``StoreError``.
  func read(_ query: DatabaseQuery) throws(StoreError) -> (graph: Graph, objects: [ObjectID]) {
    defer { batch.detach() }
    var branch = Branch()
    for path in query.following {
      try add(
        path.split(separator: ".", omittingEmptySubsequences: false)[...], query.entity, &branch)
    }
    try connection.execute("BEGIN")
    defer { connection.rollback() }
    // All before their values, which lead to others: so they come first in the graph, in their order.
    let objects = try batch.objects(for: query.keys(in: schema, connection), readingValues: false)
    for object in objects { read(object) }
    follow(branch, from: objects)
    try batch.check()
    return (transaction.freeze(), objects)
  }

  private func add(
    _ path: ArraySlice<Substring>, _ entity: EntitySchema, _ branch: inout Branch
  ) throws(StoreError) {
    guard let name = path.first.map(String.init) else { return }
    guard let number = entity.relationships.firstIndex(where: { $0.name == name }) else {
      throw entity.unknownRelationship(name)
    }
    let index =
      branch.relationships.firstIndex { $0.number == number } ?? branch.relationships.count
    if index == branch.relationships.count { branch.relationships.append((number, Branch())) }
    let destination = schema.model.entities[entity.relationships[number].destination]
    try add(path.dropFirst(), destination, &branch.relationships[index].branch)
  }

  /// Reads an object's values and links; what they lead to is a stub until it is read itself.
  private func read(_ object: ObjectID) {
    batch.readValues(of: object)
    for (number, members) in schema.members[object.entity].enumerated() {
      // The others are kept by their inverses, and may be many.
      if case .list? = members { batch.readTargets(of: object, number) }
    }
  }

  private func follow(_ branch: Branch, from objects: [ObjectID]) {
    for (number, next) in branch.relationships {
      var targets: [ObjectID] = []
      var seen: Set<ObjectID> = []
      for object in objects {
        batch.readTargets(of: object, number)
        for target in transaction.tables.targets(object, relationship: number)
        where seen.insert(target).inserted {
          targets.append(target)
        }
      }
      for target in targets { read(target) }
      follow(next, from: targets)
    }
  }
}
