// A batch is a graph of the objects that the document has mentioned since the last save. Its
// transaction reads the rows that it lacks (Store/Transaction/FetchedRows.swift). At the save,
// `BatchWriter` inserts the rows of new objects, and updates those of written ones.
//
// An import reads without a lock, so that others may write before its batch is saved. The rows and
// lists that it has read are kept as they were. At the save, `BatchRebase` replays the changes of
// the batch onto the current rows if another writer has committed.

import Graft

/// A transaction whose objects are read from a database.
final class DatabaseBatch {
  let rows: DatabaseRows
  let transaction: GraphTransaction
  /// The objects that have rows in the database.
  let fetched: FetchedObjects

  /// - Parameters:
  ///   - statements: The statements of the database.
  ///   - empty: The graph from which the batch begins.
  init(_ statements: DatabaseStatements, _ empty: Graph) {
    rows = DatabaseRows(statements, empty.storage.layout)
    fetched = FetchedObjects(rows)
    transaction = GraphTransaction(base: empty, fetched: fetched)
  }

  var schema: DatabaseSchema { rows.schema }
  var statements: DatabaseStatements { rows.statements }

  /// Begins the next batch, which holds no objects.
  func reset() {
    fetched.removeAll()
    rows.forgetKept()
    rows.forgetRequested()
  }

  /// The rows, lists and states that the batch read from the database.
  var origin: BatchOrigin {
    BatchOrigin(schema: schema, rows: rows.kept, fetched: fetched.copy())
  }

  /// The rows and lists that were read so far.
  var readRows: ReadRows {
    ReadRows(states: fetched.states, lists: fetched.lists.withoutMembers)
  }

  /// - Throws: The first error of a function that cannot throw itself.
  func check() throws(StoreError) { try fetched.check() }

  // MARK: Objects and their rows

  func state(of id: ObjectID) -> FetchedObjects.State { fetched.state(of: id) }

  /// Returns the `_id` of an object; nil where it has none yet.
  func rowID(of id: ObjectID) -> Int64? { fetched.number(of: id) }

  /// Returns the key of an object's row.
  func key(of id: ObjectID) -> RowKey { transaction.key(of: id) }

  /// Returns the members of a list, as they were read from the database.
  func storedMembers(of id: ObjectID, _ relationship: Int) -> ArraySlice<ObjectID> {
    fetched.storedMembers(of: id, relationship)
  }

  // MARK: Saves

  /// Assigns new objects their `_id`, and notes that the database has their identities from now on.
  ///
  /// - Parameters:
  ///   - graph: The objects of the batch, which are about to be written.
  ///   - nextRowID: The `_id` of the next row that is inserted.
  func prepareWriting(_ graph: Graph, _ nextRowID: inout Int64) {
    for table in schema.tables {
      for entity in table.entities.sorted() {
        let identity = schema.model.entities[entity].identity
        for id in graph.rows(entity) where !state(of: id).contains(.unread) {
          let isNew = !state(of: id).contains(.stored)
          if table.isKeyedByNumber, isNew {
            fetched.setNumber(nextRowID, of: id)
            nextRowID += 1
          }
          // A stub that was found by another attribute may have got its identity.
          guard isNew || table.isKeyedByNumber || fetched.formerKeys[id] != nil else { continue }
          rows.noteWritten(id, identity, in: graph)
        }
      }
    }
  }

  // MARK: Rows that are read in groups

  /// Requests the row of an identity, unless the row was read or certainly does not exist.
  func request(identityOf entity: Int, _ values: BorrowedBuffer<RawValue>) {
    guard rows.mayHave(entity, values) else { return }
    if let held = transaction.held(identityOf: entity, values),
      !state(of: held).contains(.unread)
    {
      return
    }
    rows.request(identityOf: entity, values)
  }

  /// Requests the members of an object's list, unless the list was read or the object certainly
  /// does not exist.
  func request(membersOf relationship: Int, of entity: Int, _ identity: BorrowedBuffer<RawValue>) {
    guard let end = schema.listEnd(of: relationship, of: entity),
      !schema.table(of: entity).isKeyedByNumber, !identity.contains(where: \.isNull),
      rows.mayHave(entity, identity)
    else { return }
    if let held = transaction.held(identityOf: entity, identity),
      fetched.lists.hasRead(relationship, of: held)
    {
      return
    }
    rows.request(end, identity)
  }
}

extension Graph {
  /// Calls a closure with the values of some attributes of an object, which last as long as the graph.
  @inline(__always)
  func withValues<R>(
    _ attributes: [Int], of id: ObjectID, _ body: (BorrowedBuffer<RawValue>) -> R
  ) -> R {
    // Nearly all identities are of one attribute, and then no array is made.
    attributes.count == 1
      ? BorrowedBuffer.withOne(value(id, attribute: attributes[0]), body)
      : attributes.map { value(id, attribute: $0) }.withBorrowed(body)
  }
}
