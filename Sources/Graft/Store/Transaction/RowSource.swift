// A transaction on a graph in memory has all objects at hand. A transaction that writes a batch
// into a database begins with an empty graph. It asks its source for a row when an object is looked
// up by identity, and for the keys of a list before the list is replaced. The transaction inserts
// what the source returns (FetchedRows.swift), so that every policy, mode, hook and check of an
// import is the same code for memory and for databases.

/// Returns rows of objects that a transaction lacks.
///
/// A source knows nothing of the transaction that asks.
package protocol RowSource: AnyObject {
  /// The layout of each entity's rows in the source.
  var layouts: [RowLayout] { get }

  /// Whether the source only collects the look-ups of a later transaction, and has no rows itself.
  ///
  /// It is then asked for the members of all lists, since any object may have a row.
  var isLookAhead: Bool { get }

  /// Reads the row of an identity.
  ///
  /// - Parameters:
  ///   - entity: Any of the entities that share the identity.
  ///   - values: The values of the identity.
  ///   - row: Takes the row.
  /// - Returns: Whether there is one.
  /// - Throws: ``StoreError`` where the source cannot be read.
  func readRow(
    identityOf entity: Int, _ values: BorrowedBuffer<RawValue>, into row: inout RowBuffer
  ) throws(StoreError) -> Bool

  /// Reads the row of a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - entity: An entity of the key's table.
  ///   - isWhole: Whether the values are used; otherwise only the entity and the identity are, and
  ///     the row may be asked for again.
  ///   - row: Takes the row.
  /// - Returns: Whether there is one.
  /// - Throws: ``StoreError`` where the source cannot be read.
  func readRow(
    of key: BorrowedBuffer<RawValue>, _ entity: Int, isWhole: Bool, into row: inout RowBuffer
  ) throws(StoreError) -> Bool

  /// Reads any one row of a concrete entity.
  func readAnyRow(of entity: Int, into row: inout RowBuffer) throws(StoreError) -> Bool

  /// Returns the keys of all rows of a concrete entity.
  func keys(of entity: Int) throws(StoreError) -> RowKeys

  /// Returns the keys of rows with a value of an attribute: of an entity and of its sub-entities.
  func keys(of entity: Int, attribute: Int, _ value: RawValue) throws(StoreError) -> RowKeys

  /// Finds the members of a list, in their order.
  ///
  /// - Parameters:
  ///   - relationship: A relationship whose links are not in the row.
  ///   - entity: The entity of the list's owner.
  ///   - key: The key of the owner.
  /// - Returns: The keys.
  /// - Throws: ``StoreError`` where the source cannot be read.
  func keys(
    ofMembers relationship: Int, of entity: Int, _ key: BorrowedBuffer<RawValue>
  ) throws(StoreError) -> RowKeys

  /// Finds the rows whose relationship leads to an object.
  ///
  /// - Parameters:
  ///   - relationship: The relationship.
  ///   - entity: The entity that has the relationship.
  ///   - key: The key of the object to which it leads.
  /// - Returns: The keys.
  /// - Throws: ``StoreError`` where the source cannot be read.
  func keys(
    ofOwners relationship: Int, of entity: Int, _ key: BorrowedBuffer<RawValue>
  ) throws(StoreError) -> RowKeys

  /// Returns the error for a link that leads to a row of an entity which does not exist.
  func missingRow(of entity: Int) -> StoreError

  /// Keeps the row of an object as it was read; called only if ``FetchedObjects/keepsRows`` says so.
  func keep(_ row: borrowing RowBuffer, of object: ObjectID)
}

extension RowSource {
  package func keep(_ row: borrowing RowBuffer, of object: ObjectID) {}
}

/// Describes how a source keeps the rows of an entity's objects.
package final class RowLayout: Sendable {
  /// The number of the table, which the entity shares with all that have a common topmost entity.
  package let table: Int
  /// The topmost entity of the table.
  let topEntity: Int
  /// Whether the key is a number that no document has; otherwise it is the identity.
  package let isKeyedByNumber: Bool
  /// Whether the key alone determines the object: the table holds one entity, and the key is the identity.
  let isKnownByKey: Bool
  /// The positions of the key in a row.
  let key: [Int]
  /// The positions of the identity.
  package let identity: [Int]
  /// The attributes that are not of the identity, and their positions.
  let attributes: [(attribute: Int, column: Int)]
  /// The attributes, those of the identity too, whose Swift type may lack a value of the row, such as a former case of
  /// an enumeration.
  let limitedAttributes: [(attribute: Int, column: Int)]
  /// The positions of the key of each relationship's target; none for a list.
  package let references: [[Int]]
  /// The position of the value that is null unless the object is a stub.
  let stubColumn: Int
  /// Whether each relationship's links are outside of the row.
  let isList: [Bool]

  package init(
    table: Int, topEntity: Int, isKeyedByNumber: Bool, isKnownByKey: Bool, key: [Int],
    identity: [Int], attributes: [(attribute: Int, column: Int)],
    limitedAttributes: [(attribute: Int, column: Int)], references: [[Int]],
    stubColumn: Int, isList: [Bool]
  ) {
    self.table = table
    self.topEntity = topEntity
    self.isKeyedByNumber = isKeyedByNumber
    self.isKnownByKey = isKnownByKey
    self.key = key
    self.identity = identity
    self.attributes = attributes
    self.limitedAttributes = limitedAttributes
    self.references = references
    self.stubColumn = stubColumn
    self.isList = isList
  }
}
