// Graft's own annotations include Groot's, so a model can move from one to the other. Unannotated
// properties stand under their own names, which makes an inverse that leads back importable too: a
// child may name its parent.

/// Graft's annotations.
struct GraftDialect: DialectRules {
  let names = AnnotationNames(
    entity: PolicyAnnotation.names(on: .entity).union([
      "identityAttributes", "identityAttribute", "RKEntityIdentificationAttributes",
      "JSONDiscriminator", "JSONDiscriminatorValue", "JSONModified", "entityMapperName",
      "JSONDictionaryTransformerName",
    ]),
    attribute: PolicyAnnotation.names(on: .attribute).union([
      "JSONKeyPath", "JSONTransformerName", "JSONDateFormat",
    ]),
    relationship: PolicyAnnotation.names(on: .relationship).union(["JSONKeyPath"])
  )

  func readEntity(_ entity: EntityDescription, _ notes: AnnotationReader) -> EntityNotes {
    EntityNotes(
      identity: GrootDialect.identity(
        notes,
        names: ["identityAttributes", "identityAttribute", "RKEntityIdentificationAttributes"]),
      policies: notes.policies(on: .entity),
      discriminator: notes.path("JSONDiscriminator"),
      discriminatorValue: notes.text("JSONDiscriminatorValue"),
      modifiedAttribute: notes.text("JSONModified"),
      entityMapperName: notes.text("entityMapperName"),
      dictionaryTransformerName: notes.text("JSONDictionaryTransformerName")
    )
  }

  func readAttribute(
    _ attribute: AttributeDescription, of owner: PropertyOwner, _ notes: AnnotationReader
  ) -> AttributeNotes {
    var result = AttributeNotes()
    result.place =
      notes.paths("JSONKeyPath")
      ?? (attribute.isTransient ? PathNotes() : .sameName(attribute.name))
    result.dateFormat = Self.dateFormat(of: attribute, notes)
    result.transformerName = notes.text("JSONTransformerName")
    result.policies = notes.policies(on: .attribute)
    return result
  }

  func readRelationship(
    _ relationship: RelationshipDescription, of owner: PropertyOwner, _ notes: AnnotationReader
  ) -> RelationshipNotes {
    RelationshipNotes(
      place: notes.paths("JSONKeyPath") ?? .sameName(relationship.name),
      policies: notes.policies(on: .relationship, isToMany: relationship.isToMany))
  }

  private static func dateFormat(
    of attribute: AttributeDescription, _ notes: AnnotationReader
  ) -> DateFormat {
    guard let text = attribute.dateFormat ?? notes.text("JSONDateFormat") else { return .automatic }
    if attribute.type != .date {
      notes.warning("JSONDateFormat has no effect on a \(attribute.type.rawValue); remove it")
    }
    switch DateFormat.named(text) {
    case .success(let format): return format
    case .failure(let fault):
      notes.error("JSONDateFormat: \(fault)")
      return .pattern(text)
    }
  }
}
