extension ModelSchema {
  /// The same model, read from where a mapping says; the numbers of entities and properties stay.
  ///
  /// - Parameter mapping: The mapping; nil changes nothing.
  /// - Returns: A model for the plan of one import.
  /// - Throws: ``ModelError`` with all that the mapping names and the model lacks.
  func applying(_ mapping: JSONMapping?) throws(ModelError) -> ModelSchema {
    guard let mapping, !mapping.rules.isEmpty else { return self }
    var resolver = MappingResolver(self)
    for rule in mapping.rules { resolver.add(rule) }
    guard resolver.issues.isEmpty else { throw ModelError(resolver.issues) }
    var mapped = entities
    // A family is larger than those within it: what is said of an entity comes after what is said of those above.
    let named = resolver.mapped.sorted {
      entities[$0.key].family.count > entities[$1.key].family.count
    }
    for (number, properties) in named {
      for member in entities[number].family {
        for (property, place) in properties {
          mapped[member].take(property, from: entities[member], at: place)
        }
      }
    }
    return ModelSchema(entities: mapped, dialect: dialect)
  }
}

extension EntitySchema {
  /// Takes over a property as the model has it, read from elsewhere.
  fileprivate mutating func take(
    _ property: MappingResolver.Property, from original: EntitySchema,
    at mapped: MappingResolver.Mapped
  ) {
    switch property {
    case .attribute(let number):
      attributes[number] = original.attributes[number]
      attributes[number].read(as: mapped)
    case .relationship(let number):
      relationships[number].paths = mapped.paths
      relationships[number].identifierPaths = []
    }
  }
}

extension AttributeSchema {
  fileprivate mutating func read(as mapped: MappingResolver.Mapped) {
    paths = mapped.paths
    if let format = mapped.format { dateFormat = format.value }
    if let rule = mapped.transformer {
      transformer = rule.transformer?.kind
      transformerName = rule.transformerName
    }
  }
}
