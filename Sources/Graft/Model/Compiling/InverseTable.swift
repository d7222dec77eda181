// An inverse may be named at one end or at both. Two relationships are each other's inverse if each
// leads to the entity that declares the other, and neither names a third. A relationship may be its
// own inverse.

/// Which relationship leads back along which.
struct InverseTable {
  /// A relationship by the entity that declares it and its number there.
  struct End: Hashable {
    var entity: Int
    var relationship: Int
  }

  private var inverses: [End: End] = [:]

  /// The number of a relationship's inverse among the destination's relationships.
  func inverse(of relationship: Int, in entity: Int) -> Int? {
    inverses[End(entity: entity, relationship: relationship)]?.relationship
  }

  init(
    _ entities: [EntityDescription], numbers: [String: Int], tables: [PropertyTable], log: IssueLog
  ) {
    for (number, table) in tables.enumerated() {
      for (index, declared) in table.relationships.enumerated() where declared.entity == number {
        guard let name = declared.property.inverse,
          let destination = numbers[declared.property.destination]
        else { continue }
        let candidates = tables[destination]
        let fault: String?
        if let found = candidates.relationshipNumbers[name] {
          fault = link(
            declared.property, End(entity: number, relationship: index),
            candidates.relationships[found], End(entity: destination, relationship: found), entities
          )
        } else if candidates.attributeNumbers[name] != nil {
          fault = "is an attribute of \(entities[destination].name), expected a relationship"
        } else {
          fault =
            "is unknown in \(entities[destination].name)"
            + suggestion(for: name, in: candidates.relationshipNumbers.keys)
        }
        if let fault {
          log.error(
            "inverse \"\(name)\" \(fault)", entity: entities[number].name,
            property: declared.property.name)
        }
      }
    }
  }

  /// Joins two ends; the fault if they do not match.
  private mutating func link(
    _ relationship: RelationshipDescription, _ end: End,
    _ other: PropertyTable.Declared<RelationshipDescription>, _ otherEnd: End,
    _ entities: [EntityDescription]
  ) -> String? {
    let name = entities[end.entity].name
    guard other.entity == otherEnd.entity else {
      let owner = entities[other.entity].name
      return "is declared by \(owner), so the relationship must lead to \(owner)"
    }
    guard other.property.destination == name else {
      return "leads to \(other.property.destination), expected \(name)"
    }
    if let back = other.property.inverse, back != relationship.name {
      return "names \"\(back)\" as its own inverse, expected \"\(relationship.name)\""
    }
    if let taken = inverses[otherEnd], taken != end {
      let rival = entities[taken.entity].relationships
      let names = rival.map(\.name).filter { $0 != relationship.name }
      return "is the inverse of another relationship already (one of "
        + names.joined(separator: ", ") + "); name one only"
    }
    inverses[end] = otherEnd
    inverses[otherEnd] = end
    return nil
  }
}
