// The rules that decide whether an object is a dictionary, in their order; the first one that can, decides. Each
// is a type with its reason, and with the objects or dictionaries that it must not mistake.

import Graft

/// An object that may be a dictionary, with the facts that the rules need.
final class DictionaryCandidate {
  /// The key under which it is found; empty for an element of an array or a document.
  let key: String
  private(set) lazy var words = Words(key)
  let members: ContiguousArray<Shape.Member>
  /// The composition that all members share; nil if they differ.
  private(set) lazy var content = DictionaryFolding.commonComposition(members.map(\.shape))
  /// The number of keys that look like data.
  private(set) lazy var dataKeyCount = members.count { $0.form.isData }
  /// The number of objects at its place with anything in them.
  let holderCount: Int
  /// The values of strings and numbers anywhere in the document.
  let values: ValueIndex
  private let objectCount: Int

  /// - Parameters:
  ///   - members: The members that may belong to a dictionary.
  ///   - shape: The object.
  ///   - key: The key under which it is found; empty for an element of an array or a document.
  ///   - values: The values of strings and numbers anywhere in the document.
  init(
    _ members: ContiguousArray<Shape.Member>, of shape: Shape, _ key: String, _ values: ValueIndex
  ) {
    self.key = key
    self.values = values
    self.members = members
    objectCount = shape.objectCount
    holderCount = max(shape.objectCount - shape.emptyObjectCount, 1)
  }

  /// - Parameters:
  ///   - members: The members that may belong to a dictionary.
  ///   - shape: The object.
  ///   - earlier: The candidate before dictionaries inside were known.
  convenience init(
    _ members: ContiguousArray<Shape.Member>, of shape: Shape, after earlier: DictionaryCandidate
  ) {
    self.init(members, of: shape, earlier.key, earlier.values)
    dataKeyCount = earlier.dataKeyCount
  }

  /// The share of the members that each object has, from 0 to 1.
  var presence: Double {
    Double(members.reduce(0) { $0 + $1.shape.count }) / Double(holderCount * members.count)
  }

  /// The share of their content that the members have in common, from 0 to 1.
  private(set) lazy var similarity = DictionaryFolding.similarity(
    of: members.map(\.shape), content ?? .mixed)

  /// Whether some objects at its place are empty, as dictionaries may be.
  var hasEmptyObjects: Bool { objectCount > holderCount }

  /// Whether members are objects, or strings in their place.
  ///
  /// A string `type` belongs to the object around.
  var holdsShortForms: Bool {
    members.contains { Composition($0.shape) == .object }
      && members.allSatisfy { member in
        let composition = Composition(member.shape)
        return composition == .object || composition == .string && member.key != "type"
      }
  }

  /// Whether members are strings, or lists of strings in their place.
  var holdsStringsOrLists: Bool {
    members.allSatisfy { member in
      let shape = member.shape
      return shape.stringCount + shape.arrayCount == shape.count
        && shape.element.map { [.string, .null].contains(Composition($0)) } != false
    }
  }

  /// Whether nearly all keys look like data.
  var areKeysData: Bool { dataKeyCount * 10 >= members.count * 9 }

  /// The number of members that are not empty.
  var filledCount: Int { members.count { !$0.shape.isEmptyOrNull } }

  /// The average number of keys of the members that have any; 0 for less than two of these.
  var keysPerRecord: Int {
    let filled = members.filter { !$0.shape.members.isEmpty }
    guard filled.count >= 2 else { return 0 }
    return filled.reduce(0) { $0 + $1.shape.members.count } / filled.count
  }

  /// Whether three or more members are not empty and share a key, such as the `type` of definitions.
  ///
  /// One of many may lack it.
  var membersShareAKey: Bool {
    let filled = members.filter { !$0.shape.isEmptyOrNull }
    guard filled.count >= 3 else { return false }
    let least = filled.count < Self.many ? filled.count : filled.count - 1
    return filled.prefix(2).flatMap(\.shape.members).contains { candidate in
      filled.count { $0.shape.member(candidate.hash) != nil } >= least
    }
  }

  /// The least number of members that may have one exception.
  private static let many = 6

  /// Returns whether every object has a member.
  func isAlwaysPresent(_ member: Shape.Member) -> Bool { member.shape.count >= objectCount }
}

/// A reason for an object to be a dictionary, or not to be one.
protocol DictionaryRule: SendableMetatype {
  /// Returns whether an object is a dictionary; nil if the rule cannot decide.
  static func isDictionary(_ candidate: DictionaryCandidate) -> Bool?
}

/// Nothing is alike under the keys: values are of several kinds, or there is one.
///
/// `{"name": "x", "size": 3}` is an object; under dates or numbers, values of several kinds are kept as JSON together, and so
/// is `{"Fs~g@/3+s:7": ["Score", 0]}` beside `{}`. But
/// `{"dependencies": {"serde": {"version": "1.0"}, "log": "0.4"}}` has strings in place of objects.
///
/// Keys that come again in several objects, each with values of one kind, are the names of members whatever they look like:
/// `"traits": {"smithy.api#httpError": 400}` beside `"traits": {"smithy.api#httpError": 404, "smithy.api#input": {}}`.
///
/// One member with anything in it says nothing of the keys, unless they look like data.
/// `{"invite": {}, "join": {"!id": {…}}, "leave": {}}` has three fixed ones. An object around one list,
/// `{"3166-1": [{…}]}`, is an envelope though its key looks like data. And a key that each of several objects has alone does
/// not vary as data does: `{"BucketName": {"Fn::Sub": "…"}}`. No program has a name that begins with a digit, as `80/tcp`.
enum NothingAlike: DictionaryRule {
  /// The number of objects from which on data would have varied.
  private static let severalHolders = 3

  static func isDictionary(_ candidate: DictionaryCandidate) -> Bool? {
    guard candidate.content != nil else {
      let areData =
        !candidate.key.isEmpty && candidate.dataKeyCount == candidate.members.count
        && (candidate.members.count >= 3 || candidate.hasEmptyObjects)
        && !areNames(candidate)
      return areData || candidate.holdsShortForms && DictionaryName.isCustom(candidate)
    }
    guard candidate.filledCount == 1 else { return nil }
    if candidate.members.count == 1 {
      let isFixed =
        candidate.holderCount >= severalHolders && candidate.members[0].form == .data
        && candidate.members[0].key.first?.isNumber == false
      return candidate.key.isEmpty && candidate.content == .objects || isFixed ? false : nil
    }
    return candidate.areKeysData ? nil : false
  }

  /// Returns whether most values are under keys that come again in other objects with values of one kind.
  private static func areNames(_ candidate: DictionaryCandidate) -> Bool {
    guard candidate.holderCount >= severalHolders else { return false }
    let named = candidate.members.filter {
      $0.shape.count >= 2 && Composition($0.shape) != .mixed
    }
    let (few, all) = (named.map(\.shape.count), candidate.members.map(\.shape.count))
    return few.reduce(0, +) * 4 >= all.reduce(0, +) * 3
  }
}

/// Keys that look like data: numbers, dates, codes with digits, paths, texts.
///
/// A few among names are not enough, unless what is under all of them is alike. Nor are titles, which programs write too:
/// all of `[{"First name": "Ann", "Last name": "Lee"}, …]` have them, and what is under
/// `{"Meta data": {…}, "Time series": {…}}` differs.
///
/// Or they are of one family:
/// - days or months
/// - languages with their regions (`en-US`), even one alone
/// - languages, or codes in capitals (`USD`, `EUR`), above records that are alike
/// - three languages above any records, where some have a plural in place of a text
/// - numbers of a plural (`p1`, `p2`), above the same record
///
/// `{"width": 640, "height": 480, …}` are measures, and `{"match": {"team1": {…}, "team2": {…}}}` has two members.
enum DataKeys: DictionaryRule {
  /// The least number of titles above strings or numbers that are data.
  private static let manyTitles = 8

  static func isDictionary(_ candidate: DictionaryCandidate) -> Bool? {
    if areFamily(candidate) || areLocales(candidate) { return true }
    if areTitles(candidate) { return nil }
    if candidate.areKeysData { return true }
    let (data, all) = (candidate.dataKeyCount, candidate.members.count)
    return data * 3 >= all * 2 && all >= 3 && candidate.similarity >= 0.35 ? true : nil
  }

  /// Returns whether keys of several words are the names of members.
  private static func areTitles(_ candidate: DictionaryCandidate) -> Bool {
    guard candidate.members.contains(where: { $0.key.contains(" ") }) else { return false }
    return candidate.holderCount > 1 && candidate.members.allSatisfy(candidate.isAlwaysPresent)
      || candidate.similarity < 0.35
      || candidate.content?.isScalar == true && candidate.members.count < manyTitles
  }

  // MARK: Families

  /// The names of days and months.
  private static let dates: Set<String> = {
    let names = [
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january",
      "february", "march", "april", "may", "june", "july", "august", "september", "october",
      "november", "december",
    ]
    return Set(names + names.map { String($0.prefix(3)) })
  }()

  /// Returns whether keys are of one family, above values that fit it.
  private static func areFamily(_ candidate: DictionaryCandidate) -> Bool {
    let members = candidate.members
    switch candidate.content {
    case .object:
      return members.count >= 3 && members.allSatisfy(isDate)
        || members.count >= 3 && candidate.similarity >= 0.6 && members.allSatisfy(isLanguage)
        || members.count >= 2 && candidate.similarity >= 0.9
          && (members.allSatisfy { isCode($0.key) } || members.allSatisfy(isLanguage)
            || (candidate.words.isPlural || members.count >= 3) && areNumbered(members))
    case .objects: return members.count >= 3 && members.allSatisfy(isDate)
    default: return false
    }
  }

  private static func isDate(_ member: Shape.Member) -> Bool {
    dates.contains(member.name.lowercased)
  }

  private static let languages: Set<String> = [
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "he", "hi", "hr", "hu",
    "id", "it", "ja", "ko", "lt", "lv", "nb", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr",
    "sv", "th", "tr", "uk", "vi", "zh",
  ]

  /// Returns whether a key is the code of a language, alone or with a region: `pt-BR`.
  private static func isLanguage(_ member: Shape.Member) -> Bool {
    let parts = member.key.split { "-_".contains($0) }
    return parts.count <= 2 && parts.first.map { languages.contains(String($0)) } ?? false
  }

  /// Returns whether all keys are languages with their regions: `{"en-US": "Hello"}` is a dictionary even with one key,
  /// since no member is called like that.
  private static func areLocales(_ candidate: DictionaryCandidate) -> Bool {
    candidate.members.allSatisfy { member in
      let parts = member.key.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[1].utf8.count == 2, isLanguage(member) else { return false }
      return parts[1].utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }
  }

  /// Returns whether a key is a code in capitals, such as `USD`.
  static func isCode(_ key: String) -> Bool {
    (2...4).contains(key.utf8.count) && key.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }

  /// Returns whether keys differ only in a number at their end.
  private static func areNumbered(_ members: ContiguousArray<Shape.Member>) -> Bool {
    let names = Set(members.map { $0.key.prefix { !$0.isNumber } })
    return names.count == 1
      && members.allSatisfy { $0.key.last?.isNumber == true && $0.key.first?.isNumber == false }
  }
}

/// The name of the object is a customary one, such as `labels`, or has a `by`, such as `assetsByChunkName`.
///
/// It is none if each of many objects has the same keys: the `selector` of an annotation. A few such objects are enough if
/// there is one key, if what is under the keys has little in common, `{"extensions": {"rail": {"uic": 8}, "map": {…}}}`, or
/// if `type` is a key: `{"selector": {"type": "FragmentSelector", "value": "x=1"}}`. Others that are none:
/// `{"environment": {"os_name": "posix", …}}` has fixed keys, `{"definitions": {"standards": [{…}]}}` is a list, and
/// `{"dependencies": {"direct": 9, "total": 120}}` counts.
enum DictionaryName: DictionaryRule {
  private static let scalars: Set<String> = [
    "dependencies", "devdependencies", "peerdependencies", "optionaldependencies", "labels",
    "annotations", "headers", "scripts", "translations", "env", "environment", "variables",
    "versions", "matchlabels", "selector", "nodeselector", "languages", "tags", "engines",
    "currencies",
  ]
  private static let objects: Set<String> = [
    "properties", "patternproperties", "definitions", "schemas", "claims", "sitelinks",
    "queryparameters", "extensions", "resources", "methods", "targets", "configurations",
  ]
  /// Names of the values around a program, which are data where they are as a shell has them: `PATH`.
  private static let settings: Set<String> = ["env", "environment", "variables"]
  /// The number of objects from which on keys that all of them have are no data, and the number that is enough for some.
  private static let (manyHolders, severalHolders) = (20, 3)

  /// Returns whether dictionaries are often called like an object.
  static func isCustom(_ candidate: DictionaryCandidate) -> Bool {
    let name = candidate.key.lowercased().filter(\.isLetter)
    return !settings.contains(name) && (scalars.contains(name) || objects.contains(name))
  }

  static func isDictionary(_ candidate: DictionaryCandidate) -> Bool? {
    if candidate.words.parts.dropFirst().dropLast().contains("by") { return true }
    let name = candidate.key.lowercased().filter(\.isLetter)
    if settings.contains(name),
      !candidate.members.contains(where: { $0.key == $0.key.uppercased() })
    {
      return false
    }
    let isFew =
      candidate.members.count == 1 && [.object, .dictionary].contains(candidate.content)
      || candidate.similarity < 0.35 || candidate.members.contains { $0.key == "type" }
    if candidate.holderCount >= (isFew ? severalHolders : manyHolders),
      candidate.members.allSatisfy(candidate.isAlwaysPresent)
    {
      return nil
    }
    switch candidate.content {
    case .object, .dictionary: return scalars.contains(name) || objects.contains(name) ? true : nil
    case .objects: return objects.contains(name) && candidate.members.count > 1 ? true : nil
    case .number where candidate.members.contains { $0.key.lowercased() == "total" }: return false
    default: return scalars.contains(name) ? true : nil
    }
  }
}

/// A program wrote a key that each of several objects has.
///
/// It also wrote keys with a mark before them, such as `@type` and `$ref`, and relations of links, such as `self`. Variables are
/// data: `{"$NAME": {"line": 3}, "$KEY": {"line": 5}, "$VALUE": {"line": 5}}`.
///
/// The rule does not hold if the same large record is under each key of a plural, and some keys are missing:
/// `{"agents": {"firefox": {…}, "opera": {…}}}`. Nor does it if most keys are rare: every region has the billing service, and
/// a few of three hundred others. At most a quarter of the keys is then in all objects, and each object has less than half.
enum FixedKeys: DictionaryRule {
  static func isDictionary(_ candidate: DictionaryCandidate) -> Bool? {
    let markedCount = candidate.members.count { $0.form == .annotation }
    let areVariables =
      candidate.members.count >= 3 && candidate.content == .object && candidate.similarity >= 0.75
    if markedCount * 4 > candidate.members.count, !areVariables { return false }
    if candidate.members.contains(where: { $0.key == "self" && isLink($0.shape) }) { return false }
    guard candidate.holderCount >= 4, candidate.members.contains(where: candidate.isAlwaysPresent),
      !KeysElsewhere.areValues(candidate), !KeysElsewhere.areKeys(candidate),
      !KeysElsewhere.areNames(candidate)
    else { return nil }
    let areRecords =
      candidate.content == .object && candidate.words.isPlural && candidate.members.count >= 3
      && (candidate.presence < 0.9 && candidate.similarity >= 0.9 && candidate.keysPerRecord >= 5
        || areFew(candidate) && candidate.similarity >= leastSimilarity)
    return areRecords
  }

  /// Returns whether values are addresses, or objects or lists of objects that have one.
  private static func isLink(_ shape: Shape) -> Bool {
    shape.stringCount > 0 || (shape.element ?? shape).member(named: "href") != nil
  }

  /// The least similarity of records if most keys are rare.
  private static let leastSimilarity = 0.75

  /// Returns whether objects have few of all keys, and no more than a quarter of the keys is in each.
  private static func areFew(_ candidate: DictionaryCandidate) -> Bool {
    candidate.presence < 0.5
      && candidate.members.count(where: candidate.isAlwaysPresent) * 4 <= candidate.members.count
  }

  private static let timeSteps: Set<String> = [
    "minutely", "hourly", "daily", "nightly", "weekly", "monthly", "quarterly", "yearly", "annual",
    "annually",
  ]

  private static let units: Set<String> = [
    "ms", "s", "sec", "m", "min", "h", "hr", "d", "w", "mo", "y", "yr",
  ]

  /// Returns whether a key says how often something is, `hourly` or `three_hourly`, or for how long: `15m`, `24hr`.
  static func isTimeStep(_ key: String) -> Bool {
    key.first?.isNumber == true
      ? units.contains(String(key.drop(while: \.isNumber)))
      : Words(key).parts.last.map(timeSteps.contains) ?? false
  }
}

/// The same record under each key: under many keys, under a few of a plural, or under keys that are rare.
///
/// The larger the record, and the more the keys differ from object to object, the fewer it takes.
/// `{"billing": {"city": "Ulm"}, "shipping": {"city": "Bonn"}}` are two under no plural, which are a pair however large they
/// are, unless their keys are no names of a program: `comet-tails` and `comet-colour`. Three of two members each
/// are enough under `pg-orders`, `s3-archive` and `es-index`, and not under `first`, `second` and `third`.
enum SameRecords: DictionaryRule {
  static func isDictionary(_ candidate: DictionaryCandidate) -> Bool? {
    areMany(candidate) || isSparse(candidate) && candidate.similarity >= 0.35 ? true : nil
  }

  /// Returns whether there are as many records as no program has members of one kind.
  static func areMany(_ candidate: DictionaryCandidate) -> Bool {
    guard candidate.content == .object else { return false }
    let (count, similarity) = (candidate.members.count, candidate.similarity)
    if candidate.words.isPlural {
      if candidate.membersShareAKey || similarity >= 0.35 && candidate.keysPerRecord >= 2 {
        return true
      }
    }
    let varies = candidate.holderCount >= 4 && candidate.presence <= 0.7
    return similarity >= 0.75 && count >= 10
      || similarity >= 0.7 && candidate.keysPerRecord >= 5
        && (count >= 3 || areCompound(candidate))
      || similarity >= 0.9 && candidate.keysPerRecord >= 4 && count >= 5
      || similarity >= 0.9 && candidate.keysPerRecord >= 2 && count >= 3
        && (varies || areCompound(candidate))
  }

  /// Returns whether keys have a mark between words that names in a program have not: `pg-orders`, `s3-archive`.
  private static func areCompound(_ candidate: DictionaryCandidate) -> Bool {
    candidate.members.allSatisfy { member in
      member.key.dropFirst().contains { "-. /:@".contains($0) }
    }
  }

  /// Returns whether each object has few of the many keys that occur, whatever is under them.
  private static func isSparse(_ candidate: DictionaryCandidate) -> Bool {
    let isMany =
      candidate.holderCount >= 4 && candidate.members.count >= 8
      || candidate.holderCount >= 8 && candidate.members.count >= 5
    return isMany && candidate.presence < 0.34
  }
}

/// Dictionaries, lists or arrays under the keys of a plural: `{"covers": {"linux": ["a", "b"], "mac": ["c"]}}`.
///
/// A program's own lists are named as such: `{"cast": […], "crew": […]}`. And lists under the same keys in objects of two
/// names have fixed ones:
/// `{"dimensions": {"series": [{…}], "observation": [{…}]}, "attributes": {"series": [{…}], "observation": [{…}]}}`.
enum Collections: DictionaryRule {
  private static let lists: Set<String> = [
    "cast", "crew", "staff", "media", "people", "data", "news", "series", "equipment",
  ]

  static func isDictionary(_ candidate: DictionaryCandidate) -> Bool? {
    let members = candidate.members
    guard members.count >= 2, candidate.similarity >= 0.35 else { return nil }
    let isPlural = candidate.words.isPlural
    let areCollections =
      switch candidate.content {
      case .dictionary: isPlural && candidate.filledCount > 1 || areShelves(candidate)
      case .scalars: isPlural
      case .objects:
        isPlural && candidate.similarity >= 0.75 && !areLists(members)
          && !candidate.values.areKeysOfOthers(members.map(\.hash), than: candidate.key)
          && members.count { $0.shape.element?.members.isEmpty == false } > 1
      default: false
      }
    return areCollections ? true : nil
  }

  /// Returns whether members hold only the same records, as in `{"geoda": {"cars": {…}, "ohio": {…}}, "census":
  /// {"lakes": {…}}}`.
  private static func areShelves(_ candidate: DictionaryCandidate) -> Bool {
    candidate.members.count >= 3 && candidate.similarity >= 0.7
      && candidate.members.contains { $0.shape.eachMember?.members.count ?? 0 >= 3 }
      && candidate.members.allSatisfy { member in
        member.shape.eachMember.map { Composition($0) == .object }
          ?? member.shape.members.allSatisfy { Composition($0.shape) == .object }
      }
  }

  private static func areLists(_ members: ContiguousArray<Shape.Member>) -> Bool {
    members.count <= 4 && members.allSatisfy { isList($0.key) }
  }

  /// Returns whether a key says that its value is a list.
  static func isList(_ key: String) -> Bool {
    Words(key).isPlural || lists.contains(key.lowercased()) || FixedKeys.isTimeStep(key)
  }
}

/// The keys occur elsewhere in the document.
///
/// - as strings or numbers at a key with the same word: `"language": "en"` beside `"languages": {"en": "English"}`;
/// - as keys of a dictionary, each of whose objects has some of them:
///   `{"nodes": {"a": {"inputs": {"b": "b"}}, "b": {…}, "c": {"inputs": {"a": "a", "b": ["c", "b"]}}}}`;
/// - as keys of a dictionary, above lists of values: `{"nodes": {"a": {…}, "b": {…}, …}, "parents": {"a": ["b"], "b": [], …}}`;
/// - as the names of objects that are called like it:
///   `{"slots": [{"name": "fist"}, {"name": "eye"}, …], "aim": {"slots": {"fist": {…}, "eye": {…}, …}}}`;
/// - as a list with one record for each element: `{"ids": ["geo", "sex"], "dimension": {"geo": {…}, "sex": {…}}}`;
/// - as the values of one member:
///   `{"docs": [{"id": "a"}, {"id": "b"}, …], "highlights": {"a": {"text": […]}, "b": {"text": […]}, …}}`.
///
/// A program names the keys that all objects have, though a dictionary may have the same ones; values say more:
/// `{"parties": [{"id": "a"}, …], "districts": [{"results": {"a": {"votes": 9}, …}}, …]}`.
enum KeysElsewhere: DictionaryRule {
  /// The fewest keys of a dictionary, and the least number of keys for which its records may be of any size.
  private static let (leastKeys, manyKeys) = (3, 4)

  /// Returns whether the keys are the values of one member, and hold the same record.
  ///
  /// Codes, and keys that objects often lack, may also hold one kind of value:
  /// `{"plans": [{"code": "BAR"}, …], "days": [{"rates": {"BAR": 119, "NRF": 107}}, …]}`.
  ///
  /// `{"home": {…}, "away": {…}, "winner": "home"}` has two.
  static func areValues(_ candidate: DictionaryCandidate) -> Bool {
    let hashes = candidate.members.map(\.hash)
    switch candidate.content {
    case .object:
      return hashes.count >= manyKeys && candidate.similarity >= 0.9
        && candidate.values.areAllOfOnePlace(hashes)
    case .string, .number, .boolean:
      return hashes.count >= leastKeys
        && (candidate.presence <= 0.7 || candidate.members.allSatisfy { DataKeys.isCode($0.key) })
        && candidate.values.areAllOfOnePlace(hashes)
    default: return false
    }
  }

  /// Returns whether the same record is under each of several keys, which are those of a dictionary.
  ///
  /// `{"parties": {"a": {…}, "b": {…}, "c": {…}}, "averages": {"2024-05": {"a": {…}, "b": {…}, "c": {…}}, …}}` has averages
  /// of parties.
  static func areKeys(_ candidate: DictionaryCandidate) -> Bool {
    candidate.content == .object && candidate.members.count >= leastKeys
      && candidate.similarity >= 0.9
      && candidate.values.areKeysOfADictionary(candidate.members.map(\.hash))
  }

  /// Returns whether the keys are the names of objects that are called like the dictionary, in the plural or with other
  /// keys in each.
  static func areNames(_ candidate: DictionaryCandidate) -> Bool {
    [.object, .objects].contains(candidate.content) && candidate.members.count >= leastKeys
      && (candidate.words.isPlural || candidate.presence < 0.9)
      && candidate.values.areNames(candidate.members.map(\.hash), ofObjectsCalled: candidate.words)
  }

  static func isDictionary(_ candidate: DictionaryCandidate) -> Bool? {
    if areNames(candidate) { return true }
    guard candidate.similarity >= 0.35 else { return nil }
    let hashes = candidate.members.map(\.hash)
    if let word = candidate.words.parts.first {
      let found = candidate.values.largestPart(of: hashes, underNamesWith: Words.singular(of: word))
      if found > 0, found * 2 >= hashes.count { return true }
    }
    // {"mounts": [{"source": "db"}, {"source": "logs"}], "volumes": {"db": {"size": 3}, "logs": {"size": 1}}}
    let isPlural = candidate.words.isPlural || Collections.isList(candidate.key)
    if isPlural, candidate.content == .object, candidate.filledCount >= 2,
      candidate.similarity >= 0.9, candidate.values.areAllOfOnePlace(hashes)
    {
      return true
    }
    guard candidate.content != nil || candidate.holdsStringsOrLists, hashes.count >= leastKeys
    else { return nil }
    if areValues(candidate) { return true }
    if areKeys(candidate) { return true }
    if candidate.content == .scalars, hashes.count >= manyKeys,
      candidate.values.areKeysOfADictionary(hashes)
    {
      return true
    }
    let areFound =
      candidate.holderCount > 1
      ? candidate.presence < 0.9 && candidate.values.areKeysOfADictionary(hashes)
      : (candidate.keysPerRecord >= 2 || hashes.count >= manyKeys)
        && candidate.values.areAllOfAList(hashes)
    return areFound ? true : nil
  }
}
