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
  /// Whether of two values one may be said to be the newer.
  var tellsAge: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date, .string: true
    case .boolean, .binary, .uuid, .uri, .transformable: false
    }
  }
}
