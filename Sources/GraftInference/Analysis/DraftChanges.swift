import Graft

/// Applies the ``GraftInference/InferenceOptions`` to a draft: keeps, omits and renames properties.
struct DraftChanges {
  private let model: ModelDraft
  private let options: InferenceOptions

  init(_ model: ModelDraft) {
    self.model = model
    options = model.options
  }

  func apply() {
    model.fault = fault
    for draft in model.reachable {
      for index in draft.properties.indices
      where isMeant(draft.properties[index], of: draft, options.kept) {
        keep(draft.properties[index])
      }
      draft.properties.removeAll { isMeant($0, of: draft, options.omitted) }
    }
    rename()
  }

  private func isMeant(
    _ property: PropertyDraft, of draft: EntityDraft, _ names: Set<String>
  ) -> Bool {
    names.contains { name in
      guard let (entity, place) = Self.parts(of: name) else { return false }
      return self.names(of: draft).contains(entity) && property.isNamed(place)
    }
  }

  /// Returns the entity and the property that a name has; nil for the name of an entity alone.
  private static func parts(of name: String) -> (entity: String, property: String)? {
    guard let dot = name.firstIndex(of: ".") else { return nil }
    return (String(name[..<dot]), String(name[name.index(after: dot)...]))
  }

  /// Returns the names of a draft: its own, and the names that the options give it.
  private func names(of draft: EntityDraft) -> [String] {
    [draft.name, options.renames[draft.name], givenName(of: draft)].compactMap(\.self)
  }

  /// Returns the name that the options give to one of the places of a draft.
  private func givenName(of draft: EntityDraft) -> String? {
    options.entityNames.sortedByKey().last { isPlace($0.key, of: draft) }?.value
  }

  /// Returns whether a name was given for the objects at a place of a draft.
  func isNamed(_ draft: EntityDraft) -> Bool { givenName(of: draft) != nil }

  /// Returns whether the objects of a draft are at a path, in which `[*]` may be left out, and a last `.*` too.
  private func isPlace(_ path: String, of draft: EntityDraft) -> Bool {
    let path = (path.hasPrefix("$") ? path : "$." + path).replacing("[*]", with: "")
    return draft.places.contains {
      let place = model.table[$0].path.replacing("[*]", with: "")
      return place == path || place == path + ".*"
    }
  }

  // MARK: Names that mean nothing

  /// The error for the first name in the options that the draft lacks; nil if it has all names.
  private var fault: InferenceError? {
    for name in options.kept.union(options.omitted).sorted() {
      guard Self.parts(of: name) != nil else {
        return InferenceError("\"\(name)\" is no property: expected ENTITY.PROPERTY")
      }
      if let fault = fault(in: name) { return fault }
    }
    for (name, new) in options.renames.sortedByKey() {
      if let fault = fault(in: name) ?? fault(ofNew: new) { return fault }
    }
    for (_, new) in options.entityNames.sortedByKey() {
      if let fault = fault(ofNew: new) { return fault }
    }
    for (path, _) in options.entityNames.sortedByKey()
    where !model.reachable.contains(where: { isPlace(path, of: $0) }) {
      let paths = model.reachable.flatMap(\.places).map { place in
        model.table[place].path.replacing("$.", with: "", maxReplacements: 1)
          .replacing("[*]", with: "")
      }
      return InferenceError(
        "there are no objects at \"\(path)\"" + suggestion(for: path, in: paths))
    }
    return nil
  }

  /// Returns the error for a new name that Swift, or the root of a command, could not say.
  private func fault(ofNew name: String) -> InferenceError? {
    let isName =
      name.first?.isNumber == false
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isName
      ? nil
      : InferenceError(
        "\"\(name)\" is no name: expected letters, digits and _, and no digit at the beginning")
  }

  private func fault(in name: String) -> InferenceError? {
    let parts = Self.parts(of: name)
    let entity = parts?.entity ?? name
    let drafts = model.reachable.filter { names(of: $0).contains(entity) }
    guard !drafts.isEmpty else {
      return InferenceError(
        "there is no entity \"\(entity)\""
          + suggestion(for: entity, in: model.reachable.flatMap(names)))
    }
    let properties = drafts.flatMap(\.properties)
    guard let place = parts?.property, !properties.contains(where: { $0.isNamed(place) }) else {
      return nil
    }
    return InferenceError(
      "\(entity) has no \"\(place)\""
        + suggestion(for: place, in: properties.flatMap { [$0.name, $0.place] }))
  }

  /// Keeps the values as the document has them.
  private func keep(_ property: PropertyDraft) {
    property.isKept = true
    property.makeAttribute()
    property.evidence = ["kept as asked for"]
  }

  private func rename() {
    for draft in model.reachable {
      for (old, new) in options.renames.sortedByKey() {
        for index in draft.properties.indices
        where isMeant(draft.properties[index], of: draft, [old]) {
          draft.properties[index].name = new
        }
      }
      draft.name = givenName(of: draft) ?? options.renames[draft.name] ?? draft.name
    }
  }
}
