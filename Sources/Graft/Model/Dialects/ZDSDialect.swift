/// ZDSStreamJSONParser's annotations.
///
/// The annotations of an entity are the map from JSON key to property, so an annotation's name is data and
/// not a name that the dialect knows. Each object of a document is inserted as a new one.
struct ZDSDialect: DialectRules {
  let policies = Policies(
    collection: .union, missingIdentity: .insert, wrapsSingleObjects: true)

  let names = AnnotationNames()

  func readEntity(_ notes: AnnotationReader) -> EntityNotes {
    EntityNotes()
  }

  func readAttribute(
    _ attribute: AttributeDescription, of owner: PropertyOwner, _ notes: AnnotationReader
  ) -> AttributeNotes {
    let mapped = place(of: attribute.name, in: owner)
    let isHidden = attribute.isTransient && mapped.origin == nil
    return AttributeNotes(place: isHidden ? PathNotes() : mapped)
  }

  func readRelationship(
    _ relationship: RelationshipDescription, of owner: PropertyOwner, _ notes: AnnotationReader
  ) -> RelationshipNotes {
    RelationshipNotes(place: place(of: relationship.name, in: owner))
  }

  /// Returns the map from JSON key to property among an entity's annotations, which may also have a former name.
  static func map(in userInfo: [String: String]) -> [String: String] {
    userInfo.filter { $0.key != ModelAnnotations.renamingIdentifier }
  }

  /// Returns the JSON keys that the map leads to a property, in a fixed order; its own name if
  /// there is none.
  private func place(of property: String, in owner: PropertyOwner) -> PathNotes {
    let map = Self.map(in: owner.userInfo)
    let keys = map.filter { AnnotationReader.trimmed($0.value) == property }.keys.sorted()
    guard !keys.isEmpty else { return .sameName(property) }
    return PathNotes(paths: keys.map { JSONPath([.member($0)]) }, origin: "userInfo")
  }
}
