extension ModelCompiler {
  /// A reader of a relationship's annotations, which reports on the entity that declares it.
  func reader(for relationship: RelationshipDescription, in entity: Int) -> AnnotationReader {
    AnnotationReader(
      userInfo: relationship.userInfo, entity: entities[entity].name, property: relationship.name,
      log: log)
  }

  /// Compiles a relationship from its declaration and its annotations, as they hold for an entity
  /// that has it.
  func compileRelationship(
    _ declared: PropertyTable.Declared<RelationshipDescription>, _ owner: PropertyOwner
  ) -> RelationshipSchema {
    let relationship = declared.property
    let reader = reader(for: relationship, in: declared.entity)
    RelationshipChecks(relationship, reader).run(entityNames: hierarchy.numbers.keys)
    reader.check(relationship.policies, on: .relationship, isToMany: relationship.isToMany)
    let number = tables[declared.entity].relationshipNumbers[relationship.name]
    let notes = rules.readRelationship(relationship, of: owner, reader)
    var schema = RelationshipSchema(
      name: relationship.name,
      destination: hierarchy.numbers[relationship.destination] ?? 0,
      inverse: number.flatMap { inverses.inverse(of: $0, in: declared.entity) },
      isToMany: relationship.isToMany,
      isOrdered: relationship.isToMany && relationship.isOrdered,
      isOptional: relationship.isOptional,
      minimumCount: relationship.isToMany
        ? relationship.minimumCount : (relationship.isOptional ? 0 : 1),
      maximumCount: relationship.isToMany ? relationship.maximumCount : 1,
      deleteRule: relationship.deleteRule,
      paths: reader.paths(of: relationship.paths, or: notes.place).paths
    )
    schema.identifierPaths = notes.identifierPaths
    schema.policies = relationship.policies.over(notes.policies)
    return schema
  }

  /// Finds the attributes by which relationships seek their objects, where those differ from the
  /// destination's identity.
  func resolveRelatedAttributes(in schemas: inout [EntitySchema]) {
    for number in schemas.indices {
      let owner = owner(number)
      for (index, declared) in tables[number].relationships.enumerated() {
        let reader = reader(for: declared.property, in: declared.entity)
        let notes = rules.readRelationship(declared.property, of: owner, reader)
        guard let relatedBy = notes.relatedBy else { continue }
        let destination = schemas[number].relationships[index].destination
        let found = attributes(named: relatedBy, of: destination, reader)
        if let attribute = found.first, [attribute] != schemas[destination].identity {
          schemas[number].relationships[index].relatedBy = attribute
        }
      }
    }
  }
}
