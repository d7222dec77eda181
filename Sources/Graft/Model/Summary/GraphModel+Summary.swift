extension GraphModel {
  /// The compiled model as text for a person: entities, properties, places in JSON, identity,
  /// policies and warnings.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  public var summary: String {
    let sections = schema.entities.map { EntitySummary($0, in: self).text }
    let count = schema.entities.count
    let head = "\(count) \(count == 1 ? "entity" : "entities"), dialect \(dialect.rawValue)"
    let policies = dialect.rules.differences
    let rules = policies.isEmpty ? "" : "\nunless annotated: " + policies.joined(separator: "; ")
    let tail = warnings.map { "warning: \($0)" }.joined(separator: "\n")
    return ([head + rules] + sections + (tail.isEmpty ? [] : [tail])).joined(separator: "\n\n")
  }
}
