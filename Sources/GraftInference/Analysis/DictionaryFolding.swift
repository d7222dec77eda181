// An object is a dictionary where its keys are data: {"138586341": {"name": "Nabucco"}, …}. Each of
// these is sufficient evidence:
//
//   the keys look like data         numbers, dates, codes with digits, paths, texts
//   they vary                       each object has few of the keys that occur, and all hold the same
//   the same record under each key  many, or a few under a plural: {"agents": {"firefox": {…}, …}}
//   they are values elsewhere       "language": "en" beside "languages": {"en": "English"}
//   its name tells the key          {"assetsByChunkName": {"app": […], "page1": […]}}
//   codes among words               {"price": 1, "quote": {"USD": {…}, "EUR": {…}}}
//   siblings of the same records    {"default": {"flask": {…}, "click": {…}}, "develop": {"mypy": {…}, …}}
//
// Values of different kinds are evidence against it: an object with a string and a number is no dictionary.
// Empty members are, too, if only one member holds something:
// {"invite": {}, "join": {"!id": {…}}, "leave": {}} has three fixed keys.
//
// Keys that are data may have fixed ones beside them, which stay: {"uids": ["7", "8"], "7": {…}, "8": {…}}.

import Graft

/// Finds objects that are dictionaries, and makes one place of their members.
struct DictionaryFolding {
  /// The values of strings and numbers anywhere in the document.
  private let values: ValueIndex
  /// Keys under which objects are dictionaries by custom.
  private static let names: Set<String> = [
    "dependencies", "devdependencies", "peerdependencies", "optionaldependencies", "labels",
    "annotations", "headers", "scripts", "translations", "env", "environment", "variables",
    "versions", "matchlabels", "selector", "nodeselector", "languages", "tags", "engines",
    "currencies",
  ]
  /// Keys under which objects are dictionaries of objects by custom.
  private static let objectNames: Set<String> = [
    "properties", "patternproperties", "definitions", "schemas", "claims", "sitelinks",
    "queryparameters", "extensions", "resources", "methods",
  ]

  /// The names of days and months.
  private static let dates: Set<String> = {
    let names = [
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january",
      "february", "march", "april", "may", "june", "july", "august", "september", "october",
      "november", "december",
    ]
    return Set(names + names.map { String($0.prefix(3)) })
  }()

  init(_ roots: [Shape]) { values = ValueIndex(roots) }

  /// Folds all dictionaries inside a place, the inner ones first.
  func fold(_ shape: Shape, key: String) {
    // The name of an array says nothing of the keys of its elements.
    if let element = shape.element { fold(element, key: "") }
    for column in shape.rows?.columns ?? [] { fold(column, key: "") }
    if let each = shape.eachMember { fold(each, key: "") }
    for member in shape.members { fold(member.shape, key: member.key) }
    guard shape.eachMember == nil, shape.objectCount > 0, !shape.members.isEmpty else { return }
    if isDictionary(shape, key) {
      shape.foldMembers()
    } else {
      foldSiblings(in: shape)
      guard let data = Self.dataKeys(of: shape) else { return }
      shape.foldMembers { data.contains($0.hash) }
    }
    // All members together may have enough evidence for what each one lacks.
    if let each = shape.eachMember { fold(each, key: "") }
  }

  // MARK: Keys beside others

  /// Returns the keys that are data, beside others that a program has named; nil where there are
  /// too few of them.
  ///
  /// In `{"vendor_name": "Intel", "_0001": "Hub", "_0002": "Bridge"}` two are. What is under them has to be the same,
  /// and strings or numbers only where the keys differ from object to object: `{"name": "x", "2020": 5}` has
  /// attributes.
  private static func dataKeys(of shape: Shape) -> Set<UInt64>? {
    let data = shape.members.filter { KeyForm($0.key).isData }
    guard data.count >= 2, data.count < shape.members.count,
      (shape.members.count - data.count) <= max(3, data.count / 2),
      data.allSatisfy({ $0.shape.nullCount == 0 }),
      let content = commonComposition(data.map(\.shape))
    else { return nil }
    switch content {
    case .object, .dictionary:
      guard similarity(of: data.map(\.shape), content) >= 0.6 else { return nil }
    case .string, .number, .boolean:
      let presence = data.reduce(0) { $0 + $1.shape.count }
      guard
        shape.objectCount > 1 ? presence * 10 < shape.objectCount * data.count * 7 : data.count >= 8
      else { return nil }
    default: return nil
    }
    return Set(data.map(\.hash))
  }

  /// Folds objects beside each other that hold the same kind of record, each under keys of its own.
  ///
  /// The two halves of `{"home": {"first": {…}, "second": {…}}, "away": {"first": {…}, "second": {…}}}` have the same
  /// keys, which a program has named.
  private func foldSiblings(in shape: Shape) {
    let siblings = shape.members.filter { member in
      Composition(member.shape) == .object && member.shape.members.count >= 2
        && member.shape.members.allSatisfy {
          Composition($0.shape) == .object && $0.shape.nullCount == 0
        }
    }
    guard siblings.count >= 2 else { return }
    let records = siblings.flatMap(\.shape.members)
    guard records.count >= 6, Set(records.map(\.hash)).count * 10 >= records.count * 9,
      Self.similarity(of: records.map(\.shape), .object) >= 0.75,
      Self.areRecords(ContiguousArray(records), ofKeys: 2)
    else { return }
    for sibling in siblings {
      sibling.shape.foldMembers()
      if let each = sibling.shape.eachMember { fold(each, key: "") }
    }
  }

  // MARK: Dictionaries

  private func isDictionary(_ shape: Shape, _ key: String) -> Bool {
    let members = shape.members
    let keys = members.map(\.key)
    let dataLike = keys.count { KeyForm($0).isData }
    guard let content = Self.commonComposition(members.map(\.shape)) else {
      // Values of several kinds under dates or numbers are kept as JSON together.
      return !key.isEmpty && keys.count >= 3 && dataLike == keys.count
    }
    // An envelope with one list in it: {"3166-1": [{…}]}.
    if key.isEmpty, members.count == 1, content == .objects { return false }
    if dataLike * 10 >= keys.count * 9 { return true }
    if members.count > 1, members.count(where: { !$0.shape.isEmptyOrNull }) == 1 { return false }
    let holders = max(shape.objectCount - shape.emptyObjectCount, 1)
    // The `type`, `value` and `conformsTo` of 219 selectors.
    if holders >= Self.manyHolders, members.allSatisfy({ $0.shape.count >= shape.objectCount }) {
      return false
    }
    if Self.isIndex(key) { return true }
    guard keys.count(where: { KeyForm($0) == .annotation }) * 4 <= keys.count else { return false }
    let name = key.lowercased().filter(\.isLetter)
    if Self.settings.contains(name), !keys.contains(where: { $0 == $0.uppercased() }) {
      return false
    }
    // {"annotations": {"list": [{…}]}} is a list.
    if Self.names.contains(name), content != .objects { return true }
    // {"definitions": {"standards": [{…}]}} is a list.
    if Self.objectNames.contains(name),
      [.object, .dictionary].contains(content) || content == .objects && members.count > 1
    {
      return true
    }
    if keys.count >= 3, content == .object || content == .objects,
      keys.allSatisfy({ Self.dates.contains($0.lowercased()) })
    {
      return true
    }
    if content == .number, Self.areConstants(members) { return true }
    let presence =
      Double(members.reduce(0) { $0 + $1.shape.count }) / Double(holders * members.count)
    let similarity = Self.similarity(of: members.map(\.shape), content)
    let words = Words(key)
    if content == .object, members.count >= 2, similarity >= 0.9, keys.allSatisfy(Self.isCode) {
      return true
    }
    if content == .object, words.isPlural, members.count >= 3, presence < 0.9, similarity >= 0.9,
      Self.areRecords(members, ofKeys: 5)
    {
      return true
    }
    if dataLike * 3 >= keys.count * 2, members.count >= 3, similarity >= 0.35 { return true }
    // A key that all objects have is one that their program wrote.
    if holders >= 4, members.contains(where: { $0.shape.count >= shape.objectCount }) {
      return false
    }
    if content == .object, words.isPlural, members.count >= 3, Self.shareAKey(members) {
      return true
    }
    guard similarity >= 0.35 else { return false }
    if holders >= 4, members.count >= 8 || holders >= 8 && members.count >= 5, presence < 0.34 {
      return true
    }
    if holders >= 4, presence <= 0.7, content == .object, similarity >= 0.9, members.count >= 3,
      Self.areRecords(members, ofKeys: 2)
    {
      return true
    }
    if dataLike * 2 >= keys.count, members.count >= 3 { return true }
    // {"geoda": {"cars": {…}, "ohio": {…}}, "census": {"lakes": {…}}}
    if content == .dictionary, members.count >= 3, similarity >= 0.7,
      members.contains(where: { $0.shape.eachMember?.members.count ?? 0 >= 3 }),
      members.allSatisfy({ Self.holdsObjects($0.shape) })
    {
      return true
    }
    if content == .object {
      if similarity >= 0.75, members.count >= 10 { return true }
      if words.isPlural, similarity >= 0.9, members.count >= 3 { return true }
      if words.isPlural, members.count >= 2, Self.areRecords(members, ofKeys: 2) { return true }
      if similarity >= 0.7, members.count >= 2, Self.areRecords(members, ofKeys: 5) { return true }
    }
    if words.isPlural, members.count >= 2,
      content == .dictionary && members.count(where: { !$0.shape.isEmptyOrNull }) > 1
        || content == .scalars
        || content == .objects && similarity >= 0.75 && Self.areFilled(members)
          && !Self.areLists(members)
    {
      return true
    }
    return areValues(members, of: key)
  }

  /// The number of objects from which on keys that all of them have are no data.
  private static let manyHolders = 20

  /// Whether members are named constants: `{"asfDepositAuth": 9, "asfDisableMaster": 4, …}`.
  ///
  /// All have different integers, and names that begin alike. `{"width": 640, "height": 480, …}` are measures.
  private static func areConstants(_ members: ContiguousArray<Shape.Member>) -> Bool {
    guard members.count >= 8, let first = members.first else { return false }
    var values = ValueSketch()
    for member in members {
      guard member.shape.count == 1, member.shape.scalars.integerCount == 1,
        let value = member.shape.scalars.sketch.values.first
      else { return false }
      values.insert(value)
    }
    guard values.distinctCount == members.count else { return false }
    let prefix = members.reduce(first.key[...]) { prefix, member in
      prefix.prefix(zip(prefix, member.key).prefix(while: ==).map(\.0).count)
    }
    return prefix.count >= 2 || members.count >= manyConstants
  }

  /// The number of different integers in one object from which on their keys are data, however they begin.
  private static let manyConstants = 24

  /// Names of the values around a program, which are data where they are as a shell has them: `PATH`.
  ///
  /// `{"environment": {"python_version": "3.11", "os_name": "posix", …}}` has fixed keys.
  private static let settings: Set<String> = ["env", "environment", "variables"]

  /// Whether a name tells the key of its members: `assetsByChunkName`, `users_by_id`.
  private static func isIndex(_ key: String) -> Bool {
    let words = Words(key).parts
    return words.dropFirst().dropLast().contains("by")
  }

  /// Whether a key is a code in capitals, such as a currency.
  private static func isCode(_ key: String) -> Bool {
    (2...4).contains(key.utf8.count) && key.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }

  /// Whether all that is in objects are objects.
  private static func holdsObjects(_ shape: Shape) -> Bool {
    shape.eachMember.map { Composition($0) == .object }
      ?? shape.members.allSatisfy { Composition($0.shape) == .object }
  }

  /// Whether at least two members are arrays with known elements.
  private static func areFilled(_ members: ContiguousArray<Shape.Member>) -> Bool {
    members.count { $0.shape.element?.members.isEmpty == false } > 1
  }

  /// Whether the keys are names of lists, as a program has them: `{"cast": […], "crew": […]}`.
  private static func areLists(_ members: ContiguousArray<Shape.Member>) -> Bool {
    members.count <= 4
      && members.allSatisfy { Words($0.key).isPlural || lists.contains($0.key.lowercased()) }
  }

  private static let lists: Set<String> = [
    "cast", "crew", "staff", "media", "people", "data", "news", "series", "equipment",
  ]

  /// Whether the members are objects of several keys on average.
  private static func areRecords(
    _ members: ContiguousArray<Shape.Member>, ofKeys count: Int
  ) -> Bool {
    let filled = members.filter { !$0.shape.members.isEmpty }
    let keys = filled.reduce(0) { $0 + $1.shape.members.count }
    return keys >= count * filled.count && filled.count >= 2
  }

  /// Whether all members are objects with one key in common, such as the `type` of a definition.
  private static func shareAKey(_ members: ContiguousArray<Shape.Member>) -> Bool {
    guard let first = members.first else { return false }
    return first.shape.members.contains { candidate in
      members.allSatisfy { $0.shape.member(candidate.hash) != nil }
    }
  }

  /// Whether the keys are also strings or numbers elsewhere, at a key with the same word.
  private func areValues(_ members: ContiguousArray<Shape.Member>, of key: String) -> Bool {
    let hashes = members.map(\.hash)
    guard let word = Words(key).parts.first else { return false }
    let found = values.largestPart(of: hashes, underNamesWith: Words.singular(of: word))
    return found > 0 && found * 2 >= hashes.count
  }

  /// Returns the composition that all members share; nil if they differ.
  private static func commonComposition(_ shapes: [Shape]) -> Composition? {
    var common = Composition.null
    for shape in shapes {
      let composition = Composition(shape)
      // An object among dictionaries is one with too few members to tell.
      let isDictionary = common == .dictionary || composition == .dictionary
      if isDictionary, [common, composition].allSatisfy({ $0 == .object || $0 == .dictionary }) {
        common = .dictionary
      } else {
        common = common.combined(with: composition)
      }
      if common == .mixed { return nil }
    }
    return common == .null ? nil : common
  }

  /// Returns the share of their content that the members have in common, from 0 to 1.
  private static func similarity(of shapes: [Shape], _ content: Composition) -> Double {
    guard [.object, .objects, .dictionary].contains(content) else { return 1 }
    var counts: [UInt64: Int] = [:]
    var holders = 0
    for shape in shapes {
      for object in records(in: shape, content) where !object.members.isEmpty {
        holders += 1
        for member in object.members { counts[member.hash, default: 0] += 1 }
      }
    }
    guard holders > 0, !counts.isEmpty else { return 1 }
    // Optional members of a large record say little: the weight of a key is how often it occurs.
    let total = counts.values.reduce(0, +)
    let weighted = counts.values.reduce(0.0) { $0 + Double($1) * Double($1) / Double(holders) }
    // Without anything in common, each key still comes from one object.
    let least = 1 / Double(holders)
    return holders == 1 ? 1 : (weighted / Double(total) - least) / (1 - least)
  }

  /// Returns the objects whose keys are compared.
  private static func records(in shape: Shape, _ content: Composition) -> [Shape] {
    if content == .objects { return [shape.element ?? shape] }
    if let each = shape.eachMember { return [each] }
    // A dictionary that has too few members to tell.
    return content == .dictionary ? shape.members.map(\.shape) : [shape]
  }
}

/// The form of a key.
enum KeyForm {
  /// A name such as a program gives to a member.
  case name
  /// A name with a mark before it: `@type`, `$ref`, `_id`.
  case annotation
  /// A number.
  case number
  /// A code, a date, a path or a text.
  case data

  init(_ key: String) { self = Self.of(key) }

  private static func of(_ key: String) -> KeyForm {
    let scalars = key.unicodeScalars
    guard let first = scalars.first else { return .data }
    let digits = scalars.count { ("0"..."9").contains($0) }
    if digits == scalars.count { return .number }
    if "@$_".unicodeScalars.contains(first), scalars.count > 1 {
      // `_8086` and `_0c` are numbers with a mark.
      let rest = KeyForm(String(key.dropFirst()))
      return rest.isData ? .data : .annotation
    }
    let isPlain = scalars.allSatisfy { scalar in
      ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
        || "_-:.".unicodeScalars.contains(scalar)
    }
    guard isPlain, !("0"..."9").contains(first), scalars.count <= 60 else { return .data }
    let isHexadecimal =
      scalars.count >= 12
      && scalars.allSatisfy { $0.properties.isASCIIHexDigit || $0 == "-" }
    // `iso_3166_1` is a name, of a standard.
    let isCode =
      !key.lowercased().hasPrefix("iso")
      && (digits >= 4 || digits > 1 && digits * 2 > scalars.count)
    // `model.jaffle_shop.orders` is the full name of something.
    let isFullName = key.split(separator: ".", omittingEmptySubsequences: false).count > 2
    return isHexadecimal || isCode || isFullName ? .data : .name
  }

  var isData: Bool { self == .number || self == .data }
}

/// Finds the places of a document at which given strings and numbers occur.
struct ValueIndex {
  private var places: [(words: Set<String>, sketch: ValueSketch)] = []

  init(_ roots: [Shape]) {
    for root in roots { add(root, "") }
  }

  private mutating func add(_ shape: Shape, _ key: String) {
    if shape.stringCount + shape.numberCount > 0, shape.scalars.sketch.distinctCount > 0 {
      places.append((Set(Words(key).parts.map(Words.singular)), shape.scalars.sketch))
    }
    if let element = shape.element { add(element, key) }
    for (position, column) in (shape.rows?.columns ?? []).enumerated() {
      add(column, shape.rows?.name(of: position) ?? "")
    }
    if let each = shape.eachMember { add(each, key) }
    for member in shape.members { add(member.shape, member.key) }
  }

  /// Returns how many of the values a place has, at most, whose key contains a word.
  func largestPart(of values: [UInt64], underNamesWith word: String) -> Int {
    places.filter { $0.words.contains(word) }
      .map { place in values.count { place.sketch.contains($0) } }.max() ?? 0
  }
}
