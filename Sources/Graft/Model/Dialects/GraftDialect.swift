/// Graft's annotations.
///
/// They include Groot's, so a model can move from one to the other. Unannotated properties are read under
/// their own names, also an inverse that leads back: a child may name its parent.
struct GraftDialect: DialectRules {
  var names: AnnotationNames { Self.names }

  private static let names = AnnotationNames(
    entity: PolicyAnnotation.names(on: .entity).union([
      "identityAttributes", "identityAttribute", "RKEntityIdentificationAttributes",
      "JSONDiscriminator", "JSONDiscriminatorValue", "JSONUnknownValue", "JSONModified",
      "entityMapperName", "JSONDictionaryTransformerName",
    ]),
    attribute: PolicyAnnotation.names(on: .attribute).union([
      "JSONKeyPath", "JSONTransformerName", "JSONDateFormat", "JSONValues", "JSONUnknownValue",
    ]),
    relationship: PolicyAnnotation.names(on: .relationship).union([
      "JSONKeyPath", "JSONRelatedBy",
    ])
  )

  func readEntity(_ notes: AnnotationReader) -> EntityNotes {
    EntityNotes(
      identity: GrootDialect.identity(
        notes,
        names: ["identityAttributes", "identityAttribute", "RKEntityIdentificationAttributes"]),
      missingIdentity: notes.policies(on: .entity).missingIdentity,
      discriminators: notes.paths("JSONDiscriminator")?.paths,
      discriminatorValue: notes.text("JSONDiscriminatorValue"),
      unknownEntity: notes.text("JSONUnknownValue"),
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
    if let format = notes.text("JSONDateFormat") {
      result.dateFormat = notes.dateFormat(format, of: attribute.type)
    }
    result.transformerName = notes.text("JSONTransformerName")
    result.policies = notes.policies(on: .attribute)
    result.values = notes.values("JSONValues", of: attribute.type)
    result.unknownValue = notes.value("JSONUnknownValue", of: attribute.type)
    return result
  }

  func readRelationship(
    _ relationship: RelationshipDescription, of owner: PropertyOwner, _ notes: AnnotationReader
  ) -> RelationshipNotes {
    RelationshipNotes(
      place: notes.paths("JSONKeyPath") ?? .sameName(relationship.name),
      relatedBy: notes.text("JSONRelatedBy").map {
        IdentityNotes(names: [$0], strength: .required(annotation: "JSONRelatedBy"))
      },
      policies: notes.policies(on: .relationship, isToMany: relationship.isToMany))
  }
}
