// Finds the identity of objects in a part of them:
//
//   [{"metadata": {"name": "web", "uid": "7b2d…"}, "spec": {…}}, …]        a uid or name in what a thing says of itself
//   [{"identifier": {"precise": "NMK.22", "scheme": "x"}, …}, …]           the only value that differs in an identifier
//
// The part must be in each object, and the value a different one in each. The part's name decides: the `owner` of a
// repository has an `id` too, which is the owner's. An object with no other content, such as
// `{"kind": "t3", "data": {"id": "x7", …}}`, is a wrapper around another object and gets no identity.
//
// Several kinds of objects may have the same part: `{"entries": [{"sys": {"id": "e1"}, "title": "x"}, …], "assets": [{"sys":
// {"id": "a1"}, "file": {…}}, …]}`. Each kind has its own identity then, unless the part is a thing by itself: one that is
// found in several objects of a kind, and is the same in all of them.

import Graft

/// Finds identities that are inside a part of the objects.
struct PartIdentitySearch {
  private let model: ModelDraft

  init(_ model: ModelDraft) { self.model = model }

  /// The parts that say what an object is, beside any other content; an identifier is one too.
  private static let notes: Set<String> = [
    "metadata", "meta", "info", "header", "sys", "core", "basic", "identification", "identity",
    "descriptor",
  ]
  /// The parts that say what an object is if it has other parts.
  private static let parts: Set<String> = ["attribute", "field", "property", "data"]

  /// Gives an identity to entities that have none of their own.
  ///
  /// - Parameter excluded: Returns the members of an entity that are no identities.
  func resolve(excluding excluded: (EntityDraft) -> Set<String>) {
    for draft in model.drafts {
      guard draft.form == .object, draft.givenIdentity == nil, draft.objectCount > 1,
        draft.identity == nil || hasOnlyName(draft)
      else { continue }
      let excluded = excluded(draft)
      let found = draft.shape.members.filter { !excluded.contains($0.key) }
        .compactMap { identity($0, of: draft) }
      guard found.count == 1, let (identity, part) = found.first,
        draft.identity == nil || identity.innerKey.map(IdentityNames.isStrong) == true
      else { continue }
      draft.identity = identity
      part.identity = nil
    }
  }

  private func identity(
    _ member: Shape.Member, of draft: EntityDraft
  ) -> (InferredIdentity, part: EntityDraft)? {
    guard isPart(member, of: draft), draft.composition(of: member) == .object,
      member.shape.nullCount == 0, member.shape.objectCount == draft.objectCount,
      let part = model.child(of: draft, at: [.member(member.key)]), part !== draft,
      part.form == .object, part.givenIdentity == nil, part.substitutes == nil,
      part.shape.eachMember == nil, !DraftChanges(model).isNamed(part),
      !model.isIdentityGiven(part),
      part.outer == [draft.number]
        ? part.objectCount == draft.objectCount : Flattening(model).isAlwaysPart(part),
      part.shape.members.count > 1 || isNote(member)
    else { return nil }
    // Several kinds of objects may have such a part.
    let own = objects(under: member.key, of: draft)
    let others = part.outer.filter { $0 != draft.number }
      .map { objects(under: member.key, of: model.drafts[$0]) }
    let candidates = own.shape.members.filter { inner in
      isDifferent(inner, in: own)
        && (part.identity == nil || others.allSatisfy { isDifferent(inner, in: $0) })
    }
    let ranked = candidates.compactMap { inner -> (rank: Int, member: Shape.Member)? in
      guard let rank = IdentityNames.rank(of: inner.name, aliases: draft.aliases) else {
        return member.name.isStrong && candidates.count == 1
          ? (IdentityNames.greatestNameRank, inner) : nil
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

  /// Returns whether objects are identified by a name, which is a different one in each.
  private func hasOnlyName(_ draft: EntityDraft) -> Bool {
    guard let identity = draft.identity, !identity.isProved, let key = identity.key else {
      return false
    }
    return IdentityNames.rank(of: key, aliases: draft.aliases) ?? 0 > IdentityNames.addressRank
  }

  /// Returns whether the name of a member, and what is beside it, say that it describes the objects.
  private func isPart(_ member: Shape.Member, of draft: EntityDraft) -> Bool {
    if member.name.isStrong { return true }
    let others = draft.shape.members.filter { $0.hash != member.hash }
    if others.contains(where: { !draft.composition(of: $0).isScalar }) {
      return isNote(member) || hasLastWord(member, in: Self.parts)
    }
    return isNote(member) && others.contains { $0.shape.hasSeveralContents && !$0.name.isTag }
  }

  private func isNote(_ member: Shape.Member) -> Bool { hasLastWord(member, in: Self.notes) }

  private func hasLastWord(_ member: Shape.Member, in words: Set<String>) -> Bool {
    member.name.words.singular.parts.last.map(words.contains) == true
  }

  /// Returns the objects under a key of one entity, by themselves.
  private func objects(under key: String, of owner: EntityDraft) -> EntityDraft {
    EntityDraft(
      number: owner.number,
      places: owner.places.compactMap { model.table.children[$0][[.member(key)]] }, in: model.table)
  }

  /// Returns whether a string or integer is different in each object.
  private func isDifferent(_ member: Shape.Member, in part: EntityDraft) -> Bool {
    guard let member = part.shape.members.first(where: { $0.hash == member.hash }) else {
      return false
    }
    let (shape, scalars) = (member.shape, member.shape.scalars)
    guard part.holdsIdentifiers(member),
      scalars.stringCount == 0 || !scalars.formats.contains(.anyDate), let sample = shape.identity
    else { return false }
    return sample.records.allSatisfy { $0.count == 1 }
      && (!scalars.sketch.isComplete || scalars.sketch.distinctCount == part.objectCount)
  }
}
