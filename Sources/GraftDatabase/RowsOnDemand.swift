import Graft
import GraftExport
import Synchronization

// A deletion scope is a closure that receives an object and may follow any relationship. So its graph
// reads rows when the closure asks for them; no other graph of a database does that. The graph has a
// batch of its own, which shows the rows in the database and not the import's unsaved objects:
//
//   options.deletionScope(Concert.self) { $0.venue?.city?.name == "Graz" }   // reads three rows, one by one

/// Asks deletion scopes about the objects of a database, in bounded memory.
final class DeletionScopeReader {
  private let schema: DatabaseSchema
  /// The graph from which reading begins.
  private let empty: Graph
  private let connection: any DatabaseConnection
  private var rows: RowsOnDemand?
  /// The number of objects asked about with the current rows.
  private var objectCount = 0

  /// The number of objects after which the rows are released.
  private static let objectLimit = 256

  init(_ schema: DatabaseSchema, _ empty: Graph, _ connection: any DatabaseConnection) {
    self.schema = schema
    self.empty = empty
    self.connection = connection
  }

  /// Asks a deletion scope about an object.
  ///
  /// - Parameters:
  ///   - scope: Decides whether an object may be deleted.
  ///   - key: The key of the object's row.
  /// - Returns: The scope's answer; nil if there is no such row.
  /// - Throws: ``Graft/StoreError`` if the database cannot be read.
  func ask(
    _ scope: (GraphObject) -> Bool, about key: RowKey
  ) throws(StoreError) -> Bool? {
    if objectCount == Self.objectLimit { end() }
    objectCount += 1
    let present = rows ?? RowsOnDemand(schema, empty, connection)
    rows = present
    return try present.ask(scope, about: key)
  }

  /// Ends all reading.
  func end() {
    rows?.end()
    rows = nil
    objectCount = 0
  }
}

/// A graph whose objects are read from a database when they are asked for.
///
/// Unchecked: the batch, the transaction and the graphs are used only within ``lock``, and the connection only while
/// ``ask(_:about:)`` runs. An object that is kept beyond ``end()`` has the values that were read until then.
final class RowsOnDemand: UnreadContent, @unchecked Sendable {
  private let schema: DatabaseSchema
  private let batch: DatabaseBatch
  private let transaction: GraphTransaction
  private let lock = Mutex(())
  /// The graphs read for the current object; each is kept, so that values read from it stay valid.
  private var graphs: [Graph]
  private var hasEnded = false

  init(_ schema: DatabaseSchema, _ empty: Graph, _ connection: any DatabaseConnection) {
    self.schema = schema
    batch = DatabaseBatch(DatabaseStatements(connection, schema), empty)
    transaction = batch.transaction
    graphs = [transaction.base]
  }

  /// Asks a deletion scope about an object, as ``DeletionScopeReader`` says.
  func ask(
    _ scope: (GraphObject) -> Bool, about key: RowKey
  ) throws(StoreError) -> Bool? {
    let object = try lock.withLock { _ throws(StoreError) -> GraphObject? in
      graphs.removeAll()
      guard let id = try transaction.object(for: key, readingValues: true) else { return nil }
      let graph = transaction.freeze()
      graphs.append(graph)
      return GraphObject(id: id, graph: graph.lacking(self))
    }
    // The scope reads on demand, under the lock.
    guard let object else { return nil }
    let answer = scope(object)
    try lock.withLock { _ throws(StoreError) in try batch.check() }
    return answer
  }

  /// Ends all reading; kept objects show only what was read before.
  func end() {
    lock.withLock { _ in
      hasEnded = true
    }
  }

  // MARK: Reading on demand

  var current: Graph? { lock.withLock { _ in graphs.last } }

  func isUnread(_ id: ObjectID) -> Bool {
    reading { () -> (() -> Void)? in
      batch.state(of: id).contains(.unread) ? { self.transaction.readValues(of: id) } : nil
    }
  }

  func isUnread(_ relationship: Int, of id: ObjectID) -> Bool {
    reading { () -> (() -> Void)? in
      schema.members[id.entity][relationship] != nil && !batch.fetched.isKnown(id, relationship)
        ? { self.transaction.readTargets(of: id, relationship) } : nil
    }
  }

  func readAll(of entities: [Int]) {
    _ = reading { () -> (() -> Void)? in
      { for entity in entities { self.transaction.fetchAll(of: entity) } }
    }
  }

  /// Reads a part unless it is known.
  ///
  /// - Parameter unknown: Returns what reads the part; nil if it is known.
  /// - Returns: Whether the part stays unread because reading has ended.
  private func reading(_ unknown: () -> (() -> Void)?) -> Bool {
    lock.withLock { _ in
      guard let read = unknown() else { return false }
      guard !hasEnded else { return true }
      read()
      graphs.append(transaction.freeze())
      return false
    }
  }

  func error(for part: UnreadPart, by link: UnreadPart?, in graph: Graph) -> StoreError {
    StoreError(
      .notRead,
      "\(graph.name(of: part.object)) was not read before its deletion scope ended; keep values, and not objects"
    )
  }
}
