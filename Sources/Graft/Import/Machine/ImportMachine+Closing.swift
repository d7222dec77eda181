extension ImportMachine {
  /// Ends the innermost object: finds or inserts it, writes what is known of it, and hands it on.
  func closeFrame() -> Bool {
    let index = Int32(state.pointee.frames.count - 1)
    let frame = state.pointee.frames.top.pointee
    let open = plan.opens[Int(frame.open)]
    var object: ObjectID?
    if !frame.isDropped {
      let first = state.pointee.entries.base + frame.entryStart
      let own = Entries(
        base: first, count: state.pointee.entries.count - frame.entryStart, frame: index)
      if plan.hasAlternatives[Int(frame.entity)] { own.supersede() }
      guard plan.hooks.isEmpty ? settle(frame, own, &object) : settleWithHooks(frame, &object)
      else {
        return false
      }
    }
    if let object {
      keepAnonymous(of: frame, object)
    } else {
      noteMention(frame, index)
      removeAnonymous(since: frame)
    }
    dropEntries(of: frame, index)
    _ = state.pointee.frames.pop()
    if index == 1 { state.pointee.anonymous.truncate(to: 0) }
    guard let object else { return true }
    for position in open.deliveries.indices { deliver(object, plan.deliveries[position], frame) }
    return true
  }

  /// Hands a finished object to a frame below.
  private func deliver(_ object: ObjectID, _ delivery: Delivery, _ frame: Frame) {
    if delivery.kind == .root {
      countRootObject(object, of: Int(delivery.number))
      tally.objectsSinceSave += 1
      return
    }
    let up = frameIndex(up: 0) - (frame.outer - delivery.up)
    push(
      delivery.kind == .toOne ? .toOne : .element, number: delivery.number, rank: delivery.rank,
      bits: object.rawValue, up: up)
  }

  /// Takes a frame's entries off the stack, and leaves those of others.
  private func dropEntries(of frame: Frame, _ index: Int32) {
    guard frame.hasForeignEntries else {
      state.pointee.entries.truncate(to: frame.entryStart)
      state.pointee.bytes.truncate(to: frame.byteStart)
      return
    }
    var kept = frame.entryStart
    for position in frame.entryStart..<state.pointee.entries.count
    where state.pointee.entries[position].frame != index {
      state.pointee.entries[kept] = state.pointee.entries[position]
      kept += 1
    }
    let isEmpty = kept == frame.entryStart
    state.pointee.entries.truncate(to: kept)
    if isEmpty { state.pointee.bytes.truncate(to: frame.byteStart) }
  }

  /// Does what `settle` does, with a word of the program before and after.
  private func settleWithHooks(_ frame: Frame, _ object: inout ObjectID?) -> Bool {
    guard let hooks = plan.hooks[Int(frame.entity)] else {
      return settle(frame, entries(of: frame), &object)
    }
    switch consult(hooks, frame) {
    case .stops: return false
    case .passedOver: return true
    case .goesOn: break
    }
    let current = state.pointee.frames.top.pointee
    guard settle(current, entries(of: current), &object) else { return false }
    guard let object else { return true }
    return report(object, hooks, current, marks.mark(of: object))
  }

  /// Finds or inserts the object that a frame describes, and writes what is known of it.
  ///
  /// - Parameters:
  ///   - frame: What was read.
  ///   - own: What is known of the object.
  ///   - object: The object; stays nil where it is passed over.
  /// - Returns: Whether the import goes on.
  private func settle(_ frame: Frame, _ own: Entries, _ object: inout ObjectID?) -> Bool {
    let entity = Int(frame.entity)
    let identityCount = plan.identityCounts[entity]
    state.pointee.identity.truncate(to: 0)
    if let found = findOtherwise(frame, own) { return update(found, frame, own, &object) }
    if identityCount > 0 {
      guard gatherIdentity(entity, own) else {
        return placeWithoutIdentity(frame, own, &object)
      }
      let values = UnsafeBufferPointer(
        start: UnsafePointer(state.pointee.identity.base), count: identityCount)
      if let found = transaction.find(identityOf: entity, values) {
        guard found.entity == entity || schema.entities[entity].family.contains(found.entity) else {
          return isForerunner(found, of: entity)
            ? insert(frame, own, &object, inPlaceOf: found) : rejectStranger(found, frame)
        }
        return update(found, frame, own, &object)
      }
    }
    if options.mode == .updateOnly { return true }
    return insert(frame, own, &object)
  }

  /// The object that a frame describes, where something else than the identity says which it is.
  @inline(__always)
  private func findOtherwise(_ frame: Frame, _ own: Entries) -> ObjectID? {
    let entity = Int(frame.entity)
    if plan.isSingleton[entity] { return singleton(of: entity) }
    let relatedBy = plan.opens[Int(frame.open)].relatedBy
    guard relatedBy >= 0, let entry = own.last(forAttribute: Int(relatedBy)), entry.kind != .null
    else { return nil }
    return lookUp(rawValue(entry), LookupKey(entity: entity, attribute: Int(relatedBy)))
  }

  /// Writes what a frame knows to an object that is there.
  private func update(
    _ found: ObjectID, _ frame: Frame, _ own: Entries, _ object: inout ObjectID?
  ) -> Bool {
    var mark = TouchMarks.Mark.unchanged
    if transaction.isStub(found) {
      guard isComplete(frame, own) else { return rejectIncomplete(frame, own) }
      guard settleAbsences(frame) else { return false }
      mark = .updated
    } else if options.mode == .insertOnly || !isNewer(own, than: found) {
      removeAnonymous(since: frame)
      marks.note(.unchanged, found)
      object = found
      return true
    } else {
      guard settleAbsences(frame) else { return false }
    }
    if plan.hasValidators {
      let validity = validate(frame, present: found)
      guard validity == .valid else { return validity == .refused }
    }
    if mark == .updated { transaction.setStub(found, false) }
    object = found
    if write(entries(of: frame), to: found) { mark = .updated }
    marks.note(mark, found)
    return true
  }

  /// Inserts the object that a frame describes, with the identity that has been gathered.
  private func insert(
    _ frame: Frame, _ own: Entries, _ object: inout ObjectID?, inPlaceOf stub: ObjectID? = nil
  ) -> Bool {
    let entity = Int(frame.entity)
    guard plan.entities[entity].isInstantiable else { return rejectAbstract(frame) }
    guard isComplete(frame, own) else { return rejectIncomplete(frame, own) }
    guard settleAbsences(frame) else { return false }
    if plan.hasValidators {
      let validity = validate(frame, present: nil)
      guard validity == .valid else { return validity == .refused }
    }
    let identity = state.pointee.identity
    let values = UnsafeBufferPointer(start: UnsafePointer(identity.base), count: identity.count)
    if let stub {
      let successor = succeed(stub, entity: entity, values, remainsStub: false)
      _ = write(entries(of: frame), to: successor)
      object = successor
      return true
    }
    let inserted = transaction.insert(entity: entity, identity: values)
    object = inserted
    let isAnonymous = (0..<identity.count).contains { identity[$0].isNull }
    if identity.count == 0 || isAnonymous { state.pointee.anonymous.push(inserted) }
    _ = write(entries(of: frame), to: inserted)
    marks.note(.inserted, inserted)
    return true
  }

  /// An object that lacks its identity.
  private func placeWithoutIdentity(
    _ frame: Frame, _ own: Entries, _ object: inout ObjectID?
  ) -> Bool {
    let entity = plan.entities[Int(frame.entity)]
    // An object that is written into the one that is linked already needs no identity of its own.
    let fillsTarget =
      entity.fillsPresentTarget
      && plan.opens[Int(frame.open)].deliveries.indices.contains {
        plan.deliveries[$0].kind == .toOne
      }
    switch fillsTarget ? .insert : entity.missingIdentity {
    case .error:
      let error = missingIdentity(frame, own)
      return reject(
        frame, .missingIdentity, property: error.property, message: error.message)
    case .skip:
      tally.issues.note(.issue, limit: options.issueLimit) { missingIdentity(frame, own) }
      return true
    case .insert:
      if options.mode == .updateOnly { return true }
      // What is there of the identity is kept; the object is found by none of it.
      return insert(frame, own, &object)
    }
  }

  /// The entries of the innermost frame as they are now.
  func entries(of frame: Frame) -> Entries {
    Entries(
      base: state.pointee.entries.base + frame.entryStart,
      count: state.pointee.entries.count - frame.entryStart,
      frame: Int32(state.pointee.frames.count - 1))
  }

  /// Does what the absence of keys means; the import goes on unless one is required.
  private func settleAbsences(_ frame: Frame) -> Bool {
    // Each push may move the entries, so they are asked for anew each time.
    for absence in plan.entities[Int(frame.entity)].absences
    where !entries(of: frame).mentions(absence.number, isAttribute: absence.isAttribute) {
      if absence.action == .error { return rejectAbsent(absence, frame) }
      let kind: Entry.Kind =
        absence.isAttribute
        ? absence.action == .default ? .default : .null
        : schema.entities[Int(frame.entity)].relationships[absence.number].isToMany
          ? .collection : .toOne
      push(
        kind, number: Int32(absence.number), rank: 0, bits: kind == .collection ? 1 : 0, up: 0)
    }
    return true
  }

  /// Whether the modification attribute, where there is one, says that an update is due.
  private func isNewer(_ own: Entries, than object: ObjectID) -> Bool {
    guard let attribute = plan.entities[object.entity].modifiedAttribute else { return true }
    let present = transaction.value(object, attribute: attribute)
    guard !present.isNull, let entry = own.last(forAttribute: attribute) else { return true }
    // `null` says as little about the time as an absent key does.
    let value = rawValue(entry)
    guard !value.isNull else { return true }
    return schema.entities[object.entity].attributes[attribute].type
      .isIncreasing(from: present, to: value)
  }

  /// Collects the values of the identity in their order; false where one is missing or null.
  func gatherIdentity(_ entity: Int, _ own: Entries) -> Bool {
    var isComplete = true
    for attribute in plan.entities[entity].schema.identity {
      var value = RawValue.null
      for position in 0..<own.count {
        let entry = own.base + position
        guard entry.pointee.isIdentity, entry.pointee.frame == own.frame,
          Int(entry.pointee.number) == attribute, !entry.pointee.isSuperseded
        else { continue }
        value = rawValue(entry.pointee)
      }
      if value.isNull { isComplete = false }
      state.pointee.identity.push(value)
    }
    return isComplete
  }

  /// Whether each required attribute has a value, or a default to stand in.
  private func isComplete(_ frame: Frame, _ own: Entries) -> Bool {
    let mask = plan.requiredMasks[Int(frame.entity)]
    guard frame.seen & mask == mask else { return false }
    let required = plan.requiredCounts[Int(frame.entity)]
    return required <= 64
      || !plan.entities[Int(frame.entity)].required.contains { isMissing($0, frame, own) }
  }

  /// The value that an entry holds; its bytes are borrowed from the stack of bytes.
  @inline(__always)
  func rawValue(_ entry: Entry) -> RawValue {
    switch entry.kind {
    case .word:
      return RawValue(bits: entry.bits, start: nil, count: 0, isNull: false)
    case .bytes:
      let start = state.pointee.bytes.base + Int(truncatingIfNeeded: entry.bits)
      return .bytes(UnsafePointer(start), count: Int(entry.count))
    default: return .null
    }
  }
}
