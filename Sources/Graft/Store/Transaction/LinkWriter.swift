// Links are kept on both sides: a setter of a relationship also sets its inverse. Each setter
// writes its own side first and the other ends after it. So an object that is linked to itself, by
// a relationship that is its own inverse, ends in its final state. Loops run over copies and never
// over a list in a group, because writing may copy, move or compact the group.
//
// Example: `Tweet.author` is the inverse of `User.tweets`, and tweet 1 is by Ada. Setting the
// author of tweet 1 to Bob writes the cell of the tweet, takes the tweet out of Ada's list and
// inserts it into Bob's. Setting Bob's tweets to [1] has the same effect, from the other side.

/// Writes relationships and keeps their inverses in step.
struct LinkWriter {
  let tables: WorkingTables
  /// Records changes of to-one links; nil for a graph that is all in memory.
  let fetched: FetchedObjects?

  /// Links an object to another one, or to none.
  ///
  /// - Returns: Whether the link differed.
  func setToOne(_ id: ObjectID, _ relationship: Int, _ target: ObjectID?) -> Bool {
    let shape = tables[id.entity].shape
    let column = shape.relationships[relationship]
    let cell = tables.group(of: id).toOne(id.row & shape.mask, column)
    let new = target.map(\.rawValue) ?? 0
    if cell == new { return false }
    tables.writableGroup(of: id).setToOne(id.row & shape.mask, column, new)
    fetched?.noteChange(of: id)
    let inverse = column.inverse
    guard inverse >= 0 else { return true }
    if let old = ObjectID(cell: cell) { unlink(old, inverse, from: id) }
    if let target { linkBack(target, inverse, to: id, relationship) }
    return true
  }

  /// Makes a to-many relationship lead to these objects and no others; where one occurs twice, its
  /// first place counts.
  ///
  /// - Returns: Whether anything differed.
  func setToMany(
    _ id: ObjectID, _ relationship: Int, _ targets: Span<ObjectID>
  ) -> Bool {
    let isSame = tables.withToMany(id, relationship: relationship) {
      $0.withSpan { targets.isEqual(to: $0) }
    }
    if isSame { return false }
    if targets.isStrictlyAscending { return replaceMembers(id, relationship, targets) }
    var members = targets.array()
    if tables[id.entity].shape.relationships[relationship].isOrdered {
      members.keepFirstOccurrences()
    } else {
      members.sort()
      members.removeEqualNeighbours()
    }
    return replaceMembers(id, relationship, members.span)
  }

  /// Removes a member of a to-many relationship.
  func removeMember(_ member: ObjectID, _ id: ObjectID, _ relationship: Int) {
    unlink(id, relationship, from: member)
    let inverse = tables[id.entity].shape.relationships[relationship].inverse
    if inverse >= 0 { unlink(member, inverse, from: id) }
  }

  /// Adds objects to a to-many relationship, at the end if it is ordered.
  ///
  /// - Returns: Whether any of them was not a member yet.
  func unite(_ id: ObjectID, _ relationship: Int, _ targets: Span<ObjectID>) -> Bool {
    // Add a few members one by one, so that a list that grows in many steps is not copied in each.
    let column = tables[id.entity].shape.relationships[relationship]
    let isCheap = column.inverse >= 0 || !column.isOrdered
    let count = tables.memberCount(id, relationship: relationship)
    if targets.count <= 4 || isCheap && targets.count * 8 < count {
      var isChanged = false
      for index in targets.indices where insertMember(targets[index], id, relationship) {
        if column.inverse >= 0 { linkBack(targets[index], column.inverse, to: id, relationship) }
        isChanged = true
      }
      return isChanged
    }
    let all = tables.toMany(id, relationship: relationship) + targets.array()
    return setToMany(id, relationship, all.span)
  }
}

// One side only. The caller writes the other side, or knows that it needs no change.
extension LinkWriter {
  /// Removes `target` from a relationship, and leaves its inverse alone.
  func unlink(_ owner: ObjectID, _ relationship: Int, from target: ObjectID) {
    let shape = tables[owner.entity].shape
    let column = shape.relationships[relationship]
    let local = owner.row & shape.mask
    guard column.isToMany else {
      let cell = tables.group(of: owner).toOne(local, column)
      guard cell == target.rawValue else { return }
      tables.writableGroup(of: owner).setToOne(local, column, 0)
      fetched?.noteChange(of: owner)
      return
    }
    tables.removeMember(target, owner, relationship: relationship)
  }

  /// Removes members from a to-many relationship, and leaves its inverse alone.
  func keepMembers(_ id: ObjectID, _ relationship: Int, where isKept: (ObjectID) -> Bool) {
    let isComplete = tables.withToMany(id, relationship: relationship) { $0.allSatisfy(isKept) }
    if isComplete { return }
    writeMembers(id, relationship, tables.toMany(id, relationship: relationship).filter(isKept))
  }

  /// Puts an object in the place of another in a relationship, and leaves its inverse alone.
  func replace(_ old: ObjectID, by new: ObjectID, in owner: ObjectID, _ relationship: Int) {
    let shape = tables[owner.entity].shape
    let column = shape.relationships[relationship]
    let local = owner.row & shape.mask
    guard column.isToMany else {
      let group = tables.writableGroup(of: owner)
      if group.toOne(local, column) == old.rawValue {
        group.setToOne(local, column, new.rawValue)
      }
      return
    }
    guard column.isOrdered else {
      guard tables.hasMember(old, owner, relationship: relationship) else { return }
      tables.removeMember(old, owner, relationship: relationship)
      _ = tables.insertMember(new, owner, relationship: relationship)
      return
    }
    let list = tables.writableList(owner, relationship: relationship)
    let place = list.position(of: old, isOrdered: true)
    guard place.isFound else { return }
    list.remove(at: place.index)
    list.insert(new, at: place.index)
  }

  /// Writes the objects of a relationship, and leaves its inverse alone.
  func writeTargets(_ owner: ObjectID, _ relationship: Int, _ targets: [ObjectID]) {
    let shape = tables[owner.entity].shape
    let column = shape.relationships[relationship]
    if column.isToMany {
      writeMembers(owner, relationship, column.isOrdered ? targets : targets.sorted())
    } else {
      tables.writableGroup(of: owner)
        .setToOne(owner.row & shape.mask, column, targets.last?.rawValue ?? 0)
    }
  }

  private func writeMembers(_ id: ObjectID, _ relationship: Int, _ members: [ObjectID]) {
    tables.writableList(id, relationship: relationship).replaceMembers(members.span)
  }
}

extension LinkWriter {
  /// Replaces the targets of a relationship without inverse, for all objects of an entity.
  ///
  /// The owners that lead to an object by such a relationship cannot be read from the object, so
  /// this passes over all owners.
  ///
  /// `replacement` takes a target, and returns the object that is to be in its place; nil for none.
  ///
  /// - Complexity: O(*n*) in the number of the entity's objects and their links.
  func redirectAll(
    of entity: Int, _ relationship: Int, _ replacement: (ObjectID) -> ObjectID?
  ) {
    let column = tables[entity].shape.relationships[relationship]
    for row in 0..<tables[entity].rowCount {
      let id = tables[entity].shape.objectID(row)
      guard tables.contains(id) else { continue }
      guard column.isToMany else {
        if let target = tables.toOne(id, relationship: relationship) {
          _ = setToOne(id, relationship, replacement(target))
        }
        continue
      }
      let isComplete = tables.withToMany(id, relationship: relationship) { members in
        members.allSatisfy { replacement($0) == $0 }
      }
      if isComplete { continue }
      let members = tables.toMany(id, relationship: relationship).compactMap(replacement)
      _ = setToMany(id, relationship, members.span)
    }
  }
}

extension LinkWriter {
  /// Writes the members, which are unique, and sorted unless ordered; then links and unlinks the
  /// other ends.
  private func replaceMembers(
    _ id: ObjectID, _ relationship: Int, _ members: Span<ObjectID>
  ) -> Bool {
    let column = tables[id.entity].shape.relationships[relationship]
    let old = tables.toMany(id, relationship: relationship)
    if members.isEqual(to: old.span) { return false }
    tables.writableList(id, relationship: relationship).replaceMembers(members)
    guard column.inverse >= 0 else { return true }
    if old.isEmpty {
      for index in members.indices {
        linkBack(members[index], column.inverse, to: id, relationship)
      }
    } else if column.isOrdered {
      let (old, new) = (old.sorted(), members.array().sorted())
      linkBackChanges(id, relationship, old.span, new.span)
    } else {
      linkBackChanges(id, relationship, old.span, members)
    }
    return true
  }

  /// Unlinks the other ends that are only in `old` and links those only in `new`; both are sorted.
  private func linkBackChanges(
    _ id: ObjectID, _ relationship: Int, _ old: Span<ObjectID>, _ new: Span<ObjectID>
  ) {
    let inverse = tables[id.entity].shape.relationships[relationship].inverse
    var (oldIndex, newIndex) = (0, 0)
    while oldIndex < old.count || newIndex < new.count {
      if newIndex == new.count || (oldIndex < old.count && old[oldIndex] < new[newIndex]) {
        unlink(old[oldIndex], inverse, from: id)
        oldIndex += 1
      } else if oldIndex == old.count || new[newIndex] < old[oldIndex] {
        linkBack(new[newIndex], inverse, to: id, relationship)
        newIndex += 1
      } else {
        oldIndex += 1
        newIndex += 1
      }
    }
  }

  /// Links the other end to `owner`; a to-one that led elsewhere is taken from there.
  @inline(never)
  private func linkBack(
    _ target: ObjectID, _ inverse: Int, to owner: ObjectID, _ relationship: Int
  ) {
    if target == owner, inverse == relationship { return }
    let shape = tables[target.entity].shape
    let column = shape.relationships[inverse]
    if column.isToMany {
      _ = insertMember(owner, target, inverse, isKnownToBeNew: true)
      return
    }
    let local = target.row & shape.mask
    let previous = tables.group(of: target).toOne(local, column)
    if previous == owner.rawValue { return }
    tables.writableGroup(of: target).setToOne(local, column, owner.rawValue)
    fetched?.noteChange(of: target)
    if let previous = ObjectID(cell: previous) { unlink(previous, relationship, from: target) }
  }

  /// Adds a member to a list, and leaves the inverse alone.
  ///
  /// An ordered list is not searched for a member that is known to be new. Both sides agree before
  /// each write, so the caller knows from the other side.
  ///
  /// - Returns: Whether it was not a member yet.
  @inline(never)
  private func insertMember(
    _ member: ObjectID, _ owner: ObjectID, _ relationship: Int, isKnownToBeNew: Bool = false
  ) -> Bool {
    guard tables[owner.entity].shape.relationships[relationship].isOrdered else {
      return tables.insertMember(member, owner, relationship: relationship)
    }
    if !isKnownToBeNew, isLinked(owner, relationship, to: member) { return false }
    tables.appendMember(member, owner, relationship: relationship)
    return true
  }

  /// Returns whether a relationship leads to an object; both sides agree, so the cheaper one is asked.
  func isLinked(_ owner: ObjectID, _ relationship: Int, to member: ObjectID) -> Bool {
    let column = tables[owner.entity].shape.relationships[relationship]
    guard column.isToMany else { return tables.toOne(owner, relationship: relationship) == member }
    let inverse = column.inverse
    if inverse >= 0 {
      let back = tables[member.entity].shape.relationships[inverse]
      guard back.isToMany else {
        return tables.toOne(member, relationship: inverse) == owner
      }
      let isShorter =
        tables.memberCount(member, relationship: inverse)
        < tables.memberCount(owner, relationship: relationship)
      if isShorter { return tables.hasMember(owner, member, relationship: inverse) }
    }
    return tables.hasMember(member, owner, relationship: relationship)
  }
}

// Promotion. An object never changes its entity, because its identifier names the entity. A stub that is found to be of
// a sub-entity is promoted: another object takes its place.
//
// Example: a note's `party` is the bare identifier 7, so 7 becomes a stub of `Party`. Later the document has the
// person 7. A `Person` with the identity 7 is inserted, the note's `party` leads to it, it has the stub's notes, and the
// stub is removed.
extension LinkWriter {
  /// Moves the links of a stub to the object that takes its place; each keeps its position in its list.
  ///
  /// Links to the stub by a relationship without inverse cannot be found from its side. One pass over those
  /// relationships redirects them for all promoted stubs together.
  ///
  /// - Parameters:
  ///   - stub: The stub.
  ///   - replacement: An object of a sub-entity, without links yet.
  func moveLinks(of stub: ObjectID, to replacement: ObjectID) {
    let shape = tables[stub.entity].shape
    for number in shape.relationships.indices {
      let targets = tables.targets(stub, relationship: number)
      if targets.isEmpty { continue }
      let inverse = shape.relationships[number].inverse
      if inverse >= 0 {
        for target in targets where target != stub {
          replace(stub, by: replacement, in: target, inverse)
        }
      }
      writeTargets(replacement, number, targets.map { $0 == stub ? replacement : $0 })
      writeTargets(stub, number, [])
    }
  }
}

extension Span<ObjectID> {
  fileprivate var isStrictlyAscending: Bool {
    for index in indices.dropFirst() where self[index] <= self[index - 1] { return false }
    return true
  }

  fileprivate func isEqual(to other: Span<ObjectID>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }

  fileprivate func array() -> [ObjectID] { indices.map { self[$0] } }
}

extension [ObjectID] {
  /// Removes repetitions; short arrays are searched, long ones use a set.
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

  fileprivate mutating func removeEqualNeighbours() {
    var kept = 0
    for index in indices where kept == 0 || self[index] != self[kept - 1] {
      self[kept] = self[index]
      kept += 1
    }
    removeLast(count - kept)
  }
}
