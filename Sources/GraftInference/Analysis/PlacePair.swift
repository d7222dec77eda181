// Decides whether two places hold the same kind of object: {"user": {…}, "retweeted_status": {"user": {…}}}
//
//   against         the objects of one place are excerpts of the others, or the same identity has other contents
//   contents        equal or similar objects, and the same addresses, records or roles, are enough
//   one name        needs half of the keys
//   names alike     need more keys, or a part that nothing else has
//   other names     need nearly all keys, and specific ones
//
// The first rule that applies decides.

import Graft

/// Provides facts about all places to the comparison of two.
final class PlaceFacts {
  let table: PlaceTable
  let names: PlaceNames
  /// The places of objects with nothing but an identifier that name objects of one other place.
  let bareReferences: Set<Int>
  /// The ranks of keys as identities, whatever the objects are called; each is found once, as pairs of places are many.
  private var ranks: [UInt64: Int?] = [:]

  init(_ table: PlaceTable) {
    self.table = table
    names = PlaceNames(table)
    bareReferences = BareReferences.places(in: table)
  }

  /// Returns the rank of a key as an identity, whatever the objects are called.
  fileprivate func rank(of member: Shape.Member) -> Int? {
    if let rank = ranks[member.hash] { return rank }
    let rank = IdentityNames.rank(of: member.name, aliases: [])
    ranks[member.hash] = .some(rank)
    return rank
  }

  /// Returns whether two places hold the same kind of thing; `depth` wrappers around them were opened before.
  func holdSameKind(_ first: Int, _ second: Int, depth: Int = 0) -> Bool {
    guard table[first].form == table[second].form else { return false }
    guard table[first].form == .object else {
      // In {"prices": {"eu": {"de": {"S-1": {…}}}}}, each level has other things inside.
      return !table[first].key.isEmpty && names.areEqual(first, second)
        && forms(of: first) == forms(of: second)
    }
    // Objects with fewer keys in common are the same only as kinds of a union. Most pairs end here.
    let (one, other) = (table[first], table[second])
    let commonCount = one.commonKeyCount(with: other)
    guard commonCount > 0,
      commonCount * 2 >= min(one.keys.count, other.keys.count)
        || TaggedUnion.hasKindsOf(one, other)
    else { return false }
    return PlacePair(first, second, self, depth: depth).areSameKind
  }

  /// Returns the forms of a place and of the contents of its dictionaries and arrays, level by level.
  private func forms(of place: Int) -> [Place.Form] {
    let inner = table.children[place]
    guard table[place].form != .object, let content = inner[[.eachMember]] ?? inner[[.eachElement]]
    else { return [table[place].form] }
    return [table[place].form] + forms(of: content)
  }
}

/// Two places of objects with common keys, and the evidence that these are of one kind.
struct PlacePair {
  let first: Place
  let second: Place
  /// The common keys.
  let common: Set<UInt64>
  /// The share of all keys that are common.
  let share: Double
  private let firstNumber: Int
  private let secondNumber: Int
  /// The evidence of identities that occur at both places.
  private let evidence: IdentitySample.Evidence
  private let facts: PlaceFacts
  /// The number of wrappers around the places that were opened before.
  private let depth: Int

  init(_ first: Int, _ second: Int, _ facts: PlaceFacts, depth: Int = 0) {
    firstNumber = first
    secondNumber = second
    (self.first, self.second) = (facts.table[first], facts.table[second])
    self.facts = facts
    self.depth = depth
    common = self.first.commonKeys(with: self.second)
    share =
      Double(common.count)
      / Double(self.first.keys.count + self.second.keys.count - common.count)
    evidence = Self.identityEvidence(self.first, self.second, common)
  }

  private var names: PlaceNames { facts.names }

  /// Whether the objects of both places have the same keys.
  private var areKeysEqual: Bool { share == 1 }

  /// Whether one place has no keys beside the common ones.
  private var isPart: Bool { common.count == min(first.keys.count, second.keys.count) }

  /// Whether the places have the same name.
  private var isSameName: Bool { !first.key.isEmpty && names.areEqual(firstNumber, secondNumber) }

  var areSameKind: Bool {
    if areExcerpts || lackIdentities || areOtherReferences { return false }
    if areDocuments || areTwins { return true }
    if areContradicted || areKeyedDifferently { return false }
    if TaggedUnion.hasKindsOf(first, second) { return true }
    guard areCompatible, !wrapDifferentKinds else { return false }
    if areOtherLists { return false }
    if haveSimilarIdentities || haveSameAddresses || areInSiblings || areAlike { return true }
    return isSameName ? areSameKindOfOneName : areSameKindOfOtherNames
  }

  /// Whether objects with the same name have enough keys in common: half of all, or all of the smaller ones.
  ///
  /// All of the smaller ones must be four, unless the larger ones have no other key always: a `size` may have `px` or `em`.
  private var areSameKindOfOneName: Bool {
    if areKeysEqual { return true }
    if share >= 0.5, common.count > 1 || isValue && areSpecific(first) { return true }
    let larger = first.keys.count < second.keys.count ? second : first
    if isPart, common.count >= 4 || !Self.hasMore(larger, than: common) { return true }
    return areHalfCommon && haveSameParts
  }

  /// Whether half of the keys of one place are common.
  private var areHalfCommon: Bool {
    common.count * 2 >= min(first.keys.count, second.keys.count)
  }

  /// Whether objects with other names have enough keys in common.
  private var areSameKindOfOtherNames: Bool {
    if isIdentified, evidence.common == 0, areOfDifferentOwners { return false }
    if haveSameLastWord, isEnoughForSameLastWord { return true }
    if areListsUnderPlural, share >= 0.5, common.count >= 2 { return true }
    if isIdentified { return share >= 0.8 && common.count >= 6 }
    if isPart, share >= 0.6, areSiblings { return true }
    if common.count == 2 { return areMeasures }
    return share >= 0.9 && common.count >= 3 && (common.count >= 6 || areSpecific(first))
  }

  // MARK: The evidence of identities

  /// Returns the evidence of identities that occur at both places, for the strongest key that may
  /// be an identity.
  ///
  /// A key that means several objects at one place is no identity. It contradicts nothing if the objects of both places have
  /// the same name and keys.
  private static func identityEvidence(
    _ first: Place, _ second: Place, _ common: Set<UInt64>
  ) -> IdentitySample.Evidence {
    var best = IdentitySample.Evidence()
    for member in first.shape.members
    where common.contains(member.hash) && member.name.isStrong {
      guard let mine = member.shape.identity,
        let theirs = second.shape.member(member.hash)?.identity
      else { continue }
      var evidence = mine.agreement(with: theirs)
      if first.keys == second.keys, first.key == second.key,
        !mine.contradictedKeys.isEmpty || !theirs.contradictedKeys.isEmpty
      {
        evidence.contradicting = 0
      }
      if evidence.common > best.common { best = evidence }
    }
    return best
  }

  /// Whether more than a quarter of the common identities have other contents at the two places.
  var areContradicted: Bool { evidence.contradicting * 4 > evidence.common }

  /// Whether a common key is called an identity by itself.
  private var isIdentified: Bool {
    first.shape.members.contains { common.contains($0.hash) && $0.name.isStrong }
  }

  /// Whether equal objects are no chance.
  ///
  /// Objects with other names that have nothing but a small number in common are equal by chance.
  private var isProof: Bool {
    common.count > 1 || isSameName
      || !first.shape.members.allSatisfy {
        !common.contains($0.hash) || $0.shape.scalars.areSmall
      }
  }

  /// Whether several identities are common, or similar objects are found at both places, and most keys are common.
  private var haveSimilarIdentities: Bool {
    isProof && share >= 0.75 && (evidence.common > 1 || evidence.similar > 0)
  }

  // MARK: Reasons against

  /// Whether the objects of one place consist of a few members of the others.
  private var areExcerpts: Bool {
    isExcerpt(first, of: second) || isExcerpt(second, of: first)
  }

  /// The most members of an object that only repeats members of another one.
  static let excerptLimit = 5

  /// Returns whether objects consist of a few members of others.
  ///
  /// `{"id": 7, "name": "Plan"}` refers to a card elsewhere. Were the two taken for the same, an export would
  /// write it whole. `{"partyId": 7, "name": "Ann"}` refers to one of the `parties` too, if its `partyId` tells these
  /// apart; where the same `partyId` has another name, the two are different things. Of objects with nothing but a name,
  /// such as `{"name": "Total"}`, the name may be what tells the others apart.
  private func isExcerpt(_ part: Place, of whole: Place) -> Bool {
    guard common.count == part.keys.count, part.keys.count < whole.keys.count,
      part.keys.count <= Self.excerptLimit, part.parent != nil,
      part.shape.members.allSatisfy({ Composition($0.shape).isScalar })
    else { return false }
    let alwaysHasMore = Self.hasMore(whole, than: common)
    return part.shape.members.contains { member in
      guard let other = whole.shape.member(member.hash) else { return false }
      let overlap = member.shape.scalars.sketch.overlap(with: other.scalars.sketch)
      guard overlap.compared > 0, overlap.common == overlap.compared else { return false }
      if member.name.isStrong || member.name.lowercased == "slug" { return alwaysHasMore }
      let isAlone = part.keys.count == 1
      return overlap.common > 1
        && (alwaysHasMore || isAlone && Self.hasMore(whole, than: common, inOneOf: 2))
        && tellsApart(
          member, whole, upTo: isAlone ? IdentityNames.greatestNameRank : Self.codeRank)
        && Self.agree(member.shape, other)
    }
  }

  /// Returns whether all objects of a place, or one of two, have a member that is none of some.
  private static func hasMore(
    _ place: Place, than keys: Set<UInt64>, inOneOf part: Int = 1
  ) -> Bool {
    place.shape.members.contains { member in
      !keys.contains(member.hash)
        && (member.shape.count - member.shape.nullCount) * part >= place.shape.objectCount
    }
  }

  /// Returns whether objects of one identity at two places never contradict each other.
  private static func agree(_ first: Shape, _ second: Shape) -> Bool {
    guard let mine = first.identity, let theirs = second.identity else { return false }
    return mine.agreement(with: theirs).contradicting == 0
  }

  /// Returns whether a member is named as the identity of objects, with a rank up to a given one, and is different in each.
  private func tellsApart(_ member: Shape.Member, _ place: Place, upTo greatestRank: Int) -> Bool {
    guard place.link != .one, let shape = place.shape.member(member.hash),
      let rank = IdentityNames.rank(of: member.name, aliases: [names[place]])
    else { return false }
    return rank <= greatestRank && shape.nullCount == 0
      && shape.scalars.sketch.isComplete
      && shape.scalars.sketch.distinctCount == place.shape.objectCount
  }

  /// The rank of identifiers, which come before keys and numbers, and the rank of codes and numbers, which come before
  /// addresses and names.
  private static let (identifierRank, codeRank) = (3, 5)

  /// Whether the objects of one place have none of the identifiers by which the others differ.
  private var lackIdentities: Bool {
    lackIdentity(first, of: second) || lackIdentity(second, of: first)
  }

  /// Returns whether objects have none of the identifiers by which others differ: packages have a `package_uid`, and the
  /// `package_data` in files is what they were made from.
  private func lackIdentity(_ place: Place, of other: Place) -> Bool {
    other.shape.members.contains { member in
      place.shape.member(member.hash) == nil
        && tellsApart(member, other, upTo: Self.identifierRank) && other.shape.objectCount > 1
    }
  }

  /// Whether the objects have nothing but an identifier, and those of one place are references to objects of another one.
  private var areOtherReferences: Bool {
    (facts.bareReferences.contains(firstNumber) || facts.bareReferences.contains(secondNumber))
      && first.shape.members.count == 1 && second.shape.members.count == 1
  }

  /// Whether only the objects of one place have the key of a dictionary as a part.
  ///
  /// An exception is a dictionary with one such record beside it, in each of several objects: the `fields` and the
  /// `children` of a node.
  private var areKeyedDifferently: Bool {
    guard (first.dictionary == nil) != (second.dictionary == nil), evidence.equal == 0 else {
      return false
    }
    let isAlone = first.parent.map { facts.table[$0].shape.objectCount < 2 } ?? true
    return isAlone || !areKeysEqual || first.parent != second.parent
  }

  /// Whether most of the common keys hold the same kind of value.
  var areCompatible: Bool {
    // {"id": …, "fields": {…}} may be anything: it is the same only with some of the same fields.
    if first.shape.hasOtherParts(than: second.shape) { return false }
    var clashes = 0
    for hash in common {
      guard let one = first.shape.member(hash), let other = second.shape.member(hash) else {
        continue
      }
      let (mine, theirs) = (Composition(one), Composition(other))
      let isFolding =
        mine == .object && theirs == .dictionary || mine == .dictionary && theirs == .object
      if mine != .mixed, theirs != .mixed, !isFolding, mine.combined(with: theirs) == .mixed {
        clashes += 1
      }
    }
    return clashes * 5 <= common.count
  }

  /// The most members of a wrapper that are neither objects nor arrays of objects.
  private static let wrapperLimit = 3
  /// The most nested wrappers that are opened.
  private static let wrapperDepth = 6

  /// Whether objects without identity mainly contain others, of different kinds.
  ///
  /// Each `{"cursor": "x", "node": {…}}` looks like any other, but the edges of labels and of comments differ in kind.
  var wrapDifferentKinds: Bool {
    guard depth < Self.wrapperDepth else { return false }
    var plainCount = 0
    var inner: [(Int, Int)] = []
    for member in first.shape.members where common.contains(member.hash) {
      if member.name.isStrong { return false }
      let steps: [JSONPath.Step] = [.member(member.key)]
      if let mine = facts.table.children[firstNumber][steps],
        let theirs = facts.table.children[secondNumber][steps]
      {
        inner.append((mine, theirs))
      } else if let other = second.shape.member(member.hash),
        !member.shape.isEmptyOrNull || !other.isEmptyOrNull
      {
        plainCount += 1
      }
    }
    guard plainCount <= Self.wrapperLimit else { return false }
    return inner.contains { !facts.holdSameKind($0, $1, depth: depth + 1) }
  }

  /// Whether objects without a common identity are in two lists or dictionaries beside each other that are named after
  /// different things.
  ///
  /// `heroes` and `pets` are, and so are numbers with names, such as the `distances` and the `durations` of a journey.
  ///
  /// Both `admins` and `members` may be users.
  private var areOtherLists: Bool {
    !areKeysEqual && evidence.common == 0 && first.parent == second.parent && first.parent != nil
      && (first.link != .one || first.hasNumbersOnly && second.hasNumbersOnly) && areOtherPlurals
  }

  /// Whether objects are in lists or dictionaries that are named after different things.
  private var areOtherPlurals: Bool {
    guard second.link == first.link, Words(first.key).isPlural, Words(second.key).isPlural,
      !names.arePerson(first), !names.arePerson(second)
    else { return false }
    return names[first].last != names[second].last
  }

  /// Whether the names of objects end alike, but begin with the names of other objects.
  ///
  /// Where there are categories, the `categoryOptions` are theirs, and other things than `options`.
  /// `homeTeams` and `awayTeams` are teams, as no objects are called `home`.
  private var areOfDifferentOwners: Bool {
    let (mine, theirs) = (names[first], names[second])
    guard mine != theirs, let last = mine.last, last == theirs.last else { return false }
    return [mine, theirs].allSatisfy { words in
      words.count == 1 || words.count == 2 && words[0] != last && names.areCalled(words[0])
    }
  }

  // MARK: Evidence beside identities

  /// Whether the places are two documents of one kind, such as the pages of a list.
  private var areDocuments: Bool { first.parent == nil && second.parent == nil && share >= 0.5 }

  /// Whether objects beside each other have the same keys.
  ///
  /// The `white` and the `black` of a game are players, even if one has another rating each time.
  private var areTwins: Bool {
    areKeysEqual && areSiblings && !areOfDifferentOwners
  }

  /// Whether objects are siblings made of scalars, at least two of them more than names
  /// or codes: the `start` and the `end` of an event.
  ///
  /// They may have the same objects in them too, if they have the same keys: the `left` and the `right` tire.
  private var areSiblings: Bool {
    guard first.parent != nil, first.parent == second.parent, first.link == .one,
      second.link == .one
    else { return false }
    let members = first.shape.members + second.shape.members
    let specific = Set(
      members.filter {
        common.contains($0.hash) && IdentityNames.rank(of: $0.name, aliases: []) == nil
          && !$0.name.isTag
      }.map(\.hash))
    guard specific.count >= 2 else { return false }
    return members.allSatisfy { Composition($0.shape).isScalar }
      || areKeysEqual
        && first.shape.members.allSatisfy {
          $0.shape.element == nil
            && Self.haveSameContents($0.shape, second.shape.member($0.hash))
        }
  }

  /// Whether objects are in dictionaries beside each other: `{"default": {"flask": {…}, …}, "develop": {"mypy": {…}, …}}`.
  private var areInSiblings: Bool {
    first.link == .members && second.link == .members && first.parent == second.parent
      && share >= 0.6 && common.count >= 3
  }

  /// Whether the own addresses of objects differ only in their last part: `…/issues/7` and `…/issues/9`.
  private var haveSameAddresses: Bool {
    share >= 0.6 && common.count >= 2
      && first.shape.members.contains { member in
        guard common.contains(member.hash),
          TypeMark.addressKeys.contains(member.name.lowercased),
          let mine = Self.folder(of: member.shape.scalars),
          let theirs = second.shape.member(member.hash).flatMap({ Self.folder(of: $0.scalars) })
        else { return false }
        return mine == theirs
      }
  }

  /// Returns the common prefix of addresses up to the last slash, if it leads to a collection.
  private static func folder(of scalars: ScalarStatistics) -> Substring? {
    guard scalars.stringCount > 0, var prefix = scalars.commonPrefix?[...], prefix.contains("/")
    else { return nil }
    if scalars.sketch.distinctCount == 1, prefix.hasSuffix("/") { prefix = prefix.dropLast() }
    while let last = prefix.last, last != "/", last != "=" { prefix = prefix.dropLast() }
    let parts = prefix.split(separator: "/").drop { $0.hasSuffix(":") }
    return parts.count >= 2 ? prefix : nil
  }

  /// Whether all keys are common, and the objects are people, records or links, or some are equal.
  private var areAlike: Bool {
    guard areKeysEqual else { return false }
    let arePeople = names.arePerson(first) && names.arePerson(second)
    if common.count < 2 { return arePeople && haveEqualObjects || areLinks }
    return haveEqualObjects || areSpecific(first) && (arePeople || haveSameRecords)
  }

  /// Whether objects consist of an address, and are links: `{"self": {"href": "/7"}, "next": {"href": "/8"}}`.
  ///
  /// `images` and `sources` are two kinds, wherever they are.
  private var areLinks: Bool { first.isAddress && (first.link == .one || !areOtherPlurals) }

  /// Whether an object of one place is found at the other, whatever the names of the places are.
  private var haveEqualObjects: Bool {
    first.shape.members.contains { member in
      guard let mine = member.shape.identity,
        let theirs = second.shape.member(member.hash)?.identity,
        let rank = facts.rank(of: member)
      else { return false }
      let evidence = mine.agreement(with: theirs)
      // Two things may have the same name, and rarely the same address.
      return evidence.equal >= (rank > IdentityNames.addressRank ? 3 : 1)
        && evidence.contradicting == 0
    }
  }

  /// Whether objects consist of the same records at both places, or of lists of these:
  /// `{"next": {"journey": {…}, "train": {…}}}` and `{"relations": [{"other": {"journey": {…}, "train": {…}}}]}`.
  ///
  /// Some of the records must have several keys.
  private var haveSameRecords: Bool {
    first.shape.members.contains { ($0.shape.element ?? $0.shape).members.count > 1 }
      && first.shape.members.allSatisfy { member in
        !Composition(member.shape).isScalar
          && Self.haveSameContents(member.shape, second.shape.member(member.hash))
      }
  }

  /// Returns whether values are of one kind, and have the same keys if they are objects or lists of objects.
  private static func haveSameContents(_ one: Shape, _ other: Shape?) -> Bool {
    guard let other, Composition(one) == Composition(other) else { return false }
    switch Composition(one) {
    case .boolean, .number, .string: return true
    case .object: return Set(one.members.map(\.hash)) == Set(other.members.map(\.hash))
    case .objects: return haveSameContents(one.element ?? one, other.element)
    default: return false
    }
  }

  /// Whether objects without identity are two numbers, or a number and its unit:
  /// `{"minValue": {"amount": 50, "currency": "GBP"}, "value": {"amount": 90, "currency": "GBP"}}`.
  private var areMeasures: Bool {
    areKeysEqual
      && (first.hasNumbersOnly && second.hasNumbersOnly
        || first.isMeasure && second.isMeasure && areSpecific(first))
  }

  // MARK: Common keys

  /// Keys that objects of every kind may have.
  private static let unspecific: Set<String> = [
    "key", "name", "value", "type", "title", "label", "text", "description", "url", "href", "kind",
    "enabled", "disabled", "active", "status", "count", "total", "code", "source", "format",
  ]

  /// Returns whether some of the common keys are rare enough to mean something.
  private func areSpecific(_ place: Place) -> Bool {
    place.shape.members.contains {
      common.contains($0.hash) && !Self.unspecific.contains($0.key.lowercased())
    }
  }

  /// Whether the common keys hold values, and no identifiers.
  ///
  /// `{"lap": {"time": {"text": "1:03"}}}` has a time too, beside `{"time": {"text": "1:04", "ms": 64000}}`.
  private var isValue: Bool {
    first.shape.members.allSatisfy {
      !common.contains($0.hash) || !$0.name.isStrong && Composition($0.shape).isScalar
    }
  }

  /// Whether objects share a part that is found nowhere else: the
  /// `physicalLocation` of all locations.
  ///
  /// Objects may be inside the others and share a part: the `fieldInstances` of `entityInstances` have a `tile`, too. Two lists in
  /// one object, such as the `grain_additions` and the `hop_additions` of a recipe, must have more in common, unless the
  /// part is named like them.
  private var haveSameParts: Bool {
    guard let last = names[first].last, !IdentityNames.general.contains(last),
      !second.path.hasPrefix(first.path), !first.path.hasPrefix(second.path)
    else { return false }
    let isAnyPart =
      !areListsOfOne || common.count * 3 > first.keys.count + second.keys.count
    return first.shape.members.contains { member in
      guard common.contains(member.hash), let other = second.shape.member(member.hash),
        names.areHoldersCalledAlike(member.hash),
        isAnyPart || member.name.words.singular.parts.last == last,
        !IdentityNames.general.contains(member.name.lowercased),
        Composition(member.shape) == .object, Composition(other) == .object
      else { return false }
      let mine = Set(member.shape.members.map(\.hash))
      let theirs = Set(other.members.map(\.hash))
      return mine.count >= 2 && mine == theirs
    }
  }

  // MARK: Names that are alike

  /// Whether the names of objects end alike: an `editedMessage` is a message, and `orderFormats` and `billFormats` hold
  /// formats.
  ///
  /// The `data` of a category and the `data` of an image are of two kinds.
  private var haveSameLastWord: Bool {
    guard let last = names[first].last, !IdentityNames.general.contains(last) else { return false }
    return last == names[second].last
  }

  private var isEnoughForSameLastWord: Bool {
    if share >= 0.6, common.count >= 4 { return true }
    if areHalfCommon, haveSameParts { return true }
    return common.count >= 2 && (areKeysEqual && areSpecific(first) || isPart && areListsOfOne)
  }

  /// Whether objects are in two lists beside each other: `primaryOutcomes` and `secondaryOutcomes`.
  private var areListsOfOne: Bool {
    first.link == .elements && second.link == .elements && first.parent == second.parent
  }

  /// Whether objects are in two lists of one object with a name in the
  /// plural: `{"dimensions": {"series": [{…}], "observation": [{…}]}}`.
  ///
  /// Lists that are both called by a plural hold what that says: `{"resources": {"users": [{…}], "teams": [{…}]}}`.
  private var areListsUnderPlural: Bool {
    guard areListsOfOne, let parent = first.parent, facts.table[parent].link == .one
    else { return false }
    return Words(facts.table[parent].key).isPlural
      && ![first.key, second.key].allSatisfy(Collections.isList)
  }
}

extension Place {
  /// Whether the objects consist of numbers.
  fileprivate var hasNumbersOnly: Bool {
    shape.members.allSatisfy { Composition($0.shape) == .number }
  }

  /// Whether objects are alone where they are, and have one number, which is no identifier, and words for it.
  fileprivate var isMeasure: Bool {
    let numbers = shape.members.filter { Composition($0.shape) == .number }
    return link == .one && numbers.count == 1
      && !numbers.contains { $0.name.isStrong || IdentityNames.isForeign($0.name.words.parts) }
      && shape.members.allSatisfy { [.number, .string, .object].contains(Composition($0.shape)) }
  }

  /// Whether the objects consist of an address.
  fileprivate var isAddress: Bool {
    shape.members.allSatisfy { ["href", "url", "uri"].contains($0.key.lowercased()) }
      && parent != nil
  }
}

extension Shape {
  /// Whether all values are null or empty.
  var isEmptyOrNull: Bool {
    switch Composition(self) {
    case .null, .emptyArray, .emptyObject: true
    default: false
    }
  }
}
