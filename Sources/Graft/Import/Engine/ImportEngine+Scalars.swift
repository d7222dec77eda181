// What a scalar does at a position of the plan: it is an attribute's value, an identifier that stands
// for an object, or, as `null`, the absence of either.

extension ImportEngine {
  /// Does what a scalar means at a position.
  func read(_ scalar: ScalarEvent, _ actions: Range32) throws(ImportStop) {
    for index in actions.indices { try read(scalar, plan.scalars[index]) }
  }

  /// Does what a scalar, or its key or index, means for one property.
  @inline(__always)
  func read(_ scalar: ScalarEvent, _ action: ScalarAction) throws(ImportStop) {
    let part = action.part
    let value = part == .value ? scalar : self.scalar(of: part)
    switch action.kind {
    case .attribute: try readAttribute(value, action)
    case .toOne, .element, .rootElement: try readReference(value, action)
    case .toMany: try readToMany(value, action)
    case .container: try readContainer(value, action)
    case .root: try readRoot(value, action)
    case .object: try readObject(value, action)
    }
  }

  /// The key or index of the current value, as a scalar.
  func scalar(of part: ScalarAction.Part) -> ScalarEvent {
    guard part == .key else { return converter.scalar(ofIndex: source.currentIndex) }
    let key = source.currentKey
    guard key.baseAddress != nil else { return .null }
    return ScalarEvent(kind: .string, text: key.assumingMemoryBound(to: UInt8.self))
  }

  // MARK: Attributes

  /// Keeps an attribute's value until its object ends.
  @inline(__always)
  func readAttribute(
    _ scalar: ScalarEvent, _ action: ScalarAction
  ) throws(ImportStop) {
    if scalar.kind == .null { return try readNull(action) }
    guard
      let value = converter.convert(scalar, action.conversion, action.property)
    else { return try reject(scalar, action) }
    if value.isNull { return try readNull(action) }
    if action.part == .value { converter.note(scalar.kind, of: action.property) }
    if let start = value.start {
      keepBytes(start, value.count, action)
    } else {
      parsers.noteRequired(action.requiredBit, up: action.up)
      parsers.push(
        .word, number: action.number, rank: action.rank, bits: value.bits,
        up: action.up, isIdentity: action.isIdentity)
    }
  }

  /// Keeps an attribute's string or bytes until its object ends.
  @inline(__always)
  func keepBytes(
    _ start: UnsafePointer<UInt8>, _ count: Int, _ action: ScalarAction
  ) {
    parsers.noteRequired(action.requiredBit, up: action.up)
    parsers.pushBytes(
      start, count, number: action.number, rank: action.rank,
      up: action.up, isIdentity: action.isIdentity)
  }

  /// Does what `null` means for an attribute.
  @inline(__always)
  private func readNull(_ action: ScalarAction) throws(ImportStop) {
    switch action.onNull {
    case .keep: notePresence(action)
    case .clear: keep(.null, action)
    case .default: keep(.default, action)
    case .error: try rejectNull(action)
    }
  }

  /// Refuses a scalar that cannot be converted.
  @inline(never)
  private func reject(
    _ scalar: ScalarEvent, _ action: ScalarAction
  ) throws(ImportStop) {
    // Without its identity the object goes with the value, and is not listed again.
    if action.isIdentity, options.errorPolicy != .fail {
      parsers.skip(parsers.index(up: action.up))
    }
    let violation = converter.takeViolation()
    try diagnostics.reject(
      violation == nil ? .wrongType : .invalidValue,
      plan.properties[Int(action.property)], found: scalar.described,
      message: violation?.message, underlyingError: violation?.underlyingError,
      up: action.up)
  }

  // MARK: Relationships

  /// Reads an identifier that stands for an object.
  private func readReference(
    _ scalar: ScalarEvent, _ action: ScalarAction
  ) throws(ImportStop) {
    // An empty string is what many services write for no reference at all.
    guard scalar.kind != .null, options.refusesEmptyText || !scalar.isEmptyString else {
      return try readNullReference(action)
    }
    switch try references.resolve(scalar, action) {
    case .object(let object): refer(to: object, action)
    case .stub(let stub):
      statistics.stubs.append(stub)
      refer(to: stub, action)
    case .deferred(let number): keep(.deferred, action, bits: UInt64(number))
    case .ignored:
      statistics.ignoredReferenceCount += 1
      noteIdentifier(action)
    case .refused: noteIdentifier(action)
    case .unidentifiable: break
    }
  }

  /// Links an object that an identifier names.
  private func refer(to object: ObjectID, _ action: ScalarAction) {
    guard action.kind != .rootElement else {
      return countRootObject(object, of: action.number)
    }
    keep(
      action.kind == .toOne ? .toOne : .element, action, bits: object.rawValue,
      count: PendingValue.identifier)
  }

  /// Keeps a place for an identifier that names no object, so that its array still counts as one of
  /// identifiers.
  private func noteIdentifier(_ action: ScalarAction) {
    if action.kind == .element { keep(.element, action, count: PendingValue.identifier) }
  }

  /// Reads a `null` or an empty string where an object or its identifier belongs.
  private func readNullReference(_ action: ScalarAction) throws(ImportStop) {
    guard action.kind == .toOne else {
      statistics.skippedNullCount += 1
      return
    }
    switch action.onNull {
    case .keep: notePresence(action)
    case .clear, .default: keep(.toOne, action)
    case .error: try rejectNull(action)
    }
  }

  /// Reads a scalar where the array of a to-many relationship belongs.
  private func readToMany(
    _ scalar: ScalarEvent, _ action: ScalarAction
  ) throws(ImportStop) {
    guard scalar.kind == .null else { return try rejectType(scalar, action) }
    switch action.onNull {
    case .keep: notePresence(action)
    case .clear, .default: keep(.collection, action, bits: PendingValue.emptied)
    case .error: try rejectNull(action)
    }
  }

  /// Reads a scalar where the container of a wildcard belongs.
  private func readContainer(
    _ scalar: ScalarEvent, _ action: ScalarAction
  ) throws(ImportStop) {
    guard scalar.kind == .null else { return }
    guard plan.properties[Int(action.property)].entity < 0 else {
      return try readToMany(scalar, action)
    }
    statistics.roots[Int(action.number)].wasFound = true
  }

  // MARK: Roots and objects

  /// Reads an attribute at `@value`, `@key` or `@index` of an object, or the identifier of a to-one
  /// relationship's object there.
  func readObjectProperty(_ scalar: ScalarEvent, _ action: ScalarAction) throws(ImportStop) {
    let part = action.part
    let value = part == .value ? scalar : self.scalar(of: part)
    if action.kind == .attribute {
      try readAttribute(value, action)
    } else {
      try readReference(value, action)
    }
  }

  /// Reads a scalar where a root's objects belong.
  private func readRoot(
    _ scalar: ScalarEvent, _ action: ScalarAction
  ) throws(ImportStop) {
    statistics.roots[Int(action.number)].wasFound = true
    if scalar.kind != .null { try rejectType(scalar, action) }
  }

  /// Reads a scalar that is a whole object, such as each string of `["blue", "red"]` where the
  /// objects have an attribute at `@value`.
  private func readObject(
    _ scalar: ScalarEvent, _ action: ScalarAction
  ) throws(ImportStop) {
    guard scalar.kind != .null else {
      statistics.skippedNullCount += 1
      return
    }
    let number = action.handOff
    handOff(to: Range32(start: number, count: 1), depth: 0)
    for index in plan.objectScalars(of: plan.handOffs[Int(number)].entity).indices {
      try readObjectProperty(scalar, plan.scalars[index])
    }
    try closeParser()
  }

  // MARK: Helpers

  private func keep(
    _ kind: PendingValue.Kind, _ action: ScalarAction, bits: UInt64 = 0,
    count: Int = 0
  ) {
    parsers.push(
      kind, number: action.number, rank: action.rank, bits: bits, count: count,
      up: action.up, isIdentity: action.isIdentity)
  }

  private func notePresence(_ action: ScalarAction) {
    parsers.notePresence(
      of: plan.properties[Int(action.property)], up: action.up, in: plan)
  }

  private func rejectNull(_ action: ScalarAction) throws(ImportStop) {
    try diagnostics.reject(
      .missingValue, plan.properties[Int(action.property)], found: "null",
      up: action.up)
  }

  private func rejectType(
    _ scalar: ScalarEvent, _ action: ScalarAction
  ) throws(ImportStop) {
    try diagnostics.reject(
      .wrongType, plan.properties[Int(action.property)], found: scalar.described,
      up: action.up)
  }
}
