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
    let names = entity.identity.map { entity.attributes[$0].name }
    if let stranger = identity.keys.sorted().first(where: { !names.contains($0) }) {
      let message =
        names.isEmpty
        ? "\(entity.name) has no identity, by which \"\(stranger)\" could find an object"
        : "\"\(stranger)\" is not part of the identity of \(entity.name), which is \(names.quoted)"
      throw StoreError(.unknownProperty, message, entity: entity.name, property: stranger)
    }
    var values: [AttributeValue] = []
    for name in names {
      guard let value = identity[name] else {
        throw StoreError(
          .unknownProperty,
          "the identity of \(entity.name) is \(names.quoted); a value for \"\(name)\" is missing",
          entity: entity.name, property: name)
      }
      values.append(value)
    }
    return try object(of: entity, values)
  }

  private func object(
    of entity: EntitySchema, _ values: [AttributeValue]
  ) throws(StoreError) -> GraphObject? {
    for (number, value) in zip(entity.identity, values) {
      let attribute = entity.attributes[number]
      guard value.withRawValue(for: attribute.type, { _ in true }) == nil else { continue }
      throw StoreError(
        .wrongType,
        "\(entity.name).\(attribute.name) is of type \(attribute.type.rawValue), "
          + "which \(value.shortText) is not",
        entity: entity.name, property: attribute.name)
    }
    let types = entity.identity.map { entity.attributes[$0].type }
    let id = values.withRawValues(for: types) { find(identityOf: entity.number, $0) }
    guard let id, entity.family.contains(id.entity) else { return nil }
    return GraphObject(id: id, graph: self)
  }
}

extension [AttributeValue] {
  /// Calls `body` with the forms in which columns of these types keep the values; null for a value
  /// that does not suit its type.
  func withRawValues<R>(
    for types: [AttributeType], _ body: (UnsafeBufferPointer<RawValue>) throws -> R
  ) rethrows -> R {
    var raw: [RawValue] = []
    func next(_ index: Int) throws -> R {
      guard index < count else { return try raw.withUnsafeBufferPointer(body) }
      let result = try self[index].withRawValue(for: types[index]) { value in
        raw.append(value)
        return try next(index + 1)
      }
      if let result { return result }
      raw.append(.null)
      return try next(index + 1)
    }
    return try next(0)
  }
}

extension ModelSchema {
  /// The entity of this name.
  func entity(_ name: String) throws(StoreError) -> EntitySchema {
    if let number = entityNumbers[name] { return entities[number] }
    throw StoreError(
      .unknownEntity, "unknown entity \"\(name)\"\(remedy(for: name, in: entities.map(\.name)))",
      entity: name)
  }
}

extension EntitySchema {
  /// The error for a name that the entity does not have, and the names it has.
  func unknownProperty(_ kind: String, _ property: String) -> StoreError {
    let names = kind == "attribute" ? attributes.map(\.name) : relationships.map(\.name)
    return StoreError(
      .unknownProperty,
      "unknown \(kind) \"\(property)\" of \(name)\(remedy(for: property, in: names))",
      entity: name, property: property)
  }
}

/// What follows the mention of an unknown name: the nearest known one, or the known ones.
private func remedy(for name: String, in known: [String]) -> String {
  if let nearest = nearestName(to: name, in: known) { return ", did you mean \"\(nearest)\"?" }
  return known.isEmpty ? "; it has none" : "; known: \(known.sorted().prefix(12).quoted)"
}

extension Sequence<String> {
  fileprivate var quoted: String { map { "\"\($0)\"" }.joined(separator: ", ") }
}
