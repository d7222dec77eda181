package import Graft
import Synchronization

/// Writes each commit of a store in memory to a database, before the commit is published.
final class DatabaseCommitLog: CommitLog {
  /// Unchecked: connection and statements are made here, never leave, and are reached only through the lock.
  private struct State: @unchecked Sendable {
    let connection: any DatabaseConnection
    let statements: DatabaseStatements
    /// The `_id` of each object of a table that is keyed by it.
    var rowIDs: [ObjectID: Int64] = [:]
    /// The `_id` of the next row.
    var nextRowID: Int64 = 1
  }

  private let schema: DatabaseSchema
  private let state: Mutex<State>

  init(
    _ database: GraphDatabase, connect: () throws(StoreError) -> any DatabaseConnection
  ) throws(StoreError) {
    schema = database.schema
    let connection = try connect()
    try connection.enforceForeignKeys()
    state = Mutex(
      State(
        connection: connection, statements: DatabaseStatements(connection, schema)))
  }

  func read(into empty: Graph) throws(StoreError) -> Graph {
    try state.withLock { state throws(StoreError) in
      // Another writer is noticed from here on.
      _ = try state.connection.begin()
      defer { state.connection.rollback() }
      var reader = GraphReader(state.connection, schema, into: empty)
      let graph = try reader.readAllRows()
      for (row, object) in reader.objectsByRow.joined() { state.rowIDs[object] = row }
      state.nextRowID = try schema.freeRowID(state.connection)
      return graph
    }
  }

  func write(_ graph: Graph, after previous: Graph) throws(StoreError) {
    try state.withLock { state throws(StoreError) in
      let (rowIDs, nextRowID) = (state.rowIDs, state.nextRowID)
      if try state.connection.begin() {
        state.connection.rollback()
        throw StoreError(
          .database,
          "\(state.connection.name): was changed by another process or connection since it was opened;"
            + " open it again")
      }
      do throws(StoreError) {
        try write(graph, after: previous, &state)
        try ImportRecord.countCommit(state.connection, greatestRowID: state.nextRowID - 1)
        try state.connection.commit()
      } catch {
        state.connection.rollback()
        (state.rowIDs, state.nextRowID) = (rowIDs, nextRowID)
        throw error
      }
    }
  }

  private func write(
    _ graph: Graph, after previous: Graph, _ state: inout State
  ) throws(StoreError) {
    var difference = GraphDifference()
    for entity in schema.model.entities.indices {
      difference.append(GraphDifference(of: entity, from: previous, to: graph))
    }
    let before = RowBinder(state.statements, previous, stubMark: 0) { [rowIDs = state.rowIDs] in
      rowIDs[$0] ?? 0
    }
    for id in difference.deleted {
      let table = schema.table(of: id.entity)
      let delete = try state.statements.delete(table.number)
      before.bindKey(of: id, table.keyColumns, to: delete, from: 0)
      try delete.run()
    }
    let floating = state.statements.attributesWithoutNaN
    for id in difference.inserted + difference.updated.map(\.object) {
      if !schema.table(of: id.entity).isKeyedByNumber { try graph.requireKey(of: id) }
      try graph.requireNumbers(floating[id.entity], of: id)
    }
    for id in difference.inserted where schema.table(of: id.entity).isKeyedByNumber {
      state.rowIDs[id] = state.nextRowID
      state.nextRowID += 1
    }
    let after = RowBinder(state.statements, graph, stubMark: 0) { [rowIDs = state.rowIDs] in
      rowIDs[$0] ?? 0
    }
    // Rows that get other keys move first, so that new rows may have their former ones. Their links, which a later move
    // may have changed, are written again with all others.
    for object in try moved(difference, previous, graph, state.connection.name) {
      try write(object, after, underKeyOf: before, state.statements)
    }
    for id in difference.inserted {
      let table = schema.table(of: id.entity)
      let insert = try state.statements.insert(table.number)
      after.bind(
        id, after.sources(of: id.entity, in: table), Array(table.columns.indices), to: insert)
      try insert.run()
    }
    for update in difference.updated {
      try write(update.object, after, underKeyOf: after, state.statements)
    }
    var changes = difference.inserted.map { GraphDifference.Update(object: $0) }
    for index in changes.indices {
      let entity = schema.model.entities[changes[index].object.entity]
      changes[index].relationships = Array(entity.relationships.indices)
    }
    for change in changes + difference.updated {
      for number in change.relationships {
        guard case .list(let list)? = schema.members[change.object.entity][number] else { continue }
        try writeMembers(of: change.object, schema.lists[list], graph, after)
      }
    }
  }

  /// Returns the objects whose rows get other keys, in the order in which the rows can move.
  private func moved(
    _ difference: GraphDifference, _ previous: Graph, _ graph: Graph, _ database: String
  ) throws(StoreError) -> [ObjectID] {
    var objects: [ObjectID] = []
    for table in schema.tables where !table.isKeyedByNumber {
      let changed = difference.updated.filter { update in
        let identity = schema.model.entities[update.object.entity].identity
        return schema.tableNumbers[update.object.entity] == table.number
          && update.attributes.contains(where: identity.contains)
      }
      objects += try MoveOrder.sorted(
        changed.map(\.object), of: table, in: database,
        former: { previous.identityKey(of: $0, table) },
        next: { graph.identityKey(of: $0, table) })
    }
    return objects
  }

  /// Updates the row of an object.
  private func write(
    _ object: ObjectID, _ values: RowBinder, underKeyOf current: RowBinder,
    _ statements: DatabaseStatements
  ) throws(StoreError) {
    let table = schema.table(of: object.entity)
    let sources = values.sources(of: object.entity, in: table)
    let statement = try statements.updateWithKey(table.number)
    values.bind(object, sources, Array(table.columns.indices), to: statement)
    current.bindKey(of: object, table.keyColumns, to: statement, from: table.columns.count)
    try statement.run()
  }

  private func writeMembers(
    of owner: ObjectID, _ list: DatabaseSchema.List, _ graph: Graph, _ binder: RowBinder
  ) throws(StoreError) {
    try binder.deleteMembers(of: owner, list)
    for (position, member) in graph.members(of: owner, list.relationship).enumerated() {
      try binder.insert(member, of: owner, list, position: position)
    }
  }
}

extension GraphStore {
  /// Loads a whole database into a store in memory, whose commits are written through.
  ///
  /// - Parameter database: The database.
  /// - Throws: ``Graft/StoreError`` where it cannot be read.
  package convenience init(_ database: GraphDatabase) throws(StoreError) {
    try self.init(
      model: database.model, log: DatabaseCommitLog(database, connect: database.connect))
  }
}
