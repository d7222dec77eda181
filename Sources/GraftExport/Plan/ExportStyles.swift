import Graft

/// The properties to write and their forms, from the model's annotations and the export's options.
struct ExportStyles {
  private let schema: ModelSchema
  private let options: ExportOptions

  /// Checks the names in the options.
  ///
  /// - Throws: ``ExportError`` if the options name what the model does not have.
  init(_ schema: ModelSchema, _ options: ExportOptions) throws {
    self.schema = schema
    self.options = options
    for (name, properties) in options.styles.sortedByKey() {
      guard let number = schema.entityNumbers[name] else {
        throw ExportError(
          .model, entity: name,
          "a style is given for an \(schema.unknownEntity(name))")
      }
      let entity = schema.entities[number]
      let known = entity.attributes.map(\.name) + entity.relationships.map(\.name)
      for property in properties.keys.sorted() where !known.contains(property) {
        throw ExportError(
          .model, entity: name, property: property,
          "a style is given for the unknown property \"\(property)\" of \(name)"
            + suggestion(for: property, in: known))
      }
      for attribute in entity.attributes where properties[attribute.name] == .identifier {
        throw ExportError(
          .model, entity: name, property: attribute.name,
          "\(name).\(attribute.name) is an attribute, which is written as its value; only relationships are written as"
            + " identifiers")
      }
    }
  }

  /// Returns the form of an entity's relationship.
  func style(of number: Int, in entity: EntitySchema) -> ExportStyle {
    let relationship = entity.relationships[number]
    return given(relationship.name, in: entity)
      ?? relationship.policies.export ?? options.relationships
  }

  /// Returns whether an attribute is read from the JSON objects around, and from nowhere in the object itself.
  func isOuterValue(_ attribute: AttributeSchema, of entity: EntitySchema) -> Bool {
    attribute.paths.contains(where: \.isOuter) && !omits(attribute, of: entity)
      && attribute.paths.allSatisfy(\.leadsOutside)
  }

  /// Returns whether a relationship is read from the JSON objects around, and from nowhere in the object itself.
  func isOuterValue(
    _ relationship: RelationshipSchema, _ number: Int, of entity: EntitySchema
  ) -> Bool {
    relationship.paths.contains(where: \.isOuter) && style(of: number, in: entity) != .omit
      && relationship.paths.allSatisfy(\.leadsOutside)
  }

  /// Returns whether an attribute of an entity is left out.
  func omits(_ attribute: AttributeSchema, of entity: EntitySchema) -> Bool {
    (given(attribute.name, in: entity) ?? attribute.policies.export) == .omit
  }

  /// Returns the option for a property of the entity, or of the nearest one above that has an option.
  private func given(_ property: String, in entity: EntitySchema) -> ExportStyle? {
    var current: EntitySchema? = entity
    while let candidate = current {
      if let style = options.styles[candidate.name]?[property] { return style }
      current = candidate.superentity.map { schema.entities[$0] }
    }
    return nil
  }

  /// A place of a relationship.
  struct Place {
    /// The path to the objects, or, with ``isEach``, to one of them.
    var path: JSONPath
    /// Whether its objects are members of an object there, and not elements of an array.
    var isKeyed = false
    /// The number of elements before the first object, such as the headings of rows.
    var skippedElements = 0
    /// Whether one object is written in each element of an array that the path leads through.
    var isEach = false
    /// Whether there may be more than one object.
    var isToMany = false

    /// The path to one of the objects.
    var pathOfObjects: JSONPath {
      guard isToMany, !isEach else { return path }
      return JSONPath(path.steps + [isKeyed ? .eachMember : .eachElement])
    }
  }

  /// Returns the places where a relationship may be written, the best one first.
  ///
  /// A relationship that is left out, or shares the JSON object of its owner, has no place.
  func places(of number: Int, in entity: EntitySchema) -> [Place] {
    let relationship = entity.relationships[number]
    let style = style(of: number, in: entity)
    guard style != .omit else { return [] }
    // An object cannot be written where an import expects an identifier.
    let hasIdentifiers =
      relationship.relatedBy != nil
      || schema.entities[relationship.destination].singleIdentity != nil
    let paths =
      style == .identifier && hasIdentifiers
      ? relationship.identifierPaths + relationship.paths : relationship.paths
    return paths.compactMap { path in
      guard relationship.isToMany else { return path.steps.isEmpty ? nil : Place(path: path) }
      if let last = path.steps.last, last == .eachElement || last == .eachMember {
        return Place(
          path: JSONPath(path.steps.dropLast()), isKeyed: last == .eachMember, isToMany: true)
      }
      if case .elements(let first)? = path.steps.last {
        return Place(
          path: JSONPath(path.steps.dropLast()), skippedElements: first, isToMany: true)
      }
      let isEach = path.steps.contains { $0 == .eachElement || $0 == .eachMember }
      return path.steps.isEmpty ? nil : Place(path: path, isEach: isEach, isToMany: true)
    }
  }

  /// Returns whether an import reads a relationship, and the export is not asked to leave it out.
  func isRead(_ number: Int, of entity: EntitySchema) -> Bool {
    let relationship = entity.relationships[number]
    return style(of: number, in: entity) != .omit
      && !(relationship.paths.isEmpty && relationship.identifierPaths.isEmpty)
  }

  /// Returns whether a relationship leads to an object that is read out of its owner's JSON object.
  func sharesObject(_ number: Int, of entity: EntitySchema) -> Bool {
    let relationship = entity.relationships[number]
    return !relationship.isToMany && style(of: number, in: entity) != .omit
      && relationship.paths.contains { $0.steps.isEmpty }
  }

  /// Returns whether a relationship is written at all.
  func writes(_ number: Int, of entity: EntitySchema) -> Bool {
    sharesObject(number, of: entity) || !places(of: number, in: entity).isEmpty
  }

  /// Returns whether a whole graph nests objects without identity in this relationship, and not in
  /// its inverse.
  ///
  /// The side with one owner nests its many members; between equals the name decides.
  func nestsAnonymous(_ number: Int, of entity: EntitySchema) -> Bool {
    let relationship = entity.relationships[number]
    let destination = schema.entities[relationship.destination]
    guard let inverse = relationship.inverse, writes(inverse, of: destination) else { return true }
    let back = destination.relationships[inverse]
    if relationship.isToMany != back.isToMany { return relationship.isToMany }
    return relationship.name <= back.name
  }
}
