// The members of a to-many relationship: a cell of 16 bytes.
//
//   capacity = 0:   count:4 (0 or 1) │ 0:4 │ the only member:8
//   else:           count:4 │ capacity:4 │ page:4 │ offset:4, where the members are
//
// Invariants: unordered lists are sorted by identifier, ordered ones keep their order, and both
// hold a member once. Removing the first or the last member only changes the cell, so it is done
// even where the page is shared.

/// The cell of a to-many relationship.
struct ListCell {
  var count: UInt32
  var capacity: UInt32
  var page: UInt32
  var offset: UInt32

  static let empty = ListCell(count: 0, capacity: 0, page: 0, offset: 0)

  init(count: UInt32, capacity: UInt32, page: UInt32, offset: UInt32) {
    self.count = count
    self.capacity = capacity
    self.page = page
    self.offset = offset
  }

  /// Puts the halves of the identifier where they can be read as one word; all of Swift's platforms
  /// are little-endian.
  init(only member: ObjectID) {
    let low = UInt32(truncatingIfNeeded: member.rawValue)
    self.init(
      count: 1, capacity: 0, page: low,
      offset: UInt32(truncatingIfNeeded: member.rawValue &>> 32))
  }
}

extension GroupPointer {
  /// The members of a list, valid until the list is written.
  func members(_ cell: UnsafeMutablePointer<ListCell>) -> UnsafeBufferPointer<ObjectID> {
    UnsafeBufferPointer(start: UnsafePointer(start(of: cell)), count: Int(cell.pointee.count))
  }

  private func start(of cell: UnsafeMutablePointer<ListCell>) -> UnsafeMutablePointer<ObjectID> {
    let start =
      cell.pointee.capacity == 0
      ? UnsafeMutableRawPointer(cell) + 8
      : address(page: cell.pointee.page, offset: cell.pointee.offset)
    return start.assumingMemoryBound(to: ObjectID.self)
  }

  /// The position of a member, or the position where it would be inserted.
  func position(
    of member: ObjectID, in cell: UnsafeMutablePointer<ListCell>, isOrdered: Bool
  ) -> (index: Int, isFound: Bool) {
    let members = members(cell)
    guard let last = members.last else { return (0, false) }
    if last == member { return (members.count - 1, true) }
    if isOrdered {
      guard let index = members.firstIndex(of: member) else { return (members.count, false) }
      return (index, true)
    }
    if last < member { return (members.count, false) }
    var low = 0
    var high = members.count - 1
    while low < high {
      let middle = (low + high) / 2
      if members[middle] < member { low = middle + 1 } else { high = middle }
    }
    return (low, members[low] == member)
  }

  /// Inserts a member.
  func insert(_ member: ObjectID, at index: Int, in cell: UnsafeMutablePointer<ListCell>) {
    let count = Int(cell.pointee.count)
    if count == 0, cell.pointee.capacity == 0 {
      cell.pointee = ListCell(only: member)
      return
    }
    makeRoom(in: cell)
    let start = start(of: cell)
    if index < count {
      (start + index + 1).update(from: start + index, count: count - index)
    }
    start[index] = member
    cell.pointee.count += 1
  }

  /// Removes the member at a position.
  func remove(at index: Int, from cell: UnsafeMutablePointer<ListCell>) {
    let count = Int(cell.pointee.count)
    if cell.pointee.capacity == 0 {
      cell.pointee = .empty
      return
    }
    if index == count - 1 {
      cell.pointee.count -= 1
    } else if index == 0 {
      cell.pointee.offset += 8
      cell.pointee.count -= 1
      cell.pointee.capacity -= 1
      header.pointee.garbage += 8
    } else {
      if isFrozen(page: cell.pointee.page) { move(cell, capacity: count) }
      let start = start(of: cell)
      (start + index).update(from: start + index + 1, count: count - index - 1)
      cell.pointee.count -= 1
    }
  }

  /// Makes a list hold these members, which must not be borrowed from the list itself.
  func replaceMembers(
    _ members: Span<ObjectID>, in cell: UnsafeMutablePointer<ListCell>
  ) {
    let old = cell.pointee
    if members.count <= old.capacity, old.capacity > 0, !isFrozen(page: old.page) {
      let start = start(of: cell)
      for index in members.indices { start[index] = members[index] }
      cell.pointee.count = UInt32(truncatingIfNeeded: members.count)
      return
    }
    members.withUnsafeBufferPointer { storeMembers($0, in: cell) }
    if old.capacity > 0 { discard(page: old.page, byteCount: Int(old.capacity) * 8) }
  }

  /// Empties a list and discards its memory.
  func removeAllMembers(from cell: UnsafeMutablePointer<ListCell>) {
    let old = cell.pointee
    cell.pointee = .empty
    if old.capacity > 0 { discard(page: old.page, byteCount: Int(old.capacity) * 8) }
  }

  /// Writes members into a cell that refers to no page.
  func storeMembers(
    _ members: UnsafeBufferPointer<ObjectID>, in cell: UnsafeMutablePointer<ListCell>
  ) {
    guard members.count < Int(UInt32.max) / 8 else {
      fatalError("a relationship has too many members")
    }
    guard members.count > 1, let first = members.baseAddress else {
      cell.pointee = members.first.map(ListCell.init(only:)) ?? .empty
      return
    }
    let place = allocate(members.count * 8, aligned: true)
    let count = UInt32(truncatingIfNeeded: members.count)
    cell.pointee = ListCell(count: count, capacity: count, page: place.page, offset: place.offset)
    start(of: cell).update(from: first, count: members.count)
  }

  /// Makes sure that the list's memory is the group's own and has room for one more.
  private func makeRoom(in cell: UnsafeMutablePointer<ListCell>) {
    let old = cell.pointee
    let isOwn = old.capacity > 0 && !isFrozen(page: old.page)
    if isOwn, old.count < old.capacity || extend(cell) { return }
    move(cell, capacity: max(4, Int(old.count) * 2))
  }

  /// Grows a list in place, which is possible for the last value of the open page.
  private func extend(_ cell: UnsafeMutablePointer<ListCell>) -> Bool {
    let end = Int(cell.pointee.offset) + Int(cell.pointee.capacity) * 8
    guard cell.pointee.page == header.pointee.openPage, end == header.pointee.openUsed else {
      return false
    }
    let room = min((header.pointee.openCapacity - end) / 8, Int(cell.pointee.capacity))
    guard room > 0 else { return false }
    cell.pointee.capacity += UInt32(truncatingIfNeeded: room)
    header.pointee.openUsed += room * 8
    header.pointee.allocated += room * 8
    return true
  }

  private func move(_ cell: UnsafeMutablePointer<ListCell>, capacity: Int) {
    let old = cell.pointee
    guard capacity < Int(UInt32.max) / 8 else { fatalError("a relationship has too many members") }
    let place = allocate(capacity * 8, aligned: true)
    place.address.copyMemory(from: start(of: cell), byteCount: Int(old.count) * 8)
    cell.pointee = ListCell(
      count: old.count, capacity: UInt32(truncatingIfNeeded: capacity), page: place.page,
      offset: place.offset)
    if old.capacity > 0 { discard(page: old.page, byteCount: Int(old.capacity) * 8) }
  }
}
