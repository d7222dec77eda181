import Foundation
public import Graft

/// A row that a query in SQL has returned; see ``GraftDatabase/DatabaseSQL``.
public struct DatabaseRow: Sendable, Hashable {
  /// The names of the columns, in their order.
  public let columns: [String]
  /// The values in the order of the columns, as the database has them; nil for null.
  ///
  /// SQLite has integers, floating-point numbers, strings and bytes; `value(_:as:)` makes dates, decimals and the like
  /// of them, in the form in which Graft keeps them.
  public let values: [AttributeValue?]

  /// Returns the value in a column.
  ///
  /// - Parameters:
  ///   - column: The column's name.
  ///   - type: The type of the value; an optional one where it may be null.
  /// - Returns: The value.
  /// - Throws: ``Graft/StoreError`` of the kind `unknownProperty` for a name that no column has,
  ///   and of the kind `wrongType` for a value that is not of the type without loss.
  public func value<Value: AttributeConvertible>(
    _ column: String, as type: Value.Type = Value.self
  ) throws(StoreError) -> Value {
    guard let position = columns.firstIndex(of: column) else {
      throw StoreError(
        .unknownProperty,
        "the query has no column \"\(column)\""
          + (nearestName(to: column, in: columns).map { ", did you mean \"\($0)\"?" }
            ?? "; it has \(columns.map { "\"\($0)\"" }.joined(separator: ", "))"),
        property: column)
    }
    return try value(position, as: type)
  }

  /// Returns the value in a column.
  ///
  /// - Parameters:
  ///   - column: The number of the column, counted from 0.
  ///   - type: The type of the value; an optional one where it may be null.
  /// - Returns: The value.
  /// - Throws: ``Graft/StoreError`` of the kind `unknownProperty` for a number that no column has,
  ///   and of the kind `wrongType` for a value that is not of the type without loss.
  public func value<Value: AttributeConvertible>(
    _ column: Int, as type: Value.Type = Value.self
  ) throws(StoreError) -> Value {
    guard values.indices.contains(column) else {
      throw StoreError(
        .unknownProperty,
        "the query has \(columns.count) columns, and none with the number \(column)")
    }
    let codec = Value.attributeCodec
    guard let value = values[column] else {
      if let null = codec.null { return null }
      throw Self.wrongType("null; ask for a \(Value.self)?", columns[column], codec.type)
    }
    guard let result = value.converted(to: codec.type).flatMap(codec.value(of:)) else {
      throw Self.wrongType(value.shortText, columns[column], codec.type)
    }
    return result
  }

  private static func wrongType(
    _ found: String, _ column: String, _ type: AttributeType
  ) -> StoreError {
    StoreError(
      .wrongType, "column \"\(column)\": expected a value of type \(type.rawValue), found \(found)",
      property: column)
  }

  /// Reads all rows of a statement.
  static func readAll(_ statement: any DatabaseStatement) throws(StoreError) -> [DatabaseRow] {
    var rows: [DatabaseRow] = []
    var columns: [String] = []
    while try statement.next() {
      if rows.isEmpty { columns = statement.columnNames }
      var values: [AttributeValue?] = []
      values.reserveCapacity(columns.count)
      for column in columns.indices { values.append(try statement.value(column)) }
      rows.append(DatabaseRow(columns: columns, values: values))
    }
    return rows
  }

  /// The row as an object of JSON.
  package var json: String {
    var json = JSONWriter()
    json.beginObject()
    for (column, value) in zip(columns, values) {
      json.key(column)
      if let value { json.value(value) } else { json.null() }
    }
    json.endObject()
    return json.text
  }
}

extension AttributeValue {
  /// Converts the value to an attribute type, if nothing is lost; SQLite stores several types in the form of others.
  fileprivate func converted(to type: AttributeType) -> AttributeValue? {
    switch (self, type) {
    case (.integer(let value), .boolean):
      value == 0 || value == 1 ? .boolean(value == 1) : nil
    case (.integer(let value), .date):
      .date(Date(timeIntervalSinceReferenceDate: Double(value)))
    case (.double(let value), .date): .date(Date(timeIntervalSinceReferenceDate: value))
    case (.double(let value), .integer16), (.double(let value), .integer32),
      (.double(let value), .integer64):
      Int64(exactly: value).map { .integer($0) }
    case (.double(let value), .decimal):
      Decimal(string: value.description, locale: nil).map { .decimal($0) }
    case (.decimal(let value), .integer16), (.decimal(let value), .integer32),
      (.decimal(let value), .integer64):
      Int64(value.description).map { .integer($0) }
    case (.decimal(let value), .double), (.decimal(let value), .float):
      Double(value.description).map { .double($0) }
    case (.string(let value), .date): Self.date(value)
    case (.string(let value), .uuid): UUID(uuidString: value).map { .uuid($0) }
    case (.string(let value), .uri): URL(string: value).map { .uri($0) }
    case (.string(let value), .decimal):
      Decimal(string: value, locale: nil).map { .decimal($0) }
    case (.string(let value), .transformable): .json(value)
    case (.json(let value), .string): .string(value)
    default: self
    }
  }

  private static func date(_ text: String) -> AttributeValue? {
    // The array's elements are its bytes.
    let bytes = Array(text.utf8)
    return unsafe ColumnText.date(of: bytes.span.bytes)
      .map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
  }
}
