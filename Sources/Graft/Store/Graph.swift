/// An immutable snapshot of a store.
///
/// A graph never changes, whatever is imported or written later. Any number of threads may read it
/// at once. Copying a graph costs one reference count.
///
/// A graph that a query of a `GraphDatabase` has read has the objects and links that the query
/// asked for. Reading anything else of its objects stops the program, with a message that names
/// what to follow; check ``GraphObject/isFault`` before.
public struct Graph: Sendable {
  package let storage: GraphStorage

  init(storage: GraphStorage) {
    self.storage = storage
  }

  /// Creates an empty graph.
  package init(emptyOf model: GraphModel) {
    self.init(layout: StoreLayout(model: model))
  }

  /// Creates an empty graph.
  init(layout: StoreLayout) {
    let tables = ContiguousArray(repeating: TableSnapshot(), count: layout.entityCount)
    let indexes = ContiguousArray((0..<layout.indexCount).map { _ in IdentityIndex() })
    storage = GraphStorage(layout: layout, tables: tables, indexes: indexes)
  }

  /// The model that the objects follow.
  public var model: GraphModel { storage.layout.model }
}

extension Graph {
  /// Returns the objects of an entity, in order of entity and insertion.
  ///
  /// - Parameters:
  ///   - entity: The entity's name.
  ///   - includesSubentities: Whether objects of the entities below it are included.
  /// - Returns: The objects as a collection that makes handles on demand.
  /// - Throws: ``StoreError`` if the model has no such entity.
  /// - Complexity: O(1).
  public func objects(
    _ entity: String, includesSubentities: Bool = true
  ) throws(StoreError) -> GraphObjects {
    let entity = try schema.entity(entity)
    let entities = includesSubentities ? entity.family : [entity.number]
    return GraphObjects(graph: having(all: entities), entities: entities)
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
    try objects(entity, includesSubentities: includesSubentities).count
  }

  /// Returns a handle on an object.
  ///
  /// - Parameter id: The object's identifier, from this store.
  /// - Returns: The object; nil if this graph does not have it, because it was inserted later or is
  ///   deleted.
  /// - Precondition: The identifier is from this store.
  public func object(_ id: ObjectID) -> GraphObject? {
    storage.layout.checkOwns(id)
    return (current ?? self).contains(id) ? GraphObject(id: id, graph: self) : nil
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
  ) throws(StoreError) -> GraphObject? {
    let entity = try schema.entity(entity)
    let values: [AttributeValue?] = try entity.identityValues(identity)
    let types = entity.identity.map { entity.attributes[$0].type }
    let graph = having(all: entity.family)
    let id = values.withRawValues(for: types) { graph.find(identityOf: entity.number, $0) }
    guard let id, entity.family.contains(id.entity) else { return nil }
    return GraphObject(id: id, graph: graph)
  }
}

// Reading by number, without looking up names. Bytes are borrowed from the graph, and valid as long
// as it is kept alive.

extension Graph {
  package var schema: ModelSchema { storage.layout.model.schema }

  /// Returns the memory of an object's group, and the object's row in it.
  package func place(of id: ObjectID) -> (group: GroupPointer, row: Int, shape: TableShape) {
    let shape = storage.layout.shapes[id.entity]
    return (
      storage.tables[id.entity].group(id.row &>> shape.shift), id.row & shape.mask, shape
    )
  }

  /// Returns whether the object exists in this graph.
  package func contains(_ id: ObjectID) -> Bool {
    guard id.entity < storage.tables.count, id.row < storage.tables[id.entity].rowCount else {
      return false
    }
    let place = place(of: id)
    return place.group.isLive(place.row)
  }

  /// Returns whether an object that both graphs have is the same in them; false for graphs of two stores.
  func isSame(_ id: ObjectID, in other: Graph) -> Bool {
    if storage === other.storage { return true }
    guard storage.layout === other.storage.layout else { return false }
    let place = place(of: id)
    return GroupComparison(entity: id.entity, shape: place.shape)
      .isSame(place.row, other.place(of: id).group, place.group)
  }

  package func isStub(_ id: ObjectID) -> Bool {
    if isPartial {
      expectRead(id)
      if let current { return current.isStub(id) }
    }
    let place = place(of: id)
    return place.group.bit(place.row, at: place.shape.stubBits)
  }

  /// Returns the value of an attribute.
  @usableFromInline package func value(_ id: ObjectID, attribute: Int) -> RawValue {
    if isPartial {
      expectRead(id, attribute: attribute)
      if let current { return current.value(id, attribute: attribute) }
    }
    let place = place(of: id)
    return place.group.value(place.row, place.shape.attributes[attribute])
  }

  @usableFromInline package func toOne(_ id: ObjectID, relationship: Int) -> ObjectID? {
    if isPartial {
      expectRead(id, relationship: relationship)
      if let current { return current.toOne(id, relationship: relationship) }
    }
    let place = place(of: id)
    let column = place.shape.relationships[relationship]
    return ObjectID(cell: place.group.toOne(place.row, column))
  }

  /// Calls `body` with the members of a to-many relationship: in its order, or sorted by
  /// identifier.
  package func withToMany<R>(
    _ id: ObjectID, relationship: Int, _ body: (BorrowedBuffer<ObjectID>) throws -> R
  ) rethrows -> R {
    if isPartial {
      expectRead(id, relationship: relationship)
      if let current { return try current.withToMany(id, relationship: relationship, body) }
    }
    let place = place(of: id)
    let column = place.shape.relationships[relationship]
    return try body(place.group.list(place.row, column).members)
  }

  /// Returns the number of members of a to-many relationship.
  @usableFromInline func memberCount(_ id: ObjectID, relationship: Int) -> Int {
    withToMany(id, relationship: relationship) { $0.count }
  }

  /// Returns one of the members of a to-many relationship.
  @usableFromInline func member(
    _ id: ObjectID, relationship: Int, at position: Int
  ) -> ObjectID {
    withToMany(id, relationship: relationship) { members in
      guard members.indices.contains(position) else {
        misuse(
          "position \(position) is out of range: the relationship leads to \(members.count) objects"
        )
      }
      return members[position]
    }
  }

  /// Returns the members of a to-many relationship; none for an object that the graph does not have.
  package func members(of id: ObjectID, _ relationship: Int) -> [ObjectID] {
    guard (current ?? self).contains(id) else { return [] }
    return withToMany(id, relationship: relationship) { Array($0) }
  }

  /// Returns the objects of one concrete entity in order of insertion.
  package func rows(_ entity: Int) -> RowSequence { RowSequence(graph: self, entities: [entity]) }

  /// Returns the number of objects of one concrete entity.
  package func liveCount(_ entity: Int) -> Int { storage.tables[entity].liveCount }

  /// Returns the object with an identity, whose values are in the order of `EntitySchema.identity`.
  package func find(identityOf entity: Int, _ values: BorrowedBuffer<RawValue>) -> ObjectID? {
    let layout = storage.layout
    let identity = layout.identities[entity]
    guard identity.index >= 0, let hash = layout.hash(values, of: entity) else { return nil }
    return storage.indexes[identity.index].view.find(hash) { candidate in
      let place = place(of: candidate)
      return layout.matches(place.group, place.row, entity: candidate.entity, values)
    }
  }
}
