/// Checks what a relationship's description says by itself.
struct RelationshipChecks {
  private let relationship: RelationshipDescription
  private let reader: AnnotationReader

  init(_ relationship: RelationshipDescription, _ reader: AnnotationReader) {
    self.relationship = relationship
    self.reader = reader
  }

  /// Reports what is wrong.
  ///
  /// - Parameter entityNames: The names of the model's entities.
  func run(entityNames: some Collection<String>) {
    if !entityNames.contains(relationship.destination) {
      let name = relationship.destination
      reader.error(
        name.isEmpty
          ? "has no destination; name an entity"
          : "unknown destination \"\(name)\"" + suggestion(for: name, in: entityNames))
    }
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
