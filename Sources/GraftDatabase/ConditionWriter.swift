import Foundation
import Graft

/// Writes conditions as SQL with parameters.
struct ConditionWriter {
  /// A value of a parameter, and the type as which it is bound.
  private struct Parameter {
    var value: OwnedValue?
    var type: AttributeType
  }

  private let statements: DatabaseStatements
  private var parameters: [Parameter] = []

  private var schema: DatabaseSchema { statements.schema }
  private var dialect: SQLDialect { statements.connection.dialect }

  init(_ statements: DatabaseStatements) { self.statements = statements }

  /// Returns the SQL of a condition.
  ///
  /// - Parameters:
  ///   - form: The condition.
  ///   - entity: The entity whose objects it is about.
  /// - Returns: The SQL.
  /// - Throws: ``Graft/StoreError`` for a property that the entity lacks, a value that does not
  ///   suit it, and SQL that is more than one condition.
  mutating func sql(
    _ form: ConditionForm, of entity: EntitySchema
  ) throws(StoreError) -> String {
    switch form {
    case .sql(let text): return try sql(text, of: entity, check: SQLCheck("condition"))
    case .equal(let attribute, nil): return try "\(column(attribute, of: entity)) IS NULL"
    case .equal(let attribute, let value?):
      let number = try schema.model.attribute(attribute, of: entity.number)
      let value = entity.attributes[number].normalized(value)
      return try "\(equatable(number, of: entity)) = \(parameter(value, number, of: entity))"
    case .within(let attribute, let lower, let upper, let includesUpper):
      let number = try schema.model.attribute(attribute, of: entity.number)
      let column = try comparable(number, of: entity)
      var parts: [String] = []
      if let lower {
        parts.append("\(column) >= \(try parameter(lower, number, of: entity, isOrdered: true))")
      }
      if let upper {
        let isLower = includesUpper ? "<=" : "<"
        parts.append(
          "\(column) \(isLower) \(try parameter(upper, number, of: entity, isOrdered: true))")
      }
      return parts.isEmpty ? "\(column) IS NOT NULL" : parts.joined(separator: " AND ")
    case .related(let relationship, let condition):
      return try sql(leadingBy: relationship, of: entity, to: condition)
    case .joined(let forms, let isAll):
      return try sql(forms[...], joinedBy: isAll ? "AND" : "OR", of: entity)
    case .not(let form): return try "(\(sql(form, of: entity))) IS NOT TRUE"
    case .wrong(let error): throw error
    }
  }

  /// Returns SQL of several conditions as a balanced tree: SQLite refuses one that is 100 levels deep.
  private mutating func sql(
    _ forms: ArraySlice<ConditionForm>, joinedBy word: String, of entity: EntitySchema
  ) throws(StoreError) -> String {
    let middle = forms.startIndex + (forms.count + 1) / 2
    guard middle < forms.endIndex else { return try sql(forms[forms.startIndex], of: entity) }
    let first = try sql(forms[..<middle], joinedBy: word, of: entity)
    return try "(\(first)) \(word) (\(sql(forms[middle...], joinedBy: word, of: entity)))"
  }

  /// Returns SQL of a user, with parameters for its values.
  ///
  /// - Parameters:
  ///   - text: The SQL.
  ///   - entity: The entity whose attributes it names; nil where each says its own.
  ///   - check: The check that the SQL must pass.
  /// - Returns: The SQL.
  /// - Throws: ``Graft/StoreError`` for a name that the model lacks, and where the check refuses the SQL.
  mutating func sql(
    _ text: SQLText, of entity: EntitySchema?, check: SQLCheck
  ) throws(StoreError) -> String {
    if let error = text.error { throw error }
    var check = check
    var result = ""
    for piece in text.pieces {
      switch piece {
      case .text(let text):
        try check.read(text)
        result += text
      case .value(let value):
        try check.readValue()
        let type = value?.type ?? .string
        result += add(value.flatMap { $0.withRawValue(for: type) { OwnedValue($0) } }, type)
      case .empty(let type):
        try check.readValue()
        // `()` is no list in Postgres, and a cast takes no collation.
        let name = dialect.typeNames[type]?.split(separator: " COLLATE").first ?? "TEXT"
        result += "(SELECT CAST(NULL AS \(name)) WHERE 1 = 0)"
      case .attribute(let attribute, let name):
        try check.readValue()
        let owner = try name.map { (name) throws(StoreError) in try schema.model.entity(name) }
        guard let entity = owner ?? entity else {
          throw StoreError(.invalidCondition, "\"\(attribute)\" is an attribute of no entity")
        }
        result += try column(attribute, of: entity)
      case .relationship(let relationship, let name):
        try check.readValue()
        result += try column(relationship: relationship, of: schema.model.entity(name))
      case .table(let name):
        try check.readValue()
        result += SQL.quote(schema.table(of: try schema.model.entity(name).number).name)
      }
    }
    try check.end()
    return result
  }

  /// Binds the values to a statement that contains this SQL.
  func bind(to statement: any DatabaseStatement) {
    for (number, parameter) in parameters.enumerated() {
      let isBound: Void? = parameter.value?.withRawValue {
        DatabaseStatements.bind($0, parameter.type, to: statement, number)
      }
      if isBound == nil { statement.bindNull(number) }
    }
  }

  /// Adds a value of a column.
  ///
  /// - Returns: The parameter, such as `$2`.
  mutating func add(_ value: OwnedValue?, _ type: AttributeType) -> String {
    parameters.append(Parameter(value: value, type: type))
    return "$\(parameters.count)"
  }

  /// Adds a value that is compared with a column by its place in the order of values; see
  /// ``comparable(_:of:)``.
  ///
  /// - Returns: The parameter, such as `$2`.
  mutating func addOrdered(_ value: OwnedValue, _ type: AttributeType) -> String {
    guard type == .date, dialect.dateFunction != nil else { return add(value, type) }
    let text = AttributeValue.string(value.withRawValue { ColumnText.orderedDate($0.double) })
    return add(text.withRawValue(for: .string) { OwnedValue($0) }, .string)
  }

  private mutating func parameter(
    _ value: AttributeValue, _ attribute: Int, of entity: EntitySchema, isOrdered: Bool = false
  ) throws(StoreError) -> String {
    let type = entity.attributes[attribute].type
    // The value may be too large for the column. Postgres gives a parameter the type of the column, unless it is cast.
    if type == .integer16 || type == .integer32 {
      return
        "CAST(\(add(try owned(value, .integer64, attribute, of: entity), .integer64)) AS bigint)"
    }
    let owned = try owned(value, type, attribute, of: entity)
    return isOrdered ? addOrdered(owned, type) : add(owned, type)
  }

  private func owned(
    _ value: AttributeValue, _ type: AttributeType, _ attribute: Int, of entity: EntitySchema
  ) throws(StoreError) -> OwnedValue {
    guard let owned = value.withBound(for: type, { OwnedValue($0) }) else {
      throw entity.wrongType(value, attribute: attribute)
    }
    return owned
  }
}

// Relationships. A condition on related objects becomes a subquery for their keys, so that no
// column name depends on the query around it:
//
//   "author" IN (SELECT "id" FROM "User" WHERE "name" = $1)
//   "id" IN (SELECT "tweet" FROM "Tweet_hashtags" WHERE "hashtag" IN (SELECT "text" FROM "Hashtag" WHERE …))
//   "id" IN (SELECT "author" FROM "Tweet" WHERE "author" IS NOT NULL AND …)
extension ConditionWriter {
  private mutating func sql(
    leadingBy name: String, of entity: EntitySchema, to condition: ConditionForm?
  ) throws(StoreError) -> String {
    guard let number = entity.relationshipNumber(named: name) else {
      throw entity.unknownRelationship(name)
    }
    let relationship = entity.relationships[number]
    let destination = schema.model.entities[relationship.destination]
    let table = schema.table(of: entity.number)
    let target = schema.table(of: destination.number)
    let filter = try condition.map { (condition) throws(StoreError) in
      try "(\n\(sql(condition, of: destination))\n)"
    }
    /// Returns the condition that columns have the key of a wanted object, or of any object if there is no filter.
    func leads(_ columns: [String]) -> String {
      guard let filter else { return "\(SQL.quote(columns[0])) IS NOT NULL" }
      return Self.columns(columns, areIn: target.keyNames, of: target.name, where: filter)
    }
    let links = schema.links(of: number, of: entity.number)
    guard let members = schema.members[entity.number][number] else { return leads(links.member) }
    var isLink = filter.map { _ in leads(links.member) }
    if case .inverseOfReference = members {
      // The columns are those of the related objects themselves.
      isLink = "\(SQL.quote(links.owner[0])) IS NOT NULL" + (filter.map { " AND \($0)" } ?? "")
    }
    return Self.columns(
      table.keyNames, areIn: links.owner, of: links.table, where: isLink ?? "")
  }

  private static func columns(
    _ names: [String], areIn selected: [String], of table: String, where filter: String
  ) -> String {
    "(\(SQL.list(names))) IN (SELECT \(SQL.list(selected)) FROM \(SQL.quote(table))"
      + "\(SQL.whereAll([filter])))"
  }
}

// Columns.
extension ConditionWriter {
  private func column(
    _ attribute: String, of entity: EntitySchema
  ) throws(StoreError) -> String {
    SQL.quote(column(try schema.model.attribute(attribute, of: entity.number), of: entity).name)
  }

  private func column(
    relationship name: String, of entity: EntitySchema
  ) throws(StoreError) -> String {
    let number = try schema.model.relationship(name, of: entity.number, isToMany: false)
    let table = schema.table(of: entity.number)
    let columns = table.references[entity.number][number].map { table.columns[$0].name }
    guard columns.count == 1 else {
      throw StoreError(
        .invalidCondition,
        "\(entity.name).\(name) has several columns, one for each part of the key; name one of them:"
          + " \(SQL.list(columns))", entity: entity.name, property: name)
    }
    return SQL.quote(columns[0])
  }

  private func column(_ attribute: Int, of entity: EntitySchema) -> DatabaseSchema.Column {
    let table = schema.table(of: entity.number)
    return table.columns[table.attributes[entity.number][attribute]]
  }

  /// Returns the column of an attribute in a form that can be compared: some databases compare no
  /// JSON.
  private func equatable(_ attribute: Int, of entity: EntitySchema) -> String {
    let column = column(attribute, of: entity)
    let name = SQL.quote(column.name)
    return column.type == .transformable ? "CAST(\(name) AS text)" : name
  }

  /// Returns the column of an attribute in the order of its values.
  func comparable(_ attribute: Int, of entity: EntitySchema) throws(StoreError) -> String {
    let name = equatable(attribute, of: entity)
    if entity.attributes[attribute].type == .date, let function = dialect.dateFunction {
      let table = schema.table(of: entity.number)
      return try statements.hasTextOnly(column(attribute, of: entity).name, of: table)
        ? name : "CASE typeof(\(name)) WHEN 'text' THEN \(name) ELSE \(function)(\(name)) END"
    }
    guard let collation = dialect.collations[entity.attributes[attribute].type] else { return name }
    return "\(name) COLLATE \(SQL.quote(collation))"
  }
}
