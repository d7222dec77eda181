// Finds the strings and numbers that identify objects elsewhere. `"topicIds": [324846099]` refers to topics if the values are
// among their identities.
//
//   identities     first: one that belongs to other objects is dropped, and nothing refers to it
//   keys           before members: a dictionary's keys name the objects of a list, and not the reverse
//   members        each refers to the best of several entities
//   the same key   decides where one value proves nothing
//   copied names   beside an identifier of the same object are attributes again
//
// `ReferenceCandidate` weighs the evidence for one property and one entity. Other ways to name objects have their own types:
// `NamedObjectSearch`, `EntryName` and `KindReference`.

import Graft

/// Finds the properties that hold identities of other entities.
struct ReferenceSearch {
  private let drafts: [EntityDraft]
  private let minimumCertainty: InferenceFinding.Certainty
  /// The identities of the drafts, as indexes of `drafts`.
  private let identities: SketchIndex
  private let names: NamedObjectSearch

  // Finds sketches that share a value with a property, and compares the property with these only: a
  // document with a thousand entities would have millions of pairs.
  init(drafts: [EntityDraft], minimumCertainty: InferenceFinding.Certainty) {
    self.drafts = drafts
    self.minimumCertainty = minimumCertainty
    identities = SketchIndex(drafts.map { $0.identity?.scalars.sketch ?? ValueSketch() })
    names = NamedObjectSearch(drafts)
  }

  /// Turns properties into references.
  func resolve() {
    forgetEmptyStrings()
    resolve { property, draft in
      property.path != [.key] && draft.identity?.path == property.path
    }
    leaveUnidentified()
    resolve { property, _ in property.path == [.key] }
    resolve { property, _ in property.path != [.key] }
    resolveLikeOthers()
    for draft in drafts { dropCopiedNames(of: draft) }
  }

  private func resolve(where isNext: (PropertyDraft, EntityDraft) -> Bool) {
    for draft in drafts {
      for index in draft.properties.indices where isNext(draft.properties[index], draft) {
        resolve(index, of: draft)
      }
    }
  }

  /// Forgets empty strings, which refer to nothing: `{"manager": ""}`.
  private func forgetEmptyStrings() {
    for draft in drafts {
      for property in draft.properties where property.scalars.emptyStringCount > 0 {
        property.scalars = property.scalars.withoutEmptyString
      }
    }
  }

  // MARK: One property

  private func resolve(_ index: Int, of draft: EntityDraft) {
    let property = draft.properties[index]
    guard case .attribute = property.role, !property.isReferredTo, property.path.first != .parent,
      isCandidate(property)
    else { return }
    let targets = identities.sketches(near: property.scalars.sketch).map { drafts[$0] }
    let matches = targets.compactMap {
      ReferenceCandidate(property, of: draft, to: $0, among: drafts)?.match
    }
    var best = bestMatch(matches, for: property, of: draft, among: targets)
    if best == nil {
      if referToKind(index, of: draft) { return }
      best = matches.lazy.filter { $0.standing == .doubtful }.best
    }
    if let best {
      refer(index, of: draft, by: best)
    } else {
      property.pathTarget = PathReference(property, of: draft, identities, drafts)
    }
  }

  /// Returns whether the values are strings or whole numbers, alone or in lists.
  private func isCandidate(_ property: PropertyDraft) -> Bool {
    let scalars = property.scalars
    guard scalars.count > 0, scalars.fractionCount == 0, scalars.largeCount == 0,
      scalars.stringCount == 0 || scalars.integerCount == 0, scalars.sketch.distinctCount > 0
    else { return false }
    switch property.composition {
    case .number, .string: return true
    case .scalars: return property.shape.element?.booleanCount == 0
    default: return false
    }
  }

  private func isIdentity(_ property: PropertyDraft, of draft: EntityDraft) -> Bool {
    draft.identity?.path == property.path
  }

  // MARK: The best of several matches

  /// Returns the match that is accepted: by the identity of objects, by another name of theirs, or as one of those beside.
  private func bestMatch(
    _ matches: [ReferenceMatch], for property: PropertyDraft, of draft: EntityDraft,
    among targets: [EntityDraft]
  ) -> ReferenceMatch? {
    var best = identityMatch(matches, for: property, of: draft)
    if best == nil, property.path == [.key] || !isIdentity(property, of: draft) {
      best =
        names.match(property, of: draft) ?? EntryName.match(property, of: draft, among: targets)
    }
    // {"id": "standard", "type": "WGS84"} beside a layer `standard`, once, is none.
    if let found = best, found.score < 2, found.common == 1, identifiesOwn(property, of: draft) {
      return nil
    }
    return best
  }

  private func identityMatch(
    _ matches: [ReferenceMatch], for property: PropertyDraft, of draft: EntityDraft
  ) -> ReferenceMatch? {
    var best = matches.filter { $0.standing == .accepted }.best
    if let list = best, list.target === draft, draft.form == .array {
      best = listedObjects(matches, of: draft, atLeast: list.share) ?? list
    }
    if best == nil, matches.count == 1, matches[0].standing == .acceptedAlone { best = matches[0] }
    guard let best, best.score > 2 && best.target !== draft || !isSynonym(property, of: draft)
    else { return nil }
    return best
  }

  /// Returns the objects that lists name, rather than the lists:
  /// `{"nodes": {"n1": {…}, "n2": {…}}, "parents": {"n1": ["n2"], …}}` lists nodes, and not lists of parents.
  private func listedObjects(
    _ matches: [ReferenceMatch], of lists: EntityDraft, atLeast share: Double
  ) -> ReferenceMatch? {
    matches.filter { match in
      match.target.form == .object && match.share >= share
        && (match.standing == .accepted || areKeys(of: lists, identitiesOf: match.target))
    }.best
  }

  /// Returns whether all keys of a dictionary, which are several, are identities of a draft's objects.
  private func areKeys(of dictionary: EntityDraft, identitiesOf target: EntityDraft) -> Bool {
    guard let identities = target.identity?.scalars.sketch else { return false }
    let overlap = dictionary.keys.sketch.overlap(with: identities)
    return overlap.compared > 3 && overlap.common == overlap.compared
  }

  /// Returns whether a property only repeats the identity of its own objects.
  private func isSynonym(_ property: PropertyDraft, of draft: EntityDraft) -> Bool {
    guard let identity = draft.identity, property.path != identity.path, property.path != [.key],
      property.composition != .scalars
    else { return false }
    let overlap = property.scalars.sketch.overlap(with: identity.scalars.sketch)
    return overlap.common == overlap.compared
      && property.scalars.sketch.distinctCount >= identity.scalars.sketch.distinctCount
  }

  /// Returns whether a property is called an identifier, or a name, of its own objects: `id`, the `profileName` of a profile.
  private func identifiesOwn(_ property: PropertyDraft, of draft: EntityDraft) -> Bool {
    guard property.path != [.key] else { return false }
    let name = ReferenceName(property.key, draft: draft, target: draft)
    return IdentityNames.isStrong(property.key) || name.isMarked && name.score == 3
  }

  // MARK: References

  /// Makes a property refer to the objects of a match, or notes the doubt if the evidence is too weak.
  private func refer(_ index: Int, of draft: EntityDraft, by match: ReferenceMatch) {
    let property = draft.properties[index]
    let likelihood = likelihood(of: match, for: property, of: draft)
    let certainty = match.standing == .doubtful ? .guess : likelihood.certainty
    guard certainty.rank >= minimumCertainty.rank else {
      property.doubtfulTarget = match.target.number
      property.evidence = [match.evidence + likelihood.text]
      return
    }
    if let key = match.relatedKey {
      match.target.properties.first { $0.path == [.member(key)] }?.isReferredTo = true
    }
    let isKey = property.path == [.key]
    let isIdentity = isIdentity(property, of: draft) && !isKey
    if isIdentity, !mayGiveUp(property, of: draft, for: match.target) { return }
    let text = match.evidence + (property.scalars.sketch.isComplete ? "" : " (estimated)")
    // The `areaId` of an area without other members refers to the entity that lists the areas.
    if isIdentity, !isOwnKey(property, of: draft, match) {
      draft.identity = nil
      property.role = .reference(target: match.target.number, isToMany: false)
      property.evidence.append(text)
      property.certainty = certainty
      return
    }
    let isToMany = property.composition == .scalars && !isKey && !isIdentity
    let reference = property.reference(to: match.target.number, isToMany: isToMany)
    reference.relatedKey = match.relatedKey
    reference.evidence.append(text)
    reference.certainty = certainty
    guard isKey || isIdentity else {
      put(reference, at: index, of: draft)
      return
    }
    // The search goes over identities and keys again.
    let isKnown = draft.properties.contains { $0 !== property && $0.path == property.path }
    if !isKnown { draft.properties.append(reference) }
  }

  /// Estimates whether a match is chance; a `parent` of the same kind and an entry of a collection have the best names.
  private func likelihood(
    of match: ReferenceMatch, for property: PropertyDraft, of draft: EntityDraft
  ) -> ReferenceLikelihood {
    let isBest =
      match.target === draft && match.score > 1
      || EntryName.isName(property, of: draft, in: match.target)
    return ReferenceLikelihood(
      property.scalars, match.relatedKey == nil ? match.target.identity?.scalars : nil,
      score: isBest ? 3 : match.score, common: match.common)
  }

  /// Returns whether the identity of objects may be a reference instead.
  ///
  /// No other value mentions the objects, and their identity is no `id`, unless they are called references.
  private func mayGiveUp(
    _ property: PropertyDraft, of draft: EntityDraft, for target: EntityDraft
  ) -> Bool {
    property.composition != .scalars && draft.shape.mentionCount == 0
      && (!IdentityNames.isStrong(property.key) || draft.isCalledReference(to: target))
  }

  /// Returns whether objects of one list or dictionary have a key or code of their own, though others have it too.
  ///
  /// A belt has its own `key`, though the recipe for it has the same.
  ///
  /// They have none if its name says what it refers to, or if they are called references.
  private func isOwnKey(
    _ property: PropertyDraft, of draft: EntityDraft, _ match: ReferenceMatch
  ) -> Bool {
    draft.shape.members.count > 1 && draft.places.count == 1
      && (match.score < 2 || property.key == match.target.identity?.key)
      && drafts.allSatisfy { !draft.outer.contains($0.number) || $0.objectCount <= 1 }
      && !IdentityNames.isStrong(property.key)
      && !IdentityNames.isForeign(Words(property.key).parts)
      && !OwnNames.isRemark(property.key) && !draft.isCalledLike(match.target)
  }

  /// Makes a property refer to the objects of one kind.
  ///
  /// - Returns: Whether its values identify such objects.
  private func referToKind(_ index: Int, of draft: EntityDraft) -> Bool {
    let property = draft.properties[index]
    guard property.path != [.key], property.path != [.value],
      let kind = KindReference(property, in: drafts)
    else { return false }
    let likelihood = ReferenceLikelihood(property.scalars, nil, score: 3, common: kind.count)
    guard likelihood.certainty.rank >= minimumCertainty.rank else { return false }
    let reference = property.reference(
      to: kind.target.number, isToMany: property.composition == .scalars)
    reference.relatedKey = kind.relatedKey
    reference.kind = kind.kind
    reference.certainty = likelihood.certainty
    reference.evidence.append(
      ReferenceMatch.evidence(common: kind.count, compared: kind.count))
    put(reference, at: index, of: draft)
    return true
  }

  /// Puts a reference in the place of an attribute, or beside it.
  ///
  /// A part of the identity stays an attribute too, and so do values that only an attribute writes again: those of a
  /// dictionary, empty strings, and lists that have nulls or one value twice: `{"next": ""}`, `{"stops": [7, 9, 7]}`.
  private func put(_ reference: PropertyDraft, at index: Int, of draft: EntityDraft) {
    let property = draft.properties[index]
    let isPartOfIdentity =
      draft.compositeEvidence != nil && draft.givenIdentity?.contains(property.key) == true
      && property.path.count == 1
    let isExact =
      property.scalars.emptyStringCount == 0
      && (property.composition != .scalars
        || !property.shape.hasRepeatedElements && property.shape.element?.nullCount == 0)
    if isPartOfIdentity || property.path == [.value] || !isExact {
      property.doubtfulTarget = nil
      draft.properties.append(reference)
    } else {
      draft.properties[index] = reference
    }
  }

  // MARK: Consequences

  /// Makes references attributes again if the identity of their target has turned out to be a reference itself.
  ///
  /// The `{"symbol": "rain"}` of an hour is no day, though only one day has this symbol: both refer to a symbol.
  private func leaveUnidentified() {
    let unidentified = Set(
      drafts.lazy.filter { $0.identity == nil && $0.givenIdentity == nil }.map(\.number))
    for draft in drafts {
      for property in draft.properties {
        guard case .reference(let target, let isToMany) = property.role,
          unidentified.contains(target)
        else { continue }
        property.dropReference()
        // The objects of a list stay JSON.
        if isToMany { property.path = Array(property.path.prefix { $0 != .eachElement }) }
        property.fallback = nil
      }
    }
  }

  /// The target of references, and the member that they hold; nil for its identity.
  private typealias Target = (draft: EntityDraft, relatedKey: String?)

  /// Makes properties refer to the target of other properties with the same key: the `realmRoles` of a group,
  /// `["user"]`, are the roles of users, though one value proves nothing.
  private func resolveLikeOthers() {
    let known = targetsByKey
    guard !known.isEmpty else { return }
    for draft in drafts {
      // Most properties have no such key, and are not copied.
      for index in draft.properties.indices {
        if let targets = known[draft.properties[index].key] {
          refer(index, of: draft, like: targets)
        }
      }
    }
  }

  /// The targets of all references that are strings, by their key.
  private var targetsByKey: [String: [Target]] {
    var known: [String: [Target]] = [:]
    for draft in drafts {
      for property in draft.properties {
        guard case .reference(let number, _) = property.role,
          property.path == [.member(property.key)], property.scalars.stringCount > 0,
          let target = drafts.first(where: { $0.number == number })
        else { continue }
        known[property.key, default: []].append((target, property.relatedKey))
      }
    }
    return known
  }

  /// Makes a property refer to the target of others, if these have only one, and all of its values are found there.
  private func refer(_ index: Int, of draft: EntityDraft, like others: [Target]) {
    let property = draft.properties[index]
    guard case .attribute = property.role, let target = others.first,
      others.allSatisfy({ $0.draft === target.draft && $0.relatedKey == target.relatedKey }),
      mayReferLikeOthers(property, of: draft), let values = values(of: target)
    else { return }
    let overlap = property.scalars.sketch.overlap(with: values)
    guard overlap.compared > 0, overlap.common == overlap.compared else { return }
    let reference = property.reference(
      to: target.draft.number, isToMany: property.composition == .scalars)
    reference.relatedKey = target.relatedKey
    reference.doubtfulTarget = nil
    reference.evidence = [
      ReferenceMatch.evidence(common: overlap.common, compared: overlap.compared)
        + ", as under the same key elsewhere"
    ]
    put(reference, at: index, of: draft)
  }

  /// Returns whether a property holds strings, and is no identity or name of its own objects.
  private func mayReferLikeOthers(_ property: PropertyDraft, of draft: EntityDraft) -> Bool {
    property.path == [.member(property.key)] && property.scalars.stringCount > 0
      && isCandidate(property) && !property.isReferredTo && !isIdentity(property, of: draft)
      && draft.givenIdentity?.contains(property.key) != true
      && !draft.properties.contains { $0 !== property && $0.path == property.path }
  }

  /// Returns the identities of a target's objects, or the values of another member.
  private func values(of target: Target) -> ValueSketch? {
    guard let key = target.relatedKey else { return target.draft.identity?.scalars.sketch }
    return target.draft.properties.first { $0.path == [.member(key)] }?.scalars.sketch
  }

  /// Makes names attributes again if an identifier beside them leads to the same object:
  /// `{"layerUid": 7, "layerName": "Ground"}` only repeats what layer 7 is called.
  private func dropCopiedNames(of draft: EntityDraft) {
    var identified: [Int: [PropertyDraft]] = [:]
    var named: [(target: Int, property: PropertyDraft)] = []
    for property in draft.properties {
      guard case .reference(let target, false) = property.role, property.kind == nil
      else { continue }
      if property.relatedKey == nil {
        identified[target, default: []].append(property)
      } else if property.path != [.key] {
        named.append((target, property))
      }
    }
    for (target, property) in named {
      let isCopy = identified[target]?.contains { reference in
        reference.path.dropLast() == property.path.dropLast()
          && reference.scalars.sketch.distinctCount == property.scalars.sketch.distinctCount
      }
      guard isCopy == true else { continue }
      if draft.properties.contains(where: { $0 !== property && $0.path == property.path }) {
        draft.properties.removeAll { $0 === property }
      } else {
        property.dropReference()
      }
    }
  }
}
