// One initialiser for each way in which a type's values are kept. The compiler chooses: a type of
// Graft's own or made one before an enumeration, an enumeration before what is only Codable. A type
// that is both of the first two has one of its own, which is what lets the compiler choose.

extension Attribute where Value: AttributeConvertible {
  /// Creates an attribute of numbers, texts, dates or the like, or of optionals of them.
  ///
  /// - Parameters:
  ///   - paths: Where the attribute stands in JSON; by default under its own name.
  ///   - format: How dates are written: `auto`, `iso8601`, `unix`, `unix-ms`, or a Unicode date
  ///     pattern, read in `en_US_POSIX` and UTC unless the text says otherwise.
  ///   - defaultValue: The value of a new object.
  ///   - transformer: Makes the value of what stands in JSON, and back.
  ///   - minimum: The least valid value.
  ///   - maximum: The greatest valid value.
  ///   - length: The characters that a valid text has.
  ///   - pattern: A regular expression that a valid text matches as a whole.
  ///   - onNull: What `null` does.
  ///   - onAbsent: What the absence of the key does.
  ///   - export: How the attribute is written by an export.
  ///   - isIndexed: Whether objects are looked up, or sorted, by the attribute.
  public init(
    _ paths: JSONPaths? = nil,
    format: String? = nil,
    default defaultValue: Value? = nil,
    transformer: AttributeTransformer? = nil,
    minimum: Value? = nil,
    maximum: Value? = nil,
    length: ClosedRange<Int>? = nil,
    pattern: String? = nil,
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    export: ExportStyle? = nil,
    isIndexed: Bool = false
  ) {
    self.init(
      AttributeCore(
        Value.attributeCodec, default: defaultValue, (minimum, maximum),
        AttributeSettings(
          paths, format: format, transformer: transformer, length: length, pattern: pattern,
          onNull: onNull, onAbsent: onAbsent, export: export, isIndexed: isIndexed)))
  }
}

extension Attribute
where Value: AttributeConvertible & RawRepresentable, Value.RawValue: AttributeConvertible {
  /// Creates an attribute of a type that says itself how it is kept, and has a raw value besides.
  ///
  /// - Parameters:
  ///   - paths: Where the attribute stands in JSON; by default under its own name.
  ///   - format: How dates are written: `auto`, `iso8601`, `unix`, `unix-ms`, or a Unicode date
  ///     pattern, read in `en_US_POSIX` and UTC unless the text says otherwise.
  ///   - defaultValue: The value of a new object.
  ///   - transformer: Makes the value of what stands in JSON, and back.
  ///   - minimum: The least valid value.
  ///   - maximum: The greatest valid value.
  ///   - length: The characters that a valid text has.
  ///   - pattern: A regular expression that a valid text matches as a whole.
  ///   - onNull: What `null` does.
  ///   - onAbsent: What the absence of the key does.
  ///   - export: How the attribute is written by an export.
  ///   - isIndexed: Whether objects are looked up, or sorted, by the attribute.
  public init(
    _ paths: JSONPaths? = nil,
    format: String? = nil,
    default defaultValue: Value? = nil,
    transformer: AttributeTransformer? = nil,
    minimum: Value? = nil,
    maximum: Value? = nil,
    length: ClosedRange<Int>? = nil,
    pattern: String? = nil,
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    export: ExportStyle? = nil,
    isIndexed: Bool = false
  ) {
    self.init(
      AttributeCore(
        Value.attributeCodec, default: defaultValue, (minimum, maximum),
        AttributeSettings(
          paths, format: format, transformer: transformer, length: length, pattern: pattern,
          onNull: onNull, onAbsent: onAbsent, export: export, isIndexed: isIndexed)))
  }
}

extension Attribute where Value: RawRepresentable, Value.RawValue: AttributeConvertible {
  /// Creates an attribute of an enumeration, kept by its raw value; any other value in JSON is an
  /// error.
  ///
  /// - Parameters:
  ///   - paths: Where the attribute stands in JSON; by default under its own name.
  ///   - format: How dates are written: `auto`, `iso8601`, `unix`, `unix-ms`, or a Unicode date
  ///     pattern, read in `en_US_POSIX` and UTC unless the text says otherwise.
  ///   - defaultValue: The value of a new object.
  ///   - transformer: Makes the value of what stands in JSON, and back.
  ///   - minimum: The least valid value.
  ///   - maximum: The greatest valid value.
  ///   - length: The characters that a valid text has.
  ///   - pattern: A regular expression that a valid text matches as a whole.
  ///   - onNull: What `null` does.
  ///   - onAbsent: What the absence of the key does.
  ///   - export: How the attribute is written by an export.
  ///   - isIndexed: Whether objects are looked up, or sorted, by the attribute.
  public init(
    _ paths: JSONPaths? = nil,
    format: String? = nil,
    default defaultValue: Value? = nil,
    transformer: AttributeTransformer? = nil,
    minimum: Value? = nil,
    maximum: Value? = nil,
    length: ClosedRange<Int>? = nil,
    pattern: String? = nil,
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    export: ExportStyle? = nil,
    isIndexed: Bool = false
  ) {
    self.init(
      AttributeCore(
        .rawRepresentable, default: defaultValue, (minimum, maximum),
        AttributeSettings(
          paths, format: format, transformer: transformer, length: length, pattern: pattern,
          onNull: onNull, onAbsent: onAbsent, export: export, isIndexed: isIndexed)))
  }
}

extension Attribute {
  /// Creates an attribute of an optional enumeration, kept by its raw value; any other value in JSON
  /// is an error.
  ///
  /// - Parameters:
  ///   - paths: Where the attribute stands in JSON; by default under its own name.
  ///   - format: How dates are written: `auto`, `iso8601`, `unix`, `unix-ms`, or a Unicode date
  ///     pattern, read in `en_US_POSIX` and UTC unless the text says otherwise.
  ///   - defaultValue: The value of a new object.
  ///   - transformer: Makes the value of what stands in JSON, and back.
  ///   - minimum: The least valid value.
  ///   - maximum: The greatest valid value.
  ///   - length: The characters that a valid text has.
  ///   - pattern: A regular expression that a valid text matches as a whole.
  ///   - onNull: What `null` does.
  ///   - onAbsent: What the absence of the key does.
  ///   - export: How the attribute is written by an export.
  ///   - isIndexed: Whether objects are looked up, or sorted, by the attribute.
  public init<Case: RawRepresentable & Sendable>(
    _ paths: JSONPaths? = nil,
    format: String? = nil,
    default defaultValue: Value? = nil,
    transformer: AttributeTransformer? = nil,
    minimum: Value? = nil,
    maximum: Value? = nil,
    length: ClosedRange<Int>? = nil,
    pattern: String? = nil,
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    export: ExportStyle? = nil,
    isIndexed: Bool = false
  )
  where Value == Case?, Case.RawValue: AttributeConvertible {
    self.init(
      AttributeCore(
        AttributeCodec<Case>.rawRepresentable.optional, default: defaultValue, (minimum, maximum),
        AttributeSettings(
          paths, format: format, transformer: transformer, length: length, pattern: pattern,
          onNull: onNull, onAbsent: onAbsent, export: export, isIndexed: isIndexed)))
  }
}

extension Attribute where Value: Codable {
  /// Creates an attribute of anything that can be encoded, kept as its JSON and decoded whenever it
  /// is read, with the defaults of `JSONDecoder`.
  ///
  /// - Parameters:
  ///   - paths: Where the attribute stands in JSON; by default under its own name.
  ///   - format: How dates are written: `auto`, `iso8601`, `unix`, `unix-ms`, or a Unicode date
  ///     pattern, read in `en_US_POSIX` and UTC unless the text says otherwise.
  ///   - defaultValue: The value of a new object.
  ///   - transformer: Makes the value of what stands in JSON, and back.
  ///   - minimum: The least valid value.
  ///   - maximum: The greatest valid value.
  ///   - length: The characters that a valid text has.
  ///   - pattern: A regular expression that a valid text matches as a whole.
  ///   - onNull: What `null` does.
  ///   - onAbsent: What the absence of the key does.
  ///   - export: How the attribute is written by an export.
  ///   - isIndexed: Whether objects are looked up, or sorted, by the attribute.
  @_disfavoredOverload
  public init(
    _ paths: JSONPaths? = nil,
    format: String? = nil,
    default defaultValue: Value? = nil,
    transformer: AttributeTransformer? = nil,
    minimum: Value? = nil,
    maximum: Value? = nil,
    length: ClosedRange<Int>? = nil,
    pattern: String? = nil,
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    export: ExportStyle? = nil,
    isIndexed: Bool = false
  ) {
    self.init(
      AttributeCore(
        .json, default: defaultValue, (minimum, maximum),
        AttributeSettings(
          paths, format: format, transformer: transformer, length: length, pattern: pattern,
          onNull: onNull, onAbsent: onAbsent, export: export, isIndexed: isIndexed)))
  }
}
