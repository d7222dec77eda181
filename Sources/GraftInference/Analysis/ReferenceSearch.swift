// Finds the strings and numbers that identify objects elsewhere. `"topicIds": [324846099]` refers
// to topics if the values are among their identities. The evidence is stronger if the name fits and
// if the values are widely scattered: `"count": 3` may be the identity of a page by chance.

import Graft

/// Finds the properties that hold identities of other entities.
struct ReferenceSearch {
  let drafts: [EntityDraft]
  private let minimumCertainty: InferenceFinding.Certainty
  /// The identities of the drafts, as indexes of `drafts`.
  private let identities: SketchIndex
  /// The strings that may name objects beside their identity, as indexes of `strings`.
  private let names: SketchIndex
  private let strings: [(draft: Int, property: Int, rank: Int)]

  // Finds sketches that share a value with a property, and compares the property with these only: a
  // document with a thousand entities would have millions of pairs.
  init(drafts: [EntityDraft], minimumCertainty: InferenceFinding.Certainty) {
    self.drafts = drafts
    self.minimumCertainty = minimumCertainty
    strings = drafts.enumerated().flatMap { number, draft in
      draft.properties.indices.compactMap { index in
        Self.rankOfName(draft.properties[index], of: draft).map { (number, index, $0) }
      }
    }
    identities = SketchIndex(drafts.map { $0.identity?.scalars.sketch ?? ValueSketch() })
    names = SketchIndex(strings.map { drafts[$0.draft].properties[$0.property].scalars.sketch })
  }

  /// A property that refers to an entity, with the evidence for it.
  private struct Match {
    var target: EntityDraft
    /// The score of the property's name; see ``ReferenceName``.
    var score: Int
    /// The share of the property's distinct values that are identities of the target, from 0 to 1.
    var share: Double
    /// The number of values that are identities of the target, and the number of values compared.
    var common: Int
    var compared: Int
    /// Whether the evidence is enough by itself.
    var isAccepted = true
    /// Whether the evidence is enough if the values are identities of no other entity.
    var isAcceptedAlone = false
    /// Whether most values are identities, and some are none.
    var isDoubtful = false
    /// The member with the values, if it is not the identity.
    var relatedKey: String?

    /// The rank among matches: better names come first, then more values, then the larger of two copies of a thing.
    var rank: (Int, Double, Int, Int, Int, String) {
      (
        score, share, common, target.shape.members.count, -target.number, relatedKey ?? ""
      )
    }
  }

  /// Turns properties into references.
  ///
  /// An empty string refers to nothing: `{"manager": ""}`.
  func resolve() {
    for draft in drafts {
      for property in draft.properties where property.scalars.emptyStringCount > 0 {
        property.scalars = property.scalars.withoutEmptyString
      }
    }
    // Resolve identities first: one that belongs to other objects is removed from its entity, to
    // which no references can then lead.
    for draft in drafts {
      for index in draft.properties.indices
      where draft.properties[index].path != [.key]
        && draft.identity?.path == draft.properties[index].path
      {
        resolve(index, of: draft)
      }
    }
    leaveUnidentified()
    // The keys of a dictionary name objects of a list, rather than the list's objects the dictionary's.
    for isKey in [true, false] {
      for draft in drafts {
        for index in draft.properties.indices
        where (draft.properties[index].path == [.key]) == isKey {
          resolve(index, of: draft)
        }
      }
    }
    resolveLikeOthers()
    for draft in drafts { dropCopiedNames(of: draft) }
  }

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

  /// Makes properties refer to the target of other properties with the same key: the `realmRoles` of a group,
  /// `["user"]`, are the roles of users, though one value proves nothing.
  private func resolveLikeOthers() {
    var known: [String: [(target: EntityDraft, relatedKey: String?)]] = [:]
    for draft in drafts {
      // Most properties are no references, and are not copied.
      for index in draft.properties.indices {
        guard case .reference(let number, _) = draft.properties[index].role,
          let target = drafts.first(where: { $0.number == number })
        else { continue }
        let property = draft.properties[index]
        guard property.path == [.member(property.key)], property.scalars.stringCount > 0 else {
          continue
        }
        known[property.key, default: []].append((target, property.relatedKey))
      }
    }
    guard !known.isEmpty else { return }
    for draft in drafts {
      for index in draft.properties.indices {
        guard case .attribute = draft.properties[index].role,
          let all = known[draft.properties[index].key], let first = all.first,
          all.allSatisfy({ $0.target === first.target && $0.relatedKey == first.relatedKey })
        else { continue }
        let property = draft.properties[index]
        guard property.path == [.member(property.key)], isCandidate(property),
          !draft.properties.contains(where: { $0 !== property && $0.path == property.path }),
          property.scalars.stringCount > 0, draft.identity?.path != property.path,
          draft.givenIdentity?.contains(property.key) != true,
          !property.isReferredTo, let values = Self.values(of: first.target, first.relatedKey)
        else { continue }
        let overlap = property.scalars.sketch.overlap(with: values)
        guard overlap.compared > 0, overlap.common == overlap.compared else { continue }
        let reference = property.reference(
          to: first.target.number, isToMany: property.composition == .scalars)
        reference.relatedKey = first.relatedKey
        reference.doubtfulTarget = nil
        reference.evidence = [
          Self.evidence(common: overlap.common, compared: overlap.compared)
            + ", as under the same key elsewhere"
        ]
        put(reference, at: index, of: draft)
      }
    }
  }

  /// Returns the identities of a draft's objects, or the values of another member.
  private static func values(of target: EntityDraft, _ key: String?) -> ValueSketch? {
    guard let key else { return target.identity?.scalars.sketch }
    return target.properties.first { $0.path == [.member(key)] }?.scalars.sketch
  }

  /// Returns whether all keys of a dictionary, which are several, are identities of a draft's objects.
  private static func areKeys(of dictionary: EntityDraft, identitiesOf target: EntityDraft) -> Bool
  {
    guard let identities = target.identity?.scalars.sketch else { return false }
    let overlap = dictionary.keys.sketch.overlap(with: identities)
    return overlap.compared > 3 && overlap.common == overlap.compared
  }

  private func resolve(_ index: Int, of draft: EntityDraft) {
    let property = draft.properties[index]
    guard case .attribute = property.role, !property.isReferredTo, property.path.first != .parent,
      isCandidate(property)
    else { return }
    let isIdentity = draft.identity?.path == property.path
    let targets = identities.sketches(near: property.scalars.sketch)
    let matches = targets.compactMap { target in
      match(property, of: draft, isIdentity: isIdentity, to: drafts[target])
    }
    var best = matches.filter(\.isAccepted).max { $0.rank < $1.rank }
    // {"nodes": {"n1": {…}, "n2": {…}}, "parents": {"n1": ["n2"], …}} lists nodes, and not lists of parents.
    if let found = best, found.target === draft, draft.form == .array {
      best =
        matches.filter {
          $0.target.form == .object && $0.share >= found.share
            && ($0.isAccepted || Self.areKeys(of: draft, identitiesOf: $0.target))
        }
        .max { $0.rank < $1.rank } ?? best
    }
    // A number that is named like an identifier refers to the only entity that has it.
    if best == nil, matches.count == 1, let only = matches.first, only.isAcceptedAlone {
      best = only
    }
    if let found = best, found.score < 3 || found.target === draft, isSynonym(property, of: draft) {
      best = nil
    }
    if best == nil, !isIdentity || property.path == [.key] {
      best = relatedMatch(property, of: draft) ?? entryMatch(property, of: draft, among: targets)
    }
    // {"id": "standard", "type": "WGS84"} beside a layer `standard`, once, is none.
    if let found = best, found.score < 2, found.common == 1, identifiesOwn(property, of: draft) {
      best = nil
    }
    if best == nil {
      if referToKind(index, of: draft) { return }
      if !isIdentity { best = matches.filter(\.isDoubtful).max { $0.rank < $1.rank } }
    }
    guard let best else {
      property.pathTarget = PathReference(property, of: draft, identities, drafts)
      return
    }
    let isBest =
      best.target === draft && best.score > 1
      || Self.namesEntry(property, to: best.target, of: draft)
    let likelihood = ReferenceLikelihood(
      property.scalars, best.relatedKey == nil ? best.target.identity?.scalars : nil,
      score: isBest ? 3 : best.score, common: best.common)
    let certainty =
      best.isDoubtful && !best.isAccepted ? .guess : likelihood.certainty
    guard certainty.rank >= minimumCertainty.rank else {
      draft.properties[index].doubtfulTarget = best.target.number
      draft.properties[index].evidence = [
        Self.evidence(common: best.common, compared: best.compared) + likelihood.text
      ]
      return
    }
    if let key = best.relatedKey,
      let related = best.target.properties.firstIndex(where: { $0.path == [.member(key)] })
    {
      best.target.properties[related].isReferredTo = true
    }
    let isToMany = property.composition == .scalars
    let isEntityKey = property.path == [.key]
    let text =
      Self.evidence(common: best.common, compared: best.compared)
      + (property.scalars.sketch.isComplete ? "" : " (estimated)")
    if isIdentity || isEntityKey {
      guard isEntityKey || !isToMany && draft.shape.mentionCount == 0 else { return }
      if !isEntityKey, IdentityNames.isStrong(property.key),
        !draft.isCalledReference(to: best.target)
      {
        return
      }
      // The `areaId` of an area without other members refers to the entity that lists the areas. A belt has its own
      // `key`, though a recipe has the same.
      if !isEntityKey, !isOwnKey(property, of: draft, best) {
        draft.identity = nil
        draft.properties[index].role = .reference(target: best.target.number, isToMany: false)
        draft.properties[index].evidence.append(text)
        draft.properties[index].certainty = certainty
        return
      }
      // The search goes over the properties again.
      guard !draft.properties.contains(where: { $0 !== property && $0.path == property.path })
      else { return }
      let reference = property.reference(to: best.target.number, isToMany: false)
      reference.relatedKey = best.relatedKey
      reference.evidence.append(text)
      reference.certainty = certainty
      draft.properties.append(reference)
      return
    }
    let reference = property.reference(to: best.target.number, isToMany: isToMany)
    reference.relatedKey = best.relatedKey
    reference.evidence.append(text)
    reference.certainty = certainty
    put(reference, at: index, of: draft)
  }

  /// Returns whether objects of one list or dictionary have a key or code of their own, though others have it too.
  ///
  /// They have none if its name says what it refers to, or if they are called references.
  private func isOwnKey(_ property: PropertyDraft, of draft: EntityDraft, _ match: Match) -> Bool {
    draft.shape.members.count > 1 && draft.places.count == 1
      && (match.score < 2 || property.key == match.target.identity?.key)
      && drafts.allSatisfy { !draft.outer.contains($0.number) || $0.objectCount <= 1 }
      && !IdentityNames.isStrong(property.key)
      && !IdentityNames.isForeign(Words(property.key).parts)
      && !Self.remarks.contains(property.key.lowercased()) && !draft.isCalledLike(match.target)
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

  /// Makes a property refer to the objects of one kind.
  ///
  /// - Returns: Whether its values identify such objects.
  private func referToKind(_ index: Int, of draft: EntityDraft) -> Bool {
    let property = draft.properties[index]
    guard property.path != [.key], property.path != [.value],
      let reference = KindReference(property, in: drafts)
    else { return false }
    let likelihood = ReferenceLikelihood(
      property.scalars, nil, score: 3, common: reference.count)
    guard likelihood.certainty.rank >= minimumCertainty.rank else { return false }
    let found = property.reference(
      to: reference.target.number, isToMany: property.composition == .scalars)
    found.relatedKey = reference.relatedKey
    found.kind = reference.kind
    found.certainty = likelihood.certainty
    found.evidence.append(Self.evidence(common: reference.count, compared: reference.count))
    put(found, at: index, of: draft)
    return true
  }

  static func evidence(common: Int, compared: Int) -> String {
    "\(common) of \(compared) \(compared == 1 ? "value is an identity" : "values are identities")"
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

  /// Returns whether most of the values of a property that are identities are those of the very objects that have them.
  ///
  /// `{"gravity": {"effect": "gravity", …}, "roost": {"effect": "roost", …}}` are called after what they do.
  private func namesItself(_ property: PropertyDraft, of draft: EntityDraft) -> Bool {
    guard property.path != [.key], let identity = draft.identity else { return false }
    let own = identity.key.flatMap { draft.shape.member(named: $0)?.identity } ?? draft.keyIdentity
    if property.composition == .scalars { return listsItself(property, own) }
    guard let values = property.shape.identity else { return false }
    let evidence = values.agreement(with: own)
    return evidence.equal > 1 && evidence.equal * 2 >= evidence.common
  }

  /// Returns whether most of the lists have nothing but the identity of the object that has them: `"roles": ["FREQ"]`.
  private func listsItself(_ property: PropertyDraft, _ own: IdentitySample) -> Bool {
    let key = Fingerprint.of(property.key)
    let contents = zip(own.values, own.records).compactMap { value, record in
      record.members.first { $0.key == key }.map { (value, $0.content) }
    }
    let equal = contents.count { value, content in
      content == ShapeSurvey.content(ofListOf: value)
    }
    return equal > 1 && equal * 2 >= contents.count
  }

  private func isCandidate(_ property: PropertyDraft) -> Bool {
    let scalars = property.scalars
    guard scalars.count > 0, scalars.fractionCount == 0, scalars.largeCount == 0,
      scalars.stringCount == 0 || scalars.integerCount == 0, scalars.sketch.distinctCount > 0
    else { return false }
    switch property.composition {
    case .number, .string: return true
    case .scalars:
      return property.shape.element?.booleanCount == 0
    default: return false
    }
  }

  private func match(
    _ property: PropertyDraft, of draft: EntityDraft, isIdentity: Bool, to target: EntityDraft
  ) -> Match? {
    guard let identity = target.identity, !target.isFlattened, !target.isJSON,
      !(isIdentity && target === draft), !(property.path == [.key] && target === draft)
    else { return nil }
    // An identifier is written again as its identity is spelled.
    let isKey = identity.path == [.key]
    // 400 flows are in the `state` new, and a flow in this state does not refer to them.
    if isKey, isColumn(target) || target.areCounts && property.path != [.key] { return nil }
    // A small number that distinguishes the same objects is a second identity, or their order. Others may be the next of a
    // chain.
    if target === draft,
      property.scalars.sketch.distinctCount >= identity.scalars.sketch.distinctCount,
      property.composition != .scalars, property.scalars.stringCount == 0,
      !Self.isWide(identity.scalars)
    {
      return nil
    }
    guard property.path == [.key] || isKey || identity.scalars.mayEqual(property.scalars) else {
      return nil
    }
    if isKey, property.scalars.integerCount > 0, !identity.scalars.formats.contains(.integer) {
      return nil
    }
    let overlap = property.scalars.sketch.overlap(with: identity.scalars.sketch)
    guard overlap.compared > 0 else { return nil }
    let share = Double(overlap.common) / Double(overlap.compared)
    if target === draft, namesItself(property, of: draft) { return nil }
    if target.isNamed(by: property.key, in: draft), property.composition != .scalars { return nil }
    if property.key == identity.key, draft.holdsOne(of: target) { return nil }
    if property.key == identity.key, Self.isExcerpt(target, of: draft, isIdentity) { return nil }
    let name = name(of: property, of: draft, to: target)
    if name.score < 2, isNote(target) { return nil }
    // The numbers from 0 on are among those of any larger dictionary.
    if property.path == [.key], isKey, name.score < 2, property.scalars.formats.contains(.integer),
      property.scalars.shortest < Self.longKey
    {
      return nil
    }
    let isWide = Self.isWide(identity.scalars)
    // The name of a tag is its own, though a count of tags has it too.
    if name.score == 0, !isIdentity, Self.isOwnName(property.key),
      Self.memberCount(around: property, of: draft) > Self.mentionLimit
    {
      return nil
    }
    // A `columnNumber` counts something else than what has identities, unless the name of these fits.
    if name.score < 2, property.scalars.integerCount > 0, !Self.isWide(property.scalars),
      Words(property.key).parts.last.map(IdentityNames.numbers.contains) == true
    {
      return nil
    }
    // The `key` of the data in an item with this `key` is its own, and so is a name that differs in each object.
    let isOwnName = share == 1 && Self.isOwnName(property.key)
    if isOwnName || property.key == identity.key, target.holdsOne(of: draft),
      property.scalars.sketch.distinctCount
        >= (isOwnName ? draft.objectCount : identity.scalars.sketch.distinctCount)
    {
      return nil
    }
    // A number may be a position by chance.
    if identity.isPosition, name.score < 2 { return nil }
    if property.composition == .number, Self.areCounts(property.scalars, Words(property.key)) {
      return nil
    }
    let isNumbered =
      share == 1 && overlap.common >= 2 && property.scalars.stringCount > 0
      && Self.areNumbered(identity.scalars)
    var isAccepted: Bool
    var isDoubtful = false
    if isIdentity || property.path == [.key] {
      let isPlain = property.path == [.key] && draft.form != .object
      // {"plans": [{"code": "BAR"}, …], "days": [{"rates": {"BAR": 119, …}}, …]}: no other keys, and no other plans.
      let areAll =
        isPlain && property.scalars.stringCount > 0 && overlap.common >= Self.keyLimit
        && overlap.common == identity.scalars.sketch.distinctCount
      isAccepted =
        share == 1 && (name.score >= 2 || isWide && overlap.common >= 2 || isNumbered || areAll)
      // The keys of two dictionaries are often the same words, and rarely the same signs, `U1A2B0`, or long numbers.
      let areSigns =
        isWide && overlap.common >= 3
        && (Self.areSigns(property.scalars)
          || property.scalars.formats.contains(.integer)
            && property.scalars.shortest >= Self.longKey)
      if isPlain, target.isAlwaysKeyed, target.form != .value, !areSigns { isAccepted = false }
      // A `ref` is the identity of another object, which this one describes further, and so are the `path` of an import and
      // the `code` of an `affectedComponent`.
      let isRemark =
        (Self.remarks.contains(property.key.lowercased()) || draft.isCalledLike(target)) && isWide
        && share == 1 && overlap.common >= 2
        && target.shape.members.count + (identity.key == nil ? 1 : 0)
          > draft.shape.members.count
      // {"progress": {"l1": {"done": true}, …}} tells something of lessons, once for each learner.
      let isKeyedByOthers =
        property.path == [.key] && draft.identity == nil
        && (isNumbered
          || isWide
            && overlap.common
              >= (property.scalars.shortest >= Self.longKey || Self.areSigns(property.scalars)
                ? 3 : 5))
      if !isPlain, name.score < 2, target.form != .value, !isRemark, !isKeyedByOthers {
        isAccepted = false
      }
      // If two kinds have the same identities, a reference leads to the first, unless its name names one: the
      // `transactionHash` of a receipt leads to a transaction, whatever comes first.
      if name.score < 3, target.number > draft.number, target.form == draft.form, !isRemark {
        isAccepted = false
      }
    } else {
      // A day among days means nothing.
      if name.score < 3, property.scalars.stringCount > 0,
        property.scalars.formats.datePattern != nil
      {
        return nil
      }
      // If each object has a value of its own and only some of them occur there, the other objects refer to these, or have
      // a `key` of their own, as items and recipes do.
      let isOwn =
        property.scalars.sketch.distinctCount * 10 >= property.shape.count * 9
        && (target.shape.members.count < draft.shape.members.count || property.key == identity.key)
      switch name.score {
      case 3...:
        isAccepted = share >= 0.9 || isWide && share >= 0.5 && overlap.common >= 2 && !isOwn
      case 2:
        // The objects of another document may be among the dependencies of one.
        isAccepted =
          share >= 0.9 || target === draft && isWide && share >= 0.5 && overlap.common >= 5
      case 1: isAccepted = share == 1 && (isWide && overlap.common >= 2 || overlap.common >= 12)
      default:
        isAccepted =
          share == 1
          && (isWide && overlap.common >= 3
            || Self.isSparse(identity.scalars) && overlap.common >= 8
            || property.scalars.stringCount > 0
              && (!property.scalars.formats.contains(.address) || target.objectCount == 1)
              && (overlap.common >= 2 || !Self.ownNames.contains(property.key.lowercased()))
              && (property.scalars.shortest >= 16
                || property.scalars.shortest >= 12 && Self.areCodes(property.scalars)
                || property.scalars.shortest >= Self.longKey && overlap.common >= 2
                  && Self.areCodes(property.scalars)
                || property.scalars.shortest >= Self.longName
                  && identity.scalars.sketch.distinctCount >= Self.keyLimit
                  && identity.scalars.commonPrefix?.utf8.count ?? 0 >= Self.longKey))
      }
      if property.key != identity.key, share >= Self.leastShare {
        // A UUID or an address is no identity by chance, though some of those named are not in the document.
        let isUnique =
          !isOwn && property.scalars.stringCount > 0 && overlap.common >= Self.keyLimit
          && property.scalars.shortest >= Self.uniqueLength
          && property.scalars.formats.datePattern == nil
        if isUnique, share >= Self.largeShare { isAccepted = true }
        isDoubtful = share < 1 && overlap.common > 1 && (name.score > 2 || isUnique)
      }
    }
    // `"plays": ["vl", "fl"]` names instruments, if all instruments are played and nothing else is.
    let isWhole =
      share == 1 && property.scalars.stringCount > property.scalars.sketch.distinctCount
      && property.scalars.sketch.isComplete && overlap.common >= Self.keyLimit
      && overlap.common == identity.scalars.sketch.distinctCount
    let isAcceptedAlone =
      share == 1 && !isIdentity && property.path != [.key]
      && (isNumbered || isWhole
        || name.isMarked
          && (overlap.common >= 2
            && (identity.scalars.stringCount > 0 || identity.scalars.minimum >= 10)
            || identity.scalars.integerCount > 0 && identity.scalars.minimum >= 10_000
            || identity.scalars.stringCount > 0 && identity.scalars.shortest >= 8))
    let isAround =
      draft.outer.contains(target.number) && share == 1
      && Self.namesOuter(property, name, identity.scalars.sketch)
    // {"colorings": [{"key": "country", …}, …], "filters": ["country", "region"]}: a list beside that of the objects.
    let isBeside =
      property.composition == .scalars && property.scalars.stringCount > 0 && share == 1
      && isWide && overlap.common >= 2 && draft.lists(target)
    if isAround || isBeside { isAccepted = true }
    guard isAccepted || share == 1 && name.isMarked || isAcceptedAlone || isDoubtful else {
      return nil
    }
    // `"decimals": 18` is a small number, and small numbers are identities where there are many.
    if name.score == 0, property.scalars.areSmall { return nil }
    return Match(
      target: target, score: isAround || isNumbered ? max(name.score, 2) : name.score, share: share,
      common: overlap.common, compared: overlap.compared, isAccepted: isAccepted,
      isAcceptedAlone: isAcceptedAlone, isDoubtful: isDoubtful)
  }

  /// Returns whether the values of a dictionary are notes on objects that have all of its keys, or most:
  /// `{"versions": {"1.0": {…}, "1.1": {…}}, "time": {"created": "2026-11-01", "1.0": "2026-11-02", …}}`.
  private func isNote(_ dictionary: EntityDraft) -> Bool {
    dictionary.form == .value
      && drafts.contains { other in
        let overlap = other.keys.sketch.overlap(with: dictionary.keys.sketch)
        return other.form == .object && other.isAlwaysKeyed && overlap.common >= Self.keyLimit
          && overlap.common == overlap.compared
      }
  }

  /// Returns whether another dictionary in the same object has the same keys, and numbers as this one:
  /// `{"won": {"DEF": 4, "MID": 5}, "lost": {"DEF": -1, "MID": 0}}`.
  ///
  /// Such keys mean something else, of which the dictionaries say several things.
  private func isColumn(_ dictionary: EntityDraft) -> Bool {
    guard dictionary.form == .value, dictionary.isAlwaysKeyed,
      Composition(dictionary.shape) == .number
    else { return false }
    return drafts.contains { other in
      guard other !== dictionary, other.form == .value, other.outer == dictionary.outer,
        Composition(other.shape) == .number
      else { return false }
      let overlap = other.keys.sketch.overlap(with: dictionary.keys.sketch)
      return overlap.common == overlap.compared
        && other.keys.sketch.distinctCount == dictionary.keys.sketch.distinctCount
    }
  }

  /// The least share of values that must be identities, where the others may be those of objects elsewhere.
  private static let leastShare = 0.5
  /// The share of values that must be identities, whatever their key is.
  private static let largeShare = 2.0 / 3
  /// The least bytes of strings that are no identities by chance.
  private static let uniqueLength = 16

  /// Scores how well the name of a property, or of the dictionary whose key it is, names the objects of an entity.
  ///
  /// The values of a dictionary have its name too: `{"owners": {"a7": 3, "b2": 5}}`.
  ///
  /// An `id` that does not identify its own objects refers to the kind after which they are called, as the rooms do in
  /// `{"zones": [{"rooms": [{"id": "2746182", "setpoint": 17}]}, {"rooms": [{"id": "2746182", "setpoint": 21}]}]}`.
  private func name(
    of property: PropertyDraft, of draft: EntityDraft, to target: EntityDraft
  ) -> ReferenceName {
    let own = ReferenceName(property.key, draft: draft, target: target)
    let isValue = property.path == [.value]
    let isOthers =
      draft !== target && draft.identity == nil && IdentityNames.isStrong(property.key)
      && property.path.count == 1 && !property.scalars.areSmall
    guard property.path == [.key] || isValue || isOthers else { return own }
    // {"api": {"depends_on": {"db": {…}, "cache": {…}}}, "db": {…}, …}
    let owner = draft.outer.contains(target.number) ? target : draft
    let names = draft.aliases.map {
      ReferenceName($0.joined(separator: " "), draft: owner, target: target)
    }
    guard let best = names.max(by: { $0.score < $1.score }), isValue || best.score > own.score
    else { return own }
    return best
  }

  /// Finds the collection beside a property which has the object that the property names as the first, the main one or the
  /// like.
  private func entryMatch(
    _ property: PropertyDraft, of draft: EntityDraft, among targets: [Int]
  ) -> Match? {
    let matches = targets.compactMap { number -> Match? in
      let target = drafts[number]
      guard let identity = target.identity, !target.isFlattened, !target.isJSON,
        Self.namesEntry(property, to: target, of: draft)
      else { return nil }
      let overlap = property.scalars.sketch.overlap(with: identity.scalars.sketch)
      guard overlap.compared > 0, overlap.common == overlap.compared else { return nil }
      return Match(
        target: target, score: 3, share: 1, common: overlap.common, compared: overlap.compared)
    }
    return matches.count == 1 ? matches.first : nil
  }

  /// Words for one of many objects.
  private static let entries: Set<String> = [
    "start", "initial", "entry", "entrypoint", "root", "default", "current", "first", "main",
    "head", "active", "selected", "primary",
  ]
  /// The least bytes of keys that are not those of others by chance, even if they are few.
  private static let longKey = 6
  /// The least bytes of a name that is none by chance.
  private static let longName = 10
  /// Words that may be beside these.
  private static let marksOfEntries: Set<String> = ["at", "point", "with", "id", "key", "name"]

  /// Returns whether a string names one of the objects in a collection beside it:
  /// `{"startAt": "ask", "steps": [{"id": "ask", …}, …]}`.
  private static func namesEntry(
    _ property: PropertyDraft, to target: EntityDraft, of draft: EntityDraft
  ) -> Bool {
    guard property.composition == .string else { return false }
    let words = Words(property.key).parts
    guard words.contains(where: entries.contains),
      words.allSatisfy({
        entries.contains($0) || marksOfEntries.contains($0)
          || target.referredNames.lastWords.contains($0)
      })
    else { return false }
    // A long name of an entry is no word that occurs anywhere.
    return property.scalars.shortest >= longName
      || draft.properties.contains { other in
        guard case .relationship(target.number, let link) = other.role, link != .one else {
          return false
        }
        let keys = other.path.filter { $0 != .eachMember && $0 != .eachElement }
        return keys.dropLast() == property.path.dropLast()
      }
  }

  /// Finds the entity whose objects are named by another member than their identity:
  /// `"author": "ann"` where users have an `id` and a `login`.
  private func relatedMatch(_ property: PropertyDraft, of draft: EntityDraft) -> Match? {
    guard property.scalars.stringCount == 0 || property.scalars.shortest > 1 else { return nil }
    let matches = names.sketches(near: property.scalars.sketch).compactMap { number -> Match? in
      let target = drafts[strings[number].draft]
      // Most strings are those of objects without an identity.
      guard target.identity != nil else { return nil }
      return relatedMatch(
        property, of: draft, to: target.properties[strings[number].property], of: target,
        rank: strings[number].rank)
    }
    return matches.max { $0.rank < $1.rank }
  }

  /// Returns the rank of a string as a name of the objects that have it, beside their identity, or of a number that is called
  /// an identifier; nil where it names none.
  private static func rankOfName(_ candidate: PropertyDraft, of target: EntityDraft) -> Int? {
    let isNumber = candidate.composition == .number && IdentityNames.isStrong(candidate.key)
    guard candidate.composition == .string || isNumber, let identity = target.identity,
      identity.path != candidate.path, !target.isFlattened, !target.isJSON,
      candidate.path.count == 1, candidate.isAlwaysPresent,
      candidate.scalars.emptyStringCount == 0,
      let sample = candidate.shape.identity, sample.records.allSatisfy({ $0.differing == 0 }),
      areAsMany(candidate.scalars.sketch, identity.scalars.sketch),
      let rank = IdentityNames.rank(of: candidate.key, aliases: target.aliases), rank <= 7,
      [.string, .integer64].contains(AttributeTyping(candidate, isIdentity: isNumber).type)
    else { return nil }
    return rank
  }

  private func relatedMatch(
    _ property: PropertyDraft, of draft: EntityDraft, to candidate: PropertyDraft,
    of target: EntityDraft, rank: Int
  ) -> Match? {
    guard candidate.target == nil,
      candidate.key != property.key
        || target !== draft && target.aliases.contains(Words(property.key).singular.parts)
          && !Self.isOwnName(property.key)
        || rank <= 4 && draft.identity == nil && draft.shape.members.count <= 3
          && target.shape.members.count >= 6
    else { return nil }
    let overlap = property.scalars.sketch.overlap(with: candidate.scalars.sketch)
    guard overlap.compared > 0, overlap.common == overlap.compared else { return nil }
    let name = ReferenceName(property.key, draft: draft, target: target)
    // Numbers equal others by chance, unless both are called identifiers of the same thing: `uid` and `layerUid`.
    if candidate.composition == .number {
      guard property.scalars.integerCount > 0, name.isMarked, name.score >= 2, overlap.common >= 2
      else { return nil }
    }
    guard target !== draft || name.score >= 2 else { return nil }
    // The keys of two dictionaries are often the same words.
    if property.path == [.key], overlap.common < Self.keyLimit { return nil }
    // The `name` of a label is its own, though a user may be called so too.
    if name.score == 0, candidate.key != property.key,
      Self.ownNames.contains(property.key.lowercased())
    {
      return nil
    }
    // A `display_name` is another name of the same object, and no `name` of another one. Three different values of an
    // `opponentTeamCode` in games are no names of games.
    if name.score < 3, candidate.key != property.key,
      target === draft || overlap.common < Self.keyLimit,
      Words(property.key).parts.last == Words(candidate.key).parts.last
    {
      return nil
    }
    let isAccepted =
      name.score >= 2
      && (overlap.common >= 2
        || property.composition == .scalars && property.scalars.shortest >= Self.wordLength
        || target !== draft && property.scalars.shortest >= Self.uniqueLength)
      || rank <= 5 && overlap.common >= 2
      || overlap.common >= 3 && property.scalars.shortest >= 3
    guard isAccepted else { return nil }
    return Match(
      target: target, score: name.score, share: 1, common: overlap.common,
      compared: overlap.compared, relatedKey: candidate.key)
  }

  /// Returns whether there are as many values as identities; estimates may differ a little.
  private static func areAsMany(_ values: ValueSketch, _ identities: ValueSketch) -> Bool {
    values.isComplete && identities.isComplete
      ? values.distinctCount >= identities.distinctCount
      : values.distinctCount * 10 >= identities.distinctCount * 9
  }

  /// Keys of values that lead to an object.
  private static let remarks: Set<String> = ["ref", "path", "href", "uri", "file"]

  /// The fewest objects whose contents must refer to them.
  private static let outerLimit = 3

  /// Returns whether a property refers to the object around its own.
  ///
  /// A `parent_id` does, and an identifier with the values of all such objects: the `order_id` of the items in orders.
  private static func namesOuter(
    _ property: PropertyDraft, _ name: ReferenceName, _ identities: ValueSketch
  ) -> Bool {
    guard property.path.count == 1, property.path != [.key], name.isMarked else { return false }
    return Words(property.key).parts.first == "parent"
      || property.scalars.sketch.distinctCount == identities.distinctCount
        && identities.distinctCount >= outerLimit
  }

  /// Returns whether objects always have nothing but some members of others: the `creator` in `{"creator": {"email":
  /// "a@x.org"}, "attendees": [{"email": "b@x.org", "status": "accepted"}]}` says nothing about attendees.
  ///
  /// Objects with an identity of their own may repeat more of another one's than that: an order has the `product_id` and the
  /// `product_name` of a product.
  private static func isExcerpt(
    _ part: EntityDraft, of whole: EntityDraft, _ isIdentity: Bool
  ) -> Bool {
    guard part !== whole, part.form == .object, whole.form == .object else { return false }
    let members = part.shape.members.filter { $0.shape.count >= part.shape.objectCount }
    return members.count < whole.shape.members.count && (isIdentity || members.count == 1)
      && members.allSatisfy { whole.shape.member($0.hash) != nil }
  }

  /// Returns whether numbers count the things that their plural name says: `"children": 2`.
  static func areCounts(_ scalars: ScalarStatistics, _ name: Words) -> Bool {
    scalars.areSmall && name.isPlural
  }

  /// The keys of an object's own name.
  private static let ownNames: Set<String> = [
    "name", "title", "label", "text", "value", "description",
  ]

  /// The fewest bytes of a string that names an object, if it is the only one.
  private static let wordLength = 4

  /// The most members of an object that only mentions another one by its name.
  private static let mentionLimit = 3

  /// Returns the number of members of the JSON object that has a property: the draft's own, or a part of it.
  private static func memberCount(around property: PropertyDraft, of draft: EntityDraft) -> Int {
    if property.path.count == 1 { return draft.shape.members.count }
    return draft.properties.count { $0.path.dropLast() == property.path.dropLast() }
  }

  /// Returns whether a key holds the object's own name: `name`, `display_name`.
  private static func isOwnName(_ key: String) -> Bool {
    ownNames.contains(key.lowercased()) || Words(key).parts == ["display", "name"]
  }

  /// The fewest keys of a dictionary that name objects by another member than their identity.
  private static let keyLimit = 3

  /// Returns whether the values are so few in their range that other numbers are unlikely to equal one by chance.
  private static func isSparse(_ scalars: ScalarStatistics) -> Bool {
    let range = Double(scalars.maximum) - Double(scalars.minimum) + 1
    return scalars.integerCount > 0 && scalars.minimum >= 100
      && range >= 4 * Double(scalars.sketch.distinctCount)
  }

  /// Returns whether strings have both letters and digits, as no words and no years have: `BX-10`.
  private static func areSigns(_ scalars: ScalarStatistics) -> Bool {
    areCodes(scalars) && scalars.texts.allSatisfy { $0.contains(where: \.isLetter) }
  }

  /// Returns whether strings have digits and no spaces, as no words have.
  private static func areCodes(_ scalars: ScalarStatistics) -> Bool {
    let texts = scalars.texts
    return !texts.isEmpty
      && texts.allSatisfy { $0.contains(where: \.isNumber) && !$0.contains(" ") }
  }

  /// Returns whether all identities are one word or letter with a number, as `d1`, `d2` and `d3` are.
  ///
  /// Nothing else has such values, unless other objects have the same: a `priority` may be `P1` where people are, too.
  private static func areNumbered(_ scalars: ScalarStatistics) -> Bool {
    let texts = scalars.texts
    guard texts.count >= 2, scalars.integerCount == 0 else { return false }
    let words = Set(texts.map { $0.prefix { !$0.isNumber } })
    return words.count == 1 && words.first?.isEmpty == false
      && texts.allSatisfy { text in
        let number = text.drop { !$0.isNumber }
        return !number.isEmpty && number.allSatisfy(\.isNumber)
      }
  }

  /// Returns whether values are scattered so widely that others are not among them by chance.
  static func isWide(_ scalars: ScalarStatistics) -> Bool {
    if scalars.integerCount > 0 {
      let range = Double(scalars.maximum) - Double(scalars.minimum) + 1
      return scalars.maximum >= 10_000 && range >= 4 * Double(scalars.sketch.distinctCount)
        || scalars.minimum >= 100_000
    }
    return scalars.usualLength >= 3 || scalars.longest >= 12
  }
}

/// Scores how well a key names the objects of an entity.
struct ReferenceName {
  /// The score: 3 if the key names the entity, 2 if it ends like the name, 1 if it ends like an identifier, else 0.
  let score: Int
  /// Whether the key is named like an identifier.
  let isMarked: Bool

  fileprivate static let marks: Set<String> = [
    "id", "code", "key", "ref", "uuid", "guid", "slug", "number", "no", "name", "sku", "symbol",
    "identifier", "idx", "index", "ix", "x", "iri", "uri", "url", "href", "str", "uid",
    "abbrev", "abbr", "abbreviation", "v", "def", "hash", "sha", "arn",
  ]
  private static let selves: Set<String> = [
    "parent", "child", "kid", "previous", "next", "sibling", "ancestor", "descendant",
    "predecessor", "successor", "superior", "reply", "original", "related", "source", "target",
    "depends", "dependson", "dependency", "prerequisite", "requires", "root", "into",
    "require", "supersede", "supersedes", "superseded", "replace", "replaces", "replaced",
    "duplicate", "extend", "extends", "inherit", "inherits", "block", "blocks", "blocked",
    "correct", "corrects", "cancel", "cancels", "mother", "father", "spouse", "partner", "ref",
    "linked", "prev", "orig", "lead", "leader", "manager",
    "based", "derived", "forked",
  ]

  /// The keys of the two ends of a link between objects.
  private static let ends: [(from: String, to: String)] = [
    ("source", "target"), ("from", "to"), ("src", "dst"), ("parent", "child"), ("tail", "head"),
    ("subject", "object"), ("origin", "destination"), ("start", "end"), ("out", "in"),
  ]

  /// Returns whether objects are links, such as `{"source": "a", "target": "b"}`.
  ///
  /// The two ends of `{"from": 1, "to": 5}` may as well be numbers.
  fileprivate static func isEnd(_ word: String, of draft: EntityDraft) -> Bool {
    ends.contains { from, to in
      guard word == from || word == to else { return false }
      let members = [from, to].map { end in
        draft.shape.members.first { Self.ownerWords($0.key) == [end] }
      }
      return members.allSatisfy { member in
        member.map { member in
          member.shape.stringCount > 0 || from == "source"
            || from == "out" && member.name.words.parts.count > 1
        } ?? false
      }
    }
  }

  /// Returns the words of a key without words such as "id" at its end.
  private static func ownerWords(_ key: String) -> [String] {
    var words = Words(key).parts
    while words.count > 1, let last = words.last, marks.contains(last) { words.removeLast() }
    return words
  }

  init(_ key: String, draft: EntityDraft, target: EntityDraft) {
    self.init(Key(key), draft: draft, target: target)
  }

  init(_ key: Key, draft: EntityDraft, target: EntityDraft) {
    var (words, isMarked) = (key.words, key.isMarked)
    let names = target.referredNames
    if let owner = key.owners.first(where: { names.all.contains([$0]) }) {
      words = [owner]
      isMarked = true
    }
    self.isMarked = isMarked
    let identity = target.identity?.key
    let hasLastWord = words.last.map(names.lastWords.contains) ?? true
    // `player_slot` begins with what players are called, garages with a `gid` are meant by `g`, and objects with an `id` by
    // the keys of a dictionary.
    let isOwnKey =
      key.key == identity && key.words.count > 1 && names.all.contains([key.words[0]])
      || identity?.utf8.last.map { $0 | 0x20 } == 0x64
        && identity?.lowercased() == key.key.lowercased() + "id"
    if hasLastWord && names.all.contains(words) || isOwnKey
      || key.key == identity && IdentityNames.isCode(key.key)
    {
      score = 3
    } else if hasLastWord, !words.isEmpty {
      score = 2
    } else if names.arePeople, key.isRole {
      // Keys such as `createdBy` and `reviewer` refer to users.
      score = 2
    } else if draft === target, words.contains(where: Self.selves.contains) {
      score = 2
    } else if words.count == 1,
      Self.isEnd(words[0], of: draft)
        || key.isOneEnd && key.isMarked && target.identity?.isPosition == true
    {
      score = 2
    } else {
      score = isMarked ? 1 : 0
    }
  }

  /// A key that may refer to objects, as words.
  struct Key {
    let key: String
    /// The words without a mark such as "id", the last one in the singular.
    fileprivate(set) var words: [String]
    /// Whether there is such a mark.
    fileprivate(set) var isMarked = false
    /// The owners in a word that may end with a mark: `pageref` and `userid` are marked too, where there are pages and users.
    fileprivate(set) var owners: [String] = []

    private static let marksOfWords = ["id", "ref", "code", "key", "no", "uuid"]

    init(_ key: String) { self.init(MemberName(key)) }

    init(_ name: MemberName) {
      key = name.key
      words = name.words.singular.parts
      while words.count > 1, let last = words.last, marks.contains(last) {
        words.removeLast()
        isMarked = true
      }
      if words.count > 1, words[0] == "id" {
        words.removeFirst()
        isMarked = true
      }
      if let last = words.last { words[words.count - 1] = Words.singular(of: last) }
      guard !isMarked, words.count == 1 else { return }
      owners = Self.marksOfWords.filter(words[0].hasSuffix).map {
        String(words[0].dropLast($0.count))
      }
    }

    /// Whether the key is the name of one end of a link.
    var isOneEnd: Bool {
      words.count == 1 && ReferenceName.ends.contains { $0.from == words[0] || $0.to == words[0] }
    }

    /// Returns whether the key may refer to any entity, whatever it is called, because its objects are links.
    func isEnd(of draft: EntityDraft) -> Bool {
      words.count == 1 && ReferenceName.isEnd(words[0], of: draft)
    }

    /// Whether the key may refer to any people: `createdBy`, `reviewer`.
    var isRole: Bool { words.last == "by" || IdentityNames.isRole(words) }

    /// The last words of the names of entities that the key may name.
    var lastWords: [String] { owners + [words.last].compactMap(\.self) }
  }

  /// The names of an entity, as keys that refer to it have them.
  struct Names {
    fileprivate let all: Set<[String]>
    let lastWords: Set<String>
    /// Whether the objects are people.
    let arePeople: Bool

    init(_ aliases: Set<[String]>) {
      var all = aliases.union(aliases.map(ReferenceName.withoutSuffix))
      // An author, owner or assignee is a user too.
      if all.contains(where: IdentityNames.isRole) { all.insert(["user"]) }
      self.all = all
      lastWords = Set(all.map(ReferenceName.withoutSuffix).compactMap(\.last))
      arePeople = all.contains(where: IdentityNames.mayHaveRole)
    }
  }

  /// Returns a name without a suffix that it has as a list of keys: `areaNames` list areas.
  fileprivate static func withoutSuffix(_ alias: [String]) -> [String] {
    guard alias.count > 1, let last = alias.last, suffixes.contains(last) else { return alias }
    return alias.dropLast()
  }

  private static let suffixes: Set<String> = [
    "name", "label", "title", "map", "index", "list", "l", "table", "lookup", "dict",
  ]
}
