import Foundation

/// Converts between the values of a Swift type and the values of an attribute.
public struct AttributeCodec<Value: Sendable>: Sendable {
  package let type: AttributeType
  let isOptional: Bool
  /// The value of a required attribute in an object that lacks it; nil if the type has no such
  /// value.
  let placeholder: Value?
  let domain: ValueDomain
  /// The only values that the column has; nil if the type does not list its own.
  let values: [AttributeValue]?
  /// Makes a value from a column's cell that is not null; nil if the cell holds no such value.
  @usableFromInline let decode: @Sendable (RawValue) -> Value?
  /// Makes the cell of a value; nil for null.
  package let encode: @Sendable (Value) throws -> AttributeValue?

  init(
    type: AttributeType, isOptional: Bool = false, placeholder: Value?,
    domain: String? = nil, values: [AttributeValue]? = nil, normalizes: Bool = false,
    decode: @escaping @Sendable (RawValue) -> Value?,
    encode: @escaping @Sendable (Value) throws -> AttributeValue?
  ) {
    self.type = type
    self.isOptional = isOptional
    self.placeholder = placeholder
    self.decode = decode
    self.encode = encode
    self.values = values
    let normalize: (@Sendable (RawValue) -> AttributeValue?)? =
      normalizes ? { @Sendable raw in try? decode(raw).flatMap(encode) } : nil
    self.domain =
      domain.map { ValueDomain(expectation: $0, normalize: normalize) { decode($0) != nil } }
      ?? .everything
  }

  /// Creates a codec for values that are kept as values of another type.
  ///
  /// An import keeps what `encode` makes of the decoded value, so that equal values are kept alike: a colour is
  /// found by `#FF0000` and by `#ff0000`. Rows that a database kept before the attribute had the codec stay as they are
  /// until they are written again. Import their documents once more; if the attribute is an identity, into a new
  /// database.
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
  ///   - placeholder: The value of a required attribute in an object of which only the identity is
  ///     known.
  ///   - decode: Makes a value from the kept one; nil refuses it, which is an error of the document.
  ///   - encode: Makes the kept value.
  public init<Stored: AttributeConvertible>(
    storedAs stored: Stored.Type, placeholder: Value,
    decode: @escaping @Sendable (Stored) -> Value?,
    encode: @escaping @Sendable (Value) throws -> Stored
  ) {
    let codec = Stored.attributeCodec
    self.init(
      type: codec.type, placeholder: placeholder, domain: "a \(Value.self)", normalizes: true,
      decode: { codec.decode($0).flatMap(decode) },
      encode: { try codec.encode(encode($0)) })
  }
}

extension AttributeCodec {
  /// The value for null, of a type that has one; nil for any other type.
  package var null: Value? { isOptional ? placeholder : nil }

  /// Returns the value that is kept as another; nil if there is none.
  package func value(of kept: AttributeValue) -> Value? {
    kept.withRawValue(for: type) { decode($0) } ?? nil
  }
}

/// A type whose values an attribute can keep: numbers, strings, dates and the like, optionals of
/// them, and your own types that conform.
///
/// Enumerations with a raw value, and `Codable` types, need not conform: an ``Attribute`` takes them
/// as they are. To look up objects by a case of an enumeration, let it conform; it needs no codec of
/// its own:
///
/// ```swift
/// enum Tier: String, CaseIterable, AttributeConvertible { case stalls, circle }
///
/// let block = try graph.object(Block.self, id: Tier.circle)
/// ```
public protocol AttributeConvertible: Sendable {
  /// The conversion of the type's values.
  static var attributeCodec: AttributeCodec<Self> { get }
}

extension AttributeConvertible where Self: RawRepresentable, RawValue: AttributeConvertible {
  /// The conversion of an enumeration, which is kept by its raw value.
  public static var attributeCodec: AttributeCodec<Self> { .rawValue }
}

extension AttributeCodec {
  /// The codec of an attribute that may have no value.
  var optional: AttributeCodec<Value?> {
    AttributeCodec<Value?>(
      type: type, isOptional: true, placeholder: .some(nil),
      domain: domain.isLimited ? domain.expectation : nil, values: values,
      normalizes: domain.normalize != nil,
      decode: { [decode] raw in decode(raw).map { .some($0) } },
      encode: { [encode] value in try value.flatMap { try encode($0) } })
  }
}

extension AttributeCodec where Value: RawRepresentable, Value.RawValue: AttributeConvertible {
  /// The codec of an enumeration, which is kept by its raw value.
  static var rawValue: AttributeCodec<Value> {
    let raw = Value.RawValue.attributeCodec
    let placeholder = raw.placeholder.flatMap { Value(rawValue: $0) } ?? Self.firstCase
    let values = cases?.compactMap { try? raw.encode($0.rawValue) }
    return AttributeCodec(
      type: raw.type, isOptional: raw.isOptional, placeholder: placeholder,
      domain: expectation(values), values: values,
      normalizes: raw.domain.normalize != nil || values == nil,
      decode: { raw.decode($0).flatMap(Value.init(rawValue:)) },
      encode: { try raw.encode($0.rawValue) })
  }

  /// The most cases that a message lists.
  private static var listedCount: Int { 20 }

  /// The cases; nil if the type does not list them.
  private static var cases: [Value]? {
    guard let type = Value.self as? any CaseIterable.Type else { return nil }
    return type.anyCases.compactMap { $0 as? Value }
  }

  private static var firstCase: Value? { cases?.first }

  /// Returns a description of the type, with its first cases.
  private static func expectation(_ values: [AttributeValue]?) -> String {
    guard let values else { return "a \(Value.self)" }
    let names = values.prefix(listedCount).map(\.text)
    let more = values.count > listedCount ? " and \(values.count - listedCount) more" : ""
    return "a \(Value.self) (\(names.joined(separator: ", "))\(more))"
  }
}

extension CaseIterable {
  fileprivate static var anyCases: [Any] { allCases.map { $0 } }
}

extension AttributeCodec where Value: Codable {
  /// The codec of any Codable type, which is kept as its JSON.
  ///
  /// A value is decoded at each read.
  static var json: AttributeCodec<Value> {
    let isOptional = Value.self is any ExpressibleByNilLiteral.Type
    // Messages about a value name `Geo` and not `Optional<Geo>`.
    let whole = "\(Value.self)"
    let prefix = "Optional<"
    let name = whole.hasPrefix(prefix) ? String(whole.dropFirst(prefix.count).dropLast()) : whole
    return AttributeCodec(
      type: .transformable,
      isOptional: isOptional,
      placeholder: blank,
      domain: "the JSON of the type \(name)",
      decode: { try? JSONDecoder().decode(Value.self, from: Data($0.bytes)) },
      encode: { value in
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(value), as: UTF8.self)
        return isOptional && json == "null" ? nil : .json(json)
      })
  }

  /// The value that the type decodes from an empty JSON value: an empty object, array or string, or
  /// zero.
  private static var blank: Value? {
    for text in ["null", "{}", "[]", "\"\"", "0", "false"] {
      if let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8)) { return value }
    }
    return nil
  }
}
