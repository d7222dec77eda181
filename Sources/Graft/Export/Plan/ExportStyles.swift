/// Which properties are written, and how, the model's annotations and the export's options being
/// settled.
struct ExportStyles {
  private let schema: ModelSchema
  private let options: ExportOptions

  /// Settles the styles.
  ///
  /// - Throws: ``ExportError`` where the options name what the model does not have.
  init(_ schema: ModelSchema, _ options: ExportOptions) throws {
    self.schema = schema
    self.options = options
    for (name, properties) in options.styles.sortedByKey() {
      guard let number = schema.entityNumbers[name] else {
        throw ExportError(
          .model, entity: name,
          "a style is given for the unknown entity \"\(name)\""
            + suggestion(for: name, in: schema.entities.map(\.name)))
      }
      let entity = schema.entities[number]
      let known = entity.attributes.map(\.name) + entity.relationships.map(\.name)
      for property in properties.keys.sorted() where !known.contains(property) {
        throw ExportError(
          .model, entity: name, property: property,
          "a style is given for the unknown property \"\(property)\" of \(name)"
            + suggestion(for: property, in: known))
      }
    }
  }

  /// How a relationship of an entity is written.
  func style(of number: Int, in entity: EntitySchema) -> ExportStyle {
    let relationship = entity.relationships[number]
    return given(relationship.name, in: entity)
      ?? relationship.policies.over(entity.policies).export ?? options.relationships
  }

  /// Whether an attribute of an entity is left out.
  func omits(_ attribute: AttributeSchema, of entity: EntitySchema) -> Bool {
    (given(attribute.name, in: entity) ?? attribute.policies.over(entity.policies).export)
      == .omit
  }

  /// What the options say of a property, for the entity or the nearest one above.
  private func given(_ property: String, in entity: EntitySchema) -> ExportStyle? {
    var current: EntitySchema? = entity
    while let candidate = current {
      if let style = options.styles[candidate.name]?[property] { return style }
      current = candidate.superentity.map { schema.entities[$0] }
    }
    return nil
  }

  /// Where a relationship may be written, the best place first, and whether its objects stand under
  /// names there; no place where it is left out or shares the JSON object of its owner.
  func places(of number: Int, in entity: EntitySchema) -> [(path: JSONPath, isKeyed: Bool)] {
    let relationship = entity.relationships[number]
    let style = style(of: number, in: entity)
    guard style != .omit else { return [] }
    let paths =
      style == .identifier
      ? relationship.identifierPaths + relationship.paths : relationship.paths
    return paths.compactMap { path in
      var path = path
      var isKeyed = false
      if relationship.isToMany, let last = path.steps.last,
        last == .eachElement || last == .eachMember
      {
        path.steps.removeLast()
        isKeyed = last == .eachMember
      }
      return path.steps.isEmpty ? nil : (path, isKeyed)
    }
  }

  /// Whether a relationship leads to an object that is read out of its owner's JSON object.
  func sharesObject(_ number: Int, of entity: EntitySchema) -> Bool {
    let relationship = entity.relationships[number]
    return !relationship.isToMany && style(of: number, in: entity) != .omit
      && relationship.paths.contains { $0.steps.isEmpty }
  }

  /// Whether a relationship is written at all.
  func writes(_ number: Int, of entity: EntitySchema) -> Bool {
    sharesObject(number, of: entity) || !places(of: number, in: entity).isEmpty
  }

  /// Whether objects without identity stand inside this relationship's owner, and not inside those
  /// that its inverse leads back from: the one owner of many comes before its members, and between
  /// equals the name decides.
  func carries(_ number: Int, of entity: EntitySchema) -> Bool {
    let relationship = entity.relationships[number]
    let destination = schema.entities[relationship.destination]
    guard let inverse = relationship.inverse, writes(inverse, of: destination) else { return true }
    let back = destination.relationships[inverse]
    if relationship.isToMany != back.isToMany { return relationship.isToMany }
    return relationship.name <= back.name
  }
}
