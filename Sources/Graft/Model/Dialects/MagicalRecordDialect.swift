/// The annotations of MagicalRecord's import.
///
/// Where MagicalRecord's documentation and its code disagree, Graft follows the documentation.
/// Fallback keys are read for relationships as well. An object without its identity is inserted,
/// and not written into an existing object that has none.
struct MagicalRecordDialect: DialectRules {
  let policies = Policies(
    collection: .union, missingIdentity: .insert, wrapsSingleObjects: true)
  let instantiatesAbstract = true

  let names: AnnotationNames = {
    let keys = Set(["mappedKeyName"] + (1...9).map { "mappedKeyName.\($0)" })
    return AnnotationNames(
      entity: ["relatedByAttribute"],
      attribute: keys.union([
        "dateFormat", "attributeValueClassName", "useDefaultValueWhenNotPresent",
      ]),
      relationship: keys.union(["relatedByAttribute", "type"])
    )
  }()

  func readEntity(_ notes: AnnotationReader) -> EntityNotes {
    EntityNotes(identity: identity(of: notes.entity, notes))
  }

  func readAttribute(
    _ attribute: AttributeDescription, of owner: PropertyOwner, _ notes: AnnotationReader
  ) -> AttributeNotes {
    var result = AttributeNotes()
    result.place = place(of: attribute.name, notes)
    if attribute.isTransient, result.place.origin == nil { result.place.paths = [] }
    if let format = notes.text("dateFormat") {
      if attribute.type == .date {
        result.dateFormat = dateFormat(format, notes)
      } else {
        notes.warning("dateFormat has no effect on \(attribute.type.withArticle); remove it")
      }
    }
    if let flag = notes.text("useDefaultValueWhenNotPresent"), isTrue(flag) {
      result.policies.onAbsent = .default
    }
    if let valueClass = notes.text("attributeValueClassName") {
      // MagicalRecord makes a colour of `rgba(r,g,b,a)`, and converts nothing for any other class.
      if valueClass.hasSuffix("Color") {
        result.readyMade = .hexColor
      } else {
        result.isStrict = true
      }
    }
    return result
  }

  func readRelationship(
    _ relationship: RelationshipDescription, of owner: PropertyOwner, _ notes: AnnotationReader
  ) -> RelationshipNotes {
    RelationshipNotes(
      place: place(of: relationship.name, notes),
      relatedBy: identity(of: relationship.destination, notes)
    )
  }

  /// Returns the key and its fallbacks, up to the first number that is missing.
  private func place(of property: String, _ notes: AnnotationReader) -> PathNotes {
    let base = "mappedKeyName"
    var keys = [(name: base, text: notes.text(base))]
    let names = (1...9).map { "\(base).\($0)" }
    let count = names.firstIndex { notes.text($0) == nil } ?? names.count
    keys += names.prefix(count).map { ($0, notes.text($0)) }
    if let name = names.dropFirst(count).first(where: { notes.text($0) != nil }) {
      notes.warning("\(name) is not read, because \(names[count]) is missing; leave no number out")
    }
    let paths = keys.compactMap { key in
      key.text.map { notes.path(of: $0, named: key.name) } ?? JSONPath([.member(property)])
    }
    return PathNotes(paths: paths, origin: keys.first { $0.text != nil }?.name)
  }

  /// Returns the annotated identity, or by convention the entity's name with a small first letter and "ID".
  private func identity(of entity: String, _ notes: AnnotationReader) -> IdentityNotes {
    if let name = notes.text("relatedByAttribute") {
      return IdentityNotes(names: [name], strength: .attempted(annotation: "relatedByAttribute"))
    }
    let convention = entity.prefix(1).lowercased() + entity.dropFirst() + "ID"
    return IdentityNotes(names: [convention], strength: .convention)
  }

  private func dateFormat(_ text: String, _ notes: AnnotationReader) -> DateFormat {
    guard text != "UnixTime" else { return .unixMilliseconds }
    if let fault = DatePatternFault(in: text) {
      notes.error(
        "dateFormat is \"\(text)\", expected UnixTime or a Unicode date pattern; as a pattern, "
          + fault.message, near: text, in: ["UnixTime"])
    } else {
      notes.warnOfDoubt(in: .pattern(text))
    }
    return .pattern(text)
  }

  /// Returns whether a string is true as `NSString.boolValue` reads it.
  private func isTrue(_ text: String) -> Bool {
    text.first.map { "YyTt123456789".contains($0) } ?? false
  }
}
