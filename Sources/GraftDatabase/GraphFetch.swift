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
  /// Whether the caller has given them as key paths.
  var isTyped = false

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
/// A batch of an import does the work: it brings rows into a transaction, and the identities of what they lead to. The
/// graph knows what was not read (`UnreadRows`).
struct GraphFetch {
  /// Relationships that are followed, and those that are followed from there.
  private struct Branch {
    /// By entity, the number of each relationship: sub-entities may have one that others lack.
    var relationships: [(name: String, numbers: [Int: Int], branch: Branch)] = []
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
        path.split(separator: ".", omittingEmptySubsequences: false)[...], query.entity.family,
        &branch)
    }
    try connection.execute("BEGIN")
    defer { connection.rollback() }
    // All before their values, which lead to others: so they come first in the graph, in their order.
    let objects = try batch.objects(for: query.keys(in: schema, connection), readingValues: false)
    for object in objects { read(object) }
    var followed = [UnreadRows.Followed(path: [], objects: objects)]
    follow(branch, &followed)
    try batch.check()
    return (transaction.freeze().lacking(UnreadRows(batch, query, followed)), objects)
  }

  private func add(
    _ path: ArraySlice<Substring>, _ entities: [Int], _ branch: inout Branch
  ) throws(StoreError) {
    guard let name = path.first.map(String.init) else { return }
    var numbers: [Int: Int] = [:]
    var destinations: Set<Int> = []
    for entity in entities.map({ schema.model.entities[$0] }) {
      guard let number = entity.relationships.firstIndex(where: { $0.name == name }) else {
        continue
      }
      numbers[entity.number] = number
      destinations.formUnion(
        schema.model.entities[entity.relationships[number].destination].family)
    }
    guard !numbers.isEmpty else {
      throw schema.model.entities[entities[0]].unknownRelationship(name)
    }
    let index =
      branch.relationships.firstIndex { $0.name == name } ?? branch.relationships.count
    if index == branch.relationships.count {
      branch.relationships.append((name, numbers, Branch()))
    }
    try add(path.dropFirst(), destinations.sorted(), &branch.relationships[index].branch)
  }

  /// Reads an object's values and links, and the identities of what they lead to.
  private func read(_ object: ObjectID) {
    batch.readValues(of: object)
    for (number, members) in schema.members[object.entity].enumerated() {
      switch members {
      case .list?, .inverseOfList?: batch.readTargets(of: object, number)
      // As many as there are; they are read where they are followed.
      case .inverseOfReference?, nil: break
      }
    }
  }

  /// Follows a branch from the objects that were read last.
  private func follow(_ branch: Branch, _ followed: inout [UnreadRows.Followed]) {
    guard let start = followed.last else { return }
    for (name, numbers, next) in branch.relationships {
      var targets: [ObjectID] = []
      var seen: Set<ObjectID> = []
      for object in start.objects {
        guard let number = numbers[object.entity] else { continue }
        batch.readTargets(of: object, number)
        for target in transaction.tables.targets(object, relationship: number)
        where seen.insert(target).inserted {
          targets.append(target)
        }
      }
      for target in targets { read(target) }
      followed.append(UnreadRows.Followed(path: start.path + [name], objects: targets))
      follow(next, &followed)
    }
  }
}
