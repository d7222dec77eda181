// Graft's own annotations include Groot's, so a model can move from one to the other. Unannotated
// properties stand under their own names, which makes an inverse that leads back importable too: a
// child may name its parent.

/// Graft's annotations.
struct GraftDialect: DialectRules {
  let defaults = PolicyDefaults()

  let names = AnnotationNames(
    entity: [
      "identityAttributes", "identityAttribute", "RKEntityIdentificationAttributes",
      "JSONMissingIdentity", "JSONDiscriminator", "JSONDiscriminatorValue", "JSONModified",
      "entityMapperName", "JSONDictionaryTransformerName",
    ],
    attribute: [
      "JSONKeyPath", "JSONTransformerName", "JSONDateFormat", "JSONNull", "JSONAbsent",
      "JSONExport",
    ],
    relationship: [
      "JSONKeyPath", "JSONNull", "JSONAbsent", "JSONCollection", "JSONRemoved", "JSONReference",
      "JSONExport",
    ]
  )

  func readEntity(_ entity: EntityDescription, _ notes: AnnotationReader) -> EntityNotes {
    EntityNotes(
      identity: GrootDialect.identity(
        notes,
        names: ["identityAttributes", "identityAttribute", "RKEntityIdentificationAttributes"]),
      missingIdentity: notes.choice("JSONMissingIdentity", of: MissingIdentityPolicy.allCases),
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
    result.onNull = notes.choice("JSONNull", of: NullPolicy.allCases)
    result.onAbsent = notes.choice("JSONAbsent", of: AbsentPolicy.allCases)
    result.export = notes.choice("JSONExport", of: [.nested, .omit]) ?? .nested
    return result
  }

  func readRelationship(
    _ relationship: RelationshipDescription, of owner: PropertyOwner, _ notes: AnnotationReader
  ) -> RelationshipNotes {
    var result = RelationshipNotes()
    result.place = notes.paths("JSONKeyPath") ?? .sameName(relationship.name)
    result.onNull = notes.choice("JSONNull", of: [.clear, .keep, .error])
    result.onAbsent = notes.choice("JSONAbsent", of: [.keep, .clear, .error])
    result.reference = notes.choice("JSONReference", of: ReferencePolicy.allCases)
    result.export = notes.choice("JSONExport", of: ExportStyle.allCases)
    result.collection = notes.choice("JSONCollection", of: CollectionPolicy.allCases)
    result.removed = notes.choice("JSONRemoved", of: RemovedPolicy.allCases)
    if !relationship.isToMany {
      for name in ["JSONCollection", "JSONRemoved"] where notes.text(name) != nil {
        notes.warning("\(name) has no effect on a relationship to one; remove it")
      }
    }
    return result
  }

  private static func dateFormat(
    of attribute: AttributeDescription, _ notes: AnnotationReader
  ) -> DateFormat {
    guard let text = notes.text("JSONDateFormat") else { return .automatic }
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
