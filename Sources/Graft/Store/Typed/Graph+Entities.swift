extension Graph {
  /// Returns the objects of an entity, those of entities below it included, by entity and
  /// insertion.
  ///
  /// - Parameter entity: The entity.
  /// - Returns: The objects as a collection that makes handles on demand.
  /// - Precondition: The model was made from the entity, as `GraphStore(for:)` does.
  /// - Complexity: O(1).
  public func objects<E: Entity>(_ entity: E.Type) -> Objects<E> {
    Objects(
      GraphObjects(graph: self, entities: schema.number(of: entity).family), as: .shared)
  }

  /// Returns the number of objects of an entity, those of entities below it included.
  ///
  /// - Parameter entity: The entity.
  /// - Returns: The number.
  /// - Precondition: The model was made from the entity, as `GraphStore(for:)` does.
  /// - Complexity: O(1).
  public func count<E: Entity>(of entity: E.Type) -> Int {
    schema.number(of: entity).family.reduce(0) { $0 + liveCount($1) }
  }

  /// Returns an object by its place in the store.
  ///
  /// - Parameters:
  ///   - id: The object's identifier, from this store.
  ///   - entity: The entity to read it as.
  /// - Returns: The object; nil if this graph does not have it, or it is of another entity.
  /// - Precondition: The model was made from the entity, as `GraphStore(for:)` does.
  public func object<E: Entity>(_ id: ObjectID, as entity: E.Type = E.self) -> Object<E>? {
    object(id).flatMap { Object($0) }
  }

  /// Returns the object with an identity of one attribute.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of entities below it are found as well.
  ///   - identity: The value of its identity attribute.
  /// - Returns: The object; nil if there is none.
  /// - Throws: ``StoreError`` if the entity's identity is not one attribute of this type.
  /// - Precondition: The model was made from the entity, as `GraphStore(for:)` does.
  /// - Complexity: O(1) on average.
  public func object<E: Entity, Value: AttributeConvertible>(
    _ entity: E.Type, id identity: Value
  ) throws(StoreError) -> Object<E>? {
    try object(entity) { try Value.attributeCodec.encode(identity) }
  }

  /// Returns the object with an identity of one attribute, an enumeration.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of entities below it are found as well.
  ///   - identity: The value of its identity attribute.
  /// - Returns: The object; nil if there is none.
  /// - Throws: ``StoreError`` if the entity's identity is not one attribute of this type.
  /// - Precondition: The model was made from the entity, as `GraphStore(for:)` does.
  /// - Complexity: O(1) on average.
  @_disfavoredOverload
  public func object<E: Entity, Value: RawRepresentable>(
    _ entity: E.Type, id identity: Value
  ) throws(StoreError) -> Object<E>? where Value.RawValue: AttributeConvertible {
    try object(entity) { try Value.RawValue.attributeCodec.encode(identity.rawValue) }
  }

  private func object<E: Entity>(
    _ entity: E.Type, _ encode: () throws -> AttributeValue?
  ) throws(StoreError) -> Object<E>? {
    let schema = schema.number(of: entity)
    return try object(schema.name, identifiedBy: try schema.soleIdentity(encode))
      .flatMap { Object($0) }
  }
}

extension ModelSchema {
  /// The compiled form of a typed entity.
  ///
  /// - Precondition: The model was made from the entity.
  func number<E: Entity>(of entity: E.Type) -> EntitySchema {
    guard let number = types[ObjectIdentifier(entity)] else {
      preconditionFailure(
        "the store's model was not made from \(E.self); name it, or an entity that leads to it, in "
          + "GraphStore(for:)")
    }
    return entities[number]
  }
}

extension GraphStore {
  /// Creates an empty store for typed entities; those that their relationships lead to, those
  /// above them and those that they list as being below them are found by themselves.
  ///
  /// - Parameters:
  ///   - entities: The entities.
  ///   - extensions: The code that annotations mention by name, beside what the entities bring
  ///     along.
  /// - Throws: ``ModelError`` with all that is wrong with the entities, each error with the
  ///   entity's and property's name.
  public convenience init(
    for entities: any Entity.Type..., extensions: ModelExtensions = ModelExtensions()
  ) throws(ModelError) {
    self.init(model: try GraphModel(types: entities, extensions: extensions))
  }
}
