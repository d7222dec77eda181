// Reading and writing properties by number, for handles of whatever kind. Every call checks that
// the object still exists, because an earlier deletion may have taken it along.

extension MutableGraph {
  /// The number of the attribute of this name.
  ///
  /// It asks the array and not the entity, which would be copied: a dozen references.
  func attributeNumber(_ name: String, of id: ObjectID) throws(StoreError) -> Int {
    let attributes = schema.entities[id.entity].attributes
    if let number = attributes.firstIndex(where: { $0.name == name }) { return number }
    throw schema.entities[id.entity].unknownProperty("attribute", name)
  }

  /// The number of the relationship of this name, which must be to-one or to-many as the call is
  /// for.
  func relationshipNumber(
    _ name: String, of id: ObjectID, isToMany: Bool
  ) throws(StoreError) -> Int {
    let relationships = schema.entities[id.entity].relationships
    guard let number = relationships.firstIndex(where: { $0.name == name }) else {
      throw schema.entities[id.entity].unknownProperty("relationship", name)
    }
    guard relationships[number].isToMany == isToMany else {
      throw schema.entities[id.entity].wrongRelationship(number)
    }
    return number
  }

  func value(of id: ObjectID, attribute: Int) throws(StoreError) -> AttributeValue? {
    try checkExists(id)
    let type = schema.entities[id.entity].attributes[attribute].type
    return AttributeValue(transaction.value(id, attribute: attribute), type: type)
  }

  /// Sets an attribute, of the identity or not; a stub is filled by it.
  func setValue(
    _ value: AttributeValue?, of id: ObjectID, attribute: Int
  ) throws(StoreError) {
    guard let value else { return try setRawValue(.null, of: id, attribute: attribute) }
    let type = schema.entities[id.entity].attributes[attribute].type
    let outcome = value.withRawValue(for: type) { raw in
      Result { () throws(StoreError) in try setRawValue(raw, of: id, attribute: attribute) }
    }
    guard let outcome else {
      throw schema.entities[id.entity].wrongType(value, attribute: attribute)
    }
    try outcome.get()
  }

  /// Sets an attribute to a value in the form in which its column keeps it.
  func setRawValue(
    _ value: RawValue, of id: ObjectID, attribute: Int
  ) throws(StoreError) {
    try checkExists(id)
    guard value.count <= RawValue.maximumByteCount else {
      throw schema.entities[id.entity].excess(value.count, attribute: attribute)
    }
    try schema.checkDomain(value, of: id.entity, attribute: attribute)
    let transaction = transaction
    if transaction.layout.shapes[id.entity].attributes[attribute].isIdentity {
      try setIdentity(value, of: id, attribute: attribute)
    } else {
      _ = transaction.set(id, attribute: attribute, value)
    }
    transaction.setStub(id, false)
  }

  private func setIdentity(
    _ value: RawValue, of id: ObjectID, attribute: Int
  ) throws(StoreError) {
    let transaction = transaction
    let numbers = schema.entities[id.entity].identity
    try transaction.withIdentity(of: id) { current throws(StoreError) in
      let values = zip(numbers, current).map { $0 == attribute ? value : $1 }
      try values.withUnsafeBufferPointer { values throws(StoreError) in
        _ = try transaction.setIdentity(id, values)
      }
    }
  }

  func target(of id: ObjectID, relationship: Int) throws(StoreError) -> ObjectID? {
    try checkExists(id)
    return existing(transaction.toOne(id, relationship: relationship))
  }

  func setTarget(
    _ target: ObjectID?, of id: ObjectID, relationship: Int
  ) throws(StoreError) {
    try checkExists(id)
    if let target { try checkFits(target, id, relationship) }
    _ = transaction.setToOne(id, relationship: relationship, target)
  }

  func members(of id: ObjectID, relationship: Int) throws(StoreError) -> [ObjectID] {
    try checkExists(id)
    return transaction.toMany(id, relationship: relationship).filter { existing($0) != nil }
  }

  func setMembers(
    _ members: [ObjectID], of id: ObjectID, relationship: Int
  ) throws(StoreError) {
    try checkExists(id)
    for member in members { try checkFits(member, id, relationship) }
    _ = members.withUnsafeBufferPointer {
      transaction.setToMany(id, relationship: relationship, $0)
    }
  }

  func addMember(_ member: ObjectID, to id: ObjectID, relationship: Int) throws(StoreError) {
    try checkExists(id)
    try checkFits(member, id, relationship)
    _ = [member].withUnsafeBufferPointer {
      transaction.unite(id, relationship: relationship, $0)
    }
  }

  /// Puts a member at a place among the others, taken from where it was.
  func insertMember(
    _ member: ObjectID, at index: Int, of id: ObjectID, relationship: Int
  ) throws(StoreError) {
    let entity = schema.entities[id.entity]
    let name = entity.relationships[relationship].name
    guard entity.relationships[relationship].isOrdered else {
      throw StoreError(
        .wrongRelationship, "\(entity.name).\(name) has no order; use add(_:to:)",
        entity: entity.name, property: name)
    }
    var members = try self.members(of: id, relationship: relationship)
    members.removeAll { $0 == member }
    guard members.indices.contains(index) || index == members.count else {
      throw StoreError(
        .indexOutOfRange,
        "\(entity.name).\(name) has \(members.count) other objects; expected a place from 0 to "
          + "\(members.count), found \(index)",
        entity: entity.name, property: name)
    }
    members.insert(member, at: index)
    try setMembers(members, of: id, relationship: relationship)
  }

  func removeMember(
    _ member: ObjectID, from id: ObjectID, relationship: Int
  ) throws(StoreError) {
    let members = try self.members(of: id, relationship: relationship)
    guard members.contains(member) else { return }
    try setMembers(members.filter { $0 != member }, of: id, relationship: relationship)
  }

  /// What a relationship without inverse leads to may have been deleted; that is put right at the
  /// end of the write.
  private func existing(_ target: ObjectID?) -> ObjectID? {
    target.flatMap { transaction.contains($0) ? $0 : nil }
  }

  private func checkFits(
    _ target: ObjectID, _ id: ObjectID, _ relationship: Int
  ) throws(StoreError) {
    try checkExists(target)
    let column = transaction.layout.shapes[id.entity].relationships[relationship]
    guard !schema.entities[column.destination].family.contains(target.entity) else { return }
    let entity = schema.entities[id.entity]
    let destination = schema.entities[column.destination]
    let name = entity.relationships[relationship].name
    throw StoreError(
      .wrongType,
      "\(entity.name).\(name) leads to \(destination.name), which "
        + "\(transaction.describe(target)) is not",
      entity: entity.name, property: name)
  }
}
