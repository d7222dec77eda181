public import Foundation

/// A value of an attribute, as it is given to and read from a graph; the absence of a value is
/// `nil`.
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
