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
  private(set) var attributeNumbers: [String: Int] = [:]
  private(set) var relationshipNumbers: [String: Int] = [:]

  /// Adds what an entity declares to what it inherits, and reports names that occur twice.
  mutating func append(_ entity: EntityDescription, number: Int, log: IssueLog) {
    for attribute in entity.attributes where isNew(attribute.name, in: entity, log: log) {
      attributeNumbers[attribute.name] = attributes.count
      attributes.append(Declared(property: attribute, entity: number))
    }
    for relationship in entity.relationships where isNew(relationship.name, in: entity, log: log) {
      relationshipNumbers[relationship.name] = relationships.count
      relationships.append(Declared(property: relationship, entity: number))
    }
  }

  /// The names of all properties.
  var names: [String] {
    attributes.map(\.property.name) + relationships.map(\.property.name)
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
