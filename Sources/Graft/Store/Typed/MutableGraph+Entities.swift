extension MutableGraph {
  /// Inserts an object.
  ///
  /// - Parameters:
  ///   - entity: The object's entity.
  ///   - configure: Sets the object's properties; those that it leaves alone have their defaults.
  /// - Returns: The object.
  /// - Throws: ``StoreError`` if the entity is abstract; what `configure` throws.
  /// - Precondition: The model was made from the entity, as `GraphStore(for:)` does.
  @discardableResult
  public func insert<E: Entity>(
    _ entity: E.Type, _ configure: (MutableObject<E>) throws -> Void = { _ in }
  ) throws -> MutableObject<E> {
    let object = MutableObject<E>(of: handle(try insert(schema.number(of: entity), [])))
    try configure(object)
    return object
  }

  /// Returns the object with an identity of one attribute, inserted if there is none yet.
  ///
  /// - Parameters:
  ///   - entity: The entity; an object of one below it may be found.
  ///   - identity: The value of its identity attribute.
  /// - Returns: The object.
  /// - Throws: ``StoreError`` if the entity's identity is not one attribute of this type, or the
  ///   entity is abstract and the object not there.
  /// - Precondition: The model was made from the entity, as `GraphStore(for:)` does.
  /// - Complexity: O(1) on average.
  @discardableResult
  public func findOrInsert<E: Entity, Value: AttributeConvertible>(
    _ entity: E.Type, id identity: Value
  ) throws(StoreError) -> MutableObject<E> {
    let schema = schema.number(of: entity)
    return MutableObject(
      of: try findOrInsert(
        schema.name,
        identifiedBy: try schema.soleIdentity { try Value.attributeCodec.encode(identity) }))
  }

  /// Returns the object with an identity of one attribute, an enumeration, inserted if there is
  /// none yet.
  ///
  /// - Parameters:
  ///   - entity: The entity; an object of one below it may be found.
  ///   - identity: The value of its identity attribute.
  /// - Returns: The object.
  /// - Throws: ``StoreError`` if the entity's identity is not one attribute of this type, or the
  ///   entity is abstract and the object not there.
  /// - Precondition: The model was made from the entity, as `GraphStore(for:)` does.
  /// - Complexity: O(1) on average.
  @_disfavoredOverload
  @discardableResult
  public func findOrInsert<E: Entity, Value: RawRepresentable>(
    _ entity: E.Type, id identity: Value
  ) throws(StoreError) -> MutableObject<E> where Value.RawValue: AttributeConvertible {
    try findOrInsert(entity, id: identity.rawValue)
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
  ) throws(StoreError) -> MutableObject<E>? {
    let schema = schema.number(of: entity)
    let found = try object(
      schema.name,
      identifiedBy: try schema.soleIdentity { try Value.attributeCodec.encode(identity) })
    return found.map { MutableObject(of: $0) }
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
  ) throws(StoreError) -> MutableObject<E>? where Value.RawValue: AttributeConvertible {
    try object(entity, id: identity.rawValue)
  }

  /// Returns an object by its place in the store.
  ///
  /// - Parameters:
  ///   - id: The object's identifier, from this store.
  ///   - entity: The entity to read and write it as.
  /// - Returns: The object; nil if it is deleted, or of another entity.
  /// - Precondition: The model was made from the entity, as `GraphStore(for:)` does.
  public func object<E: Entity>(
    _ id: ObjectID, as entity: E.Type = E.self
  ) -> MutableObject<E>? {
    object(id).flatMap { MutableObject($0) }
  }

  /// Returns the number of objects of an entity, those of entities below it included.
  ///
  /// - Parameter entity: The entity.
  /// - Returns: The number.
  /// - Precondition: The model was made from the entity, as `GraphStore(for:)` does.
  public func count<E: Entity>(of entity: E.Type) -> Int {
    schema.number(of: entity).family.reduce(0) { $0 + transaction.tables[$1].liveCount }
  }

  /// Returns the object that a snapshot's handle is on.
  ///
  /// - Parameter object: A handle from a snapshot of this store.
  /// - Returns: The object as it is now; nil if it has been deleted since.
  public func object<E: Entity>(_ object: Object<E>) -> MutableObject<E>? {
    self.object(GraphObject(object)).map { MutableObject(of: $0) }
  }

  /// Returns the objects of an entity, by entity and insertion.
  ///
  /// They may be written while they are gone through: what is inserted meanwhile is not met, what
  /// is deleted is passed over.
  ///
  /// - Parameter entity: The entity; objects of those below it are included.
  /// - Returns: The objects as a sequence that makes handles on demand.
  /// - Precondition: The model was made from the entity, as `GraphStore(for:)` does.
  /// - Complexity: O(1).
  public func objects<E: Entity>(
    _ entity: E.Type
  ) -> some Sequence<MutableObject<E>> {
    MutableGraphObjects(graph: self, entities: schema.number(of: entity).family)
      .lazy.map { MutableObject<E>(of: $0) }
  }

  /// Deletes objects, and what their delete rules take along.
  ///
  /// - Parameter objects: The objects; those that are deleted already are passed over.
  /// - Returns: How many objects were deleted.
  /// - Throws: ``StoreError`` if a relationship with the rule ``DeleteRule/deny`` leads from one of
  ///   them to an object that stays; nothing is deleted then.
  @discardableResult
  public func delete<E: Entity>(
    _ objects: some Sequence<MutableObject<E>>
  ) throws(StoreError) -> Int {
    try delete(objects.map(\.untyped))
  }
}

extension EntitySchema {
  /// An identity of one attribute, by its name.
  ///
  /// - Throws: ``StoreError`` if the identity has not one attribute, or the value is none.
  func soleIdentity(
    _ encode: () throws -> AttributeValue?
  ) throws(StoreError) -> [String: AttributeValue] {
    guard let attribute = identity.first, identity.count == 1 else {
      throw StoreError(
        .unknownProperty,
        "the identity of \(name) has \(identity.count) attributes, expected one; use the methods "
          + "that take `identifiedBy:`", entity: name)
    }
    let property = attributes[attribute].name
    do {
      if let value = try encode() { return [property: value] }
    } catch {
      throw StoreError(
        .wrongType, "\(name).\(property): the value cannot be kept: \(error)", entity: name,
        property: property)
    }
    throw StoreError(
      .wrongType, "an identity of \(name) is not nil; give a value", entity: name,
      property: property)
  }
}
