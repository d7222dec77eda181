// Decides whether a member that differs as an identity does is one. The better its name, the less the data must prove:
//
//   1 and 2   `id`, `uuid`, …                   the name is enough
//   3 to 7    `code`, `number`, `url`, `name`   repeated with the same contents, or different in several objects
//   8 to 10   `label`, `title`                  repeated in many objects
//   foreign   `matchCriteriaId`                 proved by the data alone
//
// A single object in another one has no other of its kind beside it, from which the member would tell it apart. So it
// needs more, whatever the name.

import Graft

/// Decides whether a member whose values mean one object each is the identity of these objects.
struct IdentityPlausibility {
  let draft: EntityDraft
  let role: IdentitySearch.Role
  /// The member, and its rank as an identity.
  let member: Shape.Member
  let rank: Int
  /// Whether values are strings, and the number of distinct ones.
  let isString: Bool
  let distinct: Int
  /// The evidence of objects with the same value.
  let finding: Agreement
  /// Whether other entities have the member too.
  let isShared: Bool

  private var count: Int { draft.shape.objectCount }
  private var memberCount: Int { draft.shape.members.count }
  /// The number of values that occur more than once.
  private var repeated: Int { finding.repeated }
  private var hasOtherContents: Bool { draft.hasOtherContents(than: member.hash) }

  /// Whether the member is an identity.
  var isPlausible: Bool {
    if role == .part, finding.mayBeChance || isNameByChance { return false }
    if rank <= 2 { return true }
    if rank == IdentityNames.foreignRank { return isProved || isOnlyUUID }
    if role == .single { return isPlausibleOfSingle }
    if role == .part, !isKnownOutside { return false }
    if rank == 3 { return true }
    guard distinct > 1, !isNameOfConstants else { return false }
    if rank >= 8 { return repeated > 1 && count >= 10 }
    return repeated > 0 || rank <= 4 || (role == .collection ? isEnoughForList : isOwnIdentifier)
  }

  // MARK: Objects among others

  /// Whether names are repeated by chance, as those in the lists of others are.
  ///
  /// They are no chance if most are repeated, and most have contents of their own.
  private var isNameByChance: Bool {
    IdentityNames.isName(rank) && repeated > 0 && hasOtherContents
      && !(finding.areMostlyRepeated && finding.haveOwnContents)
  }

  /// Whether a name is repeated, or in the lists of others, and all else is the same everywhere.
  ///
  /// The same name with the same constants proves nothing.
  private var isNameOfConstants: Bool {
    (role == .part || repeated > 0) && rank >= 6 && memberCount > 2 && !hasOtherContents
  }

  /// Whether three objects in one list differ, or two that tell more.
  ///
  /// Two have a number, an address or a name and more to them, or a key that only they have: the `tag` of tags.
  private var isEnoughForList: Bool {
    count >= 3
      || rank == 7 && isString && draft.aliases.contains(member.name.words.singular.parts)
      || (rank == 5 || rank <= 7 && isString) && memberCount > 2 && hasOtherContents
  }

  /// Whether the member is called an identifier of its objects: the `shipmentId` of data is as good as an `id`.
  private var isOwnIdentifier: Bool {
    rank == 5 && isString && count >= 3 && IdentityNames.isForeign(member.name.words.parts)
  }

  /// Whether values in the lists of several objects mean the same outside of these.
  ///
  /// The versions `v1` and `v8` of two policies may be counted in each, though no number occurs twice. Five would begin
  /// again. Twenty words may be in so many lists, and ten only be the `key` of a bucket in its own. Codes in capitals, such
  /// as those of countries, are given by an office.
  private var isKnownOutside: Bool {
    guard IdentityNames.mayBeLocal(member.name) else { return true }
    if repeated > 0 { return distinct > 1 }
    let scalars = member.shape.scalars
    let areNumbers = scalars.examples.allSatisfy { $0.contains(where: \.isNumber) }
    if distinct >= (areNumbers ? Self.numbersInLists : Self.wordsInLists) { return true }
    if scalars.integerCount > 0 { return !scalars.areSmall }
    return scalars.shortest >= Self.globalBytes
      && scalars.examples.allSatisfy { $0.contains { $0.isNumber || ":/.".contains($0) } }
      || scalars.examples.allSatisfy(DataKeys.isCode)
  }

  /// The fewest numbers, and the fewest words, that would begin again if each list counted its own.
  private static let (numbersInLists, wordsInLists) = (5, 20)
  /// The least bytes of codes that are no numbers in a list, nor words.
  private static let globalBytes = 6

  // MARK: Single objects

  /// Whether the member identifies objects that are alone in others.
  ///
  /// It is a code, or never equal by chance, or has proved to be an identity where it is repeated.
  private var isPlausibleOfSingle: Bool {
    if isOfPart || isOneLetter { return false }
    // A single {"publisher": "x", "sku": "22_04"} may be any.
    if rank == 3, memberCount > 1, count > 1 || !IdentityNames.isCodeOfGoods(member.key) {
      return true
    }
    guard memberCount == 1 ? isOnlyName : !isBareName else { return false }
    // Several workflows may have the `ref` of their branch, but one `code` is one currency.
    if rank <= 5, repeated > 0, count >= 3, isString && rank < 5 || distinct > 1 { return true }
    return isLongAndUnique || isUniqueInMany || distinct > 1 && repeated > 1 && rank <= 7
  }

  /// Whether the objects are a part of those around them:
  /// `{"id": 7, "properties": {"email": "a@x.org", …}}`.
  private var isOfPart: Bool {
    rank > 3 && draft.aliases.allSatisfy(IdentityNames.namesPart)
  }

  /// Whether all objects have the same letter: `{"exam": {"examId": 7, "title": "Midterm"}}`.
  private var isOneLetter: Bool {
    isString && distinct == 1 && count > 1 && member.shape.scalars.longest == 1
  }

  /// Whether objects with nothing else have a name: `{"author": {"name": "Ann"}}` is a person, and
  /// `{"week": {"number": 9}}` a number.
  private var isOnlyName: Bool { rank == IdentityNames.greatestNameRank || draft.isPerson }

  /// Whether all but the name or the address is the same everywhere, and the objects are no people.
  private var isBareName: Bool {
    rank >= 6 && !draft.isPerson && !hasOtherContents && !draft.isQualified(member)
  }

  /// Whether no two objects have the same long string by chance: `{"result": {"hash": "0x88e96d45…", …}}`.
  private var isLongAndUnique: Bool {
    isString && distinct == count && count >= 3 && rank <= 4
      && member.shape.scalars.shortest >= Self.longBytes
  }

  /// The least bytes of strings that are never equal by chance.
  private static let longBytes = 16

  /// Whether each of many objects has a string of its own: `{"post": {"uri": "at://…", "text": "…", …}}`.
  private var isUniqueInMany: Bool {
    isString && distinct == count && count >= 10 && (rank <= 4 || rank == 5 && memberCount >= 5)
  }

  // MARK: Members that the data alone proves

  /// Whether the data alone proves an identity, whatever its name.
  ///
  /// The objects have no identifiers of anything else, and either many of them are repeated and
  /// equal, or none is repeated.
  private var isProved: Bool {
    let owners = Set(
      draft.shape.members.compactMap { member -> String? in
        let words = member.name.words.parts
        return IdentityNames.isForeign(words) && draft.alwaysHas(member) ? words.first : nil
      })
    // {"players": [{"hero_id": 7, …}], "bans": [{"hero_id": 8, …}]} are distinguished by it, and are no heroes.
    let isNumberOfOthers = isShared && member.shape.scalars.areSmall
    guard owners.count == 1, count >= 6, hasOtherContents, !isNumberOfOthers else { return false }
    if role == .single {
      // {"advisory": {"ghsa_id": "GHSA-h5c8", "cve_id": null, "summary": "…", …}}
      return distinct >= 3
        && (repeated >= 3 && memberCount >= 3 || repeated >= 2 && memberCount >= 5
          || repeated > 0 && memberCount >= 8)
    }
    if repeated >= 2, distinct >= 3, memberCount >= 4 { return true }
    return repeated >= 3
      ? distinct >= 5 : draft.isUnique(member.hash, distinct: distinct, count: count)
  }

  /// Whether each object has a UUID of its own in the member, and in no other one: the `crowdanki_uuid` of a deck.
  private var isOnlyUUID: Bool {
    guard draft.objectCount > 1, role != .single else { return false }
    let unique = draft.shape.members.filter { member in
      let scalars = member.shape.scalars
      return draft.alwaysHas(member) && scalars.stringCount > 0 && scalars.formats.contains(.uuid)
        && draft.isUnique(
          member.hash, distinct: scalars.sketch.distinctCount, count: draft.objectCount)
    }
    return unique.map(\.hash) == [member.hash]
  }
}

extension EntityDraft {
  /// Whether the objects are called like people.
  var isPerson: Bool { aliases.contains(where: IdentityNames.isPerson) }

  /// Returns whether other values than those of a key differ from object to object.
  func hasOtherContents(than key: UInt64) -> Bool {
    shape.members.contains { $0.hash != key && $0.shape.hasSeveralContents }
  }

  /// Returns whether a name stands beside its namespace, which says that it tells things apart: a job in
  /// `{"namespace": "food", "name": "menus"}`.
  func isQualified(_ member: Shape.Member) -> Bool {
    guard member.key == "name", let space = shape.member(named: "namespace") else { return false }
    return space.stringCount >= shape.objectCount
  }

  /// Returns whether no value occurs twice; if there are many values, in the sample.
  func isUnique(_ key: UInt64, distinct: Int, count: Int) -> Bool {
    guard let shape = shape.member(key) else { return false }
    if shape.scalars.sketch.isComplete { return distinct == count }
    return shape.identity?.records.allSatisfy { $0.count == 1 } == true
      && distinct * 10 >= count * 9
  }

  /// Returns whether each object has a string or an integer; fewer than half of the identifiers may have a fraction.
  func alwaysHas(_ member: Shape.Member) -> Bool {
    let inner = wrappedIdentity(of: member)?.shape
    let shape = inner ?? member.shape
    let composition = inner.map { Composition($0) } ?? composition(of: member)
    return (composition == .string || composition == .number) && shape.nullCount == 0
      && shape.count >= self.shape.objectCount && shape.scalars.emptyStringCount == 0
      && shape.scalars.largeCount == 0
      && (shape.scalars.fractionCount == 0
        || member.name.isStrong && shape.scalars.fractionCount * 2 < shape.count
          && max(-shape.scalars.minimum, shape.scalars.maximum) < 1 << 53)
  }
}
