// Names and values of any type, as callers give them, become numbers of the model and values of the
// right type. Each error names the remedy.

extension ModelSchema {
  /// Returns the entity of this name.
  ///
  /// - Throws: ``StoreError`` if there is none.
  package func entity(_ name: String) throws(StoreError) -> EntitySchema {
    if let number = entityNumbers[name] { return entities[number] }
    throw StoreError(.unknownEntity, unknownEntity(name), entity: name)
  }

  /// Returns the message for a name that no entity has.
  package func unknownEntity(_ name: String) -> String {
    "unknown entity \"\(name)\"\(remedy(for: name, in: entities.map(\.name)))"
  }

  /// Returns the schema of a typed entity; nil if the model was not made from it.
  package func typedEntity<E: Entity>(_ entity: E.Type) -> EntitySchema? {
    types[ObjectIdentifier(entity)].map { entities[$0] }
  }

  /// Returns the schema of a typed entity.
  ///
  /// - Precondition: The model was made from the entity.
  package func schema<E: Entity>(of entity: E.Type) -> EntitySchema {
    guard let number = types[ObjectIdentifier(entity)] else {
      misuse(
        "the store's model was not made from \(E.self); name it, or an entity that leads to it, in "
          + "GraphStore(for:)")
    }
    return entities[number]
  }

  /// Returns the numbers of an entity and, if they are included, of those below it.
  ///
  /// - Precondition: The model was made from the entity.
  func family<E: Entity>(of entity: E.Type, _ includesSubentities: Bool) -> [Int] {
    let schema = schema(of: entity)
    return includesSubentities ? schema.family : [schema.number]
  }

  /// Returns the number of the attribute of this name.
  package func attribute(_ name: String, of entity: Int) throws(StoreError) -> Int {
    if let number = entities[entity].attributeNumber(named: name) { return number }
    throw entities[entity].unknownAttribute(name)
  }

  /// Returns the number of the relationship of this name.
  ///
  /// - Throws: ``StoreError`` if there is none, or if it is to-many where a to-one is expected, or
  ///   the reverse.
  package func relationship(
    _ name: String, of entity: Int, isToMany: Bool
  ) throws(StoreError) -> Int {
    let entity = entities[entity]
    guard let number = entity.relationshipNumber(named: name) else {
      throw entity.unknownRelationship(name)
    }
    guard entity.relationships[number].isToMany == isToMany else {
      throw entity.wrongRelationship(number)
    }
    return number
  }

  /// Checks that the type by which your code declares an attribute can hold a value.
  ///
  /// It reads no more of the model than it must, because it is called for every value written.
  func checkDomain(
    _ value: RawValue, of entity: Int, attribute number: Int
  ) throws(StoreError) {
    guard entities[entity].attributes[number].domain.isLimited else { return }
    try entities[entity].checkDomain(value, attribute: number)
  }
}

extension EntitySchema {
  /// Returns values with the numbers of their attributes, in the order of the names.
  ///
  /// - Throws: ``StoreError`` if a name is unknown, or a value does not suit.
  package func attributes(
    _ values: [String: AttributeValue]
  ) throws(StoreError) -> [(attribute: Int, value: AttributeValue)] {
    var result: [(attribute: Int, value: AttributeValue)] = []
    for (name, value) in values.sortedByKey() {
      guard let index = attributeNumber(named: name) else { throw unknownAttribute(name) }
      let outcome = attributes[index].withStoredForm(of: value) { raw in
        Result { () throws(StoreError) in try checkDomain(raw, attribute: index) }
      }
      guard let outcome else { throw wrongType(value, attribute: index) }
      try outcome.get()
      result.append((index, attributes[index].normalized(value)))
    }
    return result
  }

  /// Returns the values of an identity that is given by names, in the order of the identity's attributes.
  ///
  /// - Throws: ``StoreError`` if the names are not the identity's, or a value does not suit.
  package func identityValues(
    _ identity: [String: AttributeValue]
  ) throws(StoreError) -> [AttributeValue] {
    let names = self.declaredIdentity.map { attributes[$0].name }
    if let unknown = identity.keys.sorted().first(where: { !names.contains($0) }) {
      let message =
        names.isEmpty
        ? "\(name) has no identity, by which \"\(unknown)\" could find an object"
        : "\"\(unknown)\" is not part of the identity of \(name), which is \(names.quoted)"
      throw StoreError(.unknownProperty, message, entity: name, property: unknown)
    }
    var values: [AttributeValue] = []
    for number in self.identity {
      let attribute = attributes[number]
      guard let value = identity[attribute.name] else {
        throw StoreError(
          .unknownProperty,
          "the identity of \(name) is \(names.quoted); a value for \"\(attribute.name)\" is missing",
          entity: name, property: attribute.name)
      }
      guard attribute.withStoredForm(of: value, { _ in true }) != nil else {
        throw wrongType(value, attribute: number)
      }
      values.append(attribute.normalized(value))
    }
    return values
  }

  /// Returns an identity that is given by key paths, by the names of its attributes.
  ///
  /// - Throws: ``StoreError`` if a value is nil or cannot be kept.
  package func identity<E: Entity, each Value>(
    of entity: E.Type, _ identity: repeat (KeyPath<E, Attribute<each Value>>, each Value)
  ) throws(StoreError) -> [String: AttributeValue] {
    var values = [String: AttributeValue]()
    for (attribute, value) in repeat each identity {
      let (core, name) = EntityType<E>.shared.attribute(at: attribute)
      values[name] = try identityValue(core.number) { try core.codec.encode(value) }
    }
    return values
  }

  /// Returns an identity of one attribute, by its name.
  ///
  /// - Throws: ``StoreError`` if the identity has not exactly one attribute, or there is no value.
  package func soleIdentity(
    _ encode: () throws -> AttributeValue?
  ) throws(StoreError) -> [String: AttributeValue] {
    guard let attribute = identity.first, identity.count == 1 else {
      throw StoreError(
        .unknownProperty,
        "the identity of \(name) has \(identity.count) attributes, expected one; use the methods "
          + "that take `identifiedBy:`", entity: name)
    }
    return [attributes[attribute].name: try identityValue(attribute, encode)]
  }

  /// Returns the value of an attribute of an identity.
  private func identityValue(
    _ attribute: Int, _ encode: () throws -> AttributeValue?
  ) throws(StoreError) -> AttributeValue {
    let value: AttributeValue?
    do {
      value = try encode()
    } catch {
      throw unencodable(error, attribute: attribute)
    }
    if let value { return value }
    throw StoreError(
      .wrongType, "an identity of \(name) is not nil; give a value", entity: name,
      property: attributes[attribute].name)
  }
}

extension [AttributeValue?] {
  /// Calls `body` with the forms in which columns of these types keep the values; null for nil and
  /// for a value that does not suit its type.
  func withRawValues<R>(
    for types: [AttributeType], _ body: (BorrowedBuffer<RawValue>) throws -> R
  ) rethrows -> R {
    var row = rawValues(of: types)
    return try row.withAll(body)
  }

  @inline(never)
  private func rawValues(of types: [AttributeType]) -> RowBuffer {
    var row = RowBuffer()
    for (value, type) in zip(self, types) {
      if value?.withRawValue(for: type, { row.append($0) }) == nil { row.appendNull() }
    }
    return row
  }
}

// The errors.
extension EntitySchema {
  func unknownAttribute(_ property: String) -> StoreError {
    guard let relationship = relationships.first(where: { $0.name == property }) else {
      return unknownProperty("attribute", property, in: attributes.map(\.name))
    }
    return StoreError(
      .unknownProperty,
      "\(name).\(property) is a relationship to \(relationship.isToMany ? "objects" : "an object") and no attribute; name"
        + " an attribute, or follow the relationship",
      entity: name, property: property)
  }

  package func unknownRelationship(_ property: String) -> StoreError {
    guard attributes.contains(where: { $0.name == property }) else {
      return unknownProperty("relationship", property, in: relationships.map(\.name))
    }
    return StoreError(
      .unknownProperty,
      "\(name).\(property) is an attribute and no relationship; name a relationship, or read the attribute",
      entity: name, property: property)
  }

  private func unknownProperty(
    _ kind: String, _ property: String, in names: [String]
  ) -> StoreError {
    StoreError(
      .unknownProperty,
      "unknown \(kind) \"\(property)\" of \(name)\(remedy(for: property, in: names))",
      entity: name, property: property)
  }

  /// Returns the error for a value that an attribute does not take.
  package func wrongType(_ value: AttributeValue, attribute number: Int) -> StoreError {
    let attribute = attributes[number]
    return StoreError(
      .wrongType,
      "\(name).\(attribute.name) is of type \(attribute.type.rawValue), "
        + "which \(value.shortText) is not; give it \(attribute.type.expectation)",
      entity: name, property: attribute.name)
  }

  /// Returns the error for a value that its type's codec refused.
  func unencodable(_ error: any Error, attribute number: Int) -> StoreError {
    StoreError(
      .wrongType, "\(name).\(attributes[number].name): the value cannot be kept: \(error)",
      entity: name, property: attributes[number].name)
  }

  /// Returns the error for a value that is too long for a cell.
  func tooLong(_ byteCount: Int, attribute number: Int) -> StoreError {
    StoreError(
      .wrongType,
      "\(name).\(attributes[number].name): a value of \(byteCount) bytes is too long; the most is "
        + "\(RawValue.maximumByteCount)",
      entity: name, property: attributes[number].name)
  }

  /// Returns the error for a relationship that is to-one where a to-many is expected, or the reverse.
  fileprivate func wrongRelationship(_ number: Int) -> StoreError {
    let relationship = relationships[number]
    let remedy =
      relationship.isToMany
      ? "to-many: use objects(_:), setObjects(_:of:), add(_:to:) and remove(_:from:)"
      : "to-one: use object(_:) and setObject(_:of:)"
    return StoreError(
      .wrongRelationship, "\(name).\(relationship.name) is \(remedy)", entity: name,
      property: relationship.name)
  }

  /// Checks that the Swift type of an attribute can hold a value.
  ///
  /// - Throws: ``StoreError`` with the attribute and the value; its message ends with the remedy.
  func checkDomain(
    _ value: RawValue, attribute number: Int, remedy: @autoclosure () -> String = ""
  ) throws(StoreError) {
    let attribute = attributes[number]
    guard !value.isNull, !attribute.domain.admits(value) else { return }
    let found = AttributeValue(value, type: attribute.type)?.shortText ?? "nothing"
    throw StoreError(
      .wrongType,
      "\(name).\(attribute.name): expected \(attribute.domain.expectation), found \(found)\(remedy())",
      entity: name, property: attribute.name)
  }
}

extension AttributeSchema {
  /// Returns a value in the form in which the attribute's Swift type writes it.
  package func normalized(_ value: AttributeValue) -> AttributeValue {
    guard let normalize = domain.normalize else { return value }
    return value.withRawValue(for: type) { normalize($0) ?? value } ?? value
  }

  /// Calls `body` with the form in which the attribute stores a value that an app gives.
  ///
  /// - Returns: The result of `body`; nil if the attribute does not take the value.
  func withStoredForm<R>(
    of value: AttributeValue, _ body: (RawValue) throws -> R
  ) rethrows -> R? {
    guard !value.isDecimalNaN else { return nil }
    return try normalized(value).withRawValue(for: type, body)
  }
}

extension AttributeType {
  /// Returns a description of the values that an attribute of this type takes.
  fileprivate var expectation: String {
    switch self {
    case .integer16: "an integer between \(Int16.min) and \(Int16.max)"
    case .integer32: "an integer between \(Int32.min) and \(Int32.max)"
    case .integer64: "an integer"
    case .decimal: "a decimal or an integer"
    case .double: "a double, a float, or an integer that it can represent"
    case .float: "a number in the range of Float, or an integer that it can represent"
    case .string: "a string"
    case .boolean: "a boolean"
    case .date: "a date"
    case .binary: "binary data"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .transformable: "the text of a JSON value"
    }
  }
}
