// The members of a to-many relationship: a cell of 16 bytes.
//
//   capacity = 0:   count:4 (0 or 1) │ 0:4 │ the only member:8
//   else:           count:4 │ capacity:4 │ page:4 │ offset:4, where the members are
//
// Invariants: unordered lists are sorted by identifier, ordered ones keep their order, and both
// hold a member once. Removing the first or the last member only changes the cell, so it is done
// even where the page is shared.
//
// Raw memory: `cell` is a cell of the group's memory, so a list is valid as long as the group. Only
// groups that the caller's transaction owns may be written. Memory borrowed from a list is valid
// until the group is written.

/// The cell of a to-many relationship.
struct ListCell {
  var count: UInt32
  var capacity: UInt32
  var page: UInt32
  var offset: UInt32

  static let empty = ListCell(count: 0, capacity: 0, page: 0, offset: 0)
}

extension ListCell {
  /// Puts the halves of the identifier where they can be read as one word; all of Swift's platforms
  /// are little-endian.
  init(only member: ObjectID) {
    let low = UInt32(truncatingIfNeeded: member.rawValue)
    self.init(
      count: 1, capacity: 0, page: low,
      offset: UInt32(truncatingIfNeeded: member.rawValue &>> 32))
  }
}

/// The list of a to-many relationship's members in a group.
@safe package struct MemberList {
  private let group: GroupPointer
  private let cell: UnsafeMutablePointer<ListCell>

  @unsafe @inline(__always)
  init(group: GroupPointer, cell: UnsafeMutablePointer<ListCell>) {
    self.group = group
    unsafe self.cell = cell
  }

  /// The content of the list's cell.
  @inline(__always)
  private var value: ListCell {
    unsafeAddress { unsafe UnsafePointer(cell) }
    nonmutating unsafeMutableAddress { unsafe cell }
  }

  @unsafe private var start: UnsafeMutablePointer<ObjectID> {
    let start =
      unsafe value.capacity == 0
      ? UnsafeMutableRawPointer(cell) + 8
      : group.address(page: value.page, offset: value.offset)
    return unsafe start.assumingMemoryBound(to: ObjectID.self)
  }

  var count: Int { Int(value.count) }

  /// The members, borrowed until the group is written.
  package var members: BorrowedBuffer<ObjectID> {
    unsafe BorrowedBuffer(start: start, count: count)
  }

  /// Returns the position of a member, or the position where it would be inserted.
  func position(of member: ObjectID, isOrdered: Bool) -> (index: Int, isFound: Bool) {
    let members = members
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
  func insert(_ member: ObjectID, at index: Int) {
    let count = count
    assert(index >= 0 && index <= count)
    if count == 0, value.capacity == 0 {
      value = ListCell(only: member)
      return
    }
    makeRoom()
    let start = unsafe start
    if index < count {
      unsafe (start + index + 1).update(from: start + index, count: count - index)
    }
    unsafe start[index] = member
    value.count += 1
  }

  /// Removes the member at a position.
  func remove(at index: Int) {
    let count = count
    assert(index >= 0 && index < count)
    if value.capacity == 0 {
      value = .empty
      return
    }
    if index == count - 1 {
      value.count -= 1
    } else if index == 0 {
      value.offset += 8
      value.count -= 1
      value.capacity -= 1
      group.header.garbage += 8
    } else {
      if group.isFrozen(page: value.page) { move(capacity: count) }
      let start = unsafe start
      unsafe (start + index).update(from: start + index + 1, count: count - index - 1)
      value.count -= 1
    }
  }

  /// Replaces the list's members, by members that must not be borrowed from the list itself.
  func replaceMembers(_ members: Span<ObjectID>) {
    let old = value
    if members.count <= old.capacity, old.capacity > 0, !group.isFrozen(page: old.page) {
      let start = unsafe start
      for index in members.indices { unsafe start[index] = members[index] }
      value.count = UInt32(truncatingIfNeeded: members.count)
      return
    }
    unsafe members.withUnsafeBufferPointer { unsafe storeMembers(BorrowedBuffer($0)) }
    discard(old)
  }

  /// Ensures that the list's memory belongs to the group and has room for `capacity` members.
  func reserve(_ capacity: Int) {
    let isOwn = value.capacity > 0 && !group.isFrozen(page: value.page)
    if !isOwn || Int(value.capacity) < capacity { move(capacity: max(capacity, count * 2)) }
  }

  /// Empties the list and discards its memory.
  func removeAllMembers() {
    let old = value
    value = .empty
    discard(old)
  }

  /// Copies the list of the original of a copied group, which has the same cell, to pages of this
  /// group.
  func copyMembers(of original: GroupPointer) {
    guard value.capacity > 0 else { return }
    unsafe storeMembers(MemberList(group: original, cell: cell).members)
  }

  /// Writes members into a cell that refers to no page.
  private func storeMembers(_ members: BorrowedBuffer<ObjectID>) {
    Self.checkCount(members.count)
    guard members.count > 1 else {
      value = members.first.map(ListCell.init(only:)) ?? .empty
      return
    }
    let place = group.allocate(members.count * 8, aligned: true)
    let count = UInt32(truncatingIfNeeded: members.count)
    unsafe members.copy(to: place.address)
    value = ListCell(count: count, capacity: count, page: place.page, offset: place.offset)
  }

  /// Ensures that the list's memory is the group's own and has room for one more member.
  private func makeRoom() {
    let old = value
    let isOwn = old.capacity > 0 && !group.isFrozen(page: old.page)
    if isOwn, old.count < old.capacity || extend() { return }
    move(capacity: max(4, Int(old.count) * 2))
  }

  /// Grows the list in place, which is possible for the last value of the open page.
  private func extend() -> Bool {
    let end = Int(value.offset) + Int(value.capacity) * 8
    let room = group.extendOpenPage(
      value.page, at: end, byMultipleOf: 8, atMost: Int(value.capacity))
    value.capacity += UInt32(truncatingIfNeeded: room)
    return room > 0
  }

  private func move(capacity: Int) {
    let old = value
    Self.checkCount(capacity)
    let place = group.allocate(capacity * 8, aligned: true)
    unsafe place.address.copyMemory(from: start, byteCount: Int(old.count) * 8)
    value = ListCell(
      count: old.count, capacity: UInt32(truncatingIfNeeded: capacity), page: place.page,
      offset: place.offset)
    discard(old)
  }

  /// Counts the bytes of a list in a page as garbage.
  private func discard(_ old: ListCell) {
    if old.capacity > 0 { group.discard(page: old.page, byteCount: Int(old.capacity) * 8) }
  }

  private static func checkCount(_ count: Int) {
    guard count < Int(UInt32.max) / 8 else { fatalError("a relationship has too many members") }
  }
}
