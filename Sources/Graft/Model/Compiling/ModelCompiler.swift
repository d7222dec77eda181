// The compiler reads every annotation, reports whatever is wrong, and goes on, so that one run
// tells all. Its result may be used only if the log holds no error: where something was wrong it
// has put in what lets the rest be compiled.
//
// Properties are read once for each entity that has them, since some annotations of an entity bear
// on inherited properties (ZDS's map, Sync's reserved words). The numbers of inherited properties
// stay the same in all entities below.

/// Makes the compiled form of a model from its description.
struct ModelCompiler {
  let entities: [EntityDescription]
  let rules: any DialectRules
  let extensions: ModelExtensions
  let log: IssueLog
  let hierarchy: EntityHierarchy
  /// The declared properties of each entity.
  let tables: [PropertyTable]
  let inverses: InverseTable

  init(
    _ entities: [EntityDescription], rules: any DialectRules, extensions: ModelExtensions,
    log: IssueLog
  ) {
    self.entities = entities
    self.rules = rules
    self.extensions = extensions
    self.log = log
    hierarchy = EntityHierarchy(entities, log: log)
    tables = Self.tables(of: entities, hierarchy, log)
    inverses = InverseTable(entities, numbers: hierarchy.numbers, tables: tables, log: log)
  }

  /// Compiles all entities, in the order of their numbers.
  func compile() -> [EntitySchema] {
    var schemas: [EntitySchema?] = entities.map { _ in nil }
    var annotated = entities.map { _ in EntityNotes() }
    for number in hierarchy.order {
      let parent = hierarchy.superentities[number]
      let own = rules.readEntity(entities[number], reader(for: number))
        .completed(by: entities[number], reader(for: number))
      annotated[number] = own.inheriting(from: parent.map { annotated[$0] })
      schemas[number] = compileEntity(
        number, own: own, annotated: annotated[number], parent: parent.flatMap { schemas[$0] })
    }
    var result = schemas.compactMap { $0 }
    resolveRelatedAttributes(in: &result)
    compileDiscriminators(annotated, in: &result)
    return result
  }

  /// A reader of an entity's own annotations.
  func reader(for number: Int) -> AnnotationReader {
    let entity = entities[number]
    return AnnotationReader(
      userInfo: entity.userInfo, entity: entity.name, property: nil, log: log)
  }

  /// An entity with its annotations and those it inherits.
  func owner(_ number: Int) -> PropertyOwner {
    var userInfo: [String: String] = [:]
    for ancestor in hierarchy.lineage(of: number) {
      userInfo.merge(entities[ancestor].userInfo) { lower, _ in lower }
    }
    return PropertyOwner(name: entities[number].name, userInfo: userInfo)
  }

  private func compileEntity(
    _ number: Int, own: EntityNotes, annotated: EntityNotes, parent: EntitySchema?
  ) -> EntitySchema {
    let entity = entities[number]
    let owner = owner(number)
    let attributeNotes = tables[number].attributes.map { declared in
      rules.readAttribute(
        declared.property, of: owner, reader(for: declared.property, in: declared.entity))
    }
    var schema = EntitySchema(
      number: number,
      name: entity.name,
      isAbstract: entity.isAbstract,
      superentity: hierarchy.superentities[number],
      family: hierarchy.families[number],
      attributes: zip(tables[number].attributes, attributeNotes).map(compileAttribute),
      relationships: tables[number].relationships.map { compileRelationship($0, owner) },
      identity: [],
      identityRoot: number,
      isSingleton: annotated.isSingleton ?? false,
      policies: annotated.policies,
      discriminatorValue: own.discriminatorValue ?? entity.name,
      entityMapperName: annotated.entityMapperName,
      dictionaryTransformerName: annotated.dictionaryTransformerName,
      dictionaryTransformer: annotated.dictionaryTransformerName
        .flatMap { extensions.dictionaryTransformers[$0]?.code }
    )
    resolveIdentity(of: &schema, own: own.identity, attributeNotes, parent: parent)
    resolveModifiedAttribute(of: &schema, annotated.modifiedAttribute)
    checkDictionaryTransformer(own.dictionaryTransformerName, of: entity.name)
    return schema
  }

  private static func tables(
    of entities: [EntityDescription], _ hierarchy: EntityHierarchy, _ log: IssueLog
  ) -> [PropertyTable] {
    var tables = entities.map { _ in PropertyTable() }
    for number in hierarchy.order {
      if let parent = hierarchy.superentities[number] { tables[number] = tables[parent] }
      tables[number].append(entities[number], number: number, log: log)
    }
    return tables
  }
}

extension EntityNotes {
  /// What a description says in values, and these notes where it does not.
  fileprivate func completed(
    by entity: EntityDescription, _ reader: AnnotationReader
  ) -> EntityNotes {
    var result = self
    if let names = entity.identity {
      result.identity = IdentityNotes(
        names: names, strength: .required(annotation: "identityAttributes"))
    }
    result.policies = entity.policies.over(policies)
    if let paths = entity.discriminator {
      result.discriminator = reader.path(of: paths.annotation, named: "JSONDiscriminator")
    }
    result.discriminatorValue = entity.discriminatorValue ?? discriminatorValue
    result.modifiedAttribute = entity.modifiedAttribute ?? modifiedAttribute
    if let mapper = entity.mapper {
      result.entityMapperName = "\(entity.name) mapper"
      result.mapper = mapper
    }
    return result
  }

  /// These notes, with those of the entity above where these say nothing.
  ///
  /// Identity and the discriminator's value are not among them: the compiler settles the one, and
  /// the other is each entity's own.
  func inheriting(from parent: EntityNotes?) -> EntityNotes {
    guard let parent else { return self }
    var result = self
    result.isSingleton = isSingleton ?? parent.isSingleton
    result.policies = policies.over(parent.policies)
    result.discriminator = discriminator ?? parent.discriminator
    result.modifiedAttribute = modifiedAttribute ?? parent.modifiedAttribute
    if entityMapperName == nil {
      result.entityMapperName = parent.entityMapperName
      result.mapper = parent.mapper
    }
    result.dictionaryTransformerName = dictionaryTransformerName ?? parent.dictionaryTransformerName
    return result
  }
}
