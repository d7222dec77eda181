// Compiles the descriptions of a model, in this order:
//
// EntityHierarchy       the inheritance between entities
//   PropertyTable         the properties of each entity with their numbers, inherited ones first
//   InverseTable          which relationship leads back along which
// DialectRules          annotations, read into notes
//   AttributeCompiler, RelationshipCompiler
//   IdentityCompiler      by which attributes objects are found again
// SubentityResolver     the choice of an object's sub-entity
//
// Each step reports faults and continues with something harmless in their place, so that one run
// finds everything. The result may be used only if the log has no error.
//
// Properties are compiled once for each entity that has them, since some annotations of an entity
// concern inherited properties (ZDS's map, Sync's reserved words). An inherited property has the same
// number in all entities below.

/// Makes the compiled form of a model from its description.
final class ModelCompiler {
  private let entities: [EntityDescription]
  private let rules: any DialectRules
  private let code: RegisteredCode
  private let log: IssueLog
  private let hierarchy: EntityHierarchy
  private let tables: [PropertyTable]
  private let inverses: InverseTable
  private let identities: IdentityCompiler

  init(
    _ entities: [EntityDescription], _ hierarchy: EntityHierarchy, _ tables: [PropertyTable],
    _ rules: any DialectRules, _ extensions: ModelExtensions, log: IssueLog
  ) {
    self.entities = entities
    self.hierarchy = hierarchy
    self.tables = tables
    self.rules = rules
    self.log = log
    code = RegisteredCode(extensions, log: log)
    inverses = InverseTable(entities, numbers: hierarchy.numbers, tables: tables, log: log)
    identities = IdentityCompiler(entities, tables, log: log)
  }

  /// Compiles all entities, in the order of their numbers.
  func compile() -> [EntitySchema] {
    var schemas: [EntitySchema.Fields?] = entities.map { _ in nil }
    var annotated = entities.map { _ in EntityNotes() }
    var relatedBy: [RelatedBy] = []
    for number in hierarchy.order {
      let parent = hierarchy.superentities[number]
      let own = notes(of: number)
      annotated[number] = parent.map { own.inheriting(from: annotated[$0]) } ?? own
      schemas[number] = compileEntity(
        number, own, annotated[number], parent: parent.flatMap { schemas[$0] }, &relatedBy)
    }
    var result = schemas.compactMap { $0 }
    resolve(relatedBy, in: &result)
    SubentityResolver(
      entities: entities, hierarchy: hierarchy, code: code, log: log,
      choosesSubentities: rules.names.entity.contains("entityMapperName")
    )
    .resolve(annotated, in: &result)
    warnOfSettingsWithoutIdentity(annotated, result)
    if !rules.instantiatesAbstract, log.errors.isEmpty { warnOfEntitiesWithoutObjects(result) }
    return result.map { EntitySchema($0) }
  }

  /// Reads an entity's own values and annotations.
  private func notes(of number: Int) -> EntityNotes {
    let entity = entities[number]
    let reader = AnnotationReader(entity, log: log)
    var notes = rules.readEntity(reader)
    if let names = entity.identity {
      notes.identity = IdentityNotes(
        names: names, strength: .required(annotation: "identityAttributes"))
    }
    notes.missingIdentity = entity.missingIdentity ?? notes.missingIdentity
    if let paths = entity.discriminator {
      notes.discriminators =
        reader.paths(in: paths.annotation, named: "JSONDiscriminator").paths
    }
    notes.discriminatorValue = entity.discriminatorValue ?? notes.discriminatorValue
    notes.unknownEntity = entity.unknownEntity ?? notes.unknownEntity
    notes.modifiedAttribute = entity.modifiedAttribute ?? notes.modifiedAttribute
    if let mapper = entity.mapper {
      notes.entityMapperName = entity.nameOfOwnMapper
      notes.mapper = mapper
    }
    return notes
  }

  private func compileEntity(
    _ number: Int, _ own: EntityNotes, _ annotated: EntityNotes, parent: EntitySchema.Fields?,
    _ relatedBy: inout [RelatedBy]
  ) -> EntitySchema.Fields {
    let entity = entities[number]
    let owner = owner(number)
    let table = tables[number]
    let readers = table.attributes.map { declared in
      AnnotationReader(
        declared.property.userInfo, of: declared.property.name, entities[declared.entity], log: log)
    }
    let attributeNotes = zip(table.attributes, readers).map { declared, reader in
      rules.readAttribute(declared.property, of: owner, reader)
    }
    var schema = EntitySchema.Fields(
      number: number,
      name: entity.name,
      isAbstract: entity.isAbstract,
      superentity: hierarchy.superentities[number],
      family: hierarchy.families[number],
      attributes: table.attributes.indices.map { index in
        AttributeCompiler(table.attributes[index].property, readers[index], code)
          .compile(attributeNotes[index])
      },
      relationships: [],
      identity: [],
      identityRoot: number,
      isSingleton: annotated.isSingleton ?? false,
      missingIdentity: annotated.missingIdentity,
      discriminatorValue: own.discriminatorValue ?? entity.name,
      entityMapperName: annotated.entityMapperName,
      dictionaryTransformerName: annotated.dictionaryTransformerName)
    for declared in table.relationships {
      let reader = AnnotationReader(
        declared.property.userInfo, of: declared.property.name, entities[declared.entity], log: log)
      var notes = rules.readRelationship(declared.property, of: owner, reader)
      if let name = declared.property.relatedBy {
        notes.relatedBy = IdentityNotes(
          names: [name], strength: .required(annotation: "JSONRelatedBy"))
      }
      let declaredNumber = tables[declared.entity].relationshipNumbers[declared.property.name]
      let inverse = declaredNumber.flatMap { inverses.inverse(of: $0, in: declared.entity) }
      if let names = notes.relatedBy {
        relatedBy.append(
          RelatedBy(
            entity: number, relationship: schema.relationships.count, names: names, reader: reader))
      }
      schema.relationships.append(
        RelationshipCompiler(declared.property, reader, hierarchy).compile(notes, inverse: inverse))
    }
    identities.settleIdentity(of: &schema, own: own.identity, attributeNotes, parent: parent)
    for number in schema.identity where schema.attributes[number].unknownValue != nil {
      readers[number].error(
        "\(log.words.name(of: "JSONUnknownValue")) would give several objects one identity; remove it, or identify objects"
          + " by another attribute")
    }
    schema.modifiedAttribute = annotated.modifiedAttribute.flatMap {
      identities.modifiedAttribute(named: $0, of: schema)
    }
    schema.dictionaryTransformer =
      own.dictionaryTransformerName.map {
        code.dictionaryTransformer(named: $0, entity.name)?.code
      } ?? parent?.dictionaryTransformer
    return schema
  }

  /// Returns an entity with its annotations and those it inherits.
  private func owner(_ number: Int) -> PropertyOwner {
    var userInfo = [String: String]()
    for ancestor in hierarchy.lineage(of: number) {
      userInfo.merge(entities[ancestor].userInfo) { lower, _ in lower }
    }
    return PropertyOwner(name: entities[number].name, userInfo: userInfo)
  }

  /// A relationship with an annotation for the attribute that finds its objects.
  private struct RelatedBy {
    var entity: Int
    var relationship: Int
    var names: IdentityNotes
    var reader: AnnotationReader
  }

  /// Finds the attributes by which relationships find their objects, where those differ from the
  /// destination's identity.
  private func resolve(_ relatedBy: [RelatedBy], in schemas: inout [EntitySchema.Fields]) {
    for related in relatedBy.inOrder(by: { $0.entity < $1.entity }) {
      let destination = schemas[related.entity].relationships[related.relationship].destination
      let found = identities.attributes(named: related.names, of: destination, related.reader)
      guard let attribute = found.first else { continue }
      let isIdentity = [attribute] == schemas[destination].identity
      // In other dialects the name says nothing of sub-entities.
      guard !isIdentity || related.names.isOfGraft else { continue }
      let relationship = schemas[related.entity].relationships[related.relationship]
      schemas[related.entity].relationships[related.relationship] = relationship.with {
        $0.relatedBy = isIdentity ? nil : attribute
        $0.isRelatedByIdentity = isIdentity
      }
    }
  }

  /// Reports settings that concern identities, of entities that have none.
  private func warnOfSettingsWithoutIdentity(
    _ notes: [EntityNotes], _ schemas: [EntitySchema.Fields]
  ) {
    let related = Set(
      schemas.flatMap(\.relationships).filter { $0.relatedBy != nil }
        .flatMap { schemas[$0.destination].family })
    let lack = schemas.map { entity in
      !related.contains(entity.number)
        && !entity.family.contains { !schemas[$0].identity.isEmpty || schemas[$0].isSingleton }
    }
    func warn(_ name: String, _ entity: Int, of other: Int, _ property: String? = nil) {
      log.warning(
        "\(log.words.name(of: name)) has no effect, since \(schemas[other].name) has no identity; give it one, or"
          + " remove this", entity: schemas[entity].name, property: property)
    }
    for entity in schemas {
      let parent = entity.superentity
      if lack[entity.number] {
        let (own, above) = (notes[entity.number], parent.map { notes[$0] })
        if own.modifiedAttribute != nil, above?.modifiedAttribute == nil {
          warn("JSONModified", entity.number, of: entity.number)
        }
        if own.missingIdentity != nil, above?.missingIdentity == nil {
          warn("JSONMissingIdentity", entity.number, of: entity.number)
        }
      }
      let inherited = parent.map { schemas[$0].relationships.count } ?? 0
      for relationship in entity.relationships.dropFirst(inherited)
      where lack[relationship.destination] {
        let policies = relationship.policies
        for name in [
          policies.reference.map { _ in "JSONReference" },
          policies.export == .identifier ? "JSONExport" : nil,
        ].compactMap(\.self) {
          warn(name, entity.number, of: relationship.destination, relationship.name)
        }
      }
    }
  }

  /// Reports entities that are abstract down to the last sub-entity.
  private func warnOfEntitiesWithoutObjects(_ schemas: [EntitySchema.Fields]) {
    for entity in schemas where entity.family.allSatisfy({ schemas[$0].isAbstract }) {
      log.warning(
        "abstract, and has no concrete entity below it, so it can have no objects; add one",
        entity: entity.name)
    }
  }
}

extension EntityNotes {
  /// Returns these notes, with the notes of the entity above where these are nil.
  ///
  /// Two notes are not inherited here: the identity, which ``IdentityCompiler`` decides, and the
  /// value of the discriminator, which each entity has for itself.
  fileprivate func inheriting(from parent: EntityNotes) -> EntityNotes {
    var result = self
    result.isSingleton = isSingleton ?? parent.isSingleton
    result.missingIdentity = missingIdentity ?? parent.missingIdentity
    result.discriminators = discriminators ?? parent.discriminators
    result.modifiedAttribute = modifiedAttribute ?? parent.modifiedAttribute
    if entityMapperName == nil {
      result.entityMapperName = parent.entityMapperName
      result.mapper = parent.mapper
    }
    result.dictionaryTransformerName = dictionaryTransformerName ?? parent.dictionaryTransformerName
    return result
  }
}
