/// An attribute of an entity: the type of its values, their rules, and their paths in JSON.
///
/// Code gives values; a model editor keeps annotations in ``userInfo``. If both are present, the
/// value counts.
///
/// ```swift
/// AttributeDescription(
///   name: "retweets", type: .integer64, minimum: .value(.integer(0)), paths: "retweet_count",
///   policies: Policies(onNull: .keep))
/// AttributeDescription(
///   name: "retweets", type: .integer64, minimum: "0",
///   userInfo: ["JSONKeyPath": "retweet_count", "JSONNull": "keep"])
/// ```
public struct AttributeDescription: Sendable, Hashable {
  /// The attribute's name, unique among the properties of its entity.
  public var name: String
  /// The type of the attribute's values.
  public var type: AttributeType
  /// Whether an object may lack a value.
  public var isOptional: Bool
  /// The value of a new object until an import gives it another one.
  public var defaultValue: AttributeValue?
  /// The least valid value, or the least length of a string.
  public var minimum: AttributeBound?
  /// The greatest valid value, or the greatest length of a string.
  public var maximum: AttributeBound?
  /// A regular expression that the whole of a string must match.
  public var pattern: String?
  /// The only valid values; nil for all values of the type.
  public var values: [AttributeValue]?
  /// The value that replaces an invalid one, with a notice; nil makes an invalid value an error.
  ///
  /// A value is invalid if ``values``, the pattern, a bound or the attribute's enumeration does not
  /// admit it.
  public var unknownValue: AttributeValue?
  /// Whether the attribute stays out of JSON unless it has a path.
  public var isTransient: Bool
  /// Whether an index is kept for looking up or sorting objects by the attribute.
  public var isIndexed: Bool
  /// The name of the attribute's transformer, if neither ``transformer`` nor an annotation gives
  /// one.
  public var transformerName: String?
  /// The attribute's paths in JSON; by default its own name.
  public var paths: JSONPaths?
  /// The form of dates: `auto`, `iso8601`, `unix`, `unix-ms`, or a Unicode date pattern; by default
  /// any common form is read.
  public var dateFormat: String?
  /// Converts the JSON value to the attribute's value, and back.
  public var transformer: AttributeTransformer?
  /// The policies of imports and exports for the attribute.
  public var policies: Policies
  /// Annotations: names and values as a model editor keeps them.
  public var userInfo: [String: String]
  /// The values that the Swift type of the attribute can hold.
  var domain = ValueDomain.everything

  /// Creates a description of an attribute with these properties.
  public init(
    name: String,
    type: AttributeType,
    isOptional: Bool = true,
    defaultValue: AttributeValue? = nil,
    minimum: AttributeBound? = nil,
    maximum: AttributeBound? = nil,
    pattern: String? = nil,
    values: [AttributeValue]? = nil,
    unknownValue: AttributeValue? = nil,
    isTransient: Bool = false,
    isIndexed: Bool = false,
    transformerName: String? = nil,
    paths: JSONPaths? = nil,
    dateFormat: String? = nil,
    transformer: AttributeTransformer? = nil,
    policies: Policies = Policies(),
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.minimum = minimum
    self.maximum = maximum
    self.pattern = pattern
    self.values = values
    self.unknownValue = unknownValue
    self.isTransient = isTransient
    self.isIndexed = isIndexed
    self.transformerName = transformerName
    self.paths = paths
    self.dateFormat = dateFormat
    self.transformer = transformer
    self.policies = policies
    self.userInfo = userInfo
  }
}

/// A bound on an attribute's values, or on a string's length.
///
/// A bound is written as a value of the attribute's type, and the length of a string as an integer;
/// or as text, the way that model files write it. A string literal is text: `minimum: "0.5"`.
public enum AttributeBound: Sendable, Hashable, ExpressibleByStringLiteral {
  /// A bound as a value.
  case value(AttributeValue)
  /// A bound as text: a number, a date in ISO 8601, or a length in characters.
  case text(String)

  /// Creates a bound from its text.
  ///
  /// - Parameter value: The text.
  public init(stringLiteral value: String) {
    self = .text(value)
  }
}
