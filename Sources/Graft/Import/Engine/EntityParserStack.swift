// One entity parser for each open object, the innermost on top: the stack of delegates.
//
//   {"statuses": [{"id": 1, "user": {"name": "Ann", …
//
//   EntityParser(User)     pending: name = "Ann"
//   EntityParser(Tweet)    pending: id = 1
//   EntityParser(document)
//
// The tweet's parser hands off to a child parser at the beginning of `user`. At its end, the engine has
// the user found or inserted (`ObjectMerger`), and the stack hands the object back: the tweet's
// parser gets the pending value `author → User/1`.
//
// Raw memory. Invariants:
// - Pending values of all parsers share one stack, those of inner parsers above. With a path such as
//   `entities.hashtags` an inner position may read a value for an outer parser: `levelsUp` says how many
//   parsers above the innermost. The parsers between are marked (`sharesValues`), and their end moves such
//   values down instead of dropping them.
// - Bytes of pending values are positions in one stack of bytes, since the stack moves as it grows.
// - Access is unchecked for the reason given in ImportEngine.swift.

/// The open entity parsers and the values that wait for their ends.
final class EntityParserStack {
  @safe @exclusivity(unchecked) private var parsers = RawStack<EntityParser>()
  @safe @exclusivity(unchecked) private var values = RawStack<PendingValue>(capacity: 256)
  @safe @exclusivity(unchecked) private var bytes = RawStack<UInt8>(capacity: 4096)
  /// Objects without identity inside the open objects, and the stubs of identifiers in them.
  ///
  /// They are removed if their owner is skipped. A stub is there once for each identifier that names it.
  @safe @exclusivity(unchecked) private(set) var anonymous = RawStack<ObjectID>()
  /// The number of further identifiers in the outermost open object that name a stub, less those of skipped objects.
  ///
  /// The identifier for which a stub was made is not counted, so that the number is -1 if all belong to skipped objects.
  @safe @exclusivity(unchecked) private var namedAgain: [ObjectID: Int] = [:]
  /// The objects that have taken the place of stubs in the outermost open object.
  @safe @exclusivity(unchecked) private var replacements: [ObjectID: ObjectID] = [:]
  /// The errors and notices about values of attributes with several paths, until it is known which path counts.
  @safe @exclusivity(unchecked) private var remarks: [ImportError?] = []

  /// The objects that wait for an enclosing one; each stays until its outermost receiver has ended.
  @safe @exclusivity(unchecked) private var waitingObjects: [WaitingObject] = []

  /// Creates a stack with the document's parser.
  init() {
    parsers.push(
      EntityParser(
        entity: -1, handOff: -1, parent: -1, depth: 0, firstValue: 0, firstByte: 0,
        firstAnonymous: 0, sharesValues: true))
  }

  /// The innermost parser.
  @inline(__always)
  var top: EntityParser {
    get { parsers.top }
    _modify { yield &parsers.top }
  }

  /// Whether no object is open.
  var isAtDocument: Bool { parsers.count == 1 }

  /// Whether the innermost parser's object is one of a root.
  var isAtRootObject: Bool { parsers.count == 2 }

  /// The index of the innermost parser, which is 0 for the document.
  var topIndex: Int32 { index(levelsUp: 0) }

  /// Returns the index of the parser that is a number of levels above the innermost.
  @inline(__always)
  func index(levelsUp: Int32) -> Int32 {
    Int32(truncatingIfNeeded: parsers.count) &- 1 &- levelsUp
  }

  /// The parser of an index.
  @inline(__always)
  subscript(index: Int32) -> EntityParser {
    get { parsers[Int(index)] }
    _modify { yield &parsers[Int(index)] }
  }

  // MARK: Hand-off and hand-back

  /// Pushes the parser of a child object.
  ///
  /// - Parameters:
  ///   - entity: The number of the child's entity.
  ///   - number: The number of the `HandOff` in the plan.
  ///   - parent: The index of the parser that hands off.
  ///   - depth: The number of open containers, the child's own included; 0 for a scalar.
  ///   - sharesValues: Whether other objects are read from the same JSON object.
  ///   - isSkipped: Whether the object is read only to see which others it mentions.
  func handOff(
    to entity: Int32, number: Int32, from parent: Int32, depth: Int32, sharesValues: Bool,
    isSkipped: Bool
  ) {
    parsers.push(
      EntityParser(
        entity: entity, handOff: number, parent: parent, depth: depth, firstValue: values.count,
        firstByte: bytes.count, firstAnonymous: anonymous.count, sharesValues: sharesValues,
        isSkipped: isSkipped))
  }

  /// Takes the innermost parser off the stack, with its pending values; those of others stay.
  func pop() {
    let parser = top
    let index = topIndex
    if parser.sharesValues {
      var kept = parser.firstValue
      for position in parser.firstValue..<values.count where values[position].parser != index {
        values[kept] = values[position]
        kept += 1
      }
      values.truncate(to: kept)
      if kept == parser.firstValue { bytes.truncate(to: parser.firstByte) }
    } else {
      values.truncate(to: parser.firstValue)
      bytes.truncate(to: parser.firstByte)
    }
    _ = parsers.pop()
    while let last = remarks.last, last == nil { remarks.removeLast() }
    if index == 1 {
      anonymous.truncate(to: 0)
      if !remarks.isEmpty { remarks = [] }
      if !namedAgain.isEmpty { namedAgain = [:] }
      if !replacements.isEmpty { replacements = [:] }
    }
  }

  /// Hands a finished object to a parser whose relationship leads to it.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - target: The relationship that gets it.
  ///   - child: The object's parser, which has left the stack.
  func handBack(_ object: ObjectID, to target: HandBack, from child: EntityParser) {
    let levelsUp = topIndex - (child.parent - target.levelsUp)
    push(
      target.kind == .toOne ? .toOne : .element, number: target.number, pathIndex: target.pathIndex,
      bits: object.rawValue, levelsUp: levelsUp)
  }

  /// Notes that the object of a relationship was dropped, so that its key does not count as absent.
  ///
  /// - Parameters:
  ///   - target: The relationship.
  ///   - child: The object's parser, which has left the stack.
  ///   - givesWay: Whether a value at another path of the relationship counts in its place.
  ///   - plan: The plan.
  func noteDropped(
    for target: HandBack, from child: EntityParser, givesWay: Bool, in plan: ImportPlan
  ) {
    guard target.kind == .toOne else { return }
    notePresence(
      of: plan.properties[Int(target.property)], at: givesWay ? .max : target.pathIndex,
      levelsUp: topIndex - (child.parent - target.levelsUp), in: plan)
  }

  // MARK: Pending values

  /// The pending values of the innermost parser.
  @inline(__always)
  var ownValues: PendingValues {
    let first = top.firstValue
    return unsafe PendingValues(
      first: PendingValuePlace(address: values.address(of: first)), count: values.count - first,
      parser: topIndex)
  }

  /// All pending values since the innermost parser began that belong to others.
  var foreignValues: [PendingValue] {
    let index = topIndex
    return (top.firstValue..<values.count).map { values[$0] }.filter { $0.parser != index }
  }

  /// Keeps a value until the object that it belongs to ends.
  ///
  /// - Parameters:
  ///   - kind: The kind of the pending value.
  ///   - number: The number of the property.
  ///   - pathIndex: The index of the property's path at which it was found.
  ///   - bits: The value, or where its bytes are.
  ///   - count: The number of its bytes.
  ///   - levelsUp: The number of parsers from the innermost up to its owner.
  ///   - isIdentity: Whether the property is part of the identity.
  @inline(__always)
  func push(
    _ kind: PendingValue.Kind, number: Int32, pathIndex: UInt8, bits: UInt64 = 0, count: Int = 0,
    levelsUp: Int32, isIdentity: Bool = false
  ) {
    if levelsUp != 0 { markShared(levelsUp) }
    values.push(
      PendingValue(
        kind: kind, pathIndex: pathIndex, isIdentity: isIdentity, number: number,
        parser: index(levelsUp: levelsUp),
        count: UInt32(truncatingIfNeeded: count), bits: bits))
  }

  /// Keeps a value of a column until its object ends.
  @inline(__always)
  func push(
    _ value: RawValue, number: Int32, pathIndex: UInt8, levelsUp: Int32, isIdentity: Bool = false
  ) {
    if value.hasBytes {
      pushBytes(
        value.bytes, number: number, pathIndex: pathIndex, levelsUp: levelsUp,
        isIdentity: isIdentity)
    } else {
      push(
        value.isNull ? .null : .word, number: number, pathIndex: pathIndex, bits: value.bits,
        levelsUp: levelsUp,
        isIdentity: isIdentity)
    }
  }

  /// Keeps a string or bytes until its object ends.
  @inline(__always)
  func pushBytes(
    _ text: BorrowedBuffer<UInt8>, number: Int32, pathIndex: UInt8, levelsUp: Int32,
    isIdentity: Bool
  ) {
    let position = bytes.push(text)
    push(
      .bytes, number: number, pathIndex: pathIndex, bits: UInt64(truncatingIfNeeded: position),
      count: text.count, levelsUp: levelsUp, isIdentity: isIdentity)
  }

  /// Marks the parsers above one, because values of other parsers are between their own.
  private func markShared(_ levelsUp: Int32) {
    for index in index(levelsUp: levelsUp - 1)...topIndex { self[index].sharesValues = true }
  }

  /// Returns a pending value as columns take it; its bytes are borrowed from the stack.
  @inline(__always)
  func rawValue(of value: PendingValue) -> RawValue {
    switch value.kind {
    case .word:
      return .word(value.bits)
    case .bytes:
      let start = Int(truncatingIfNeeded: value.bits)
      return .bytes(bytes.elements(from: start, count: Int(value.count)))
    default: return .null
    }
  }

  /// Notes that a required attribute has a value.
  @inline(__always)
  func noteRequired(_ bit: UInt64, levelsUp: Int32) {
    guard bit != 0 else { return }
    self[index(levelsUp: levelsUp)].requiredSeen |= bit
  }

  /// Notes that the key of a property was present although its value has no effect, so that the
  /// property does not count as absent.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - pathIndex: The index of the property's path at which the value was found; for a value that
  ///     any other path's value overrides, the greatest number.
  ///   - levelsUp: The number of parsers from the innermost up to the object.
  ///   - plan: The plan.
  func notePresence(
    of property: PropertyPlan, at pathIndex: UInt8, levelsUp: Int32, in plan: ImportPlan
  ) {
    let index = index(levelsUp: levelsUp)
    guard index > 0 else { return }
    let entity = plan.entities[Int(self[index].entity)]
    guard entity.needsPresence || entity.hasAlternatives else { return }
    let name = property.name
    if let attribute = entity.schema.attributeNumber(named: name) {
      push(.presentAttribute, number: Int32(attribute), pathIndex: pathIndex, levelsUp: levelsUp)
    } else if let relationship = entity.schema.relationshipNumber(named: name) {
      push(
        .presentRelationship, number: Int32(relationship), pathIndex: pathIndex, levelsUp: levelsUp)
    }
  }

  /// Marks an object that will not be imported; does nothing for the document.
  func skip(_ index: Int32) {
    if index > 0 { self[index].isSkipped = true }
  }

  /// Returns whether a relationship has a value that was found at an earlier one of its paths.
  func hasRelationship(_ number: Int32, before pathIndex: UInt8, of parser: Int32) -> Bool {
    guard pathIndex > 0 else { return false }
    return (self[parser].firstValue..<values.count).contains { position in
      let value = values[position]
      return value.parser == parser && value.number == number && value.pathIndex < pathIndex
        && !value.kind.isAttribute
    }
  }

  // MARK: Values that cannot be read

  /// Keeps an error, or a notice, about a value at one of an attribute's several paths until the object ends, since
  /// there may be a value at an earlier path.
  func pushRemark(
    _ kind: PendingValue.Kind, _ error: ImportError, number: Int32, pathIndex: UInt8,
    levelsUp: Int32
  ) {
    push(
      kind, number: number, pathIndex: pathIndex, bits: UInt64(remarks.count), levelsUp: levelsUp)
    remarks.append(error)
  }

  /// Takes the error of a value, or the notice about one.
  func takeRemark(_ value: PendingValue) -> ImportError? {
    let index = Int(value.bits)
    guard index < remarks.count else { return nil }
    defer { remarks[index] = nil }
    return remarks[index]
  }

  // MARK: Objects that wait for the one around them

  /// Whether any object waits for an enclosing one.
  var hasWaitingObjects: Bool { !waitingObjects.isEmpty }

  /// Keeps the innermost parser's object, which has ended, until an object that gets it is known.
  func wait(for targets: [HandBack], at place: (location: SourceLocation, path: String)) {
    top.isWaiting = true
    var object = WaitingObject(
      parser: top, anonymous: takeAnonymous(), place: place,
      receiver: targets.map { top.parent - $0.levelsUp }.min() ?? 0)
    for value in ownValues { object.values.append(value.pointee) }
    for index in object.values.indices where object.values[index].kind == .bytes {
      let text = rawValue(of: object.values[index]).bytes
      object.values[index].bits = UInt64(object.bytes.count)
      object.bytes.append(contentsOf: text)
    }
    // The objects that wait inside it now stay as long as it does.
    for index in waitingObjects.indices where waitingObjects[index].receiver >= topIndex {
      waitingObjects[index].receiver = object.receiver
    }
    for target in targets {
      push(
        .waiting, number: target.number, pathIndex: target.pathIndex,
        bits: UInt64(waitingObjects.count), levelsUp: topIndex - (top.parent - target.levelsUp))
    }
    waitingObjects.append(object)
  }

  /// Makes a waiting object the innermost one again, with its values; `pop()` ends it.
  func resume(_ number: Int) {
    var parser = waitingObjects[number].parser
    (parser.firstValue, parser.firstByte) = (values.count, bytes.count)
    (parser.firstAnonymous, parser.sharesValues) = (anonymous.count, false)
    parser.depth = ~Int32(number)
    parsers.push(parser)
    for var value in waitingObjects[number].values {
      value.parser = topIndex
      if value.kind == .bytes { value.bits += UInt64(parser.firstByte) }
      values.push(value)
    }
    for byte in waitingObjects[number].bytes { bytes.push(byte) }
    for object in waitingObjects[number].anonymous { anonymous.push(object) }
  }

  /// Notes the object that a waiting one has become, nil if it was skipped.
  func finish(_ number: Int, as object: ObjectID?) {
    waitingObjects[number].merged = .some(object)
    (waitingObjects[number].values, waitingObjects[number].bytes) = ([], [])
    waitingObjects[number].anonymous = []
  }

  /// Returns the object that a waiting one has become, nil within if it was skipped; nil if it still waits.
  func merged(_ number: Int) -> ObjectID?? { waitingObjects[number].merged }

  /// Returns whether an object around the innermost one gets a waiting object, too.
  func hasOuterReceiver(_ number: Int) -> Bool { waitingObjects[number].receiver < topIndex }

  /// Returns the place at which an object began that has waited.
  func placeOfWaiting(_ parser: EntityParser) -> (location: SourceLocation, path: String) {
    waitingObjects[Int(~parser.depth)].place
  }

  /// The objects that wait inside the innermost one, at any depth.
  var objectsWaitingInside: [WaitingObject] {
    guard hasWaitingObjects else { return [] }
    var found: [WaitingObject] = []
    var numbers = ownValues.compactMap(\.pointee.waitingObject)
    while let number = numbers.popLast() {
      found.append(waitingObjects[number])
      numbers += waitingObjects[number].values.compactMap(\.waitingObject)
    }
    return found
  }

  /// Drops the waiting objects that only the innermost one gets.
  func dropWaitingObjects() {
    while let last = waitingObjects.last, last.receiver >= topIndex { waitingObjects.removeLast() }
  }

  // MARK: Objects without identity

  /// Notes an object without identity, or a stub, which is removed if the object around it is skipped.
  func pushAnonymous(_ object: ObjectID) {
    anonymous.push(object)
  }

  /// Notes that another object has taken the place of a stub.
  func replaceAnonymous(_ stub: ObjectID, by object: ObjectID) {
    replacements[stub] = object
    if let count = namedAgain.removeValue(forKey: stub) { namedAgain[object] = count }
  }

  /// Notes that another identifier names a stub.
  ///
  /// - Parameters:
  ///   - stub: The stub.
  ///   - isRoot: Whether the identifier is an object of a root; otherwise it belongs to the innermost object.
  func noteNamedAgain(_ stub: ObjectID, isRoot: Bool) {
    namedAgain[stub, default: 0] += 1
    if !isRoot { anonymous.push(stub) }
  }

  /// Forgets an identifier of a skipped object that names a stub.
  func forgetNaming(of stub: ObjectID) { namedAgain[stub, default: 0] -= 1 }

  /// Returns whether an object that is not skipped so far names a stub.
  func isNamed(_ stub: ObjectID) -> Bool { namedAgain[stub, default: 0] >= 0 }

  /// Keeps the objects without identity that an imported object owns.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - isAnonymous: Whether the object has no identity itself; its contents are then removed together with it. An
  ///     object with an identity is on the stack too if it was a stub and refers to itself.
  func keepAnonymous(ownedBy object: ObjectID, isAnonymous: @autoclosure () -> Bool) {
    let first = top.firstAnonymous
    guard anonymous.count > first,
      replacements.end(of: anonymous.top) != object || !isAnonymous()
    else { return }
    anonymous.truncate(to: first)
  }

  /// Takes the objects without identity off the stack that came since the innermost parser began.
  func takeAnonymous() -> [ObjectID] {
    let first = top.firstAnonymous
    guard anonymous.count > first else { return [] }
    let objects = (first..<anonymous.count).map { replacements.end(of: anonymous[$0]) }
    anonymous.truncate(to: first)
    return objects
  }
}
