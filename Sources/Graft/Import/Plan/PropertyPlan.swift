/// The facts about a property that messages, policies and conversions use.
struct PropertyPlan {
  /// The entity that reads the property; -1 for a root.
  var entity: Int
  var entityName: String
  /// The property's name, or the root's path.
  var name: String
  /// The number of the attribute, relationship or root.
  var number: Int
  /// A description of valid values: `a date ("yyyy-MM-dd")`, `an array of User`.
  var expectation: String
  /// A description of the relationship's bare identifiers.
  var identityExpectation = ""
  /// The attribute; for a relationship, the one by which its objects are found.
  var attribute: Int
  /// Whether a relationship reads bare identifiers here, and no objects.
  var readsIdentifiers = false
  /// Whether a relationship's objects are found by their identity.
  var isIdentity = true
  /// The destination of a relationship or root.
  var destination: Int
  /// Whether the property is an attribute with several paths; the first one that is present counts.
  var hasAlternatives = false
  var isOptional: Bool
  var hasDefault: Bool
  var policies: SettledPolicies
  var pattern: DatePattern?
  /// A transformer or rules for the values, where there are any.
  var custom: CustomConversion?
}

extension PropertyPlan {
  /// Describes the property that a target names.
  init(_ tree: Int, _ kind: PathTarget.Kind, in builder: PlanBuilder) {
    let schema = builder.schema
    switch kind {
    case .attribute(let number):
      let entity = schema.entities[tree]
      let attribute = entity.attributes[number]
      let policies = schema.policies(
        of: attribute.policies, options: builder.options.attributes)
      self.init(
        entity: entity.number, entityName: entity.name, name: attribute.name, number: number,
        expectation: attribute.expectation, attribute: number, destination: -1,
        isOptional: attribute.isOptional, hasDefault: attribute.defaultValue != nil,
        policies: policies, pattern: attribute.compiledPattern)
      hasAlternatives = attribute.paths.count > 1
      custom = CustomConversion(attribute, builder.options)
    case .relationship(let number), .identifiers(let number):
      let entity = schema.entities[tree]
      let relationship = entity.relationships[number]
      let destination = schema.entities[relationship.destination]
      self.init(
        entity: tree, entityName: entity.name, name: relationship.name, number: number,
        expectation: relationship.isToMany
          ? "an array of \(destination.name)" : "an object of \(destination.name)",
        attribute: relationship.relatedBy ?? destination.singleIdentity ?? -1,
        isIdentity: relationship.relatedBy == nil, destination: destination.number,
        isOptional: relationship.isOptional, hasDefault: false,
        policies: builder.entities[tree].relationships[number].policies, pattern: nil)
      if case .identifiers = kind {
        readsIdentifiers = true
        expectation =
          relationship.isToMany
          ? "an array of identities of \(destination.name)" : expectationOfOne(in: schema)
      }
      adoptIdentity(of: destination, in: builder)
    case .root(let number):
      let destination = schema.entities[builder.entitiesOfRoots[number]]
      self.init(
        entity: -1, entityName: destination.name, name: "", number: number,
        expectation: "an object or an array of \(destination.name)",
        attribute: destination.singleIdentity ?? -1, destination: destination.number,
        isOptional: true, hasDefault: false,
        policies: schema.policies(
          of: Policies(), options: builder.options.relationships), pattern: nil)
      // No policy concerns `null` in the place of a root.
      policies.onNull = .clear
      adoptIdentity(of: destination, in: builder)
    }
  }

  /// Returns a description of one object of a relationship or root, or of its identifier.
  func expectationOfOne(in schema: ModelSchema) -> String {
    "\(readsIdentifiers ? "the identity" : "an object") of \(schema.entities[destination].name)"
  }

  /// Returns the conversion from a scalar to the property's value, or to the identity of its
  /// object.
  func conversion(_ attribute: AttributeSchema) -> Conversion {
    custom == nil ? Conversion(attribute) : .custom
  }

  private mutating func adoptIdentity(of destination: EntitySchema, in builder: PlanBuilder) {
    guard attribute >= 0 else { return }
    let identity = destination.attributes[attribute]
    pattern = identity.compiledPattern
    identityExpectation = identity.expectation
    custom = CustomConversion(identity, builder.options, isIdentity: true)
  }
}

extension EntitySchema {
  /// The attribute that is the whole identity.
  package var singleIdentity: Int? { identity.count == 1 ? identity[0] : nil }
}

extension AttributeSchema {
  /// The compiled date pattern, where the attribute has one.
  var compiledPattern: DatePattern? {
    if type == .date, case .pattern(let text) = dateFormat { DatePattern(text) } else { nil }
  }

  /// A description of valid values.
  var expectation: String {
    if transformer == .hexColor { return "a color such as #1e90ff or rgb(30,144,255)" }
    return switch type {
    case .integer16: "an integer of 16 bits"
    case .integer32: "an integer of 32 bits"
    case .integer64: "an integer of 64 bits"
    case .decimal: "a decimal number of up to 38 digits"
    case .double: "a number"
    case .float: "a number of single precision"
    case .string: "a string"
    case .boolean: "a boolean"
    case .binary: "a base64 string"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .transformable:
      paths.contains { $0.steps.last != .value }
        ? "a JSON value" : "a string, a number or a boolean"
    case .date:
      switch dateFormat {
      case .automatic: "a date"
      case .iso8601: "an ISO 8601 date"
      case .unix: "a number of seconds since 1970, of a year up to 9999"
      case .unixMilliseconds: "a number of milliseconds since 1970, of a year up to 9999"
      case .pattern(let text): "a date (\"\(text)\")"
      }
    }
  }
}

// MARK: - Conversions

/// The conversion from a scalar's text to a value of a column.
enum Conversion: UInt8 {
  case integer16
  case integer32
  case integer64
  case decimal
  case double
  case float
  case string
  case boolean
  case automaticDate
  case isoDate
  case unixDate
  case unixMillisecondsDate
  case patternDate
  case binary
  case uuid
  case uri
  case json
  /// The conversion that `CustomConversion` describes.
  case custom
  /// The conversion that `CustomConversion` describes, of a key, an index, a line, a file name or a constant: it takes
  /// any type, since these have none in JSON.
  case customUnwritten

  init(_ attribute: AttributeSchema) {
    switch attribute.type {
    case .integer16: self = .integer16
    case .integer32: self = .integer32
    case .integer64: self = .integer64
    case .decimal: self = .decimal
    case .double: self = .double
    case .float: self = .float
    case .string: self = .string
    case .boolean: self = .boolean
    case .binary: self = .binary
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .transformable: self = .json
    case .date:
      switch attribute.dateFormat {
      case .automatic: self = .automaticDate
      case .iso8601: self = .isoDate
      case .unix: self = .unixDate
      case .unixMilliseconds: self = .unixMillisecondsDate
      case .pattern: self = .patternDate
      }
    }
  }

  /// The same conversion of a scalar that is no value of the document.
  var unwritten: Conversion { self == .custom ? .customUnwritten : self }
}

/// The conversion of a scalar for an attribute with a transformer, rules or strictness.
///
/// It is a class, since a struct would copy a dozen fields for each value.
final class CustomConversion {
  let base: Conversion
  let type: AttributeType
  let transformer: TransformerKind
  let transformerName: String?
  let rules: ValueRules?
  /// The values that the attribute's Swift type or its JSON can hold; nil if these are all values
  /// of the column.
  let domain: ValueDomain?
  /// Returns why the destination cannot hold a value; nil if it can, or if it holds all values of the type.
  let fault: (@Sendable (RawValue) -> String?)?
  /// The value that replaces one that the rules or the domain refuse.
  let unknown: (value: OwnedValue, text: String)?
  /// Whether the scalar must be of the attribute's own type.
  let isStrict: Bool
  /// Whether an empty text is an error where it is no value of the type.
  let refusesEmptyStrings: Bool
  /// Whether an empty string counts as no value.
  ///
  /// It does for an enumeration without the case `""`. A required attribute takes its `JSONUnknownValue` instead.
  let emptyIsNoValue: Bool

  /// Gathers the conversions and rules of an attribute; nil if it has none.
  ///
  /// - Parameters:
  ///   - attribute: The attribute.
  ///   - options: The options of the import.
  ///   - isIdentity: Whether the value is a relationship's identifier.
  init?(_ attribute: AttributeSchema, _ options: ImportOptions, isIdentity: Bool = false) {
    let rules = options.validates ? ValueRules(attribute) : nil
    let domain = attribute.domain.isLimited ? attribute.domain : nil
    let fault = options.valueFaults[attribute.type]
    let isStrict = options.isStrict || attribute.isStrict
    let isPlain =
      rules == nil && domain == nil && fault == nil && !isStrict && !options.refusesEmptyStrings
    let transformer = attribute.transformer ?? .none
    switch transformer {
    case .none, .stringInteger: if isPlain { return nil }
    case .trim, .hexColor, .custom: break
    }
    base = Conversion(attribute)
    type = attribute.type
    self.transformer = transformer
    transformerName = attribute.transformerName
    self.rules = rules
    self.domain = domain
    self.fault = fault
    let unknown = isIdentity ? nil : attribute.unknownValue
    self.unknown = unknown.flatMap { value in
      value.withRawValue(for: attribute.type) { (OwnedValue($0), value.shortText) }
    }
    self.isStrict = isStrict
    refusesEmptyStrings = options.refusesEmptyStrings
    emptyIsNoValue =
      attribute.type == .string && !options.refusesEmptyStrings
      && (attribute.isOptional || attribute.defaultValue != nil || unknown == nil)
      && domain.map { !$0.admits(.bytes(BorrowedBuffer())) } ?? false
  }

  /// Returns a description of the rule that a value breaks, or nil.
  func violation(of value: RawValue) -> String? {
    func found() -> String { AttributeValue(value, type: type)?.shortText ?? "nothing" }
    if let fault = fault?(value) { return fault }
    if let violation = rules?.violation(of: value, found: found) { return violation }
    guard let domain, !domain.admits(value) else { return nil }
    return "expected \(domain.expectation), found \(found())"
  }

  /// Returns whether a scalar may be converted at all.
  ///
  /// - Parameters:
  ///   - scalar: The scalar.
  ///   - isWritten: Whether the scalar is a value of the document. A key, an index, a line, a file name or a constant is
  ///     none.
  /// - Returns: Whether it may.
  func admits(_ scalar: ScalarEvent, isWritten: Bool) -> Bool {
    if refusesEmptyStrings, scalar.kind == .string, scalar.text.isEmpty, base != .string {
      return false
    }
    return !isStrict || !isWritten || transformer != .none || scalar.kind == ownKind
      || isDateOfNumbers(scalar)
  }

  /// Whether values of the type are kept as text.
  var holdsText: Bool { type == .string || type == .transformable }

  /// The JSON kind of the attribute's own type.
  private var ownKind: ScalarEvent.Kind {
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: .number
    case .boolean: .boolean
    case .string, .date, .binary, .uuid, .uri: .string
    case .transformable: .string
    }
  }

  private func isDateOfNumbers(_ scalar: ScalarEvent) -> Bool {
    switch base {
    case .json: true
    case .automaticDate, .unixDate, .unixMillisecondsDate: scalar.kind == .number
    default: false
    }
  }
}

extension NullPolicy {
  /// The effect of `null` on one property.
  enum Action: UInt8 {
    case clear
    case keep
    case `default`
    case error
  }

  /// Returns the effect of the policy on one property.
  func action(isOptional: Bool, hasDefault: Bool) -> Action {
    switch self {
    case .keep: .keep
    case .error: .error
    // The default of a required attribute that has none is no value, and no value is an error.
    case .default: isOptional || hasDefault ? .default : .error
    case .clear: isOptional ? .clear : hasDefault ? .default : .error
    }
  }
}
