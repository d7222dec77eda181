// An object is a dictionary if its keys are data: {"138586341": {"name": "Nabucco"}, …}. `DictionaryRules.swift`
// has the rules that decide.
//
// Keys that are data may have fixed ones beside them, which stay: {"uids": ["7", "8"], "7": {…}, "8": {…}}. And
// siblings of the same records are dictionaries:
// {"default": {"flask": {…}, "click": {…}}, "develop": {"mypy": {…}, …}}.

import Graft

/// Finds objects that are dictionaries, and merges the places of their members into one.
final class DictionaryFolding {
  /// The values of strings and numbers anywhere in the document.
  private let values: ValueIndex
  private let rules: [any DictionaryRule.Type]
  /// Whether no dictionaries are known yet.
  private let isFirstLook: Bool
  /// The number of objects that were folded.
  private var foldCount = 0

  private init(_ values: ValueIndex, _ rules: [any DictionaryRule.Type], isFirstLook: Bool) {
    self.values = values
    self.rules = rules
    self.isFirstLook = isFirstLook
  }

  /// Folds all dictionaries of documents; a known dictionary helps to find others.
  static func fold(_ roots: [Shape]) {
    let values = ValueIndex(roots)
    let first = DictionaryFolding(values, rules, isFirstLook: true)
    for root in roots { first.fold(root, key: "") }
    let second = DictionaryFolding(
      first.foldCount > 0 ? ValueIndex(roots) : values, [FixedKeys.self, KeysElsewhere.self],
      isFirstLook: false)
    for root in roots { second.fold(root, key: "") }
  }

  private func foldMembers(of shape: Shape, where isData: (Shape.Member) -> Bool = { _ in true }) {
    foldCount += 1
    shape.foldMembers(where: isData)
  }

  /// Folds all dictionaries inside a place, the inner ones first.
  private func fold(_ shape: Shape, key: String) {
    guard shape.hasPlacesInside else { return }
    // The name of an array says nothing about the keys of its elements.
    if let element = shape.element { fold(element, key: "") }
    for column in shape.rows?.columns ?? [] { fold(column, key: "") }
    if let each = shape.eachMember { fold(each, key: "") }
    // A key that is data, such as the `utils` of `{"nodes": {"utils": {…}, "core": {…}}}`, says nothing about its
    // value.
    let candidate = DictionaryCandidate(shape.members, of: shape, key, values)
    let earlierCount = foldCount
    let areKeysNames = !SameRecords.areMany(candidate)
    if canFold(shape), keysBesideNotes(in: shape, key) == nil,
      isToldByKeys(candidate, areKeysNames: areKeysNames)
    {
      // The contents of all members are decided together.
      foldMembers(of: shape)
      if let each = shape.eachMember { fold(each, key: "") }
      return
    }
    for member in shape.members { fold(member.shape, key: areKeysNames ? member.key : "") }
    guard canFold(shape) else { return }
    let isSame = foldCount == earlierCount
    let current =
      isSame ? candidate : DictionaryCandidate(shape.members, of: shape, after: candidate)
    if let data = keysBesideNotes(in: shape, key) {
      foldMembers(of: shape) { data.contains($0.hash) }
    } else if isDictionary(current, by: rules) {
      foldMembers(of: shape)
    } else if foldSiblings(in: shape),
      // {"facts": {"dei": {…}, "us-gaap": {…}}} has dictionaries of one record now.
      isDictionary(
        DictionaryCandidate(shape.members, of: shape, after: candidate),
        by: [NothingAlike.self, Collections.self])
    {
      foldMembers(of: shape)
    } else {
      guard let data = Self.dataKeys(of: shape) else { return }
      foldMembers(of: shape) { data.contains($0.hash) }
    }
    // All members together may have enough evidence for what each one lacks.
    if let each = shape.eachMember { fold(each, key: "") }
  }

  // MARK: Keys beside others

  /// Returns the keys that are data, beside fixed ones; nil if they are too few.
  ///
  /// In `{"vendor_name": "Intel", "_0001": "Hub", "_0002": "Bridge"}` two are. What is under them has to be the same,
  /// and strings or numbers only where the keys differ from object to object: `{"name": "x", "2020": 5}` has
  /// attributes.
  ///
  /// A key with a space, such as `start time` in `{"event": {…}, "start time": {…}}`, is a title like `event`, and no data.
  ///
  /// Of values of two kinds, `{"001": "ocm1262", "100": {"ind1": "1"}, "245": {"ind1": "0"}}`, the objects are.
  private static func dataKeys(of shape: Shape) -> Set<UInt64>? {
    var data = ContiguousArray(shape.members.filter { $0.form.isData && !$0.key.contains(" ") })
    let objects = data.filter { Composition($0.shape) == .object }
    if objects.count >= 2, commonComposition(data.map(\.shape)) == nil {
      data = ContiguousArray(objects)
    }
    guard data.count >= 2, data.count < shape.members.count,
      (shape.members.count - data.count) <= max(3, data.count / 2),
      data.allSatisfy({ $0.shape.nullCount == 0 }),
      let content = commonComposition(data.map(\.shape))
    else { return nil }
    let keys = Set(data.map(\.hash))
    switch content {
    case .object, .dictionary:
      guard similarity(of: data.map(\.shape), content) >= 0.6 else { return nil }
    case .string, .number, .boolean:
      let presence = data.reduce(0) { $0 + $1.shape.count }
      guard areScalars(besides: keys, shape),
        shape.objectCount > 1 ? presence * 10 < shape.objectCount * data.count * 7 : data.count >= 8
      else { return nil }
    default: return nil
    }
    return keys
  }

  /// Returns whether all members are scalars, except for some.
  ///
  /// An import would take an object among them for one of the dictionary's strings.
  private static func areScalars(besides data: Set<UInt64>, _ shape: Shape) -> Bool {
    shape.members.allSatisfy { member in
      let composition = Composition(member.shape)
      return data.contains(member.hash) || composition.isScalar || composition == .null
    }
  }

  /// Folds objects beside each other that hold the same kind of record, each under keys of its own.
  ///
  /// Of three, some may have one record: `{"tree": {"leaf": {"x": 1, "y": 2}}, "lake": {"fish": {…}}, "hill": {…}}`.
  /// The two halves of `{"home": {"first": {…}, "second": {…}}, "away": {"first": {…}, "second": {…}}}` have the same
  /// keys, which a program has named.
  ///
  /// - Returns: Whether there are any.
  private func foldSiblings(in shape: Shape) -> Bool {
    let objectCount = shape.members.count { Composition($0.shape) == .object }
    let least = objectCount >= 3 ? 1 : 2
    let siblings = shape.members.filter { member in
      Composition(member.shape) == .object && member.shape.members.count >= least
        && member.shape.members.allSatisfy {
          Composition($0.shape) == .object && $0.shape.nullCount == 0
        }
    }
    // An object with enough records to be a dictionary by itself shows that the others are dictionaries too.
    let dictionaries = shape.members.filter { Composition($0.shape) == .dictionary }
    let records =
      siblings.flatMap(\.shape.members).map(\.shape) + dictionaries.compactMap(\.shape.eachMember)
    let count = siblings.reduce(0) { $0 + $1.shape.members.count }
    let keys = Set(siblings.flatMap(\.shape.members).map(\.hash)).filter { hash in
      !dictionaries.contains { $0.shape.keys.sketch.contains(hash) }
    }
    guard !siblings.isEmpty, siblings.count + dictionaries.count >= 2,
      count + dictionaries.reduce(0, { $0 + ($1.shape.eachMember?.count ?? 0) }) >= 6,
      keys.count * 10 >= count * 9, Self.similarity(of: records, .object) >= 0.75,
      records.reduce(0, { $0 + $1.members.count }) >= 2 * records.count
    else { return false }
    for sibling in siblings {
      foldMembers(of: sibling.shape)
      if let each = sibling.shape.eachMember { fold(each, key: "") }
    }
    return true
  }

  // MARK: Dictionaries

  /// The rules that decide whether an object is a dictionary, in their order.
  private static let rules: [any DictionaryRule.Type] =
    rulesOfKeys + [FixedKeys.self, SameRecords.self, Collections.self, KeysElsewhere.self]

  /// The rules that hold before dictionaries inside are known.
  private static let rulesOfKeys: [any DictionaryRule.Type] = [
    NothingAlike.self, DataKeys.self, DictionaryName.self,
  ]

  /// The most times that a program has named.
  private static let timeStepLimit = 12

  /// Returns whether objects may be dictionaries.
  ///
  /// Objects with one name each, beside strings, are choices: `"Unit"` or `{"Train": {"produces": 45}}`. And a program has
  /// written keys that say how often something is, or for how long: `{"hourly": […], "daily": […]}`, `{"rain": {"3h": 0.2}}`.
  private func canFold(_ shape: Shape) -> Bool {
    guard shape.eachMember == nil, shape.objectCount > 0, !shape.members.isEmpty,
      shape.members.count > Self.timeStepLimit
        || !shape.members.allSatisfy({ FixedKeys.isTimeStep($0.key) })
    else { return false }
    return shape.stringCount == 0 || shape.members.contains { $0.form.isData }
      || shape.members.reduce(0) { $0 + $1.shape.count } > shape.objectCount
  }

  /// The most notes beside keys that are data, and the fewest such keys where they do not look like data.
  private static let (noteLimit, leastBesideNotes) = (2, 4)

  /// Returns the keys of a dictionary that has notes beside them; nil where it is none.
  ///
  /// `{"_meta": {"hostvars": {…}}, "web": {"hosts": […]}, "all": {"children": ["web", …]}, …}` has one. A note has nothing
  /// in common with the records: `{"_first": {"hosts": […]}, "web": {"hosts": […]}, …}` has none.
  private func keysBesideNotes(in shape: Shape, _ key: String) -> Set<UInt64>? {
    // Most objects have no notes.
    var notes = shape.members.filter { $0.form == .annotation }
    if let attributes = attributesBesideRecords(in: shape, key) {
      notes = attributes
    } else if notes.count > Self.noteLimit {
      return nil
    }
    guard !notes.isEmpty, shape.members.count - notes.count >= 2 else { return nil }
    let known = Set(notes.map(\.hash))
    let data = shape.members.filter { !known.contains($0.hash) }
    let candidate = DictionaryCandidate(ContiguousArray(data), of: shape, key, values)
    guard data.count >= Self.leastBesideNotes || DataKeys.isDictionary(candidate) == true else {
      return nil
    }
    let keys = Set(data.map(\.hash))
    if candidate.content?.isScalar == true, !Self.areScalars(besides: keys, shape) { return nil }
    let inside = Set(data.flatMap(\.shape.members).map(\.hash))
    let areAlike = notes.contains { note in
      Composition(note.shape) == candidate.content
        && (inside.isEmpty || note.shape.members.contains { inside.contains($0.hash) })
    }
    return !areAlike && isDictionary(candidate, by: rules) ? keys : nil
  }

  /// Returns the strings beside records that are attributes of the object around them; nil for none.
  ///
  /// The strings of `{"properties": {"updated": "2022-02-04", "office": "TAE", "dewpoint": {"values": […]}, …}}` are no
  /// short forms of records, as those would all be versions, or all addresses: one is a date, and one is none.
  private func attributesBesideRecords(in shape: Shape, _ key: String) -> [Shape.Member]? {
    let candidate = DictionaryCandidate(shape.members, of: shape, key, values)
    guard DictionaryName.isCustom(candidate), candidate.holdsShortForms else { return nil }
    let strings = shape.members.filter { Composition($0.shape) == .string }
    let telling = strings.count { member in
      !member.shape.scalars.formats.isDisjoint(with: [.anyDate, .address])
    }
    guard telling > 0, telling < strings.count else { return nil }
    return Array(strings)
  }

  /// Returns whether keys alone, or a plural above the same records, show that an object is a dictionary, whatever
  /// it contains.
  private func isToldByKeys(_ candidate: DictionaryCandidate, areKeysNames: Bool) -> Bool {
    guard isFirstLook else { return false }
    return isDictionary(candidate, by: Self.rulesOfKeys)
      || !areKeysNames && candidate.words.isPlural && FixedKeys.isDictionary(candidate) != false
  }

  private func isDictionary(
    _ candidate: DictionaryCandidate, by rules: [any DictionaryRule.Type]
  ) -> Bool {
    rules.lazy.compactMap { $0.isDictionary(candidate) }.first ?? false
  }

  /// Returns the composition that all members share; nil if they differ.
  static func commonComposition(_ shapes: [Shape]) -> Composition? {
    var common = Composition.null
    for shape in shapes {
      let composition = Composition(shape)
      // An object among dictionaries has too few members to decide.
      let isDictionary = common == .dictionary || composition == .dictionary
      if isDictionary, [common, composition].allSatisfy({ $0 == .object || $0 == .dictionary }) {
        common = .dictionary
      } else {
        common = common.combined(with: composition)
      }
      if common == .mixed { return nil }
    }
    if common == .dictionary, !haveSameContents(shapes) { return nil }
    return common == .null ? nil : common
  }

  /// Returns whether dictionaries, and objects with too few members to decide, have values of one kind.
  private static func haveSameContents(_ shapes: [Shape]) -> Bool {
    var all = Composition.null
    for shape in shapes {
      let contents = shape.eachMember.map { [$0] } ?? shape.members.map(\.shape)
      guard let content = commonComposition(contents) ?? (contents.isEmpty ? .null : nil) else {
        return false
      }
      all = all.combined(with: content)
    }
    return all != .mixed
  }

  /// A member of a record, and whether objects, arrays or scalars are under its key.
  private struct RecordMember: Hashable {
    let hash: UInt64
    let kind: Kind?

    enum Kind {
      case object, array, scalar
    }

    init(_ member: Shape.Member) {
      hash = member.hash
      kind =
        switch Composition(member.shape) {
        case .object, .dictionary, .emptyObject: .object
        case .objects, .scalars, .emptyArray, .grid, .row: .array
        case .boolean, .number, .string: .scalar
        case .null, .mixed, .unknown: nil
        }
    }
  }

  /// Returns the share of their content that the members have in common, from 0 to 1.
  ///
  /// `{"nodes": {"app": {…}, "ui": {…}}, "dependencies": {"app": […], "ui": […]}}` has nothing but keys in common.
  static func similarity(of shapes: [Shape], _ content: Composition) -> Double {
    guard [.object, .objects, .dictionary].contains(content) else { return 1 }
    var counts: [RecordMember: Int] = [:]
    var holders = 0
    for shape in shapes {
      for object in records(in: shape, content) where !object.members.isEmpty {
        holders += 1
        for member in object.members { counts[RecordMember(member), default: 0] += 1 }
      }
    }
    guard holders > 0, !counts.isEmpty else { return 1 }
    // Optional members of a large record say little: the weight of a key is how often it occurs.
    let total = counts.values.reduce(0, +)
    // A sum of integers, which does not depend on the order of the table.
    let weighted = Double(counts.values.reduce(0) { $0 + $1 * $1 }) / Double(holders)
    // Without anything in common, each key still comes from one object.
    let least = 1 / Double(holders)
    return holders == 1 ? 1 : (weighted / Double(total) - least) / (1 - least)
  }

  /// Returns the objects whose keys are compared.
  private static func records(in shape: Shape, _ content: Composition) -> [Shape] {
    if content == .objects { return [shape.element ?? shape] }
    if let each = shape.eachMember { return [each] }
    // A dictionary may have too few members to decide.
    return content == .dictionary ? shape.members.map(\.shape) : [shape]
  }
}

/// Finds other occurrences of an object's keys: as strings and numbers, and as keys of dictionaries.
struct ValueIndex {
  /// A place that has some of the documents' keys as values.
  private struct Source {
    enum Kind {
      case values
      case elements
      case keys
    }

    let kind: Kind
    let key: String
    /// The key of the objects, or of the list of objects, that have the values.
    let outerKey: String
    let distinctCount: Int
  }

  private var sources: [Source] = []
  /// The numbers of the sources that have a value, by the value; only of values that are keys of objects.
  private var numbers: [UInt64: [Int]] = [:]
  private var keys = FingerprintIndex()
  /// The keys under which objects with the same lists are found, by the keys of these.
  private var namesOfRecords: [UInt64: Set<String>] = [:]

  init(_ roots: [Shape]) {
    for root in roots { addKeys(of: root, under: "") }
    for root in roots { add(root, "", .values, under: "") }
  }

  private mutating func addKeys(of shape: Shape, under key: String) {
    guard shape.hasPlacesInside else { return }
    if shape.members.count > 1, shape.members.allSatisfy({ $0.shape.arrayCount > 0 }) {
      namesOfRecords[Self.mark(of: shape.members.map(\.hash)), default: []].insert(key)
    }
    for member in shape.members {
      keys.insert(member.hash)
      addKeys(of: member.shape, under: member.key)
    }
    if let element = shape.element { addKeys(of: element, under: "") }
    for column in shape.rows?.columns ?? [] { addKeys(of: column, under: "") }
    if let each = shape.eachMember { addKeys(of: each, under: "") }
  }

  private static func mark(of keys: [UInt64]) -> UInt64 {
    keys.sorted().reduce(0) { Fingerprint.mix($0 | 1, $1) }
  }

  /// Returns whether objects of lists under other names have the same keys.
  func areKeysOfOthers(_ keys: [UInt64], than name: String) -> Bool {
    namesOfRecords[Self.mark(of: keys)]?.contains { $0 != name && !$0.isEmpty } == true
  }

  private mutating func add(
    _ shape: Shape, _ key: String, _ kind: Source.Kind, under outerKey: String
  ) {
    add(shape.scalars.sketch, key, kind, under: outerKey)
    if let element = shape.element { add(element, key, .elements, under: outerKey) }
    for (position, column) in (shape.rows?.columns ?? []).enumerated() {
      add(column, shape.rows?.name(of: position) ?? "", .values, under: key)
    }
    if let each = shape.eachMember {
      add(shape.keys.sketch, key, .keys, under: outerKey)
      add(each, key, .values, under: outerKey)
    }
    for member in shape.members { add(member.shape, member.key, .values, under: key) }
  }

  private mutating func add(
    _ sketch: ValueSketch, _ key: String, _ kind: Source.Kind, under outerKey: String
  ) {
    let found = sketch.values.filter(keys.contains)
    guard !found.isEmpty else { return }
    for value in found { numbers[value, default: []].append(sources.count) }
    sources.append(
      Source(kind: kind, key: key, outerKey: outerKey, distinctCount: sketch.distinctCount))
  }

  /// Returns the number of some keys that each source has.
  private func counts(of keys: [UInt64]) -> [(source: Source, count: Int)] {
    var counts: [Int: Int] = [:]
    for key in keys { for number in numbers[key] ?? [] { counts[number, default: 0] += 1 } }
    return counts.map { (sources[$0.key], $0.value) }
  }

  /// Returns whether the keys, or all of many but one, are the values of a list, and the list has no others.
  func areAllOfAList(_ keys: [UInt64]) -> Bool {
    let least = keys.count < Self.manyKeys ? keys.count : keys.count - 1
    return counts(of: keys).contains {
      $0.source.kind == .elements && $0.count >= least && $0.source.distinctCount == $0.count
    }
  }

  /// The least number of keys at which a list may lack one: the key that holds the list, as in `{"all":
  /// {"children": ["web", "db", "cache"]}, "web": {…}, …}`.
  private static let manyKeys = 4

  /// Returns whether the keys are values at one place that has few others.
  func areAllOfOnePlace(_ keys: [UInt64]) -> Bool {
    counts(of: keys).contains {
      $0.source.kind == .values && $0.count == keys.count
        && $0.source.distinctCount <= 2 * keys.count
    }
  }

  /// Returns whether the keys, or four of five where they are many, are those of one dictionary.
  func areKeysOfADictionary(_ keys: [UInt64]) -> Bool {
    let least = keys.count < 10 ? keys.count : keys.count * 4 / 5
    return counts(of: keys).contains { $0.source.kind == .keys && $0.count >= least }
  }

  /// Returns whether all of the keys are values of one member of objects that have the same name in the plural.
  func areNames(_ keys: [UInt64], ofObjectsCalled words: Words) -> Bool {
    counts(of: keys).contains { source, count in
      source.kind == .values && count == keys.count
        && Words(source.outerKey).singular == words.singular
    }
  }

  /// Returns the greatest number of the keys that are strings or numbers at one place whose key contains a word.
  func largestPart(of keys: [UInt64], underNamesWith word: String) -> Int {
    counts(of: keys).filter { source, _ in
      source.kind != .keys && Words(source.key).parts.contains { Words.singular(of: $0) == word }
    }.map(\.count).max() ?? 0
  }
}
