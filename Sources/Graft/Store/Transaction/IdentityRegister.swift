// Invariants: the register owns the indexes and closes them; the tables belong to its transaction,
// which outlives it.

/// Finds the objects of a transaction by identity, and keeps the identity indexes in step.
struct IdentityRegister: ~Copyable {
  private let layout: StoreLayout
  private let tables: WorkingTables
  /// The identity indexes, by the number that ``StoreLayout/Identity`` gives.
  private let indexes: FixedArray<WorkingIndex>

  init(_ graph: Graph, _ tables: WorkingTables) {
    layout = graph.storage.layout
    self.tables = tables
    indexes = FixedArray(count: layout.indexCount) {
      WorkingIndex(base: graph.storage.indexes[$0])
    }
  }

  deinit {
    close()
  }

  /// Forgets all changes, and continues from another graph of the same store.
  func reset(to graph: Graph) {
    close()
    for number in indexes.indices {
      indexes[number] = WorkingIndex(base: graph.storage.indexes[number])
    }
  }

  private func close() {
    for number in indexes.indices { indexes[number].close() }
  }

  /// Returns the object with an identity, among all entities that share it.
  func find(_ entity: Int, _ values: BorrowedBuffer<RawValue>) -> ObjectID? {
    let identity = layout.identities[entity]
    guard identity.index >= 0, let hash = layout.hash(values, of: entity) else { return nil }
    return indexes[identity.index].view.find(hash) { candidate in
      let row = candidate.row & tables[candidate.entity].shape.mask
      return layout.matches(tables.group(of: candidate), row, entity: candidate.entity, values)
    }
  }

  /// Writes the identity of a new object, which no other object has.
  ///
  /// - Parameters:
  ///   - values: The identity; with a null value, the object is not found by it.
  ///   - id: The object, whose identity attributes are null.
  func assign(_ values: BorrowedBuffer<RawValue>, to id: ObjectID) {
    let identity = layout.identities[id.entity]
    guard values.count == identity.count, identity.index >= 0 else { return }
    let shape = tables[id.entity].shape
    let group = tables.writableGroup(of: id)
    for number in 0..<identity.count where !values[number].isNull {
      let column = shape.attributes[identity.attributes[number]]
      group.store(values[number], id.row & shape.mask, column)
    }
    enter(id, values)
  }

  /// Returns whether an object has an identity.
  func matches(_ id: ObjectID, _ values: BorrowedBuffer<RawValue>) -> Bool {
    let local = id.row & tables[id.entity].shape.mask
    return layout.matches(tables.group(of: id), local, entity: id.entity, values)
  }

  /// Changes the identity of an object to one that no other object has.
  func reassign(_ values: BorrowedBuffer<RawValue>, to id: ObjectID) {
    remove(id)
    let identity = layout.identities[id.entity]
    let shape = tables[id.entity].shape
    let local = id.row & shape.mask
    let group = tables.writableGroup(of: id)
    for number in 0..<identity.count {
      let column = shape.attributes[identity.attributes[number]]
      // An unchanged value may be borrowed from this very cell.
      if !group.holds(values[number], local, column) {
        group.replace(values[number], local, column)
      }
    }
    enter(id, values)
  }

  /// Makes an object unfindable; its row keeps the identity.
  func remove(_ id: ObjectID) {
    let identity = layout.identities[id.entity]
    guard identity.index >= 0 else { return }
    let hash = withIdentity(of: id) { layout.hash($0, of: id.entity) }
    if let hash { indexes[identity.index].remove(id, hash: hash) }
  }

  /// Calls `body` with the identity's values, borrowed from the object's row.
  func withIdentity<R, E: Error>(
    of id: ObjectID, _ body: (BorrowedBuffer<RawValue>) throws(E) -> R
  ) throws(E) -> R {
    try identity(of: id).withBorrowed(body)
  }

  @inline(never)
  private func identity(of id: ObjectID) -> [RawValue] {
    let identity = layout.identities[id.entity]
    return (0..<identity.count).map { tables.value(id, attribute: identity.attributes[$0]) }
  }

  /// Returns the indexes as a graph keeps them; the register must be reset before it is written again.
  func snapshot() -> ContiguousArray<IdentityIndex> {
    ContiguousArray(indexes.indices.map { indexes[$0].snapshot() })
  }

  private func enter(_ id: ObjectID, _ values: BorrowedBuffer<RawValue>) {
    if let hash = layout.hash(values, of: id.entity) {
      indexes[layout.identities[id.entity].index].insert(id, hash: hash)
    }
  }
}
