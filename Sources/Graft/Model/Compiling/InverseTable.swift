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

  /// Joins all relationships that name an inverse, and reports those whose inverse does not match.
  init(
    _ entities: [EntityDescription], numbers: [String: Int], tables: [PropertyTable], log: IssueLog
  ) {
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

  /// Joins a relationship with the one that it names; the fault if they do not match.
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
    if let taken = inverses[otherEnd], taken != end {
      let rival = tables[taken.entity].relationships[taken.relationship].property.name
      return "is the inverse of \"\(rival)\" already; each has one at most"
    }
    inverses[end] = otherEnd
    inverses[otherEnd] = end
    return nil
  }
}
