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
      guard place(frame, own, &object) else { return false }
    }
    dropEntries(of: frame, index)
    _ = state.pointee.frames.pop()
    guard let object else { return true }
    for position in open.deliveries.indices { deliver(object, plan.deliveries[position], frame) }
    return true
  }

  /// Hands a finished object to a frame below.
  private func deliver(_ object: ObjectID, _ delivery: Delivery, _ frame: Frame) {
    if delivery.kind == .root {
      tally.rootObjects[Int(delivery.number)] += 1
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

  /// Finds or inserts the object that a frame describes, and writes what is known of it.
  ///
  /// - Parameter object: The object; stays nil where it is passed over.
  /// - Returns: Whether the import goes on.
  private func place(_ frame: Frame, _ own: Entries, _ object: inout ObjectID?) -> Bool {
    let entity = Int(frame.entity)
    let identityCount = plan.identityCounts[entity]
    state.pointee.identity.truncate(to: 0)
    var mark = TouchMarks.Mark.unchanged
    if identityCount > 0 {
      guard gatherIdentity(entity, own) else {
        return placeWithoutIdentity(frame, own, &object)
      }
      let values = UnsafeBufferPointer(start: state.pointee.identity.base, count: identityCount)
      object = transaction.find(identityOf: entity, values)
      if let found = object {
        if found.entity != entity, !schema.entities[entity].family.contains(found.entity) {
          return rejectStranger(found, frame)
        }
        if transaction.isStub(found) {
          guard isComplete(frame) else { return rejectIncomplete(frame) }
          transaction.setStub(found, false)
          mark = .updated
        }
      }
    }
    if object == nil {
      guard let inserted = insert(frame) else { return false }
      object = inserted
      mark = .inserted
    }
    guard let object else { return true }
    if write(own, to: object), mark == .unchanged { mark = .updated }
    marks.note(mark, object)
    return true
  }

  /// Inserts the object that a frame describes, with the identity that has been gathered.
  private func insert(_ frame: Frame) -> ObjectID? {
    let entity = Int(frame.entity)
    guard !schema.entities[entity].isAbstract || schema.dialect.defaults.instantiatesAbstract else {
      _ = rejectAbstract(frame)
      return nil
    }
    guard isComplete(frame) else {
      _ = rejectIncomplete(frame)
      return nil
    }
    let identity = state.pointee.identity
    return transaction.insert(
      entity: entity, identity: UnsafeBufferPointer(start: identity.base, count: identity.count))
  }

  /// An object that lacks its identity.
  private func placeWithoutIdentity(
    _ frame: Frame, _ own: Entries, _ object: inout ObjectID?
  ) -> Bool {
    let entity = plan.entities[Int(frame.entity)]
    switch entity.missingIdentity {
    case .error: return rejectMissingIdentity(frame, own)
    case .skip:
      noteMissingIdentity(frame, own)
      return true
    case .insert:
      state.pointee.identity.truncate(to: 0)
      guard let inserted = insert(frame) else { return false }
      object = inserted
      _ = write(own, to: inserted)
      marks.note(.inserted, inserted)
      return true
    }
  }

  /// Collects the values of the identity in their order; false where one is missing or null.
  private func gatherIdentity(_ entity: Int, _ own: Entries) -> Bool {
    for attribute in plan.entities[entity].schema.identity {
      var value = RawValue.null
      for position in 0..<own.count {
        let entry = own.base + position
        guard entry.pointee.isIdentity, entry.pointee.frame == own.frame,
          Int(entry.pointee.number) == attribute, !entry.pointee.isSuperseded
        else { continue }
        value = rawValue(entry.pointee)
      }
      if value.isNull { return false }
      state.pointee.identity.push(value)
    }
    return true
  }

  /// Whether each required attribute has a value, or a default to stand in.
  private func isComplete(_ frame: Frame) -> Bool {
    let mask = plan.requiredMasks[Int(frame.entity)]
    return frame.seen & mask == mask
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

/// The entries of one frame, among which those of others may lie.
struct Entries {
  let base: UnsafeMutablePointer<Entry>
  let count: Int
  let frame: Int32

  /// Marks the entries of a property for which a path that comes first has been found too.
  func supersede() {
    for position in 0..<count where base[position].frame == frame {
      let entry = base + position
      for other in 0..<count
      where base[other].frame == frame && base[other].rank < entry.pointee.rank
        && base[other].number == entry.pointee.number
        && base[other].kind.isAttribute == entry.pointee.kind.isAttribute
      {
        entry.pointee.isSuperseded = true
      }
    }
  }
}

extension Entry.Kind {
  /// Whether the entry concerns an attribute, and not a relationship.
  var isAttribute: Bool {
    switch self {
    case .word, .bytes, .null, .default: true
    case .toOne, .element, .collection: false
    }
  }
}
