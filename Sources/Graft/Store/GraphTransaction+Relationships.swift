// Links are kept on both sides. Each setter writes its own side first and then the other ends, so
// that an object linked to itself by a relationship that is its own inverse is met in its final
// state. What is iterated over is never a list in a group but a copy, because writing may copy,
// move or compact the group.

extension GraphTransaction {
  /// The object a to-one relationship leads to.
  func toOne(_ id: ObjectID, relationship: Int) -> ObjectID? {
    let shape = tables[id.entity].shape
    let column = shape.relationships[relationship]
    return ObjectID(cell: group(of: id).toOne(id.row & shape.mask, column).pointee)
  }

  /// Links an object to another or to none, and keeps the inverse.
  ///
  /// - Returns: Whether the link differed.
  func setToOne(_ id: ObjectID, relationship: Int, _ target: ObjectID?) -> Bool {
    let shape = tables[id.entity].shape
    let column = shape.relationships + relationship
    assert(target.map { isMember($0, of: column.pointee.destination) } ?? true)
    let cell = group(of: id).toOne(id.row & shape.mask, column.pointee).pointee
    let new = target.map(\.rawValue) ?? 0
    if cell == new { return false }
    writableGroup(of: id).toOne(id.row & shape.mask, column.pointee).pointee = new
    let inverse = column.pointee.inverse
    guard inverse >= 0 else { return true }
    if let old = ObjectID(cell: cell) { unlink(old, inverse, from: id) }
    if let target { answer(target, inverse, to: id, relationship) }
    return true
  }

  /// The number of objects a to-many relationship leads to.
  func toManyCount(_ id: ObjectID, relationship: Int) -> Int {
    let shape = tables[id.entity].shape
    let column = shape.relationships[relationship]
    return Int(group(of: id).list(id.row & shape.mask, column).pointee.count)
  }

  /// Calls `body` with the objects a to-many relationship leads to; it must not write to the
  /// transaction.
  func withToMany<R>(
    _ id: ObjectID, relationship: Int, _ body: (UnsafeBufferPointer<ObjectID>) throws -> R
  ) rethrows -> R {
    let shape = tables[id.entity].shape
    let group = group(of: id)
    return try body(
      group.members(group.list(id.row & shape.mask, shape.relationships[relationship])))
  }

  /// The objects a to-many relationship leads to: in their order, or sorted by identifier if they
  /// have none.
  func toMany(_ id: ObjectID, relationship: Int) -> [ObjectID] {
    withToMany(id, relationship: relationship) { Array($0) }
  }

  /// Makes a to-many relationship lead to these objects, and keeps the inverse.
  ///
  /// Where an object occurs twice, its first place counts.
  ///
  /// - Returns: Whether anything differed.
  func setToMany(
    _ id: ObjectID, relationship: Int, _ targets: UnsafeBufferPointer<ObjectID>
  ) -> Bool {
    let isOrdered = tables[id.entity].shape.relationships[relationship].isOrdered
    let isSame = withToMany(id, relationship: relationship) { $0.elementsEqual(targets) }
    if isSame { return false }
    return targets.withUniqueMembers(isOrdered: isOrdered) {
      replaceMembers(id, relationship, $0)
    }
  }

  /// Adds objects to those a to-many relationship leads to, and keeps the inverse.
  ///
  /// - Returns: Whether any was not there yet.
  func unite(
    _ id: ObjectID, relationship: Int, _ targets: UnsafeBufferPointer<ObjectID>
  ) -> Bool {
    // A few are added one by one, so that a list that grows in many steps is not copied in each.
    let column = tables[id.entity].shape.relationships[relationship]
    let isCheap = column.inverse >= 0 || !column.isOrdered
    let count = toManyCount(id, relationship: relationship)
    if targets.count <= 4 || isCheap && targets.count * 8 < count {
      var isChanged = false
      for target in targets where insertMember(target, id, relationship) {
        if column.inverse >= 0 { answer(target, column.inverse, to: id, relationship) }
        isChanged = true
      }
      return isChanged
    }
    let all = toMany(id, relationship: relationship) + targets
    return all.withUnsafeBufferPointer { setToMany(id, relationship: relationship, $0) }
  }

  /// Whether an object is of an entity or one below it, and exists.
  func isMember(_ id: ObjectID, of entity: Int) -> Bool {
    contains(id) && schema.entities[entity].family.contains(id.entity)
  }
}

extension GraphTransaction {
  /// Writes the members, which are unique and sorted unless ordered, and brings the other ends into
  /// step.
  private func replaceMembers(
    _ id: ObjectID, _ relationship: Int, _ members: UnsafeBufferPointer<ObjectID>
  ) -> Bool {
    let shape = tables[id.entity].shape
    let column = shape.relationships[relationship]
    let old = toMany(id, relationship: relationship)
    if old.elementsEqual(members) { return false }
    let group = writableGroup(of: id)
    group.replaceMembers(members, in: group.list(id.row & shape.mask, column))
    guard column.inverse >= 0 else { return true }
    if old.isEmpty {
      for member in members { answer(member, column.inverse, to: id, relationship) }
      return true
    }
    let (sortedOld, sortedNew) = column.isOrdered ? (old.sorted(), members.sorted()) : (old, [])
    sortedOld.withUnsafeBufferPointer { old in
      guard column.isOrdered else { return answerChanges(id, relationship, old, members) }
      sortedNew.withUnsafeBufferPointer { answerChanges(id, relationship, old, $0) }
    }
    return true
  }

  /// Unlinks what is only in `old` and links what is only in `new`; both are sorted.
  private func answerChanges(
    _ id: ObjectID, _ relationship: Int, _ old: UnsafeBufferPointer<ObjectID>,
    _ new: UnsafeBufferPointer<ObjectID>
  ) {
    let inverse = tables[id.entity].shape.relationships[relationship].inverse
    var (oldIndex, newIndex) = (0, 0)
    while oldIndex < old.count || newIndex < new.count {
      if newIndex == new.count || (oldIndex < old.count && old[oldIndex] < new[newIndex]) {
        unlink(old[oldIndex], inverse, from: id)
        oldIndex += 1
      } else if oldIndex == old.count || new[newIndex] < old[oldIndex] {
        answer(new[newIndex], inverse, to: id, relationship)
        newIndex += 1
      } else {
        oldIndex += 1
        newIndex += 1
      }
    }
  }

  /// Links the other end back.
  ///
  /// A to-one that led elsewhere is taken from there.
  private func answer(
    _ target: ObjectID, _ inverse: Int, to source: ObjectID, _ relationship: Int
  ) {
    if target == source, inverse == relationship { return }
    let shape = tables[target.entity].shape
    let column = shape.relationships + inverse
    if column.pointee.isToMany {
      _ = insertMember(source, target, inverse, isKnownToBeNew: true)
      return
    }
    let previous = group(of: target).toOne(target.row & shape.mask, column.pointee).pointee
    if previous == source.rawValue { return }
    writableGroup(of: target).toOne(target.row & shape.mask, column.pointee).pointee =
      source.rawValue
    if let previous = ObjectID(cell: previous) { unlink(previous, relationship, from: target) }
  }

  /// Takes `target` out of a relationship, without regard to its inverse.
  func unlink(_ source: ObjectID, _ relationship: Int, from target: ObjectID) {
    let shape = tables[source.entity].shape
    let column = shape.relationships + relationship
    let local = source.row & shape.mask
    guard column.pointee.isToMany else {
      let cell = group(of: source).toOne(local, column.pointee).pointee
      guard cell == target.rawValue else { return }
      writableGroup(of: source).toOne(local, column.pointee).pointee = 0
      return
    }
    let shared = group(of: source)
    let place = shared.position(
      of: target, in: shared.list(local, column.pointee), isOrdered: column.pointee.isOrdered)
    guard place.isFound else { return }
    let group = writableGroup(of: source)
    group.remove(at: place.index, from: group.list(local, column.pointee))
  }

  /// Adds a member to a list, without regard to the inverse.
  ///
  /// An ordered list need not be searched for a member that is known to be new, because both sides
  /// agreed before.
  ///
  /// - Returns: Whether it was not there yet.
  private func insertMember(
    _ member: ObjectID, _ owner: ObjectID, _ relationship: Int, isKnownToBeNew: Bool = false
  ) -> Bool {
    let shape = tables[owner.entity].shape
    let column = shape.relationships + relationship
    let local = owner.row & shape.mask
    let shared = group(of: owner)
    let cell = shared.list(local, column.pointee)
    let index: Int
    if column.pointee.isOrdered {
      if !isKnownToBeNew, isLinked(owner, relationship, to: member) { return false }
      index = Int(cell.pointee.count)
    } else {
      let place = shared.position(of: member, in: cell, isOrdered: false)
      if place.isFound { return false }
      index = place.index
    }
    let group = writableGroup(of: owner)
    group.insert(member, at: index, in: group.list(local, column.pointee))
    return true
  }

  /// Whether an ordered list has a member.
  ///
  /// The member's own side answers where it is a to-one or the shorter list; both sides agree.
  private func isLinked(_ owner: ObjectID, _ relationship: Int, to member: ObjectID) -> Bool {
    let column = tables[owner.entity].shape.relationships + relationship
    let inverse = column.pointee.inverse
    if inverse >= 0 {
      let back = tables[member.entity].shape.relationships + inverse
      guard back.pointee.isToMany else {
        return toOne(member, relationship: inverse) == owner
      }
      let isShorter =
        toManyCount(member, relationship: inverse) < toManyCount(owner, relationship: relationship)
      if isShorter { return holds(owner, member, back.pointee) }
    }
    return holds(member, owner, column.pointee)
  }

  private func holds(
    _ member: ObjectID, _ owner: ObjectID, _ column: RelationshipColumn
  ) -> Bool {
    let group = group(of: owner)
    let cell = group.list(owner.row & tables[owner.entity].shape.mask, column)
    return group.position(of: member, in: cell, isOrdered: column.isOrdered).isFound
  }
}

extension UnsafeBufferPointer<ObjectID> {
  /// Calls `body` with the members as a list keeps them: each once, sorted by identifier unless
  /// ordered.
  fileprivate func withUniqueMembers<R>(
    isOrdered: Bool, _ body: (UnsafeBufferPointer<ObjectID>) throws -> R
  ) rethrows -> R {
    if isStrictlyAscending { return try body(self) }
    var members = Array(self)
    if isOrdered {
      members.keepFirstOccurrences()
    } else {
      members.sort()
      members.dropRepetitions()
    }
    return try members.withUnsafeBufferPointer(body)
  }

  private var isStrictlyAscending: Bool {
    for index in indices.dropFirst() where self[index] <= self[index - 1] { return false }
    return true
  }
}

extension [ObjectID] {
  /// Removes what occurred before; short lists are searched, long ones use a set.
  fileprivate mutating func keepFirstOccurrences() {
    if count <= 16 {
      var kept = 0
      for index in indices where !self[..<kept].contains(self[index]) {
        self[kept] = self[index]
        kept += 1
      }
      removeLast(count - kept)
    } else {
      var seen = Set<ObjectID>(minimumCapacity: count)
      removeAll { !seen.insert($0).inserted }
    }
  }

  /// Removes neighbours that are equal.
  fileprivate mutating func dropRepetitions() {
    var kept = 0
    for index in indices where kept == 0 || self[index] != self[kept - 1] {
      self[kept] = self[index]
      kept += 1
    }
    removeLast(count - kept)
  }
}
