public import Foundation

/// A value of an attribute, as a graph takes and returns it; the absence of a value is `nil`.
public enum AttributeValue: Sendable, Hashable {
  /// A value of an `Integer 16`, `Integer 32` or `Integer 64` attribute.
  case integer(Int64)
  /// A value of a `Decimal` attribute.
  case decimal(Decimal)
  /// A value of a `Double` attribute.
  case double(Double)
  /// A value of a `Float` attribute.
  case float(Float)
  /// A value of a `String` attribute.
  case string(String)
  /// A value of a `Boolean` attribute.
  case boolean(Bool)
  /// A value of a `Date` attribute.
  case date(Date)
  /// A value of a `Binary` attribute.
  case binary(Data)
  /// A value of a `UUID` attribute.
  case uuid(UUID)
  /// A value of a `URI` attribute.
  case uri(URL)
  /// A value of a `Transformable` attribute: the text of one JSON value.
  case json(String)
}

extension AttributeValue {
  /// The type of the attributes that have such values, with the most bits for integers.
  package var type: AttributeType {
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

  /// The value as it is shown to a person.
  package var text: String {
    switch self {
    case .integer(let value): String(value)
    case .decimal(let value): value.description
    case .double(let value): value.description
    case .float(let value): value.description
    case .string(let value): "\"\(value)\""
    case .boolean(let value): value ? "true" : "false"
    case .date(let value): value.shortText
    case .binary(let value): "\(value.count) bytes"
    case .uuid(let value): value.uuidString
    case .uri(let value): value.absoluteString
    case .json(let value): value
    }
  }

  /// The value as messages and descriptions show it, shortened where it is long.
  package var shortText: String {
    switch self {
    case .string(let value): "\"\(value.shortened)\""
    case .date(let value): value.shortText
    case .integer, .decimal, .double, .float, .boolean, .binary, .uuid: text
    case .uri, .json: text.shortened
    }
  }
}

extension Date {
  /// The date as a document would have it, where it is of a year up to 9999.
  fileprivate var shortText: String {
    // Foundation stops the process when it describes a date that is NaN or infinite.
    guard EpochSeconds.range.contains(timeIntervalSince1970) else {
      return "\(timeIntervalSince1970) seconds since 1970"
    }
    var text = ByteBuffer()
    DateText.appendISO8601(timeIntervalSinceReferenceDate, to: &text)
    return text.string
  }
}

extension String {
  fileprivate var shortened: String { utf8.count <= 80 ? self : prefix(77) + "…" }
}
