// Handles scalars at positions of the plan: values of attributes, identifiers that stand for
// objects, and `null` in place of either.

extension ImportEngine {
  /// Carries out the actions of a scalar at a position.
  func read(_ scalar: ScalarEvent, _ actions: Range32) throws(ImportStop) {
    for index in actions.indices { try read(scalar, plan.scalars[index]) }
  }

  /// Carries out the action of a scalar at a position.
  @inline(__always)
  private func read(_ scalar: ScalarEvent, _ action: ScalarAction) throws(ImportStop) {
    switch action {
    case .property(let action): try read(scalar, action)
    case .outer(let slot, let steps):
      try replaceOuterValue(.init(scalar), slot: Int(slot), steps: Int(steps))
    case .captured(let number): statistics.captured[Int(number)] = scalar.captured
    case .unread(let property): if !isNone(scalar) { keyWatcher.noteUnread(scalar, property) }
    case .inUnread: if scalar.kind != .null { keyWatcher.noteUnreadContainer() }
    }
  }

  /// Carries out the action of a scalar, or of its key or index, for one property.
  @inline(__always)
  private func read(_ scalar: ScalarEvent, _ action: PropertyAction) throws(ImportStop) {
    let value = action.isOwnValue ? scalar : self.scalar(of: action)
    switch action.effect {
    case .attribute: try readAttribute(value, action)
    case .toOne, .element, .rootElement: try readReference(value, action)
    case .toMany: try readToMany(value, action)
    case .container: try readContainer(value, action)
    case .root: try readRoot(value, action)
    case .object(let handOff, let isIdentity):
      try readObject(value, handOff, isIdentity: isIdentity, action)
    case .late(let node): try keepLate(value, at: node, action)
    }
  }

  /// Returns the value of a property that is not read from the current value: the value's key, its
  /// index, or a constant.
  func scalar(of action: PropertyAction) -> ScalarEvent {
    switch action.origin {
    case .key: scalar(ofKeyIn: source)
    case .index: converter.scalar(ofIndex: source.currentIndex)
    case .line: converter.scalar(ofIndex: lineOfDocument)
    case .constant(let number): converter.scalar(ofConstant: plan.constants[Int(number)])
    case .file: plan.fileName.map { converter.scalar(ofConstant: $0) } ?? .null
    case .value, .outer: .null
    }
  }

  /// Returns the key of a source's current value, as a scalar.
  func scalar(ofKeyIn source: any EventSource) -> ScalarEvent {
    source.currentKey.map { .string($0) } ?? .null
  }

  /// The line on which the current document begins.
  private var lineOfDocument: Int {
    position.depth > 0 ? source.location(ofContainerAt: 1).line : source.tokenLocation.line
  }

  // MARK: Attributes

  /// Keeps an attribute's value until its object ends.
  @inline(__always)
  func readAttribute(
    _ scalar: ScalarEvent, _ action: PropertyAction
  ) throws(ImportStop) {
    if scalar.kind == .null { return try readNull(action, found: scalar.described) }
    guard let value = converter.convert(scalar, action.conversion, action.property) else {
      return try reject(scalar, action)
    }
    if !keepConverted(value, action) { try readNull(action, found: scalar.described) }
  }

  /// Keeps a converted value until its object ends.
  ///
  /// - Returns: Whether it is a value, and not null.
  @inline(__always)
  func keepConverted(_ value: RawValue, _ action: PropertyAction) -> Bool {
    if action.conversion == .custom || action.conversion == .customUnwritten { keepNotice(action) }
    if value.isNull { return false }
    if value.hasBytes {
      keepBytes(value.bytes, action)
    } else {
      keepWord(value.bits, action)
    }
    return true
  }

  /// Keeps a number as an attribute's value until its object ends.
  ///
  /// - Returns: Whether it is of the attribute's own type; others take a conversion of the text.
  @inline(__always)
  func keepNumber(_ number: @autoclosure () -> NumberScan?, _ action: PropertyAction) -> Bool {
    let bits: UInt64
    switch action.conversion {
    case .integer64:
      guard let value = number()?.integer else { return false }
      bits = UInt64(bitPattern: value)
    case .integer32:
      guard let value = number()?.integer, Int64(Int32(truncatingIfNeeded: value)) == value else {
        return false
      }
      bits = UInt64(bitPattern: value)
    case .double:
      guard let value = number()?.double else { return false }
      bits = value.bitPattern
    default: return false
    }
    keepWord(bits, action)
    return true
  }

  @inline(__always)
  private func keepWord(_ bits: UInt64, _ action: PropertyAction) {
    parsers.noteRequired(action.requiredBit, levelsUp: action.levelsUp)
    parsers.push(
      .word, number: action.number, pathIndex: action.pathIndex, bits: bits,
      levelsUp: action.levelsUp, isIdentity: action.isIdentity)
  }

  /// Keeps a notice about an attribute's value until it is known which of its paths counts.
  private func keepNotice(_ action: PropertyAction) {
    guard let notice = converter.takeNotice() else { return }
    parsers.pushRemark(
      .notice, notice, number: action.number, pathIndex: action.pathIndex,
      levelsUp: action.levelsUp)
  }

  /// Keeps an attribute's string or bytes until its object ends.
  @inline(__always)
  func keepBytes(
    _ bytes: BorrowedBuffer<UInt8>, _ action: PropertyAction
  ) {
    parsers.noteRequired(action.requiredBit, levelsUp: action.levelsUp)
    parsers.pushBytes(
      bytes, number: action.number, pathIndex: action.pathIndex,
      levelsUp: action.levelsUp, isIdentity: action.isIdentity)
  }

  /// Applies `null`, or something else that is no value, to an attribute.
  @inline(__always)
  func readNull(
    _ action: PropertyAction, found: @autoclosure () -> String
  ) throws(ImportStop) {
    switch action.onNull {
    case .keep: notePresence(action)
    case .clear: keep(.null, action)
    case .default: keep(.default, action)
    case .error: try rejectNull(action, found: found())
    }
  }

  /// Refuses a scalar that cannot be converted.
  @inline(never)
  private func reject(
    _ scalar: ScalarEvent, _ action: PropertyAction
  ) throws(ImportStop) {
    try converter.reject(action, found: scalar.described)
  }

  // MARK: Relationships

  /// Reads an identifier that stands for an object.
  private func readReference(
    _ scalar: ScalarEvent, _ action: PropertyAction
  ) throws(ImportStop) {
    let isNone = isNone(scalar)
    if action.isWrapped {
      if isNone { return try readToMany(.null, action) }
      keep(.collection, action)
    }
    guard !isNone else {
      return try readNullReference(action, scalar, isToOne: action.isToOne)
    }
    // If the key of a member is its object's identity, another identity is an error.
    if action.isNamedByKey, source.currentKey.map({ !$0.elementsEqual(scalar.text) }) ?? false {
      return try rejectType(scalar, action)
    }
    switch try references.resolve(scalar, action) {
    case .object(let object): refer(to: object, action)
    case .stub(let stub):
      statistics.stubs.append(stub)
      refer(to: stub, action)
    case .deferred(let number): keep(.deferred, action, bits: UInt64(number))
    case .ignored:
      statistics.report.ignoredReferenceCount += 1
      noteIdentifier(action)
    case .refused: noteIdentifier(action)
    case .unidentifiable: break
    }
    if action.isRootElement { try saveIfDue() }
  }

  /// Links an object that an identifier names.
  private func refer(to object: ObjectID, _ action: PropertyAction) {
    guard !action.isRootElement else {
      return countRootObject(object, of: action.number)
    }
    keep(
      action.isToOne ? .toOne : .element, action, bits: object.rawValue,
      count: PendingValue.identifier)
  }

  /// Keeps a place for an identifier that names no object, so that its array still counts as an
  /// array of identifiers.
  private func noteIdentifier(_ action: PropertyAction) {
    if case .element = action.effect { keep(.element, action, count: PendingValue.identifier) }
  }

  /// Reads a `null` or an empty string where an object or its identifier belongs.
  private func readNullReference(
    _ action: PropertyAction, _ scalar: ScalarEvent, isToOne: Bool
  ) throws(ImportStop) {
    guard isToOne else {
      statistics.report.skippedNullCount += 1
      return
    }
    switch action.onNull {
    case .keep: notePresence(action)
    case .clear, .default: keep(.toOne, action)
    case .error: try rejectNull(action, found: scalar.described)
    }
  }

  /// Reads a scalar where the array of a to-many relationship belongs.
  private func readToMany(
    _ scalar: ScalarEvent, _ action: PropertyAction
  ) throws(ImportStop) {
    guard scalar.kind == .null else { return try rejectType(scalar, action) }
    switch action.onNull {
    case .keep: notePresence(action)
    case .clear, .default: keep(.collection, action, bits: PendingValue.emptied)
    case .error: try rejectNull(action, found: scalar.described)
    }
  }

  /// Reads a scalar where the container of a wildcard belongs.
  private func readContainer(
    _ scalar: ScalarEvent, _ action: PropertyAction
  ) throws(ImportStop) {
    // A path that leads through a scalar is not there.
    guard scalar.kind == .null else { return }
    guard plan.properties[Int(action.property)].entity < 0 else {
      return try readToMany(scalar, action)
    }
    statistics.roots[Int(action.number)].wasFound = true
  }

  // MARK: Roots and objects

  /// Reads an attribute at `@value`, `@key` or `@index` of an object, or the identifier of a to-one
  /// relationship's object there.
  func readObjectProperty(_ scalar: ScalarEvent, _ action: PropertyAction) throws(ImportStop) {
    if case .outer(let slot, let levels) = action.origin {
      return try readOuterValue(slot: Int(slot), levels: Int(levels), action)
    }
    try give(action.isOwnValue ? scalar : self.scalar(of: action), to: action)
  }

  /// Sets an attribute or to-one relationship of the object that has just begun.
  func give(_ value: ScalarEvent, to action: PropertyAction) throws(ImportStop) {
    // An element of an array has no key, which is not the same as `null`.
    if case .key = action.origin, value.kind == .null { return }
    switch action.effect {
    case .attribute: try readAttribute(value, action)
    case .late(let node): try keepLate(value, at: node, action)
    default: try readReference(value, action)
    }
  }

  /// Reads a scalar where a root's objects belong.
  private func readRoot(
    _ scalar: ScalarEvent, _ action: PropertyAction
  ) throws(ImportStop) {
    statistics.roots[Int(action.number)].wasFound = true
    if !isNone(scalar) { try rejectType(scalar, action) }
  }

  /// Reads a scalar that is a whole object, such as each string of `["blue", "red"]` where the
  /// objects have an attribute at `@value`.
  private func readObject(
    _ scalar: ScalarEvent, _ handOff: Int32, isIdentity: Bool, _ action: PropertyAction
  ) throws(ImportStop) {
    let isNone = isIdentity ? isNone(scalar) : scalar.kind == .null
    if action.isWrapped {
      if isNone { return try readToMany(.null, action) }
      keep(.collection, action)
    }
    guard !isNone else {
      let handBack = plan.handBacks[plan.handOffs[Int(handOff)].handBacks.indices.lowerBound]
      return try readNullReference(action, scalar, isToOne: handBack.kind == .toOne)
    }
    // An empty string is refused unless it counts as no value.
    guard !isIdentity || !scalar.isEmptyString else {
      return try rejectType(scalar, action)
    }
    self.handOff(to: Range32(start: handOff, count: 1), depth: 0)
    for index in plan.handOffs[Int(handOff)].scalars.indices {
      try readObjectProperty(scalar, plan.objectActions[index])
    }
    try closeParser()
    try saveIfDue()
  }

  // MARK: Helpers

  /// Returns whether a scalar identifies no object: many services write an empty string for no reference.
  private func isNone(_ scalar: ScalarEvent) -> Bool {
    scalar.kind == .null || scalar.isEmptyString && !options.refusesEmptyStrings
  }

  private func keep(
    _ kind: PendingValue.Kind, _ action: PropertyAction, bits: UInt64 = 0,
    count: Int = 0
  ) {
    parsers.push(
      kind, number: action.number, pathIndex: action.pathIndex, bits: bits, count: count,
      levelsUp: action.levelsUp, isIdentity: action.isIdentity)
  }

  private func notePresence(_ action: PropertyAction) {
    parsers.notePresence(
      of: plan.properties[Int(action.property)], at: action.pathIndex, levelsUp: action.levelsUp,
      in: plan)
  }

  private func rejectNull(_ action: PropertyAction, found: String) throws(ImportStop) {
    try diagnostics.reject(.missingValue, action, found: found)
  }

  private func rejectType(
    _ scalar: ScalarEvent, _ action: PropertyAction
  ) throws(ImportStop) {
    try diagnostics.reject(.wrongType, action, found: scalar.described)
  }
}
