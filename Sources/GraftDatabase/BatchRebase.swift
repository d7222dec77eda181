// An import holds the lock of its database only while it saves. If another writer has committed
// since a batch was read, the batch is out of date. Its changes are then replayed onto an empty
// batch, which reads the rows it needs again, now under the lock. The rules and the code are those
// of a store in memory (Store/Transaction/Rebase.swift).
//
// Example: the batch has read user 3, and changed her name. Before it is saved, another process
// changes her city and deletes tweet 7, whose text the batch has changed. The new batch reads user
// 3 again and writes her name only; it does not find tweet 7, and inserts it as the first batch
// read it.

import Graft

/// Replays the changes of a batch onto the rows that others have written since it began.
struct BatchRebase {
  private let rebase: Rebase
  private let batch: DatabaseBatch
  /// The graph of the batch as it was before.
  private let graph: Graph
  private let transaction: GraphTransaction

  /// Replays the changes of a batch onto the current content of the database.
  ///
  /// - Parameters:
  ///   - batch: The batch, which holds the replayed changes afterwards.
  ///   - transaction: The batch's transaction, whose objects get other identifiers.
  ///   - outcomes: The outcomes of the objects, which become those of the replayed changes.
  /// - Throws: ``Graft/StoreError`` if the changes conflict with those of another writer, or the
  ///   database cannot be read.
  /// - Complexity: O(*n*) in the objects of the batch, whose rows are read again.
  init(
    _ batch: DatabaseBatch, _ transaction: GraphTransaction, _ outcomes: ObjectOutcomes
  ) throws(StoreError) {
    self.batch = batch
    self.transaction = transaction
    let empty = transaction.base
    let promotions = transaction.promotions
    let origin = batch.origin
    graph = transaction.freeze()
    let base = origin.graph(
      of: graph, rowCounts: graph.schema.entities.indices.map(transaction.rowCount), in: empty)
    transaction.reset(to: empty)
    batch.reset()
    batch.rows.forgetFilters()
    batch.fetched.keepsRows = false
    let ground = DatabaseLookup(origin, base, batch, transaction)
    ground.findAll()
    try batch.check()
    rebase = try Rebase(graph, since: base, promotions: promotions, onto: transaction, ground)
    try batch.check()
    move(outcomes)
    try batch.check()
  }

  /// Returns the object in the new batch for an object of the old one, or nil if another writer has
  /// deleted it.
  func current(_ id: ObjectID) -> ObjectID? { rebase.current(id) }

  /// Maps each object of the old batch to its object in the new one, or to an identifier of no
  /// object if another writer has deleted it.
  func remapping() -> [ObjectID: ObjectID] {
    var result: [ObjectID: ObjectID] = [:]
    for entity in graph.schema.entities.indices {
      var nobody: ObjectID?
      for id in graph.rows(entity) {
        if let new = current(id) {
          result[id] = new
          continue
        }
        let id =
          nobody ?? [RawValue]().withBorrowed { transaction.insert(entity: entity, identity: $0) }
        if nobody == nil { transaction.remove([id]) }
        nobody = id
        result[id] = nobody
      }
    }
    return result
  }

  private func move(_ outcomes: ObjectOutcomes) {
    let relinked = Set(
      rebase.changes.updated.filter { update in
        let relationships = graph.schema.entities[update.object.entity].relationships
        return update.relationships.contains { relationships[$0].isToMany }
      }.map(\.object))
    outcomes.move(transaction.layout) { id, outcome in
      let isOverruled = rebase.overruled.contains(id)
      guard let new = current(id) else { return isOverruled ? (id, .unmentioned) : nil }
      let state = batch.state(of: new)
      if !state.contains(.stored) { return (new, .inserted) }
      if outcome == .unchanged || isOverruled { return (new, .unchanged) }
      return (new, state.contains(.written) || relinked.contains(id) ? .updated : .unchanged)
    }
  }
}

/// Finds the rows that a batch has read in the database as it is now.
private final class DatabaseLookup: RebaseLookup {
  private let origin: BatchOrigin
  private let base: Graph
  private let batch: DatabaseBatch
  private let transaction: GraphTransaction
  private var found: [ObjectID: ObjectID?] = [:]

  init(
    _ origin: BatchOrigin, _ base: Graph, _ batch: DatabaseBatch, _ transaction: GraphTransaction
  ) {
    self.origin = origin
    self.base = base
    self.batch = batch
    self.transaction = transaction
  }

  /// Finds all objects whose values were read, before any of them gets another identity.
  func findAll() {
    let objects = (0..<origin.rows.count).map { origin.rows.object($0) }
    if batch.statements.connection.dialect.lookUpGroups != nil {
      for id in objects where !origin.schema.table(of: id.entity).isKeyedByNumber {
        withIdentity(of: id) { batch.request(identityOf: id.entity, $0) }
      }
      for list in origin.fetched.lists.all
      where base.contains(list.owner)
        && !origin.schema.table(of: list.owner.entity).isKeyedByNumber
      {
        withIdentity(of: list.owner) {
          batch.request(membersOf: list.relationship, of: list.owner.entity, $0)
        }
      }
    }
    for id in objects { _ = object(id) }
  }

  func object(_ id: ObjectID) -> ObjectID? {
    if let found = found[id] { return found }
    guard base.contains(id) else { return nil }
    let object =
      if let number = origin.fetched.number(of: id) {
        transaction.find(
          RowKey(
            table: origin.schema.tableNumbers[id.entity], values: [OwnedValue(.integer(number))]))
      } else {
        withIdentity(of: id) { transaction.find(identityOf: id.entity, $0) }
      }
    // An object of another entity has its place.
    let same = object?.entity == id.entity ? object : nil
    found[id] = .some(same)
    return same
  }

  private func withIdentity<R>(of id: ObjectID, _ body: (BorrowedBuffer<RawValue>) -> R) -> R {
    base.schema.entities[id.entity].identity.map { base.value(id, attribute: $0) }
      .withBorrowed(body)
  }

  func replaysMembers(of id: ObjectID, _ relationship: Int) -> Bool {
    // The column of the other end has the same link.
    if case .inverseOfReference? = origin.schema.members[id.entity][relationship] { return false }
    return origin.isKnown(id, relationship)
  }

  func hasSameMembers(_ members: [ObjectID], _ id: ObjectID, _ relationship: Int) -> Bool {
    guard let owner = object(id) else { return false }
    transaction.readTargets(of: owner, relationship)
    let found = batch.storedMembers(of: owner, relationship)
    return found.count == members.count && zip(found, members).allSatisfy { $0 == object($1) }
  }
}

extension Rebase {
  /// Replays the difference between two graphs onto a transaction of another graph.
  ///
  /// - Parameters:
  ///   - graph: The graph with the changes.
  ///   - base: The graph without them.
  ///   - promotions: For each stub that the changes promoted, the object in its place.
  ///   - target: Takes the changes.
  ///   - ground: Finds the objects of `base` in `target`.
  /// - Throws: ``StoreError`` if an identity conflicts or a deletion is denied there.
  fileprivate convenience init(
    _ graph: Graph, since base: Graph, promotions: [ObjectID: ObjectID],
    onto target: GraphTransaction, _ ground: any RebaseLookup
  ) throws(StoreError) {
    var changes = GraphDifference()
    for entity in graph.schema.entities.indices {
      changes.append(GraphDifference(of: entity, from: base, to: graph))
    }
    try self.init(
      GraphTransaction(base: graph, promotions: promotions), base: base, changes, onto: target,
      ground)
  }
}
