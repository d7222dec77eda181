/// Compiles a relationship; `IdentityCompiler` adds the attribute that finds its objects.
final class RelationshipCompiler {
  private let relationship: RelationshipDescription
  private let reader: AnnotationReader
  private let hierarchy: EntityHierarchy

  init(
    _ relationship: RelationshipDescription, _ reader: AnnotationReader,
    _ hierarchy: EntityHierarchy
  ) {
    self.relationship = relationship
    self.reader = reader
    self.hierarchy = hierarchy
  }

  /// Compiles the relationship, and reports its faults.
  func compile(_ notes: RelationshipNotes, inverse: Int?) -> RelationshipSchema {
    checkDestination()
    checkCounts()
    reader.check(relationship.policies, on: .relationship, isToMany: relationship.isToMany)
    let place = reader.paths(of: relationship.paths, or: notes.place)
    for path in place.paths {
      if let fault = path.fault(ofToMany: relationship.isToMany) { reader.error(fault) }
      if !relationship.isToMany, path.hasWildcard {
        reader.warning(
          "the path \"\(path)\" has a wildcard, and the relationship leads to one object: of several"
            + " the last counts; name a position such as [0], or make the relationship to-many")
      }
    }
    if inverse == nil, place.paths.isEmpty, place.origin != nil {
      reader.warning(
        "no import fills it: it has no path in JSON, and no relationship leads back; name its inverse,"
          + " or link the objects in code")
    }
    if relationship.isOrdered, !relationship.isToMany {
      reader.warning("an order has no effect on a relationship to one; remove it")
    }
    let fields = RelationshipSchema.Fields(
      name: relationship.name,
      destination: hierarchy.numbers[relationship.destination] ?? 0,
      inverse: inverse,
      isToMany: relationship.isToMany,
      isOrdered: relationship.isToMany && relationship.isOrdered,
      isOptional: relationship.isOptional,
      minimumCount: relationship.isToMany
        ? relationship.minimumCount : (relationship.isOptional ? 0 : 1),
      maximumCount: relationship.isToMany ? relationship.maximumCount : 1,
      deleteRule: relationship.deleteRule,
      paths: place.paths,
      annotation: place.origin,
      identifierPaths: notes.identifierPaths,
      policies: relationship.policies.over(notes.policies))
    return RelationshipSchema(fields)
  }

  private func checkDestination() {
    let name = relationship.destination
    guard hierarchy.numbers[name] == nil, !reader.log.isFull else { return }
    reader.error(
      name.isEmpty
        ? "has no destination; name an entity"
        : "unknown destination \"\(name)\"" + remedy(for: name, in: Array(hierarchy.numbers.keys)))
  }

  private func checkCounts() {
    let (least, most) = (relationship.minimumCount, relationship.maximumCount)
    if least < 0 || most < 0 {
      reader.error("a count is negative, expected 0 or more")
    } else if relationship.isToMany, most > 0, least > most {
      reader.error("the minimum count \(least) is above the maximum count \(most)")
    } else if !relationship.isToMany, least > 1 || most > 1 {
      reader.error(
        "a relationship to one has at most one member; make it to many or drop the counts")
    }
  }
}
