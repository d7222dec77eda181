extension PlanBuilder {
  /// What the options say for each entity, or for the nearest entity above that is named.
  ///
  /// - Parameters:
  ///   - given: What the options say, by the names of entities.
  ///   - what: What is given, in words that "for" goes on from.
  /// - Returns: By the numbers of the entities; empty where nothing is given.
  /// - Throws: ``ImportError`` where the model lacks a name.
  func byEntity<Value>(_ given: [String: Value], _ what: String) throws -> [Value?] {
    guard !given.isEmpty else { return [] }
    for name in given.keys.sorted() where schema.entityNumbers[name] == nil {
      throw ImportError(
        kind: .model,
        message: "\(what) for the unknown entity \"\(name)\""
          + suggestion(for: name, in: schema.entities.map(\.name)))
    }
    return schema.entities.map { entity in
      var current: EntitySchema? = entity
      while let candidate = current {
        if let value = given[candidate.name] { return value }
        current = candidate.superentity.map { schema.entities[$0] }
      }
      return nil
    }
  }
}
