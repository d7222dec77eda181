// Finds an identity for objects that others refer to and that have none by their own members:
//
//   {"meshes": [{…}, {…}], "nodes": [{"mesh": 1, "children": [1, 2]}, …]}      the position in the array
//   {"layers": [{"ind": 1, …}, {"ind": 2, "parent": 1, …}]}                    a member that is different in each
//
// The name has to fit: `"count": 2` is below the number of meshes too. One value is no evidence.

import Graft

/// Finds identities that only the references to them reveal.
struct ReferredIdentitySearch {
  private let model: ModelDraft

  init(_ model: ModelDraft) { self.model = model }

  /// Numbers that may refer to objects.
  private struct Numbers {
    let key: String
    let scalars: ScalarStatistics
    let owner: EntityDraft
  }

  /// Gives an identity to each entity that references reveal.
  func resolve() {
    let numbers = model.drafts.flatMap(numbers)
    guard !numbers.isEmpty else { return }
    for target in model.drafts where mayBeGiven(target) {
      let references = numbers.filter { number in
        ReferenceName(number.key, draft: number.owner, target: target).score >= 2
      }
      guard !references.isEmpty else { continue }
      if let member = member(of: target, meantBy: references) {
        target.identity = member
      } else if let position = position(in: target, meantBy: references) {
        target.identity = position
      }
    }
  }

  private func numbers(in draft: EntityDraft) -> [Numbers] {
    draft.shape.members.compactMap { member in
      let scalars: ScalarStatistics? =
        switch draft.composition(of: member) {
        case .number: member.shape.scalars
        case .scalars: member.shape.element?.scalars
        default: nil
        }
      guard let scalars, scalars.integerCount == scalars.count, scalars.largeCount == 0,
        scalars.minimum >= 0, scalars.sketch.distinctCount > 1
      else { return nil }
      return Numbers(key: member.key, scalars: scalars, owner: draft)
    }
  }

  /// Whether an entity has no identity but a name or the like.
  private func mayBeGiven(_ draft: EntityDraft) -> Bool {
    guard draft.form == .object, draft.objectCount > 1, draft.givenIdentity == nil else {
      return false
    }
    guard let identity = draft.identity else { return true }
    return identity.key.map { IdentityNames.rank(of: $0, aliases: draft.aliases) ?? 9 > 4 } ?? false
  }

  /// Returns the member that is different in each object and has all the values by which objects
  /// are referred to.
  private func member(of draft: EntityDraft, meantBy references: [Numbers]) -> InferredIdentity? {
    let members = draft.shape.members.filter { member in
      let shape = member.shape
      guard draft.composition(of: member) == .number, shape.nullCount == 0,
        shape.scalars.integerCount == draft.objectCount,
        let sample = shape.identity, sample.records.allSatisfy({ $0.count == 1 }),
        shape.scalars.sketch.distinctCount == draft.objectCount,
        !refersToOthers(member.key, of: draft)
      else { return false }
      return references.contains { reference in
        guard reference.owner !== draft || reference.key != member.key else { return false }
        let overlap = reference.scalars.sketch.overlap(with: shape.scalars.sketch)
        return overlap.compared > 1 && overlap.common == overlap.compared
      }
    }
    guard members.count == 1, let member = members.first else { return nil }
    return InferredIdentity(
      key: member.key, scalars: member.shape.scalars,
      evidence: "\(draft.objectCount) objects, \(draft.objectCount) identities, none repeated")
  }

  /// Whether a key names objects of another entity.
  private func refersToOthers(_ key: String, of draft: EntityDraft) -> Bool {
    model.drafts.contains { other in
      other !== draft && other.form == .object
        && ReferenceName(key, draft: draft, target: other).score >= 2
    }
  }

  /// Returns the position in the only array that has the objects.
  private func position(in draft: EntityDraft, meantBy references: [Numbers]) -> InferredIdentity? {
    guard model.documents.count == 1, draft.places.count == 1 else { return nil }
    let place = model.table[draft.places[0]]
    guard place.link == .elements, place.steps.count == 1,
      case .member(let key)? = place.steps.first,
      let parent = place.parent, let array = model.table[parent].shape.member(named: key),
      array.arrayCount == 1, draft.objectCount <= Self.positionLimit,
      references.contains(where: { $0.scalars.maximum < Int64(draft.objectCount) })
    else { return nil }
    var scalars = ScalarStatistics()
    for position in 0..<draft.objectCount {
      "\(position)".withBorrowedUTF8 { scalars.note(number: $0, Fingerprint.of($0)) }
    }
    return InferredIdentity(
      key: nil, scalars: scalars,
      evidence: "\(draft.objectCount) objects, told apart by their position in this document",
      isPosition: true)
  }

  /// The most objects that are referred to by their position.
  private static let positionLimit = 1_000_000
}
