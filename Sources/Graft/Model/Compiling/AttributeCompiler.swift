import Foundation

/// Compiles an attribute: reads its values by its type, and finds its transformer.
struct AttributeCompiler {
  private let attribute: AttributeDescription
  private let reader: AnnotationReader
  private let code: RegisteredCode
  private var type: AttributeType { attribute.type }

  init(_ attribute: AttributeDescription, _ reader: AnnotationReader, _ code: RegisteredCode) {
    self.attribute = attribute
    self.reader = reader
    self.code = code
  }

  /// Compiles the attribute, and reports whatever is wrong with it.
  ///
  /// - Parameter notes: What its annotations say.
  /// - Returns: The compiled attribute.
  func compile(_ notes: AttributeNotes) -> AttributeSchema {
    checkDefault()
    let (minimum, maximum) = bounds()
    checkPattern()
    reader.check(attribute.policies, on: .attribute)
    let place = reader.paths(of: attribute.paths, or: notes.place)
    var schema = AttributeSchema(
      name: attribute.name,
      type: type,
      isOptional: attribute.isOptional,
      defaultValue: attribute.defaultValue,
      paths: place.paths,
      annotation: place.origin)
    schema.dateFormat =
      attribute.dateFormat.map { reader.dateFormat($0, of: type) } ?? notes.dateFormat
    (schema.transformerName, schema.transformer) = transformer(notes)
    schema.policies = attribute.policies.over(notes.policies)
    // An attribute is written as its value anyway, unless it is left out.
    if schema.policies.export == .nested { schema.policies.export = nil }
    schema.minimum = minimum
    schema.maximum = maximum
    schema.pattern = attribute.pattern
    schema.isStrict = notes.isStrict
    schema.isIndexed = attribute.isIndexed
    schema.domain = attribute.domain
    return schema
  }

  private func checkDefault() {
    guard let value = attribute.defaultValue, !type.accepts(value) else { return }
    reader.error("the default value \(value.text) is no \(type.rawValue); change it or the type")
  }

  private func checkPattern() {
    guard let pattern = attribute.pattern else { return }
    guard type == .string else {
      reader.warning("the regular expression has no effect on a \(type.rawValue); remove it")
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
      reader.warning("the \(name) has no effect on a \(type.rawValue); remove it")
    }
    return bound
  }

  /// The transformer and its name: the one that the description has, or else the one that is
  /// registered under the name that an annotation or the model editor gives.
  private func transformer(_ notes: AttributeNotes) -> (String?, TransformerKind?) {
    var name: String?
    var kind: TransformerKind?
    if let transformer = attribute.transformer {
      name = transformer.readyMadeName ?? "\(reader.entity).\(attribute.name)"
      kind = transformer.kind
    } else {
      name = notes.transformerName ?? attribute.transformerName
      kind =
        name.flatMap { code.transformer(named: $0, reader.entity, attribute.name) }?.kind
        ?? notes.readyMade
    }
    if kind == .hexColor, type != .string, type != .transformable {
      reader.error(
        "a colour is kept as text, and no \(type.rawValue) holds that; make it a String or a"
          + " Transformable")
    }
    return (name, kind)
  }
}
