extension MutableGraph {
  /// Inserts an object.
  ///
  /// Attributes that are not named take their defaults. An identity that is not named, or not
  /// whole, may be set later in the write; an object without it is found by none.
  ///
  /// - Parameters:
  ///   - entity: The name of the object's entity.
  ///   - values: Values of attributes, by name.
  /// - Returns: The object.
  /// - Throws: ``StoreError`` if the model has no such entity or attribute, the entity is abstract, a
  ///   value does not suit its attribute, or another object has the identity; nothing is inserted
  ///   then.
  @discardableResult
  public func insert(
    _ entity: String, _ values: [String: AttributeValue] = [:]
  ) throws(StoreError) -> MutableGraphObject {
    let entity = try schema.entity(entity)
    return handle(try insert(entity, try entity.numbered(values)))
  }

  /// Returns the object with an identity, inserted if there is none yet.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; an object of a sub-entity may be found.
  ///   - identity: A value for each of the entity's identity attributes, by name.
  ///   - values: Values of other attributes, by name, which the object is given whether it is new
  ///     or not.
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
          + "name identityAttributes in the model",
        entity: entity.name)
    }
    let others = try entity.numbered(values)
    guard let found = find(entity, key), entity.family.contains(found.entity) else {
      let identified = zip(entity.identity, key).map { ($0, $1) }
      return handle(try insert(entity, identified + others))
    }
    for (number, value) in others { try setValue(value, of: found, attribute: number) }
    return handle(found)
  }

  /// Inserts an object with values that suit their attributes; of an attribute that occurs twice,
  /// the later one counts.
  func insert(
    _ entity: EntitySchema, _ values: [(attribute: Int, value: AttributeValue)]
  ) throws(StoreError) -> ObjectID {
    guard !entity.isAbstract || schema.dialect.defaults.instantiatesAbstract else {
      let concrete = entity.family.map { schema.entities[$0] }.filter { !$0.isAbstract }
      throw StoreError(
        .abstractEntity,
        "\(entity.name) is abstract; insert an object of "
          + concrete.map { "\"\($0.name)\"" }.joined(separator: ", "),
        entity: entity.name)
    }
    let identity = entity.identity.map { number in
      values.last { $0.attribute == number }?.value
    }
    if !identity.isEmpty, let other = find(entity, identity) {
      throw StoreError(
        .duplicateIdentity,
        "\(transaction.describe(other)) exists already, and identities are unique; use "
          + "findOrInsert(_:identifiedBy:) to write to it",
        entity: entity.name)
    }
    let types = entity.identity.map { entity.attributes[$0].type }
    let id = identity.withRawValues(for: types) {
      transaction.insert(entity: entity.number, identity: $0)
    }
    for (number, value) in values where !entity.identity.contains(number) {
      _ = value.withRawValue(for: entity.attributes[number].type) {
        transaction.set(id, attribute: number, $0)
      }
    }
    return id
  }
}

extension MutableGraph {
  /// Deletes an object, and what its delete rules take along.
  ///
  /// - Parameter object: The object; one that is deleted already is passed over.
  /// - Returns: How many objects were deleted.
  /// - Throws: ``StoreError`` if a relationship with the rule ``DeleteRule/deny`` leads to an object
  ///   that stays; nothing is deleted then.
  @discardableResult
  public func delete(_ object: MutableGraphObject) throws(StoreError) -> Int {
    try delete(CollectionOfOne(object))
  }

  /// Deletes objects, and what their delete rules take along.
  ///
  /// - Parameter objects: The objects; those that are deleted already are passed over.
  /// - Returns: How many objects were deleted.
  /// - Throws: ``StoreError`` if a relationship with the rule ``DeleteRule/deny`` leads from one of
  ///   them to an object that stays; nothing is deleted then.
  @discardableResult
  public func delete(
    _ objects: some Sequence<MutableGraphObject>
  ) throws(StoreError) -> Int {
    let ids = objects.map { object in
      checkOwns(object)
      return object.id
    }
    return try transaction.delete(ids)
  }
}

extension EntitySchema {
  /// The values by number of their attributes.
  ///
  /// - Throws: ``StoreError`` if a name is unknown, or a value does not suit.
  fileprivate func numbered(
    _ values: [String: AttributeValue]
  ) throws(StoreError) -> [(attribute: Int, value: AttributeValue)] {
    var result: [(attribute: Int, value: AttributeValue)] = []
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let index = attributes.firstIndex(where: { $0.name == name }) else {
        throw unknownProperty("attribute", name)
      }
      let outcome = value.withRawValue(for: attributes[index].type) { raw in
        Result { () throws(StoreError) in try checkDomain(raw, attribute: index) }
      }
      guard let outcome else { throw wrongType(value, attribute: index) }
      try outcome.get()
      result.append((index, value))
    }
    return result
  }
}
