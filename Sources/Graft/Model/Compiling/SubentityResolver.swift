// What chooses the sub-entity of an object is either a path and a table from the values found there to
// entities, or code. Graft's annotations and an `EntityMapper` with a discriminator both give a table.
//
// Example: `Media` has the discriminator `type`, `Photo` and `Video` are below it, and `Video` has the
// discriminator value `clip`. Then the table of `Media` is `Media`, `Photo` and `clip`, and that of
// `Photo`, which inherits the path, is `Photo` alone. What code names is checked at each object.

/// Settles what chooses the sub-entities of objects.
struct SubentityResolver {
  let entities: [EntityDescription]
  let hierarchy: EntityHierarchy
  let code: RegisteredCode
  let log: IssueLog

  /// Settles the discriminators and mappers of all entities.
  ///
  /// - Parameters:
  ///   - annotated: What the annotations of the entities say, inherited ones included.
  ///   - schemas: The entities, in the order of their numbers.
  func resolve(_ annotated: [EntityNotes], in schemas: inout [EntitySchema]) {
    let mappers = mappers(annotated, of: schemas)
    for number in schemas.indices {
      let notes = annotated[number]
      if let path = notes.discriminator {
        checkSingular(path, of: number)
        schemas[number].discriminator = path
        schemas[number].discriminated = valuesOfFamily(number, in: schemas)
        if notes.entityMapperName != nil {
          log.warning(
            "JSONDiscriminator and entityMapperName both choose the sub-entity, and only "
              + "JSONDiscriminator counts; "
              + "remove one", entity: schemas[number].name)
        }
      } else if let mapper = mappers[number] {
        choose(by: mapper, for: &schemas[number])
      } else if notes.discriminatorValue != nil {
        log.warning(
          "JSONDiscriminatorValue has no effect without a JSONDiscriminator here or above",
          entity: schemas[number].name)
      }
    }
  }

  /// The mappers of entities that have one, inherited ones included.
  ///
  /// What is wrong with a mapper is reported for the entity that names it.
  private func mappers(_ annotated: [EntityNotes], of schemas: [EntitySchema]) -> [EntityMapper?] {
    var mappers = [EntityMapper?](repeating: nil, count: schemas.count)
    for number in hierarchy.order {
      let notes = annotated[number]
      guard let name = notes.entityMapperName else { continue }
      if let parent = schemas[number].superentity, annotated[parent].entityMapperName == name {
        mappers[number] = mappers[parent]
        continue
      }
      mappers[number] = notes.mapper ?? code.mapper(named: name, schemas[number].name)
    }
    for number in schemas.indices {
      guard let name = annotated[number].entityMapperName,
        name != schemas[number].superentity.flatMap({ annotated[$0].entityMapperName }),
        case .table(_, let entities)? = mappers[number]?.kind
      else { continue }
      let family = schemas[number].family.map { schemas[$0].name }
      for entity in entities.values.sorted() where !family.contains(entity) {
        log.error(
          "entity mapper \"\(name)\" names \"\(entity)\", expected \(schemas[number].name) or "
            + "an entity below it"
            + suggestion(for: entity, in: family), entity: schemas[number].name)
      }
    }
    return mappers
  }

  private func choose(by mapper: EntityMapper, for schema: inout EntitySchema) {
    switch mapper.kind {
    case .code(let code): schema.mapper = code
    case .table(let path, let entities):
      schema.discriminator = path
      for (value, name) in entities {
        guard let entity = hierarchy.numbers[name] else { continue }
        if schema.family.contains(entity) { schema.discriminated[value] = entity }
      }
    }
  }

  private func checkSingular(_ path: JSONPath, of number: Int) {
    if path.steps.contains(.eachElement) || path.steps.contains(.eachMember) {
      AnnotationReader(entities[number], log: log).error(
        "JSONDiscriminator is \"\(path)\", expected a path to one value, without a wildcard")
    }
  }

  private func valuesOfFamily(_ number: Int, in schemas: [EntitySchema]) -> [String: Int] {
    var table: [String: Int] = [:]
    for member in schemas[number].family {
      let value = schemas[member].discriminatorValue
      if let other = table.updateValue(member, forKey: value) {
        log.error(
          "has the discriminator value \"\(value)\" of \(schemas[other].name); give it one of "
            + "its own",
          entity: schemas[member].name)
      }
    }
    return table
  }
}
