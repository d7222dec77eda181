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
// {"id": "a1"}, "file": {…}}, …]}`. Each kind has its own identity then, unless one part is found in several objects: it
// is a thing by itself. And a part with the identifier of an object elsewhere only refers to that.

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

  /// Gives an identity to entities that have none of their own, or only a name.
  ///
  /// - Parameter excluded: Returns the members of an entity that are no identities.
  func resolve(excluding excluded: (EntityDraft) -> Set<String>) {
    let identified = model.drafts.filter { $0.identity != nil }
    let search = Search(
      identified: identified,
      identities: SketchIndex(identified.map { $0.identity?.scalars.sketch ?? ValueSketch() }))
    var parts: [Int: Part] = [:]
    var found: [(draft: EntityDraft, identity: InferredIdentity, part: EntityDraft)] = []
    for draft in model.drafts {
      guard draft.form == .object, draft.givenIdentity == nil, draft.objectCount > 1,
        draft.identity == nil || hasOnlyName(draft)
      else { continue }
      let excluded = excluded(draft)
      let identities = draft.shape.members.filter { !excluded.contains($0.key) }
        .compactMap { identity($0, of: draft, &parts, search) }
      guard identities.count == 1, let (identity, part) = identities.first,
        draft.identity == nil || identity.innerKey.map(IdentityNames.isStrong) == true
      else { continue }
      found.append((draft, identity, part))
    }
    for change in found { change.draft.identity = change.identity }
    for change in found { change.part.identity = nil }
  }

  /// The identities that entities have by themselves.
  private struct Search {
    let identified: [EntityDraft]
    let identities: SketchIndex

    /// Returns whether all values of a member of a part are identities of objects that have more to them.
    func refers(_ member: Shape.Member, of part: EntityDraft) -> Bool {
      let values = member.shape.scalars.sketch
      return identities.sketches(near: values).contains { number in
        let target = identified[number]
        guard target !== part, let identity = target.identity,
          target.shape.members.count > part.shape.members.count
        else { return false }
        let overlap = values.overlap(with: identity.scalars.sketch)
        return overlap.common > 1 && overlap.common == overlap.compared
      }
    }
  }

  /// A part of the objects of one kind or of several.
  private struct Part {
    /// The kind of the objects around, and the steps from these to the part.
    struct Holder: Hashable {
      let owner: Int
      let steps: [JSONPath.Step]
    }

    /// The part's objects by themselves for each holder.
    let objects: [Holder: EntityDraft]
    /// Whether each object that may have the part has it.
    let isAlwaysThere: Bool
    /// The fingerprints of the members that are different in each object of every kind; nil if others may be an identity too.
    let differing: Set<UInt64>?
  }

  private func makePart(_ part: EntityDraft) -> Part {
    var places: [Part.Holder: [Int]] = [:]
    for number in part.places {
      guard let parent = model.table[number].parent else { continue }
      let holder = Part.Holder(
        owner: model.draft(at: parent).number, steps: model.table[number].steps)
      places[holder, default: []].append(number)
    }
    let objects = places.mapValues {
      EntityDraft(number: part.number, places: $0, in: model.table)
    }
    // A part with an identity of its own is a thing, unless it is another one in each object.
    let differing = part.identity.map { _ in
      Set(
        part.shape.members.filter { member in
          objects.values.allSatisfy { isDifferent(member.hash, in: $0) }
        }.map(\.hash))
    }
    return Part(
      objects: objects, isAlwaysThere: Flattening(model).isAlwaysPart(part), differing: differing)
  }

  private func identity(
    _ member: Shape.Member, of draft: EntityDraft, _ parts: inout [Int: Part], _ search: Search
  ) -> (InferredIdentity, part: EntityDraft)? {
    guard isPart(member, of: draft), draft.composition(of: member) == .object,
      member.shape.nullCount == 0, member.shape.objectCount == draft.objectCount,
      let part = model.child(of: draft, at: [.member(member.key)]), part !== draft,
      part.form == .object, part.givenIdentity == nil, part.substitutes == nil,
      part.shape.eachMember == nil, !DraftChanges(model).isNamed(part),
      !model.isIdentityGiven(part), part.shape.members.count > 1 || isNote(member)
    else { return nil }
    let known = parts[part.number] ?? makePart(part)
    parts[part.number] = known
    guard
      let own = known.objects[Part.Holder(owner: draft.number, steps: [.member(member.key)])],
      known.objects.count == 1 ? own.objectCount == draft.objectCount : known.isAlwaysThere
    else { return nil }
    let candidates = own.shape.members.filter { inner in
      known.differing?.contains(inner.hash) != false && isDifferent(inner.hash, in: own)
        && !search.refers(inner, of: part)
    }
    let ranked = candidates.compactMap { inner -> (rank: Int, member: Shape.Member)? in
      guard let rank = IdentityNames.rank(of: inner.name, aliases: draft.aliases) else {
        return member.name.isStrong && candidates.count == 1
          ? (IdentityNames.greatestNameRank, inner) : nil
      }
      return rank <= IdentityNames.greatestNameRank ? (rank, inner) : nil
    }
    guard let best = ranked.min(by: { ($0.rank, $0.member.key) < ($1.rank, $1.member.key) }),
      member.name.isStrong || best.member.name.isStrong || hasOtherParts(draft, than: member)
    else { return nil }
    let identity = InferredIdentity(
      key: member.key, innerKey: best.member.key, scalars: best.member.shape.scalars,
      evidence: InferredIdentity.evidence(ofUnique: draft.objectCount))
    return (identity, part)
  }

  /// Returns whether objects are identified by a name that the data does not prove.
  private func hasOnlyName(_ draft: EntityDraft) -> Bool {
    guard let identity = draft.identity, !identity.isConfirmed, let key = identity.key else {
      return false
    }
    return IdentityNames.isName(IdentityNames.rank(of: key, aliases: draft.aliases) ?? 0)
  }

  /// Returns whether the name of a member, and what is beside it, say that it describes the objects.
  private func isPart(_ member: Shape.Member, of draft: EntityDraft) -> Bool {
    if member.name.isStrong { return true }
    if hasOtherParts(draft, than: member) {
      return isNote(member) || hasLastWord(member, in: Self.parts)
    }
    return isNote(member)
      && draft.shape.members.contains { other in
        other.hash != member.hash && other.shape.hasSeveralContents && !other.name.isTag
      }
  }

  /// Returns whether objects have anything but scalars beside a member.
  private func hasOtherParts(_ draft: EntityDraft, than member: Shape.Member) -> Bool {
    draft.shape.members.contains {
      $0.hash != member.hash && !draft.composition(of: $0).isScalar
    }
  }

  private func isNote(_ member: Shape.Member) -> Bool { hasLastWord(member, in: Self.notes) }

  private func hasLastWord(_ member: Shape.Member, in words: Set<String>) -> Bool {
    member.name.words.singular.parts.last.map(words.contains) == true
  }

  /// Returns whether a string or integer is different in each object.
  private func isDifferent(_ hash: UInt64, in part: EntityDraft) -> Bool {
    guard let member = part.shape.members.first(where: { $0.hash == hash }) else { return false }
    let (shape, scalars) = (member.shape, member.shape.scalars)
    guard part.holdsIdentifiers(member),
      scalars.stringCount == 0 || !scalars.formats.contains(.anyDate), let sample = shape.identity
    else { return false }
    return sample.records.allSatisfy { $0.count == 1 }
      && (!scalars.sketch.isComplete || scalars.sketch.distinctCount == part.objectCount)
  }
}
