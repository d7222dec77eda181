/// What an attribute's values look like, and the annotations that say where in JSON they stand.
public struct AttributeDescription: Sendable, Hashable {
  /// The attribute's name, unique among the properties of its entity.
  public var name: String
  /// The type of the attribute's values.
  public var type: AttributeType
  /// Whether an object may lack a value.
  public var isOptional: Bool
  /// The value of a new object before anything else is known.
  public var defaultValue: AttributeValue?
  /// The least value, or the least length of a text, that is valid.
  public var minimum: String?
  /// The greatest value, or the greatest length of a text, that is valid.
  public var maximum: String?
  /// A regular expression that the whole of a text must match.
  public var pattern: String?
  /// Whether the attribute stays out of JSON unless an annotation says where it stands.
  public var isTransient: Bool
  /// Whether objects are looked up, or sorted, by the attribute.
  public var isIndexed: Bool
  /// The name of the attribute's transformer, where no annotation names one.
  public var transformerName: String?
  /// Annotations: names and values as a model editor keeps them.
  public var userInfo: [String: String]

  /// Creates a description of an attribute.
  ///
  /// - Parameters:
  ///   - name: The attribute's name.
  ///   - type: The type of its values.
  ///   - isOptional: Whether an object may lack a value.
  ///   - defaultValue: The value of a new object.
  ///   - minimum: The least valid value (numbers, dates) or length (texts), written as text.
  ///   - maximum: The greatest valid value or length, written as text.
  ///   - pattern: A regular expression that a text must match as a whole.
  ///   - isTransient: Whether the attribute stays out of JSON unless it is annotated.
  ///   - isIndexed: Whether objects are looked up, or sorted, by the attribute.
  ///   - transformerName: The name of the attribute's transformer.
  ///   - userInfo: Annotations such as `JSONKeyPath`.
  public init(
    name: String,
    type: AttributeType,
    isOptional: Bool = true,
    defaultValue: AttributeValue? = nil,
    minimum: String? = nil,
    maximum: String? = nil,
    pattern: String? = nil,
    isTransient: Bool = false,
    isIndexed: Bool = false,
    transformerName: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.minimum = minimum
    self.maximum = maximum
    self.pattern = pattern
    self.isTransient = isTransient
    self.isIndexed = isIndexed
    self.transformerName = transformerName
    self.userInfo = userInfo
  }
}
