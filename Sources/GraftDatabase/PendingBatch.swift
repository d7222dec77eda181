// An import uses two threads and two connections: one thread writes a batch while the other reads the next one.
//
//   reads   | batch 1 | batch 2 | batch 3 | rest
//   writes            | batch 1 | batch 2 | batch 3 | rest
//
// A batch that is written is an immutable graph. Look-ups of the next batch ask it first, because the database may not
// have its rows yet. It has the row of each object that it read or inserted, and the lists that it knows. Whatever it
// has not mentioned, it does not change, and the database answers for that. For the few other look-ups, such as one by
// an attribute that is no identity, the import waits until the batch is in the database.
//
// Saves stay in order: the lock for a save is taken when the save before it has ended. An error of a save ends the
// import before the next one begins, or instead of an error that the import has met since.

import Foundation
import Graft

/// Finds the rows and lists of a batch that is being written, as the database will have them.
final class PendingBatch {
  /// The members that a list has after the batch, as far as the batch knows them.
  enum Members {
    /// The batch does not change the list.
    case unchanged
    case known(RowKeys)
    /// The batch may change the list, and does not know all members.
    case unknown
  }

  private let graph: Graph
  private let fetched: FetchedObjects
  private let binder: RowBinder
  private let schema: DatabaseSchema
  /// The sources of the columns of an entity's table, by entity; empty until they are needed.
  private var sources: [[RowBinder.Source]]
  private let copy = RowCopy()

  init(_ writer: BatchWriter, _ schema: DatabaseSchema) {
    graph = writer.graph
    fetched = writer.fetched
    binder = writer.binder
    self.schema = schema
    sources = schema.model.entities.map { _ in [] }
  }

  /// Returns whether the batch has the row of an identity.
  func hasRow(identityOf entity: Int, _ values: BorrowedBuffer<RawValue>) -> Bool {
    graph.find(identityOf: entity, values).map(isWhole) ?? false
  }

  /// Reads the row of an identity, and returns whether the batch has it.
  func readRow(
    identityOf entity: Int, _ values: BorrowedBuffer<RawValue>, into row: inout RowBuffer
  ) -> Bool {
    read(graph.find(identityOf: entity, values), into: &row)
  }

  /// Reads the row of a key, and returns whether the batch has it.
  func readRow(
    of key: BorrowedBuffer<RawValue>, _ entity: Int, into row: inout RowBuffer
  ) -> Bool {
    read(object(key, entity), into: &row)
  }

  /// Returns whether the values of an object are known; if only its key was read, they are not written.
  private func isWhole(_ id: ObjectID) -> Bool { !fetched.state(of: id).contains(.unread) }

  private func read(_ id: ObjectID?, into row: inout RowBuffer) -> Bool {
    guard let id, isWhole(id) else { return false }
    let table = schema.table(of: id.entity)
    if sources[id.entity].isEmpty { sources[id.entity] = binder.sources(of: id.entity, in: table) }
    swap(&row, &copy.row)
    copy.row.removeAll()
    copy.row.entity = id.entity
    binder.bind(id, sources[id.entity], table.columns.indices, to: copy)
    swap(&row, &copy.row)
    return true
  }

  private func object(_ key: BorrowedBuffer<RawValue>, _ entity: Int) -> ObjectID? {
    let table = schema.table(of: entity)
    return table.isKeyedByNumber
      ? fetched.object(key[0].integer, of: table.number)
      : graph.find(identityOf: table.entities[0], key)
  }

  /// Finds the keys of a list's members, in their order.
  ///
  /// - Parameters:
  ///   - relationship: The number of the relationship.
  ///   - entity: The entity of the owner.
  ///   - key: The key of the owner.
  /// - Returns: The keys, where the batch has them.
  func members(
    _ relationship: Int, of entity: Int, _ key: BorrowedBuffer<RawValue>
  ) -> Members {
    guard let id = object(key, entity) else { return .unchanged }
    guard id.entity == entity, fetched.isKnown(id, relationship) else { return .unknown }
    let destination = schema.model.entities[entity].relationships[relationship].destination
    let keys = graph.members(of: id, relationship).map(self.key)
    return .known(RowKeys(keys, of: schema.tableNumbers[destination]))
  }

  private func key(of id: ObjectID) -> RowKey {
    let table = schema.table(of: id.entity)
    let values =
      table.isKeyedByNumber
      ? [OwnedValue(.integer(fetched.number(of: id) ?? 0))]
      : schema.model.entities[id.entity].identity.map {
        OwnedValue(graph.value(id, attribute: $0))
      }
    return RowKey(table: table.number, values: values)
  }
}

/// A save that runs on a thread of its own.
///
/// Unchecked: the thread runs the body once, and the outcome is read and written under the lock. Until ``wait()`` has
/// returned, its caller uses nothing that the body changes.
final class PendingSave: @unchecked Sendable {
  private var body: (() throws(StoreError) -> Void)?
  private let condition = NSCondition()
  private var outcome: Result<Void, StoreError>?

  /// Begins a save.
  init(_ body: @escaping () throws(StoreError) -> Void) {
    self.body = body
    Thread.detachNewThread { self.run() }
  }

  private func run() {
    let outcome = runBody()
    condition.withLock {
      self.outcome = outcome
      condition.broadcast()
    }
  }

  /// Runs the body, and releases it with all that it uses, such as a connection.
  private func runBody() -> Result<Void, StoreError> {
    defer { body = nil }
    return Result { () throws(StoreError) in try body?() }
  }

  /// Waits until the save has ended.
  ///
  /// - Throws: The error of the save.
  func wait() throws(StoreError) {
    let result = condition.withLock {
      while outcome == nil { condition.wait() }
      return outcome
    }
    try result?.get()
  }
}
