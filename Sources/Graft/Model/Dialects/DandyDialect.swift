/// CoreDataDandy's annotations.
struct DandyDialect: DialectRules {
  let policies = Policies(missingIdentity: .skip)

  let names = AnnotationNames(
    entity: ["@primaryKey"], attribute: ["@mapping"], relationship: ["@mapping"])

  func readEntity(_ notes: AnnotationReader) -> EntityNotes {
    switch notes.text("@primaryKey") {
    case nil:
      return EntityNotes()
    case "@singleton":
      return EntityNotes(
        identity: IdentityNotes(names: [], strength: .required(annotation: "@primaryKey")),
        isSingleton: true)
    case let name?:
      return EntityNotes(
        identity: IdentityNotes(names: [name], strength: .required(annotation: "@primaryKey")),
        isSingleton: false)
    }
  }

  func readAttribute(
    _ attribute: AttributeDescription, of owner: PropertyOwner, _ notes: AnnotationReader
  ) -> AttributeNotes {
    let isHidden = attribute.isTransient && notes.text("@mapping") == nil
    return AttributeNotes(place: isHidden ? PathNotes() : place(of: attribute.name, notes))
  }

  func readRelationship(
    _ relationship: RelationshipDescription, of owner: PropertyOwner, _ notes: AnnotationReader
  ) -> RelationshipNotes {
    RelationshipNotes(place: place(of: relationship.name, notes))
  }

  private func place(of property: String, _ notes: AnnotationReader) -> PathNotes {
    switch notes.text("@mapping") {
    case nil: .sameName(property)
    case "@false": PathNotes(origin: "@mapping")
    default: PathNotes(paths: notes.path("@mapping").map { [$0] } ?? [], origin: "@mapping")
    }
  }
}
