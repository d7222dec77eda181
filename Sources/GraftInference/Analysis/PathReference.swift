// Finds strings that lead to an object by a path: {"$ref": "#/definitions/Pet"}, {"target": "/api/pets/7"},
// {"person": "#p_101"}. An identifier is the whole of a value, so that such strings stay strings; but a reader wants to
// know what they lead to.
//
// All values must lead to objects of one entity, two of them at least, or one by a long identity such as a UUID: one
// `"icon": "/img/7"` beside an object with the identity 7 is chance.

import Graft

/// The entity to whose objects the paths or addresses of a property lead.
struct PathReference {
  let target: EntityDraft
  /// The number of different paths.
  let count: Int

  /// Finds the entity; nil where the values are no paths, or lead to no entity or to several.
  ///
  /// - Parameters:
  ///   - property: The property that has the paths.
  ///   - owner: Its draft. The address of an object may end in its own identity, and leads to no other.
  ///   - identities: The identities of the drafts, as indexes of `drafts`.
  ///   - drafts: The drafts.
  init?(
    _ property: PropertyDraft, of owner: EntityDraft, _ identities: SketchIndex,
    _ drafts: [EntityDraft]
  ) {
    guard property.composition == .string || property.composition == .scalars,
      property.path != [.key], let texts = property.scalars.samples, !texts.isEmpty
    else { return nil }
    var ends = ValueSketch()
    var areLong = true
    for text in texts.values {
      guard let end = Self.end(of: text) else { return nil }
      ends.insert(Fingerprint.of(end))
      areLong = areLong && end.utf8.count >= Self.longIdentity
    }
    let least = areLong ? 1 : 2
    guard ends.distinctCount >= least else { return nil }
    let all = identities.sketches(near: ends).map { drafts[$0] }.filter { draft in
      guard let identity = draft.identity, !draft.isFlattened, !draft.isJSON else { return false }
      let overlap = ends.overlap(with: identity.scalars.sketch)
      return overlap.compared >= least && overlap.common == overlap.compared
    }
    // The data of an item may repeat its identity.
    let targets = all.filter { inner in !all.contains { $0.holdsOne(of: inner) } }
    guard targets.count == 1, let target = targets.first,
      target !== owner
        || ends.distinctCount < target.identity?.scalars.sketch.distinctCount ?? 0
    else { return nil }
    self.target = target
    count = texts.count
  }

  /// The least bytes of an identity that no other path ends in by chance.
  private static let longIdentity = 16

  /// Returns the text after the last slash or number sign of a path or an address; nil if there is none.
  private static func end(of text: String) -> String? {
    // Most texts are no paths, and are not divided into characters.
    guard text.utf8.contains(where: { $0 == 0x2F || $0 == 0x23 }) else { return nil }
    let path = text.hasSuffix("/") ? text.dropLast() : text[...]
    guard let mark = path.lastIndex(where: { $0 == "/" || $0 == "#" }) else { return nil }
    let end = path[path.index(after: mark)...]
    return end.isEmpty ? nil : String(end)
  }
}
