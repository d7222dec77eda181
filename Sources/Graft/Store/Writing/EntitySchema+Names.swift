extension EntitySchema {
  /// The number of the attribute of this name.
  func attributeNumber(_ name: String) throws(StoreError) -> Int {
    if let number = attributes.firstIndex(where: { $0.name == name }) { return number }
    throw unknownProperty("attribute", name)
  }

  /// Checks that the program's type can hold a value.
  func checkDomain(_ value: RawValue, attribute number: Int) throws(StoreError) {
    let attribute = attributes[number]
    guard attribute.domain.isLimited, !value.isNull, !attribute.domain.admits(value) else { return }
    let found = AttributeValue(value, type: attribute.type)?.shortText ?? "nothing"
    throw StoreError(
      .wrongType,
      "\(name).\(attribute.name): expected \(attribute.domain.expectation), found \(found)",
      entity: name, property: attribute.name)
  }

  /// The number of the relationship of this name, which must be to-one or to-many as the call is
  /// for.
  func relationshipNumber(_ name: String, isToMany: Bool) throws(StoreError) -> Int {
    guard let number = relationships.firstIndex(where: { $0.name == name }) else {
      throw unknownProperty("relationship", name)
    }
    guard relationships[number].isToMany != isToMany else { return number }
    let remedy =
      isToMany
      ? "to-one: use object(_:) and setObject(_:of:)"
      : "to-many: use objects(_:), setObjects(_:of:), add(_:to:) and remove(_:from:)"
    throw StoreError(
      .wrongRelationship, "\(self.name).\(name) is \(remedy)", entity: self.name, property: name)
  }
}
