// Finds objects that only refer to others: in {"author": {"type": "people", "id": "9"}} the person
// is described elsewhere, as {"type": "people", "id": "9", "name": "Ann", …}.

import Graft

/// Finds drafts whose objects only refer to objects of another draft.
struct ReferenceObjectSearch {
  private let model: ModelDraft
  /// The drafts that had an identity when the search began; a search gives none to any other draft.
  private let identified: [EntityDraft]

  init(_ model: ModelDraft) {
    self.model = model
    identified = model.drafts.filter { $0.identity?.key != nil || $0.compositeEvidence != nil }
  }

  /// Turns each draft into a reference to another one, if its objects only refer to that one's objects.
  func resolve() {
    guard !identified.isEmpty else { return }
    for draft in model.drafts {
      findReference(draft)
      findCompositeReference(draft)
      dropBorrowedIdentity(of: draft)
    }
  }

  /// Finds the target of objects such as `{"type": "people", "id": "9"}`: an entity with the same
  /// `id` values and more members.
  private func findReference(_ draft: EntityDraft) {
    guard draft.form == .object, model.rootNumber(of: draft) == nil, draft.givenIdentity == nil
    else { return }
    let count = draft.shape.members.count
    let own = draft.identity?.key
    let targets = identified.filter { target in
      guard target !== draft, let identity = target.identity, let key = identity.key,
        count <= PlacePair.excerptLimit
          || key == own
            && (count * 2 <= target.shape.members.count || isCopy(draft, of: target, at: key)),
        target.shape.members.count > count
          || Self.countOfContents(target) > Self.countOfContents(draft)
      else { return false }
      guard let member = draft.shape.member(named: key) else { return false }
      guard key == own else { return isMentioned(target, by: draft, at: key) }
      guard
        draft.shape.members.allSatisfy({ Self.repeats($0, of: draft, at: key, target) })
          || isShortForm(draft, of: target, at: key)
      else { return false }
      let overlap = member.scalars.sketch.overlap(with: identity.scalars.sketch)
      // One `{"id": "standard", "index": 0}` beside a layer of that `id` and `index` is equal by chance.
      let isChance =
        overlap.common == 1
        && draft.shape.members.contains { $0.key != key && $0.shape.scalars.areSmall }
      if overlap.common > 0, !isChance, overlap.common * 10 >= overlap.compared * 9 { return true }
      guard overlap.common > 1, overlap.common * 2 >= overlap.compared else { return false }
      // If both have the same name, the document may not describe some of the objects.
      if !draft.aliases.isDisjoint(with: target.aliases) { return true }
      // Nor may a page of them, if no other objects have such identifiers: edges lead to nodes on the next page.
      return overlap.common > 2 && identity.scalars.areWide
        && !identified.contains { other in
          guard other !== target, other !== draft, let own = other.identity else { return false }
          return own.scalars.sketch.overlap(with: member.scalars.sketch).common > 0
        }
    }
    // Several may have the identity: a `scanner` is one of the scanners then.
    let target = targets.first { !$0.aliases.isDisjoint(with: draft.aliases) } ?? targets.first
    guard let target, let identity = target.identity?.key else { return }
    draft.identity = nil
    draft.reference = (identity, target.number)
    target.mentions.formUnion(draft.aliases)
  }

  /// Returns whether objects have some members of others, with the same values wherever the identity is the same.
  ///
  /// A `creator` with ten members of a user is that user. Objects in a list are described by that list.
  private func isCopy(_ draft: EntityDraft, of target: EntityDraft, at key: String) -> Bool {
    guard draft.places.allSatisfy({ model.table[$0].link == .one }),
      let mine = draft.shape.member(named: key)?.identity,
      let theirs = target.shape.member(named: key)?.identity, mine.contradictedKeys.isEmpty
    else { return false }
    let evidence = mine.agreement(with: theirs)
    return evidence.common > 1 && evidence.equal + evidence.similar == evidence.common
  }

  /// Returns whether objects are short or older forms of others: `{"id": "a7", "name": "Blue", "tracks": ["t1"]}` of
  /// `{"id": "a7", "name": "Blue (Deluxe)", "tracks": ["t1", "t2"], "year": 1971}`.
  ///
  /// A plan 1 called `Gold` is no user 1 called `Ann`. So values may differ only in three cases: the identifiers are no small
  /// numbers, the key names the others, or most of the objects agree.
  private func isShortForm(
    _ draft: EntityDraft, of target: EntityDraft, at key: String
  ) -> Bool {
    guard draft.shape.members.count > 1, let mine = draft.shape.member(named: key)?.identity,
      let theirs = target.shape.member(named: key)?.identity,
      draft.shape.members.allSatisfy({ isValue($0, of: draft, asIn: target) })
    else { return false }
    let evidence = mine.agreement(with: theirs)
    let isProof =
      evidence.common > 1
      && (evidence.contradicting * 2 <= evidence.common
        || target.identity.map { $0.scalars.areWide } == true)
    return isProof
      || draft.aliases.contains { alias in
        ReferenceName(alias.joined(separator: " "), draft: draft, target: target).score >= 2
      }
  }

  /// Returns whether a member of objects is a scalar or a list of scalars, as for the objects of another draft.
  private func isValue(
    _ member: Shape.Member, of draft: EntityDraft, asIn target: EntityDraft
  ) -> Bool {
    guard let theirs = target.composition(of: member.hash) else { return false }
    let both = draft.composition(of: member).combined(with: theirs)
    return both.isScalar || [.scalars, .emptyArray, .null].contains(both)
  }

  /// Returns whether objects have the identity of others under a key that is none of their own, and repeat what else
  /// they have: the `contractor` in `{"contractor": {"partyId": 7, "name": "Ann"}}` is one of the `parties`.
  ///
  /// An object with an identifier of its own, or with anything that the others lack, only refers to one of them.
  private func isMentioned(_ target: EntityDraft, by draft: EntityDraft, at key: String) -> Bool {
    guard let member = draft.shape.members.first(where: { $0.key == key }),
      let identity = target.identity, draft.composition(of: member).isScalar,
      member.shape.count - member.shape.nullCount >= draft.objectCount,
      !(draft.identity?.key.map { IdentityNames.isStrong($0) || IdentityNames.isCode($0) } ?? false),
      !member.shape.scalars.areSmall,
      draft.shape.members.allSatisfy({
        target.shape.member($0.hash) != nil && Self.repeats($0, of: draft, at: key, target)
      })
    else { return false }
    let overlap = member.shape.scalars.sketch.overlap(with: identity.scalars.sketch)
    return overlap.common > 1 && overlap.common == overlap.compared
  }

  /// Finds the target of objects such as `{"type": "people", "id": "9"}` where both members together are its identity.
  private func findCompositeReference(_ draft: EntityDraft) {
    guard draft.form == .object, model.rootNumber(of: draft) == nil, draft.shape.members.count == 2,
      let (pair, sample) = draft.shape.pairs.first, draft.shape.pairs.count == 1
    else { return }
    let keys = draft.shape.members.map(\.key).sorted()
    let target = identified.first { target in
      guard target !== draft, target.compositeEvidence != nil, target.givenIdentity == keys,
        target.shape.members.count > 2,
        let identities = target.shape.pairs.first(where: { $0.pair == pair })?.sample
      else { return false }
      return Set(sample.values).isSubset(of: identities.values)
    }
    guard let target else { return }
    draft.identity = nil
    draft.givenIdentity = nil
    draft.compositeEvidence = nil
    draft.compositeReference = target.number
  }

  /// Removes the identity of objects such as `{"login": "ann", "type": "analyst"}`, where it is another name of
  /// objects elsewhere that have more to them and an identity of their own.
  ///
  /// `{"name": "Ann", "join": " & ", "artist": {"id": 7, "name": "Ann", …}}` is a mention of an artist.
  private func dropBorrowedIdentity(of draft: EntityDraft) {
    if isInitialOfOthers(draft) { draft.identity = nil }
    guard let identity = draft.identity, let key = identity.key, !IdentityNames.isStrong(key),
      !IdentityNames.isForeign(Words(key).parts),
      let rank = IdentityNames.rank(of: key, aliases: []), draft.form == .object,
      draft.givenIdentity == nil, draft.shape.members.count <= 3
    else { return }
    let inner = draft.shape.members.filter { !draft.composition(of: $0).isScalar }
      .map { model.child(of: draft, at: [.member($0.key)]) }
    guard inner.count <= 1, rank <= 5 || !inner.isEmpty else { return }
    let isBorrowed = identified.contains { target in
      guard target !== draft, inner.allSatisfy({ $0 === target }),
        let own = target.identity?.key, own != key,
        let member = target.shape.member(named: key), member.identity != nil,
        target.shape.members.count >= (inner.isEmpty ? 6 : 2)
      else { return false }
      let overlap = identity.scalars.sketch.overlap(with: member.scalars.sketch)
      return overlap.common >= 2 && overlap.common == overlap.compared
    }
    if isBorrowed { draft.identity = nil }
  }

  /// Returns whether objects have an identifier with their initial, and its values are identities of others: the `rid` in
  /// `{"reference": {"rid": "c6a5-3877"}}` is the `id` of a resource.
  private func isInitialOfOthers(_ draft: EntityDraft) -> Bool {
    guard draft.givenIdentity == nil, let identity = draft.identity, let key = identity.key,
      IdentityNames.isInitial(MemberName(key), of: draft.aliases),
      identity.scalars.areWide
    else { return false }
    return identified.contains { target in
      guard target !== draft, let own = target.identity, own.key != key else { return false }
      let overlap = identity.scalars.sketch.overlap(with: own.scalars.sketch)
      return overlap.common > 1 && overlap.common * 2 >= overlap.compared
    }
  }

  /// Returns the number of members that say more of objects than what they are and where they are found.
  private static func countOfContents(_ draft: EntityDraft) -> Int {
    draft.shape.members.count { !IdentityNames.isMark($0.key) }
  }

  /// Returns whether a member repeats the type, the address or a value of the target.
  private static func repeats(
    _ member: Shape.Member, of draft: EntityDraft, at key: String, _ target: EntityDraft
  ) -> Bool {
    if member.key == key || draft.shape.members.count <= 3 && IdentityNames.isMark(member.key) {
      return true
    }
    let composition = draft.composition(of: member)
    guard composition.isScalar || composition == target.composition(of: member.hash),
      target.shape.member(member.hash) != nil,
      let mine = draft.shape.member(named: key)?.identity,
      let theirs = target.shape.member(named: key)?.identity
    else { return false }
    return mine.agreement(with: theirs).contradicting == 0
  }
}
