// A transaction on a graph in memory has all objects at hand. A transaction that writes a batch
// into a database begins with an empty graph. It asks its source for an object when the object is
// looked up by identity, and for a list before the list is replaced. The source's objects are
// inserted into the transaction like any others, so that every policy, mode, hook and check of an
// import is the same code for memory and for databases.
//
// An object that is only the target of a link is brought without its values, as a stub of its
// identity. Its values are read on the first look-up.

/// Finds objects that a transaction lacks.
///
/// No function throws: a failure is kept, and ends the import at the next ``check()``.
package protocol ObjectSource: AnyObject {
  /// Brings the object with an identity into the transaction.
  ///
  /// - Returns: The object; nil if there is none.
  func find(identityOf entity: Int, _ values: BorrowedBuffer<RawValue>) -> ObjectID?

  /// Brings objects with a value of an attribute into the transaction: objects of an entity and of
  /// its sub-entities.
  func findAll(_ entity: Int, attribute: Int, _ value: RawValue) -> [ObjectID]

  /// Brings any one object of a concrete entity into the transaction.
  func findAny(of entity: Int) -> ObjectID?

  /// Brings all objects of a concrete entity into the transaction.
  func readAll(of entity: Int)

  /// Reads the values of an object that was brought without them.
  func readValues(of id: ObjectID)

  /// Reads the objects of a relationship.
  func readTargets(of id: ObjectID, _ relationship: Int)

  /// Reads all that leads to an object or from it.
  func readNeighbours(of id: ObjectID)

  /// Reads the links that the transaction must know before it links an object to others.
  func prepareLinks(of id: ObjectID, _ relationship: Int, to targets: Span<ObjectID>)

  /// Notes that a to-one link of an object has changed, or that a write has set one of its values.
  func noteChange(of id: ObjectID)

  /// Notes that an object will get another identity.
  func noteIdentityChange(of id: ObjectID)

  /// Whether an object is as the source has it.
  func isUnchanged(_ id: ObjectID) -> Bool

  /// Notes that an object takes the place of a stub.
  func notePromotion(of stub: ObjectID, to object: ObjectID)

  /// Notes that an object will be removed.
  func noteRemoval(of id: ObjectID)

  /// - Throws: ``StoreError`` if the source has failed since the transaction began.
  func check() throws(StoreError)
}
