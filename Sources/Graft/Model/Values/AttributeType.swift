import Foundation

// A new type also needs the code that CONTRIBUTING.md lists under "an attribute type": its value in
// code and in a column, its conversion from and to JSON, its Swift type, and its cases in the
// tests.

/// The type of an attribute's values: the attribute types of Core Data.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
  /// A signed integer of 16 bits.
  case integer16 = "Integer 16"
  /// A signed integer of 32 bits.
  case integer32 = "Integer 32"
  /// A signed integer of 64 bits.
  case integer64 = "Integer 64"
  /// A decimal number, kept by its digits.
  case decimal = "Decimal"
  /// A binary floating-point number of 64 bits.
  case double = "Double"
  /// A binary floating-point number of 32 bits.
  case float = "Float"
  /// Unicode text.
  case string = "String"
  /// True or false.
  case boolean = "Boolean"
  /// A point in time.
  case date = "Date"
  /// Bytes, written as base64 in JSON.
  case binary = "Binary"
  /// A universally unique identifier.
  case uuid = "UUID"
  /// A uniform resource identifier.
  case uri = "URI"
  /// Any JSON value, kept as its text unless a transformer is named.
  case transformable = "Transformable"
}

extension AttributeType {
  /// The type's name with its article, for messages.
  var withArticle: String {
    switch self {
    case .integer16, .integer32, .integer64: "an \(rawValue)"
    case .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid, .uri,
      .transformable:
      "a \(rawValue)"
    }
  }

  /// The integers that the type holds; nil for other types.
  package var integerRange: ClosedRange<Int64>? {
    switch self {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .integer64: Int64.min...Int64.max
    case .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid, .uri,
      .transformable:
      nil
    }
  }

  /// Whether values are integers.
  package var isInteger: Bool { integerRange != nil }

  /// Whether values are numbers or booleans in JSON.
  package var isNumberOrBoolean: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    case .string, .date, .binary, .uuid, .uri, .transformable: false
    }
  }

  /// Whether one value can be newer than another.
  var ordersVersions: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date, .string: true
    case .boolean, .binary, .uuid, .uri, .transformable: false
    }
  }
}

extension AttributeType {
  /// Reads a value of this type from its text in a model file.
  ///
  /// - Parameter text: Digits, `YES` or `NO`, ISO 8601, base64 or another form, by the type.
  /// - Returns: The value; nil if the text does not fit the type or the value is out of range.
  package func value(from text: String) -> AttributeValue? {
    switch self {
    case .integer16, .integer32, .integer64:
      Int64(text).map { .integer($0) }.flatMap { accepts($0) ? $0 : nil }
    case .decimal: Self.decimal(text).map { .decimal($0) }
    case .double:
      Self.isNumber(text) ? Double(text).flatMap { $0.isFinite ? .double($0) : nil } : nil
    case .float: Self.isNumber(text) ? Float(text).flatMap { $0.isFinite ? .float($0) : nil } : nil
    case .string: .string(text)
    case .boolean: Self.boolean(text).map { .boolean($0) }
    case .date: Self.date(text).map { .date($0) }
    case .binary: Data(base64Encoded: text).map { .binary($0) }
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .uri: text.isEmpty ? nil : URL(string: text).map { .uri($0) }
    case .transformable: Self.isJSON(text) ? .json(text) : nil
    }
  }

  /// Returns whether a value is of this type and within its range.
  func accepts(_ value: AttributeValue) -> Bool {
    switch (self, value) {
    case (.integer16, .integer(let number)): Int16(exactly: number) != nil
    case (.integer32, .integer(let number)): Int32(exactly: number) != nil
    case (.integer64, .integer), (.decimal, .decimal), (.double, .double), (.float, .float),
      (.string, .string), (.boolean, .boolean), (.date, .date), (.binary, .binary), (.uuid, .uuid),
      (.uri, .uri), (.transformable, .json):
      true
    default: false
    }
  }

  /// Reads a decimal number: only digits, with an optional sign, point and exponent.
  static func decimal(_ text: String) -> Decimal? {
    guard isNumber(text), let number = Decimal(string: text), number.isFinite else { return nil }
    return number
  }

  private static func isNumber(_ text: String) -> Bool {
    text.wholeMatch(of: #/[+-]?\d+(\.\d*)?([eE][+-]?\d+)?|[+-]?\.\d+/#) != nil
      && text.utf8.count < 400
      && text.unicodeScalars.allSatisfy(\.isASCII)
  }

  private static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }

  /// The end of a date that ISO 8601 cannot write: `7e12 s since 2001`.
  package static let secondsSuffix = " s since 2001"

  private static func date(_ text: String) -> Date? {
    var interval = text.withUTF8Span(DateText.parseISO8601)
    if text.hasSuffix(secondsSuffix) {
      interval = Double(text.dropLast(secondsSuffix.count)).flatMap { $0.isFinite ? $0 : nil }
    }
    return interval.map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// Returns whether a text is one JSON value.
  static func isJSON(_ text: String) -> Bool {
    let data = Data(text.utf8)
    return (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
  }
}
