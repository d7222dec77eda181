/// The point up to which a save has read the source: the end of the last saved root object.
package struct ImportPlace {
  /// The bytes read up to there.
  package var offset: Int
  /// The objects of roots read up to there.
  package var objectCount: Int
  /// The start of the stream's document with that point, if reading can begin again there.
  package var document: DocumentStart?

  package init(offset: Int, objectCount: Int, document: DocumentStart?) {
    self.offset = offset
    self.objectCount = objectCount
    self.document = document
  }
}

/// Takes an import's objects batch by batch, in place of a store in memory.
///
/// At each save the transaction of the import is frozen into a graph of its own, and the import goes on from an
/// empty one. What the sink's ``source`` has brought is part of the graph.
package protocol BatchSink: AnyObject {
  /// Finds the objects that the import does not hold.
  var source: any ObjectSource { get }

  /// The point at which the resumed import stopped; nil for an import from the beginning.
  var resumed: ImportPlace? { get }

  /// Takes the look-ups of a chunk before the import makes them, for a sink that prefetches; nil for others.
  var lookAhead: (any LookAheadSink)? { get }

  /// Begins the import, and its first batch.
  func begin(_ transaction: GraphTransaction) throws(StoreError)

  /// Begins to read a chunk of the document.
  ///
  /// Objects looked up until ``endReading()`` may all be read at one moment.
  func beginReading() throws(StoreError)

  /// Ends the reading of a chunk: others may come between this one and the next.
  func endReading()

  /// Waits until no other writer is at work, and replays the batch's changes onto the changes that
  /// others have written since it began.
  ///
  /// - Parameters:
  ///   - transaction: The transaction of the import.
  ///   - outcomes: The import's effects on the objects of the batch; afterwards, its effects on the
  ///     objects as they are now.
  /// - Returns: The present object for each object of the batch, which does not exist if another
  ///   writer has deleted it; nil if there was no other writer.
  /// - Throws: ``StoreError`` if the wait was too long, or the changes conflict with what others
  ///   have written.
  func lock(
    _ transaction: GraphTransaction, _ outcomes: ObjectOutcomes
  ) throws(StoreError) -> (() -> [ObjectID: ObjectID])?

  /// Writes a batch durably, after ``lock(_:_:)``.
  ///
  /// - Parameters:
  ///   - graph: The objects of the batch.
  ///   - outcomes: The import's effects on them.
  ///   - place: The end of the batch in the source; nil at the source's end.
  /// - Throws: ``StoreError`` if it could not be written; nothing of the batch is there then.
  func save(_ graph: Graph, _ outcomes: ObjectOutcomes, at place: ImportPlace?) throws(StoreError)

  /// The objects that the import has not mentioned, of entities whose missing objects are deleted.
  ///
  /// - Parameters:
  ///   - entities: The numbers of the entities.
  ///   - outcomes: The objects that the unsaved batch mentions.
  /// - Returns: The objects, brought into the transaction.
  /// - Throws: ``StoreError`` if the database cannot be read.
  func missingObjects(
    of entities: Set<Int>, _ outcomes: ObjectOutcomes
  ) throws(StoreError) -> [ObjectID]

  /// The number of objects that this import inserted for a bare identifier and that are still
  /// unfilled; known after the last save.
  var unfilledStubCount: Int { get }

  /// Drops the unsaved objects.
  func abandon()
}

extension BatchSink {
  package func beginReading() throws(StoreError) {}
  package func endReading() {}

  package func lock(
    _ transaction: GraphTransaction, _ outcomes: ObjectOutcomes
  ) throws(StoreError) -> (() -> [ObjectID: ObjectID])? { nil }
}
