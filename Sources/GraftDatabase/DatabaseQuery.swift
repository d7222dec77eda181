import Foundation
import Graft

/// A query for objects of a database.
struct DatabaseQuery: Sendable {
  var entity: EntitySchema
  /// The values of the identity of the one object that is looked up; nil for a search.
  var identity: [AttributeValue]?
  var condition: ConditionForm?
  /// The attributes by which objects are ordered, and then by their keys.
  var order: [OrderKey] = []
  /// The object after which the first one comes.
  var previous: GraphObject?
  /// The key of that object, in a query without an order.
  var previousKey: RowKey?
  var limit: Int?
  /// Paths of relationships, such as `author.location`.
  var following: [String] = []
  /// Whether the caller has given the paths as key paths.
  var isTyped = false

  /// Finds rows.
  ///
  /// - Parameters:
  ///   - statements: The statements of the database.
  ///   - entities: The numbers of the entities whose rows are found; nil for the query's entity and its sub-entities.
  /// - Returns: The keys of the rows, in the order that is asked for.
  /// - Throws: ``Graft/StoreError`` for a condition that cannot be used, and of the kind `database`.
  func keys(
    _ statements: DatabaseStatements, _ entities: [Int]? = nil
  ) throws(StoreError) -> RowKeys {
    let table = statements.schema.table(of: entity.number)
    let order = try OrderWriter(order, of: entity, in: statements.schema)
    return try run(statements, entities ?? entity.family) { writer, conditions throws(StoreError) in
      var conditions = conditions
      if let previous { conditions.append(try order.isLater(than: previous, &writer, statements)) }
      if let previousKey { conditions.append(order.isLater(than: previousKey.values, &writer)) }
      return "SELECT \(SQL.list(table.keyNames)) FROM \(SQL.quote(table.name))"
        + SQL.whereAll(conditions) + " ORDER BY \(try order.clause(writer))"
        + (limit.map { " LIMIT \(max(0, $0))" } ?? "")
    } read: { statement throws(StoreError) in
      try statement.keys(table.keyColumns, of: table.number)
    }
  }

  /// Counts rows.
  ///
  /// - Parameters:
  ///   - statements: The statements of the database.
  ///   - entities: The numbers of the entities whose rows are counted.
  /// - Returns: The number; the limit and the order mean nothing for it.
  /// - Throws: ``Graft/StoreError`` for a condition that cannot be used, and of the kind `database`.
  func count(_ statements: DatabaseStatements, _ entities: [Int]) throws(StoreError) -> Int {
    let table = statements.schema.table(of: entity.number)
    return try run(statements, entities) { _, conditions throws(StoreError) in
      "SELECT count(*) FROM \(SQL.quote(table.name))" + SQL.whereAll(conditions)
    } read: { statement throws(StoreError) in
      guard try statement.next() else { return 0 }
      defer { statement.reset() }
      return Int(Int64(bitPattern: statement.word(0, .integer64)))
    }
  }

  private func run<R>(
    _ statements: DatabaseStatements, _ entities: [Int],
    sql: (inout ConditionWriter, [String]) throws(StoreError) -> String,
    read: (any DatabaseStatement) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    let schema = statements.schema
    let table = schema.table(of: entity.number)
    var writer = ConditionWriter(statements)
    var conditions = [schema.condition(table, isOneOf: entities)]
    if let condition {
      // The condition is on lines of its own, so that a comment at its end does not hide the rest.
      conditions.append("(\n\(try writer.sql(condition, of: entity))\n)")
    }
    let text = try sql(&writer, conditions)
    do throws(StoreError) {
      let statement = try statements.query(text)
      writer.bind(to: statement)
      return try read(statement)
    } catch {
      guard condition != nil, error.refusesStatement else { throw error }
      let columns = table.columns.map { SQL.quote($0.name) }.joined(separator: ", ")
      throw StoreError(
        .invalidCondition,
        "\(error.message); the condition may use SQL and the columns of \"\(table.name)\": \(columns)",
        entity: entity.name)
    }
  }
}
