// Converts the values of a column whose attribute has another type now, as an import would convert
// them. Each page of values is exported as JSON and imported into an attribute of the new type. The
// results go into a new column, which replaces the old one at the end.
//
// Numbers and dates are converted back, and one that differs then is refused. Other values are not
// compared, since they have several spellings: "yes" and "true" are the same boolean.
//
// The SQL type of a column is in `SQLDialect`.

import Foundation
import Graft
import GraftExport

/// An attribute whose column gets another type.
struct ColumnTypeChange {
  let table: DatabaseSchema.Table
  /// The column, with its new type.
  let column: DatabaseSchema.Column
  let oldType: AttributeType
  /// The attributes as they are now, with the conditions of the rows that have them; other rows lose their values.
  let forms: [(attribute: AttributeSchema, rows: String)]
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
    for form in forms { try convert(form.attribute, form.rows, connection) }
    for index in indexes { try connection.execute(index.removal) }
    try connection.execute("ALTER TABLE \(name) DROP COLUMN \(SQL.quote(column.name))")
    try connection.execute(
      "ALTER TABLE \(name) RENAME COLUMN \(SQL.quote(Self.newName)) TO \(SQL.quote(column.name))")
  }

  /// Converts the values of one attribute, page by page.
  private func convert(
    _ attribute: AttributeSchema, _ condition: String, _ connection: any DatabaseConnection
  ) throws(StoreError) {
    let old = DatabaseSchema.Column(name: column.name, type: oldType)
    let columns = table.keyColumns + [old]
    func page(isLater: Bool) throws(StoreError) -> any DatabaseStatement {
      try connection.prepare(
        table.page(
          of: columns, where: ["\(SQL.quote(old.name)) IS NOT NULL", condition],
          isLater: isLater, limit: Self.pageSize))
    }
    let next = try page(isLater: true)
    let update = try connection.prepare(
      "UPDATE \(SQL.quote(table.name)) SET \(SQL.quote(Self.newName)) = $1 WHERE "
        + SQL.equal(table.keyNames, from: 2))
    var rows = try page(isLater: false).readKeys(columns, of: table.number)
    while let last = rows.last {
      try write(rows, attribute, update, connection.name)
      OwnedValue.withRawValues(last.values.dropLast()) {
        DatabaseStatements.bind($0, table.keyColumns, to: next)
      }
      rows = try next.readKeys(columns, of: table.number)
    }
  }

  /// Writes the values of a page, each after the key of its row.
  private func write(
    _ page: [RowKey], _ attribute: AttributeSchema, _ update: any DatabaseStatement,
    _ database: String
  ) throws(StoreError) {
    let values = page.map(\.values.last)
    let results = try converted(
      values, from: oldType, to: column.type, attribute.dateFormat, database)
    try requireNoLoss(values, results, database)
    for (row, result) in zip(page, results) {
      let isBound: Void? = result?.withRawValue {
        DatabaseStatements.bind($0, column.type, to: update, 0)
      }
      if isBound == nil { update.bindNull(0) }
      OwnedValue.withRawValues(row.values.dropLast()) {
        DatabaseStatements.bind($0, table.keyColumns, to: update, from: 1)
      }
      try update.run()
    }
  }

  /// Throws if a number or date differs after it is converted back.
  private func requireNoLoss(
    _ values: [OwnedValue?], _ results: [OwnedValue?], _ database: String
  ) throws(StoreError) {
    let isNumber = column.type.isNumberOrBoolean && column.type != .boolean
    guard oldType == .date || oldType.isNumberOrBoolean && oldType != .boolean,
      isNumber || column.type == .string
    else { return }
    func value(_ value: OwnedValue?, _ type: AttributeType) -> AttributeValue? {
      value?.withRawValue { AttributeValue($0, type: type) }
    }
    func isSame(_ before: AttributeValue?, _ after: AttributeValue?) -> Bool {
      guard case .date(let before)? = before, case .date(let after)? = after else {
        return before == after
      }
      // Postgres has microseconds, and reads them with another last bit than a text.
      return abs(before.timeIntervalSince(after)) < 0.5e-6
    }
    // -2147483648 is a Float, whose shortest text -2.1474836e+09 names another integer.
    func isExact(_ before: AttributeValue?, _ result: OwnedValue?) -> Bool {
      guard column.type == .float, case .double(let number)? = value(result, .double) else {
        return false
      }
      return switch before {
      case .integer(let before)?: Int64(exactly: number) == before
      case .double(let before)?: number == before
      default: false
      }
    }
    let back = try converted(results, from: column.type, to: oldType, .automatic, database)
    for ((before, result), after) in zip(zip(values, results), back) {
      let before = value(before, oldType)
      guard isSame(before, value(after, oldType)) || isExact(before, result) else {
        let text =
          if case .date(let date)? = before {
            "\(date.timeIntervalSince1970) seconds since 1970"
          } else {
            before?.shortText ?? ""
          }
        throw failure(
          "\(text) would become \(value(result, column.type)?.shortText ?? "")", database)
      }
    }
  }

  private func failure(_ reason: String, _ database: String) -> StoreError {
    StoreError(
      .database,
      "\(database): \"\(table.name)\".\"\(column.name)\" cannot become \(column.type.rawValue): \(reason);"
        + " import into a new database, or keep the model as it was")
  }

  /// Returns the values as an attribute of another type gets them from JSON, in their order.
  private func converted(
    _ values: [OwnedValue?], from old: AttributeType, to new: AttributeType, _ format: DateFormat,
    _ database: String
  ) throws(StoreError) -> [OwnedValue?] {
    var json = JSONWriter()
    json.beginArray()
    for value in values {
      json.beginObject()
      value?.withRawValue {
        json.key("value")
        json.value($0, of: old)
      }
      json.endObject()
    }
    json.endArray()
    let text = json.text
    do {
      var value = AttributeDescription(name: "value", type: new)
      if new == .date { value.dateFormat = format.name }
      let model = try GraphModel(
        entities: [EntityDescription(name: "Row", attributes: [value])], dialect: .graft)
      let store = GraphStore(model: model)
      var options = ImportOptions()
      options.parser.limits.tokenBytes = .max
      options.parser.limits.numberBytes = .max
      options.parser.limits.depth = .max
      options.parser.limits.keyBytes = .max
      try store.importJSON([ImportRoot("Row")], from: Array(text.utf8), options: options)
      let graph = store.graph
      return graph.rows(0).map { object in
        let value = graph.value(object, attribute: 0)
        return value.isNull ? nil : OwnedValue(value)
      }
    } catch let error as ImportError {
      throw failure(
        "expected \(error.expected ?? "a value of it"), found \(error.found ?? "another")", database
      )
    } catch {
      throw StoreError(.database, "\(database): \"\(table.name)\".\"\(column.name)\": \(error)")
    }
  }
}
