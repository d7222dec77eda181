// A discriminator annotated by Graft's names and an entity mapper that is a table come to the same:
// a path, and for each entity that inherits it a table from the values found there to the entities
// of its family. A mapper that is code is kept as it is; what it names is checked at each object.

extension ModelCompiler {
  /// Compiles the discriminators and entity mappers of all entities.
  func compileDiscriminators(_ annotated: [EntityNotes], in schemas: inout [EntitySchema]) {
    reportMissingMappers(annotated, in: schemas)
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
      } else if let mapper = mapper(of: notes) {
        choose(by: mapper, for: &schemas[number])
      } else if notes.discriminatorValue != nil {
        log.warning(
          "JSONDiscriminatorValue has no effect without a JSONDiscriminator here or above",
          entity: schemas[number].name)
      }
    }
  }

  private func mapper(of notes: EntityNotes) -> EntityMapper? {
    notes.mapper ?? notes.entityMapperName.flatMap { extensions.entityMappers[$0] }
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
      reader(for: number).error(
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

  /// Reports mappers that are not registered, and entities they name that are none, where the
  /// annotation stands.
  private func reportMissingMappers(_ annotated: [EntityNotes], in schemas: [EntitySchema]) {
    for number in schemas.indices {
      guard let name = annotated[number].entityMapperName,
        name != schemas[number].superentity.flatMap({ annotated[$0].entityMapperName })
      else { continue }
      guard let mapper = mapper(of: annotated[number]) else {
        reportMissing(
          "no entity mapper \"\(name)\" is registered"
            + hint(for: name, in: extensions.entityMappers.keys),
          entity: schemas[number].name, property: nil)
        continue
      }
      guard case .table(_, let entities) = mapper.kind else { continue }
      let family = schemas[number].family.map { schemas[$0].name }
      for entity in entities.values.sorted() where !family.contains(entity) {
        log.error(
          "entity mapper \"\(name)\" names \"\(entity)\", expected \(schemas[number].name) or "
            + "an entity below it"
            + suggestion(for: entity, in: family), entity: schemas[number].name)
      }
    }
  }
}
