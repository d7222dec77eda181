/// Groot's annotations.
///
/// Groot imports only properties with the annotation `JSONKeyPath`. Unlike in Groot, a path may be
/// any path of Graft.
struct GrootDialect: DialectRules {
  let policies = Policies(missingIdentity: .insert)

  let names = AnnotationNames(
    entity: [
      "identityAttributes", "identityAttribute", "entityMapperName",
      "JSONDictionaryTransformerName",
    ],
    attribute: ["JSONKeyPath", "JSONTransformerName"],
    relationship: ["JSONKeyPath"]
  )

  func readEntity(_ notes: AnnotationReader) -> EntityNotes {
    var result = EntityNotes()
    result.identity = Self.identity(notes, names: ["identityAttributes", "identityAttribute"])
    result.identity?.extendsInherited = true
    result.entityMapperName = notes.text("entityMapperName")
    result.dictionaryTransformerName = notes.text("JSONDictionaryTransformerName")
    return result
  }

  func readAttribute(
    _ attribute: AttributeDescription, of owner: PropertyOwner, _ notes: AnnotationReader
  ) -> AttributeNotes {
    var result = AttributeNotes()
    result.place = notes.paths("JSONKeyPath") ?? PathNotes()
    result.transformerName = notes.text("JSONTransformerName")
    return result
  }

  func readRelationship(
    _ relationship: RelationshipDescription, of owner: PropertyOwner, _ notes: AnnotationReader
  ) -> RelationshipNotes {
    RelationshipNotes(place: notes.paths("JSONKeyPath") ?? PathNotes())
  }

  /// Returns the identity that the first of some annotations names.
  static func identity(_ notes: AnnotationReader, names: [String]) -> IdentityNotes? {
    guard let name = notes.first(names)?.name, let attributes = notes.list(name) else { return nil }
    if attributes.isEmpty { notes.error("\(name) is empty, expected names of attributes") }
    return IdentityNotes(names: attributes, strength: .required(annotation: name))
  }
}
