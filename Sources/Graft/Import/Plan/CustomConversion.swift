/// How a scalar becomes an attribute's value where more is to be done than a conversion.
struct CustomConversion {
  var base: Conversion
  var type: AttributeType
  var transformer: TransformerKind
  var transformerName: String?
  var rules: ValueRules?
  /// What the program's type can hold; nil where that is all that the column can.
  var domain: ValueDomain?
  /// Whether the scalar must be of the attribute's own type.
  var isStrict: Bool
  /// Whether an empty text is an error where it is no value of the type.
  var refusesEmptyText: Bool

  /// Gathers what is to be done for an attribute; nil where it is a conversion and no more.
  ///
  /// - Parameters:
  ///   - attribute: The attribute.
  ///   - options: How the import goes about its work.
  ///   - isIdentity: Whether the value names an object, and is not to be held to rules.
  init?(_ attribute: AttributeSchema, _ options: ImportOptions, isIdentity: Bool = false) {
    let rules = options.validates && !isIdentity ? ValueRules(attribute) : nil
    domain = attribute.domain.isLimited ? attribute.domain : nil
    let isStrict = options.isStrict || attribute.isStrict
    let isPlain = rules == nil && domain == nil && !isStrict && !options.refusesEmptyText
    let transformer = attribute.transformer ?? .none
    switch transformer {
    case .none, .stringInteger, .url, .base64: if isPlain { return nil }
    case .trim, .hexColor, .custom: break
    }
    base = Conversion(attribute)
    type = attribute.type
    self.transformer = transformer
    transformerName = attribute.transformerName
    self.rules = rules
    self.isStrict = isStrict
    refusesEmptyText = options.refusesEmptyText
  }

  /// What speaks against a value, in words.
  func violation(of value: RawValue) -> String? {
    if let violation = rules?.complaint(about: value) { return violation }
    guard let domain, !domain.admits(value) else { return nil }
    let found = AttributeValue(value, type: type)?.shortText ?? "nothing"
    return "expected \(domain.expectation), found \(found)"
  }

  /// Whether a scalar may be converted at all.
  func admits(_ scalar: ScalarEvent) -> Bool {
    if refusesEmptyText, scalar.kind == .string, scalar.text.isEmpty, base != .string {
      return false
    }
    return !isStrict || transformer != .none || scalar.kind == ownKind || isDateOfNumbers(scalar)
  }

  /// Whether values of the type are kept as text.
  var holdsText: Bool { type == .string || type == .transformable }

  /// What a scalar of the attribute's own type is in JSON.
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
