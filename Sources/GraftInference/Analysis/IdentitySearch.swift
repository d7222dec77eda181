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
      return member.key != key && !excluded.contains(member.key) && draft.alwaysHas(member)
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
        && draft.alwaysHas(member) && (Self.areCodes(scalars) || Self.areNumbersOfOneRange(scalars))
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
      member.name.isStrong && draft.alwaysHas(member)
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
        draft.alwaysHas(member),
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
      member.name.isStrong && draft.alwaysHas(member) && agreement(on: member)?.mayBeChance == true
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
    guard !excluded.contains(member.key), draft.alwaysHas(member),
      let rank = IdentityNames.rank(of: member.name, aliases: draft.aliases),
      rank < 4 || !isNamedValue && !Self.isText(shape.scalars),
      let finding = agreement(on: member)
    else { return nil }
    let isVolatile = {
      self.isVolatile($0, isRare: finding.isRarelyOther && !shape.scalars.areSmall)
    }
    let isQualified = draft.isQualified(member)
    let distinct = shape.scalars.sketch.distinctCount
    // {"mon": {"name": "Monday", …}, …}: the name says no more than the key.
    let repeatsKey =
      rank > 2 && finding.repeated > 0 && distinct == draft.keys.sketch.distinctCount
      && KeyIdentity(draft: draft, role: role).haveSameKeys
    guard finding.isIdentity(isStrong: rank <= 2 || isQualified, isVolatile: isVolatile),
      !repeatsKey, !(finding.isNeverTheSame && shape.scalars.areSmall)
    else { return nil }
    let plausibility = IdentityPlausibility(
      draft: draft, role: role, member: member, rank: rank, isString: shape.stringCount > 0,
      distinct: distinct, finding: finding, isShared: shared.contains(member.hash))
    guard plausibility.isPlausible else { return nil }
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

  /// The rank of an identity that the data proves: before addresses and names.
  private static let provedRank = 5

  /// The fewest objects that a member without a fitting name must distinguish.
  private static let differenceLimit = 20
  /// The fewest objects that a code must distinguish, and its fewest bytes.
  private static let (codeLimit, codeBytes) = (5, 12)
  /// The most bytes of a usual string that is a name.
  private static let nameBytes = 64

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
        !excluded.contains(member.key), draft.alwaysHas(member), !isNameInLists(member),
        draft.isUnique(
          member.hash, distinct: scalars.sketch.distinctCount, count: draft.objectCount)
      else { return false }
      if draft.composition(of: member) == .number { return IdentityNames.isNumber(member.name) }
      return scalars.usualLength <= Self.nameBytes && !Self.isText(scalars)
        && !scalars.formats.contains(.anyDate)
        && scalars.formats.isDisjoint(with: [.address])
        && scalars.examples.allSatisfy { !$0.contains(" ") }
        && !scalars.examples.allSatisfy(Self.isTime)
    }
    guard found.count == 1, let member = found.first, let finding = agreement(on: member),
      draft.hasOtherContents(than: member.hash)
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

  /// The candidate for the key under which objects are found in dictionaries.
  private var keyCandidate: Candidate? {
    guard !excluded.contains("@key"), let finding = KeyIdentity(draft: draft, role: role).finding
    else { return nil }
    return Candidate(identity: identity(nil, draft.keys, finding), rank: Self.keyRank)
  }

  /// The rank of keys: they come after identifiers and codes, and before addresses and names.
  private static let keyRank = 4

  /// The two members that only together distinguish the objects; nil if there are none.
  var pair: (keys: [String], evidence: String)? {
    IdentityPairSearch(
      draft: draft, role: role, excluded: excluded,
      isIdentifierByChance: identifierByChance != nil
    ).best
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
