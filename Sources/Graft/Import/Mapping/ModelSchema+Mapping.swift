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
    let mapped = entities.map { entity in
      var entity = entity
      for (property, mapped) in resolver.mapped(for: entity) { entity.apply(mapped, to: property) }
      return entity
    }
    return ModelSchema(entities: mapped, dialect: dialect)
  }
}

extension EntitySchema {
  fileprivate mutating func apply(
    _ mapped: MappingResolver.Mapped, to property: MappingResolver.Property
  ) {
    switch property {
    case .attribute(let number): attributes[number].apply(mapped)
    case .relationship(let number):
      relationships[number].paths = mapped.paths
      relationships[number].identifierPaths = []
    }
  }
}

extension AttributeSchema {
  fileprivate mutating func apply(_ mapped: MappingResolver.Mapped) {
    paths = mapped.paths
    if let format = mapped.format { dateFormat = format.value }
    if let rule = mapped.transformer {
      transformer = rule.transformer?.kind
      transformerName = rule.transformerName
    }
  }
}
