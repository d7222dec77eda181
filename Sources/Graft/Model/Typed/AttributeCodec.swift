/// How values of a type are kept in an attribute: the attribute's type, and the way there and back.
public struct AttributeCodec<Value: Sendable>: Sendable {
  let type: AttributeType
  let isOptional: Bool
  /// What stands in where an object has no value; nil if the type has nothing that could.
  let placeholder: Value?
  let domain: ValueDomain
  /// Makes a value of a column's cell that is not null; nil where it is none of this type.
  @usableFromInline let decode: @Sendable (RawValue) -> Value?
  /// Makes what a column keeps.
  let encode: @Sendable (Value) throws -> AttributeValue?

  init(
    type: AttributeType, isOptional: Bool = false, placeholder: Value?,
    domain: String? = nil,
    decode: @escaping @Sendable (RawValue) -> Value?,
    encode: @escaping @Sendable (Value) throws -> AttributeValue?
  ) {
    self.type = type
    self.isOptional = isOptional
    self.placeholder = placeholder
    self.decode = decode
    self.encode = encode
    self.domain =
      domain.map { ValueDomain(expectation: $0) { decode($0) != nil } } ?? .everything
  }

  /// Creates a codec of values that are kept as values of another type.
  ///
  /// ```swift
  /// extension Color: AttributeConvertible {
  ///   static var attributeCodec: AttributeCodec<Color> {
  ///     AttributeCodec(storedAs: String.self, placeholder: .black) { Color(hex: $0) } encode: { $0.hex }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - stored: The type that is kept.
  ///   - placeholder: What a required attribute reads as in an object of which nothing but its
  ///     identity is known.
  ///   - decode: Makes a value of what is kept; nil refuses it, which is an error of the document.
  ///   - encode: Makes what is kept of a value.
  public init<Stored: AttributeConvertible>(
    storedAs stored: Stored.Type, placeholder: Value,
    decode: @escaping @Sendable (Stored) -> Value?,
    encode: @escaping @Sendable (Value) throws -> Stored
  ) {
    let codec = Stored.attributeCodec
    self.init(
      type: codec.type, placeholder: placeholder, domain: "a \(Value.self)",
      decode: { codec.decode($0).flatMap(decode) },
      encode: { try codec.encode(encode($0)) })
  }
}

/// A type whose values an attribute can keep: numbers, texts, dates and the like, optionals of
/// them, and what a program makes one.
///
/// Enumerations with a raw value, and anything that is `Codable`, need not conform: an
/// ``Attribute`` takes them as they are.
public protocol AttributeConvertible: Sendable {
  /// How the type's values are kept.
  static var attributeCodec: AttributeCodec<Self> { get }
}
