import Graft

/// Lists the differences between two models, a line for each entity and property: `+` for new
/// lines, `-` for removed lines, `~` for changed lines.
struct ModelDifference {
  private(set) var lines: [String] = []

  init(from old: GraphModel, to new: GraphModel) {
    for name in Set(old.entities.map(\.name)).union(new.entities.map(\.name)).sorted() {
      switch (old.entity(named: name), new.entity(named: name)) {
      case (nil, let entity?):
        lines.append("+ \(name)")
        lines += properties(of: entity).sorted { $0.key < $1.key }.map {
          "+ \(name).\($0.key) \($0.value)"
        }
      case (_?, nil): lines.append("- \(name)")
      case (let old?, let new?): compare(old, new)
      case (nil, nil): break
      }
    }
  }

  private mutating func compare(_ old: EntityDescription, _ new: EntityDescription) {
    let identities = [old, new].map { identity(of: $0) }
    if identities[0] != identities[1] {
      lines.append("~ \(old.name): identity \(identities[0]) → \(identities[1])")
    }
    let (before, after) = (properties(of: old), properties(of: new))
    for name in Set(before.keys).union(after.keys).sorted() {
      switch (before[name], after[name]) {
      case (nil, let text?): lines.append("+ \(old.name).\(name) \(text)")
      case (_?, nil): lines.append("- \(old.name).\(name)")
      case (let first?, let second?) where first != second:
        lines.append("~ \(old.name).\(name) \(first) → \(second)")
      default: break
      }
    }
  }

  private func identity(of entity: EntityDescription) -> String {
    let text = entity.identity?.joined(separator: " ") ?? entity.userInfo["identityAttributes"]
    return text ?? "none"
  }

  /// Returns a description of each property, by name.
  private func properties(of entity: EntityDescription) -> [String: String] {
    var texts: [String: String] = [:]
    for attribute in entity.attributes { texts[attribute.name] = attribute.type.rawValue }
    for relationship in entity.relationships {
      texts[relationship.name] =
        (relationship.isToMany ? "⇉ " : "→ ") + relationship.destination
    }
    return texts
  }
}
