// Decides whether the values of a property are the identities of an entity's objects. `"topicIds": [324846099]` refers to
// topics if the values are among their identities:
//
//   against      one reason is enough: the values are the objects' own, or they equal identities by chance
//   accepted     the better the name fits, the fewer values must be identities, and the less unusual they must be
//   alone        less is enough if the values are identities of no other entity
//   doubtful     most values are identities, and some are none
//
// The identities of objects and the keys of dictionaries seldom refer to anything, and must fit in every value.

import Graft

/// Weighs the evidence that the values of a property are the identities of an entity's objects.
struct ReferenceCandidate {
  private let property: PropertyDraft
  private let values: ScalarStatistics
  /// The entity that has the property.
  private let owner: EntityDraft
  private let target: EntityDraft
  private let identity: InferredIdentity
  private let drafts: [EntityDraft]
  /// Whether the property is the identity of its own objects.
  private let isIdentity: Bool
  /// Whether the property is the key under which its objects are found in dictionaries.
  private let isKey: Bool
  /// The number of the property's distinct values that are identities, and of those compared.
  private let (common, compared): (Int, Int)
  /// Whether all values are identities.
  private let areAllFound: Bool
  private let name: ReferenceName
  /// Whether other values are not among the identities by chance.
  private let areIdentitiesWide: Bool

  /// Compares a property with the identities of an entity; nil where no value can be one.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - owner: Its entity.
  ///   - target: The entity to whose objects the values may refer.
  ///   - drafts: All entities.
  init?(
    _ property: PropertyDraft, of owner: EntityDraft, to target: EntityDraft,
    among drafts: [EntityDraft]
  ) {
    let isIdentity = owner.identity?.path == property.path
    let isKey = property.path == [.key]
    guard let identity = target.identity, !target.isFlattened, !target.isJSON,
      target !== owner || !isIdentity && !isKey, Self.mayEqual(property, identity)
    else { return nil }
    (common, compared) = property.scalars.sketch.overlap(with: identity.scalars.sketch)
    guard compared > 0 else { return nil }
    self.property = property
    self.owner = owner
    self.target = target
    self.identity = identity
    self.drafts = drafts
    self.isIdentity = isIdentity
    self.isKey = isKey
    values = property.scalars
    areAllFound = common == compared
    name = ReferenceName(of: property, in: owner, to: target)
    areIdentitiesWide = identity.scalars.areWide
  }

  /// Returns whether an identifier may be written as an identity is: strings equal strings, numbers equal numbers, and
  /// keys equal both where they have digits only.
  private static func mayEqual(_ property: PropertyDraft, _ identity: InferredIdentity) -> Bool {
    if identity.path == [.key] {
      return property.scalars.integerCount == 0 || identity.scalars.formats.contains(.integer)
    }
    return property.path == [.key] || identity.scalars.mayEqual(property.scalars)
  }

  private var share: Double { Double(common) / Double(compared) }

  /// The reference; nil where there is a reason against it, or too little evidence.
  var match: ReferenceMatch? {
    // Chance comes first: it is found at once, and rules out most pairs.
    guard !areEqualByChance, !isNoTarget, !areOwn, let standing else { return nil }
    return ReferenceMatch(
      target: target, score: isOfObjectAround || areNumbered ? max(name.score, 2) : name.score,
      share: share, common: common, compared: compared, standing: standing)
  }

  private var standing: ReferenceMatch.Standing? {
    if isAccepted || isOfObjectAround || isBesideObjects { return .accepted }
    if isAcceptedAlone { return .acceptedAlone }
    if isDoubtful { return .doubtful }
    return areAllFound && name.isMarked ? .possible : nil
  }

  // MARK: Entities to which nothing refers

  /// Whether the target is a dictionary whose keys are no identities of its values.
  private var isNoTarget: Bool {
    if name.score < 2, isNote { return true }
    return identity.path == [.key] && (isColumn || target.areCounts && !isKey)
  }

  /// Whether the target is a dictionary of notes on other objects, which have its keys too.
  ///
  /// `{"versions": {"1.0": {…}, "1.1": {…}}, "time": {"created": "2026-11-01", "1.0": "2026-11-02", …}}`
  private var isNote: Bool {
    target.form == .value
      && drafts.contains { other in
        guard other.form == .object, other.isAlwaysKeyed else { return false }
        let overlap = other.keys.sketch.overlap(with: target.keys.sketch)
        return overlap.common >= Self.several && overlap.common == overlap.compared
      }
  }

  /// Whether the target is one of several dictionaries of numbers with the same keys in one object.
  ///
  /// The keys of `{"won": {"DEF": 4, "MID": 5}, "lost": {"DEF": -1, "MID": 0}}` mean something else.
  private var isColumn: Bool {
    guard target.form == .value, target.isAlwaysKeyed, Composition(target.shape) == .number
    else { return false }
    return drafts.contains { other in
      guard other !== target, other.form == .value, other.outer == target.outer,
        Composition(other.shape) == .number
      else { return false }
      let overlap = other.keys.sketch.overlap(with: target.keys.sketch)
      return overlap.common == overlap.compared
        && other.keys.sketch.distinctCount == target.keys.sketch.distinctCount
    }
  }

  // MARK: Values that are the objects' own

  /// Whether the values belong to their own objects, and lead to no others.
  private var areOwn: Bool {
    isSecondIdentity || isOwnName || isIdentityOfInner || isIdentityOfOuter || isExcerpt
      || namesItself
  }

  /// Whether numbers distinguish the objects as well as their small identities do.
  ///
  /// They are a second identity, or an order. Fewer numbers may lead to the next object in a chain.
  private var isSecondIdentity: Bool {
    target === owner && property.composition != .scalars && values.stringCount == 0
      && !areIdentitiesWide
      && values.sketch.distinctCount >= identity.scalars.sketch.distinctCount
  }

  /// Whether the property is the `name` of objects with more to them, and does not fit the target.
  ///
  /// A tag has a name of its own, though a count of tags has it too.
  private var isOwnName: Bool {
    name.score == 0 && !isIdentity && OwnNames.contains(property.key)
      && memberCountAround > Self.mentionLimit
  }

  /// The most members of an object that only mentions another one by its name.
  private static let mentionLimit = 3

  /// The number of members of the JSON object that has the property, which may be a part of the owner's objects.
  private var memberCountAround: Int {
    if property.path.count == 1 { return owner.shape.members.count }
    return owner.properties.count { $0.path.dropLast() == property.path.dropLast() }
  }

  /// Whether each object contains the one with the same identity under the same key.
  ///
  /// `{"doi": "10.1/7", "metadata": {"doi": "10.1/7", …}}`
  private var isIdentityOfInner: Bool {
    property.key == identity.key && owner.holdsOne(of: target)
  }

  /// Whether each object is contained in one with the same identity under the same key, or with its name.
  ///
  /// `{"key": "A7", "data": {"key": "A7", …}}`. A name must be different in each object.
  private var isIdentityOfOuter: Bool {
    let isName = areAllFound && OwnNames.contains(property.key)
    guard isName || property.key == identity.key, target.holdsOne(of: owner) else { return false }
    return values.sketch.distinctCount
      >= (isName ? owner.objectCount : identity.scalars.sketch.distinctCount)
  }

  /// Whether the target's objects have nothing but some members of the owner's.
  ///
  /// The `creator` in `{"creator": {"email": "a@x.org"}, "attendees": [{"email": "b@x.org", "status": "accepted"}]}` says
  /// nothing about attendees.
  ///
  /// Objects with an identity of their own may repeat more of another one's than that: an order has the `product_id` and the
  /// `product_name` of a product.
  private var isExcerpt: Bool {
    guard property.key == identity.key, target !== owner, target.form == .object,
      owner.form == .object
    else { return false }
    let members = target.shape.members.filter { $0.shape.count >= target.shape.objectCount }
    return members.count < owner.shape.members.count && (isIdentity || members.count == 1)
      && members.allSatisfy { owner.shape.member($0.hash) != nil }
  }

  /// Whether most objects name themselves.
  ///
  /// `{"gravity": {"effect": "gravity", …}, "roost": {"effect": "roost", …}}` are called after what they do.
  private var namesItself: Bool {
    guard target === owner else { return false }
    let own =
      identity.key.flatMap { owner.shape.member(named: $0)?.identity } ?? owner.keyIdentity
    if property.composition == .scalars { return listsItself(own) }
    guard let values = property.shape.identity else { return false }
    let evidence = values.agreement(with: own)
    return evidence.equal > 1 && evidence.equal * 2 >= evidence.common
  }

  /// Returns whether most of the lists have nothing but the identity of the object that has them: `"roles": ["FREQ"]`.
  private func listsItself(_ own: IdentitySample) -> Bool {
    let key = Fingerprint.of(property.key)
    let contents = zip(own.values, own.records).compactMap { value, record in
      record.members.first { $0.key == key }.map { (value, $0.content) }
    }
    let equal = contents.count { value, content in
      content == ShapeSurvey.content(ofListOf: value)
    }
    return equal > 1 && equal * 2 >= contents.count
  }

  // MARK: Values that equal identities by chance

  /// Whether the values are numbers, keys or dates that mean something else.
  private var areEqualByChance: Bool {
    areSmall || areNumbersOfOthers || areNumberedKeys || areDates
  }

  /// Whether small numbers have a name that says nothing: `"decimals": 18`.
  private var areSmall: Bool { name.score == 0 && values.areSmall }

  /// Whether numbers are called the numbers of something else than the target's objects: a `columnNumber`.
  private var areNumbersOfOthers: Bool {
    name.score < 2 && values.integerCount > 0 && !values.areWide
      && Words(property.key).parts.last.map(IdentityNames.numbers.contains) == true
  }

  /// Whether keys are short numbers, which any larger dictionary has too.
  private var areNumberedKeys: Bool {
    isKey && identity.path == [.key] && name.score < 2 && values.formats.contains(.integer)
      && values.shortest < Self.longKey
  }

  /// Whether the values are days or times, and their name does not fit.
  ///
  /// A day among other days means nothing.
  private var areDates: Bool {
    name.score < 3 && !isIdentity && !isKey && areStrings && values.formats.datePattern != nil
  }

  // MARK: Acceptance

  private var areStrings: Bool { values.stringCount > 0 }

  /// The fewest values that are identities by more than chance: signs or long words, and short words.
  private static let (several, many) = (3, 5)
  /// The least bytes of keys that are not those of others by chance, even if they are few.
  private static let longKey = 6

  private var isAccepted: Bool {
    if isIdentity || isKey {
      return areAllFound && isFirst && (isKeyOfValue ? isAcceptedAsKey : isAcceptedAsIdentity)
    }
    return isAcceptedAsValue || areUnique && share >= Self.largeShare
  }

  /// Whether enough values are identities for the name that they have.
  private var isAcceptedAsValue: Bool {
    switch name.score {
    case 3...: share >= 0.9 || areIdentitiesWide && share >= 0.5 && common >= 2 && !areOthers
    // The objects of another document may be among the dependencies of one.
    case 2:
      share >= 0.9 || areIdentitiesWide && share >= 0.5 && common >= 5 && target === owner
    case 1: areAllFound && (areIdentitiesWide && common >= 2 || common >= 12)
    default: areAllFound && (areScattered || areStrings && isTelling)
    }
  }

  /// Whether several values are identities, and others would be none, whatever their name is.
  private var areScattered: Bool {
    areIdentitiesWide && common >= 3 || identity.scalars.areSparse && common >= 8
  }

  /// Whether one or two strings are no identities by chance, whatever their name is.
  ///
  /// They are long, or codes, or they begin as all identities do: `"highlight": "CON western Ori"`. But many things have
  /// the same address, and another thing may have the same `title`.
  private var isTelling: Bool {
    guard !values.formats.contains(.address) || target.objectCount == 1,
      common >= 2 || !OwnNames.isPlain(property.key)
    else { return false }
    let (length, identities) = (values.shortest, identity.scalars)
    if length >= Self.uniqueLength { return true }
    if length >= Self.longName, identities.sketch.distinctCount >= Self.several,
      identities.commonPrefix?.utf8.count ?? 0 >= Self.longKey
    {
      return true
    }
    return length >= (common >= 2 ? Self.longKey : Self.longCode) && values.areCodes
  }

  /// The least bytes of strings that are no identities by chance: of any string, of a code, of a name that begins as all do.
  private static let (uniqueLength, longCode, longName) = (16, 12, 10)

  /// Whether the property seems to be the identity of its own objects.
  ///
  /// Each object has a value of its own, and more members than the target's, or the same key. So the others refer to these,
  /// or have such a `key` too, as items and recipes do.
  private var areOthers: Bool {
    values.sketch.distinctCount * 10 >= property.shape.count * 9
      && (target.shape.members.count < owner.shape.members.count || property.key == identity.key)
  }

  /// Whether the values are UUIDs, addresses and the like.
  ///
  /// They are no identities by chance, though some of the objects may not be in the document.
  private var areUnique: Bool {
    areStrings && values.shortest >= Self.uniqueLength && common >= Self.several
      && values.formats.datePattern == nil && property.key != identity.key && !areOthers
  }

  /// Whether all values are identities such as `d1` and `d2`.
  ///
  /// Nothing else looks like these, unless other objects have the same: a `priority` may be `P1` where people are, too.
  private var areNumbered: Bool {
    areAllFound && common >= 2 && areStrings && identity.scalars.areNumbered
  }

  // MARK: Acceptance of identities and keys

  /// Whether the property is the key of values and lists, which tell nothing else: `{"BAR": 119, "FLEX": 140}`.
  private var isKeyOfValue: Bool { isKey && owner.form != .object }

  /// Whether the keys of values refer to objects.
  ///
  /// Two dictionaries often have the same words as keys, and rarely the same signs.
  private var isAcceptedAsKey: Bool {
    if target.isAlwaysKeyed, target.form != .value {
      return areIdentitiesWide && common >= Self.several && areSignsOrLongNumbers
    }
    return name.score >= 2 || areIdentitiesWide && common >= 2 || areNumbered || areAllIdentities
  }

  /// Whether the identities or the keys of objects refer to other objects.
  private var isAcceptedAsIdentity: Bool {
    name.score >= 2 || isRemark || isKeyedByOthers
      || target.form == .value && (areIdentitiesWide && common >= 2 || areNumbered)
  }

  /// Whether the target comes first of two kinds with the same identities, or the name means it.
  ///
  /// The `transactionHash` of a receipt leads to a transaction, whatever comes first.
  private var isFirst: Bool {
    name.score > 2 || target.number <= owner.number || target.form != owner.form || isRemark
  }

  /// Whether objects only describe others further: they have a `ref` or `path`, or are called like these.
  ///
  /// An `affectedComponent` has the `code` of a component.
  private var isRemark: Bool {
    areAllFound && common >= 2 && areIdentitiesWide
      && (OwnNames.isRemark(property.key) || owner.isCalledLike(target))
      && target.shape.members.count + (identity.key == nil ? 1 : 0) > owner.shape.members.count
  }

  /// Whether objects under their keys tell something of other objects.
  ///
  /// `{"progress": {"l1": {"done": true}, …}}` tells something of lessons, once for each learner.
  private var isKeyedByOthers: Bool {
    guard isKey, owner.identity == nil else { return false }
    let isLong = values.areSigns || values.shortest >= Self.longKey
    return areNumbered || areIdentitiesWide && common >= (isLong ? Self.several : Self.many)
  }

  /// Whether the values are signs such as `U1A2B0`, or long numbers.
  private var areSignsOrLongNumbers: Bool {
    values.areSigns || values.formats.contains(.integer) && values.shortest >= Self.longKey
  }

  /// Whether the values are all of the identities, and nothing else.
  ///
  /// `{"plans": [{"code": "BAR"}, …], "days": [{"rates": {"BAR": 119, …}}, …]}`: no other keys, and no other plans.
  private var areAllIdentities: Bool {
    areAllFound && areStrings && common >= Self.several
      && common == identity.scalars.sketch.distinctCount
  }

  // MARK: Acceptance by the place of the objects

  /// Whether the values refer to the object around their own.
  ///
  /// A `parent_id` does, and an identifier with the values of all such objects: the `order_id` of the items in orders.
  private var isOfObjectAround: Bool {
    guard owner.outer.contains(target.number), areAllFound, name.isMarked, !isKey,
      property.path.count == 1
    else { return false }
    let count = identity.scalars.sketch.distinctCount
    return Words(property.key).parts.first == "parent"
      || count >= Self.several && values.sketch.distinctCount == count
  }

  /// Whether a list of strings is beside the list of the objects:
  /// `{"colorings": [{"key": "country", …}, …], "filters": ["country", "region"]}`.
  private var isBesideObjects: Bool {
    areAllFound && areStrings && areIdentitiesWide && common >= 2
      && property.composition == .scalars && owner.lists(target)
  }

  // MARK: Less evidence

  /// Whether the evidence is enough if the values are identities of no other entity.
  private var isAcceptedAlone: Bool {
    guard areAllFound, !isIdentity, !isKey else { return false }
    return areNumbered || name.isMarked && areUnusual
  }

  /// Whether identities are longer or larger than a few words and counts.
  private var areUnusual: Bool {
    let identities = identity.scalars
    if identities.stringCount > 0, common >= 2 || identities.shortest >= 8 { return true }
    return common >= 2 && identities.minimum >= 10
      || identities.integerCount > 0 && identities.minimum >= 10_000
  }

  /// The least share of values that must be identities, where the others may be those of objects elsewhere.
  private static let leastShare = 0.5
  /// The share of values that must be identities, whatever their key is.
  private static let largeShare = 2.0 / 3

  /// Whether at least half of the values are identities, and their name or their look fits.
  private var isDoubtful: Bool {
    !isIdentity && !isKey && property.key != identity.key && !areAllFound && common > 1
      && share >= Self.leastShare && (name.score > 2 || areUnique)
  }
}

/// Lists keys of an object's own name, and of values that lead to another object.
enum OwnNames {
  private static let plain: Set<String> = [
    "name", "title", "label", "text", "value", "description",
  ]
  private static let remarks: Set<String> = ["ref", "path", "href", "uri", "file"]

  /// Returns whether a key holds the object's own name or text: `name`.
  static func isPlain(_ key: String) -> Bool { plain.contains(key.lowercased()) }

  /// Returns whether a key holds the object's own name: `name`, `display_name`.
  static func contains(_ key: String) -> Bool {
    isPlain(key) || Words(key).parts == ["display", "name"]
  }

  /// Returns whether a key leads to an object that its own one describes further: `ref`, `path`.
  static func isRemark(_ key: String) -> Bool { remarks.contains(key.lowercased()) }
}
