extension ImportMachine {
  /// Writes what is known of an object.
  ///
  /// - Returns: Whether anything differed.
  func write(_ own: Entries, to object: ObjectID) -> Bool {
    var hasChanged = false
    var hasLinks = false
    let row = transaction.row(object)
    for position in 0..<own.count {
      let entry = own.base + position
      guard entry.pointee.frame == own.frame, !entry.pointee.isSuperseded else { continue }
      let number = Int(entry.pointee.number)
      switch entry.pointee.kind {
      case .word, .bytes, .null:
        if entry.pointee.isIdentity { continue }
        if row.set(number, rawValue(entry.pointee)) { hasChanged = true }
      case .default:
        if row.set(number, defaultValue(of: number, object.entity)) { hasChanged = true }
      case .toOne, .element, .deferred, .collection:
        hasLinks = true
      case .idleAttribute, .idleRelationship: break
      }
    }
    if plan.hasLookups { noteLookups(of: object) }
    if hasLinks, state.pointee.hasSuccessors { redirect(own) }
    return hasLinks && link(own, to: object) || hasChanged
  }

  /// Whether an object that came without identity has gone into the one that a relationship leads
  /// to already.
  private func fillsPresent(_ new: ObjectID, of owner: ObjectID, _ relationship: Int) -> Bool {
    guard plan.fillsPresentTarget, marks.mark(of: new) == .inserted,
      let present = transaction.toOne(owner, relationship: relationship).map({ current($0) }),
      schema.entities[new.entity].identity.allSatisfy({ transaction.isNull(new, attribute: $0) })
    else { return false }
    return fill(present, from: new)
  }

  /// The default of an attribute; null where it has none.
  private func defaultValue(of attribute: Int, _ entity: Int) -> RawValue {
    transaction.layout.defaults[entity].first { $0.attribute == attribute }?.value ?? .null
  }

  /// Writes the links of an object.
  private func link(_ own: Entries, to object: ObjectID) -> Bool {
    var hasChanged = false
    for position in 0..<own.count {
      let entry = own.base + position
      guard entry.pointee.frame == own.frame, !entry.pointee.isSuperseded else { continue }
      let number = Int(entry.pointee.number)
      switch entry.pointee.kind {
      case .toOne:
        let target = ObjectID(cell: entry.pointee.bits)
        if let target, fillsPresent(target, of: object, number) { continue }
        tally.cancelDeferred(object, number)
        if transaction.setToOne(object, relationship: number, target) { hasChanged = true }
      case .deferred
      where !schema.entities[object.entity].relationships[number].isToMany:
        tally.deferLink(
          DeferredLink(
            owner: object, relationship: number, members: [.reference(Int(entry.pointee.bits))],
            isNested: false),
          joins: false)
      case .collection:
        if setMembers(of: object, own, from: position) { hasChanged = true }
      default: break
      }
    }
    return hasChanged
  }

  /// Writes the members of a to-many relationship, which stand behind the entry that says that it
  /// is present.
  private func setMembers(of object: ObjectID, _ own: Entries, from position: Int) -> Bool {
    let collection = own.base[position]
    var waitsForEnd = false
    var holdsObjects = false
    var holdsIdentifiers = isOfIdentifiers(collection, object)
    state.pointee.members.truncate(to: 0)
    for other in position + 1..<own.count {
      let entry = own.base + other
      guard entry.pointee.frame == own.frame, entry.pointee.number == collection.number,
        entry.pointee.rank == collection.rank
      else { continue }
      switch entry.pointee.kind {
      // A later collection of the same relationship is a key that stands twice: the later one
      // counts.
      case .collection: return false
      case .deferred: waitsForEnd = true
      case .element:
        if entry.pointee.count == 0 { holdsObjects = true } else { holdsIdentifiers = true }
        if let member = ObjectID(cell: entry.pointee.bits) { state.pointee.members.push(member) }
      default: break
      }
    }
    let number = Int(collection.number)
    if waitsForEnd {
      deferMembers(of: object, own, collection)
      return false
    }
    let members = UnsafeBufferPointer(
      start: UnsafePointer(state.pointee.members.base), count: state.pointee.members.count)
    let isNested = holdsObjects || !holdsIdentifiers
    if collection.bits == 1 {
      tally.cancelDeferred(object, number)
      return replaceMembers(of: object, number, members, isNested: isNested)
    }
    if !unites(object, number) { tally.cancelDeferred(object, number) }
    return setMembers(of: object, number, members, isNested: isNested)
  }

  /// Whether a collection stands where only identifiers stand.
  private func isOfIdentifiers(_ collection: Entry, _ object: ObjectID) -> Bool {
    let relationship = plan.entities[object.entity].schema.relationships[Int(collection.number)]
    return Int(collection.rank) >= relationship.paths.count
  }

  /// Whether arrays join a relationship's members.
  private func unites(_ object: ObjectID, _ relationship: Int) -> Bool {
    plan.entities[object.entity].relationships[relationship].collection == .union
  }

  /// Writes the members of a to-many relationship by its policies.
  ///
  /// - Parameters:
  ///   - object: The object that has the relationship.
  ///   - relationship: The number of the relationship.
  ///   - members: The members in their order.
  ///   - isNested: Whether the objects themselves were listed, and not their identifiers alone.
  /// - Returns: Whether anything differed.
  func setMembers(
    of object: ObjectID, _ relationship: Int, _ members: UnsafeBufferPointer<ObjectID>,
    isNested: Bool
  ) -> Bool {
    guard !unites(object, relationship) else {
      return transaction.unite(object, relationship: relationship, members)
    }
    return replaceMembers(of: object, relationship, members, isNested: isNested)
  }

  private func replaceMembers(
    of object: ObjectID, _ relationship: Int, _ members: UnsafeBufferPointer<ObjectID>,
    isNested: Bool
  ) -> Bool {
    let policy = plan.entities[object.entity].relationships[relationship]
    if (isNested ? policy.removed : policy.removedByIdentifiers) == .delete {
      let kept = Set(members)
      let lost = transaction.toMany(object, relationship: relationship)
        .filter { !kept.contains($0) }
      if !lost.isEmpty {
        tally.removed.append(
          RemovedMembers(
            ownerEntity: object.entity, relationship: relationship, objects: lost))
      }
    }
    return transaction.setToMany(object, relationship: relationship, members)
  }

  /// Keeps the members of a relationship, in their order, until the document has ended.
  private func deferMembers(of object: ObjectID, _ own: Entries, _ collection: Entry) {
    var members: [DeferredLink.Member] = []
    var isNested = false
    for position in 0..<own.count {
      let entry = own.base[position]
      guard entry.frame == own.frame, entry.number == collection.number,
        entry.rank == collection.rank
      else { continue }
      switch entry.kind {
      case .collection: members = []
      case .deferred: members.append(.reference(Int(entry.bits)))
      case .element:
        if entry.count == 0 { isNested = true }
        if let object = ObjectID(cell: entry.bits) { members.append(.object(object)) }
      default: break
      }
    }
    tally.deferLink(
      DeferredLink(
        owner: object, relationship: Int(collection.number), members: members,
        isNested: isNested),
      joins: unites(object, Int(collection.number)))
  }
}
