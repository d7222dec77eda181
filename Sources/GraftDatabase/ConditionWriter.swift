import Foundation
import Graft

/// Writes conditions as SQL with parameters.
struct ConditionWriter {
  /// A value of a parameter, and how it is bound.
  struct Parameter {
    var value: AttributeValue?
    var type: AttributeType
  }

  let schema: DatabaseSchema
  let dialect: SQLDialect
  let entity: EntitySchema
  private(set) var parameters: [Parameter] = []

  init(_ schema: DatabaseSchema, _ dialect: SQLDialect, _ entity: EntitySchema) {
    self.schema = schema
    self.dialect = dialect
    self.entity = entity
  }

  private var table: DatabaseSchema.Table { schema.table(of: entity.number) }

  /// The SQL of a condition.
  ///
  /// - Throws: ``StoreError`` for an attribute that the entity lacks, a value that does not suit it, and SQL that
  ///   is more than one condition.
  mutating func sql(_ form: DatabaseCondition.Form) throws(StoreError) -> String {
    switch form {
    case .sql(let pieces): return try sql(pieces)
    case .equal(let attribute, nil): return try "\(column(attribute)) IS NULL"
    case .equal(let attribute, let value?):
      return try "\(column(attribute)) = \(parameter(value, attribute))"
    case .within(let attribute, let lower, let upper, let includesUpper):
      let column = try comparable(number(attribute))
      var parts: [String] = []
      if let lower { parts.append("\(column) >= \(try parameter(lower, attribute))") }
      if let upper {
        parts.append("\(column) \(includesUpper ? "<=" : "<") \(try parameter(upper, attribute))")
      }
      return parts.isEmpty ? "\(column) IS NOT NULL" : parts.joined(separator: " AND ")
    case .both(let first, let second): return try "(\(sql(first))) AND (\(sql(second)))"
    case .either(let first, let second): return try "(\(sql(first))) OR (\(sql(second)))"
    case .not(let form): return try "(\(sql(form))) IS NOT TRUE"
    case .wrong(let error): throw error
    }
  }

  private mutating func sql(_ pieces: [DatabaseCondition.Piece]) throws(StoreError) -> String {
    var result = ""
    var check = ConditionCheck()
    for piece in pieces {
      switch piece {
      case .text(let text):
        try check.read(text)
        result += text
      case .value(let value):
        try check.readValue()
        result += add(Parameter(value: value, type: value?.ownType ?? .string))
      case .attribute(let attribute):
        try check.readValue()
        result += try column(attribute)
      }
    }
    try check.end()
    return result
  }

  /// Binds the values to a statement of which the SQL is part.
  func bind(to statement: any DatabaseStatement) {
    for (number, parameter) in parameters.enumerated() {
      let isBound: Void? = parameter.value?.withRawValue(for: parameter.type) {
        DatabaseStatements.bind($0, parameter.type, to: statement, number)
      }
      if isBound == nil { statement.bindNull(number) }
    }
  }

  /// What rows are ordered by: an attribute, and the key where its values are the same.
  func order(_ attribute: String, _ order: SortOrder) throws(StoreError) -> String {
    let column = try comparable(number(DatabaseCondition.AttributeName(name: attribute)))
    return "\(column)\(order == .reverse ? " DESC" : "") NULLS LAST, \(SQL.list(table.keyNames))"
  }

  private mutating func parameter(
    _ value: AttributeValue, _ attribute: DatabaseCondition.AttributeName
  ) throws(StoreError) -> String {
    let number = try number(attribute)
    var type = entity.attributes[number].type
    // A larger integer than the attribute can hold bounds a range all the same.
    if type == .integer16 || type == .integer32 { type = .integer64 }
    guard value.withRawValue(for: type, { _ in true }) != nil else {
      throw entity.wrongType(value, attribute: number)
    }
    return add(Parameter(value: value, type: type))
  }

  private mutating func add(_ parameter: Parameter) -> String {
    parameters.append(parameter)
    return "$\(parameters.count)"
  }

  private func number(
    _ attribute: DatabaseCondition.AttributeName
  ) throws(StoreError) -> Int {
    if let name = attribute.entity {
      var entity = entity
      while entity.name != name {
        guard let above = entity.superentity else {
          throw StoreError(
            .invalidCondition,
            "the condition is about \(name).\(attribute.name), and objects of \(self.entity.name) are"
              + " to be read", entity: self.entity.name, property: attribute.name)
        }
        entity = schema.model.entities[above]
      }
    }
    return try schema.model.attribute(attribute.name, of: entity.number)
  }

  private func column(
    _ attribute: DatabaseCondition.AttributeName
  ) throws(StoreError) -> String {
    SQL.quote(table.columns[table.attributes[entity.number][try number(attribute)]].name)
  }

  /// The column of an attribute in the order of its values.
  private func comparable(_ attribute: Int) -> String {
    let column = table.columns[table.attributes[entity.number][attribute]]
    guard let collation = dialect.collations[column.type] else { return SQL.quote(column.name) }
    return "\(SQL.quote(column.name)) COLLATE \(SQL.quote(collation))"
  }
}

/// Makes sure that text which is put between parentheses after `WHERE` does not end there.
///
/// It knows as much of SQL as that takes: texts and names in quotation marks, and parentheses. What could hide
/// something from it is refused: comments, several statements, and parameters, which are interpolated instead.
struct ConditionCheck {
  private var depth = 0
  private var quote: UInt8?
  private var previous: UInt8 = 0

  mutating func read(_ text: String) throws(StoreError) {
    for byte in text.utf8 {
      if byte == 0 { throw Self.error("it contains U+0000; interpolate the text") }
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): quote = byte
      case UInt8(ascii: "["): quote = UInt8(ascii: "]")
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth < 0 { throw Self.error("it has a \")\" too many") }
      case UInt8(ascii: ";"): throw Self.error("it contains \";\"; give one condition")
      case UInt8(ascii: "-") where previous == byte, UInt8(ascii: "*") where previous == 0x2F:
        throw Self.error("it contains a comment; leave it out")
      case UInt8(ascii: "$"), UInt8(ascii: "?"):
        throw Self.error(
          "it contains the parameter \"\(Character(Unicode.Scalar(byte)))\"; interpolate the value")
      default: break
      }
      previous = byte
    }
  }

  /// Goes on after a value or name.
  mutating func readValue() throws(StoreError) {
    if quote != nil {
      throw Self.error(
        "a value is interpolated inside quotation marks; leave them out, since it is bound and not"
          + " pasted")
    }
    previous = 0
  }

  func end() throws(StoreError) {
    if quote != nil { throw Self.error("quotation marks are not closed") }
    if depth > 0 { throw Self.error("a \"(\" is not closed") }
  }

  private static func error(_ message: String) -> StoreError {
    StoreError(.invalidCondition, "the condition cannot be used: \(message)")
  }
}

extension AttributeValue {
  /// The type in which the value is bound where no attribute says another.
  fileprivate var ownType: AttributeType {
    switch self {
    case .integer: .integer64
    case .decimal: .decimal
    case .double: .double
    case .float: .float
    case .string: .string
    case .boolean: .boolean
    case .date: .date
    case .binary: .binary
    case .uuid: .uuid
    case .uri: .uri
    case .json: .transformable
    }
  }
}
