// Finds the member that identifies an entity's objects. A member is a candidate if
//
//   each object has it                    a string or an integer, never null
//   the same value means the same object  where it is repeated, the contents agree
//   its name fits                         `id`, `sku`, `venueId` of a venue, …, the less the later
//
// Objects in the lists of others that agree may do so by chance. The fields {"id": "title", "type": "text"} of two
// records are not one field if most fields are texts. A name goes with its type: the `amount` of two calls is a number
// in both, and still two things. So names in such lists are identities only if most objects have one that occurs again,
// and most names have a content of their own.
//
// An object may have other counters each time it is mentioned. If the name alone marks an identity
// (`id`, `uuid`), a few contradicting numbers, booleans and dates are tolerated, and lists of values in few objects.

import Graft

/// Finds the identity of an entity.
struct IdentitySearch {
  private let draft: EntityDraft
  private let role: Role
  /// The members that cannot be the identity; `@key` stands for the key, and `a + b` for two members together.
  private let excluded: Set<String>
  private let shared: FingerprintIndex

  /// The role of the objects in their document.
  enum Role {
    /// Each object is alone in another one, where a name or code is no identity by itself.
    case single
    /// The objects are among others of their kind, inside other objects.
    case part
    /// The objects are among others of their kind, in one array or dictionary for all.
    case collection
  }

  /// - Parameters:
  ///   - draft: The entity.
  ///   - role: The role of its objects.
  ///   - excluded: The members that are no identity.
  ///   - shared: The members that other entities have too, by their fingerprints.
  init(
    _ draft: EntityDraft, _ role: Role, excluding excluded: Set<String> = [],
    sharing shared: FingerprintIndex = FingerprintIndex()
  ) {
    self.draft = draft
    self.role = role
    self.excluded = excluded
    self.shared = shared
  }

  private struct Candidate {
    var identity: InferredIdentity
    var rank: Int
    /// Whether the data alone proves the identity.
    var isProved = false

    /// Returns whether a member only repeats the keys of the objects.
    func repeats(_ key: Candidate) -> Bool {
      let (mine, theirs) = (identity.scalars.sketch, key.identity.scalars.sketch)
      let overlap = mine.overlap(with: theirs)
      return identity.key != nil && overlap.compared == overlap.common
        && mine.distinctCount == theirs.distinctCount
    }

    /// A plain member comes before `@odata.id`, an own number before an `iban`, and a name before the `file` that it is in.
    var order: (Int, Int, Int, Int, String) {
      let isNote =
        identity.key.map {
          KeyForm($0) == .annotation && !IdentityNames.isStrong($0)
            && !($0.hasPrefix("_") && IdentityNames.isForeign(Words($0).parts))
        } ?? false
      let isOthers =
        identity.key.map { $0 == "file" || IdentityNames.isCodeOfGoods($0) } ?? false
      // An `identifier` is often a name beside a `uid`.
      let isName = identity.key?.lowercased() == "identifier"
      return (
        rank, isNote ? 1 : 0, isProved ? 0 : 1, isOthers || isName ? 1 : 0, identity.key ?? ""
      )
    }
  }

  /// The identity; nil where there is none.
  var identity: InferredIdentity? {
    var candidates = draft.form == .object ? draft.shape.members.compactMap(candidate) : []
    if let candidate = keyCandidate { candidates.append(candidate) }
    if candidates.isEmpty, let candidate = onlyDifference { candidates.append(candidate) }
    // The key decides between equal ranks, so that their order in the document does not matter.
    var best = candidates.min { $0.order < $1.order }
    if let key = best, key.identity.key == nil {
      // {"flags": {"dark": {"key": "dark", …}}}: the member says it too.
      best = candidates.first { $0.rank == key.rank && $0.repeats(key) } ?? key
    }
    guard let best, best.rank < IdentityNames.addressRank || !hasRefutedIdentifier else {
      return nil
    }
    if let meant = meantByAddress(best) ?? codeBeside(best) { return meant }
    if let exact = exactCounterpart(of: best, in: candidates) { return exact.identity }
    return best.identity
  }

  /// Returns the identity in the addresses by which objects seem to be identified.
  private func meantByAddress(_ best: Candidate) -> InferredIdentity? {
    guard let key = best.identity.key, best.identity.innerKey == nil,
      let member = memberInAddresses(at: key), let finding = agreement(on: member)
    else { return nil }
    return identity(member.key, member.shape.scalars, finding)
  }

  /// Returns the member from which the addresses of objects are made: the `index` in
  /// `{"index": "acid-arrow", "name": "Acid Arrow", "url": "/api/spells/acid-arrow"}`.
  ///
  /// A number, such as the `height` 7 beside `/canvas/7`, may be the same by chance.
  private func memberInAddresses(at key: String) -> Shape.Member? {
    guard !IdentityNames.isStrong(key),
      let addresses = draft.shape.member(named: key)?.scalars, addresses.stringCount > 0,
      addresses.examples.allSatisfy({ $0.contains("/") })
    else { return nil }
    let ends = addresses.examples.compactMap { $0.split(separator: "/").last.map(String.init) }
    let found = draft.shape.members.filter { member in
      let sketch = member.shape.scalars.sketch
      return member.key != key && !excluded.contains(member.key) && isAlwaysThere(member)
        && draft.composition(of: member) == .string
        && member.shape.identity?.records.allSatisfy { $0.differing == 0 } == true
        && sketch.distinctCount == addresses.sketch.distinctCount
        && ends.allSatisfy { sketch.contains(Fingerprint.of($0)) }
    }
    // The `name` may be the same as the `login`.
    return ends.count > 1 ? found.min { $0.key < $1.key } : nil
  }

  /// Returns the code that means the same objects as their name: the `uic` of a stop, the `md5` of a sound.
  ///
  /// A name may be given to another object tomorrow. If none is repeated, the code must begin with `0x`: others may be that
  /// of the contents of files.
  private func codeBeside(_ best: Candidate) -> InferredIdentity? {
    guard IdentityNames.isName(best.rank) else { return nil }
    let found = draft.shape.members.filter { member in
      let scalars = member.shape.scalars
      return member.key != best.identity.key && !excluded.contains(member.key)
        && isAlwaysThere(member) && (Self.areCodes(scalars) || Self.areNumbersOfOneRange(scalars))
        && scalars.sketch.distinctCount == best.identity.scalars.sketch.distinctCount
        && agreement(on: member)?.isExact == true
    }
    guard found.count == 1, let member = found.first, let finding = agreement(on: member),
      finding.repeated > 0
        || role == .collection && member.shape.scalars.examples.allSatisfy({ $0.hasPrefix("0x") })
    else { return nil }
    return identity(member.key, member.shape.scalars, finding)
  }

  /// Whether objects have an identifier that means several contents; their names then differ by chance.
  private var hasRefutedIdentifier: Bool {
    draft.shape.members.contains { member in
      member.name.isStrong && isAlwaysThere(member)
        && member.shape.identity?.contradictedKeys.isEmpty == false
    }
  }

  /// Returns `id_str` in place of `id`, if some numbers are too large for a `Double`.
  private func exactCounterpart(of best: Candidate, in candidates: [Candidate]) -> Candidate? {
    guard let key = best.identity.key, best.identity.scalars.maximum >> 53 != 0,
      best.identity.scalars.integerCount > 0
    else { return nil }
    return candidates.first { candidate in
      [key + "_str", key + "Str", key + "String"].contains(candidate.identity.key)
    }
  }

  /// The reason why the member with the best name is no identity; nil if the data does not contradict it.
  var objection: String? {
    let varied = draft.shape.members.first { member in
      let shape = member.shape
      return member.name.isStrong && shape.stringCount > 0 && shape.numberCount > 0
        && shape.stringCount + shape.numberCount >= draft.shape.objectCount
    }
    if let shape = varied?.shape, let key = varied?.key {
      return "\(key) is a string in \(shape.stringCount) and a number in \(shape.numberCount)"
    }
    let contradicted = draft.shape.members.compactMap {
      member -> (rank: Int, key: String, text: String)? in
      guard let sample = member.shape.identity, !sample.contradictedKeys.isEmpty,
        isAlwaysThere(member),
        let rank = member.key == "text"
          ? 6 : IdentityNames.rank(of: member.name, aliases: draft.aliases), rank <= 6
      else { return nil }
      let keys = draft.shape.members.filter { sample.contradictedKeys[$0.hash] != nil }.map(\.key)
      guard !keys.isEmpty else { return nil }
      let names = AnnotationReader.enumeration(of: keys.prefix(3).map { $0 }, with: "and")
      return (
        rank, member.key,
        "the same \(member.key) occurs with different \(names), of which only the last would be kept"
      )
    }
    if let best = contradicted.min(by: { ($0.rank, $0.key) < ($1.rank, $1.key) }) {
      return best.text
    }
    return identifierByChance.map {
      "objects with the same \($0.key) are equal, but so are some with another"
    }
  }

  /// The identifier whose objects, in the lists of others, may be equal by chance; nil where there is none.
  private var identifierByChance: Shape.Member? {
    guard role == .part else { return nil }
    return draft.shape.members.first { member in
      member.name.isStrong && isAlwaysThere(member) && agreement(on: member)?.mayBeChance == true
    }
  }

  /// Measures how far objects with the same value of a member agree; nil where they were not compared.
  private func agreement(on member: Shape.Member) -> Agreement? {
    member.shape.identity.map {
      Agreement($0, of: [member.hash], keyCount: draft.shape.members.count)
    }
  }

  /// Returns an identity, with its evidence.
  private func identity(
    _ key: String?, innerKey: String? = nil, _ scalars: ScalarStatistics, _ finding: Agreement
  ) -> InferredIdentity {
    InferredIdentity(
      key: key, innerKey: innerKey, scalars: scalars,
      evidence: finding.text(objects: draft.readCount, scalars.sketch),
      hasFewerKeys: finding.hasFewerKeys, isConfirmed: finding.isProof)
  }

  /// Returns the identity that the user has named; nil where the objects have no such member.
  static func identity(_ key: String, of draft: EntityDraft) -> InferredIdentity? {
    if key == "@key", draft.isKeyed {
      return InferredIdentity(key: nil, scalars: draft.keys, evidence: "identity as asked for")
    }
    return draft.shape.member(named: key).map {
      InferredIdentity(key: key, scalars: $0.scalars, evidence: "identity as asked for")
    }
  }

  private func candidate(_ member: Shape.Member) -> Candidate? {
    let inner = draft.wrappedIdentity(of: member)
    let shape = inner?.shape ?? member.shape
    guard !excluded.contains(member.key), isAlwaysThere(member),
      let rank = IdentityNames.rank(of: member.name, aliases: draft.aliases),
      rank < 4 || !isNamedValue && !Self.isText(shape.scalars),
      let finding = agreement(on: member)
    else { return nil }
    let isVolatile = {
      self.isVolatile($0, isRare: finding.isRarelyOther && !shape.scalars.areSmall)
    }
    let isQualified = self.isQualified(member)
    let distinct = shape.scalars.sketch.distinctCount
    // {"mon": {"name": "Monday", …}, …}: the name says no more than the key.
    let repeatsKey =
      rank > 2 && finding.repeated > 0 && distinct == draft.keys.sketch.distinctCount
      && haveSameKeys
    guard finding.isIdentity(isStrong: rank <= 2 || isQualified, isVolatile: isVolatile),
      !repeatsKey, !(finding.isNeverTheSame && shape.scalars.areSmall)
    else { return nil }
    let count = draft.shape.objectCount
    guard
      isPlausible(
        member.hash, rank, isString: shape.stringCount > 0, distinct: distinct, count: count,
        finding)
    else {
      return nil
    }
    let isForeign = rank == IdentityNames.foreignRank
    return Candidate(
      identity: identity(member.key, innerKey: inner?.key, shape.scalars, finding),
      rank: isForeign ? Self.provedRank : rank, isProved: isForeign)
  }

  /// Whether the objects are pairs such as `{"name": "Accept", "value": "*/*"}`: the name belongs
  /// to the value and not to the object.
  private var isNamedValue: Bool {
    let keys = draft.shape.members.map { $0.key.lowercased() }
    let rest = keys.filter { !Self.notesOnValues.contains($0) }
    return rest.count == 2
      && rest.contains { ["value", "content", "val", "count", "text", "amount"].contains($0) }
  }

  /// Returns whether strings are free text or source code, and identify nothing even if each one is unique.
  private static func isText(_ scalars: ScalarStatistics) -> Bool {
    scalars.longest > 160 && scalars.formats.isDisjoint(with: [.address])
  }

  /// Keys that describe the value of such a pair.
  private static let notesOnValues: Set<String> = [
    "type", "enabled", "disabled", "unit", "format", "secret",
  ]

  /// Returns whether a name stands beside its namespace, which says that it tells things apart: a job in
  /// `{"namespace": "food", "name": "menus"}`.
  private func isQualified(_ member: Shape.Member) -> Bool {
    guard member.key == "name", let space = draft.shape.member(named: "namespace") else {
      return false
    }
    return space.stringCount >= draft.shape.objectCount
  }

  private var isPerson: Bool { draft.aliases.contains(where: IdentityNames.isPerson) }

  /// Returns whether other values than those of a key differ from object to object.
  private func hasOtherContents(than key: UInt64) -> Bool {
    draft.shape.members.contains { $0.hash != key && $0.shape.hasSeveralContents }
  }

  private func isPlausible(
    _ key: UInt64, _ rank: Int, isString: Bool, distinct: Int, count: Int, _ finding: Agreement
  ) -> Bool {
    let repeated = finding.repeated
    if role == .part, finding.mayBeChance { return false }
    // Objects that differ in nothing but their names are the same for all that is known.
    if role == .part, IdentityNames.isName(rank), repeated > 0, hasOtherContents(than: key),
      !finding.areMostlyRepeated || !finding.haveOwnContents
    {
      return false
    }
    if rank <= 2 { return true }
    if rank == IdentityNames.foreignRank {
      return isProved(key, distinct: distinct, count: count, repeated: repeated)
        || isOnlyUUID(key)
    }
    // A name is an identity only where it has proved to be one.
    if role == .single {
      // {"id": 7, "properties": {"email": "a@x.org", …}}: the properties are a part of an object.
      if rank > 3, draft.aliases.allSatisfy(IdentityNames.namesPart) { return false }
      // {"exam": {"examId": 7, "title": "Midterm"}}
      if isString, distinct == 1, count > 1, draft.shape.member(key)?.scalars.longest == 1 {
        return false
      }
      // A single {"publisher": "x", "sku": "22_04"} may be any.
      let isCode = draft.shape.members.contains {
        $0.hash == key && IdentityNames.isCodeOfGoods($0.key)
      }
      if rank == 3, draft.shape.members.count > 1, !isCode || count > 1 { return true }
      if draft.shape.members.count == 1 {
        // {"author": {"name": "Ann"}} is a person, and {"week": {"number": 9}} a number.
        guard rank == 7 || isPerson else { return false }
      } else if rank >= 6, !isPerson, !hasOtherContents(than: key),
        !draft.shape.members.contains(where: { $0.hash == key && isQualified($0) })
      {
        return false
      }
      // Several workflows may have the `ref` of their branch, but one `code` is one currency.
      if rank <= 5, repeated > 0, count >= 3, isString && rank < 5 || distinct > 1 { return true }
      // {"result": {"hash": "0x88e96d45…", …}}: no two blocks have the same by chance.
      if isString, distinct == count, count >= 3, rank <= 4,
        draft.shape.member(key)?.scalars.shortest ?? 0 >= 16
      {
        return true
      }
      // {"post": {"uri": "at://…", "text": "…", …}}, each of them another one.
      if isString, distinct == count, count >= 10,
        rank <= 4 || rank == 5 && draft.shape.members.count >= 5
      {
        return true
      }
      return distinct > 1 && repeated > 1 && rank <= 7
    }
    if role == .part, !isKnownOutside(key, distinct: distinct, repeated: repeated) { return false }
    if rank == 3 { return true }
    guard distinct > 1 else { return false }
    // The same name with the same constants proves nothing.
    if role == .part || repeated > 0, rank >= 6, draft.shape.members.count > 2,
      !hasOtherContents(than: key)
    {
      return false
    }
    if rank >= 8 { return repeated > 1 && count >= 10 }
    if repeated > 0 { return true }
    if role == .collection {
      // Two are enough for a number, an address or a name, or for a key that only these objects have: the `tag` of tags.
      let isTold =
        rank == 7 && isString
        && draft.shape.members.contains {
          $0.hash == key && draft.aliases.contains(Words($0.key).singular.parts)
        }
        || (rank == 5 || rank <= 7 && isString) && draft.shape.members.count > 2
          && hasOtherContents(than: key)
      return count >= 3 || rank <= 4 || isTold
    }
    // The `shipmentId` of data is as good as an `id`.
    let isOwner =
      rank == 5 && isString && count >= 3
      && draft.shape.members.contains {
        $0.hash == key && IdentityNames.isForeign($0.name.words.parts)
      }
    return rank <= 4 || isOwner
  }

  /// Returns whether values in the lists of several objects mean the same outside of these.
  ///
  /// The versions `v1` and `v8` of two policies may be counted in each, though no number occurs twice. Five would begin
  /// again. Twenty words may be in so many lists, and ten only be the `key` of a bucket in its own. Codes in capitals, such
  /// as those of countries, are given by an office.
  private func isKnownOutside(_ key: UInt64, distinct: Int, repeated: Int) -> Bool {
    guard let member = draft.shape.members.first(where: { $0.hash == key }),
      IdentityNames.mayBeLocal(member.name)
    else { return true }
    if repeated > 0 { return distinct > 1 }
    let scalars = member.shape.scalars
    let areNumbers = scalars.examples.allSatisfy { $0.contains(where: \.isNumber) }
    if distinct >= (areNumbers ? Self.codeLimit : Self.differenceLimit) { return true }
    if scalars.integerCount > 0 { return !scalars.areSmall }
    let areLong = scalars.shortest >= Self.globalBytes
    return areLong
      && scalars.examples.allSatisfy { $0.contains { $0.isNumber || ":/.".contains($0) } }
      || scalars.examples.allSatisfy(DataKeys.isCode)
  }

  /// The least bytes of codes that are no numbers in a list, nor words.
  private static let globalBytes = 6

  /// The rank of an identity that the data proves: before addresses and names.
  private static let provedRank = 5

  /// Returns whether the data alone proves an identity, whatever its name.
  ///
  /// The objects have no identifiers of anything else, and either many of them are repeated and
  /// equal, or none is repeated.
  private func isProved(_ key: UInt64, distinct: Int, count: Int, repeated: Int) -> Bool {
    let owners = Set(
      draft.shape.members.compactMap { member -> String? in
        let words = member.name.words.parts
        return IdentityNames.isForeign(words) && isAlwaysThere(member) ? words.first : nil
      })
    // {"players": [{"hero_id": 7, …}], "bans": [{"hero_id": 8, …}]} are distinguished by it, and are no heroes.
    let isNumberOfOthers =
      shared.contains(key)
      && draft.shape.member(key).map { $0.scalars.areSmall } ?? false
    guard owners.count == 1, count >= 6, hasOtherContents(than: key), !isNumberOfOthers
    else { return false }
    if role == .single {
      // {"advisory": {"ghsa_id": "GHSA-h5c8", "cve_id": null, "summary": "…", …}}
      let memberCount = draft.shape.members.count
      return distinct >= 3
        && (repeated >= 3 && memberCount >= 3 || repeated >= 2 && memberCount >= 5
          || repeated > 0 && memberCount >= 8)
    }
    if repeated >= 2, distinct >= 3, draft.shape.members.count >= 4 { return true }
    return repeated >= 3 ? distinct >= 5 : isUnique(key, distinct: distinct, count: count)
  }

  /// Returns whether each object has a UUID of its own in a member, and in no other one: the `crowdanki_uuid` of a
  /// deck.
  private func isOnlyUUID(_ key: UInt64) -> Bool {
    guard draft.objectCount > 1, role != .single else { return false }
    let unique = draft.shape.members.filter { member in
      let scalars = member.shape.scalars
      return isAlwaysThere(member) && scalars.stringCount > 0 && scalars.formats.contains(.uuid)
        && isUnique(
          member.hash, distinct: scalars.sketch.distinctCount, count: draft.objectCount)
    }
    return unique.map(\.hash) == [key]
  }

  /// Returns whether no value occurs twice; if there are many values, in the sample.
  private func isUnique(_ key: UInt64, distinct: Int, count: Int) -> Bool {
    guard let shape = draft.shape.member(key) else { return false }
    if shape.scalars.sketch.isComplete { return distinct == count }
    return shape.identity?.records.allSatisfy { $0.count == 1 } == true
      && distinct * 10 >= count * 9
  }

  /// The fewest objects that a member without a fitting name must distinguish.
  private static let differenceLimit = 20
  /// The fewest objects that a code must distinguish, and its fewest bytes.
  private static let (codeLimit, codeBytes) = (5, 12)
  /// The most bytes of a usual string that is a name, and of a number that is counted.
  private static let (nameBytes, countedBytes) = (64, 3)

  /// Returns whether strings have one length and are hexadecimal, such as addresses of hardware, `0x00295f5085a56447`, and
  /// the names of files after their contents, `83a9787d4cb6f3b7.wav`.
  private static func areCodes(_ scalars: ScalarStatistics) -> Bool {
    scalars.shortest == scalars.longest && scalars.shortest >= codeBytes
      && scalars.examples.allSatisfy { text in
        let stem = text.prefix { $0 != "." }
        return stem.count >= codeBytes && stem.contains(where: \.isNumber)
          && stem.allSatisfy { $0.isHexDigit || "-:x".contains($0) }
      }
  }

  /// Returns whether long numbers begin alike, as an office gives them: 8503000 and 8506302.
  ///
  /// Amounts differ more, and times are longer.
  private static func areNumbersOfOneRange(_ scalars: ScalarStatistics) -> Bool {
    scalars.integerCount > 0 && scalars.minimum >= longNumber && scalars.sketch.distinctCount > 2
      && scalars.maximum < AttributeTyping.times.lowerBound
      && scalars.maximum - scalars.minimum < scalars.minimum / 10
  }

  /// The least number with seven digits.
  private static let longNumber: Int64 = 1_000_000

  /// Returns whether a string is a time of the day, such as `07:40`.
  private static func isTime(_ text: String) -> Bool {
    text.contains(":") && text.allSatisfy { $0.isNumber || $0 == ":" }
  }

  /// The only member that differs in all objects: the `version` of releases, the `entity` of drops, the `frameNum` of
  /// frames; of a few objects, the only one that is a code, such as the `ieee_address` of devices.
  ///
  /// Texts, times and other numbers differ by chance, and so do words where objects are few.
  private var onlyDifference: Candidate? {
    guard role != .single, draft.form == .object, draft.places.count == 1,
      draft.objectCount >= (role == .part ? Self.differenceLimit : Self.codeLimit),
      role == .collection || !isNamedValue
    else { return nil }
    let isMany = draft.objectCount >= Self.differenceLimit
    let found = draft.shape.members.filter { member in
      let scalars = member.shape.scalars
      guard isMany || Self.areCodes(scalars),
        !excluded.contains(member.key), isAlwaysThere(member), !isNameInLists(member),
        isUnique(member.hash, distinct: scalars.sketch.distinctCount, count: draft.objectCount)
      else { return false }
      if draft.composition(of: member) == .number { return IdentityNames.isNumber(member.name) }
      return scalars.usualLength <= Self.nameBytes && !Self.isText(scalars)
        && !scalars.formats.contains(.anyDate)
        && scalars.formats.isDisjoint(with: [.address])
        && scalars.examples.allSatisfy { !$0.contains(" ") }
        && !scalars.examples.allSatisfy(Self.isTime)
    }
    guard found.count == 1, let member = found.first, let finding = agreement(on: member),
      hasOtherContents(than: member.hash)
    else { return nil }
    return Candidate(
      identity: identity(member.key, member.shape.scalars, finding),
      rank: IdentityNames.foreignRank + 1, isProved: true)
  }

  /// Returns whether a member names objects in the lists of others, where the name proves nothing.
  private func isNameInLists(_ member: Shape.Member) -> Bool {
    role == .part
      && IdentityNames.rank(of: member.name, aliases: draft.aliases).map(IdentityNames.isName)
        == true
  }

  private var keyCandidate: Candidate? {
    guard !excluded.contains("@key"), draft.isAlwaysKeyed,
      draft.keyIdentity.records.allSatisfy({ $0.differing == 0 }),
      !draft.keyIdentity.records.isEmpty
    else { return nil }
    let finding = Agreement(draft.keyIdentity, of: [], keyCount: 1)
    // The keys of many dictionaries mean the same only where they are identifiers.
    let isUnique =
      role == .collection && draft.places.count == 1
      || finding.repeated == 0 && draft.keyIdentity.records.count >= leastKeys
    guard isUnique || finding.repeated > 0 && finding.haveOwnContents && areNoNotes && !haveSameKeys
    else { return nil }
    return Candidate(identity: identity(nil, draft.keys, finding), rank: 4)
  }

  /// Whether most dictionaries have the same keys: three quarters of all keys or more, on average.
  ///
  /// They are at one place, as the opening hours of shops, which have the weekdays. Or they have one name at several places,
  /// and their keys are words.
  ///
  /// Such keys name places in the object around them, even if all shops open at the same time. Identifiers, like those of
  /// the currencies of countries, differ from dictionary to dictionary.
  private var haveSameKeys: Bool {
    let keyCount = draft.keys.sketch.distinctCount
    let isOneName =
      draft.places.count == 1
      || draft.aliases.count == 1
        && draft.keys.examples.allSatisfy { $0.allSatisfy(\.isLetter) && !DataKeys.isCode($0) }
    return isOneName && draft.isAlwaysKeyed && draft.dictionaryCount > 1
      && draft.objectCount * 4 >= draft.dictionaryCount * keyCount * 3
  }

  /// The fewest keys of several dictionaries that differ by more than chance.
  ///
  /// Many objects have one each: their dictionaries must be several, as the keys of one are always different. Small numbers,
  /// such as minutes, are counted in each of a few.
  private var leastKeys: Int {
    if role == .collection {
      return draft.keys.formats.contains(.integer) && draft.keys.longest <= Self.countedBytes
        ? .max : 8
    }
    return draft.form == .object && draft.dictionaryCount > 2 ? Self.differenceLimit : .max
  }

  /// Whether the values say more than their keys, `{"inputs": {"core": "core"}}`, and more than a note on the object around.
  private var areNoNotes: Bool {
    let sample = draft.keyIdentity
    let echoes = zip(sample.values, sample.records).count { key, record in
      record.content == ShapeSurvey.content(ofString: key)
    }
    return echoes * 2 < sample.records.count
      && !(draft.form == .value && draft.aliases.contains { Self.notes.contains($0.last ?? "") })
  }

  /// Names of dictionaries that describe the object around them.
  ///
  /// Equal values in them are not one object: two packages may depend on the same version.
  private static let notes: Set<String> = [
    "dependency", "label", "annotation", "header", "engine", "env", "environment", "attribute",
    "tag",
  ]

  /// The rank of a pair of two references, and of weaker ones.
  private static let weakPairRank = 4

  /// The two members that only together distinguish the objects; nil if there are none.
  var pair: (keys: [String], evidence: String)? {
    guard draft.form == .object, role != .single, draft.shape.objectCount >= 3 else { return nil }
    let pairs = draft.shape.pairs.compactMap { pair, sample -> (Int, [String], String)? in
      let members = [pair.first, pair.second].compactMap { hash in
        draft.shape.members.first { $0.hash == hash }
      }
      guard members.count == 2, members.allSatisfy(isAlwaysThere),
        !excluded.contains(members.map(\.key).sorted().joined(separator: " + ")),
        let rank = IdentityNames.rank(of: members[0].key, with: members[1].key),
        rank <= 3 || role == .collection
      else { return nil }
      let finding = Agreement(
        sample, of: members.map(\.hash), keyCount: draft.shape.members.count)
      guard finding.isIdentity(isStrong: false, isVolatile: { _ in false }), finding.isExact else {
        return nil
      }
      guard role != .part || finding.repeated == 0 || finding.isProof || identifierByChance == nil
      else {
        return nil
      }
      let count = draft.shape.objectCount
      // The questions 1 to 5 of each survey are its own, whatever their types are.
      if rank == 1, role == .part, finding.repeated == 0,
        members.contains(where: { $0.shape.scalars.areSmall })
      {
        return nil
      }
      // A member with one value everywhere distinguishes nothing.
      guard members.allSatisfy({ $0.shape.hasSeveralContents }) else { return nil }
      // Two members are no pair if each one distinguishes many objects by itself. Two references, or a name and a version,
      // are none if one of them does. In a few objects, members are different by chance.
      let unique = members.count { $0.shape.scalars.sketch.distinctCount >= count }
      guard unique <= (count >= 6 ? 1 : rank < Self.weakPairRank ? 2 : 0) else { return nil }
      let evidence = finding.text(
        objects: count, identities: sample.isComplete ? sample.values.count : nil)
      return (rank, members.map(\.key).sorted(), evidence)
    }
    let best = pairs.min { ($0.0, $0.1[0], $0.1[1]) < ($1.0, $1.1[0], $1.1[1]) }
    return best.map { ($0.1, $0.2) }
  }

  /// Returns whether each object has a string or an integer; fewer than half of the identifiers may have a fraction.
  private func isAlwaysThere(_ member: Shape.Member) -> Bool {
    let inner = draft.wrappedIdentity(of: member)?.shape
    let shape = inner ?? member.shape
    let composition = inner.map { Composition($0) } ?? draft.composition(of: member)
    return (composition == .string || composition == .number) && shape.nullCount == 0
      && shape.count >= draft.shape.objectCount && shape.scalars.emptyStringCount == 0
      && shape.scalars.largeCount == 0
      && (shape.scalars.fractionCount == 0
        || member.name.isStrong && shape.scalars.fractionCount * 2 < shape.count
          && max(-shape.scalars.minimum, shape.scalars.maximum) < 1 << 53)
  }

  /// Returns whether a member's values change by themselves: counters, switches and times, and rarely lists of values.
  private func isVolatile(_ key: UInt64, isRare: Bool) -> Bool {
    guard let shape = draft.shape.member(key) else { return false }
    switch draft.composition(of: key) {
    case .number, .boolean, .null: return true
    case .string: return shape.scalars.formats.contains(.anyDate)
    case .scalars: return isRare
    default: return false
    }
  }
}

/// Measures how far objects with the same identity agree.
struct Agreement {
  let sample: IdentitySample
  let keyCount: Int
  /// The number of identities in the sample that occur more than once.
  let repeated: Int
  private let differing: Int
  private let contradicting: Int
  /// The probability that objects of one identity are equal by chance; 1 where none are, or not all.
  private let chance: Double
  private let members: [UInt64]

  /// - Parameters:
  ///   - sample: The objects by their identities.
  ///   - members: The fingerprints of the members that have the identities; none for a key.
  ///   - keyCount: The number of the objects' keys.
  init(_ sample: IdentitySample, of members: [UInt64], keyCount: Int) {
    self.sample = sample
    self.keyCount = keyCount
    var (repeated, differing, contradicting) = (0, 0, 0)
    for record in sample.records {
      if record.count > 1 { repeated += 1 }
      if record.differing > 0 { differing += 1 }
      if record.contradicting > 0 { contradicting += 1 }
    }
    (self.repeated, self.differing, self.contradicting) = (repeated, differing, contradicting)
    chance = repeated > 0 && differing == 0 ? sample.chanceOfAgreement(on: members) : 1
    self.members = members
  }

  /// Whether most identities have a content of their own: that each dependency is of version 1 says nothing.
  var haveOwnContents: Bool { repeated > 0 && sample.hasOwnContents(besides: members) }

  /// Whether objects of one identity differ only in members that some of them lack.
  var hasFewerKeys: Bool { differing > contradicting }

  /// Whether objects of one identity have nothing else in common.
  ///
  /// The tiles 0 of two tile sets, `{"id": 0, "type": "frost"}` and `{"id": 0, "properties": […]}`, are two.
  var isNeverTheSame: Bool {
    repeated > 0 && differing == repeated && sample.records.allSatisfy { $0.agreeing == 0 }
  }

  /// Whether half of the objects or more have an identity that occurs again.
  var areMostlyRepeated: Bool {
    let counts = sample.records.map(\.count)
    return counts.reduce(0) { $1 > 1 ? $0 + $1 : $0 } * 2 >= counts.reduce(0, +)
  }

  /// Whether most repeated identities have one content.
  var isRarelyOther: Bool { contradicting * Self.rareShare <= repeated }

  /// The fewest repeated identities for each one that has two contents, if that is rare.
  static let rareShare = 4

  /// Whether no identity has two contents.
  var isExact: Bool { differing == 0 }

  /// The greatest probability of chance at which equal objects prove an identity.
  private static let greatestChance = 0.05

  /// Whether objects of one identity are equal, and not by chance.
  var isProof: Bool { chance < Self.greatestChance }

  /// Whether objects of one identity are equal, but so are some of others.
  var mayBeChance: Bool { Self.greatestChance..<1 ~= chance }

  func isIdentity(isStrong: Bool, isVolatile: (UInt64) -> Bool) -> Bool {
    if differing == 0 { return true }
    if contradicting == 0 { return isStrong || differing * 2 <= repeated }
    guard isStrong, keyCount >= 6 else { return false }
    let keys = sample.contradictedKeys
    return keys.count * 3 <= keyCount && keys.keys.allSatisfy(isVolatile)
  }

  /// Describes the evidence in words.
  ///
  /// - Parameters:
  ///   - objects: The number of objects.
  ///   - values: Their identities, which are only estimated where they are many.
  /// - Returns: `173 objects, 115 identities, all equal`.
  func text(objects: Int, _ values: ValueSketch) -> String {
    let distinct = values.distinctCount
    let count = "\(distinct) \(distinct == 1 ? "identity" : "identities")"
    return text(objects: objects, values.isComplete ? count : "about " + count)
  }

  /// Describes the evidence for identities that are only counted while they are few.
  func text(objects: Int, identities: Int?) -> String {
    text(objects: objects, identities.map { "\($0) identities" } ?? "many identities")
  }

  private func text(objects: Int, _ identities: String) -> String {
    let count = "\(objects) \(objects == 1 ? "object" : "objects"), \(identities)"
    return sample.isComplete ? text(after: count) : text(after: count) + " (estimated)"
  }

  private func text(after text: String) -> String {
    if repeated == 0 { return text + ", none repeated" }
    if differing == 0 { return text + ", all equal" }
    if contradicting == 0 { return text + ", some with fewer keys than others" }
    return text + ", equal but for what changes (\(contradicting) of \(repeated) repeated ones)"
  }
}
