import Foundation

/// Compiles an attribute: reads its values by its type, and finds its transformer.
final class AttributeCompiler {
  private let attribute: AttributeDescription
  private let reader: AnnotationReader
  private let code: RegisteredCode
  private var type: AttributeType { attribute.type }

  init(_ attribute: AttributeDescription, _ reader: AnnotationReader, _ code: RegisteredCode) {
    self.attribute = attribute
    self.reader = reader
    self.code = code
  }

  /// Compiles the attribute, and reports its faults.
  func compile(_ notes: AttributeNotes) -> AttributeSchema {
    let (minimum, maximum) = bounds()
    checkPattern()
    reader.check(attribute.policies, on: .attribute)
    let place = reader.paths(of: attribute.paths, or: notes.place)
    for fault in place.paths.compactMap({ $0.fault(ofAttribute: type, reader.words) }) {
      reader.error(fault)
    }
    var fields = AttributeSchema.Fields(
      name: attribute.name,
      type: type,
      isOptional: attribute.isOptional,
      defaultValue: attribute.defaultValue,
      paths: place.paths,
      annotation: place.origin)
    fields.dateFormat =
      attribute.dateFormat.map { reader.dateFormat(described: $0, of: type) }
      ?? notes.dateFormat
    (fields.transformerName, fields.transformer) = transformer(notes)
    fields.policies = attribute.policies.over(notes.policies)
    // An attribute is written as its value anyway, unless it is left out.
    if fields.policies.export == .nested { fields.policies.export = nil }
    fields.minimum = minimum
    fields.maximum = maximum
    fields.pattern = attribute.pattern
    fields.isStrict = notes.isStrict
    fields.isIndexed = attribute.isIndexed
    fields.values = values(notes)
    fields.unknownValue = attribute.unknownValue ?? notes.unknownValue
    fields.domain =
      attribute.domain.isLimited || fields.values.isEmpty
      ? attribute.domain
      : ValueDomain(
        fields.values
          + [fields.unknownValue].compactMap(\.self).filter { !fields.values.contains($0) },
        of: type)
    let schema = AttributeSchema(fields)
    checkWrittenForm(of: schema)
    checkDefault(by: schema)
    checkUnknownValue(by: schema)
    checkConstants(by: schema)
    return schema
  }

  /// Returns the only values that the attribute may have; empty if all values of its type are valid.
  private func values(_ notes: AttributeNotes) -> [AttributeValue] {
    guard let values = attribute.values ?? notes.values else { return [] }
    for value in values { check(value, "the value") }
    if values.isEmpty { reader.warning("JSONValues names no value; name some, or remove it") }
    return values
  }

  /// Reports a value that is not of the attribute's type, or that no model file can hold.
  ///
  /// - Returns: Whether the value is valid.
  @discardableResult
  private func check(_ value: AttributeValue, _ words: String) -> Bool {
    if !type.accepts(value) {
      reader.error("\(words) \(value.text) is no \(type.rawValue); change it or the type")
    } else if !value.isWritable {
      reader.error("\(words) \(value.text) cannot be written in a model file; change it")
    } else {
      return true
    }
    return false
  }

  /// Reports `JSONWrittenAs` where an export writes strings, or JSON as it was kept, anyway.
  private func checkWrittenForm(of schema: AttributeSchema) {
    let isSeconds = schema.dateFormat == .unix || schema.dateFormat == .unixMilliseconds
    guard schema.policies.writtenAs != nil, !type.isNumberOrBoolean, type != .date || !isSeconds
    else { return }
    reader.warning(
      "\(reader.words.name(of: "JSONWrittenAs")) has no effect on \(reader.words.article(type)),"
        + " which is no number in JSON; remove it")
  }

  private func checkUnknownValue(by schema: AttributeSchema) {
    guard let value = schema.unknownValue else { return }
    guard check(value, unknownValue) else { return }
    if ValueRules(schema) == nil, !schema.domain.isLimited {
      reader.warning(
        "\(unknownValue) has no effect where nothing says which values are known; \(addingValues)")
    }
    if let violation = violation(of: value, by: schema) {
      reader.error(
        "\(unknownValue) \(value.text) breaks the attribute's own rules: \(violation); change one of"
          + " the two")
    }
  }

  private var unknownValue: String { reader.words.name(of: "JSONUnknownValue") }

  private var addingValues: String {
    switch reader.words {
    case .annotations: "add JSONValues"
    case .parameters: "make the attribute one of an enumeration, or give it bounds"
    }
  }

  private func checkDefault(by schema: AttributeSchema) {
    guard let value = attribute.defaultValue else {
      if schema.policies.onNull == .default || schema.policies.onAbsent == .default {
        reader.warning(
          "a policy replaces null or an absent key by the default value, and there is none;"
            + " give one")
      }
      return
    }
    guard check(value, "the default value"), let violation = violation(of: value, by: schema) else {
      return
    }
    reader.mistake(
      "the default value \(value.text) breaks the attribute's own rules: \(violation); change one of"
        + " the two")
  }

  /// Reports constants among the paths that are no values of the attribute.
  private func checkConstants(by schema: AttributeSchema) {
    if case .custom = schema.transformer { return }
    if schema.lacksTransformer { return }
    for path in schema.paths {
      guard case .constant(let text)? = path.steps.first, !text.isEmpty || type == .string else {
        continue
      }
      guard let value = schema.value(ofConstant: text) else {
        reader.error(
          "the constant '\(text)' is no \(type.rawValue)\(dateNote(schema)); change it or the type")
        continue
      }
      if schema.unknownValue == nil, let violation = violation(of: value, by: schema) {
        reader.error(
          "the constant '\(text)' breaks the attribute's own rules: \(violation); change one of the two"
        )
      }
    }
  }

  private func dateNote(_ schema: AttributeSchema) -> String {
    guard type == .date, case .pattern(let pattern) = schema.dateFormat else { return "" }
    return " (\"\(pattern)\")"
  }

  /// Returns a description of the rule of the attribute that a value breaks; nil if it keeps all.
  @inline(never)
  private func violation(of value: AttributeValue, by schema: AttributeSchema) -> String? {
    let rules = ValueRules(schema)
    let violation = value.withRawValue(for: type) { raw -> String? in
      guard schema.domain.isLimited, !schema.domain.admits(raw) else {
        return rules?.violation(of: raw)
      }
      return "expected \(schema.domain.expectation)"
    }
    return violation ?? nil
  }

  private func checkPattern() {
    guard let pattern = attribute.pattern else { return }
    guard type == .string else {
      reader.mistake(
        "the regular expression has no effect on \(reader.words.article(type)); remove it")
      return
    }
    if (try? NSRegularExpression(pattern: pattern)) == nil {
      reader.error("the regular expression \"\(pattern)\" is invalid; correct its syntax")
    }
  }

  private func bounds() -> (minimum: Bound?, maximum: Bound?) {
    let least = bound(attribute.minimum, "minimum")
    let most = bound(attribute.maximum, "maximum")
    if let least, let most, least.isAbove(most) {
      reader.error("the minimum \(least.text) is above the maximum \(most.text)")
    } else if let fault = Bound.fault(of: type, least, most) {
      reader.warning(fault)
    }
    return (least, most)
  }

  private func bound(_ given: AttributeBound?, _ name: String) -> Bound? {
    guard let given else { return nil }
    guard let bound = Bound(given, for: type) else {
      let text = Bound.text(of: given)
      reader.error("the \(name) is \"\(text)\", expected \(Bound.expectation(for: type))")
      return nil
    }
    if bound.value == .withoutEffect {
      reader.mistake("the \(name) has no effect on \(reader.words.article(type)); remove it")
    }
    return bound
  }

  /// Returns the transformer and its name.
  ///
  /// It is the description's own transformer, or else the one registered under the name in an
  /// annotation or the model editor's field.
  private func transformer(_ notes: AttributeNotes) -> (String?, TransformerKind?) {
    var name: String?
    var kind: TransformerKind?
    if let transformer = attribute.transformer {
      name = transformer.name(of: attribute.name, in: reader.entity)
      kind = transformer.kind
    } else {
      name = notes.transformerName ?? attribute.transformerName
      kind =
        name.flatMap { code.transformer(named: $0, reader.entity, attribute.name) }?.kind
        ?? notes.readyMade
    }
    if kind == .hexColor, type != .string, type != .transformable {
      reader.error(
        "a colour is kept as text, and no \(type.rawValue) holds that; make it a String or"
          + " \(reader.words.transformable)")
    }
    return (name, kind)
  }
}

extension AttributeValue {
  /// Whether a model file can hold the value.
  fileprivate var isWritable: Bool {
    switch self {
    case .double(let number): number.isFinite
    case .float(let number): number.isFinite
    case .decimal(let number): number.isFinite
    case .date(let date): date.timeIntervalSinceReferenceDate.isFinite
    case .uri(let url): URL(string: url.absoluteString) == url
    case .json(let text): AttributeType.isJSON(text)
    case .integer, .string, .boolean, .binary, .uuid: true
    }
  }
}

extension AttributeSchema {
  /// Returns a constant among the paths as a value; nil if an import could not convert it.
  fileprivate func value(ofConstant text: String) -> AttributeValue? {
    let number: Double?
    switch type {
    case .string: return .string(text)
    case .transformable: return .json(String(decoding: JSONWriter.quoted(text), as: UTF8.self))
    case .boolean:
      return text.withBorrowedUTF8 { $0.withSpan(BooleanText.parse) }.map { .boolean($0) }
    case .integer16, .integer32, .integer64:
      return text.withBorrowedUTF8 { $0.withSpan(IntegerText.parse) }
        .flatMap { type.accepts(.integer($0)) ? .integer($0) : nil }
    case .decimal, .double, .float, .binary, .uuid, .uri: return type.value(from: text)
    case .date:
      number = text.withBorrowedUTF8 { text in
        text.withSpan { text in
          switch dateFormat {
          case .automatic: DateText.parseAutomatic(text)
          case .iso8601: DateText.parseISO8601(text)
          case .unix: DateText.parseSeconds(text)
          case .unixMilliseconds: DateText.parseMilliseconds(text)
          case .pattern(let pattern): DatePattern(pattern).parse(text)
          }
        }
      }
    }
    return number.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
  }
}
