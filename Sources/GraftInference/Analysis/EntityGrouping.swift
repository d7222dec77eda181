// Decides which places hold the same kind of object: {"user": {…}, "retweeted_status": {"user":
// {…}}}
//
// The data decides first. Places where the same identity occurs with the same content hold the same
// kind; places where it occurs with contradictory content do not, whatever the keys. If no identity
// occurs twice, the keys decide, and specific keys count more. Two objects with `street`, `city`
// and `zip` are addresses. Two objects with `id` and `name` may be anything, and are the same kind
// only under the same name or inside one another.

import Graft

/// Finds the places whose objects are of one entity.
struct EntityGrouping {
  private let table: PlaceTable
  private var parents: [Int]
  /// The words of the places' keys in the singular, which every comparison needs.
  private let wordsOfKeys: [String: Words]
  /// A number for the words that name the objects of each place.
  private let nameNumbers: [Int]
  private let ranks = KeyRanks()
  /// The last words of the keys of all places whose objects have a member, by the member.
  private let lastWordsOfHolders: [UInt64: Set<String>]
  /// The last words of the keys of all places that hold objects.
  private let lastWords: Set<String>
  /// The places of objects with nothing but an identifier that name objects of one other place.
  private var bareReferences: Set<Int> = []
  /// The types that the objects of each group name, by the number of the group.
  private var types: [Int: [TypeMark]] = [:]

  /// The type that all objects of a place name, or the collection that has their addresses.
  private struct TypeMark: Hashable {
    let key: UInt64
    let value: UInt64
    /// The last word of the objects' key; nil for general words, such as `items`, and for a collection.
    ///
    /// An `owner` may be a user or a team, and `messages` and `latest_messages` are messages of any type.
    let name: String?
    /// Whether the value surely names a type: the name of a collection does if it is a plural, or the objects' key.
    var isCertain = true
  }

  init(_ table: PlaceTable) {
    self.table = table
    parents = Array(0..<table.count)
    wordsOfKeys = Dictionary(
      (0..<table.count).map { (table[$0].key, Self.words(of: table[$0].key)) },
      uniquingKeysWith: { first, _ in first })
    nameNumbers = Self.nameNumbers(table, wordsOfKeys)
    var holders: [UInt64: Set<String>] = [:]
    for number in 0..<table.count where table[number].form == .object {
      let word = wordsOfKeys[table[number].key]?.parts.last ?? ""
      for member in table[number].shape.members where Composition(member.shape) == .object {
        holders[member.hash, default: []].insert(word)
      }
    }
    lastWordsOfHolders = holders
    let wordsOfKeys = wordsOfKeys
    lastWords = Set(
      (0..<table.count).lazy.filter { table[$0].form == .object }
        .compactMap { wordsOfKeys[table[$0].key]?.parts.last })
    for number in 0..<table.count {
      let marks = Self.marks(of: table[number])
      if !marks.isEmpty { types[number] = marks }
    }
    bareReferences = findBareReferences()
    joinNested()
    joinBuckets(by: { wordsOfKeys[$0.key]?.parts.joined(separator: " ") })
    joinBuckets(by: { place in place.form == .object ? place.keys : nil })
    joinBySharedIdentities()
    joinBuckets(by: { place in place.form == .object ? true : nil })
    joinParents()
    joinChildren()
  }

  /// Returns the number of a place's group, which is the number of one of its places.
  func group(of place: Int) -> Int {
    var number = place
    while parents[number] != number { number = parents[number] }
    return number
  }

  private mutating func join(_ first: Int, _ second: Int) {
    let (one, other) = (group(of: first), group(of: second))
    guard one != other else { return }
    let (low, high) = (min(one, other), max(one, other))
    parents[high] = low
    if let marks = types.removeValue(forKey: high) {
      types[low, default: []] += marks.filter { types[low]?.contains($0) != true }
    }
  }

  /// Returns whether the groups of two places name different types.
  ///
  /// A place with both users and teams does not make one kind of them, and the pages of a catalogue are no packages
  /// though both have `items`. Large objects with the same keys are of one kind whatever type they name: a bot that has
  /// all that users have is one of these.
  private func areOfDifferentTypes(_ first: Int, _ second: Int) -> Bool {
    guard let mine = types[group(of: first)], let theirs = types[group(of: second)],
      !areSameRecords(table[first], table[second])
    else { return false }
    return mine.contains { mark in
      theirs.contains {
        $0.key == mark.key && $0.value != mark.value && ($0.isCertain || mark.isCertain)
          && ($0.name != mark.name || mark.name == nil)
      }
    }
  }

  /// The fewest keys that objects of two kinds do not have in common by chance.
  private static let manyKeys = 8

  private func areSameRecords(_ first: Place, _ second: Place) -> Bool {
    first.keys.count >= Self.manyKeys && first.keys == second.keys
  }

  private static func marks(of place: Place) -> [TypeMark] {
    guard place.form == .object else { return [] }
    let collections = place.shape.members.compactMap { collection($0, of: place) }
    guard place.shape.members.contains(where: { $0.name.isStrong }) else {
      return collections
    }
    return collections
      + place.shape.members.compactMap { member in
        guard TagNames.isOwnType(member.name.lowercased), !member.shape.hasSeveralContents,
          [.string, .scalars].contains(Composition(member.shape))
        else { return nil }
        let name = Words(place.key).singular
        let isGeneral = name.parts.count == 1 && IdentityNames.general.contains(name.parts[0])
        return TypeMark(
          key: member.hash, value: member.shape.firstContent,
          name: isGeneral ? nil : name.parts.last)
      }
  }

  /// Returns the collection that has the objects' own addresses: `/api/equipment/club` and
  /// `/api/equipment-categories/weapons` are in two of them, and so are `/api/classes/bard` and `/api/classes/bard/levels/1`.
  ///
  /// The pages of two people, `/ann/graft` and `/ben/graft`, may be of one kind: one of two collections must have the name
  /// of a plural, or of the key of its objects. Objects with nothing but a `href` are links, wherever they lead.
  private static func collection(_ member: Shape.Member, of place: Place) -> TypeMark? {
    guard addressKeys.contains(member.name.lowercased), member.shape.stringCount > 0,
      place.keys.count > 1 || member.name.lowercased != "href"
    else { return nil }
    var name: Substring?
    for address in member.shape.scalars.examples {
      let parts = address.split(separator: "/").drop { $0.hasSuffix(":") }
      guard parts.count > 2, let last = parts.last, !last.contains(where: { ".?=".contains($0) }),
        case let collection = parts[parts.endIndex - 2], name ?? collection == collection,
        !collection.contains(where: \.isNumber)
      else { return nil }
      name = collection
    }
    guard let name else { return nil }
    return TypeMark(
      key: member.hash, value: Fingerprint.of(String(name)), name: nil,
      isCertain: Words(String(name)).isPlural || name == place.key)
  }

  // MARK: Pairs

  /// The most groups of one bucket that a place is compared with.
  private static let comparisonLimit = 200

  /// Places of different groups.
  private struct Bucket {
    private(set) var representatives: [Int] = []
    /// The keys of the objects of all of them.
    private var keys = FingerprintIndex()

    /// Returns whether a place may hold the same kind of object as one of them: objects without a common key are never
    /// the same.
    func mayHold(_ place: Place) -> Bool {
      place.form != .object || place.keys.contains(where: keys.contains)
    }

    mutating func append(_ number: Int, _ place: Place) {
      representatives.append(number)
      for key in place.keys { keys.insert(key) }
    }
  }

  /// Compares places that have something in common, each with one of every group so far.
  private mutating func joinBuckets<Name: Hashable>(by name: (Place) -> Name?) {
    var buckets: [Name: Bucket] = [:]
    for number in 0..<table.count {
      guard let name = name(table[number]) else { continue }
      var bucket = buckets[name] ?? Bucket()
      let isComparable = bucket.mayHold(table[number])
      var isKnown = false
      for other in bucket.representatives {
        if group(of: other) == group(of: number) {
          isKnown = true
        } else if isComparable, !areOfDifferentTypes(other, number), holdSameKind(other, number) {
          join(other, number)
          isKnown = true
        }
      }
      if !isKnown, bucket.representatives.count < Self.comparisonLimit {
        buckets[name] = nil
        bucket.append(number, table[number])
        buckets[name] = bucket
      }
    }
  }

  /// Compares places at which the same value of the same key occurs.
  private mutating func joinBySharedIdentities() {
    var owners = FingerprintIndex()
    for number in 0..<table.count {
      for member in table[number].shape.members where member.name.isStrong {
        guard let sample = member.shape.identity else { continue }
        for value in sample.values {
          let mark = Fingerprint.mix(member.hash, value) | 1
          guard let owner = owners[mark] else {
            owners.insert(mark, number)
            continue
          }
          guard group(of: owner) != group(of: number) else { break }
          if !areOfDifferentTypes(owner, number), holdSameKind(owner, number) {
            join(owner, number)
          }
        }
      }
    }
  }

  /// Compares each place with the places around it: a reply is a comment too.
  private mutating func joinNested() {
    for number in 0..<table.count where table[number].form == .object {
      var outer = table[number].parent
      var distance = 0
      while let ancestor = outer, distance < 16 {
        if table[ancestor].form == .object, !areOfDifferentTypes(ancestor, number),
          isRecursion(number, inside: ancestor)
        {
          join(ancestor, number)
          break
        }
        outer = table[ancestor].parent
        distance += 1
      }
    }
  }

  /// Joins places if the objects of one name those of the other as their parents, and have most keys in common.
  ///
  /// A reply whose `parent_id` is a message is a message too, whatever types the two name.
  private mutating func joinParents() {
    let children = (0..<table.count).flatMap { child in
      table[child].form == .object
        ? table[child].shape.members.filter { $0.name.words.parts.contains("parent") }
          .map { (child, $0) } : []
    }
    guard !children.isEmpty else { return }
    let identities = SketchIndex(
      (0..<table.count).map { identity(of: $0)?.shape.scalars.sketch ?? ValueSketch() })
    for (child, member) in children {
      for parent in identities.sketches(near: member.shape.scalars.sketch)
      where group(of: parent) != group(of: child) && isParent(parent, of: child, by: member) {
        join(parent, child)
      }
    }
  }

  /// Returns the member that is called an identity by itself; nil if the place has no such objects.
  private func identity(of place: Int) -> Shape.Member? {
    guard table[place].form == .object else { return nil }
    return table[place].shape.members.first { $0.name.isStrong }
  }

  /// The fewest keys, and the least share of all keys, that a parent and its children have in common.
  private static let (parentKeys, parentShare) = (5, 0.6)

  private func isParent(_ parent: Int, of child: Int, by member: Shape.Member) -> Bool {
    guard let identity = identity(of: parent), table[child].shape.member(identity.hash) != nil
    else { return false }
    let overlap = member.shape.scalars.sketch.overlap(with: identity.shape.scalars.sketch)
    guard overlap.common > 0, overlap.common == overlap.compared else { return false }
    let common = table[parent].commonKeys(with: table[child])
    let all = table[parent].keys.count + table[child].keys.count - common.count
    return common.count >= Self.parentKeys
      && Double(common.count) >= Self.parentShare * Double(all)
      && areCompatible(table[parent], table[child], common)
      && !contradict(table[parent], table[child], common)
  }

  private func isRecursion(_ innerNumber: Int, inside outerNumber: Int) -> Bool {
    let (inner, outer) = (table[innerNumber], table[outerNumber])
    let common = inner.commonKeys(with: outer)
    guard !common.isEmpty, areKeyedAlike(inner, outer, common) else { return false }
    let share = Double(common.count) / Double(inner.keys.count + outer.keys.count - common.count)
    // {"data": [{"id": 7, "author": {"data": {"id": 1}}}]} has no `data` in `data`, but an author. With more in common,
    // the `nodes` of `replies` are comments as well as the `nodes` of `comments`.
    let isSameLink =
      inner.key == outer.key && !inner.key.isEmpty
      && (common.count > 2 || nameNumbers[innerNumber] == nameNumbers[outerNumber])
    // The ingredients of an ingredient are ingredients. That one occurs with other amounts says only that its `id` is
    // no identity.
    let isSureLink = isSameLink && inner.parent == outerNumber && common.count >= 4 && share >= 0.75
    guard isSureLink || !contradict(inner, outer, common),
      areCompatible(inner, outer, common)
    else { return false }
    if inner.parent == outerNumber, areNodes(inner, outer, common) { return true }
    guard !wrapDifferentKinds(innerNumber, outerNumber, common, depth: 0) else { return false }
    if isSameLink { return common.count >= 2 && share >= 0.5 || share == 1 }
    // A leaf lacks the key to the next level, and other objects have it.
    let leadsOn = inner.shape.member(named: inner.key) != nil
    // Routes in the `routes` of a route are routes too, though they lack what only the outermost one has.
    let isCalledAlike =
      inner.parent == outerNumber && nameNumbers[innerNumber] == nameNumbers[outerNumber]
    if leadsOn {
      // A result with a `uuid` has steps without one, and is no step.
      let isIdentified = outer.shape.members.contains { member in
        member.name.isStrong && inner.shape.member(member.hash) == nil
          && member.shape.count == outer.shape.objectCount
      }
      return common.count >= 2 && (share >= 0.6 && !isIdentified || isCalledAlike)
    }
    let specific = common.filter { hash in
      outer.shape.member(hash).map { !$0.isEmptyOrNull } ?? false
    }
    return specific.count >= 3 && share >= 0.75
  }

  /// Returns whether objects of several types, which all of them name, hold such objects under the key under which they are found.
  ///
  /// `{"type": "list", "content": [{"type": "item", "content": [{"type": "text", "text": "One"}]}]}` is made of nodes,
  /// whatever else each type has. Where each level is of one type, as manifests of canvases are, the levels are
  /// different things.
  private func areNodes(_ inner: Place, _ outer: Place, _ common: Set<UInt64>) -> Bool {
    let key = Fingerprint.of(inner.key)
    guard inner.link == .elements, common.contains(key) else { return false }
    return inner.shape.members.contains { member in
      guard member.hash != key, member.name.isTag, member.shape.hasSeveralContents,
        let other = outer.shape.member(member.hash)
      else { return false }
      return member.shape.stringCount == inner.shape.objectCount
        && other.stringCount == outer.shape.objectCount
    }
  }

  /// Returns whether the objects of both places have a key, or those of none, or an identity of their own beside it.
  private func areKeyedAlike(_ first: Place, _ second: Place, _ common: Set<UInt64>) -> Bool {
    (first.dictionary == nil) == (second.dictionary == nil)
      || first.shape.members.contains {
        common.contains($0.hash) && $0.name.isStrong
      }
  }

  // MARK: One pair

  /// Returns whether two places hold the same kind of thing; `depth` wrappers around them were opened before.
  private func holdSameKind(
    _ firstNumber: Int, _ secondNumber: Int, depth: Int = 0
  ) -> Bool {
    let (first, second) = (table[firstNumber], table[secondNumber])
    guard first.form == second.form else { return false }
    let isSameName = !first.key.isEmpty && nameNumbers[firstNumber] == nameNumbers[secondNumber]
    guard first.form == .object else {
      // In {"prices": {"eu": {"de": {"S-1": {…}}}}}, each level has other things inside.
      return isSameName && forms(of: firstNumber) == forms(of: secondNumber)
    }
    let commonCount = first.commonKeyCount(with: second)
    guard commonCount > 0 else { return false }
    let part = Double(commonCount) / Double(min(first.keys.count, second.keys.count))
    // Objects with fewer keys in common are the same only as kinds of a union. Most pairs end here.
    guard part >= 0.5 || TaggedUnion.hasKindsOf(first, second) else { return false }
    let common = first.commonKeys(with: second)
    let share = Double(common.count) / Double(first.keys.count + second.keys.count - common.count)
    if isExcerpt(first, of: second, common) || isExcerpt(second, of: first, common)
      || lackIdentity(first, of: second) || lackIdentity(second, of: first)
      || areOtherReferences(firstNumber, secondNumber)
    {
      return false
    }
    // Two documents of one kind, such as the pages of a list.
    if first.parent == nil, second.parent == nil, share >= 0.5 { return true }
    // The `white` and the `black` of a game are players, even if one has another rating each time.
    if first.keys == second.keys, areSiblings(first, second, common),
      !areOfDifferentOwners(first, second)
    {
      return true
    }
    let evidence = identityEvidence(first, second, common)
    if evidence.contradicting * 4 > evidence.common { return false }
    // Only the objects of one place have the key of a dictionary as a part. An exception is a dictionary with one such
    // record beside it, in each of several objects: the `fields` and the `children` of a node.
    let areBeside = first.keys == second.keys && first.parent == second.parent
    let isAlone = first.parent.map { table[$0].shape.objectCount < 2 } ?? true
    if (first.dictionary == nil) != (second.dictionary == nil), evidence.equal == 0,
      isAlone || !areBeside
    {
      return false
    }
    if TaggedUnion.hasKindsOf(first, second) { return true }
    guard areCompatible(first, second, common),
      !wrapDifferentKinds(firstNumber, secondNumber, common, depth: depth)
    else { return false }
    // Objects with nothing but a small number are equal by chance.
    let isProof = common.count > 1 || isSameName || !areSmallNumbers(first, common)
    if evidence.equal > 0, isProof, share >= 0.5 || part == 1 && share >= 0.35 { return true }
    if share < 1, evidence.common == 0, areOtherLists(first, second) { return false }
    if isProof, evidence.common > 1 || evidence.similar > 0, share >= 0.75 { return true }
    if share >= 0.6, common.count >= 2, haveSameAddresses(first, second, common) { return true }
    // {"default": {"flask": {…}, …}, "develop": {"mypy": {…}, …}}
    let areInSiblings = first.link == .members && second.link == .members
    if areInSiblings, first.parent == second.parent, share >= 0.6, common.count >= 3 { return true }
    let arePeople = isPerson(first) && isPerson(second)
    // {"author": [{"family": "Ito", "given": "Ann"}], "editor": [{"family": "Cole", "given": "Ben"}]}
    if share == 1, common.count >= 2, arePeople, areSpecific(first, common) { return true }
    if share == 1, common.count >= 2 || arePeople,
      haveEqualObjects(first, second, isProof: true)
    {
      return true
    }
    // {"next": {"journey": {…}, "train": {…}}} and {"relations": [{"other": {"journey": {…}, "train": {…}}}]}
    if share == 1, common.count >= 2, areSpecific(first, common), haveSameRecords(first, second) {
      return true
    }
    // {"self": {"href": "/7"}, "next": {"href": "/8"}} are links; `images` and `sources` are no one kind, wherever they are.
    if common.count == 1, share == 1, isAddress(first),
      first.link == .one || !haveOtherPlurals(first, second)
    {
      return true
    }
    if isSameName {
      // {"lap": {"time": {"text": "1:03"}}} has a time too, beside {"time": {"text": "1:04", "ms": 64000}}.
      let isValue = first.shape.members.allSatisfy {
        !common.contains($0.hash) || !$0.name.isStrong && Composition($0.shape).isScalar
      }
      // {"size": {"px": 3}} and {"size": {"em": 1}} may have either.
      let larger = first.keys.count < second.keys.count ? second : first
      if share == 1 || share >= 0.5 && (common.count > 1 || isValue && areSpecific(first, common))
        || part == 1 && (common.count >= 4 || !hasMore(larger, than: common))
      {
        return true
      }
      return part >= 0.5 && haveSameParts(first, second, common)
    }
    let hasIdentity = common.contains { hash in
      first.shape.members.contains { $0.hash == hash && $0.name.isStrong }
    }
    if hasIdentity, evidence.common == 0, areOfDifferentOwners(first, second) { return false }
    // An `editedMessage` is a message, and `orderFormats` and `billFormats` hold formats.
    if haveSameLastWord(first, second),
      share >= 0.6 && common.count >= 4 || part >= 0.5 && haveSameParts(first, second, common)
        || share == 1 && common.count >= 2 && areSpecific(first, common)
        || part == 1 && common.count >= 2 && areListsOfOne(first, second)
    {
      return true
    }
    if share >= 0.5, common.count >= 2, areListsUnderPlural(first, second) { return true }
    if hasIdentity { return share >= 0.8 && common.count >= 6 }
    if part == 1, share >= 0.6, areSiblings(first, second, common) { return true }
    // {"minValue": {"amount": 50, "currency": "GBP"}, "value": {"amount": 90, "currency": "GBP"}}
    if common.count == 2 {
      return share == 1
        && (areNumbers(first) && areNumbers(second)
          || isMeasure(first) && isMeasure(second) && areSpecific(first, common))
    }
    return share >= 0.9 && common.count >= 3 && (common.count >= 6 || areSpecific(first, common))
  }

  /// Returns the forms of a place and of the contents of its dictionaries and arrays, level by level.
  private func forms(of place: Int) -> [Place.Form] {
    let inner = table.children[place]
    guard table[place].form != .object, let content = inner[[.eachMember]] ?? inner[[.eachElement]]
    else { return [table[place].form] }
    return [table[place].form] + forms(of: content)
  }

  /// Returns a number for each place.
  ///
  /// Places whose objects have the same name share it: the `nodes` of `comments` count as comments.
  private static func nameNumbers(_ table: PlaceTable, _ wordsOfKeys: [String: Words]) -> [Int] {
    var numbers: [Words: Int] = [:]
    return (0..<table.count).map { place in
      let words = name(of: place, table, wordsOfKeys)
      let number = numbers[words] ?? numbers.count
      numbers[words] = number
      return number
    }
  }

  private static func name(
    of place: Int, _ table: PlaceTable, _ wordsOfKeys: [String: Words]
  ) -> Words {
    func words(_ place: Int) -> Words { wordsOfKeys[table[place].key] ?? Words(parts: []) }
    let own = words(place)
    var (name, number) = (own, place)
    while name.parts.count == 1, IdentityNames.general.contains(name.parts[0]) {
      guard let parent = table[number].parent, isWrapper(table[parent]) else { return own }
      number = parent
      name = words(number)
    }
    return name.isEmpty ? own : name
  }

  /// The most members of an object around a list, such as the `pageInfo` beside `nodes`.
  private static let listMemberLimit = 3

  /// Returns whether the objects of a place mainly contain others: the `values` of an enumeration are no enumerations.
  ///
  /// Objects with an identity are more than that: `{"id": "FREQ", "name": "Frequency", "values": […]}`.
  private static func isWrapper(_ place: Place) -> Bool {
    place.link == .one
      || place.shape.members.count <= listMemberLimit
        && !place.shape.members.contains { $0.name.isStrong }
  }

  /// Returns the words of a place's key in the singular.
  private func words(of key: String) -> Words { wordsOfKeys[key] ?? Self.words(of: key) }

  /// Words for containers, which do not name their content: the `fnMap` holds functions, the `branchMap` branches, and a
  /// `locL` locations.
  private static let containers: Set<String> = [
    "map", "list", "l", "dict", "dictionary", "table", "lookup", "array", "collection",
  ]

  private static func words(of key: String) -> Words {
    let words = Words(key).singular
    guard words.parts.count > 1, let last = words.parts.last, containers.contains(last) else {
      return words
    }
    return Words(parts: words.parts.dropLast()).singular
  }

  /// Keys that objects of every kind may have.
  private static let unspecific: Set<String> = [
    "key", "name", "value", "type", "title", "label", "text", "description", "url", "href", "kind",
    "enabled", "disabled", "active", "status", "count", "total", "code", "source", "format",
  ]

  /// Returns whether some of the common keys are rare enough to mean something.
  private func areSpecific(_ place: Place, _ common: Set<UInt64>) -> Bool {
    place.shape.members.contains {
      common.contains($0.hash) && !Self.unspecific.contains($0.key.lowercased())
    }
  }

  /// The most members of an object that only repeats members of another one.
  static let excerptLimit = 5

  /// Returns whether objects consist of a few members of others.
  ///
  /// `{"id": 7, "name": "Plan"}` refers to a card elsewhere. Were the two taken for the same, an export would
  /// write it whole. `{"partyId": 7, "name": "Ann"}` refers to one of the `parties` too, if its `partyId` tells these
  /// apart; where the same `partyId` has another name, the two are different things. Of objects with nothing but a name,
  /// such as `{"name": "Total"}`, the name may be what tells the others apart.
  private func isExcerpt(_ part: Place, of whole: Place, _ common: Set<UInt64>) -> Bool {
    guard common.count == part.keys.count, part.keys.count < whole.keys.count,
      part.keys.count <= Self.excerptLimit, part.parent != nil,
      part.shape.members.allSatisfy({ Composition($0.shape).isScalar })
    else { return false }
    let alwaysHasMore = hasMore(whole, than: common)
    return part.shape.members.contains { member in
      guard let other = whole.shape.member(member.hash) else { return false }
      let overlap = member.shape.scalars.sketch.overlap(with: other.scalars.sketch)
      guard overlap.compared > 0, overlap.common == overlap.compared else { return false }
      if member.name.isStrong || member.name.lowercased == "slug" { return alwaysHasMore }
      let isAlone = part.keys.count == 1
      return overlap.common > 1
        && (alwaysHasMore || isAlone && hasMore(whole, than: common, inOneOf: 2))
        && tellsApart(
          member, whole, upTo: isAlone ? IdentityNames.greatestNameRank : Self.codeRank)
        && agree(member.shape, other)
    }
  }

  /// Returns whether all objects of a place, or one of two, have a member that is none of some.
  private func hasMore(_ place: Place, than keys: Set<UInt64>, inOneOf part: Int = 1) -> Bool {
    place.shape.members.contains { member in
      !keys.contains(member.hash)
        && (member.shape.count - member.shape.nullCount) * part >= place.shape.objectCount
    }
  }

  /// Returns whether a member is named as the identity of objects, with a rank up to a given one, and is different in each.
  private func tellsApart(_ member: Shape.Member, _ place: Place, upTo greatestRank: Int) -> Bool {
    guard place.link != .one, let shape = place.shape.member(member.hash),
      let rank = IdentityNames.rank(of: member.name, aliases: [words(of: place.key).parts])
    else { return false }
    return rank <= greatestRank && shape.nullCount == 0
      && shape.scalars.sketch.isComplete
      && shape.scalars.sketch.distinctCount == place.shape.objectCount
  }

  /// Returns whether objects have none of the identifiers by which others differ: packages have a `package_uid`, and the
  /// `package_data` in files is what they were made from.
  private func lackIdentity(_ place: Place, of other: Place) -> Bool {
    other.shape.members.contains { member in
      place.shape.member(member.hash) == nil
        && tellsApart(member, other, upTo: Self.identifierRank) && other.shape.objectCount > 1
    }
  }

  /// The rank of identifiers, which come before keys and numbers.
  private static let identifierRank = 3

  /// The rank of codes and numbers, which come before addresses and names.
  private static let codeRank = 5

  /// Returns whether objects of one identity at two places never contradict each other.
  private func agree(_ first: Shape, _ second: Shape) -> Bool {
    guard let mine = first.identity, let theirs = second.identity else { return false }
    return mine.agreement(with: theirs).contradicting == 0
  }

  /// Returns whether objects are siblings made of scalars, at least two of them more than names
  /// or codes: the `start` and the `end` of an event.
  ///
  /// They may have the same objects in them too, if they have the same keys: the `left` and the `right` tire.
  private func areSiblings(_ first: Place, _ second: Place, _ common: Set<UInt64>) -> Bool {
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
      || first.keys == second.keys
        && first.shape.members.allSatisfy {
          $0.shape.element == nil && haveSameContents($0.shape, second.shape.member($0.hash))
        }
  }

  /// Returns whether objects of the same keys consist of objects with the same keys at both places, or of lists of these.
  ///
  /// Some of the lists must have several objects.
  private func haveSameRecords(_ first: Place, _ second: Place) -> Bool {
    first.shape.members.contains { ($0.shape.element ?? $0.shape).members.count > 1 }
      && first.shape.members.allSatisfy { member in
        !Composition(member.shape).isScalar
          && haveSameContents(member.shape, second.shape.member(member.hash))
      }
  }

  /// Returns whether values are of one kind, and have the same keys if they are objects or lists of objects.
  private func haveSameContents(_ one: Shape, _ other: Shape?) -> Bool {
    guard let other, Composition(one) == Composition(other) else { return false }
    switch Composition(one) {
    case .boolean, .number, .string: return true
    case .object: return Set(one.members.map(\.hash)) == Set(other.members.map(\.hash))
    case .objects: return haveSameContents(one.element ?? one, other.element)
    default: return false
    }
  }

  /// Returns whether objects of two places have nothing but an identifier, and those of one place are references: in
  /// `"derivesFrom": [{"@id": "#a"}]` all name sources, and in `"inputs": [{"@id": "#a"}, {"@id": "#x"}]` some name samples.
  private func areOtherReferences(_ first: Int, _ second: Int) -> Bool {
    (bareReferences.contains(first) || bareReferences.contains(second))
      && [first, second].allSatisfy { table[$0].shape.members.count == 1 }
  }

  /// The least share of identifiers that must be found at one place.
  private static let leastFound = 0.9

  /// Returns the places of objects with nothing but an identifier, where most name objects of one other place.
  ///
  /// Small numbers are equal to others by chance.
  private func findBareReferences() -> Set<Int> {
    let candidates = (0..<table.count).filter { number in
      guard table[number].form == .object, onlyRefer(table[number]),
        table[number].shape.members.count == 1, let member = table[number].shape.members.first
      else { return false }
      return !member.shape.scalars.areSmall
    }
    guard candidates.count > 1 else { return [] }
    var known: [UInt64: (sketches: [ValueSketch], index: SketchIndex)] = [:]
    return Set(
      candidates.filter { number in
        guard let member = table[number].shape.members.first else { return false }
        let identities =
          known[member.hash]
          ?? {
            let sketches = self.identities(under: member.hash)
            return (sketches, SketchIndex(sketches))
          }()
        known[member.hash] = identities
        let sketch = member.shape.scalars.sketch
        return identities.index.sketches(near: sketch).contains { other in
          let overlap = sketch.overlap(with: identities.sketches[other])
          return Double(overlap.common) >= Self.leastFound * Double(overlap.compared)
        }
      })
  }

  /// Returns the values that objects with more than an identifier have under a key, for each place where they differ.
  private func identities(under key: UInt64) -> [ValueSketch] {
    (0..<table.count).compactMap { number in
      let place = table[number]
      guard place.form == .object, place.shape.members.count > 1, !onlyRefer(place),
        let member = place.shape.member(key), member.identity?.contradictedKeys.isEmpty == true
      else { return nil }
      return member.scalars.sketch
    }
  }

  /// Returns whether the objects of a place have an identifier and no contents: `{"id": "s1", "type": "section"}`.
  private func onlyRefer(_ place: Place) -> Bool {
    let members = place.shape.members
    return place.parent != nil && members.count { $0.name.isStrong } == 1
      && members.allSatisfy { member in
        (member.name.isStrong || IdentityNames.isMark(member.key))
          && Composition(member.shape).isScalar
      }
  }

  /// The keys of an object's own address.
  private static let addressKeys: Set<String> = ["self", "url", "uri", "href", "@id", "selflink"]

  /// Returns whether the objects consist of an address.
  private func isAddress(_ place: Place) -> Bool {
    place.shape.members.allSatisfy { ["href", "url", "uri"].contains($0.key.lowercased()) }
      && place.parent != nil
  }

  /// Returns whether the own addresses of objects differ only in their last part: `…/issues/7` and `…/issues/9`.
  private func haveSameAddresses(
    _ first: Place, _ second: Place, _ common: Set<UInt64>
  ) -> Bool {
    first.shape.members.contains { member in
      guard common.contains(member.hash), Self.addressKeys.contains(member.name.lowercased),
        let mine = Self.folder(of: member.shape.scalars),
        let theirs = second.shape.member(member.hash).flatMap({ Self.folder(of: $0.scalars) })
      else { return false }
      return mine == theirs
    }
  }

  /// Returns whether objects are in two lists or dictionaries beside each other that are named after different things:
  /// `heroes` and `pets`; so are numbers with names, such as the `distances` and the `durations` of a journey.
  ///
  /// Both `admins` and `members` may be users.
  private func areOtherLists(_ first: Place, _ second: Place) -> Bool {
    guard first.link != .one || areNumbers(first) && areNumbers(second),
      first.parent == second.parent, first.parent != nil
    else { return false }
    return haveOtherPlurals(first, second)
  }

  /// Returns whether objects are in lists or dictionaries that are named after different things.
  private func haveOtherPlurals(_ first: Place, _ second: Place) -> Bool {
    guard second.link == first.link, Words(first.key).isPlural, Words(second.key).isPlural,
      !isPerson(first), !isPerson(second)
    else { return false }
    return words(of: first.key).parts.last != words(of: second.key).parts.last
  }

  /// Returns whether objects are alone where they are, and have a number, which is no identifier, and its unit.
  private func isMeasure(_ place: Place) -> Bool {
    let numbers = place.shape.members.filter { Composition($0.shape) == .number }
    return place.link == .one && numbers.count == 1
      && !numbers.contains { $0.name.isStrong || IdentityNames.isForeign($0.name.words.parts) }
      && place.shape.members.allSatisfy {
        [.number, .string, .object].contains(Composition($0.shape))
      }
  }

  private func areNumbers(_ place: Place) -> Bool {
    place.shape.members.allSatisfy { Composition($0.shape) == .number }
  }

  /// Returns whether the names of objects end alike, but begin with those of other objects: where there are categories,
  /// the `categoryOptions` are theirs, and other things than `options`.
  ///
  /// `homeTeams` and `awayTeams` are teams, as no objects are called `home`.
  private func areOfDifferentOwners(_ first: Place, _ second: Place) -> Bool {
    let (mine, theirs) = (words(of: first.key).parts, words(of: second.key).parts)
    guard mine != theirs, let last = mine.last, last == theirs.last else { return false }
    return [mine, theirs].allSatisfy { words in
      words.count == 1 || words.count == 2 && words[0] != last && lastWords.contains(words[0])
    }
  }

  /// Returns whether objects are in two lists beside each other: `primaryOutcomes` and `secondaryOutcomes`.
  private func areListsOfOne(_ first: Place, _ second: Place) -> Bool {
    first.link == .elements && second.link == .elements && first.parent == second.parent
  }

  /// Returns whether objects are in two lists of one object with a name in the
  /// plural: `{"dimensions": {"series": [{…}], "observation": [{…}]}}`.
  ///
  /// Lists that are both called by a plural hold what that says: `{"resources": {"users": [{…}], "teams": [{…}]}}`.
  private func areListsUnderPlural(_ first: Place, _ second: Place) -> Bool {
    guard areListsOfOne(first, second), let parent = first.parent, table[parent].link == .one
    else { return false }
    return Words(table[parent].key).isPlural
      && ![first.key, second.key].allSatisfy(Collections.isList)
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

  /// Returns whether objects are at a key that names a person, such as `author`.
  private func isPerson(_ place: Place) -> Bool {
    IdentityNames.isPerson(words(of: place.key).parts)
  }

  /// Returns whether objects share a part that is found nowhere else: the
  /// `physicalLocation` of all locations.
  ///
  /// Objects may be inside the others and share a part: the `fieldInstances` of `entityInstances` have a `tile`, too. Two lists in
  /// one object, such as the `grain_additions` and the `hop_additions` of a recipe, must have more in common, unless the
  /// part is named like them.
  private func haveSameParts(_ first: Place, _ second: Place, _ common: Set<UInt64>) -> Bool {
    guard let last = words(of: first.key).parts.last, !IdentityNames.general.contains(last),
      !second.path.hasPrefix(first.path), !first.path.hasPrefix(second.path)
    else { return false }
    let isAnyPart =
      !areListsOfOne(first, second) || common.count * 3 > first.keys.count + second.keys.count
    return first.shape.members.contains { member in
      guard common.contains(member.hash), let other = second.shape.member(member.hash),
        lastWordsOfHolders[member.hash]?.count == 1,
        isAnyPart || member.name.words.singular.parts.last == last,
        !IdentityNames.general.contains(member.name.lowercased),
        Composition(member.shape) == .object, Composition(other) == .object
      else { return false }
      let mine = Set(member.shape.members.map(\.hash))
      let theirs = Set(other.members.map(\.hash))
      return mine.count >= 2 && mine == theirs
    }
  }

  private func haveSameLastWord(_ first: Place, _ second: Place) -> Bool {
    // The `data` of a category and the `data` of an image are of two kinds.
    guard let last = words(of: first.key).parts.last, !IdentityNames.general.contains(last) else {
      return false
    }
    return last == words(of: second.key).parts.last
  }

  /// The most members of a wrapper that are neither objects nor arrays of objects.
  private static let wrapperLimit = 3
  /// The most nested wrappers that are opened.
  private static let wrapperDepth = 6

  /// Returns whether objects without identity mainly contain others, of different kinds.
  ///
  /// Each `{"cursor": "x", "node": {…}}` looks like any other, but the edges of labels and of comments differ in kind.
  private func wrapDifferentKinds(
    _ first: Int, _ second: Int, _ common: Set<UInt64>, depth: Int
  ) -> Bool {
    guard depth < Self.wrapperDepth else { return false }
    var plainCount = 0
    var inner: [(Int, Int)] = []
    for member in table[first].shape.members where common.contains(member.hash) {
      if member.name.isStrong { return false }
      let steps: [JSONPath.Step] = [.member(member.key)]
      if let mine = table.children[first][steps], let theirs = table.children[second][steps] {
        inner.append((mine, theirs))
      } else if let other = table[second].shape.member(member.hash),
        !member.shape.isEmptyOrNull || !other.isEmptyOrNull
      {
        plainCount += 1
      }
    }
    guard plainCount <= Self.wrapperLimit else { return false }
    return inner.contains { !holdSameKind($0, $1, depth: depth + 1) }
  }

  /// Returns whether an object of one place is found at the other.
  ///
  /// With `isProof`, the evidence must be enough regardless of the names of the places.
  private func haveEqualObjects(
    _ first: Place, _ second: Place, isProof: Bool = false
  ) -> Bool {
    first.shape.members.contains { member in
      guard let mine = member.shape.identity,
        let theirs = second.shape.member(member.hash)?.identity, let rank = ranks[member]
      else { return false }
      let evidence = mine.agreement(with: theirs)
      // Two things may have the same name, and rarely the same address.
      let least = isProof && rank >= 7 ? 3 : 1
      return evidence.equal >= least && evidence.contradicting == 0
    }
  }

  private func areSmallNumbers(_ place: Place, _ common: Set<UInt64>) -> Bool {
    place.shape.members.allSatisfy {
      !common.contains($0.hash) || $0.shape.scalars.areSmall
    }
  }

  /// Returns whether most of the common keys hold the same kind of value.
  private func areCompatible(_ first: Place, _ second: Place, _ common: Set<UInt64>) -> Bool {
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

  private func contradict(_ first: Place, _ second: Place, _ common: Set<UInt64>) -> Bool {
    let evidence = identityEvidence(first, second, common)
    return evidence.contradicting * 4 > evidence.common
  }

  /// Returns the evidence of identities that occur at both places, for the strongest key that may
  /// be an identity.
  ///
  /// A key that means several objects at one place is no identity. It contradicts nothing if the objects of both places have
  /// the same name and keys.
  private func identityEvidence(
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

  // MARK: Consequences

  /// Joins the places inside joined places that have the same keys.
  private mutating func joinChildren() {
    var isChanged = true
    while isChanged {
      isChanged = false
      var known: [Int: [[JSONPath.Step]: Int]] = [:]
      for number in 0..<table.count {
        guard let parent = table[number].parent else { continue }
        let owner = group(of: parent)
        let steps = table[number].steps
        guard let other = known[owner]?[steps] else {
          known[owner, default: [:]][steps] = number
          continue
        }
        guard group(of: other) != group(of: number), table[other].form == table[number].form else {
          continue
        }
        join(other, number)
        isChanged = true
      }
    }
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

/// The ranks of keys as identities, whatever the objects are called; each is found once, as pairs of places are many.
private final class KeyRanks {
  private var known: [UInt64: Int?] = [:]

  subscript(member: Shape.Member) -> Int? {
    if let rank = known[member.hash] { return rank }
    let rank = IdentityNames.rank(of: member.name, aliases: [])
    known[member.hash] = .some(rank)
    return rank
  }
}
