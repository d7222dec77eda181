// The rows of a transaction: the row groups of its base, and a copy of each group that was written.
//
// Raw memory. Invariants:
// - `slots[g]` of a table is the memory of its group g: not looked up yet (nil), the base's (shared
//   and read-only), or the transaction's own. `base` keeps shared groups alive, `owned` the others.
// - Every write goes through `writableGroup`, which replaces a shared group by a copy. Callers
//   compare first, so a value that is already there copies nothing.
// - A slot's address is valid until the next insertion into its table; a group's memory until that
//   group is replaced by a copy.
// - One transaction owns the memory and deallocates it. Nothing is synchronised.
//
// This is plain memory, read without reference counts or exclusivity checks, because every value of
// an import passes here.

/// The tables that a transaction reads and writes, one per entity.
///
/// A trivial value, which any number of helpers may hold while the transaction lives.
@safe package struct WorkingTables {
  private let tables: UnsafeMutablePointer<WorkingTable>
  private let count: Int

  init(_ graph: Graph) {
    let storage = graph.storage
    count = storage.layout.entityCount
    unsafe tables = .allocate(capacity: max(count, 1))
    for entity in 0..<count {
      unsafe (tables + entity).initialize(to: WorkingTable(shape: storage.layout.shapes[entity]))
      self[entity].reset(to: storage.tables[entity])
    }
  }

  /// Frees the memory; no copy of this value may be used afterwards.
  @unsafe func deallocate() {
    for entity in 0..<count { self[entity].deallocate() }
    unsafe tables.deinitialize(count: count)
    unsafe tables.deallocate()
  }

  /// Forgets all changes, and continues from another graph of the same store.
  func reset(to graph: Graph) {
    for entity in 0..<count { self[entity].reset(to: graph.storage.tables[entity]) }
  }

  /// The table of an entity.
  @inline(__always)
  package subscript(entity: Int) -> WorkingTable {
    unsafeAddress {
      assert(entity >= 0 && entity < count)
      return unsafe UnsafePointer(tables + entity)
    }
    nonmutating unsafeMutableAddress {
      assert(entity >= 0 && entity < count)
      return unsafe tables + entity
    }
  }

  /// Whether a row was written, even if the change was undone later.
  var isChanged: Bool { (0..<count).contains { self[$0].isChanged } }

  /// Returns whether the object exists; deletion ends that.
  func contains(_ id: ObjectID) -> Bool {
    guard id.entity < count, id.row < self[id.entity].rowCount else { return false }
    return group(of: id).isLive(id.row & self[id.entity].shape.mask)
  }

  /// Returns the memory of an object's group, for reading.
  func group(of id: ObjectID) -> GroupPointer {
    self[id.entity].group(id.row &>> self[id.entity].shape.shift)
  }

  /// Returns the memory of an object's group, for writing.
  func writableGroup(of id: ObjectID) -> GroupPointer {
    self[id.entity].writableGroup(id.row &>> self[id.entity].shape.shift)
  }

  /// Returns a writer for several attributes of one object.
  func row(_ id: ObjectID) -> RowWriter {
    let shape = self[id.entity].shape
    let number = id.row &>> shape.shift
    _ = self[id.entity].group(number)
    return unsafe RowWriter(table: tables + id.entity, number: number, row: id.row & shape.mask)
  }

  /// Adds a row for a new object, without identity and links.
  func addRow(
    _ entity: Int, isStub: Bool, defaults: BorrowedBuffer<StoreLayout.Default>
  ) -> ObjectID {
    let row = self[entity].addRow()
    let local = row & self[entity].shape.mask
    let group = self[entity].writableGroup(row &>> self[entity].shape.shift)
    group.setBit(local, at: TableShape.liveBits)
    if isStub { group.setBit(local, at: self[entity].shape.stubBits) }
    for value in defaults {
      group.store(value.value, local, self[entity].shape.attributes[value.attribute])
    }
    return self[entity].shape.objectID(row)
  }

  /// Clears the row of a deleted object, as if it had never been written.
  func clearRow(_ id: ObjectID) {
    let shape = self[id.entity].shape
    let local = id.row & shape.mask
    let group = writableGroup(of: id)
    group.clearBit(local, at: TableShape.liveBits)
    group.clearBit(local, at: shape.stubBits)
    for number in shape.attributes.indices { group.clear(local, shape.attributes[number]) }
    for number in shape.relationships.indices {
      let column = shape.relationships[number]
      if column.isToMany {
        forgetWaiting(id, relationship: number)
        group.list(local, column).removeAllMembers()
      } else {
        group.setToOne(local, column, 0)
      }
    }
    self[id.entity].liveCount -= 1
  }
}

// MARK: - Reading an object's row
extension WorkingTables {
  func isStub(_ id: ObjectID) -> Bool {
    let shape = self[id.entity].shape
    return group(of: id).bit(id.row & shape.mask, at: shape.stubBits)
  }

  func setStub(_ id: ObjectID, _ isStub: Bool) {
    guard self.isStub(id) != isStub else { return }
    let shape = self[id.entity].shape
    let group = writableGroup(of: id)
    if isStub {
      group.setBit(id.row & shape.mask, at: shape.stubBits)
    } else {
      group.clearBit(id.row & shape.mask, at: shape.stubBits)
    }
  }

  func isNull(_ id: ObjectID, attribute: Int) -> Bool {
    let shape = self[id.entity].shape
    return !group(of: id).bit(id.row & shape.mask, at: shape.attributes[attribute].validity)
  }

  /// Returns the value of an attribute; its bytes are borrowed until the next write.
  func value(_ id: ObjectID, attribute: Int) -> RawValue {
    let shape = self[id.entity].shape
    return group(of: id).value(id.row & shape.mask, shape.attributes[attribute])
  }

  package func toOne(_ id: ObjectID, relationship: Int) -> ObjectID? {
    let shape = self[id.entity].shape
    let column = shape.relationships[relationship]
    return ObjectID(cell: group(of: id).toOne(id.row & shape.mask, column))
  }

  /// Calls `body` with the members of a to-many relationship; it must not write.
  func withToMany<R>(
    _ id: ObjectID, relationship: Int, _ body: (BorrowedBuffer<ObjectID>) throws -> R
  ) rethrows -> R {
    try body(list(id, relationship: relationship).members)
  }

  @inline(never)
  package func toMany(_ id: ObjectID, relationship: Int) -> [ObjectID] {
    withToMany(id, relationship: relationship) { Array($0) }
  }

  /// Returns the objects that a relationship leads to, whether it is to-one or to-many.
  @inline(never)
  package func targets(_ id: ObjectID, relationship: Int) -> [ObjectID] {
    if self[id.entity].shape.relationships[relationship].isToMany {
      return toMany(id, relationship: relationship)
    }
    return toOne(id, relationship: relationship).map { [$0] } ?? []
  }
}

/// The rows of one entity in a transaction.
@safe package struct WorkingTable {
  /// A group that the transaction may write.
  struct OwnedGroup {
    var number: Int
    var group: RowGroup
  }

  /// A group of the table, and whether the transaction owns it.
  struct Slot {
    var group: GroupPointer?
    var isOwned = false
  }

  let shape: TableShape
  /// The number of rows ever made, including those of deleted objects.
  private(set) var rowCount = 0
  fileprivate(set) var liveCount = 0
  private(set) var slots: UnsafeMutablePointer<Slot>
  private var slotCapacity = 0
  /// The groups that the transaction owns, in the order in which they were first written.
  private(set) var owned: ContiguousArray<OwnedGroup> = []
  /// Changes of long lists that are not yet written (WaitingMembers.swift).
  var waiting = [LinkEnd: WaitingMembers]()
  /// The table as it was when the transaction began.
  private var base = TableSnapshot()

  fileprivate init(shape: TableShape) {
    self.shape = shape
    unsafe slots = .allocate(capacity: 0)
  }

  fileprivate func deallocate() { unsafe slots.deallocate() }

  fileprivate mutating func reset(to snapshot: TableSnapshot) {
    base = snapshot
    rowCount = snapshot.rowCount
    liveCount = snapshot.liveCount
    owned = []
    waiting.removeAll()
    unsafe slots.deallocate()
    slotCapacity = groupCount
    unsafe slots = .allocate(capacity: slotCapacity)
    unsafe slots.initialize(repeating: Slot(), count: slotCapacity)
  }

  var isChanged: Bool { !owned.isEmpty }
  private var groupCount: Int { (rowCount &+ shape.mask) &>> shape.shift }

  fileprivate mutating func group(_ number: Int) -> GroupPointer {
    slot(number).group ?? lookUp(number)
  }

  @inline(__always)
  private func slot(_ number: Int) -> Slot { unsafe slots[checked(number)] }

  @inline(__always)
  private func checked(_ number: Int) -> Int {
    assert(number >= 0 && number < slotCapacity)
    return number
  }

  fileprivate mutating func writableGroup(_ number: Int) -> GroupPointer {
    let slot = slot(number)
    if slot.isOwned, let group = slot.group { return group }
    return own(number)
  }

  /// Returns a group as it was when the transaction began; nil if it did not exist yet.
  func baseGroup(_ number: Int) -> GroupPointer? {
    number < (base.rowCount + shape.mask) >> shape.shift ? base.group(number) : nil
  }

  @inline(never)
  private mutating func lookUp(_ number: Int) -> GroupPointer {
    let group = base.group(number)
    unsafe slots[checked(number)].group = group
    return group
  }

  /// Replaces a shared group by a copy of the transaction's own.
  @inline(never)
  mutating func own(_ number: Int) -> GroupPointer {
    let shared = slot(number).group ?? lookUp(number)
    let copy = RowGroup(copying: shared, shape: shape)
    owned.append(OwnedGroup(number: number, group: copy))
    unsafe slots[checked(number)] = Slot(group: copy.pointer, isOwned: true)
    return copy.pointer
  }

  /// Counts one more row.
  ///
  /// - Returns: Its number; its group exists and can be written.
  fileprivate mutating func addRow() -> Int {
    let row = rowCount
    guard row < Int(UInt32.max) else { fatalError("an entity cannot have more rows") }
    if row & shape.mask == 0 { addGroup() }
    rowCount = row &+ 1
    liveCount &+= 1
    return row
  }

  @inline(never)
  private mutating func addGroup() {
    let number = groupCount
    if number == slotCapacity {
      let capacity = max(8, slotCapacity * 2)
      let larger = UnsafeMutablePointer<Slot>.allocate(capacity: capacity)
      unsafe larger.moveInitialize(from: slots, count: slotCapacity)
      unsafe (larger + slotCapacity).initialize(repeating: Slot(), count: capacity - slotCapacity)
      unsafe slots.deallocate()
      unsafe slots = larger
      slotCapacity = capacity
    }
    let group = RowGroup(shape: shape)
    owned.append(OwnedGroup(number: number, group: group))
    unsafe slots[checked(number)] = Slot(group: group.pointer, isOwned: true)
  }
}

extension WorkingTable {
  /// Returns the table as a graph keeps it; the transaction must not write its groups afterwards.
  ///
  /// Costs the groups that were written, and a reference to each of the 32 groups of their chunks.
  func snapshot() -> TableSnapshot {
    guard isChanged else { return base }
    assert(waiting.isEmpty, "lists are merged before they are published")
    var result = base
    result.rowCount = rowCount
    result.liveCount = liveCount
    let owned = owned.inOrder { $0.number < $1.number }
    var next = 0
    while next < owned.count {
      let chunkNumber = owned[next].number >> GroupChunk.shift
      var groups: ContiguousArray<GroupChunk.Element> = []
      if chunkNumber < result.chunks.count { groups = result.chunks[chunkNumber].groups }
      while next < owned.count, owned[next].number >> GroupChunk.shift == chunkNumber {
        let element = GroupChunk.Element(published(owned[next], empty: &result.emptyGroup))
        let position = owned[next].number & (GroupChunk.capacity - 1)
        if position < groups.count { groups[position] = element } else { groups.append(element) }
        next += 1
      }
      let chunk = GroupChunk(groups: groups)
      if chunkNumber < result.chunks.count {
        result.chunks[chunkNumber] = chunk
      } else {
        result.chunks.append(chunk)
      }
    }
    return result
  }

  /// Returns the group to publish: the group itself, a compacted copy, or an empty group.
  ///
  /// A group that is mostly garbage is compacted. An empty group replaces one in which all rows are deleted and no
  /// row can be added.
  private func published(_ owned: OwnedGroup, empty: inout RowGroup?) -> RowGroup {
    let group = owned.group.pointer
    let isFull = owned.number < rowCount >> shape.shift
    let words = 0..<shape.wordCount
    if isFull, words.allSatisfy({ group.bits($0, at: TableShape.liveBits) == 0 }) {
      let shared = empty ?? RowGroup(shape: shape)
      empty = shared
      return shared
    }
    return group.needsCompaction ? RowGroup(copying: group, shape: shape) : owned.group
  }
}

// Writing attributes is the hottest path of an import. A row writer is a few plain pointers into
// the transaction's tables. It compares a value with the current cell, even in a shared group, and
// has the group copied only if the value differs.
//
// Raw memory. Invariant: the pointers are valid until the next insertion into the object's table, and while the
// transaction lives. The group was looked up when the writer was made.

/// Writes attributes of one object without looking the object up each time.
@safe package struct RowWriter {
  private let slot: UnsafeMutablePointer<WorkingTable.Slot>
  private let columns: BorrowedBuffer<AttributeColumn>
  private let row: Int
  private let number: Int
  private let table: UnsafeMutablePointer<WorkingTable>

  /// - Parameters:
  ///   - table: The object's table.
  ///   - number: The number of the object's group, which has been looked up.
  ///   - row: The object's row in its group.
  @unsafe init(table: UnsafeMutablePointer<WorkingTable>, number: Int, row: Int) {
    unsafe slot = table.pointee.slots + number
    columns = unsafe table.pointee.shape.attributes
    self.row = row
    self.number = number
    unsafe self.table = table
  }

  /// Returns whether an attribute has a value.
  func holds(_ attribute: Int, _ value: RawValue) -> Bool {
    unsafe slot.pointee.group?.holds(value, row, columns[attribute]) ?? false
  }

  /// Sets an attribute that is not part of the identity.
  ///
  /// - Returns: Whether the value differed from the current one.
  package func set(_ attribute: Int, _ value: RawValue) -> Bool {
    let column = columns[attribute]
    assert(!column.isIdentity, "an identity is changed with setIdentity")
    guard let group = unsafe slot.pointee.group else { return false }
    // Numbers and dates are most of the values, and need no more than a comparison of words.
    if column.kind == .word, !value.isNull {
      if group.bit(row, at: column.validity), group.word(row, column) == value.bits { return false }
      let writable = unsafe slot.pointee.isOwned ? group : own()
      writable.setWord(row, column, value.bits)
      return true
    }
    return setOther(group, value, column)
  }

  @inline(never)
  private func setOther(
    _ group: GroupPointer, _ value: RawValue, _ column: AttributeColumn
  ) -> Bool {
    if group.holds(value, row, column) { return false }
    let writable = unsafe slot.pointee.isOwned ? group : own()
    writable.replace(value, row, column)
    return true
  }

  private func own() -> GroupPointer { unsafe table.pointee.own(number) }
}
