// What a save writes, in one transaction of the database: rows of objects that are new, rows of stored objects
// that were written, and of each list what differs from what the database has.
//
// Rows are written in the order of their keys, because a B-tree takes sorted rows at a third of the cost of
// scattered ones.

/// Writes a batch into the tables of a database.
struct BatchWriter {
  let batch: DatabaseBatch
  let graph: Graph
  let outcomes: ObjectOutcomes
  private let binder: RowBinder

  init(batch: DatabaseBatch, graph: Graph, outcomes: ObjectOutcomes, importNumber: Int64) {
    self.batch = batch
    self.graph = graph
    self.outcomes = outcomes
    binder = RowBinder(batch.schema, graph, stubMark: importNumber) { batch.rowID(of: $0) ?? 0 }
  }

  private var schema: DatabaseSchema { batch.schema }
  private var statements: DatabaseStatements { batch.statements }

  /// Writes everything.
  ///
  /// - Parameter nextRowIDs: By table, the `_id` of the next row that is inserted.
  /// - Throws: ``StoreError`` of the kind `database`.
  func write(_ nextRowIDs: inout [Int64]) throws(StoreError) {
    try deleteRemoved()
    var objects: [[ObjectID]] = []
    for number in schema.tables.indices {
      objects.append(sorted(number))
      if schema.tables[number].isKeyedByRow {
        for id in objects[number] where !batch.state(of: id).contains(.stored) {
          batch.setRowID(nextRowIDs[number], of: id)
          nextRowIDs[number] += 1
        }
      }
    }
    for number in schema.tables.indices { try writeRows(number, objects[number]) }
    for number in schema.lists.indices { try writeList(number, objects) }
  }

  // MARK: Rows

  /// The objects of a table that the database may lack something of, in the order of their keys.
  private func sorted(_ number: Int) -> [ObjectID] {
    let table = schema.tables[number]
    var objects: [(order: UInt64, id: ObjectID)] = []
    for entity in table.entities {
      let identity = schema.model.entities[entity].identity
      for id in graph.rows(entity) where !batch.state(of: id).contains(.unread) {
        let order = table.isKeyedByRow ? 0 : graph.value(id, attribute: identity[0]).sortPrefix
        objects.append((order, id))
      }
    }
    objects.sort { ($0.order, $0.id) < ($1.order, $1.id) }
    return objects.map(\.id)
  }

  private func writeRows(_ number: Int, _ objects: [ObjectID]) throws(StoreError) {
    let table = schema.tables[number]
    let insert = try statements.insert(number)
    let values = table.values
    let all = Array(table.columns.indices)
    let sourcesByEntity = schema.model.entities.map { entity in
      table.entities.contains(entity.number) ? binder.sources(of: entity.number, in: table) : []
    }
    for id in objects {
      let sources = sourcesByEntity[id.entity]
      let state = batch.state(of: id)
      if !table.isKeyedByRow { try requireKey(of: id) }
      if !state.contains(.stored) {
        binder.bind(id, sources, all, to: insert)
        try insert.run()
        noteIdentity(of: id)
      } else if state.contains(.written) || outcomes[id] >= .updated {
        let update = try statements.update(number)
        binder.bind(id, sources, values + table.key, to: update)
        try update.run()
        // A stub that was found by another attribute has got its identity.
        if table.isKeyedByRow { noteIdentity(of: id) }
      }
    }
  }

  /// Refuses an object that lacks the key of its table.
  private func requireKey(of id: ObjectID) throws(StoreError) {
    let entity = schema.model.entities[id.entity]
    if entity.identity.count == 1, !graph.value(id, attribute: entity.identity[0]).isNull { return }
    guard let missing = entity.identity.first(where: { graph.value(id, attribute: $0).isNull })
    else { return }
    throw StoreError(
      .missingKey,
      "an object of \(entity.name) has no \"\(entity.attributes[missing].name)\", which is the key of its table in"
        + " a database; say JSONMissingIdentity = insert in the model before the database is made",
      entity: entity.name, property: entity.attributes[missing].name)
  }

  private func noteIdentity(of id: ObjectID) {
    let layout = batch.transaction.layout
    let identity = schema.model.entities[id.entity].identity
    guard !identity.isEmpty else { return }
    let hash = identity.map { graph.value(id, attribute: $0) }.withBorrowed {
      layout.hash($0, of: id.entity)
    }
    batch.noteWritten(id, hash: hash)
  }

  private func deleteRemoved() throws(StoreError) {
    for key in batch.removed {
      try OwnedValue.withRawValues(key.values[...]) { values throws(StoreError) in
        let columns = schema.tables[key.table].keyColumns
        let delete = try statements.delete(key.table)
        DatabaseStatements.bind(values, columns, to: delete)
        try delete.run()
        for (number, list) in schema.lists.enumerated() {
          if list.ownerTable == key.table {
            let delete = try statements.deleteMembers(number)
            DatabaseStatements.bind(values, columns, to: delete)
            try delete.run()
          }
          if list.memberTable == key.table {
            let delete = try statements.deleteOwners(number)
            DatabaseStatements.bind(values, columns, to: delete)
            try delete.run()
          }
        }
      }
    }
  }

  // MARK: Lists

  private func writeList(_ number: Int, _ objects: [[ObjectID]]) throws(StoreError) {
    let list = schema.lists[number]
    let relationship = schema.model.entities[list.entity].relationships[list.relationship]
    let family = Set(schema.model.entities[list.entity].family)
    for owner in objects[list.ownerTable]
    where family.contains(owner.entity) && batch.isKnown(owner, list.relationship) {
      try writeMembers(of: owner, list, number)
    }
    guard let inverse = relationship.inverse, !list.isOrdered, !list.isSymmetric else { return }
    // From the other end, what this end does not know.
    let members = Set(schema.model.entities[relationship.destination].family)
    for member in objects[list.memberTable]
    where members.contains(member.entity) && batch.isKnown(member, inverse) {
      let old = batch.storedMembers(of: member, inverse)
      let new = graph.members(of: member, inverse)
      for owner in old where !new.contains(owner) && graph.contains(owner) {
        try delete(member, of: owner, list, number)
      }
      for owner in new where !batch.isKnown(owner, list.relationship) && !old.contains(owner) {
        try insert(member, of: owner, list, number)
      }
    }
  }

  private func writeMembers(
    of owner: ObjectID, _ list: DatabaseSchema.List, _ number: Int
  ) throws(StoreError) {
    let old = batch.storedMembers(of: owner, list.relationship)
    let new = graph.members(of: owner, list.relationship)
    if old == new { return }
    if list.isOrdered {
      let isLonger = new.starts(with: old)
      if !isLonger {
        let delete = try statements.deleteMembers(number)
        binder.bindKey(of: owner, list.ownerColumns, to: delete, from: 0)
        try delete.run()
      }
      for (position, member) in new.enumerated().dropFirst(isLonger ? old.count : 0) {
        try insert(member, of: owner, list, number, position: position)
      }
      return
    }
    if !old.isEmpty {
      let kept = Set(new)
      for member in old where !kept.contains(member) && graph.contains(member) {
        try delete(member, of: owner, list, number)
        if list.isSymmetric { try delete(owner, of: member, list, number) }
      }
    }
    let stored = Set(old)
    for member in new where old.isEmpty || !stored.contains(member) {
      try insert(member, of: owner, list, number)
      if list.isSymmetric { try insert(owner, of: member, list, number) }
    }
  }

  private func insert(
    _ member: ObjectID, of owner: ObjectID, _ list: DatabaseSchema.List, _ number: Int,
    position: Int = 0
  ) throws(StoreError) {
    let insert = try statements.insertMember(number)
    binder.bindKey(of: owner, list.ownerColumns, to: insert, from: 0)
    binder.bindKey(of: member, list.memberColumns, to: insert, from: list.ownerColumns.count)
    if list.isOrdered {
      insert.bind(
        list.ownerColumns.count + list.memberColumns.count, .integer64, word: UInt64(position))
    }
    try insert.run()
  }

  private func delete(
    _ member: ObjectID, of owner: ObjectID, _ list: DatabaseSchema.List, _ number: Int
  ) throws(StoreError) {
    let delete = try statements.deleteMember(number)
    binder.bindKey(of: owner, list.ownerColumns, to: delete, from: 0)
    binder.bindKey(of: member, list.memberColumns, to: delete, from: list.ownerColumns.count)
    try delete.run()
  }
}

extension RawValue {
  /// A number that sorts as the value does, as far as its first bytes go.
  fileprivate var sortPrefix: UInt64 {
    if !hasBytes { return bits ^ (1 << 63) }
    var prefix: UInt64 = 0
    for index in 0..<8 {
      prefix = prefix << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0)
    }
    return prefix
  }
}
