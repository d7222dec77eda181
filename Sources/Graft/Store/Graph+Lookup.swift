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
    return GraphObjects(
      graph: self, entities: includesSubentities ? entity.family : [entity.number])
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
  public func object(_ id: ObjectID) -> GraphObject? {
    contains(id) ? GraphObject(id: id, graph: self) : nil
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
    let values = try entity.identityValues(identity)
    let types = entity.identity.map { entity.attributes[$0].type }
    let id = values.withRawValues(for: types) { find(identityOf: entity.number, $0) }
    guard let id, entity.family.contains(id.entity) else { return nil }
    return GraphObject(id: id, graph: self)
  }
}
