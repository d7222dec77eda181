import Graft

/// Receives the look-ups of a ``LookAhead``, finds nothing, and requests their rows from the batch.
final class LookUpCollector: LookAheadSource {
  let byteLimit: Int
  private let batch: DatabaseBatch
  private var attached: GraphTransaction?

  init(_ batch: DatabaseBatch, byteLimit: Int) {
    self.batch = batch
    self.byteLimit = byteLimit
  }

  func begin(_ transaction: GraphTransaction) { attached = transaction }

  func beginChunk() { batch.beginPrefetching() }

  func endChunk() { batch.sendPrefetches() }

  // The transaction owns its source, which must not keep it beyond the import.
  func end() { attached = nil }

  // MARK: Look-ups to prefetch

  func find(identityOf entity: Int, _ values: BorrowedBuffer<RawValue>) -> ObjectID? {
    batch.prefetch(identityOf: entity, values)
    return nil
  }

  func readTargets(of id: ObjectID, _ relationship: Int) {
    attached?.withIdentity(of: id) { batch.prefetch(membersOf: relationship, of: id.entity, $0) }
  }

  func prepareLinks(of id: ObjectID, _ relationship: Int, to targets: Span<ObjectID>) {
    readTargets(of: id, relationship)
  }

  // MARK: Nothing to do, since nothing is kept

  func findAll(_ entity: Int, attribute: Int, _ value: RawValue) -> [ObjectID] { [] }
  func findAny(of entity: Int) -> ObjectID? { nil }
  func readValues(of id: ObjectID) {}
  func readNeighbours(of id: ObjectID) {}
  func readAll(of entity: Int) {}
  func noteChange(of id: ObjectID) {}
  func noteIdentityChange(of id: ObjectID) {}
  func isUnchanged(_ id: ObjectID) -> Bool { false }
  func notePromotion(of stub: ObjectID, to object: ObjectID) {}
  func noteRemoval(of id: ObjectID) {}
  func check() {}
}
