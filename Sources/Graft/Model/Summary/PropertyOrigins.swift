// The compiled form does not keep which annotation placed a property: nothing else asks. It is read
// anew here, from the descriptions, by the same rules.

/// Tells by which annotation each property of an entity was placed in JSON.
struct PropertyOrigins {
  private var annotations: [String: String] = [:]

  init(of entity: EntitySchema, in model: GraphModel) {
    let rules = model.dialect.rules
    let log = IssueLog()
    let lineage = Array(sequence(first: entity.number) { model.schema.entities[$0].superentity })
    var owner = PropertyOwner(name: entity.name, userInfo: [:])
    for number in lineage {
      owner.userInfo.merge(model.entities[number].userInfo) { lower, _ in lower }
    }
    for number in lineage {
      let described = model.entities[number]
      for attribute in described.attributes {
        let reader = AnnotationReader(
          userInfo: attribute.userInfo, entity: described.name, property: nil, log: log)
        annotations[attribute.name] =
          reader.paths(
            of: attribute.paths, or: rules.readAttribute(attribute, of: owner, reader).place
          ).origin
      }
      for relationship in described.relationships {
        let reader = AnnotationReader(
          userInfo: relationship.userInfo, entity: described.name, property: nil, log: log)
        annotations[relationship.name] =
          reader.paths(
            of: relationship.paths,
            or: rules.readRelationship(relationship, of: owner, reader).place
          ).origin
      }
    }
  }

  /// The annotation, or nil where the property's name alone decides.
  func annotation(of property: String) -> String? {
    annotations[property]
  }
}
