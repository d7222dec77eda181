// On a cluster a row's key decides on which machine the row is, so no statement changes the key. On one machine an
// update does, and foreign keys change all links along. For a cluster, an update of user 3 to user 4
//
//   {"id": 4, "handle": "ada"}
//
// becomes these statements, in this order:
//
//   INSERT INTO "User" …                          the row under its new key
//   INSERT INTO "User_tags" … ; DELETE …          its own lists, which are on its machine
//   UPDATE "Tweet_mentions" SET "user" = 4 …      the lists that contain it
//   UPDATE "Tweet" SET "author" = 4 …             the links to it
//   DELETE FROM "User" WHERE "id" = 3             the row under its former key

import Graft

/// Moves a row to another key, and the links with it, in a database that does not change keys.
///
/// Its parameters are those of the update that it replaces: all columns of the row, and then the former key.
final class RowMove: DatabaseStatement {
  /// A statement, and the parameters of the move that give its values.
  private struct Step {
    let statement: any DatabaseStatement
    /// The parameter of the move for each parameter of the statement.
    let sources: [Int]
  }

  private var steps: [Step] = []

  init(
    _ table: DatabaseSchema.Table, _ schema: DatabaseSchema, _ connection: any DatabaseConnection
  ) throws(StoreError) {
    let name = SQL.quote(table.name)
    let former = Array(table.columns.count..<table.columns.count + table.key.count)
    func add(_ sql: String, _ sources: [Int]) throws(StoreError) {
      steps.append(Step(statement: try connection.prepare(sql), sources: sources))
    }
    /// Changes columns that have the former key.
    func update(_ other: String, _ columns: [String]) throws(StoreError) {
      let values = columns.enumerated().map { "\(SQL.quote($1)) = $\($0 + 1)" }
      try add(
        "UPDATE \(SQL.quote(other)) SET \(values.joined(separator: ", "))"
          + " WHERE \(SQL.equal(columns, from: columns.count + 1))", table.key + former)
    }
    try add(
      "INSERT INTO \(name) (\(SQL.list(table.columns.map(\.name))))"
        + " VALUES (\(SQL.parameters(table.columns.count)))", Array(table.columns.indices))
    for list in schema.lists where list.ownerTable == table.number {
      let owner = list.ownerColumns.map(\.name)
      let others = list.memberColumns.map(\.name) + (list.isOrdered ? ["position"] : [])
      // `coalesce` gives the parameter the type of the column.
      let moved = owner.enumerated().map { "coalesce($\($0 + 1), \(SQL.quote($1)))" }
      let condition = SQL.equal(owner, from: owner.count + 1)
      try add(
        "INSERT INTO \(SQL.quote(list.name)) (\(SQL.list(owner + others)))"
          + " SELECT \((moved + others.map(SQL.quote)).joined(separator: ", "))"
          + " FROM \(SQL.quote(list.name)) WHERE \(condition)", table.key + former)
      try add(
        "DELETE FROM \(SQL.quote(list.name)) WHERE \(SQL.equal(owner, from: 1))", former)
    }
    for list in schema.lists where list.memberTable == table.number {
      try update(list.name, list.memberColumns.map(\.name))
    }
    for other in schema.tables {
      for reference in schema.references(of: other) where reference.table == table.number {
        try update(other.name, reference.columns.map(\.name))
      }
    }
    try add("DELETE FROM \(name) WHERE \(SQL.equal(table.keyNames, from: 1))", former)
  }

  /// Calls a closure with each parameter that takes a value of the move.
  private func forEach(_ parameter: Int, _ body: (any DatabaseStatement, Int) -> Void) {
    for step in steps {
      for (target, source) in step.sources.enumerated() where source == parameter {
        body(step.statement, target)
      }
    }
  }

  func bindNull(_ parameter: Int) { forEach(parameter) { $0.bindNull($1) } }

  func bind(_ parameter: Int, _ type: AttributeType, word: UInt64) {
    forEach(parameter) { $0.bind($1, type, word: word) }
  }

  func bind(_ parameter: Int, _ type: AttributeType, bytes: RawSpan) {
    forEach(parameter) { $0.bind($1, type, bytes: bytes) }
  }

  func run() throws(StoreError) {
    for step in steps { try step.statement.run() }
  }

  // The move returns no rows.
  func next() throws(StoreError) -> Bool {
    try run()
    return false
  }

  func reset() {}
  var columnNames: [String] { [] }
  func value(_ column: Int) -> AttributeValue? { nil }
  func isNull(_ column: Int) -> Bool { true }
  func word(_ column: Int, _ type: AttributeType) -> UInt64 { 0 }
  func withBytes(_ column: Int, _ type: AttributeType, _ body: (RawSpan) -> Void) {}
}
