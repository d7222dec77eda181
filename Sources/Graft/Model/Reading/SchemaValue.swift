import Foundation

/// A JSON value of a Graft schema; schemas are small, so they are held as a tree.
enum SchemaValue: Decodable {
  case object([String: SchemaValue])
  case array([SchemaValue])
  case string(String)
  case integer(Int64)
  case number(Decimal)
  case boolean(Bool)
  case null

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Decimal.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([SchemaValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: SchemaValue].self))
    }
  }

  /// The text of a scalar, as model files write it.
  var scalarText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): number.description
    case .boolean(let flag): flag ? "true" : "false"
    case .object, .array, .null: nil
    }
  }

  /// What kind of value it is, for messages.
  var kind: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string(let text): "the text \"\(text)\""
    case .integer(let number): "the number \(number)"
    case .number(let number): "the number \(number)"
    case .boolean(let flag): flag ? "true" : "false"
    case .null: "null"
    }
  }
}
