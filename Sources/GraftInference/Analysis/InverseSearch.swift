// Finds two relationships that are the two directions of one:
//
//   {"teams": [{"id": 1, "playerIds": [7, 8]}], "players": [{"id": 7, "teamId": 1}]}
//
// The two are inverses if nothing contradicts it: each player occurs in one team only, and players have teams as
// often as they occur in them. No other relationship between the two may be meant. Players that are nested in
// their team get no inverse, because an export would omit the way back.

import Graft

/// Finds the relationships that are inverses of each other.
struct InverseSearch {
  private let model: ModelDraft

  init(_ model: ModelDraft) { self.model = model }

  func resolve() {
    for draft in model.reachable where draft.variants == nil {
      for index in draft.properties.indices {
        guard let many = members(draft.properties[index], of: draft),
          let target = draft.properties[index].target.map({ model.drafts[$0] }), target !== draft,
          target.variants == nil, isOnly(draft.properties[index], of: draft, to: target)
        else { continue }
        let back = target.properties.indices.filter { index in
          target.properties[index].target == draft.number
        }
        guard back.count == 1, let other = back.first,
          case .reference(_, isToMany: false) = target.properties[other].role,
          target.properties[other].shape.count - target.properties[other].shape.nullCount == many,
          namesOwner(target.properties[other], draft)
        else { continue }
        draft.properties[index].inverse = target.properties[other].name
        target.properties[other].inverse = draft.properties[index].name
      }
    }
  }

  /// Returns the number of objects that a to-many relationship leads to, where each is in one
  /// object's only.
  private func members(_ property: PropertyDraft, of draft: EntityDraft) -> Int? {
    let count = property.shape.elementCount
    switch property.role {
    case .reference(_, isToMany: true):
      let sketch = property.scalars.sketch
      return sketch.isComplete && sketch.distinctCount == count && count > 1 ? count : nil
    default: return nil
    }
  }

  /// Returns whether a property is the only one of its entity that leads to another.
  private func isOnly(
    _ property: PropertyDraft, of draft: EntityDraft, to target: EntityDraft
  ) -> Bool {
    draft.properties.count { $0.target == target.number } == 1 && property.path.last != .eachMember
  }

  /// Returns whether a reference has the name of the entity to which it leads.
  private func namesOwner(_ property: PropertyDraft, _ draft: EntityDraft) -> Bool {
    let words = Words(property.name).parts
    return draft.aliases.contains { $0 == words || $0.last == words.last }
      || Words(draft.name).parts == words
  }
}
