/// One line of a mapping: what stands at a path is given to a property.
struct MappingRule: Sendable {
  var entity = ""
  /// Where the value stands in an object of the entity, or why that is no path.
  var path: Result<JSONPath, JSONPathError>
  var property: String
  /// Whether the property is read from nowhere, whatever the path.
  var isKeptOut = false
  /// How dates are written, as the mapping has it.
  var format: String?
  var transformer: AttributeTransformer?
  /// The name by which a file mentions the transformer.
  var transformerName: String?
  /// Where the rule stands in the mapping's file.
  var location: ModelIssue.Location?

  /// The same rule, the value standing below a path; paths are as long as they would be in one
  /// piece.
  func prefixed(by prefix: Result<JSONPath, JSONPathError>) -> MappingRule {
    var rule = self
    rule.path = prefix.flatMap { prefix in
      path.flatMap { path in Self.joined(prefix, path) }
    }
    return rule
  }

  private static func joined(
    _ prefix: JSONPath, _ path: JSONPath
  ) -> Result<JSONPath, JSONPathError> {
    func fault(_ message: String) -> Result<JSONPath, JSONPathError> {
      let text = prefix.description
      return .failure(JSONPathError(text: text, position: text.count + 1, message: message))
    }
    if path.steps.isEmpty { return .success(prefix) }
    if let last = prefix.steps.last, [.key, .index, .value].contains(last) {
      return fault("expected the end, since @key, @index and @value stand last, found \"\(path)\"")
    }
    let limit = JSONPathParser.stepLimit
    guard prefix.steps.count + path.steps.count <= limit else {
      return fault("expected at most \(limit) steps together with what is nested")
    }
    return .success(JSONPath(prefix.steps + path.steps))
  }
}

extension MappingRule: Hashable {
  static func == (first: MappingRule, second: MappingRule) -> Bool {
    first.entity == second.entity && first.path == second.path
      && first.isKeptOut == second.isKeptOut && first.property == second.property
      && first.format == second.format
      && first.transformer?.kind == second.transformer?.kind
  }

  /// Transformers are compared only, as they have nothing to hash.
  func hash(into hasher: inout Hasher) {
    hasher.combine(entity)
    hasher.combine(path)
    hasher.combine(property)
    hasher.combine(format)
  }
}
