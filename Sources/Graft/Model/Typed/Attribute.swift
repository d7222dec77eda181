public import Synchronization

/// An attribute of an ``Entity``, by the type of its values.
///
/// The name of the attribute is the name of the stored property. An attribute of an optional type
/// may have no value; all others are required in every object that is committed. A stub
/// (``Object/isStub``) has only its identity: a required attribute of it reads as its default.
/// Without a default it reads as the empty value of its type: 0, an empty string,
/// `Date.distantPast`, the first case.
///
/// Copies of an attribute are the same attribute; each entity needs its own.
public struct Attribute<Value: Sendable>: Sendable {
  @usableFromInline let core: AttributeCore<Value>

  /// Converts a value to the one that a store keeps.
  package func encode(_ value: Value) throws -> AttributeValue? { try core.codec.encode(value) }
}

extension Attribute where Value: AttributeConvertible {
  /// Creates an attribute of numbers, strings, dates or similar values, or of optionals of them.
  ///
  /// - Parameters:
  ///   - paths: The attribute's paths in JSON; by default its own name.
  ///   - format: The form of dates: `auto`, `iso8601`, `unix`, `unix-ms`, or a Unicode date
  ///     pattern, read in `en_US_POSIX` and UTC unless the date names another zone.
  ///   - defaultValue: The value of a new object.
  ///   - unknown: The value that replaces an invalid one, with a notice. A value is invalid if the
  ///     type, the bounds or the pattern do not admit it; by default it is an error.
  ///   - transformer: Makes the value from the JSON value, and back.
  ///   - minimum: The least valid value.
  ///   - maximum: The greatest valid value.
  ///   - length: The number of characters that a valid string has.
  ///   - pattern: A regular expression that a valid string matches as a whole.
  ///   - onNull: The effect of `null`.
  ///   - onAbsent: The effect of an absent key.
  ///   - export: The form in which an export writes the attribute.
  ///   - writtenAs: Whether an export writes numbers and booleans as strings.
  ///   - isIndexed: Whether an index is kept for looking up or sorting objects by the attribute.
  public init(
    _ paths: JSONPaths? = nil,
    format: String? = nil,
    default defaultValue: Value? = nil,
    unknown: Value? = nil,
    transformer: AttributeTransformer? = nil,
    minimum: Value? = nil,
    maximum: Value? = nil,
    length: ClosedRange<Int>? = nil,
    pattern: String? = nil,
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    export: ExportStyle? = nil,
    writtenAs: WrittenForm? = nil,
    isIndexed: Bool = false
  ) {
    self.init(
      Value.attributeCodec, paths, format, defaultValue, unknown, transformer, minimum, maximum,
      length, pattern, onNull, onAbsent, export, writtenAs, isIndexed)
  }
}

// Enumerations and Codable types need not conform to a protocol of Graft. Swift lets single types
// conform to AttributeConvertible, but not all RawRepresentable types at once. So there are three
// overloads with the same parameters for types that do not conform:
//
//   Attribute<Mood>()      an enumeration
//   Attribute<Mood?>()     an optional one: Optional<Mood> is not itself RawRepresentable
//   Attribute<Address>()   a Codable type
//
// A type may fit several of them. Swift prefers an initialiser that is not generic, so the type's
// own conformance wins over its raw value. @_disfavoredOverload puts Codable last, because most
// enumerations are Codable as well.

extension Attribute {
  /// Creates an attribute of an enumeration, kept by its raw value; any other value in JSON is an
  /// error, unless `unknown` names a case for it.
  public init<Raw: AttributeConvertible>(
    _ paths: JSONPaths? = nil,
    format: String? = nil,
    default defaultValue: Value? = nil,
    unknown: Value? = nil,
    transformer: AttributeTransformer? = nil,
    minimum: Value? = nil,
    maximum: Value? = nil,
    length: ClosedRange<Int>? = nil,
    pattern: String? = nil,
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    export: ExportStyle? = nil,
    writtenAs: WrittenForm? = nil,
    isIndexed: Bool = false
  ) where Value: RawRepresentable<Raw> {
    self.init(
      .rawValue, paths, format, defaultValue, unknown, transformer, minimum, maximum, length,
      pattern, onNull, onAbsent, export, writtenAs, isIndexed)
  }

  /// Creates an attribute of an optional enumeration, kept by its raw value; any other value in JSON
  /// is an error, unless `unknown` names a case for it.
  public init<Case: RawRepresentable & Sendable>(
    _ paths: JSONPaths? = nil,
    format: String? = nil,
    default defaultValue: Value? = nil,
    unknown: Value? = nil,
    transformer: AttributeTransformer? = nil,
    minimum: Value? = nil,
    maximum: Value? = nil,
    length: ClosedRange<Int>? = nil,
    pattern: String? = nil,
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    export: ExportStyle? = nil,
    writtenAs: WrittenForm? = nil,
    isIndexed: Bool = false
  ) where Value == Case?, Case.RawValue: AttributeConvertible {
    self.init(
      AttributeCodec<Case>.rawValue.optional, paths, format, defaultValue, unknown, transformer,
      minimum, maximum, length, pattern, onNull, onAbsent, export, writtenAs, isIndexed)
  }

  /// Creates an attribute of a Codable type, kept as its JSON and decoded at each read with the
  /// defaults of `JSONDecoder`.
  @_disfavoredOverload
  public init(
    _ paths: JSONPaths? = nil,
    format: String? = nil,
    default defaultValue: Value? = nil,
    unknown: Value? = nil,
    transformer: AttributeTransformer? = nil,
    minimum: Value? = nil,
    maximum: Value? = nil,
    length: ClosedRange<Int>? = nil,
    pattern: String? = nil,
    onNull: NullPolicy? = nil,
    onAbsent: AbsentPolicy? = nil,
    export: ExportStyle? = nil,
    writtenAs: WrittenForm? = nil,
    isIndexed: Bool = false
  ) where Value: Codable {
    self.init(
      .json, paths, format, defaultValue, unknown, transformer, minimum, maximum, length, pattern,
      onNull, onAbsent, export, writtenAs, isIndexed)
  }

  /// Creates the attribute that a public initialiser declares, with the codec of its type.
  private init(
    _ codec: AttributeCodec<Value>, _ paths: JSONPaths?, _ format: String?,
    _ defaultValue: Value?, _ unknown: Value?, _ transformer: AttributeTransformer?,
    _ minimum: Value?,
    _ maximum: Value?, _ length: ClosedRange<Int>?, _ pattern: String?, _ onNull: NullPolicy?,
    _ onAbsent: AbsentPolicy?, _ export: ExportStyle?, _ writtenAs: WrittenForm?,
    _ isIndexed: Bool
  ) {
    core = AttributeCore(
      codec, default: defaultValue, unknown: unknown, bounds: (minimum, maximum), length: length,
      AttributeDescription(
        name: "", type: codec.type, isOptional: codec.isOptional, pattern: pattern,
        isIndexed: isIndexed, paths: paths, dateFormat: format, transformer: transformer,
        policies: Policies(
          onNull: onNull, onAbsent: onAbsent, export: export, writtenAs: writtenAs)))
  }
}

/// The declaration of an attribute, and its number once its entity is known.
///
/// The functions that read a value are inlinable, so that they are compiled for the type of the
/// value. Looking up generic types at run time took most of the 150 ns of a read.
@usableFromInline final class AttributeCore<Value: Sendable>: Sendable {
  @usableFromInline let codec: AttributeCodec<Value>
  /// The description for a model, still without a name.
  private let description: AttributeDescription
  /// The value of an attribute that has none; nil if the model is invalid.
  @usableFromInline let missing: Value?
  /// The reason why the default value or a bound cannot be kept.
  private let valueFault: String?
  @usableFromInline let assigned = Atomic<Int>(-1)

  init(
    _ codec: AttributeCodec<Value>, default defaultValue: Value?, unknown: Value?,
    bounds: (least: Value?, greatest: Value?), length: ClosedRange<Int>?,
    _ description: AttributeDescription
  ) {
    self.codec = codec
    missing = codec.isOptional ? codec.placeholder : defaultValue ?? codec.placeholder
    var description = description
    var fault: String?
    if let length {
      description.minimum = .value(.integer(Int64(length.lowerBound)))
      if length.upperBound != .max {
        description.maximum = .value(.integer(Int64(length.upperBound)))
      }
      if codec.type.isNumberOrBoolean || codec.type == .date {
        fault = "`length` is for strings; give `minimum` and `maximum`"
      } else if bounds.least != nil || bounds.greatest != nil {
        fault =
          "`length` and `minimum` or `maximum` are both given, of which a string has one; give "
          + "the length alone"
      }
    }
    do {
      description.defaultValue = try defaultValue.flatMap(codec.encode)
      description.unknownValue = try unknown.flatMap(codec.encode)
      if let least = try bounds.least.flatMap(codec.encode) { description.minimum = .value(least) }
      if let greatest = try bounds.greatest.flatMap(codec.encode) {
        description.maximum = .value(greatest)
      }
    } catch {
      fault = "the default value or a bound cannot be kept: \(error)"
    }
    description.domain = codec.domain
    description.values = codec.values
    valueFault = fault
    self.description = description
  }

  /// The number among the attributes of the entity, inherited ones first.
  @inlinable var number: Int {
    let number = assigned.load(ordering: .relaxed)
    guard number >= 0 else {
      misuse(
        "an attribute was read that no stored property of its entity holds; declare it as `let`")
    }
    return number
  }

  /// Returns the value in a column's cell.
  @inlinable func value(of raw: RawValue) -> Value {
    if !raw.isNull, let value = codec.decode(raw) { return value }
    guard let missing else {
      misuse("a model does not accept an attribute that has nothing to read as")
    }
    return missing
  }

  /// Converts a kept value to the attribute's Swift type; nil becomes its null value.
  func value(ofKept kept: AttributeValue?) -> Value {
    kept?.withRawValue(for: codec.type) { value(of: $0) } ?? value(of: .null)
  }
}

extension AttributeCore: PropertyDeclaration {
  var destination: (any Entity.Type)? { nil }

  func assign(_ number: Int) -> Bool {
    assigned.compareExchange(expected: -1, desired: number, ordering: .relaxed).exchanged
  }

  private var fault: String? {
    if let valueFault { return valueFault }
    guard missing == nil else { return nil }
    let isEnumeration = Value.self is any RawRepresentable.Type
    return "a required \(Value.self) has nothing to read as in an object of which only its "
      + "identity is known; give it a default"
      + (isEnumeration
        ? ", make it `Attribute<\(Value.self)?>`, or make \(Value.self) CaseIterable"
        : ", or make it `Attribute<\(Value.self)?>`")
  }

  func describe(
    as name: String, at paths: JSONPaths?, in entity: inout EntityDescription,
    _ report: (String) -> Void
  ) {
    if let fault { report(fault) }
    var description = description
    description.name = name
    description.paths = description.paths ?? paths
    entity.attributes.append(description)
  }
}
