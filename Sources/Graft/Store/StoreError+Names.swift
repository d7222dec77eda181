// The errors of wrong names and values, each with what would be right.

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

  /// The error for a value that an attribute does not take.
  func wrongType(_ value: AttributeValue, attribute number: Int) -> StoreError {
    let attribute = attributes[number]
    return StoreError(
      .wrongType,
      "\(name).\(attribute.name) is of type \(attribute.type.rawValue), "
        + "which \(value.shortText) is not; give it \(attribute.type.expectation)",
      entity: name, property: attribute.name)
  }
}

extension EntitySchema {
  /// The error for a value that is too long for a cell.
  func excess(_ byteCount: Int, attribute number: Int) -> StoreError {
    StoreError(
      .wrongType,
      "\(name).\(attributes[number].name): a value of \(byteCount) bytes is too long; the most is "
        + "\(RawValue.maximumByteCount)",
      entity: name, property: attributes[number].name)
  }

  /// The error for a relationship that is to-one where a to-many is expected, or the reverse.
  func wrongRelationship(_ number: Int) -> StoreError {
    let relationship = relationships[number]
    let remedy =
      relationship.isToMany
      ? "to-many: use objects(_:), setObjects(_:of:), add(_:to:) and remove(_:from:)"
      : "to-one: use object(_:) and setObject(_:of:)"
    return StoreError(
      .wrongRelationship, "\(name).\(relationship.name) is \(remedy)", entity: name,
      property: relationship.name)
  }
}

extension ModelSchema {
  /// Checks that the program's type can hold a value.
  ///
  /// Reads no more of the model than it must: it is called for every value written.
  func checkDomain(
    _ value: RawValue, of entity: Int, attribute number: Int
  ) throws(StoreError) {
    guard entities[entity].attributes[number].domain.isLimited else { return }
    try entities[entity].checkDomain(value, attribute: number)
  }
}

extension EntitySchema {
  /// Checks that the program's type can hold a value.
  func checkDomain(_ value: RawValue, attribute number: Int) throws(StoreError) {
    let attribute = attributes[number]
    guard !value.isNull, !attribute.domain.admits(value) else { return }
    let found = AttributeValue(value, type: attribute.type)?.shortText ?? "nothing"
    throw StoreError(
      .wrongType,
      "\(name).\(attribute.name): expected \(attribute.domain.expectation), found \(found)",
      entity: name, property: attribute.name)
  }
}

extension AttributeType {
  /// The values that an attribute of this type takes, in words.
  fileprivate var expectation: String {
    switch self {
    case .integer16: "an integer between \(Int16.min) and \(Int16.max)"
    case .integer32: "an integer between \(Int32.min) and \(Int32.max)"
    case .integer64: "an integer"
    case .decimal: "a decimal or an integer"
    case .double, .float: "a double, a float, or an integer that it can represent"
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

/// What follows the mention of an unknown name: the nearest known one, or the known ones.
private func remedy(for name: String, in known: [String]) -> String {
  if let nearest = nearestName(to: name, in: known) { return ", did you mean \"\(nearest)\"?" }
  return known.isEmpty ? "; it has none" : "; known: \(known.sorted().prefix(12).quoted)"
}

extension Sequence<String> {
  var quoted: String { map { "\"\($0)\"" }.joined(separator: ", ") }
}
