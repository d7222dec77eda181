extension PlanBuilder {
  /// Gives entities the modification attributes that the options name, where the model has none.
  ///
  /// - Throws: ``ImportError`` where the model lacks an entity or attribute, or values of the
  ///   attribute do not grow.
  func adoptModifiedAttributes(_ entities: inout [EntityPlan]) throws {
    let given = options.modifiedAttributes
    let inherited = try byEntity(given, "a modification attribute is given")
    for (entity, name) in given.sorted(by: { $0.key < $1.key }) {
      guard let number = schema.entityNumbers[entity] else { continue }
      try check(name, isModifiedAttributeOf: schema.entities[number])
    }
    for (number, name) in inherited.enumerated() where entities[number].modifiedAttribute == nil {
      entities[number].modifiedAttribute =
        name.flatMap { name in
          schema.entities[number].attributes.firstIndex { $0.name == name }
        }
    }
  }

  private func check(_ name: String, isModifiedAttributeOf entity: EntitySchema) throws {
    let given = "the modification attribute of \(entity.name) is given as \"\(name)\""
    guard let number = entity.attributes.firstIndex(where: { $0.name == name }) else {
      throw ImportError(
        kind: .model,
        message: "\(given), which is no attribute of it"
          + suggestion(for: name, in: entity.attributes.map(\.name)))
    }
    let type = entity.attributes[number].type
    guard type.tellsAge else {
      throw ImportError(
        kind: .model,
        message: "\(given), a \(type.rawValue); expected a date, a number or a text")
    }
  }

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
