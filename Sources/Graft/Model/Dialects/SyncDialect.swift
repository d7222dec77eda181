// Sync, later SwiftSync. Each annotation may begin with `sync.` or, from older models, `hyper.`. A
// remote key comes first, and the key that the name gives still counts beside it.

/// Sync's annotations.
struct SyncDialect: DialectRules {
  let policies = Policies(reference: .ignore, missingIdentity: .skip)
  let deletesRemovedChildren = true
  let fillsPresentTarget = true

  let names = AnnotationNames(
    attribute: Set(
      ["remoteKey", "isPrimaryKey", "nonExportable", "valueTransformer"].flatMap(Self.spellings)),
    relationship: Set(["remoteKey", "nonExportable"].flatMap(Self.spellings))
  )

  func readEntity(_ entity: EntityDescription, _ notes: AnnotationReader) -> EntityNotes {
    let convention = IdentityNotes(
      names: ["remoteID", "id"], strength: .convention, yieldsToInherited: true)
    return EntityNotes(identity: convention)
  }

  func readAttribute(
    _ attribute: AttributeDescription, of owner: PropertyOwner, _ notes: AnnotationReader
  ) -> AttributeNotes {
    var result = AttributeNotes()
    result.place = place(of: attribute.name, in: owner, notes)
    if attribute.isTransient, result.place.origin == nil { result.place.paths = [] }
    if let flag = notes.first(Self.spellings("isPrimaryKey")) {
      if ["YES", "true"].contains(flag.text) {
        result.identityAnnotation = flag.name
      } else if !["NO", "false"].contains(flag.text) {
        notes.warning("\(flag.name) is \"\(flag.text)\", expected YES or true; it has no effect")
      }
    }
    result.transformerName = notes.first(Self.spellings("valueTransformer"))?.text
    if notes.first(Self.spellings("nonExportable")) != nil { result.policies.export = .omit }
    return result
  }

  func readRelationship(
    _ relationship: RelationshipDescription, of owner: PropertyOwner, _ notes: AnnotationReader
  ) -> RelationshipNotes {
    var result = RelationshipNotes()
    result.place = place(of: relationship.name, in: owner, notes)
    let suffix = relationship.isToMany ? "_ids" : "_id"
    result.identifierPaths = [
      JSONPath([.member(SyncNames.snakeCase(relationship.name) + suffix)])
    ]
    if notes.first(Self.spellings("nonExportable")) != nil { result.policies.export = .omit }
    return result
  }

  private func place(
    of property: String, in owner: PropertyOwner, _ notes: AnnotationReader
  ) -> PathNotes {
    let key = notes.first(Self.spellings("remoteKey"))
    var paths = key.flatMap { notes.path(of: $0.text, named: $0.name) }.map { [$0] } ?? []
    let names =
      (property == "remoteID" ? ["id"] : []) + SyncNames.keys(of: property, in: owner.name)
    for name in names {
      let path = JSONPath([.member(name)])
      if !paths.contains(path) { paths.append(path) }
    }
    return PathNotes(paths: paths, origin: key?.name)
  }

  private static func spellings(_ name: String) -> [String] {
    ["sync." + name, "hyper." + name]
  }
}
