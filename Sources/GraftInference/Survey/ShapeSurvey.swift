// The steps of reading {"id": 7, "user": {"id": 3, "name": "Ann"}}:
//
//   {        the object at the place $ is open
//   "id"     the member `id` of $ is the current one
//   7        $.id has one more number; its fingerprint is kept with the open object
//   "user" { the object at $.user is open
//   …
//   }        the object's content is the sum of its members' fingerprints, whatever their order; $.user.id
//            notes that 3 means that content, which is kept with the object at $ as that of `user`
//   }        the same for $
//
// Nulls count for nothing in a content: an object that lacks a key and one that has null there are the
// same.
//
// Raw memory: open containers refer to their places without counting references, which was a third of the
// time; see `BorrowedPlace`. What is touched for each value is not checked for exclusive access: an event is
// handled from its start to its end before the next one.

import Graft

/// Builds the tree of a document's places from its events.
///
/// - Complexity: O(1) for each event; the end of an object is O(*n*) in the number of its members.
///   Memory is O(*n*) in the number of places, at most `placeLimit`.
final class ShapeSurvey: EventReceiver {
  /// The most places that are distinguished; further ones are not read.
  private let placeLimit: Int
  /// The most bytes of a string that may be an identity.
  private static let identityBytes = 256
  /// The most members that may be the identity of an object.
  private static let candidateLimit = 64
  /// The most objects of a place that are searched for an identity of two members.
  private static let pairObjectLimit = 4096
  /// The most elements of one array that are searched for repetitions.
  private static let repetitionLimit = 4096

  /// An open container.
  private struct OpenContainer {
    let place: BorrowedPlace<Shape>
    let isArray: Bool
    /// The numbers of open members, inner members and elements that belong to the containers around
    /// this one.
    let firstMember: Int
    let firstInner: Int
    let firstElement: Int
    var content: UInt64 = 0
    var count = 0
    /// The number of the current member; −1 where it is not followed.
    var member = -1
    var key: UInt64 = 0
    /// The kind of the deepest array inside, for tagged unions.
    var innerKind = Shape.Kind.emptyArray
    /// The place of the next value; nil where it is not followed, or not known yet.
    var current: BorrowedPlace<Shape>?
    /// Whether the keys are data.
    var isDictionary = false
    /// Whether a member may be a tag.
    var hasTags = false
    /// Whether a member may say more about its identity.
    var hasCandidate = false
    /// Whether each position of the array has a place of its own.
    var isRow = false

    init(
      _ shape: Shape, isArray: Bool, firstMember: Int, firstInner: Int, firstElement: Int
    ) {
      place = BorrowedPlace(shape)
      self.isArray = isArray
      self.firstMember = firstMember
      self.firstInner = firstInner
      self.firstElement = firstElement
      if isArray {
        current = shape.element.map(BorrowedPlace.init)
      } else {
        current = shape.eachMember.map(BorrowedPlace.init)
        isDictionary = current != nil
        hasTags = !shape.tags.isEmpty
      }
    }
  }

  /// A member of an open object.
  private struct OpenMember {
    let place: BorrowedPlace<Shape>
    /// The number of the member in the object's place.
    var number: Int32
    var kind: Shape.Kind
    var key: UInt64
    /// The fingerprint of the value; 0 for null.
    var content: UInt64
    /// The fingerprint of a string or number by its text; 0 for other values.
    var value: UInt64
  }

  /// A member of an object that has ended, and is itself a member of an open object.
  private struct InnerMember {
    var outer: Int32
    var inner: Int32
    var kind: Shape.Kind
  }

  /// The place of the document itself.
  let root: Shape
  private(set) var placeCount: Int
  /// Whether something was skipped because of the limit of places.
  private(set) var isTruncated = false
  /// The names of all members.
  private var names: ContiguousArray<MemberName> = []
  private var nameNumbers = FingerprintIndex()
  /// A container whose only element is the document.
  private let envelope = Shape()
  @safe @exclusivity(unchecked) private var top: OpenContainer
  /// The containers around the open one, as far as ``depth`` goes; the others have ended.
  @safe @exclusivity(unchecked) private var ancestors: ContiguousArray<OpenContainer> = []
  @safe @exclusivity(unchecked) private var depth = 0
  @safe @exclusivity(unchecked) private var openMembers: ContiguousArray<OpenMember> = []
  @safe @exclusivity(unchecked) private var innerMembers: ContiguousArray<InnerMember> = []
  @safe @exclusivity(unchecked) private var elements: ContiguousArray<UInt64> = []
  /// The tags of open objects: how deep the object is, the key, and the value.
  private var tags: ContiguousArray<(depth: Int, key: UInt64, value: UInt64)> = []
  /// The number of open containers inside a value that is not followed.
  @safe @exclusivity(unchecked) private var skippedDepth = 0

  /// Creates a survey without events.
  ///
  /// - Parameters:
  ///   - knownPlaces: The number of places that the surveys before this one have found.
  ///   - placeLimit: The most places that are distinguished, including the known ones.
  init(knownPlaces: Int = 0, placeLimit: Int) {
    placeCount = knownPlaces + 1
    self.placeLimit = placeLimit
    root = envelope.makeElement()
    top = OpenContainer(envelope, isArray: true, firstMember: 0, firstInner: 0, firstElement: 0)
  }

  // MARK: Scalars

  func null() {
    guard let place = place() else { return }
    place { $0.nullCount &+= 1 }
    deliver(place, 0, value: 0, .null)
  }

  func boolean(_ value: Bool) {
    guard let place = place() else { return }
    let content: UInt64 = value ? 0x7275_7274 : 0x736c_6166
    place { shape in
      shape.booleanCount &+= 1
      shape.note(content: content)
    }
    deliver(place, content, value: 0, .boolean)
  }

  func number(_ bytes: BorrowedBuffer<UInt8>) {
    guard let place = place() else { return }
    let value = Fingerprint.of(bytes)
    let content = Fingerprint.mix(value, 0x6e)
    place { shape in
      shape.numberCount &+= 1
      shape.scalars.note(number: bytes, value)
      shape.note(content: content)
    }
    deliver(place, content, value: value, .number)
  }

  func string(_ bytes: BorrowedBuffer<UInt8>) {
    guard let place = place() else { return }
    let value = Fingerprint.of(bytes)
    let content = Self.content(ofString: value)
    place { shape in
      shape.stringCount &+= 1
      shape.scalars.note(string: bytes, value)
      shape.note(content: content)
    }
    if top.hasTags { note(tag: bytes, value) }
    let isShort = bytes.count <= Self.identityBytes && bytes.count > 0
    deliver(place, content, value: isShort ? value : 0, .string)
  }

  /// Returns the content of a string, by the fingerprint of its text; a number of the same text has
  /// another content.
  @inline(__always)
  static func content(ofString value: UInt64) -> UInt64 { Fingerprint.mix(value, 0x73) }

  /// Returns the content of an array with one string, by the fingerprint of its text.
  static func content(ofListOf value: UInt64) -> UInt64 {
    content(ofArray: content(after: 0, content(ofString: value)))
  }

  /// Returns the content of an open array after one more element.
  @inline(__always)
  private static func content(after elements: UInt64, _ element: UInt64) -> UInt64 {
    Fingerprint.mix(elements ^ element, 0x65)
  }

  /// Returns the content of an array that has ended.
  @inline(__always)
  private static func content(ofArray elements: UInt64) -> UInt64 {
    Fingerprint.mix(elements, 0x61) | 1
  }

  // MARK: Containers

  func key(_ bytes: BorrowedBuffer<UInt8>) {
    guard skippedDepth == 0 else { return }
    let hash = Fingerprint.of(bytes)
    top.key = hash
    if top.isDictionary {
      enter(bytes, hash)
      return
    }
    // Documents repeat their order: the next member is usually the one after the last.
    let expected = top.member &+ 1
    let isFound = top.place { shape in
      guard expected < shape.members.count, shape.members[expected].hash == hash else {
        return false
      }
      top.current = BorrowedPlace(shape.members[expected].shape)
      return true
    }
    if isFound { top.member = expected } else { find(bytes, hash) }
  }

  /// Makes the value under a key of a dictionary the current one.
  private func enter(_ bytes: BorrowedBuffer<UInt8>, _ hash: UInt64) {
    top.place { shape in
      if !shape.members.isEmpty {
        let fixed = shape.member(hash)
        top.current = (fixed ?? shape.eachMember).map(BorrowedPlace.init)
        if fixed != nil { return }
      }
      shape.note(key: bytes, hash)
    }
  }

  /// Makes the member with a key the current one, at any position.
  @inline(never)
  private func find(_ bytes: BorrowedBuffer<UInt8>, _ hash: UInt64) {
    top.place { shape in
      top.member = shape.number(of: hash) ?? add(bytes, hash, to: shape)
      if !top.isDictionary {
        top.current = top.member < 0 ? nil : BorrowedPlace(shape.members[top.member].shape)
      }
    }
  }

  private func add(_ bytes: BorrowedBuffer<UInt8>, _ hash: UInt64, to shape: Shape) -> Int {
    if shape.members.count >= Shape.memberLimit {
      placeCount -= shape.members.count
      shape.foldMembersAtLimit()
      placeCount += shape.members.count
      openMembers.removeSubrange(top.firstMember...)
      shape.note(key: bytes, hash)
      top.isDictionary = true
      top.hasTags = false
      top.current = shape.eachMember.map(BorrowedPlace.init)
      return 0
    }
    let name = name(bytes, hash)
    guard let child = makeShape(name) else {
      shape.isTruncated = true
      isTruncated = true
      return -1
    }
    if name.isTag {
      shape.tags[hash] = Shape.Tag(key: name.key)
      top.hasTags = true
    }
    if shape.members.count >= Self.candidateLimit { child.ruleOutIdentity() }
    return shape.append(Shape.Member(name, child))
  }

  /// Returns the name with a key, the same one at all places.
  private func name(_ bytes: BorrowedBuffer<UInt8>, _ hash: UInt64) -> MemberName {
    if let number = nameNumbers[hash] { return names[number] }
    let name = MemberName(String(decoding: bytes, as: UTF8.self), hash)
    nameNumbers.insert(hash, names.count)
    names.append(name)
    return name
  }

  private func makeShape(_ name: MemberName) -> Shape? {
    // The keys of the outermost objects are always distinguished; they are a few hundred at most.
    let isOutermost = depth == 1 || depth == 2 && ancestors[1].isArray
    guard placeCount < placeLimit || isOutermost else { return nil }
    placeCount += 1
    return Shape(name)
  }

  func startObject() {
    guard let place = place() else { return skip() }
    place { shape in
      shape.objectCount &+= 1
      push(shape, isArray: false)
    }
  }

  func startArray() {
    guard let place = place() else { return skip() }
    place { shape in
      shape.noteArray()
      push(shape, isArray: true)
    }
  }

  func endObject() {
    guard skippedDepth == 0 else { return leave() }
    let container = top
    let content = Fingerprint.mix(container.content, 0x6f) | 1
    container.place { shape in
      if container.count == 0 { shape.emptyObjectCount &+= 1 }
      if !container.isDictionary {
        noteIdentities(of: container, shape, content)
        if container.hasTags { noteVariants(of: container, shape) }
      }
      shape.note(content: content)
    }
    // {"_id": {"$oid": "5f1c…"}, …}: a value in an object of its own may be an identity.
    let isAlone = container.count == 1 && openMembers.count == container.firstMember + 1
    let value = isAlone ? openMembers[container.firstMember].value : 0
    moveMembersOutward(from: container)
    pop()
    deliver(container.place, content, value: value, .object)
  }

  func endArray() {
    guard skippedDepth == 0 else { return leave() }
    let container = top
    let content = Self.content(ofArray: container.content)
    container.place { shape in
      shape.elementCount &+= container.count
      if container.count == 0 {
        shape.emptyArrayCount &+= 1
      } else if !shape.hasRepeatedElements, container.count > 1 {
        shape.hasRepeatedElements = hasRepetition(from: container.firstElement)
      }
      shape.note(content: content)
    }
    elements.removeLast(elements.count - container.firstElement)
    if container.isRow { endRow(container) }
    pop()
    let kind: Shape.Kind =
      switch container.innerKind {
      case .emptyArray where container.count == 0: .emptyArray
      case .array: .arrayOfArrays
      case .arrayOfArrays, .deepArray: .deepArray
      default: .array
      }
    deliver(container.place, content, value: 0, kind)
  }

  private func push(_ shape: Shape, isArray: Bool) {
    // The envelope of the document is no array, and a row in a row is a list.
    let isRow =
      isArray && top.isArray && !top.isRow && !shape.areRowsRuledOut && depth > 0
    if depth < ancestors.count { ancestors[depth] = top } else { ancestors.append(top) }
    depth += 1
    top = OpenContainer(
      shape, isArray: isArray, firstMember: openMembers.count, firstInner: innerMembers.count,
      firstElement: elements.count)
    guard isRow else { return }
    top.isRow = true
    top.current = nil
    if shape.rows == nil { shape.rows = RowColumns() }
  }

  /// Notes that a row has ended, and decides whether arrays inside a document are rows.
  private func endRow(_ container: OpenContainer) {
    let isOutermost = depth == 2
    container.place { shape in
      shape.rows?.endRow(ofLength: container.count)
      guard let rows = shape.rows, !isOutermost, rows.count == RowColumns.trialCount, rows.areAlike
      else { return }
      shape.dissolveRows()
    }
  }

  private func pop() {
    depth -= 1
    top = ancestors[depth]
  }

  private func skip() { skippedDepth += 1 }

  private func leave() { skippedDepth -= 1 }

  /// Returns the place of the value that begins; nil where it is not followed.
  @inline(__always)
  private func place() -> BorrowedPlace<Shape>? {
    guard skippedDepth == 0 else { return nil }
    if let current = top.current { return current }
    return top.isArray ? makeElement() : nil
  }

  /// Makes the place of an array's elements, for the first of them.
  @inline(never)
  private func makeElement() -> BorrowedPlace<Shape>? {
    if top.isRow {
      if let column = top.place({ $0.rows?.column(top.count) }) { return BorrowedPlace(column) }
      top.isRow = false
      top.place { $0.dissolveRows() }
      if let element = top.place({ $0.element }) {
        let place = BorrowedPlace(element)
        top.current = place
        return place
      }
    }
    guard placeCount < placeLimit else {
      top.place { $0.isTruncated = true }
      isTruncated = true
      return nil
    }
    placeCount += 1
    let element = top.place { BorrowedPlace($0.makeElement()) }
    top.current = element
    return element
  }

  /// Passes a value to the container around it.
  @inline(__always)
  private func deliver(
    _ place: BorrowedPlace<Shape>, _ content: UInt64, value: UInt64, _ kind: Shape.Kind
  ) {
    top.count &+= 1
    if top.isArray {
      top.content = Self.content(after: top.content, content)
      if kind.rawValue > top.innerKind.rawValue { top.innerKind = kind }
      let isCompared = top.place { !$0.hasRepeatedElements }
      if isCompared, elements.count - top.firstElement < Self.repetitionLimit {
        elements.append(content)
      }
      return
    }
    if content != 0 { top.content &+= Fingerprint.mix(top.key, content) }
    if top.isDictionary {
      top.place { shape in
        let isFixed = !shape.members.isEmpty && shape.member(top.key) != nil
        if !isFixed, !shape.keyIdentity.skips(top.key) {
          shape.keyIdentity.insert(top.key, content: content) { [] }
        }
      }
    } else if top.member >= 0 {
      if value != 0, place({ $0.mayNoteIdentity(value) }) { top.hasCandidate = true }
      openMembers.append(
        OpenMember(
          place: place, number: Int32(truncatingIfNeeded: top.member), kind: kind, key: top.key,
          content: content, value: value))
    }
  }

  private func hasRepetition(from first: Int) -> Bool {
    let count = elements.count - first
    if count <= 12 {
      for index in first..<elements.count {
        for other in first..<index where elements[other] == elements[index] { return true }
      }
      return false
    }
    let sorted = elements[first...].sorted()
    return zip(sorted, sorted.dropFirst()).contains { $0 == $1 }
  }

  // MARK: Objects

  /// Notes for each string and number of an object that it means this object.
  private func noteIdentities(of container: OpenContainer, _ shape: Shape, _ content: UInt64) {
    // All samples of an object share one list of its members, which most objects do not need.
    var known: ContiguousArray<IdentitySample.Member>?
    func members() -> ContiguousArray<IdentitySample.Member> {
      if let known { return known }
      let members = self.members(of: container)
      known = members
      return members
    }
    if container.hasCandidate {
      for index in container.firstMember..<openMembers.count where openMembers[index].value != 0 {
        let value = openMembers[index].value
        openMembers[index].place { $0.noteIdentity(value, content: content, members: members) }
      }
    }
    if shape.parts.count > 1, shape.objectCount <= Self.pairObjectLimit {
      notePairs(of: container, shape, content, members: members)
    }
  }

  private func members(of container: OpenContainer) -> ContiguousArray<IdentitySample.Member> {
    var members: ContiguousArray<IdentitySample.Member> = []
    for member in openMembers[container.firstMember...] {
      members.append(IdentitySample.Member(key: member.key, content: member.content))
    }
    return IdentitySample.sorted(members)
  }

  /// Notes for each two strings or numbers of an object that together they mean this object.
  @inline(never)
  private func notePairs(
    of container: OpenContainer, _ shape: Shape, _ content: UInt64,
    members: () -> ContiguousArray<IdentitySample.Member>
  ) {
    let parts = shape.parts
    let found = openMembers[container.firstMember...].filter { member in
      member.value != 0 && parts.contains(Int(member.number))
    }
    for (index, one) in found.enumerated() {
      for other in found.dropFirst(index + 1) {
        let pair = Shape.Pair(one.key, other.key)
        let isInOrder = pair.first == one.key
        let value = Fingerprint.mix(
          isInOrder ? one.value : other.value, isInOrder ? other.value : one.value)
        shape.notePair(pair, value, content: content, members: members)
      }
    }
  }

  /// Notes the value of a tag of the open object.
  @inline(never)
  private func note(tag bytes: BorrowedBuffer<UInt8>, _ value: UInt64) {
    let key = top.key
    top.place { shape in
      guard shape.tags[key]?.values != nil else { return }
      if shape.tags[key]?.values?[value] == nil {
        let text = String(decoding: bytes.prefix(100), as: UTF8.self)
        shape.tags[key]?.values?[value] = (text, 0)
        if shape.tags[key]?.values?.count ?? 0 > Shape.Tag.valueLimit {
          shape.tags[key]?.values = nil
          return
        }
      }
      shape.tags[key]?.values?[value]?.count += 1
      tags.append((depth, key, value))
    }
  }

  /// Notes the tags with which each member of an object, and of its member objects, occurs.
  private func noteVariants(of container: OpenContainer, _ shape: Shape) {
    while let tag = tags.last, tag.depth >= depth {
      tags.removeLast()
      guard tag.depth == depth, shape.tags[tag.key] != nil else { continue }
      for member in openMembers[container.firstMember...] {
        let variant = Shape.Variant(tag: tag.key, value: tag.value, kind: member.kind)
        member.place { $0.variants[variant, default: 0] += 1 }
      }
      for member in innerMembers[container.firstInner...] {
        let variant = Shape.Variant(tag: tag.key, value: tag.value, kind: member.kind)
        let outer = shape.members[Int(member.outer)].shape
        guard outer.members.indices.contains(Int(member.inner)) else { continue }
        outer.members[Int(member.inner)].shape.outerVariants[variant, default: 0] += 1
      }
    }
  }

  /// Ends the members of an object, and keeps them as inner members of the object around it.
  private func moveMembersOutward(from container: OpenContainer) {
    innerMembers.removeLast(innerMembers.count - container.firstInner)
    let outer = ancestors[depth - 1]
    if !outer.isArray, outer.member >= 0, !outer.isDictionary, !container.isDictionary {
      for member in openMembers[container.firstMember...] {
        innerMembers.append(
          InnerMember(
            outer: Int32(truncatingIfNeeded: outer.member), inner: member.number, kind: member.kind)
        )
      }
    }
    openMembers.removeLast(openMembers.count - container.firstMember)
  }
}
