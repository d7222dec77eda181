import Graft

/// The statistics of the values at one place of a document, such as `$.statuses[*].user`: their
/// kinds, their number, and the places inside them.
///
/// All elements of an array are one place, and all members of an object that is a dictionary. The memory of
/// a shape depends on how many places there are, and not on how many values.
final class Shape {
  /// A member of the objects at a place.
  struct Member {
    let name: MemberName
    /// The fingerprint of the key.
    let hash: UInt64
    let shape: Shape

    init(_ name: MemberName, _ shape: Shape) {
      self.name = name
      hash = name.hash
      self.shape = shape
    }

    var key: String { name.key }
    var form: KeyForm { name.form }
  }

  /// The kind of a value, by which the variants of a tagged union differ.
  enum Kind: UInt8 {
    case null, boolean, number, string, object, emptyArray, array, arrayOfArrays, deepArray
  }

  /// The meaning of strings, numbers or booleans that are found where other values are objects.
  enum MeaningOfScalars: Equatable {
    /// The identifiers of such objects, which have them under the key with a fingerprint.
    case identifiers(of: UInt64)
    /// Short forms of such objects, or notes on why there is none: `"not found"`.
    case substitutes
  }

  /// A value of a tag together with the kind of a member that occurs with it.
  struct Variant: Hashable {
    /// The fingerprint of the tag's key.
    var tag: UInt64
    /// The fingerprint of the tag's value.
    var value: UInt64
    var kind: Kind

    /// Returns how often a member occurs with each value of a tag.
    static func counts(_ variants: [Variant: Int], of tag: UInt64) -> [UInt64: Int] {
      var counts: [UInt64: Int] = [:]
      for (variant, count) in variants where variant.tag == tag {
        counts[variant.value, default: 0] += count
      }
      return counts
    }
  }

  /// A member whose value may decide the other members: `type`, `kind` and the like.
  struct Tag {
    static let valueLimit = 64

    let key: String
    /// The number of objects by the fingerprint of the value, with the value; nil where there are
    /// more than ``valueLimit``.
    var values: [UInt64: (text: String, count: Int)]? = [:]
  }

  /// Two members, in the order of their fingerprints.
  struct Pair: Equatable {
    let first: UInt64
    let second: UInt64

    init(_ one: UInt64, _ other: UInt64) {
      first = min(one, other)
      second = max(one, other)
    }
  }

  /// The most members that may be an identity together with another one.
  static let partLimit = 6

  /// The most keys of objects at one place before they are taken for data.
  static let memberLimit = 400

  // Unchecked, because it is used for each value; see the reason that `ShapeSurvey` gives.
  @safe @exclusivity(unchecked) var nullCount = 0
  @safe @exclusivity(unchecked) var booleanCount = 0
  @safe @exclusivity(unchecked) var numberCount = 0
  @safe @exclusivity(unchecked) var stringCount = 0
  @safe @exclusivity(unchecked) var objectCount = 0
  @safe @exclusivity(unchecked) var arrayCount = 0
  @safe @exclusivity(unchecked) var scalars = ScalarStatistics()

  /// The members of objects, in the order in which they were found; empty where the objects are
  /// dictionaries.
  @safe @exclusivity(unchecked) private(set) var members: ContiguousArray<Member> = []
  @safe @exclusivity(unchecked) private var memberNumbers = FingerprintIndex()
  var emptyObjectCount = 0
  /// The tags of objects, by the fingerprint of the key.
  var tags: [UInt64: Tag] = [:]

  /// The numbers of the members that may be an identity together with another one.
  @safe @exclusivity(unchecked) private(set) var parts: ContiguousArray<Int> = []
  /// Records which object the values of two members mean; these are few.
  @safe @exclusivity(unchecked)
  private(set) var pairs: ContiguousArray<(pair: Pair, sample: IdentitySample)> = []

  /// The shape of all members of objects that are dictionaries.
  @safe @exclusivity(unchecked) private(set) var eachMember: Shape?
  /// The keys of dictionaries.
  private(set) var keys = ScalarStatistics()
  /// Records which member of a dictionary a key means.
  var keyIdentity = IdentitySample()

  /// The shape of the elements of arrays.
  @safe @exclusivity(unchecked) private(set) var element: Shape?
  /// The shapes of each position, if the arrays are elements of an array and may be rows.
  var rows: RowColumns?
  /// Whether arrays that are elements of an array are no rows.
  @safe @exclusivity(unchecked) private(set) var areRowsRuledOut = false
  var emptyArrayCount = 0
  var elementCount = 0
  /// The number of objects that were found before the first array.
  private(set) var objectsBeforeArrays = 0
  /// The number of arrays that are single objects, and are read as lists of one.
  private(set) var singleCount = 0
  /// The number of nulls that are empty strings in place of objects.
  private(set) var emptyStringCount = 0
  /// The meaning of the scalars beside objects; nil if they have none, so that both are kept as JSON.
  var meaningOfScalars: MeaningOfScalars?
  /// Whether an array has the same element twice.
  var hasRepeatedElements = false

  /// Records which object around this value its text means; nil if it cannot be an identity.
  @safe @exclusivity(unchecked) var identity: IdentitySample?
  @safe @exclusivity(unchecked) private(set) var isIdentityRuledOut = false
  /// The greatest value that would change the identity.
  @safe @exclusivity(unchecked) private var identityBound = UInt64.max
  /// Whether the key says that the values are identities.
  private let isCalledIdentity: Bool
  /// The content of the first value; 0 for none.
  @safe @exclusivity(unchecked) private(set) var firstContent: UInt64 = 0
  @safe @exclusivity(unchecked) private(set) var hasSeveralContents = false
  /// The tags of the enclosing object with which the value occurs, and how often.
  var variants: [Variant: Int] = [:]
  /// The tags of the object around the enclosing one.
  var outerVariants: [Variant: Int] = [:]
  /// Whether places inside were skipped because of the limit.
  var isTruncated = false

  /// - Parameter name: The name of the member that is found there; nil for other places.
  init(_ name: MemberName? = nil) { isCalledIdentity = name?.isStrong ?? false }

  /// The number of values.
  var count: Int {
    nullCount + booleanCount + numberCount + stringCount + objectCount + arrayCount
  }

  /// Whether strings and numbers that are called identities are of one kind but for a few; an import reads strings.
  var isIdentifierOfOneKind: Bool {
    isCalledIdentity && Self.areFew(min(stringCount, numberCount), of: count)
  }

  /// Returns whether values of another kind are so few that they say nothing of the others: one of ten at most.
  private static func areFew(_ count: Int, of all: Int) -> Bool { count * 10 <= all }

  /// The number of strings, numbers and booleans.
  var scalarCount: Int { booleanCount + numberCount + stringCount }

  /// The fingerprint of the key under which objects have the identifiers beside them; nil if the scalars are no
  /// identifiers.
  var mentionedMember: UInt64? {
    if case .identifiers(let key) = meaningOfScalars { key } else { nil }
  }

  /// The number of identifiers beside objects.
  var mentionCount: Int { mentionedMember == nil ? 0 : scalarCount }

  /// The number of scalars in place of objects.
  var substituteCount: Int { meaningOfScalars == .substitutes ? scalarCount : 0 }

  /// Returns the scalars alone.
  var scalarsAlone: Shape {
    let shape = Shape()
    shape.booleanCount = booleanCount
    shape.numberCount = numberCount
    shape.stringCount = stringCount
    shape.scalars = scalars
    return shape
  }

  /// Whether there may be places inside, as there are none in strings, numbers and booleans.
  var hasPlacesInside: Bool { objectCount | arrayCount != 0 }

  func member(_ hash: UInt64) -> Shape? {
    memberNumbers[hash].map { members[$0].shape }
  }

  func member(named key: String) -> Shape? { member(Fingerprint.of(key)) }

  @inline(__always)
  func number(of hash: UInt64) -> Int? { memberNumbers[hash] }

  /// Adds a new member.
  ///
  /// - Returns: Its number.
  @discardableResult
  func append(_ member: Member) -> Int {
    memberNumbers.insert(member.hash, members.count)
    if parts.count < Self.partLimit, member.name.mayBePart { parts.append(members.count) }
    members.append(member)
    return members.count - 1
  }

  /// Notes the content of one more value.
  @inline(__always)
  func note(content: UInt64) {
    if firstContent == 0 {
      firstContent = content
    } else if firstContent != content, !hasSeveralContents {
      hasSeveralContents = true
    }
  }

  /// Notes a key of a dictionary.
  func note(key: BorrowedBuffer<UInt8>, _ hash: UInt64) { keys.note(string: key, hash) }

  func makeElement() -> Shape {
    if let element { return element }
    let shape = Shape()
    element = shape
    return shape
  }

  /// Notes one more array.
  @inline(__always)
  func noteArray() {
    if arrayCount == 0 { objectsBeforeArrays = objectCount }
    arrayCount &+= 1
  }

  /// The only list in an array that has objects beside it, `[{"page": 1}, [{…}, {…}]]`, and its position; nil for none.
  var listBesideHeader: (list: Shape, position: Int)? {
    guard arrayCount == 1, objectCount == 0, let each = element, each.arrayCount == 1,
      each.objectCount > 0, each.objectCount + each.arrayCount == each.count,
      let list = each.element, Composition(list) == .object
    else { return nil }
    return (list, each.objectsBeforeArrays)
  }

  /// Treats single objects, and scalars beside them, as arrays with one element.
  func wrapSingleObjects() {
    let element = makeElement()
    element.objectCount += objectCount
    element.emptyObjectCount += emptyObjectCount
    element.formUnion(membersOf: self) { $0.formUnion($1, isDeep: true) }
    element.formUnion(scalarsAlone, isDeep: false)
    let count = objectCount + scalarCount
    arrayCount += count
    elementCount += count
    singleCount += count
    objectCount = 0
    emptyObjectCount = 0
    (booleanCount, numberCount, stringCount) = (0, 0, 0)
    scalars = ScalarStatistics()
    removeMembers()
    tags = [:]
  }

  /// Treats a few empty strings in place of objects as nulls, as an import reads them.
  func readEmptyStrings() {
    guard Self.areFew(stringCount, of: objectCount), stringCount > 0,
      stringCount == scalars.emptyStringCount,
      objectCount + stringCount + nullCount == count
    else { return }
    nullCount += stringCount
    emptyStringCount = stringCount
    stringCount = 0
    scalars = ScalarStatistics()
  }

  private func removeMembers() {
    members = []
    memberNumbers = FingerprintIndex()
    parts = []
    pairs = []
  }

  /// Treats the arrays as lists with elements of one kind.
  func dissolveRows() {
    areRowsRuledOut = true
    guard let all = rows?.union() else {
      rows = nil
      return
    }
    rows = nil
    if let element { element.formUnion(all, isDeep: true) } else { element = all }
  }

  /// Returns whether a value would change the identity sample.
  @inline(__always)
  func mayNoteIdentity(_ value: UInt64) -> Bool {
    !isIdentityRuledOut && value <= identityBound
  }

  /// Notes that the value belongs to an object.
  func noteIdentity(
    _ value: UInt64, content: UInt64, members: () -> ContiguousArray<IdentitySample.Member>
  ) {
    guard mayNoteIdentity(value) else { return }
    if identity == nil { identity = IdentitySample() }
    identity?.insert(value, content: content, members: members)
    identityBound = identity?.bound ?? .max
    // A member with the name of an identity stays a candidate, because the counters of an object may change each
    // time it is mentioned.
    if identity?.isHopeless == true, !isCalledIdentity { ruleOutIdentity() }
  }

  /// Notes that the values of two members belong to an object.
  func notePair(
    _ pair: Pair, _ value: UInt64, content: UInt64,
    members: () -> ContiguousArray<IdentitySample.Member>
  ) {
    let index = number(of: pair)
    if pairs[index].sample.isHopeless || pairs[index].sample.skips(value) { return }
    pairs[index].sample.insert(value, content: content, members: members)
  }

  /// Returns the index of a pair, which is added if it is new.
  private func number(of pair: Pair) -> Int {
    if let index = pairs.firstIndex(where: { $0.pair == pair }) { return index }
    pairs.append((pair, IdentitySample()))
    return pairs.count - 1
  }

  func ruleOutIdentity() {
    isIdentityRuledOut = true
    identity = nil
  }

  func allowIdentity() { isIdentityRuledOut = false }
}

// MARK: - Folding and merging

extension Shape {
  /// Treats keys of the objects as data: their members become one place.
  ///
  /// - Parameter isData: Which keys; all of them unless it says otherwise.
  func foldMembers(where isData: (Member) -> Bool = { _ in true }) {
    let each = eachMember ?? Shape()
    eachMember = each
    let fixed = members.filter { !isData($0) }
    for member in members where isData(member) {
      member.key.withBorrowedUTF8 { keys.note(string: $0, member.hash) }
      if member.shape.firstContent != 0 {
        for content in [member.shape.firstContent, member.shape.hasSeveralContents ? 1 : 0]
        where content != 0 {
          keyIdentity.insert(member.hash, content: content, count: member.shape.count) { [] }
        }
      }
      member.shape.ruleOutIdentity()
      member.shape.variants = [:]
      each.formUnion(member.shape, isDeep: true)
      each.isIdentityRuledOut = true
    }
    removeMembers()
    if fixed.isEmpty { tags = [:] }
    for member in fixed { append(member) }
  }

  /// Treats the keys of objects that have too many as data, except for a few notes such as `$meta`.
  ///
  /// `{"$meta": {"version": 1}, "abracadabra": [{…}], …}` is a dictionary of arrays beside a note on it.
  func foldMembersAtLimit() {
    let notes = members.filter { $0.form == .annotation }
    let areKept = notes.count <= Self.noteLimit
    foldMembers { !areKept || $0.form != .annotation }
    for note in members { note.shape.ruleOutIdentity() }
  }

  /// The most notes beside the keys of a dictionary.
  private static let noteLimit = 8

  /// Adds the statistics of another place.
  ///
  /// - Parameters:
  ///   - other: The other place.
  ///   - isDeep: Whether the members of objects are added too, and not only the number of objects.
  func formUnion(_ other: Shape, isDeep: Bool) {
    if scalarCount == 0 {
      meaningOfScalars = other.meaningOfScalars
    } else if other.scalarCount > 0, meaningOfScalars != other.meaningOfScalars {
      meaningOfScalars = nil
    }
    nullCount += other.nullCount
    booleanCount += other.booleanCount
    numberCount += other.numberCount
    stringCount += other.stringCount
    objectCount += other.objectCount
    arrayCount += other.arrayCount
    scalars.formUnion(other.scalars)
    emptyObjectCount += other.emptyObjectCount
    emptyArrayCount += other.emptyArrayCount
    elementCount += other.elementCount
    singleCount += other.singleCount
    emptyStringCount += other.emptyStringCount
    hasRepeatedElements = hasRepeatedElements || other.hasRepeatedElements
    isTruncated = isTruncated || other.isTruncated
    if other.firstContent != 0 {
      note(content: other.firstContent)
      hasSeveralContents = hasSeveralContents || other.hasSeveralContents
    }
    if other.isIdentityRuledOut {
      ruleOutIdentity()
    } else if !isIdentityRuledOut, let sample = other.identity {
      if identity == nil { identity = sample } else { identity?.formUnion(sample) }
    }
    variants.merge(other.variants, uniquingKeysWith: +)
    outerVariants.merge(other.outerVariants, uniquingKeysWith: +)
    formUnion(rowsOf: other, isDeep: isDeep)
    if let theirs = other.element { makeElement().formUnion(theirs, isDeep: isDeep) }
    if isDeep { formUnion(membersOf: other) { $0.formUnion($1, isDeep: true) } }
  }

  /// Adds the columns of another place's rows; where the arrays of one place are no rows, neither are the others.
  private func formUnion(rowsOf other: Shape, isDeep: Bool) {
    guard let theirs = other.rows else {
      if rows != nil, other.arrayCount > other.emptyArrayCount { dissolveRows() }
      return
    }
    if rows == nil, element == nil, !areRowsRuledOut { rows = RowColumns() }
    rows?.formUnion(theirs, isDeep: isDeep)
    if rows == nil {
      let list = Shape()
      list.rows = theirs
      list.dissolveRows()
      if let element = list.element { makeElement().formUnion(element, isDeep: isDeep) }
    }
  }

  /// Adds the members of another place's objects.
  ///
  /// - Parameters:
  ///   - other: The other place.
  ///   - merge: Adds the statistics of the other place to a member's shape.
  func formUnion(membersOf other: Shape, _ merge: (Shape, Shape) -> Void) {
    for (hash, tag) in other.tags { formUnion(tag, hash) }
    for (pair, sample) in other.pairs { pairs[number(of: pair)].sample.formUnion(sample) }
    // A fixed key at one place is a fixed key at the other.
    var fixed: Set<UInt64> = []
    if eachMember != nil { fixed.formUnion(members.map(\.hash)) }
    if other.eachMember != nil { fixed.formUnion(other.members.map(\.hash)) }
    if eachMember != nil || other.eachMember != nil {
      foldMembers { !fixed.contains($0.hash) }
      guard let each = eachMember else { return }
      if let theirs = other.eachMember {
        keys.formUnion(other.keys)
        keyIdentity.formUnion(other.keyIdentity)
        merge(each, theirs)
      }
      for member in other.members where !fixed.contains(member.hash) {
        member.key.withBorrowedUTF8 { keys.note(string: $0, member.hash) }
        merge(each, member.shape)
      }
    }
    for member in other.members where eachMember == nil || fixed.contains(member.hash) {
      if let mine = self.member(member.hash) {
        merge(mine, member.shape)
      } else {
        let shape = Shape(member.name)
        append(Member(member.name, shape))
        merge(shape, member.shape)
      }
    }
    if eachMember == nil, members.count > Self.memberLimit { foldMembersAtLimit() }
  }

  private func formUnion(_ tag: Tag, _ hash: UInt64) {
    var merged = tags[hash] ?? Tag(key: tag.key)
    if let values = tag.values {
      merged.values?.merge(values) { ($0.text, $0.count + $1.count) }
    } else {
      merged.values = nil
    }
    if merged.values?.count ?? 0 > Tag.valueLimit { merged.values = nil }
    tags[hash] = merged
  }
}
