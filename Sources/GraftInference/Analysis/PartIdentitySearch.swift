// Finds the identity of objects in a part of them:
//
//   [{"metadata": {"name": "web", "uid": "7b2d…"}, "spec": {…}}, …]        a uid or name in what a thing says of itself
//   [{"identifier": {"precise": "NMK.22", "scheme": "x"}, …}, …]           the only value that differs in an identifier
//
// The part must be in each object, and the value a different one in each. The part's name decides: the `owner` of a
// repository has an `id` too, which is the owner's. An object with no other content, such as
// `{"kind": "t3", "data": {"id": "x7", …}}`, is a wrapper around another object and gets no identity.

import Graft

/// Finds identities that are inside a part of the objects.
struct PartIdentitySearch {
  private let model: ModelDraft

  init(_ model: ModelDraft) { self.model = model }

  /// The parts that say what an object is; an identifier is one too.
  private static let parts: Set<String> = [
    "metadata", "meta", "attribute", "field", "property", "info", "header", "sys", "core", "basic",
    "identification", "identity", "descriptor", "data",
  ]

  /// Gives an identity to entities that have none of their own.
  ///
  /// - Parameter excluded: Returns the members of an entity that are no identities.
  func resolve(excluding excluded: (EntityDraft) -> Set<String>) {
    for draft in model.drafts {
      guard draft.form == .object, draft.identity == nil, draft.givenIdentity == nil,
        draft.objectCount > 1
      else { continue }
      let contents = draft.shape.members.count { !draft.composition(of: $0).isScalar }
      let excluded = excluded(draft)
      let found = draft.shape.members
        .filter { (contents > 1 || $0.name.isStrong) && !excluded.contains($0.key) }
        .compactMap { identity($0, of: draft) }
      guard found.count == 1, let (identity, part) = found.first else { continue }
      draft.identity = identity
      part.identity = nil
    }
  }

  private func identity(
    _ member: Shape.Member, of draft: EntityDraft
  ) -> (InferredIdentity, part: EntityDraft)? {
    let isIdentifier = member.name.isStrong
    guard isIdentifier || member.name.words.singular.parts.last.map(Self.parts.contains) == true,
      draft.composition(of: member) == .object, member.shape.nullCount == 0,
      member.shape.objectCount == draft.objectCount,
      let part = model.child(of: draft, at: [.member(member.key)]), part !== draft,
      part.form == .object, part.objectCount == draft.objectCount, part.outer == [draft.number],
      part.givenIdentity == nil, part.substitutes == nil, part.shape.eachMember == nil,
      part.shape.members.count > 1, !DraftChanges(model).isNamed(part),
      !model.isIdentityGiven(part)
    else { return nil }
    let candidates = part.shape.members.filter { isDifferent($0, in: part) }
    let ranked = candidates.compactMap { inner -> (rank: Int, member: Shape.Member)? in
      guard let rank = IdentityNames.rank(of: inner.name, aliases: draft.aliases) else {
        return isIdentifier && candidates.count == 1 ? (IdentityNames.greatestNameRank, inner) : nil
      }
      return rank <= IdentityNames.greatestNameRank ? (rank, inner) : nil
    }
    guard let best = ranked.min(by: { ($0.rank, $0.member.key) < ($1.rank, $1.member.key) })
    else { return nil }
    let identity = InferredIdentity(
      key: member.key, innerKey: best.member.key, scalars: best.member.shape.scalars,
      evidence: InferredIdentity.evidence(ofUnique: draft.objectCount))
    return (identity, part)
  }

  /// Returns whether a string or integer is different in each object.
  private func isDifferent(_ member: Shape.Member, in part: EntityDraft) -> Bool {
    let (shape, scalars) = (member.shape, member.shape.scalars)
    guard part.holdsIdentifiers(member),
      scalars.stringCount == 0 || !scalars.formats.contains(.anyDate), let sample = shape.identity
    else { return false }
    return sample.records.allSatisfy { $0.count == 1 }
      && (!scalars.sketch.isComplete || scalars.sketch.distinctCount == part.objectCount)
  }
}
