import Graft
import GraftExport

/// Lists the differences between two models, a line for each entity and property: `+` for new
/// lines, `-` for removed lines, `~` for changed lines.
struct ModelDifference {
  private(set) var lines: [String] = []

  /// The old names of entities that are named after files: the root objects of `today.json` have
  /// the name of `monday.json` in the old model.
  private var formerNames: [String: String] = [:]

  init(from old: GraphModel, to new: GraphModel) {
    for entity in new.entities where old.entity(named: entity.name) == nil {
      guard let root = entity.userInfo["root"] else { continue }
      let former = old.entities.first {
        $0.userInfo["root"] == root && new.entity(named: $0.name) == nil
      }
      formerNames[entity.name] = former?.name
    }
    let names = new.entities.map { formerNames[$0.name] ?? $0.name }
    let numbers = Dictionary(
      zip(names, new.entities.indices), uniquingKeysWith: { first, _ in first })
    for name in Set(old.entities.map(\.name)).union(names).sorted() {
      switch (old.entity(named: name), numbers[name].map { new.entities[$0] }) {
      case (nil, let entity?):
        lines.append("+ \(name)")
        lines += properties(of: entity).sorted { $0.key < $1.key }.map {
          "+ \(name).\($0.key) \($0.value.type)"
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
      case (nil, let property?): lines.append("+ \(old.name).\(name) \(property.type)")
      case (_?, nil): lines.append("- \(old.name).\(name)")
      case (let first?, let second?):
        let subject = "~ \(old.name).\(name)"
        if first.type != second.type { lines.append("\(subject) \(first.type) → \(second.type)") }
        if first.path != second.path {
          lines.append("\(subject) at \(first.path) → at \(second.path)")
        }
        // A model may well let a value be absent that the document always has.
        if first.isRequired, !second.isRequired { lines.append("\(subject) required → optional") }
      case (nil, nil): break
      }
    }
  }

  private func identity(of entity: EntityDescription) -> String {
    let text = entity.identity?.joined(separator: " ") ?? entity.userInfo["identityAttributes"]
    return text ?? "none"
  }

  /// The parts of a property that a document shows.
  private struct Property {
    var type: String
    var path: String
    var isRequired: Bool
  }

  /// Returns the properties, by name.
  private func properties(of entity: EntityDescription) -> [String: Property] {
    var properties: [String: Property] = [:]
    for attribute in entity.attributes {
      properties[attribute.name] = Property(
        type: attribute.type.rawValue,
        path: AnnotationWriter.annotations(of: attribute)["JSONKeyPath"] ?? attribute.name,
        isRequired: !attribute.isOptional)
    }
    for relationship in entity.relationships {
      let destination = formerNames[relationship.destination] ?? relationship.destination
      properties[relationship.name] = Property(
        type: (relationship.isToMany ? "⇉ " : "→ ") + destination,
        path: AnnotationWriter.annotations(of: relationship)["JSONKeyPath"] ?? relationship.name,
        isRequired: !relationship.isToMany && !relationship.isOptional)
    }
    return properties
  }
}
