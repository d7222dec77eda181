// Converts the values of a column whose attribute has another type now, as an import would convert
// them. A value that would lose anything is refused. Each page of values is exported as JSON and
// imported into an attribute of the new type. The results go into a new column, which replaces the
// old one at the end.
//
// The SQL type of a column is in `SQLDialect`.

import Graft
import GraftExport

/// An attribute whose column gets another type.
struct ColumnTypeChange {
  let table: DatabaseSchema.Table
  let column: DatabaseSchema.Column
  let oldType: AttributeType
  /// The attribute as it is now.
  let attribute: AttributeSchema
  /// The indexes of the column, which are removed with it and made again.
  let indexes: [DatabaseSchema.Index]

  /// The number of values in memory at a time.
  private static let pageSize = 1000
  private static let newName = "_graft_new"

  /// Converts all values.
  ///
  /// - Parameter connection: A connection in a transaction.
  /// - Throws: ``Graft/StoreError`` of the kind `database`, also for a value that cannot be converted.
  func run(_ connection: any DatabaseConnection) throws(StoreError) {
    let name = SQL.quote(table.name)
    let new = DatabaseSchema.Column(name: Self.newName, type: column.type)
    try connection.execute(
      "ALTER TABLE \(name) ADD COLUMN \(connection.dialect.declaration(new))")
    let old = DatabaseSchema.Column(name: column.name, type: oldType)
    let columns = table.keyColumns + [old]
    func page(isLater: Bool) throws(StoreError) -> any DatabaseStatement {
      try connection.prepare(
        table.page(
          of: columns, where: ["\(SQL.quote(old.name)) IS NOT NULL"], isLater: isLater,
          limit: Self.pageSize))
    }
    let next = try page(isLater: true)
    let update = try connection.prepare(
      "UPDATE \(name) SET \(SQL.quote(Self.newName)) = $1 WHERE "
        + SQL.equal(table.keyNames, from: 2))
    var rows = try page(isLater: false).readKeys(columns, of: table.number)
    while let last = rows.last {
      try write(rows, update, connection.name)
      OwnedValue.withRawValues(last.values.dropLast()) {
        DatabaseStatements.bind($0, table.keyColumns, to: next)
      }
      rows = try next.readKeys(columns, of: table.number)
    }
    for index in indexes { try connection.execute(index.removal) }
    try connection.execute("ALTER TABLE \(name) DROP COLUMN \(SQL.quote(column.name))")
    try connection.execute(
      "ALTER TABLE \(name) RENAME COLUMN \(SQL.quote(Self.newName)) TO \(SQL.quote(column.name))")
  }

  /// Writes the values of a page, each after the key of its row.
  private func write(
    _ page: [RowKey], _ update: any DatabaseStatement, _ database: String
  ) throws(StoreError) {
    let graph = try converted(page, database)
    for (row, object) in zip(page, graph.rows(0)) {
      DatabaseStatements.bind(graph.value(object, attribute: 0), column.type, to: update, 0)
      OwnedValue.withRawValues(row.values.dropLast()) {
        DatabaseStatements.bind($0, table.keyColumns, to: update, from: 1)
      }
      try update.run()
    }
  }

  /// Returns the values of a page as objects with the one attribute, in their order.
  private func converted(_ page: [RowKey], _ database: String) throws(StoreError) -> Graph {
    var json = JSONWriter()
    json.beginArray()
    for row in page {
      OwnedValue.withRawValues(row.values.suffix(1)) { value in
        json.beginObject()
        json.key("value")
        json.value(value[0], of: oldType)
        json.endObject()
      }
    }
    json.endArray()
    let text = json.text
    do {
      var value = AttributeDescription(name: "value", type: column.type)
      if column.type == .date { value.dateFormat = attribute.dateFormat.name }
      let model = try GraphModel(
        entities: [EntityDescription(name: "Row", attributes: [value])], dialect: .graft)
      let store = GraphStore(model: model)
      var options = ImportOptions()
      options.parser.limits.tokenBytes = .max
      options.parser.limits.numberBytes = .max
      options.parser.limits.depth = .max
      options.parser.limits.keyBytes = .max
      try store.importJSON([ImportRoot("Row")], from: Array(text.utf8), options: options)
      return store.graph
    } catch let error as ImportError {
      throw StoreError(
        .database,
        "\(database): \"\(table.name)\".\"\(column.name)\" cannot become \(column.type.rawValue): expected"
          + " \(error.expected ?? "a value of it"), found \(error.found ?? "another"); import into a new"
          + " database, or keep the model as it was")
    } catch {
      throw StoreError(.database, "\(database): \"\(table.name)\".\"\(column.name)\": \(error)")
    }
  }
}
