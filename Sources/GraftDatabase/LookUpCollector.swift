import Graft

/// Receives the look-ups of a ``DatabaseLookAhead``, returns nothing, and notes which rows to request for them.
final class LookUpCollector: RowSource {
  private let batch: DatabaseBatch

  init(_ batch: DatabaseBatch) { self.batch = batch }

  var layouts: [RowLayout] { batch.schema.layouts }
  var isLookAhead: Bool { true }

  func readRow(
    identityOf entity: Int, _ values: BorrowedBuffer<RawValue>, into row: inout RowBuffer
  ) -> Bool {
    batch.request(identityOf: entity, values)
    return false
  }

  func keys(
    ofMembers relationship: Int, of entity: Int, _ key: BorrowedBuffer<RawValue>
  ) -> RowKeys {
    batch.request(membersOf: relationship, of: entity, key)
    return none
  }

  // MARK: Look-ups that no group of rows answers

  func readRow(
    of key: BorrowedBuffer<RawValue>, _ entity: Int, isWhole: Bool, into row: inout RowBuffer
  ) -> Bool { false }

  func readAnyRow(of entity: Int, into row: inout RowBuffer) -> Bool { false }
  func keys(of entity: Int) -> RowKeys { none }
  func keys(of entity: Int, attribute: Int, _ value: RawValue) -> RowKeys { none }

  func keys(
    ofOwners relationship: Int, of entity: Int, _ key: BorrowedBuffer<RawValue>
  ) -> RowKeys { none }

  func missingRow(of entity: Int) -> StoreError { batch.rows.missingRow(of: entity) }

  private var none: RowKeys { RowKeys([], of: 0) }
}
