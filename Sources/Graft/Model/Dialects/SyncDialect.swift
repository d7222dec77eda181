/// The annotations of Sync, later SwiftSync.
///
/// Each may begin with `sync.` or, in older models, with `hyper.`. A remote key is tried first, and then
/// the keys that the property's own name gives.
struct SyncDialect: DialectRules {
  let policies = Policies(reference: .ignore, missingIdentity: .skip)
  let deletesRemovedChildren = true
  let fillsExistingTarget = true

  let names = AnnotationNames(
    attribute: Set(
      ["remoteKey", "isPrimaryKey", "nonExportable", "valueTransformer"].flatMap(Self.spellings)),
    relationship: Set(["remoteKey", "nonExportable"].flatMap(Self.spellings))
  )

  func readEntity(_ notes: AnnotationReader) -> EntityNotes {
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
      JSONPath([.member(NameWords.snakeCase(relationship.name) + suffix)])
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

/// The JSON keys that Sync's naming gives to a local name.
///
/// Sync writes the local name `remoteURL` as `remote_url`, and reads `remote_url` back as `remoteURL`,
/// because it knows some acronyms. Here the JSON keys are derived from the local names: the snake_case
/// form, the name as it is, the camelCase form without capital acronyms (`remoteUrl`), and the snake_case form
/// with numbers apart (`address_2`).
enum SyncNames {
  /// Words that clash with members of managed objects; in the entity `User` they become `userType`
  /// and so on.
  static let reserved = ["type", "description", "signed"]

  /// Returns the keys of a property, those most likely first.
  static func keys(of property: String, in entity: String) -> [String] {
    let prefix = entity.prefix(1).lowercased() + entity.dropFirst()
    let words = NameWords.words(of: property)
    // Sync writes such a word as it is.
    var keys = reserved.filter {
      property == prefix + $0.prefix(1).uppercased() + $0.dropFirst()
    }
    let snake = words.joined(separator: "_")
    keys += [snake, property, camelCase(words), withNumbersApart(snake)]
    var known: Set<String> = []
    return keys.filter { known.insert($0).inserted }
  }

  /// Returns `address_2` for `address2`.
  private static func withNumbersApart(_ name: String) -> String {
    name.reduce(into: "") { result, character in
      if character.isNumber, result.last?.isLetter == true { result.append("_") }
      result.append(character)
    }
  }

  private static func camelCase(_ words: [String]) -> String {
    words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
