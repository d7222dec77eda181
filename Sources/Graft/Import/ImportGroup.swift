import Synchronization

/// Imports that belong together, such as the pages of one list.
///
/// Objects that are missing from all of them are deleted when the last has ended.
///
/// ```swift
/// try await store.importGroup { group in
///   var options = ImportOptions()
///   options.deletesMissing = true
///   options.group = group
///   for page in pages {
///     try await store.importJSON(Concert.self, at: "concerts", from: page, options: options)
///   }
/// }
/// ```
///
/// Each import publishes its objects when it ends. Imports may follow one another or, into a store,
/// run side by side. No object is deleted before the end of the group; then all are deleted at
/// once. An object is deleted under four conditions:
///
/// - An import with ``ImportOptions/deletesMissing`` has a root of its entity.
/// - ``ImportOptions/deletionScopes`` admits it.
/// - It existed when the group began.
/// - No import of the group has mentioned it.
///
/// If one of the imports has failed, has been given up or has not ended, nothing is deleted.
public final class ImportGroup: Sendable {
  /// The objects that the group may delete at its end, as far as one import says.
  package struct DeletableObjects: Sendable {
    /// The numbers of the entities of the roots that were found.
    package var entities: Set<Int>
    /// The scopes that decide which objects may be deleted, by entity; empty if all may.
    var scopes: [(@Sendable (GraphObject) -> Bool)?]

    /// Returns whether a scope is asked about objects of an entity, so that more than their entity must be known.
    package func asksScope(of entity: Int) -> Bool {
      entities.contains(entity) && !scopes.isEmpty && scopes[entity] != nil
    }

    package func contains(_ object: GraphObject) -> Bool {
      guard entities.contains(object.id.entity) else { return false }
      guard !scopes.isEmpty, let scope = scopes[object.id.entity] else { return true }
      return scope(object)
    }
  }

  /// Describes the skipped parts of documents, which may have mentioned objects that seem to be missing.
  struct Skipped {
    /// Whether there were lines that are not JSON.
    var hasLines = false
    /// The entities of skipped objects without a readable identity, and all entities that share the identity.
    var entities: Set<Int> = []

    var isEmpty: Bool { !hasLines && entities.isEmpty }

    /// Returns whether objects of some entities may have been mentioned.
    func mayMention(_ deletable: Set<Int>) -> Bool {
      hasLines || !entities.isDisjoint(with: deletable)
    }
  }

  private struct State {
    var deletable: [DeletableObjects] = []
    var importCount = 0
    var successCount = 0
    /// Whether a list of pages was not read to its end.
    var isIncomplete = false
    var skipped = Skipped()
    var hasEnded = false
  }

  package let storage: any GroupStorage
  private let schema: ModelSchema
  private let state: Mutex<State>

  /// Begins a group; ``finish()`` ends it.
  ///
  /// - Parameter store: The store into which the imports go.
  public convenience init(_ store: GraphStore) {
    self.init(StoreGroup(store), store.model.schema)
  }

  /// Begins a group of imports into a destination of any kind.
  package init(_ storage: any GroupStorage, _ schema: ModelSchema) {
    self.storage = storage
    self.schema = schema
    state = Mutex(State())
  }

  /// Ends the group, and deletes the objects that no import of the group has mentioned.
  ///
  /// - Returns: The number of deleted objects, and a notice if nothing was deleted because an
  ///   import did not end well.
  /// - Throws: ``ImportError`` if a delete rule denies a deletion, or the group has ended already;
  ///   nothing is deleted then.
  /// - Complexity: O(*n*) in the objects of the roots' entities that were there when the group began.
  @discardableResult
  public func finish() throws -> ImportReport {
    let state = try state.withLock { state in
      guard !state.hasEnded else { throw Self.ended }
      state.hasEnded = true
      return state
    }
    var report = ImportReport()
    defer { storage.end() }
    guard !state.deletable.isEmpty else { return report }
    let entities = state.deletable.reduce(into: Set()) { $0.formUnion($1.entities) }
    let mayBeMentioned = state.skipped.mayMention(schema.reachedByCascade(from: entities))
    let failureCount = state.importCount - state.successCount
    let obstacle: String? =
      if failureCount > 0 {
        "of \(state.importCount) imports of the group, \(failureCount) did not end well"
      } else if state.isIncomplete {
        "a list of pages was not read to its end"
      } else if mayBeMentioned {
        "what was skipped may have mentioned it"
      } else {
        nil
      }
    if let obstacle {
      report.note("nothing that is missing was deleted: \(obstacle)")
      return report
    }
    do {
      if let counts = try storage.deleteMissing(state.deletable) {
        report.countDeleted(counts, in: schema)
      } else {
        report.note(
          "nothing that is missing was deleted: somebody else has written to the database since the group began"
        )
      }
    } catch {
      throw ImportError(error)
    }
    return report
  }

  /// Ends the group, and deletes nothing.
  func abandon() {
    let wasEnded = state.withLock { state in
      defer { state.hasEnded = true }
      return state.hasEnded
    }
    if !wasEnded { storage.end() }
  }

  private static var ended: ImportError {
    ImportError(
      kind: .model, message: "the group of imports has ended; begin another one with importGroup")
  }

  // MARK: The imports of the group

  /// Notes that an import begins.
  ///
  /// - Throws: ``ImportError`` if the group has ended or is of another store.
  func begin(in target: AnyObject) throws {
    guard target === storage.owner else {
      throw ImportError(
        kind: .model,
        message: "the group of imports was begun for another store; begin one for this store")
    }
    try state.withLock { state in
      guard !state.hasEnded else { throw Self.ended }
      state.importCount += 1
    }
  }

  /// Forgets an import that has failed, because it is repeated.
  package func forgetFailedImport() { state.withLock { $0.importCount -= 1 } }

  /// Notes that a part is missing that may have mentioned any object, so that nothing is deleted.
  package func noteIncompleteImport() { state.withLock { $0.isIncomplete = true } }

  /// Notes that an import is complete, and the objects that it mentioned.
  ///
  /// - Parameters:
  ///   - outcomes: The objects that the import mentioned, by the identifiers of the published
  ///     graph.
  ///   - deletable: The objects that may be deleted if they are missing; nil for none.
  ///   - skipped: The parts that it has skipped.
  func add(_ outcomes: ObjectOutcomes, _ deletable: DeletableObjects?, _ skipped: Skipped) {
    storage.add(outcomes)
    state.withLock { state in
      state.successCount += 1
      state.skipped.hasLines = state.skipped.hasLines || skipped.hasLines
      state.skipped.entities.formUnion(skipped.entities)
      if let deletable { state.deletable.append(deletable) }
    }
  }
}

/// Keeps the objects that the imports of a group mention, and deletes the others.
package protocol GroupStorage: AnyObject, Sendable {
  /// The store or database into which the imports go.
  var owner: AnyObject { get }

  /// Notes the objects that an import has mentioned.
  ///
  /// - Parameter outcomes: The outcomes of its objects, by the identifiers of the published graph.
  func add(_ outcomes: ObjectOutcomes)

  /// Deletes the objects that may be deleted and that no import has mentioned.
  ///
  /// - Returns: The number of deleted objects, by the number of the entity; nil if nothing was
  ///   deleted because others have written since.
  /// - Throws: ``StoreError`` if a delete rule denies it; nothing is deleted then.
  func deleteMissing(_ deletable: [ImportGroup.DeletableObjects]) throws(StoreError) -> [Int: Int]?

  /// Forgets the mentioned objects.
  func end()
}

/// Keeps the objects that a group's imports into a store have mentioned.
private final class StoreGroup: GroupStorage {
  private let store: GraphStore
  /// The graph when the group began.
  private let base: Graph
  private let mentioned: Mutex<ObjectSet>

  init(_ store: GraphStore) {
    self.store = store
    base = store.graph
    mentioned = Mutex(ObjectSet(entityCount: base.schema.entities.count))
  }

  var owner: AnyObject { store }

  func add(_ outcomes: ObjectOutcomes) {
    mentioned.withLock { mentioned in
      for entity in base.schema.entities.indices {
        let rowCount = base.storage.tables[entity].rowCount
        for row in outcomes.mentionedRows(of: entity, inFirst: rowCount) {
          _ = mentioned.insert(base.storage.layout.objectID(entity: entity, row: row))
        }
      }
    }
  }

  func deleteMissing(
    _ deletable: [ImportGroup.DeletableObjects]
  ) throws(StoreError) -> [Int: Int]? {
    let transaction = GraphTransaction(base: store.graph)
    var counts = [Int: Int]()
    let mentioned = mentioned.withLock { $0 }
    let missing = missing(deletable, besides: mentioned, in: transaction)
    transaction.rebaseRules.isMentioned = { [base] in mentioned.contains($0) || !base.contains($0) }
    let deleted = try transaction.delete(missing, sparing: transaction.rebaseRules.isMentioned)
    for object in deleted {
      counts[object.entity, default: 0] += 1
    }
    let result = try store.commit(transaction)
    return result.rebased?.deleted ?? counts
  }

  private func missing(
    _ deletable: [ImportGroup.DeletableObjects], besides mentioned: ObjectSet,
    in transaction: GraphTransaction
  ) -> [ObjectID] {
    let entities = deletable.reduce(into: Set<Int>()) { $0.formUnion($1.entities) }
    return entities.sorted().flatMap { entity in
      (0..<base.storage.tables[entity].rowCount).lazy
        .map { self.base.storage.layout.objectID(entity: entity, row: $0) }
        .filter { id in
          guard self.base.contains(id), transaction.contains(id), !mentioned.contains(id) else {
            return false
          }
          let object = GraphObject(id: id, graph: self.base)
          return deletable.contains { $0.contains(object) }
        }
    }
  }

  func end() {}
}
