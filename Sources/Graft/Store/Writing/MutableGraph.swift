/// The graph as a write changes it; see ``GraphStore/write(_:)``.
///
/// It shows what has been written so far, and is valid only within the closure that it was given
/// to. Wrong names and values are errors: thrown by methods that throw, and by `write` at its end
/// where something was read or assigned that cannot throw. The write is then undone.
public final class MutableGraph {
  private var current: GraphTransaction?
  /// The first error that could not be thrown where it happened.
  private(set) var misuse: StoreError?

  init(_ transaction: GraphTransaction) {
    current = transaction
  }

  /// The model that the objects follow.
  public var model: GraphModel { transaction.model }

  var schema: ModelSchema { transaction.schema }

  /// - Precondition: The closure that the graph was given to has not ended.
  var transaction: GraphTransaction {
    guard let current else {
      preconditionFailure(
        "a graph or an object of write(_:) is used after its closure has ended; return the "
          + "object's id from the closure, and look it up in the store's graph")
    }
    return current
  }

  /// Makes the graph and its objects unusable.
  func end() { current = nil }

  /// Does what may fail where nothing can be thrown: notes the error, and goes on with a
  /// substitute.
  func noting<R>(_ substitute: R, _ body: () throws(StoreError) -> R) -> R {
    do {
      return try body()
    } catch {
      if misuse == nil { misuse = error }
      return substitute
    }
  }

  /// - Throws: ``StoreError`` if the object has been deleted in this write.
  func checkExists(_ id: ObjectID) throws(StoreError) {
    guard !transaction.contains(id) else { return }
    let entity = schema.entities[id.entity].name
    throw StoreError(
      .missingObject,
      "\(entity)/\(id.row + 1) has been deleted in this write, by itself or with an object that "
        + "it belonged to; do what is to be done with it before, or ask isDeleted",
      entity: entity)
  }

  func handle(_ id: ObjectID) -> MutableGraphObject { MutableGraphObject(id: id, graph: self) }

  /// - Precondition: The object is one of this graph.
  func checkOwns(_ object: MutableGraphObject) {
    precondition(
      object.graph === self,
      "an object of another write(_:), or of another store, is used in this one; "
        + "look it up with object(_:)")
  }
}
