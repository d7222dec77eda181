import Graft

/// Changes a draft as the ``InferenceOptions`` ask for: keeps, omits and renames properties.
struct DraftChanges {
  private let model: ModelDraft
  private let options: InferenceOptions

  init(_ model: ModelDraft) {
    self.model = model
    options = model.options
  }

  func apply() {
    for draft in model.reachable {
      for index in draft.properties.indices
      where isMeant(draft.properties[index], of: draft, options.kept) {
        keep(&draft.properties[index])
      }
      draft.properties.removeAll { isMeant($0, of: draft, options.omitted) }
    }
    rename()
  }

  private func isMeant(
    _ property: PropertyDraft, of draft: EntityDraft, _ names: Set<String>
  ) -> Bool {
    names.contains { name in
      guard let dot = name.firstIndex(of: ".") else { return false }
      return name[..<dot] == draft.name && property.isNamed(String(name[name.index(after: dot)...]))
    }
  }

  /// Takes the values as the document has them.
  private func keep(_ property: inout PropertyDraft) {
    property.isKept = true
    property.role = .attribute
    property.evidence = ["kept as asked for"]
    while property.path.last == .eachMember || property.path.last == .eachElement {
      property.path.removeLast()
    }
  }

  private func rename() {
    for draft in model.reachable {
      for (old, new) in options.renames.sortedByKey() {
        for index in draft.properties.indices
        where isMeant(draft.properties[index], of: draft, [old]) {
          draft.properties[index].name = new
        }
      }
      draft.name = options.renames[draft.name] ?? draft.name
    }
    for (path, name) in options.entityNames {
      let path = path.hasPrefix("$") ? path : "$." + path
      for draft in model.reachable
      where draft.places.contains(where: {
        [path, path + "[*]", path + ".*"].contains(model.table[$0].path)
      }) {
        draft.name = name
      }
    }
  }
}
