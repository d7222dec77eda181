// Finds identities that are local to the objects around: the questions of each survey are counted from 1.
//
//   {"surveys": [{"code": "S1", "questions": [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}]},
//                {"code": "S2", "questions": [{"id": 1, "text": "c"}]}]}
//
// The identifier of the survey, read at `@parent.code`, and the number of the question are one identity together. The
// number is a member that is called an identifier, or like its objects, and no value of it occurs more often than there
// are surveys. Questions with one number differ in all else. In `{"id": 7, "name": "Cost", "value": 3}` the name is the
// same wherever 7 occurs: 7 means one field everywhere, and the object only refers to it.

import Graft

/// Finds identities of a member and of the identifier of the object around.
struct LocalIdentitySearch {
  private let model: ModelDraft

  init(_ model: ModelDraft) { self.model = model }

  /// The fewest objects around, of which each has its own numbers.
  private static let leastOwners = 2

  /// Gives an identity to entities that have none of their own.
  ///
  /// - Parameter excluded: Returns the members of an entity that are no identities.
  func resolve(excluding excluded: (EntityDraft) -> Set<String>) {
    for draft in model.drafts {
      guard draft.form == .object, draft.identity == nil, draft.givenIdentity == nil,
        draft.reference == nil, draft.compositeReference == nil, draft.substitutes == nil,
        let owner = owner(of: draft), let outer = owner.identity?.key,
        let member = member(of: draft, in: owner)
      else { continue }
      let path = JSONPath([.parent, .member(outer)]).description
      let keys = [path, member.key].sorted()
      guard !excluded(draft).contains(keys.joined(separator: " + ")) else { continue }
      draft.givenIdentity = keys
      draft.compositeEvidence =
        "\(draft.objectCount) objects, each \(member.key) once in each of \(owner.objectCount) objects around"
      draft.outerIdentity = owner
    }
  }

  /// Returns the entity around objects that are all in one list of it; nil where it has no plain identity.
  private func owner(of draft: EntityDraft) -> EntityDraft? {
    guard draft.places.count == 1, let place = draft.places.first.map({ model.table[$0] }),
      place.link == .elements, place.steps.count == 1, let parent = place.parent
    else { return nil }
    let owner = model.draft(at: parent)
    guard owner !== draft, owner.form == .object, owner.objectCount >= Self.leastOwners,
      owner.substitutes == nil, let identity = owner.identity, identity.key != nil,
      identity.innerKey == nil, !identity.isPosition
    else { return nil }
    return owner
  }

  private func member(of draft: EntityDraft, in owner: EntityDraft) -> Shape.Member? {
    let found = draft.shape.members.filter { member in
      guard isNumber(member, of: draft), draft.holdsIdentifiers(member),
        let sample = member.shape.identity
      else { return false }
      return member.shape.scalars.sketch.distinctCount > 1
        && sample.records.allSatisfy { $0.count <= owner.objectCount }
        && followsNothing(from: member, sample, in: draft)
    }
    return found.count == 1 ? found[0] : nil
  }

  /// Returns whether a member is called an identifier or a number, or like the objects: the `section` of a section.
  private func isNumber(_ member: Shape.Member, of draft: EntityDraft) -> Bool {
    member.name.isStrong || IdentityNames.numbers.contains(member.name.lowercased)
      || draft.aliases.contains(member.name.words.singular.parts)
  }

  /// Returns whether objects with one identifier differ in all that differs at all, and in two members at least.
  private func followsNothing(
    from member: Shape.Member, _ sample: IdentitySample, in draft: EntityDraft
  ) -> Bool {
    let others = draft.shape.members.filter {
      $0.hash != member.hash && $0.shape.hasSeveralContents
        && $0.shape.count == draft.objectCount
    }
    return others.count > 1 && others.allSatisfy { sample.contradictedKeys[$0.hash] != nil }
  }
}
