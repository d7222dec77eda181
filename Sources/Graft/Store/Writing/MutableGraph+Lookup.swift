extension MutableGraph {
  /// Returns the object with an identifier.
  ///
  /// - Parameter id: The object's identifier, from this store.
  /// - Returns: The object; nil if it is deleted.
  public func object(_ id: ObjectID) -> MutableGraphObject? {
    transaction.contains(id) ? handle(id) : nil
  }

  /// Returns the object that a snapshot's handle is on.
  ///
  /// - Parameter object: A handle from a snapshot of this store.
  /// - Returns: The object as it is now; nil if it has been deleted since.
  public func object(_ object: GraphObject) -> MutableGraphObject? {
    precondition(
      object.graph.storage.layout === transaction.layout,
      "an object of another store is used in write(_:); look it up in this store's graph")
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
    let found = find(entity, try entity.identityValues(identity))
    guard let found, entity.family.contains(found.entity) else { return nil }
    return handle(found)
  }

  /// Returns the objects of an entity, in order of entity and insertion.
  ///
  /// They may be written while they are gone through: what is inserted meanwhile is not met, what
  /// is deleted is passed over.
  ///
  /// - Parameters:
  ///   - entity: The entity's name.
  ///   - includesSubentities: Whether objects of the entities below it are included.
  /// - Returns: The objects as a sequence that makes handles on demand.
  /// - Throws: ``StoreError`` if the model has no such entity.
  /// - Complexity: O(1).
  public func objects(
    _ entity: String, includesSubentities: Bool = true
  ) throws(StoreError) -> MutableGraphObjects {
    MutableGraphObjects(graph: self, entities: try family(entity, includesSubentities))
  }

  /// Returns the number of objects of an entity.
  ///
  /// - Parameters:
  ///   - entity: The entity's name.
  ///   - includesSubentities: Whether objects of the entities below it are counted.
  /// - Returns: The number.
  /// - Throws: ``StoreError`` if the model has no such entity.
  /// - Complexity: O(1).
  public func count(
    of entity: String, includesSubentities: Bool = true
  ) throws(StoreError) -> Int {
    try family(entity, includesSubentities).reduce(0) { $0 + transaction.tables[$1].liveCount }
  }

  private func family(
    _ entity: String, _ includesSubentities: Bool
  ) throws(StoreError) -> [Int] {
    let entity = try schema.entity(entity)
    return includesSubentities ? entity.family : [entity.number]
  }

  /// The object with an identity, among all entities that share it.
  func find(_ entity: EntitySchema, _ identity: [AttributeValue?]) -> ObjectID? {
    let types = entity.identity.map { entity.attributes[$0].type }
    return identity.withRawValues(for: types) {
      transaction.find(identityOf: entity.number, $0)
    }
  }
}

/// The objects of an entity in a graph that is being written; see
/// ``MutableGraph/objects(_:includesSubentities:)``.
public struct MutableGraphObjects: Sequence {
  private let graph: MutableGraph
  /// The entities and the rows that they had when the sequence was made.
  private let extents: [(entity: Int, rowCount: Int)]

  init(graph: MutableGraph, entities: [Int]) {
    self.graph = graph
    extents = entities.map { ($0, graph.transaction.rowCount($0)) }
  }

  /// Returns an iterator over the objects.
  ///
  /// - Returns: The iterator.
  public func makeIterator() -> Iterator { Iterator(graph: graph, extents: extents[...]) }

  /// An iterator over the objects of an entity.
  public struct Iterator: IteratorProtocol {
    private let graph: MutableGraph
    private var extents: ArraySlice<(entity: Int, rowCount: Int)>
    private var row = 0

    fileprivate init(
      graph: MutableGraph, extents: ArraySlice<(entity: Int, rowCount: Int)>
    ) {
      self.graph = graph
      self.extents = extents
    }

    /// Advances to the next object.
    ///
    /// - Returns: The object; nil behind the last.
    public mutating func next() -> MutableGraphObject? {
      while let extent = extents.first {
        while row < extent.rowCount {
          let id = ObjectID(entity: extent.entity, row: row)
          row += 1
          if graph.transaction.contains(id) { return graph.handle(id) }
        }
        extents.removeFirst()
        row = 0
      }
      return nil
    }
  }
}
