// A transaction is a graph that can be written: its base, and beside it a copy of each row group it
// has written.
//
// Invariants:
// - A transaction has one owner at a time and is not Sendable; nothing here is synchronised.
// - `tables[e].slots[g]` is the memory of group g of entity e: not looked up yet (nil), the base's
//   (shared, read-only), or the transaction's own. The base graph keeps shared groups alive,
//   `WorkingTable.owned` the others.
// - Every write goes through `own`, which replaces a shared group by a copy. Comparing comes first:
//   writing what is there already copies nothing.
// - A slot's address is valid until the next insertion into its table; a group's memory until the
//   next `own` of it.
//
// The tables are plain memory and read without reference counts or exclusivity checks, because
// every value passes here.

/// A working copy of a graph, on which objects are inserted, changed, linked and deleted.
final class GraphTransaction {
  let model: GraphModel
  let schema: ModelSchema
  let layout: StoreLayout
  /// The graph that the changes are relative to.
  private(set) var base: Graph
  let tables: UnsafeMutablePointer<WorkingTable>
  /// By index number; nil until an identity is looked up.
  private let indexes: UnsafeMutablePointer<UnsafeMutablePointer<WorkingIndex>?>
  /// Entities of which objects were deleted, so that links without inverse may lead nowhere.
  var entitiesWithDeletions: Set<Int> = []
  /// For each object that gave way to one of a sub-entity, the one in its place.
  var successors: [ObjectID: ObjectID] = [:]

  init(base: Graph) {
    self.base = base
    model = base.model
    schema = base.model.schema
    layout = base.storage.layout
    tables = .allocate(capacity: max(layout.entityCount, 1))
    for entity in 0..<layout.entityCount {
      (tables + entity).initialize(to: WorkingTable(shape: layout.shapes[entity]))
      tables[entity].reset(to: base.storage.tables[entity])
    }
    indexes = .allocate(capacity: max(layout.indexCount, 1))
    indexes.initialize(repeating: nil, count: layout.indexCount)
  }

  deinit {
    closeIndexes()
    indexes.deallocate()
    for entity in 0..<layout.entityCount { tables[entity].slots.deallocate() }
    tables.deinitialize(count: layout.entityCount)
    tables.deallocate()
  }

  /// Forgets all changes, and goes on from another graph of the same store.
  func reset(to graph: Graph) {
    for entity in 0..<layout.entityCount { tables[entity].reset(to: graph.storage.tables[entity]) }
    closeIndexes()
    entitiesWithDeletions = []
    successors = [:]
    base = graph
  }

  /// Whether anything was written, be it taken back since.
  var isChanged: Bool { (0..<layout.entityCount).contains { tables[$0].isTouched } }

  /// The rows ever made of an entity, those of deleted objects included.
  func rowCount(_ entity: Int) -> Int { tables[entity].rowCount }

  /// Whether the object exists, which ends with its deletion.
  func contains(_ id: ObjectID) -> Bool {
    guard id.entity < layout.entityCount, id.row < tables[id.entity].rowCount else { return false }
    return group(of: id).isLive(id.row & tables[id.entity].shape.mask)
  }

  /// The memory of an object's group, for reading.
  func group(of id: ObjectID) -> GroupPointer {
    let table = tables + id.entity
    let number = id.row &>> table.pointee.shape.shift
    return table.pointee.slots[number].group ?? lookUp(id.entity, number)
  }

  @inline(never)
  func lookUp(_ entity: Int, _ number: Int) -> GroupPointer {
    let group = base.storage.group(entity: entity, number: number)
    tables[entity].slots[number].group = group
    return group
  }

  /// The memory of an object's group, for writing.
  func writableGroup(of id: ObjectID) -> GroupPointer {
    let table = tables + id.entity
    let number = id.row &>> table.pointee.shape.shift
    let slot = table.pointee.slots + number
    if slot.pointee.isOwned, let group = slot.pointee.group { return group }
    return own(id.entity, number)
  }

  /// Replaces a shared group by a copy of the transaction's own.
  @inline(never)
  func own(_ entity: Int, _ number: Int) -> GroupPointer {
    let slot = tables[entity].slots + number
    let shared = slot.pointee.group ?? lookUp(entity, number)
    let copy = RowGroup(copying: shared, shape: tables[entity].shape)
    tables[entity].owned.append(.init(number: number, group: copy))
    slot.pointee = WorkingSlot(group: copy.pointer, isOwned: true)
    return copy.pointer
  }

  /// The index that serves an entity's identity.
  func index(_ number: Int) -> UnsafeMutablePointer<WorkingIndex> {
    indexes[number] ?? openIndex(number)
  }

  @inline(never)
  private func openIndex(_ number: Int) -> UnsafeMutablePointer<WorkingIndex> {
    let index = UnsafeMutablePointer<WorkingIndex>.allocate(capacity: 1)
    index.initialize(to: WorkingIndex(base: base.storage.indexes[number]))
    indexes[number] = index
    return index
  }

  private func closeIndexes() {
    for number in 0..<layout.indexCount {
      guard let index = indexes[number] else { continue }
      index.pointee.close()
      index.deinitialize(count: 1)
      index.deallocate()
      indexes[number] = nil
    }
  }

  /// The index as it would be published.
  func publishedIndex(_ number: Int) -> IdentityIndex {
    indexes[number]?.pointee.published() ?? base.storage.indexes[number]
  }
}

/// The rows of one entity in a transaction.
struct WorkingTable {
  /// A group that the transaction may write.
  struct OwnedGroup {
    var number: Int
    var group: RowGroup
  }

  let shape: TableShape
  var rowCount = 0
  var liveCount = 0
  var slots: UnsafeMutablePointer<WorkingSlot>
  var slotCapacity = 0
  /// In the order in which they were first written.
  var owned: ContiguousArray<OwnedGroup> = []

  init(shape: TableShape) {
    self.shape = shape
    slots = .allocate(capacity: 0)
  }

  var groupCount: Int { (rowCount &+ shape.mask) &>> shape.shift }
  var isTouched: Bool { !owned.isEmpty }

  mutating func reset(to snapshot: TableSnapshot) {
    rowCount = snapshot.rowCount
    liveCount = snapshot.liveCount
    owned = []
    slots.deallocate()
    slotCapacity = groupCount
    slots = .allocate(capacity: slotCapacity)
    slots.initialize(repeating: WorkingSlot(group: nil, isOwned: false), count: slotCapacity)
  }

  /// Adds a group without rows behind the others.
  mutating func addGroup() {
    let number = groupCount
    if number == slotCapacity {
      let capacity = max(8, slotCapacity * 2)
      let larger = UnsafeMutablePointer<WorkingSlot>.allocate(capacity: capacity)
      larger.moveInitialize(from: slots, count: slotCapacity)
      (larger + slotCapacity).initialize(
        repeating: WorkingSlot(group: nil, isOwned: false), count: capacity - slotCapacity)
      slots.deallocate()
      slots = larger
      slotCapacity = capacity
    }
    let group = RowGroup(shape: shape)
    owned.append(OwnedGroup(number: number, group: group))
    slots[number] = WorkingSlot(group: group.pointer, isOwned: true)
  }
}

/// Where a transaction finds a group.
struct WorkingSlot {
  var group: GroupPointer?
  var isOwned: Bool
}
