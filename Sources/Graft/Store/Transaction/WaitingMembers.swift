// An unordered list is sorted, so a member that comes or goes in its middle moves all members after
// it. For a million members that come in another order than they were made, that took a minute. So
// changes in the middle of a long list wait beside it. They are merged into it in one pass when the
// list is read, or when there are more than half as many changes as members. Short lists, and
// members at the end of a list, are written at once.
//
// Example: the tweets 1 to 1,000,000 get their author in random order. Nearly all of them belong before
// the last member of the author's list, and wait. They are merged about thirty times, and not moved a
// million times.
//
// An ordered list takes members at its end only, but is searched for each that it loses. So removals
// wait there as well.

/// The changes of one list that are not written to it yet.
struct WaitingMembers {
  /// The most members that are moved for one change.
  static let longestMove = 512
  /// The number of changes up to which they are written one by one, which costs less than a pass
  /// over the list.
  private static let fewChanges = 4
  /// The fewest waiting changes that are merged without a reader.
  private static let leastToMerge = 1024

  /// The changed members of an unordered list.
  ///
  /// A member that the list lacks is added, and one that it has is removed.
  ///
  /// An ordered list loses all of them.
  private(set) var members: Set<ObjectID> = []
  /// The number of members that an unordered list gains, less the ones that it loses.
  private(set) var growth = 0

  /// Returns whether merging costs less per change than waiting does in memory.
  fileprivate func areMany(for list: MemberList) -> Bool {
    members.count > max(Self.leastToMerge, list.count / 2)
  }

  /// Notes that an unordered list gains or loses a member.
  fileprivate mutating func toggle(_ member: ObjectID, isGained: Bool) {
    if members.remove(member) == nil { members.insert(member) }
    growth += isGained ? 1 : -1
  }

  /// Notes that an ordered list loses a member.
  fileprivate mutating func remove(_ member: ObjectID) { members.insert(member) }

  /// Writes the changes to the list, whose group can be written.
  fileprivate func merge(into list: MemberList, isOrdered: Bool) {
    if !isOrdered, members.count <= Self.fewChanges {
      for member in members {
        let place = list.position(of: member, isOrdered: false)
        if place.isFound {
          list.remove(at: place.index)
        } else {
          list.insert(member, at: place.index)
        }
      }
      return
    }
    let result =
      isOrdered ? list.members.filter { !members.contains($0) } : merged(with: list.members)
    if result.count > list.count { list.reserve(result.count) }
    list.replaceMembers(result.span)
  }

  /// Returns the members of a sorted list after the changes.
  private func merged(with old: BorrowedBuffer<ObjectID>) -> [ObjectID] {
    let changes = members.sorted()
    var next = 0
    var result: [ObjectID] = []
    result.reserveCapacity(old.count + max(growth, 0))
    for member in old {
      while next < changes.count, changes[next] < member {
        result.append(changes[next])
        next += 1
      }
      if next < changes.count, changes[next] == member { next += 1 } else { result.append(member) }
    }
    result.append(contentsOf: changes[next...])
    return result
  }
}

// Members of a to-many relationship. Its inverse is left alone.
extension WorkingTables {
  /// Returns whether a list has a member.
  ///
  /// - Complexity: O(log *n*) in the members of an unordered list, O(*n*) in those of an ordered one.
  func hasMember(_ member: ObjectID, _ owner: ObjectID, relationship: Int) -> Bool {
    let list = unmergedList(owner, relationship)
    let isOrdered = self[owner.entity].shape.relationships[relationship].isOrdered
    let isFound = list.position(of: member, isOrdered: isOrdered).isFound
    let isWaiting = isWaiting(member, owner, relationship)
    return isOrdered ? isFound && !isWaiting : isFound != isWaiting
  }

  /// Returns the number of a list's members.
  func memberCount(_ owner: ObjectID, relationship: Int) -> Int {
    if self[owner.entity].shape.relationships[relationship].isOrdered {
      return list(owner, relationship: relationship).count
    }
    let growth =
      hasWaiting(owner) ? self[owner.entity].waiting[key(owner, relationship)]?.growth : 0
    return unmergedList(owner, relationship).count + (growth ?? 0)
  }

  /// Adds a member to an unordered list.
  ///
  /// - Returns: Whether it was not a member yet.
  /// - Complexity: O(log *n*) in the members, amortised over many changes without a reader in between.
  func insertMember(_ member: ObjectID, _ owner: ObjectID, relationship: Int) -> Bool {
    let list = unmergedList(owner, relationship)
    let place = list.position(of: member, isOrdered: false)
    guard place.isFound == isWaiting(member, owner, relationship) else { return false }
    let moved = list.count - place.index
    // All waiting members belong before the last member.
    let isShort = moved <= WaitingMembers.longestMove && !hasWaiting(owner, relationship)
    if moved == 0 || isShort {
      writableUnmergedList(owner, relationship).insert(member, at: place.index)
    } else {
      wait(owner, relationship) { $0.toggle(member, isGained: true) }
    }
    return true
  }

  /// Adds a member, which it lacks, to the end of an ordered list.
  func appendMember(_ member: ObjectID, _ owner: ObjectID, relationship: Int) {
    if isWaiting(member, owner, relationship) { merge(owner, relationship) }
    let list = writableUnmergedList(owner, relationship)
    list.insert(member, at: list.count)
  }

  /// Removes a member from a list, if it has it.
  ///
  /// - Complexity: O(log *n*) in the members, amortised over many changes without a reader in between.
  func removeMember(_ member: ObjectID, _ owner: ObjectID, relationship: Int) {
    let list = unmergedList(owner, relationship)
    let isOrdered = self[owner.entity].shape.relationships[relationship].isOrdered
    let hasWaiting = hasWaiting(owner, relationship)
    let isAtEnd = list.members.first == member || list.members.last == member
    if isOrdered, hasWaiting || list.count > WaitingMembers.longestMove && !isAtEnd {
      return wait(owner, relationship) { $0.remove(member) }
    }
    let place = list.position(of: member, isOrdered: isOrdered)
    guard place.isFound != isWaiting(member, owner, relationship) else { return }
    let moved = list.count - place.index
    if !hasWaiting, isAtEnd || moved <= WaitingMembers.longestMove {
      writableUnmergedList(owner, relationship).remove(at: place.index)
    } else {
      wait(owner, relationship) { $0.toggle(member, isGained: false) }
    }
  }

  /// Returns a list for reading, with all its changes.
  func list(_ owner: ObjectID, relationship: Int) -> MemberList {
    merge(owner, relationship)
    return unmergedList(owner, relationship)
  }

  /// Returns a list for writing, with all its changes.
  func writableList(_ owner: ObjectID, relationship: Int) -> MemberList {
    merge(owner, relationship)
    return writableUnmergedList(owner, relationship)
  }

  /// Returns the table of an entity, whose lists have all their changes.
  func mergedTable(_ entity: Int) -> WorkingTable {
    for list in self[entity].waiting.keys {
      merge(list.owner, list.relationship)
    }
    return self[entity]
  }

  /// Forgets the waiting changes of a list.
  func forgetWaiting(_ owner: ObjectID, relationship: Int) {
    if hasWaiting(owner) { self[owner.entity].waiting[key(owner, relationship)] = nil }
  }

  private func unmergedList(_ owner: ObjectID, _ relationship: Int) -> MemberList {
    let shape = self[owner.entity].shape
    return group(of: owner).list(owner.row & shape.mask, shape.relationships[relationship])
  }

  private func writableUnmergedList(_ owner: ObjectID, _ relationship: Int) -> MemberList {
    let shape = self[owner.entity].shape
    return writableGroup(of: owner).list(owner.row & shape.mask, shape.relationships[relationship])
  }

  // These return no `WaitingMembers`: a copy in a variable would make the next change copy the set.

  /// Returns whether changes wait for lists of the owner's entity.
  @inline(__always)
  private func hasWaiting(_ owner: ObjectID) -> Bool { !self[owner.entity].waiting.isEmpty }

  private func hasWaiting(_ owner: ObjectID, _ relationship: Int) -> Bool {
    hasWaiting(owner) && self[owner.entity].waiting[key(owner, relationship)] != nil
  }

  /// Returns whether a member is among the waiting changes.
  private func isWaiting(_ member: ObjectID, _ owner: ObjectID, _ relationship: Int) -> Bool {
    hasWaiting(owner)
      && self[owner.entity].waiting[key(owner, relationship)]?.members.contains(member) == true
  }

  private func key(_ owner: ObjectID, _ relationship: Int) -> LinkEnd {
    LinkEnd(owner: owner, relationship: relationship)
  }

  /// Keeps a change until it is merged into its list.
  ///
  /// The list counts as written, so that the transaction looks at it when it ends.
  private func wait(
    _ owner: ObjectID, _ relationship: Int, _ change: (inout WaitingMembers) -> Void
  ) {
    let list = writableUnmergedList(owner, relationship)
    let key = key(owner, relationship)
    change(&self[owner.entity].waiting[key, default: WaitingMembers()])
    if self[owner.entity].waiting[key]?.areMany(for: list) == true { merge(owner, relationship) }
  }

  @inline(__always)
  private func merge(_ owner: ObjectID, _ relationship: Int) {
    if hasWaiting(owner) { mergeWaiting(owner, relationship) }
  }

  @inline(never)
  private func mergeWaiting(_ owner: ObjectID, _ relationship: Int) {
    let key = key(owner, relationship)
    guard let waiting = self[owner.entity].waiting.removeValue(forKey: key) else { return }
    let isOrdered = self[owner.entity].shape.relationships[relationship].isOrdered
    waiting.merge(into: writableUnmergedList(owner, relationship), isOrdered: isOrdered)
  }
}
