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

/// The JSON keys that Sync's naming gives to a local name.
///
/// Sync writes the local name `remoteURL` as `remote_url`, and reads `remote_url` back as `remoteURL`,
/// because it knows some acronyms. Here the JSON keys are derived from the local names: the snake_case
/// form, the name as it is, and the camelCase form without capital acronyms (`remoteUrl`).
enum SyncNames {
  /// Words that clash with members of managed objects; in the entity `User` they become `userType`
  /// and so on.
  static let reserved = ["type", "description", "signed"]

  /// The keys of a property, those most likely first.
  ///
  /// - Parameters:
  ///   - property: The local name.
  ///   - entity: The name of the entity that has the property.
  /// - Returns: The keys without repetition.
  static func keys(of property: String, in entity: String) -> [String] {
    let words = words(of: property)
    let snake = words.joined(separator: "_")
    var keys = [snake, property, camelCase(words)]
    let prefix = entity.prefix(1).lowercased() + entity.dropFirst()
    for word in reserved where property == prefix + word.prefix(1).uppercased() + word.dropFirst() {
      keys.append(word)
    }
    var known: Set<String> = []
    return keys.filter { known.insert($0).inserted }
  }

  /// The snake_case form of a name.
  static func snakeCase(_ name: String) -> String {
    words(of: name).joined(separator: "_")
  }

  /// The words of a camelCase name in small letters; a run of capitals is one word: `userIDs` is
  /// `user` and `ids`.
  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    let characters = Array(name)
    for (index, character) in characters.enumerated() {
      let isStart = character.isUppercase && index > 0 && startsWord(at: index, in: characters)
      if isStart || character == "_" {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if character != "_" { word.append(character) }
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    return words.isEmpty ? [name] : words
  }

  /// A capital starts a word after a small letter or digit, or as the last of a run that a small
  /// letter follows, except for the plural s of an acronym.
  private static func startsWord(at index: Int, in characters: [Character]) -> Bool {
    guard characters[index - 1].isUppercase else { return true }
    guard index + 1 < characters.count, characters[index + 1].isLowercase else { return false }
    let isPlural =
      characters[index + 1] == "s"
      && (index + 2 == characters.count || characters[index + 2].isUppercase)
    return !isPlural
  }

  private static func camelCase(_ words: [String]) -> String {
    words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
