// Finds strings that name one of the objects in a collection beside them as the first, the main one or the like:
//
//   {"startAt": "ask", "steps": [{"id": "ask", …}, {"id": "book", …}]}
//
// One short word proves nothing elsewhere.

import Graft

/// Finds the collection beside a property that has the object which the property names.
enum EntryName {
  /// Words for one of many objects.
  private static let entries: Set<String> = [
    "start", "initial", "entry", "entrypoint", "root", "default", "current", "first", "main",
    "head", "active", "selected", "primary",
  ]
  /// Words that may be beside these.
  private static let marks: Set<String> = ["at", "point", "with", "id", "key", "name"]
  /// The least bytes of a name that is no word which occurs anywhere.
  private static let longName = 10

  /// Returns whether a string names one of the objects in a collection beside it, or has a long name of one anywhere.
  static func isName(
    _ property: PropertyDraft, of draft: EntityDraft, in target: EntityDraft
  ) -> Bool {
    guard property.composition == .string else { return false }
    let words = Words(property.key).parts
    return words.contains(where: entries.contains)
      && words.allSatisfy {
        entries.contains($0) || marks.contains($0) || target.referredNames.lastWords.contains($0)
      }
      && (property.scalars.shortest >= longName || isBeside(property, of: draft, target))
  }

  /// Returns whether a list or dictionary of an entity's objects is in the same object as a property.
  private static func isBeside(
    _ property: PropertyDraft, of draft: EntityDraft, _ target: EntityDraft
  ) -> Bool {
    draft.properties.contains { other in
      guard case .relationship(target.number, let link) = other.role, link != .one else {
        return false
      }
      let keys = other.path.filter { $0 != .eachMember && $0 != .eachElement }
      return keys.dropLast() == property.path.dropLast()
    }
  }

  /// Finds the only entity that has the objects which a property names.
  static func match(
    _ property: PropertyDraft, of draft: EntityDraft, among targets: [EntityDraft]
  ) -> ReferenceMatch? {
    let matches = targets.compactMap { target -> ReferenceMatch? in
      guard let identity = target.identity, !target.isFlattened, !target.isJSON,
        isName(property, of: draft, in: target)
      else { return nil }
      let overlap = property.scalars.sketch.overlap(with: identity.scalars.sketch)
      guard overlap.compared > 0, overlap.common == overlap.compared else { return nil }
      return ReferenceMatch(
        target: target, score: 3, common: overlap.common, compared: overlap.compared)
    }
    return matches.count == 1 ? matches.first : nil
  }
}
