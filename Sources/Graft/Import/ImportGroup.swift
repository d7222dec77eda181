import Synchronization

/// Imports that belong together, such as the pages of one list: what is missing from all of them is
/// deleted when the last has ended.
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
/// Each import publishes what it has read when it ends; they may follow one another or run side by
/// side. Nothing is deleted before the end of the group, and then all at once. An object goes if an
/// import with ``ImportOptions/deletesMissing`` has a root of its entity, if
/// ``ImportOptions/deletionScopes`` lets it go, if it was there when the group began, and if no import
/// of the group has mentioned it. If one of the imports has failed, has been given up or has not ended,
/// nothing is deleted.
public final class ImportGroup: Sendable {
  /// What one import says about the objects that may go.
  struct Licence: Sendable {
    /// The numbers of the entities of the roots that were found.
    var entities: Set<Int>
    /// Which objects may be deleted, by entity; empty where all may.
    var scopes: [(@Sendable (GraphObject) -> Bool)?]

    func allows(_ object: GraphObject) -> Bool {
      guard entities.contains(object.id.entity) else { return false }
      guard !scopes.isEmpty, let scope = scopes[object.id.entity] else { return true }
      return scope(object)
    }
  }

  private struct State {
    var mentioned: ObjectSet
    var licences: [Licence] = []
    var importCount = 0
    var successCount = 0
    /// Whether an import has skipped what it could not read, so that nobody knows what it mentioned.
    var hasGaps = false
    var hasEnded = false
  }

  private let store: GraphStore
  /// The graph when the group began.
  private let base: Graph
  private let state: Mutex<State>

  /// Begins a group; ``finish()`` ends it.
  ///
  /// - Parameter store: The store into which the imports go.
  public init(_ store: GraphStore) {
    self.store = store
    base = store.graph
    state = Mutex(State(mentioned: ObjectSet(entityCount: base.schema.entities.count)))
  }

  /// Ends the group, and deletes what none of its imports has mentioned.
  ///
  /// - Returns: How many objects were deleted, and a notice where nothing was because an import did
  ///   not end well.
  /// - Throws: ``ImportError`` where a delete rule denies a deletion, or the group has ended already;
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
    guard !state.licences.isEmpty || state.hasGaps else { return report }
    let failureCount = state.importCount - state.successCount
    guard failureCount == 0, !state.hasGaps else {
      report.note(
        failureCount == 0
          ? "nothing that is missing was deleted: what was skipped may have mentioned it"
          : "nothing that is missing was deleted: of \(state.importCount) imports of the group,"
            + " \(failureCount) did not end well")
      return report
    }
    do {
      let transaction = GraphTransaction(base: store.graph)
      var counts: [Int: Int] = [:]
      for object in try transaction.delete(missing(state, in: transaction)) {
        counts[object.entity, default: 0] += 1
      }
      let result = try store.commit(transaction)
      report.countDeleted(result.rebased?.deleted ?? counts, in: base.schema)
    } catch {
      throw ImportError(error)
    }
    return report
  }

  private func missing(_ state: State, in transaction: GraphTransaction) -> [ObjectID] {
    let entities = state.licences.reduce(into: Set<Int>()) { $0.formUnion($1.entities) }
    return entities.sorted().flatMap { entity in
      (0..<base.storage.tables[entity].rowCount).lazy
        .map { [base] in base.storage.layout.objectID(entity: entity, row: $0) }
        .filter { [base] id in
          guard base.contains(id), transaction.contains(id), !state.mentioned.contains(id) else {
            return false
          }
          let object = GraphObject(id: id, graph: base)
          return state.licences.contains { $0.allows(object) }
        }
    }
  }

  private static var ended: ImportError {
    ImportError(
      kind: .model, message: "the group of imports has ended; begin another one with importGroup")
  }

  // MARK: The imports of the group

  /// Notes that an import begins.
  ///
  /// - Throws: ``ImportError`` where the group has ended or is of another store.
  func begin(in store: GraphStore) throws {
    guard store === self.store else {
      throw ImportError(
        kind: .model,
        message: "the group of imports was begun for another store; begin one for this store")
    }
    try state.withLock { state in
      guard !state.hasEnded else { throw Self.ended }
      state.importCount += 1
    }
  }

  /// Notes that an import has ended well, and what it mentioned.
  ///
  /// - Parameters:
  ///   - outcomes: What it mentioned, by the identifiers of the published graph.
  ///   - licence: What it lets go; nil for nothing.
  ///   - hasGaps: Whether it has skipped what it could not read.
  func add(_ outcomes: ObjectOutcomes, _ licence: Licence?, hasGaps: Bool) {
    state.withLock { state in
      state.successCount += 1
      if hasGaps { state.hasGaps = true }
      if let licence { state.licences.append(licence) }
      for entity in base.schema.entities.indices {
        let rowCount = base.storage.tables[entity].rowCount
        for row in outcomes.mentionedRows(of: entity, inFirst: rowCount) {
          _ = state.mentioned.insert(base.storage.layout.objectID(entity: entity, row: row))
        }
      }
    }
  }
}

extension GraphStore {
  /// Imports several documents that belong together, and deletes at the end what none of them
  /// mentions.
  ///
  /// Code that is not asynchronous makes an ``ImportGroup`` and finishes it.
  ///
  /// - Parameter body: Imports the documents, each with the group in its options
  ///   (``ImportOptions/group``).
  /// - Returns: How many objects were deleted at the end of the group.
  /// - Throws: What the closure throws, and nothing is deleted then; ``ImportError`` where a delete
  ///   rule denies a deletion.
  @discardableResult
  public func importGroup(
    _ body: (ImportGroup) async throws -> Void
  ) async throws -> ImportReport {
    let group = ImportGroup(self)
    try await body(group)
    return try group.finish()
  }
}
