/// A JSON value as your code sees it, in a ``DictionaryTransformer`` or an ``EntityMapper``.
///
/// Values are written as literals: `["id": 7, "tags": ["a", "b"], "note": .null]`.
public enum JSONValue: Sendable, Hashable {
  /// No value.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A number as it is written, such as `7` or `0.10`, without loss.
  case number(String)
  /// A string.
  case string(String)
  /// An array, in its order.
  case array([JSONValue])
  /// An object: its values by key.
  case object([String: JSONValue])
}

extension JSONValue {
  /// The text of a string, or of a number as it is written; nil for other values.
  public var text: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .null, .boolean, .array, .object: nil
    }
  }

  /// The number, if it is an integer of 64 bits, written in digits only; nil for other values.
  public var integer: Int64? {
    if case .number(let text) = self { Int64(text) } else { nil }
  }

  /// The member of an object; nil if there is none, or if the value is not an object.
  ///
  /// - Parameter name: The member's name.
  public subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The element of an array; nil if there is none, or if the value is not an array.
  ///
  /// - Parameter position: The element's position, counted from 0.
  public subscript(position: Int) -> JSONValue? {
    if case .array(let elements) = self, elements.indices.contains(position) {
      elements[position]
    } else {
      nil
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  /// Creates a string.
  public init(stringLiteral text: String) { self = .string(text) }
  /// Creates an integer.
  public init(integerLiteral integer: Int64) { self = .number("\(integer)") }
  /// Creates a number.
  public init(floatLiteral number: Double) { self = .number("\(number)") }
  /// Creates a boolean.
  public init(booleanLiteral boolean: Bool) { self = .boolean(boolean) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object; if a name occurs several times, the last member counts.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(Dictionary(members) { $1 })
  }
}
