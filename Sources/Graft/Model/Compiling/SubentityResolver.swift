// The sub-entity of an object is chosen by code, or by a path and a table from the values found
// there to entities. Graft's annotations and an `EntityMapper` with a discriminator both give a
// table.
//
// Example: `Media` has the discriminator `type`, `Photo` and `Video` are below it, and `Video` has
// the discriminator value `clip`. The table of `Media` then has `Media`, `Photo` and `clip`.
// `Photo` inherits the path; its table has `Photo` alone. An entity chosen by code is checked for
// each object.

/// Compiles the rule by which an import finds the sub-entity of an object: a closure, or a path and a table.
struct SubentityResolver {
  let entities: [EntityDescription]
  let hierarchy: EntityHierarchy
  let code: RegisteredCode
  let log: IssueLog
  /// Whether the dialect has annotations that choose a sub-entity.
  let choosesSubentities: Bool

  /// Settles the discriminators and mappers of all entities.
  ///
  /// - Parameters:
  ///   - annotated: The annotations of the entities, inherited ones included.
  ///   - schemas: The entities, in the order of their numbers.
  func resolve(_ annotated: [EntityNotes], in schemas: inout [EntitySchema.Fields]) {
    let mappers = mappers(annotated, of: schemas)
    for number in schemas.indices {
      let notes = annotated[number]
      if let paths = notes.discriminators, !paths.isEmpty {
        let inherited = schemas[number].superentity.flatMap { annotated[$0].discriminators }
        if paths != inherited { for path in paths { checkSingular(path, of: number) } }
        schemas[number].discriminators = paths
        schemas[number].discriminated = valuesOfFamily(
          number, statesOwn: notes.discriminatorValue != nil, in: schemas)
        if notes.entityMapperName != nil {
          log.warning(
            "\(discriminator) and \(log.words.name(of: "entityMapperName")) both choose the"
              + " sub-entity, and only \(discriminator) counts; "
              + "remove one", entity: schemas[number].name)
        }
      } else if let mapper = mappers[number] {
        choose(by: mapper, for: &schemas[number])
      } else if notes.discriminatorValue != nil {
        log.warning(
          "\(log.words.name(of: "JSONDiscriminatorValue")) has no effect without a"
            + " \(discriminator) here or above",
          entity: schemas[number].name)
      }
      schemas[number].unknownEntity = unknownEntity(of: schemas[number], notes)
    }
    // An entity's choice also holds for a sub-entity whose family has the chosen entity.
    for number in hierarchy.order {
      guard let above = schemas[number].superentity, annotated[number].unknownEntity == nil,
        let unknown = schemas[above].unknownEntity, schemas[number].family.contains(unknown)
      else { continue }
      schemas[number].unknownEntity = unknown
    }
    warnOfIdleDiscriminators(annotated, schemas)
    warnOfUnreachableSubentities(annotated, schemas)
  }

  private var discriminator: String { log.words.name(of: "JSONDiscriminator") }
  private var unknownValue: String { log.words.name(of: "JSONUnknownValue") }

  private func givingDiscriminator(to entity: String) -> String {
    switch log.words {
    case .annotations: "annotate \(entity) with JSONDiscriminator"
    case .parameters: "give \(entity) a `discriminator` in its EntityOptions"
    }
  }

  /// Reports discriminators that have no sub-entities to choose from.
  private func warnOfIdleDiscriminators(
    _ annotated: [EntityNotes], _ schemas: [EntitySchema.Fields]
  ) {
    for schema in schemas where schema.family.count == 1 {
      let above = schema.superentity.flatMap { annotated[$0].discriminators }
      guard let paths = annotated[schema.number].discriminators, above != paths else { continue }
      let text = paths.map(\.description).joined(separator: " | ")
      log.warning(
        "\(discriminator) \"\(text)\" has no effect: \(schema.name) has no sub-entities",
        entity: schema.name)
    }
  }

  /// Reports sub-entities that no discriminator can choose, so that their objects are read as objects of an entity
  /// above.
  ///
  /// An abstract entity above, to which no relationship leads, only shares its properties: its
  /// sub-entities are imported by roots of their own.
  private func warnOfUnreachableSubentities(
    _ annotated: [EntityNotes], _ schemas: [EntitySchema.Fields]
  ) {
    guard choosesSubentities else { return }
    var destinations = Set<Int>()
    for schema in schemas { destinations.formUnion(schema.relationships.map(\.destination)) }
    for schema in schemas where !schema.isAbstract && !destinations.contains(schema.number) {
      let above = hierarchy.lineage(of: schema.number).dropFirst()
      let isChosen = above.contains {
        annotated[$0].discriminators != nil || annotated[$0].entityMapperName != nil
      }
      let readAs = above.first { !schemas[$0].isAbstract || destinations.contains($0) }
      guard !isChosen, let readAs else { continue }
      let name = schemas[readAs].name
      log.warning(
        "nothing in JSON says that an object of \(name) is one of \(schema.name), so only an import"
          + " with the root \(schema.name) makes one; \(givingDiscriminator(to: name))",
        entity: schema.name)
    }
  }

  /// Returns the entity that an entity names for objects with an unknown discriminator.
  private func unknownEntity(of schema: EntitySchema.Fields, _ notes: EntityNotes) -> Int? {
    guard let name = notes.unknownEntity else { return nil }
    let family = schema.family.map { entities[$0].name }
    guard let number = hierarchy.numbers[name], schema.family.contains(number) else {
      guard !log.isFull else { return nil }
      log.error(
        "\(unknownValue) names \"\(name)\", expected \(schema.name) or an entity below it"
          + suggestion(for: name, in: family), entity: schema.name)
      return nil
    }
    if schema.discriminators.isEmpty {
      log.warning(
        "\(unknownValue) has no effect without a \(discriminator) here or above",
        entity: schema.name)
    } else if entities[number].isAbstract {
      log.error(
        "\(unknownValue) names \"\(name)\", which is abstract; name an entity that can have objects",
        entity: schema.name)
    }
    return number
  }

  /// Returns the mappers of entities that have one, inherited ones included.
  ///
  /// Faults of a mapper are reported for the entity that names it.
  private func mappers(
    _ annotated: [EntityNotes], of schemas: [EntitySchema.Fields]
  ) -> [EntityMapper?] {
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
      for entity in entities.values.sorted() where !family.contains(entity) && !log.isFull {
        log.error(
          "entity mapper \"\(name)\" names \"\(entity)\", expected \(schemas[number].name) or "
            + "an entity below it"
            + suggestion(for: entity, in: family), entity: schemas[number].name)
      }
    }
    return mappers
  }

  private func choose(by mapper: EntityMapper, for schema: inout EntitySchema.Fields) {
    switch mapper.kind {
    case .code(let code): schema.mapper = code
    case .table(let path, let entities):
      schema.discriminators = [path]
      for (value, name) in entities {
        guard let entity = hierarchy.numbers[name] else { continue }
        if schema.family.contains(entity) { schema.discriminated[value] = entity }
      }
    }
  }

  private func checkSingular(_ path: JSONPath, of number: Int) {
    if path.steps != [.key], !path.leadsToObjects || path.steps.contains(where: \.isWildcard) {
      AnnotationReader(entities[number], log: log).error(
        "\(discriminator) is \"\(path)\", expected a path to one value in the object, without a wildcard,"
          + " or \"@key\"")
    }
  }

  /// Returns the entity that each value of the discriminator names.
  ///
  /// An entity whose value is only its name leaves it to an entity below that states the same one: of the users, some
  /// have `"type": "User"`.
  private func valuesOfFamily(
    _ number: Int, statesOwn: Bool, in schemas: [EntitySchema.Fields]
  ) -> [String: Int] {
    var table = [String: Int]()
    // The entity itself comes first, so that one below it may take over its value.
    for member in [number] + schemas[number].family.filter({ $0 != number }) {
      let value = schemas[member].discriminatorValue
      guard let other = table.updateValue(member, forKey: value), other != number || statesOwn
      else {
        continue
      }
      log.error(
        "has the discriminator value \"\(value)\" of \(schemas[other].name); give it one of "
          + "its own",
        entity: schemas[member].name)
    }
    return table
  }
}
