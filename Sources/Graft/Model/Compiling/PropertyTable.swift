/// The properties of an entity as they are declared, inherited ones first; an index here is the
/// property's number.
struct PropertyTable {
  /// A property together with the number of the entity that declares it.
  struct Declared<Property> {
    var property: Property
    var entity: Int
  }

  private(set) var attributes: [Declared<AttributeDescription>] = []
  private(set) var relationships: [Declared<RelationshipDescription>] = []
  private(set) var attributeNumbers = [String: Int]()
  private(set) var relationshipNumbers = [String: Int]()

  /// The names of all properties.
  var names: Set<String> { Set(attributeNumbers.keys).union(relationshipNumbers.keys) }

  /// Returns the tables of all entities.
  static func tables(
    of entities: [EntityDescription], _ hierarchy: EntityHierarchy, log: IssueLog
  ) -> [PropertyTable] {
    var tables = entities.map { _ in PropertyTable() }
    for number in hierarchy.order {
      if let parent = hierarchy.superentities[number] { tables[number] = tables[parent] }
      tables[number].append(entities[number], number: number, log: log)
    }
    return tables
  }

  /// Adds an entity's own properties to the inherited ones, and reports names that occur twice.
  private mutating func append(_ entity: EntityDescription, number: Int, log: IssueLog) {
    for attribute in entity.attributes where isNew(attribute.name, in: entity, log: log) {
      attributeNumbers[attribute.name] = attributes.count
      attributes.append(Declared(property: attribute, entity: number))
    }
    for relationship in entity.relationships where isNew(relationship.name, in: entity, log: log) {
      relationshipNumbers[relationship.name] = relationships.count
      relationships.append(Declared(property: relationship, entity: number))
    }
  }

  private func isNew(_ name: String, in entity: EntityDescription, log: IssueLog) -> Bool {
    guard !name.isEmpty else {
      log.error("has a property without a name; give it one", entity: entity.name)
      return false
    }
    guard attributeNumbers[name] != nil || relationshipNumbers[name] != nil else { return true }
    let declarations =
      entity.attributes.count { $0.name == name } + entity.relationships.count { $0.name == name }
    log.error(
      declarations > 1
        ? "declared twice; rename or remove one"
        : "redefines an inherited property; rename or remove it",
      entity: entity.name, property: name)
    return false
  }
}

/// The inverses of all relationships.
///
/// An inverse may be named at one end or at both. Two relationships are each other's inverse if each
/// leads to the entity that declares the other, and neither names a third. A relationship may be its
/// own inverse.
struct InverseTable {
  /// A relationship by the entity that declares it and its number there.
  struct End: Equatable {
    var entity: Int
    var relationship: Int
  }

  /// The inverse of each relationship, by the entity and its number there.
  private var inverses: [[End?]]

  /// Returns the number of a relationship's inverse among the destination's relationships.
  func inverse(of relationship: Int, in entity: Int) -> Int? {
    inverses[entity][relationship]?.relationship
  }

  /// Joins all relationships that name an inverse, and reports those whose inverse does not match.
  init(
    _ entities: [EntityDescription], numbers: [String: Int], tables: [PropertyTable], log: IssueLog
  ) {
    inverses = tables.map { $0.relationships.map { _ in nil } }
    for (number, table) in tables.enumerated() {
      for (index, declared) in table.relationships.enumerated() where declared.entity == number {
        let relationship = declared.property
        guard let name = relationship.inverse, let destination = numbers[relationship.destination]
        else { continue }
        guard !log.isFull else { return }
        let end = End(entity: number, relationship: index)
        if let fault = join(end, to: name, of: destination, entities, tables) {
          log.error(
            "inverse \"\(name)\" \(fault)", entity: entities[number].name,
            property: relationship.name)
        }
      }
    }
  }

  /// Joins a relationship with the inverse that it names, or returns the fault if the two do not
  /// match.
  private mutating func join(
    _ end: End, to name: String, of destination: Int, _ entities: [EntityDescription],
    _ tables: [PropertyTable]
  ) -> String? {
    let candidates = tables[destination]
    guard let number = candidates.relationshipNumbers[name] else {
      let owner = entities[destination].name
      return candidates.attributeNumbers[name] == nil
        ? "is unknown in \(owner)" + suggestion(for: name, in: candidates.relationshipNumbers.keys)
        : "is an attribute of \(owner), expected a relationship"
    }
    let relationship = tables[end.entity].relationships[end.relationship].property
    let other = candidates.relationships[number]
    let entity = entities[end.entity].name
    guard other.entity == destination else {
      let owner = entities[other.entity].name
      return "is declared by \(owner), so the relationship must lead to \(owner)"
    }
    guard other.property.destination == entity else {
      return "leads to \(other.property.destination), expected \(entity)"
    }
    if let back = other.property.inverse, back != relationship.name {
      return "names \"\(back)\" as its own inverse, expected \"\(relationship.name)\""
    }
    let otherEnd = End(entity: destination, relationship: number)
    if let taken = inverses[destination][number], taken != end {
      let rival = tables[taken.entity].relationships[taken.relationship].property.name
      return "is the inverse of \"\(rival)\" already; each has one at most"
    }
    inverses[end.entity][end.relationship] = otherEnd
    inverses[destination][number] = end
    return nil
  }
}
