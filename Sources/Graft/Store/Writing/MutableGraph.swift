/// The graph as a write changes it; see ``GraphStore/write(_:)``.
///
/// It shows the changes so far, and is valid only within its closure. Wrong names and values are
/// errors. Methods that throw throw them; for reading and assigning, which cannot throw, `write`
/// throws the error at its end. The write is then undone.
public final class MutableGraph {
  /// Nil once the closure has ended.
  private var current: GraphTransaction?
  /// The first error that could not be thrown where it happened.
  package private(set) var deferredError: StoreError?

  package init(_ transaction: GraphTransaction) {
    current = transaction
  }

  /// The model that the objects follow.
  public var model: GraphModel { transaction.model }

  package var schema: ModelSchema { transaction.schema }

  var writer: CheckedWriter { CheckedWriter(transaction: transaction) }

  /// - Precondition: The closure that the graph was given to has not ended.
  package var transaction: GraphTransaction {
    guard let current else {
      misuse(
        "a graph or an object of write(_:) is used after its closure has ended; return the "
          + "object's id from the closure, and look it up in the store's graph")
    }
    return current
  }

  /// Makes the graph and its objects unusable.
  package func end() { current = nil }

  /// Carries out a call that may fail but cannot throw: keeps the error for the end of the write,
  /// and returns a substitute.
  func deferringErrors<R>(
    _ substitute: R, _ body: (CheckedWriter) throws(StoreError) -> R
  ) -> R {
    do {
      return try body(writer)
    } catch {
      if deferredError == nil { deferredError = error }
      return substitute
    }
  }

  package func handle(_ id: ObjectID) -> MutableGraphObject {
    MutableGraphObject(id: id, graph: self)
  }

  /// Returns the identifier of an object, which must be one of this graph.
  func id(of object: MutableGraphObject) -> ObjectID {
    transaction.layout.checkOwns(object.id)
    guard object.graph === self else {
      misuse(
        "an object of another write(_:) is used in this one; look it up here with object(_:), by "
          + "its ObjectID")
    }
    return object.id
  }
}

extension MutableGraph {
  /// Returns the object with an identifier.
  ///
  /// - Parameter id: The object's identifier, from this store.
  /// - Returns: The object; nil if it is deleted.
  public func object(_ id: ObjectID) -> MutableGraphObject? {
    transaction.layout.checkOwns(id)
    return transaction.contains(id) ? handle(id) : nil
  }

  /// Returns the object of a snapshot's handle.
  ///
  /// - Parameter object: A handle from a snapshot of this store.
  /// - Returns: The object as it is now; nil if it has been deleted since.
  public func object(_ object: GraphObject) -> MutableGraphObject? {
    transaction.layout.checkOwns(object.graph)
    return self.object(object.id)
  }

  /// Returns the object with an identity.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; objects of its sub-entities are found as well.
  ///   - identity: A value for each of the entity's identity attributes, by name.
  /// - Returns: The object; nil if there is none.
  /// - Throws: ``StoreError`` if the model has no such entity, or the values are not its
  ///   identity's.
  /// - Complexity: O(1) on average.
  public func object(
    _ entity: String, identifiedBy identity: [String: AttributeValue]
  ) throws(StoreError) -> MutableGraphObject? {
    let entity = try schema.entity(entity)
    let found = writer.find(entity, try entity.identityValues(identity))
    guard let found, entity.family.contains(found.entity) else { return nil }
    return handle(found)
  }

  /// Returns the objects of an entity, in order of entity and insertion.
  ///
  /// Objects may be written during the iteration: newly inserted ones are not visited, deleted ones
  /// are skipped.
  ///
  /// - Parameters:
  ///   - entity: The entity's name.
  ///   - includesSubentities: Whether objects of the entities below it are included.
  /// - Returns: The objects as a collection that makes handles on demand.
  /// - Throws: ``StoreError`` if the model has no such entity.
  /// - Complexity: O(1) in a ``GraphStore``; a write to a database reads all these objects.
  public func objects(
    _ entity: String, includesSubentities: Bool = true
  ) throws(StoreError) -> some BidirectionalCollection<MutableGraphObject> {
    handles(of: try family(entity, includesSubentities), handle)
  }

  /// Returns the handles of the objects that some entities have now, without those deleted since.
  func handles<Handle>(
    of entities: [Int], _ make: @escaping (ObjectID) -> Handle
  ) -> some BidirectionalCollection<Handle> {
    readAll(of: entities)
    return entities.map { transaction.objects(of: $0) }.lazy.joined().map(make)
  }

  /// Returns the number of objects of an entity.
  ///
  /// - Parameters:
  ///   - entity: The entity's name.
  ///   - includesSubentities: Whether objects of the entities below it are counted.
  /// - Returns: The number.
  /// - Throws: ``StoreError`` if the model has no such entity.
  /// - Complexity: O(1) in a ``GraphStore``; a write to a database reads all these objects.
  public func count(
    of entity: String, includesSubentities: Bool = true
  ) throws(StoreError) -> Int {
    count(try family(entity, includesSubentities))
  }

  func count(_ entities: [Int]) -> Int {
    readAll(of: entities)
    return entities.reduce(0) { $0 + transaction.liveCount($1) }
  }

  /// Reads all objects of some entities into the transaction, if they are in a database.
  func readAll(of entities: [Int]) {
    for entity in entities { transaction.fetchAll(of: entity) }
  }

  private func family(
    _ entity: String, _ includesSubentities: Bool
  ) throws(StoreError) -> [Int] {
    let entity = try schema.entity(entity)
    return includesSubentities ? entity.family : [entity.number]
  }
}

extension MutableGraph {
  /// Inserts an object.
  ///
  /// Attributes that are not named take their defaults. An identity that is not given, or not
  /// completely, may be set later in the write; until then no look-up finds the object.
  ///
  /// - Parameters:
  ///   - entity: The name of the object's entity.
  ///   - values: Values of attributes, by name.
  /// - Returns: The object.
  /// - Throws: ``StoreError`` if the model has no such entity or attribute, the entity is abstract,
  ///   a value does not suit its attribute, or another object has the identity; nothing is inserted
  ///   then.
  @discardableResult
  public func insert(
    _ entity: String, _ values: [String: AttributeValue] = [:]
  ) throws(StoreError) -> MutableGraphObject {
    let entity = try schema.entity(entity)
    return handle(try writer.insert(entity, try entity.attributes(values)))
  }

  /// Returns the object with an identity, inserted if there is none yet.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; an object of a sub-entity may be found.
  ///   - identity: A value for each of the entity's identity attributes, by name.
  ///   - values: Values of other attributes, by name, which are set whether the object is new or
  ///     not.
  /// - Returns: The object.
  /// - Throws: ``StoreError`` as inserting does; also if the entity has no identity, or the
  ///   object with the identity is of an entity that is not below this one.
  /// - Complexity: O(1) on average.
  @discardableResult
  public func findOrInsert(
    _ entity: String, identifiedBy identity: [String: AttributeValue],
    setting values: [String: AttributeValue] = [:]
  ) throws(StoreError) -> MutableGraphObject {
    let entity = try schema.entity(entity)
    let key = try entity.identityValues(identity)
    guard !key.isEmpty else {
      throw StoreError(
        .unknownProperty,
        "\(entity.name) has no identity by which an object could be found; use insert(_:_:), or "
          + "name \(transaction.schema.words.name(of: "identityAttributes")) in the model",
        entity: entity.name)
    }
    let others = try entity.attributes(values)
    guard let found = writer.find(entity, key), entity.family.contains(found.entity) else {
      return handle(try writer.insert(entity, try entity.attributes(identity) + others))
    }
    for (number, value) in others { try writer.setValue(value, of: found, attribute: number) }
    return handle(found)
  }

  /// Deletes an object, and others by its delete rules.
  ///
  /// - Parameter object: The object; one that is deleted already is skipped.
  /// - Returns: The number of deleted objects.
  /// - Throws: ``StoreError`` if a relationship with the rule ``DeleteRule/deny`` leads to an
  ///   object that stays; nothing is deleted then.
  /// - Complexity: O(*n*) in the links of the deleted objects.
  @discardableResult
  public func delete(_ object: MutableGraphObject) throws(StoreError) -> Int {
    try delete(CollectionOfOne(object))
  }

  /// Deletes objects, and others by their delete rules.
  ///
  /// - Parameter objects: The objects; those that are deleted already are skipped.
  /// - Returns: The number of deleted objects.
  /// - Throws: ``StoreError`` if a relationship with the rule ``DeleteRule/deny`` leads from one of
  ///   them to an object that stays; nothing is deleted then.
  /// - Complexity: O(*n*) in the links of the deleted objects. A to-many relationship that loses many is read once.
  @discardableResult
  public func delete(
    _ objects: some Sequence<MutableGraphObject>
  ) throws(StoreError) -> Int {
    try transaction.delete(objects.map(id(of:))).count
  }
}

// The compiler would infer this too; stated here, its error says what to do. A type that is not
// Escapable could not even be assigned to a variable outside, but functions that return one need an
// experimental feature of the compiler, and no collection has such elements.
@available(*, unavailable, message: "it is valid only within write(_:); return values instead")
extension MutableGraph: Sendable {}
