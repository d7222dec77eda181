/// Publishes what an import has read in a store in memory.
final class StoreDestination: ImportDestination {
  private let store: GraphStore
  private let isDryRun: Bool
  private var transaction: GraphTransaction?
  /// The rows of each entity when the import began.
  private var initialRowCounts: [Int] = []
  let savePolicy: ImportOptions.SavePolicy

  init(_ store: GraphStore, _ options: ImportOptions) {
    self.store = store
    isDryRun = options.isDryRun
    // A dry run, or an import that saves only at its end, publishes nothing before.
    savePolicy =
      options.isDryRun || options.savePolicy.isAtEnd
      ? ImportOptions.SavePolicy() : options.savePolicy
  }

  var model: GraphModel { store.model }
  var owner: AnyObject { store }
  var releasesSavedObjects: Bool { false }

  func begin(of rootEntities: Set<Int>) -> GraphTransaction {
    let transaction = GraphTransaction(base: store.graph)
    self.transaction = transaction
    initialRowCounts = (0..<transaction.layout.entityCount).map(transaction.rowCount)
    return transaction
  }

  func save(
    _ transaction: GraphTransaction, _ outcomes: ObjectOutcomes, _ removed: RemovedObjects?,
    at place: ImportPlace?
  ) throws(StoreError) -> SavedBatch {
    .published(try store.commit(transaction))
  }

  func finish(
    _ transaction: GraphTransaction, _ outcomes: ObjectOutcomes, noting notes: [ImportNote]
  ) throws(StoreError) -> CommitResult {
    guard !isDryRun else { return CommitResult(graph: try transaction.checked()) }
    let result = try store.commit(transaction)
    for note in notes { store.note(note.value, for: note.key) }
    return result
  }

  // Objects that other writers have inserted between two saves are not deleted.
  func missingObjects(
    of entities: Set<Int>, _ outcomes: ObjectOutcomes
  ) throws(StoreError) -> [ObjectID] {
    guard let transaction else { return [] }
    return entities.sorted().flatMap { entity in
      (0..<initialRowCounts[entity]).lazy
        .map { transaction.layout.objectID(entity: entity, row: $0) }
        .filter { transaction.contains($0) && outcomes[$0] == .unmentioned }
    }
  }

  func unfilledStubs(_ stubs: [ObjectID], in graph: Graph) -> (count: Int, objects: [ObjectID]) {
    let unfilled = stubs.filter { graph.object($0)?.isStub == true }
    return (unfilled.count, unfilled)
  }
}
