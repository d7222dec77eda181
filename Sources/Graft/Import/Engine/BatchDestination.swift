/// The place in the source that a save has reached: the end of its last root object.
package struct ImportPlace {
  /// The number of bytes read up to that place.
  package var offset: Int
  /// The number of root objects read up to that place.
  package var objectCount: Int

  package init(offset: Int, objectCount: Int) {
    self.offset = offset
    self.objectCount = objectCount
  }
}

/// Reads the parts of a document before the import does, so that a database can prefetch what the import will look up.
package protocol LookAhead: AnyObject {
  /// The most bytes that are read ahead at once.
  var byteLimit: Int { get }

  /// Reads bytes that follow those already read; the import has read all of these but the last part.
  func parse(_ chunk: RawSpan)
}

/// Takes the batches of one import: a store in memory, or a database.
///
/// An import works on one transaction, which its destination makes in ``begin(of:)``. Before each save and before the
/// end it calls ``lock(_:_:)``, and then ``save(_:_:_:at:)`` or ``finish(_:_:noting:)``.
package protocol BatchDestination: AnyObject {
  /// The model of the objects.
  var model: GraphModel { get }

  /// The store or database; an import checks that its group belongs to the same one.
  var owner: AnyObject { get }

  /// The conditions for a save before the end of the import.
  var savePolicy: ImportOptions.SavePolicy { get }

  /// Whether a save releases the objects: the transaction goes on from an empty graph, and no identifier of an
  /// object is valid any more.
  var releasesSavedObjects: Bool { get }

  /// The place where a resumed import continues; nil for an import from the beginning.
  var resumed: ImportPlace? { get }

  /// Makes a reader that learns what an import of these roots and options will look up; nil for a destination that
  /// does not prefetch.
  ///
  /// - Throws: ``ImportError`` for roots or options that no import can have.
  func makeLookAhead(
    _ roots: [ImportRoot], _ options: ImportOptions
  ) throws -> (any LookAhead)?

  /// Begins the import.
  ///
  /// - Parameter rootEntities: The numbers of the roots' entities, and of those below them.
  /// - Returns: The transaction of the import.
  /// - Throws: ``StoreError`` if the destination cannot be read.
  func begin(of rootEntities: Set<Int>) throws(StoreError) -> GraphTransaction

  /// Begins to read a chunk of the document; until ``endReading()`` all look-ups may see one moment.
  func beginReading() throws(StoreError)

  /// Ends the reading of a chunk: others may write between this one and the next.
  func endReading()

  /// Waits for the lock, and replays the batch onto the commits that others have made since it began.
  ///
  /// - Parameters:
  ///   - transaction: The transaction of the import.
  ///   - outcomes: The outcomes of the objects of the batch, which are changed to what they are now.
  /// - Returns: For each object of the batch, the object that it has become, which does not exist
  ///   if another writer has deleted it; nil if no other writer has committed.
  /// - Throws: ``StoreError`` if the wait was too long, or the changes conflict with what others have written.
  func lock(
    _ transaction: GraphTransaction, _ outcomes: ObjectOutcomes
  ) throws(StoreError) -> [ObjectID: ObjectID]?

  /// Saves the objects read so far.
  ///
  /// - Parameters:
  ///   - transaction: The transaction of the import.
  ///   - outcomes: The outcomes of the objects since the last save.
  ///   - removed: The objects that relationships have lost; nil if no relationship deletes them.
  ///   - place: The place in the source where the batch ends; nil if an import cannot be resumed
  ///     there. What is saved is then committed with the next batch.
  /// - Returns: The published graph, from which the transaction goes on; nil if the objects were released.
  /// - Throws: ``StoreError`` if an object lacks what the model requires, or it cannot be saved;
  ///   nothing of the batch is saved then.
  func save(
    _ transaction: GraphTransaction, _ outcomes: ObjectOutcomes, _ removed: RemovedObjects?,
    at place: ImportPlace?
  ) throws(StoreError) -> CommitResult?

  /// Brings a part of the objects that relationships have lost back into the transaction.
  ///
  /// Parts follow one another until each object was brought once, and then begin again.
  ///
  /// - Parameter removed: Takes the facts about these objects.
  /// - Returns: Whether there was a further part.
  /// - Throws: ``StoreError`` if a database cannot be read.
  func restoreRemoved(_ removed: RemovedObjects) throws(StoreError) -> Bool

  /// Saves the rest, and ends the import; a dry run saves nothing.
  ///
  /// - Parameters:
  ///   - transaction: The transaction of the import.
  ///   - outcomes: The outcomes of the objects since the last save.
  ///   - notes: The notes to be kept together with the objects.
  /// - Returns: The graph that was saved, or would have been.
  /// - Throws: As ``save(_:_:_:at:)``.
  func finish(
    _ transaction: GraphTransaction, _ outcomes: ObjectOutcomes, noting notes: [ImportNote]
  ) throws(StoreError) -> CommitResult

  /// Finds the objects that existed when the import began and that it has not mentioned, or the next of them.
  ///
  /// - Parameters:
  ///   - entities: The numbers of the entities.
  ///   - outcomes: The outcomes of the objects since the last save.
  ///   - inParts: Whether the result may be a part of the objects, and the next call returns the next part.
  /// - Returns: The objects, which the transaction holds, and whether there are no more.
  /// - Throws: ``StoreError`` if a database cannot be read.
  func missingObjects(
    of entities: Set<Int>, _ outcomes: ObjectOutcomes, inParts: Bool
  ) throws(StoreError) -> (objects: [ObjectID], areLast: Bool)

  /// Returns whether an import that deletes what is missing has mentioned an object.
  ///
  /// - Parameters:
  ///   - object: An object of the roots' entities, or one that is deleted with these.
  ///   - outcomes: The outcomes of the objects since the last save.
  /// - Returns: Whether the document has mentioned it so far.
  /// - Throws: ``StoreError`` if a database cannot be read.
  func isMentioned(
    _ object: ObjectID, _ outcomes: ObjectOutcomes
  ) throws(StoreError) -> Bool

  /// Asks a deletion scope about an object that a database has.
  ///
  /// The scope may follow relationships; what it asks for is read from the database.
  ///
  /// - Parameters:
  ///   - scope: Decides whether an object may be deleted.
  ///   - object: The object.
  /// - Returns: The scope's answer; nil if the database does not have the object yet.
  /// - Throws: ``StoreError`` if the database cannot be read.
  func ask(_ scope: (GraphObject) -> Bool, about object: ObjectID) throws(StoreError) -> Bool?

  /// Counts the objects that this import made of a bare identifier and that nothing has filled, after its end.
  ///
  /// - Parameters:
  ///   - stubs: The objects that it made of a bare identifier since the last save.
  ///   - graph: The graph that was saved.
  /// - Returns: The number, and those that the graph has.
  func unfilledStubs(_ stubs: [ObjectID], in graph: Graph) -> (count: Int, objects: [ObjectID])

  /// Waits for a save that is under way.
  ///
  /// - Returns: The error of the save, which comes before any that the import has met since; nil if there is none.
  func failureOfSave() -> StoreError?

  /// Drops all unsaved objects.
  func abandon()
}

// Only a database implements these.
extension BatchDestination {
  package var resumed: ImportPlace? { nil }
  package func makeLookAhead(
    _ roots: [ImportRoot], _ options: ImportOptions
  ) throws -> (any LookAhead)? { nil }

  package func beginReading() throws(StoreError) {}
  package func endReading() {}

  package func lock(
    _ transaction: GraphTransaction, _ outcomes: ObjectOutcomes
  ) throws(StoreError) -> [ObjectID: ObjectID]? { nil }

  package func ask(
    _ scope: (GraphObject) -> Bool, about object: ObjectID
  ) throws(StoreError) -> Bool? { nil }

  package func isMentioned(
    _ object: ObjectID, _ outcomes: ObjectOutcomes
  ) throws(StoreError) -> Bool { outcomes[object] != .unmentioned }

  package func restoreRemoved(_ removed: RemovedObjects) throws(StoreError) -> Bool { false }

  package func failureOfSave() -> StoreError? { nil }

  package func abandon() {}
}

/// Publishes the objects of an import in a store in memory.
final class StoreDestination: BatchDestination {
  private let store: GraphStore
  private let isDryRun: Bool
  private var transaction: GraphTransaction?
  /// The number of rows of each entity when the import began.
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
  ) throws(StoreError) -> CommitResult? {
    try store.commit(transaction)
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
    of entities: Set<Int>, _ outcomes: ObjectOutcomes, inParts: Bool
  ) throws(StoreError) -> (objects: [ObjectID], areLast: Bool) {
    guard let transaction else { return ([], true) }
    let objects = entities.sorted().flatMap { entity in
      (0..<initialRowCounts[entity]).lazy
        .map { transaction.layout.objectID(entity: entity, row: $0) }
        .filter { transaction.contains($0) && outcomes[$0] == .unmentioned }
    }
    return (objects, true)
  }

  func unfilledStubs(_ stubs: [ObjectID], in graph: Graph) -> (count: Int, objects: [ObjectID]) {
    let unfilled = stubs.filter { graph.object($0)?.isStub == true }
    return (unfilled.count, unfilled)
  }
}
