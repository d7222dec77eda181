// Writes a batch to the database in one transaction: it inserts new rows, updates changed ones,
// deletes removed ones, and writes the differences of each list.
//
// Rows are written in the order of their keys, because a B-tree takes sorted rows at a third of the cost of
// scattered ones.

import Graft

/// Writes a batch into the tables of a database.
struct BatchWriter {
  private let statements: DatabaseStatements
  let fetched: FetchedObjects
  let graph: Graph
  let outcomes: ObjectOutcomes
  let binder: RowBinder
  /// The attributes of each entity that may hold a NaN, for a database that keeps none.
  private let floating: [[Int]]

  /// - Parameters:
  ///   - statements: The statements of the connection that writes.
  ///   - fetched: The rows of the batch's objects, after ``DatabaseBatch/prepareWriting(_:_:)``.
  ///   - graph: The objects of the batch.
  ///   - outcomes: The outcomes of the objects.
  ///   - importNumber: The number of the import, which marks its stubs.
  init(
    _ statements: DatabaseStatements, _ fetched: FetchedObjects, _ graph: Graph,
    _ outcomes: ObjectOutcomes, importNumber: Int64
  ) {
    self.statements = statements
    self.fetched = fetched
    self.graph = graph
    self.outcomes = outcomes
    binder = RowBinder(statements, graph, stubMark: importNumber) { fetched.number(of: $0) ?? 0 }
    floating = statements.attributesWithoutNaN
  }

  private var schema: DatabaseSchema { statements.schema }

  /// Writes the batch.
  ///
  /// - Returns: The tables of the stubs that were written.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func write() throws(StoreError) -> Set<Int> {
    try deleteRemoved()
    let objects = schema.tables.map(sortedChanges)
    var stubTables: Set<Int> = []
    for table in schema.tables where try writeRows(of: table, objects[table.number]) {
      stubTables.insert(table.number)
    }
    for list in schema.lists { try write(list, objects) }
    return stubTables
  }

  // MARK: Rows

  /// Returns the objects of a table whose row or lists have to be written, in the order of their keys.
  private func sortedChanges(_ table: DatabaseSchema.Table) -> [ObjectID] {
    var objects: [(order: UInt64, key: RawValue, id: ObjectID)] = []
    for entity in table.entities {
      let identity = schema.model.entities[entity].identity
      let lists = schema.members[entity].indices.filter {
        schema.listEnd(of: $0, of: entity) != nil
      }
      for id in graph.rows(entity) where !fetched.state(of: id).contains(.unread) {
        guard isRowChanged(id) || lists.contains(where: { isListChanged($0, of: id) }) else {
          continue
        }
        let key =
          table.isKeyedByNumber ? RawValue.null : graph.value(id, attribute: identity[0])
        objects.append((key.isNull ? 0 : key.sortPrefix, key, id))
      }
    }
    objects.sort {
      if $0.order != $1.order { return $0.order < $1.order }
      // Keys such as URLs begin alike.
      if $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) { return true }
      if $1.key.bytes.lexicographicallyPrecedes($0.key.bytes) { return false }
      return $0.id < $1.id
    }
    return objects.map(\.id)
  }

  /// Returns whether an object's row is new, or has another value or link.
  private func isRowChanged(_ id: ObjectID) -> Bool {
    let state = fetched.state(of: id)
    return !state.contains(.stored) || state.contains(.written) || outcomes[id] >= .updated
      || fetched.formerKeys[id] != nil
  }

  /// Returns whether the batch knows that a list has other members than in the database.
  private func isListChanged(_ relationship: Int, of id: ObjectID) -> Bool {
    fetched.isKnown(id, relationship)
      && !fetched.storedMembers(of: id, relationship)
        .elementsEqual(graph.members(of: id, relationship))
  }

  /// Writes the rows of a table, and returns whether one of them is a stub.
  private func writeRows(
    of table: DatabaseSchema.Table, _ objects: [ObjectID]
  ) throws(StoreError) -> Bool {
    if objects.isEmpty { return false }
    var hasStubs = false
    let insert = try statements.insert(table.number)
    let all = Array(table.columns.indices)
    let valuesAndKey = table.values + table.key
    let sourcesByEntity = DatabaseSchema.ByEntity(table.entities) {
      binder.sources(of: $0, in: table)
    }
    // Move rows first, so that their old keys are free for new rows. Their links, which a later move may have changed,
    // are written again with all others.
    try writeMoved(objects.filter { fetched.formerKeys[$0] != nil }, table) { sourcesByEntity[$0] }
    for id in objects where isRowChanged(id) {
      let sources = sourcesByEntity[id.entity]
      let isNew = !isStored(id)
      if !table.isKeyedByNumber { try graph.requireKey(of: id) }
      try graph.requireNumbers(floating[id.entity], of: id)
      if graph.isStub(id) { hasStubs = true }
      if isNew {
        binder.bind(id, sources, all, to: insert)
        try insert.run()
      } else {
        let update = try statements.update(table.number)
        binder.bind(id, sources, valuesAndKey, to: update)
        try update.run()
      }
    }
    return hasStubs
  }

  /// Updates the rows of objects that got other keys, each when its new key is free.
  private func writeMoved(
    _ objects: [ObjectID], _ table: DatabaseSchema.Table, _ sources: (Int) -> [RowBinder.Source]
  ) throws(StoreError) {
    let order = try MoveOrder.sorted(
      objects, of: table, in: statements.connection.name, former: { fetched.formerKeys[$0] },
      next: { graph.identityKey(of: $0, table) })
    for id in order { try writeMoved(id, table, sources(id.entity)) }
  }

  private func writeMoved(
    _ id: ObjectID, _ table: DatabaseSchema.Table, _ sources: [RowBinder.Source]
  ) throws(StoreError) {
    try graph.requireKey(of: id)
    try graph.requireNumbers(floating[id.entity], of: id)
    guard let former = fetched.formerKeys[id] else { return }
    let update = try statements.updateWithKey(table.number)
    binder.bind(id, sources, Array(table.columns.indices), to: update)
    try OwnedValue.withRawValues(former.values[...]) { key throws(StoreError) in
      DatabaseStatements.bind(key, table.keyColumns, to: update, from: table.columns.count)
      try update.run()
    }
  }

  /// Returns the keys of the rows to delete, sorted by table and roughly by row.
  ///
  /// So a table that does not fit into the cache is read once from start to end.
  private func sortedKeysOfRemoved() -> [RowKey] {
    fetched.removed
      .map { key in
        (order: OwnedValue.withRawValues(key.values[...]) { $0.first?.sortPrefix ?? 0 }, key: key)
      }
      .sorted { ($0.key.table, $0.order) < ($1.key.table, $1.order) }
      .map(\.key)
  }

  private func deleteRemoved() throws(StoreError) {
    for key in sortedKeysOfRemoved() {
      let columns = schema.tables[key.table].keyColumns
      try OwnedValue.withRawValues(key.values[...]) { values throws(StoreError) in
        func run(_ statement: any DatabaseStatement) throws(StoreError) {
          DatabaseStatements.bind(values, columns, to: statement)
          try statement.run()
        }
        try run(statements.delete(key.table))
        for list in schema.lists {
          if list.ownerTable == key.table { try run(statements.deleteMembers(list.number)) }
          if list.memberTable == key.table { try run(statements.deleteOwners(list.number)) }
        }
      }
    }
  }

  // MARK: Lists

  /// Writes the differences of a list, from the end by which its table is sorted and then from the other one.
  private func write(
    _ list: DatabaseSchema.List, _ objects: [[ObjectID]]
  ) throws(StoreError) {
    let relationship = schema.model.entities[list.entity].relationships[list.relationship]
    let owners = (entity: list.entity, relationship: list.relationship)
    let members = relationship.inverse.map { (entity: relationship.destination, relationship: $0) }
    var known: Int?
    for end in [list.keyEnd, list.end(ofOwners: list.isKeyedByMember)] {
      guard let side = end.isOwners ? owners : members else { return }
      let family = Set(schema.model.entities[side.entity].family)
      for id in objects[end.table]
      where family.contains(id.entity) && fetched.isKnown(id, side.relationship) {
        if list.isOrdered {
          try writeMembers(of: id, list)
        } else {
          try writeLinks(of: id, side.relationship, end, besidesKnown: known)
        }
      }
      // The other end has no order, and that of a symmetric relationship is the same.
      if list.isOrdered || list.isSymmetric { return }
      known = side.relationship
    }
  }

  /// Returns whether the database had an object before this batch; it has no list of, and no list with, any other.
  private func isStored(_ id: ObjectID) -> Bool { fetched.state(of: id).contains(.stored) }

  /// Writes the members of a list that has an order.
  private func writeMembers(
    of owner: ObjectID, _ list: DatabaseSchema.List
  ) throws(StoreError) {
    let old = fetched.storedMembers(of: owner, list.relationship)
    let new = graph.members(of: owner, list.relationship)
    if old.elementsEqual(new) { return }
    // Both ends of a symmetric relationship write the same rows.
    let isNew = !isStored(owner) && !list.isSymmetric
    let isLonger = new.starts(with: old)
    if !isLonger { try binder.deleteMembers(of: owner, list) }
    for (position, member) in new.enumerated().dropFirst(isLonger ? old.count : 0) {
      try binder.insert(member, of: owner, list, position: position, isNew: isNew)
    }
  }

  /// Writes the links of an object in a list that has no order.
  ///
  /// - Parameters:
  ///   - id: The object, all of whose links are known.
  ///   - relationship: Its relationship.
  ///   - end: The end of the list at which it is.
  ///   - known: The relationship by which the other end has written what it knows; nil where it has not.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  private func writeLinks(
    of id: ObjectID, _ relationship: Int, _ end: DatabaseSchema.ListEnd, besidesKnown known: Int?
  ) throws(StoreError) {
    let list = end.list
    let old = fetched.storedMembers(of: id, relationship)
    let new = graph.members(of: id, relationship)
    if old.elementsEqual(new) { return }
    func ends(of other: ObjectID) -> (owner: ObjectID, member: ObjectID) {
      end.isOwners ? (id, other) : (other, id)
    }
    // Both ends of a symmetric relationship have rows.
    let kept = old.isEmpty ? [] : Set(new)
    for other in old where !kept.contains(other) && graph.contains(other) {
      let (owner, member) = ends(of: other)
      try binder.delete(member, of: owner, list)
      if list.isSymmetric { try binder.delete(owner, of: member, list) }
    }
    let stored = Set(old)
    for other in new where old.isEmpty || !stored.contains(other) {
      if let known, fetched.isKnown(other, known) { continue }
      let (owner, member) = ends(of: other)
      let isNew = !list.isSymmetric && !(isStored(id) && isStored(other))
      try binder.insert(member, of: owner, list, isNew: isNew)
      if list.isSymmetric { try binder.insert(owner, of: member, list) }
    }
  }
}

extension RawValue {
  /// A number that sorts like the first bytes of the value.
  fileprivate var sortPrefix: UInt64 {
    if !hasBytes { return bits ^ (1 << 63) }
    var prefix: UInt64 = 0
    for index in 0..<8 {
      prefix = prefix << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0)
    }
    return prefix
  }
}

extension Graph {
  /// Refuses an object that lacks the key of its table, which is keyed by the identity.
  func requireKey(of id: ObjectID) throws(StoreError) {
    let entity = schema.entities[id.entity]
    guard let missing = entity.identity.first(where: { value(id, attribute: $0).isNull }) else {
      return
    }
    throw StoreError(
      .missingKey,
      "an object of \(entity.name) has no \"\(entity.attributes[missing].name)\", which is the key of its table in"
        + " a database; say \(schema.words.setting("JSONMissingIdentity", "insert")) in the model"
        + " before the database is made",
      entity: entity.name, property: entity.attributes[missing].name)
  }

  /// Refuses an object with a NaN, for which the database would store no value.
  func requireNumbers(_ attributes: [Int], of id: ObjectID) throws(StoreError) {
    for number in attributes {
      let value = value(id, attribute: number)
      guard !value.isNull, value.double.isNaN else { continue }
      let entity = schema.entities[id.entity]
      throw StoreError(
        .wrongType,
        "an object of \(entity.name) has NaN as \"\(entity.attributes[number].name)\", which the database cannot"
          + " store; set a number or nil",
        entity: entity.name, property: entity.attributes[number].name)
    }
  }
}

extension FetchedObjects {
  /// Returns whether all members of a list are known: the list was read, or the object is new.
  func isKnown(_ id: ObjectID, _ relationship: Int) -> Bool {
    !state(of: id).contains(.stored) || lists.hasRead(relationship, of: id)
  }
}
