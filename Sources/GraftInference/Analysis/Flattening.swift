// Decides which objects become part of the object around them, without an entity: {"id": 7,
// "position": {"x": 1, "y": 2}} has the attributes `x` and `y`, at the paths `position.x` and
// `position.y`.
//
// An object becomes part of the one around it if it is found under one key of one entity, has no identity, has no more
// than eight members and is never null or absent. Exceptions:
//
// - One that holds nothing but arrays may be absent, since an absent array is an empty one.
// - One that has the identity of the objects around, of one kind or of several, becomes part of these, whatever its size.
// - These stay entities: an object that names its type (`"type": "Polygon"`), objects that a scalar replaces elsewhere,
//   and an object that occurs once and has a name and lists of others.
// - An object of scalars with a fixed key beside those of a dictionary stays JSON, `{"$meta": {"page": 1}, "a": {…}, "b":
//   {…}}`: only where an attribute reads it, an import does not take it for one of the dictionary's objects.
// - One whose members depend on a tag of the object around it becomes part of that, whatever its size.
// - One that has a single value, or that only refers to an object elsewhere, becomes part of whatever it is found in.
// - One whose key names the type of its value, `{"isbn": {"S": "…"}}`, may be absent too.
// - In a list, one that has nothing but a reference does too: {"tags": [{"id": 7}, {"id": 9}]} refers to tags. Where
//   objects have more to them, or a list has one twice, an export could not write them again.

import Graft

/// Merges the objects of some drafts into the objects around them.
struct Flattening {
  /// The most members of an object that becomes part of the one around it.
  private static let memberLimit = 8

  private let model: ModelDraft

  init(_ model: ModelDraft) { self.model = model }

  func run() {
    // An export can distinguish fixed keys from the keys of a dictionary only in an object of its own.
    for draft in model.drafts
    where draft.form == .object && draft.identity == nil && draft.shape.eachMember == nil
      && draft.substitutes == nil && !DraftChanges(model).isNamed(draft)
    {
      if isBesideDictionary(draft) {
        draft.isJSON = true
        continue
      }
      if isReference(draft)
        ? isPart(draft)
        : isTypedValue(draft)
          ? holders(of: draft) != nil : isSingleValue(draft) && isAlwaysPart(draft)
      {
        draft.isFlattened = true
        continue
      }
      if hasIdentitiesOfOwners(draft), isAlwaysPart(draft) {
        draft.isFlattened = true
        continue
      }
      guard draft.compositeReference == nil, draft.givenIdentity == nil,
        model.rootNumber(of: draft) == nil,
        let place = onlyPlace(of: draft), let parent = place.parent,
        place.link == .one
      else { continue }
      let owner = model.draft(at: parent)
      guard !draft.namesItsType else { continue }
      // {"seller": {"party": {…}}, "buyer": {"party": {…}}} has two parties.
      let isFoundTwice = owner.places.count > 1 && onlyPlace(of: owner) == nil
      guard !isFoundTwice || !isSingleValue(owner) else { continue }
      guard owner !== draft, let step = place.steps.first, case .member(let key) = step,
        let member = owner.shape.member(named: key), owner.form == .object,
        owner.composition(of: Fingerprint.of(key)) == .object
      else { continue }
      let isAlwaysThere =
        member.nullCount == 0 && member.objectCount >= owner.shape.objectCount
      let isSmall = draft.shape.members.count <= Self.memberLimit && !isThing(draft)
      let isDivided = isAlwaysThere && dividesWithOwner(draft, key, owner)
      draft.isFlattened = isAlwaysThere && isSmall || holdsOnlyArrays(draft) || isDivided
    }
  }

  /// Returns whether objects have nothing but scalars, and are all under fixed keys beside those of a dictionary of objects.
  private func isBesideDictionary(_ draft: EntityDraft) -> Bool {
    draft.reference == nil && draft.compositeReference == nil && draft.givenIdentity == nil
      && draft.shape.members.allSatisfy { draft.composition(of: $0).isScalar }
      && draft.places.allSatisfy { number in
        guard let parent = model.table[number].parent, model.table[number].link == .one else {
          return false
        }
        return model.table[parent].shape.eachMember.map { Composition($0) == .object } == true
      }
  }

  /// Returns whether an object has a name, and lists of others: the conference in
  /// `{"conference": {"title": "C", "rooms": [{…}], "days": [{…}]}}`.
  private func isThing(_ draft: EntityDraft) -> Bool {
    draft.objectCount == 1
      && draft.shape.members.contains { member in
        draft.composition(of: member) == .string
          && ["name", "title"].contains(member.name.words.parts.last)
      }
      && draft.shape.members.contains { draft.composition(of: $0) == .objects }
  }

  /// Returns whether objects have one member, such as `{"self": "https://…"}` or `{"self": {"href": "…"}}`.
  private func isSingleValue(_ draft: EntityDraft) -> Bool {
    guard draft.compositeReference == nil, draft.givenIdentity == nil, draft.reference == nil,
      draft.shape.members.count == 1, let member = draft.shape.members.first
    else { return false }
    let composition = draft.composition(of: member)
    let isWrapper =
      composition == .object && model.child(of: draft, at: [.member(member.key)]) !== draft
    return (composition.isScalar || isWrapper)
      && member.shape.count - member.shape.nullCount >= draft.shape.objectCount
  }

  /// Returns whether the only key of objects names the type of the value, as in several databases:
  /// `{"S": "x"}`, `{"stringValue": "x"}`, `{"$date": "…"}`, `{"L": [{"S": "x"}]}`.
  private func isTypedValue(_ draft: EntityDraft) -> Bool {
    guard draft.compositeReference == nil, draft.givenIdentity == nil, draft.reference == nil,
      draft.shape.members.count == 1, let member = draft.shape.members.first,
      member.name.namesType, member.shape.nullCount == 0
    else { return false }
    let composition = draft.composition(of: member)
    return composition.isScalar || composition == .objects
  }

  /// Returns whether objects only refer to others, such as `{"id": 7, "name": "Plan"}`.
  private func isReference(_ draft: EntityDraft) -> Bool {
    draft.reference != nil
      && draft.shape.members.allSatisfy { draft.composition(of: $0).isScalar }
  }

  /// Returns whether each object of a draft is a single object in an object of another entity, or an element of a list
  /// of references.
  ///
  /// A reference to an object elsewhere may be null or absent: {"assignee": null} refers to none.
  private func isPart(_ draft: EntityDraft) -> Bool {
    guard let member = draft.shape.members.first else { return false }
    let isAlone = draft.shape.members.count == 1 && member.shape.nullCount == 0
    return holders(of: draft, mayBeListed: isAlone) != nil
  }

  /// Returns whether objects around a draft's objects have their identity in these.
  private func hasIdentitiesOfOwners(_ draft: EntityDraft) -> Bool {
    draft.places.contains { number in
      let place = model.table[number]
      guard let parent = place.parent, let identity = model.draft(at: parent).identity else {
        return false
      }
      return identity.innerKey != nil && identity.key == place.key
    }
  }

  /// Returns whether every possible owner of a draft's objects has one.
  func isAlwaysPart(_ draft: EntityDraft) -> Bool {
    holders(of: draft)?.allSatisfy { owner, holder in
      holder.nullCount == 0 && holder.objectCount >= owner.shape.objectCount
    } ?? false
  }

  /// Returns the owners of a draft's objects, with the shape of each.
  ///
  /// - Returns: The owners; nil if some objects are not under a key of an owner, each alone or, with `mayBeListed`, in a
  ///   list without duplicates.
  private func holders(
    of draft: EntityDraft, mayBeListed: Bool = false
  ) -> [(owner: EntityDraft, holder: Shape)]? {
    var holders: [(EntityDraft, Shape)] = []
    for place in draft.places.map({ model.table[$0] }) {
      guard let parent = place.parent, place.steps.count == 1,
        case .member(let key)? = place.steps.first
      else { return nil }
      let owner = model.draft(at: parent)
      guard owner !== draft, owner.form == .object, let holder = owner.shape.member(named: key)
      else { return nil }
      switch owner.composition(of: Fingerprint.of(key)) {
      case .object where place.link == .one: break
      case .objects where place.link == .elements && mayBeListed:
        guard !holder.hasRepeatedElements, holder.singleCount == 0 else { return nil }
      default: return nil
      }
      holders.append((owner, holder))
    }
    return holders
  }

  /// Returns whether a tag of the object around it decides an object's members, as for the payload of an event.
  private func dividesWithOwner(_ draft: EntityDraft, _ key: String, _ owner: EntityDraft) -> Bool {
    let hash = Fingerprint.of(key)
    return model.variants(of: owner)?.nested.keys.count { $0.first == hash } ?? 0 >= 2
  }

  /// Returns the place of a draft's objects, where all are found in the same way in objects of one
  /// entity.
  private func onlyPlace(of draft: EntityDraft) -> Place? {
    let places = draft.places.map { model.table[$0] }
    guard let first = places.first, let parent = first.parent else { return nil }
    let isAlone = places.allSatisfy { place in
      place.steps == first.steps
        && place.parent.map { model.draft(at: $0) === model.draft(at: parent) } ?? false
    }
    return isAlone ? first : nil
  }

  private func holdsOnlyArrays(_ draft: EntityDraft) -> Bool {
    draft.shape.members.allSatisfy { member in
      switch draft.composition(of: member) {
      case .objects, .emptyArray: true
      case .object:
        model.child(of: draft, at: [.member(member.key)]).map { inner in
          inner.identity == nil && inner !== draft && onlyPlace(of: inner) != nil
            && inner.shape.members.allSatisfy {
              [.objects, .emptyArray].contains(inner.composition(of: $0))
            }
        } ?? false
      default: false
      }
    }
  }
}
