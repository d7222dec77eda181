// Finishes an object of the document. At the end of this tweet,
//
//   {"text": "Hi!", "id": 7, "user": {"id": 3}}
//
// the parser of the tweet has the pending values text = "Hi!", id = 7 and author → User/3, since the
// user has ended before. Then:
//
// 1. The hooks look at the values, where there are any.
// 2. The resolver says which object they mean: tweet 7 exists, or it is new.
// 3. Policies treat missing values: a missing identity, required values, absent keys.
// 4. The object is inserted if it is new, and the writer writes the values that differ.
//
// An object without identity may fill the one that a to-one relationship of its owner has already
// (Sync). It waits between 1 and 2, until its owner is found or inserted, and before the owner's links
// are written.
//
// An object that fails on the way leaves no trace.

/// Merges the values of an ended object into the graph.
final class ObjectMerger: ImportPart {
  private let resolver: ObjectResolver
  private let writer: RecordWriter
  private let hooks: HookRunner
  private let conflicts: ConflictTracker
  /// Tells of each entity whether any object with its required values is new, and is imported as it is.
  private let isPlain: [Bool]
  /// The objects of roots that have waited for the objects around them, until they are counted.
  private var rootObjects: [(object: ObjectID, root: Int32)] = []

  init(
    _ shared: ImportPart, resolver: ObjectResolver, writer: RecordWriter, hooks: HookRunner,
    conflicts: ConflictTracker
  ) {
    self.resolver = resolver
    self.writer = writer
    self.hooks = hooks
    self.conflicts = conflicts
    let (plan, inserts) = (shared.plan, shared.options.mode != .updateOnly)
    isPlain = plan.entities.indices.map { number in
      plan.entities[number].isPlain && inserts && !plan.hasValidators && !plan.hasLookups
        && !conflicts.marksInserted(number) && plan.hooks(of: number) == nil
    }
    super.init(shared)
  }

  /// Ends the import if its database could not be read.
  @inline(__always)
  func checkSource() throws(ImportStop) {
    guard let fetched = transaction.fetched else { return }
    do throws(StoreError) {
      try fetched.check()
    } catch {
      throw ImportStop(ImportError(error))
    }
  }

  /// Merges the object of the innermost parser, which has ended.
  ///
  /// - Returns: The object; nil if it was skipped.
  /// - Throws: If it cannot be imported and the error policy ends the import.
  func merge(_ parser: EntityParser) throws(ImportStop) -> ObjectID? {
    let mask = plan.entities[Int(parser.entity)].requiredMask
    if isPlain[Int(parser.entity)], parser.requiredSeen & mask == mask, !parser.isSkipped {
      return insertPlain(Int(parser.entity))
    }
    let object = try mergeByRules(parser)
    if parsers.hasWaitingObjects { parsers.dropWaitingObjects() }
    return object
  }

  /// Inserts an object that has no identity, no hooks and no rule that needs more than its values.
  @inline(__always)
  private func insertPlain(_ entity: Int) -> ObjectID {
    let object = transaction.insert(entity: entity, identity: BorrowedBuffer())
    parsers.pushAnonymous(object)
    _ = writer.write(parsers.ownValues, to: object)
    outcomes.note(.inserted, object)
    return object
  }

  @inline(never)
  private func mergeByRules(_ parser: EntityParser) throws(ImportStop) -> ObjectID? {
    let object = parser.isSkipped ? nil : try mergeWithHooks(parser)
    if let object {
      keepAnonymous(ownedBy: object)
    } else if !parsers.top.isWaiting {
      // The document mentions the object, so `deletesMissing` must not delete it.
      leaveOutLaterPaths(of: parser)
      if let found = resolver.findMentioned(parser, parsers.ownValues) {
        outcomes.note(.unchanged, found)
        writer.removed?.mention(found)
      } else {
        noteIfUnidentified(parser, isRefused: parsers.top.isSkipped)
      }
      dropContents()
    }
    return object
  }

  /// Drops what a skipped object has: values that wait, and objects that nothing else can find.
  private func dropContents() {
    writer.removed?.mention(linksOf: parsers.ownValues)
    for value in parsers.ownValues {
      switch value.pointee.kind {
      case .failed, .notice: _ = parsers.takeRemark(value.pointee)
      default: writer.forgetDeferred(value.pointee)
      }
    }
    removeAnonymous(andStubs: true)
  }

  /// Notes that an object of an earlier import, which is only read again, may be any one.
  func noteIfUnidentified(_ parser: EntityParser) {
    leaveOutLaterPaths(of: parser)
    noteIfUnidentified(parser, isRefused: false)
  }

  /// Notes that a skipped object may be any one, if it lacks the identity that it should have.
  ///
  /// - Parameters:
  ///   - parser: The object's parser.
  ///   - isRefused: Whether the object was refused because of an error.
  private func noteIfUnidentified(_ parser: EntityParser, isRefused: Bool) {
    let entity = Int(parser.entity)
    // Hooks may still identify an object or leave it out, unless it was refused.
    guard isRefused || plan.hooks(of: entity) == nil,
      plan.entities[entity].missingIdentity == .error,
      !plan.entities[entity].schema.identity.isEmpty,
      !resolver.isIdentified(parser, parsers.ownValues)
    else { return }
    diagnostics.noteUnidentified(of: entity)
  }

  /// Keeps only the values at the first path of each property that is present, as for an object that is imported.
  private func leaveOutLaterPaths(of parser: EntityParser) {
    guard plan.entities[Int(parser.entity)].hasAlternatives else { return }
    parsers.ownValues.supersedeLaterPaths(skipsFailures: diagnostics.policy == .skipValue)
  }

  @inline(__always)
  private func mergeWithHooks(_ parser: EntityParser) throws(ImportStop) -> ObjectID? {
    if plan.entities[Int(parser.entity)].hasAlternatives {
      guard try settleAlternatives() else { return nil }
    }
    guard let hooks = plan.hooks(of: Int(parser.entity)) else {
      return try findOrInsert(parsers.top)
    }
    guard try self.hooks.prepare(parsers.top, hooks) else { return nil }
    removeRefused()
    guard let object = try findOrInsert(parsers.top) else { return nil }
    try self.hooks.callDidImport(object, hooks, outcomes[object])
    return object
  }

  /// Keeps only the values at the first path of each property that is present, and applies the error policy to
  /// unreadable ones among them.
  ///
  /// - Returns: Whether the object is imported.
  private func settleAlternatives() throws(ImportStop) -> Bool {
    let entity = plan.entities[Int(parsers.top.entity)]
    let values = parsers.ownValues
    leaveOutLaterPaths(of: parsers.top)
    for value in values where value.pointee.kind == .notice {
      guard let notice = parsers.takeRemark(value.pointee), !value.pointee.isSuperseded else {
        continue
      }
      diagnostics.noteUnknown(notice)
    }
    for required in entity.required
    where entity.schema.attributes[required.attribute].paths.count > 1 {
      if !values.hasValue(forAttribute: required.attribute) {
        parsers.top.requiredSeen &= ~required.bit
      }
    }
    var isImported = true
    lazy var missingIdentity = entity.schema.identity.filter { !values.hasValue(forAttribute: $0) }
    for value in values where value.pointee.kind == .failed {
      guard let error = parsers.takeRemark(value.pointee), !value.pointee.isSuperseded else {
        continue
      }
      // The property is present, though it has no value.
      value.pointee.kind = .presentAttribute
      let isUnidentified = missingIdentity.contains(Int(value.pointee.number))
      if isUnidentified { diagnostics.noteUnidentified(of: Int(parsers.top.entity)) }
      if isUnidentified || diagnostics.policy == .skipObject { isImported = false }
      try diagnostics.leaveOut(error)
    }
    return isImported
  }

  /// Finds or inserts the object, and writes its values.
  private func findOrInsert(_ parser: EntityParser) throws(ImportStop) -> ObjectID? {
    let values = parsers.ownValues
    let resolution = resolver.resolve(parser, values)
    try checkSource()
    switch resolution {
    case .existing(let object): return try update(object, parser, values)
    case .new:
      if waitsForTarget(parser), resolver.lacksIdentity {
        wait(parser)
        return nil
      }
      return options.mode == .updateOnly ? nil : try insert(parser, values)
    case .unidentified: return try mergeUnidentified(parser, values)
    case .promotion(let stub): return try insert(parser, values, promoting: stub)
    case .conflict(let other):
      try diagnostics.rejectConflict(with: other, parser)
      return nil
    }
  }

  private func update(
    _ object: ObjectID, _ parser: EntityParser, _ values: PendingValues
  ) throws(ImportStop) -> ObjectID? {
    let isStub = transaction.isStub(object)
    if isStub {
      guard try requireComplete(parser, values) else { return nil }
    } else if options.mode == .insertOnly || !isNewer(values, than: object) {
      writer.removed?.mention(linksOf: values)
      for value in values { writer.forgetDeferred(value.pointee) }
      // Its stubs stay: the object may have been inserted by an import that ended while this one went on.
      removeAnonymous(andStubs: false, besides: object)
      conflicts.compare(values, with: object, isReplaced: false)
      outcomes.note(.unchanged, object)
      return object
    }
    guard try applyAbsences(parser) else { return nil }
    guard try requireLinks(parser, of: isStub ? nil : object) else { return nil }
    if plan.hasValidators {
      guard try hooks.validate(parser, existing: object) else { return nil }
    }
    if isStub {
      transaction.setStub(object, false)
    } else {
      conflicts.compare(parsers.ownValues, with: object, isReplaced: true)
    }
    try mergeWaitingObjects(of: object)
    let hasChanged = writer.write(parsers.ownValues, to: object)
    conflicts.mark(parsers.ownValues, of: object)
    outcomes.note(hasChanged || isStub ? .updated : .unchanged, object)
    return object
  }

  /// Inserts an object with the identity that the resolver has gathered.
  ///
  /// - Parameters:
  ///   - parser: The object's parser.
  ///   - values: Its values.
  ///   - stub: The stub that it replaces.
  /// - Returns: The object; nil if it is skipped.
  /// - Throws: If it cannot be imported and the error policy ends the import.
  private func insert(
    _ parser: EntityParser, _ values: PendingValues, promoting stub: ObjectID? = nil
  ) throws(ImportStop) -> ObjectID? {
    let entity = Int(parser.entity)
    guard plan.entities[entity].isInstantiable else {
      try diagnostics.rejectAbstract(parser)
      return nil
    }
    guard try requireComplete(parser, values), try applyAbsences(parser),
      try requireLinks(parser, of: nil)
    else { return nil }
    if plan.hasValidators {
      guard try hooks.validate(parser, existing: nil) else { return nil }
    }
    if let stub {
      let object = resolver.promote(
        stub, to: entity, identity: resolver.identity, remainsStub: false)
      try mergeWaitingObjects(of: object)
      _ = writer.write(parsers.ownValues, to: object)
      conflicts.mark(parsers.ownValues, of: object)
      return object
    }
    let object = transaction.insert(entity: entity, identity: resolver.identity)
    let lacksIdentity = resolver.lacksIdentity
    try mergeWaitingObjects(of: object)
    if lacksIdentity { parsers.pushAnonymous(object) }
    _ = writer.write(parsers.ownValues, to: object)
    if conflicts.marksInserted(entity) { conflicts.mark(parsers.ownValues, of: object) }
    outcomes.note(.inserted, object)
    return object
  }

  /// Applies the policy of its entity to an object that lacks its identity.
  private func mergeUnidentified(
    _ parser: EntityParser, _ values: PendingValues
  ) throws(ImportStop) -> ObjectID? {
    if waitsForTarget(parser) {
      wait(parser)
      return nil
    }
    switch plan.entities[Int(parser.entity)].missingIdentity {
    case .error:
      let error = diagnostics.missingIdentity(parser, values)
      try diagnostics.rejectObject(
        .missingIdentity, property: error.property, message: error.message)
      return nil
    case .skip:
      diagnostics.noteIssue { diagnostics.missingIdentity(parser, values) }
      return nil
    case .insert:
      // The part of the identity that is present is kept; the object is not found by it.
      return options.mode == .updateOnly ? nil : try insert(parser, values)
    }
  }

  // MARK: Objects without identity that fill the present target

  /// Returns whether an object without identity is written into the target that a to-one relationship has already.
  @inline(__always)
  private func waitsForTarget(_ parser: EntityParser) -> Bool {
    plan.handOffs[Int(parser.handOff)].fillsTarget
  }

  /// Keeps an object until the objects are known whose relationships lead to it.
  private func wait(_ parser: EntityParser) {
    let targets = plan.handOffs[Int(parser.handOff)].handBacks.indices.map { plan.handBacks[$0] }
    parsers.wait(for: targets.filter { $0.kind != .root }, at: diagnostics.place(of: parser))
  }

  /// Merges the objects that wait for the innermost one, so that its relationships can be written.
  @inline(__always)
  private func mergeWaitingObjects(of owner: ObjectID) throws(ImportStop) {
    if parsers.hasWaitingObjects { try mergeObjects(waitingFor: owner) }
  }

  @inline(never)
  private func mergeObjects(waitingFor owner: ObjectID) throws(ImportStop) {
    let relationships = schema.entities[owner.entity].relationships
    var receivers = [Int: [Int]]()
    for value in parsers.ownValues {
      guard let number = value.pointee.waitingObject else { continue }
      let relationship = Int(value.pointee.number)
      let isReplaced = parsers.ownValues.hasReplacement(
        of: value, isToMany: relationships[relationship].isToMany)
      receivers[number, default: []] +=
        isReplaced || value.pointee.isSuperseded ? [] : [relationship]
    }
    for (number, receivers) in receivers.sortedByKey() {
      guard let object = try merge(waiting: number, for: owner, receivers) else { continue }
      for value in parsers.ownValues where value.pointee.waitingObject == number {
        let relationship = relationships[Int(value.pointee.number)]
        value.pointee.kind = relationship.isToMany ? .element : .toOne
        value.pointee.bits = object.rawValue
      }
    }
  }

  /// Merges a waiting object into the first target that relationships of its owner have, or inserts it.
  ///
  /// - Parameters:
  ///   - number: The number of the waiting object.
  ///   - owner: The object that gets it.
  ///   - relationships: The relationships that lead to it; none if a later value has replaced it.
  /// - Returns: The object; nil if it is skipped.
  /// - Throws: If it cannot be imported and the error policy ends the import.
  private func merge(
    waiting number: Int, for owner: ObjectID, _ relationships: [Int]
  ) throws(ImportStop) -> ObjectID? {
    if let merged = parsers.merged(number) { return merged }
    if relationships.isEmpty, parsers.hasOuterReceiver(number) { return nil }
    let target = relationships.lazy
      .filter { !self.schema.entities[owner.entity].relationships[$0].isToMany }
      .compactMap { self.transaction.toOne(owner, relationship: $0) }.first
    parsers.resume(number)
    defer { parsers.pop() }
    let object =
      relationships.isEmpty ? nil : try fill(target.map(resolver.current), with: parsers.top)
    if let object {
      keepAnonymous(ownedBy: object)
      noteRoots(of: object, parsers.top)
    } else {
      dropContents()
    }
    parsers.finish(number, as: object)
    return object
  }

  /// Notes that an object of roots has been merged.
  private func noteRoots(of object: ObjectID, _ parser: EntityParser) {
    for index in plan.handOffs[Int(parser.handOff)].handBacks.indices
    where plan.handBacks[index].kind == .root {
      rootObjects.append((object, plan.handBacks[index].number))
    }
  }

  /// Takes the objects of roots that have waited for the objects around them.
  func takeRootObjects() -> [(object: ObjectID, root: Int32)] {
    defer { rootObjects = [] }
    return rootObjects
  }

  /// Updates an object with the values of the innermost parser; inserts one if there is none of its entity.
  private func fill(
    _ target: ObjectID?, with parser: EntityParser
  ) throws(ImportStop) -> ObjectID? {
    _ = resolver.isIdentified(parser, parsers.ownValues)
    let object: ObjectID?
    if let target, resolver.isKind(target, of: Int(parser.entity)),
      resolver.identity.allSatisfy(\.isNull)
    {
      transaction.readValues(of: target)
      try checkSource()
      object = try update(target, parser, parsers.ownValues)
    } else {
      object = options.mode == .updateOnly ? nil : try insert(parser, parsers.ownValues)
    }
    if let object, let hooks = plan.hooks(of: Int(parser.entity)) {
      try self.hooks.callDidImport(object, hooks, outcomes[object])
    }
    return object
  }

  // MARK: Checks

  /// Returns whether each required attribute has a value or a default.
  private func requireComplete(
    _ parser: EntityParser, _ values: PendingValues
  ) throws(ImportStop) -> Bool {
    let entity = Int(parser.entity)
    let mask = plan.entities[entity].requiredMask
    let isComplete =
      parser.requiredSeen & mask == mask
      && (plan.entities[entity].required.count <= 64
        || !plan.entities[entity].required.contains { $0.isMissing(parser, values) })
    if !isComplete { try diagnostics.rejectIncomplete(parser, values) }
    return isComplete
  }

  /// Applies the error policy to required relationships that are `null`, or whose object was skipped.
  ///
  /// If the policy ends the import, or a key is absent, the save decides: a later part of the document may have the
  /// object.
  ///
  /// - Parameters:
  ///   - parser: The object's parser.
  ///   - existing: The object that has a link already; nil for one that gets its first.
  /// - Returns: Whether the object is imported.
  /// - Throws: Nothing, because the error policy skips.
  private func requireLinks(
    _ parser: EntityParser, of existing: ObjectID?
  ) throws(ImportStop) -> Bool {
    let plan = plan.entities[Int(parser.entity)]
    guard !plan.requiredLinks.isEmpty, diagnostics.policy != .fail else { return true }
    for number in plan.requiredLinks {
      let isUnion = plan.relationships[number].collection == .union
      let link = parsers.ownValues.link(number, isUnion: isUnion)
      guard link == .empty || link == .skipped && existing == nil else { continue }
      let name = plan.schema.relationships[number].name
      let message = "expected an object for \(name) of \(plan.schema.name) (required), found none"
      guard existing != nil, diagnostics.policy == .skipValue else {
        try diagnostics.rejectObject(.missingValue, property: name, message: message)
        return false
      }
      try diagnostics.leaveOut(
        diagnostics.errorAtObject(
          .missingValue, property: name, message: message + "; it keeps its former one"))
      parsers.ownValues.supersede { !$0.kind.isAttribute && Int($0.number) == number }
    }
    return true
  }

  /// Applies the policies for absent keys.
  ///
  /// - Returns: Whether the object is imported.
  private func applyAbsences(_ parser: EntityParser) throws(ImportStop) -> Bool {
    for absence in plan.entities[Int(parser.entity)].absences
    where !parsers.ownValues.mentions(absence.number, isAttribute: absence.isAttribute) {
      if absence.action == .error {
        try diagnostics.rejectAbsent(absence, parser)
        return false
      }
      let kind: PendingValue.Kind =
        absence.isAttribute
        ? absence.action == .default ? .default : .null
        : schema.entities[Int(parser.entity)].relationships[absence.number].isToMany
          ? .collection : .toOne
      parsers.push(
        kind, number: Int32(absence.number), pathIndex: 0,
        bits: kind == .collection ? PendingValue.emptied : 0, levelsUp: 0)
    }
    return true
  }

  /// Returns whether the modification attribute has grown, or does not exist.
  private func isNewer(_ values: PendingValues, than object: ObjectID) -> Bool {
    guard let attribute = plan.entities[object.entity].modifiedAttribute else { return true }
    let old = transaction.value(object, attribute: attribute)
    guard !old.isNull, let value = values.last(forAttribute: attribute) else { return true }
    // Like an absent key, `null` says nothing about the time.
    let new = parsers.rawValue(of: value)
    guard !new.isNull else { return true }
    let type = schema.entities[object.entity].attributes[attribute].type
    return ValueOrder(type).isIncreasing(from: old, to: new)
  }

  // MARK: Objects without identity inside one that is skipped

  /// Keeps the objects without identity that an imported object owns, unless it has none itself.
  @inline(__always)
  private func keepAnonymous(ownedBy object: ObjectID) {
    parsers.keepAnonymous(ownedBy: object, isAnonymous: transaction.lacksIdentity(object))
  }

  /// Removes the objects without identity that were inserted for a skipped object.
  ///
  /// An object stays if relationships of other objects have read it from the same JSON.
  ///
  /// - Parameters:
  ///   - andStubs: Whether stubs go too that nothing but the object has named.
  ///   - existing: The object that exists already; it may be one of these, if the object is nested in itself
  ///     (`JSONRelatedBy`).
  private func removeAnonymous(andStubs: Bool, besides existing: ObjectID? = nil) {
    let waiting = parsers.objectsWaitingInside
    if let removed = writer.removed {
      for object in waiting.flatMap(\.linkedObjects) { removed.mention(object) }
    }
    let taken = parsers.takeAnonymous() + waiting.flatMap(\.anonymous)
    let objects = removable(taken, andStubs: andStubs)
    guard !objects.isEmpty else { return }
    let others = parsers.foreignValues.compactMap(\.linkedObject) + [existing].compactMap(\.self)
    let kept = reachable(from: others, among: Set(objects))
    for object in objects where kept.contains(object) {
      if transaction.isStub(object) {
        parsers.noteNamedAgain(object, isRoot: false)
      } else {
        parsers.pushAnonymous(object)
      }
    }
    remove(objects.without(kept))
  }

  /// Removes the stubs and the objects without identity to which only refused relationships of the object lead.
  ///
  /// They stay if there are several roots or waiting objects, which may have found them too.
  private func removeRefused() {
    let refused = hooks.refusedObjects
    guard !refused.isEmpty, plan.roots.count == 1, !parsers.hasWaitingObjects else { return }
    let taken = parsers.takeAnonymous()
    let own = parsers.ownValues.filter { !$0.pointee.isSuperseded }
    let others =
      parsers.foreignValues.compactMap(\.linkedObject) + own.compactMap(\.pointee.linkedObject)
    let kept = reachable(from: others, among: Set(taken))
    let inside = reachable(from: refused, among: Set(taken)).subtracting(kept)
    for object in taken where !inside.contains(object) { parsers.pushAnonymous(object) }
    remove(removable(taken.filter(inside.contains), andStubs: true))
  }

  /// Returns the objects inside a skipped one that nothing else can find: those without identity and, with `andStubs`,
  /// the stubs that no other identifier names.
  private func removable(_ taken: [ObjectID], andStubs: Bool) -> [ObjectID] {
    if andStubs { for object in taken { parsers.forgetNaming(of: object) } }
    return Set(taken).sorted().filter { object in
      guard transaction.contains(object) else { return false }
      return transaction.isStub(object)
        ? andStubs && !parsers.isNamed(object) : transaction.lacksIdentity(object)
    }
  }

  private func remove(_ objects: [ObjectID]) {
    guard !objects.isEmpty else { return }
    transaction.remove(objects)
    for object in objects { outcomes.forget(object) }
  }

  /// Returns which of the objects are among the sources, or are reached from these through others of the objects.
  ///
  /// A stub, and an object that has taken its place, only has links that other objects gave it.
  private func reachable(from sources: [ObjectID], among objects: Set<ObjectID>) -> Set<ObjectID> {
    var reached = sources.filter(objects.contains)
    var kept = Set(reached)
    while let object = reached.popLast() {
      guard transaction.lacksIdentity(object), !transaction.isStub(object) else { continue }
      for number in schema.entities[object.entity].relationships.indices {
        for target in transaction.targets(object, relationship: number)
        where objects.contains(target) && kept.insert(target).inserted {
          reached.append(target)
        }
      }
    }
    return kept
  }
}
