/// Reads and writes objects of a transaction by number, for callers who may be wrong.
///
/// Each call checks that the object still exists, because an earlier deletion may have deleted it
/// too, and that the values suit the model. If an error is thrown, nothing is changed.
struct CheckedWriter {
  let transaction: GraphTransaction

  private var schema: ModelSchema { transaction.schema }

  /// - Throws: ``StoreError`` if the object has been deleted in this write.
  func checkExists(_ id: ObjectID) throws(StoreError) {
    guard !transaction.contains(id) else {
      transaction.readValues(of: id)
      return
    }
    let entity = schema.entities[id.entity].name
    throw StoreError(
      .missingObject,
      "\(entity)/\(id.row + 1) has been deleted in this write, by itself or with an object that "
        + "it belonged to; do what is to be done with it before, or ask isDeleted",
      entity: entity)
  }

  /// Returns the object with an identity, among all entities that share it.
  func find(_ entity: EntitySchema, _ identity: [AttributeValue?]) -> ObjectID? {
    identity.withRawValues(for: entity.identity.map { entity.attributes[$0].type }) {
      transaction.find(identityOf: entity.number, $0)
    }
  }

  /// Inserts an object.
  ///
  /// - Parameters:
  ///   - entity: The object's entity.
  ///   - values: Values that suit their attributes; if an attribute occurs twice, the later value
  ///     counts.
  /// - Returns: The object.
  /// - Throws: ``StoreError`` if the entity is abstract, or another object has the identity.
  func insert(
    _ entity: EntitySchema, _ values: [(attribute: Int, value: AttributeValue)]
  ) throws(StoreError) -> ObjectID {
    guard !entity.isAbstract || schema.dialect.instantiatesAbstract else {
      let concrete = entity.family.map { schema.entities[$0] }.filter { !$0.isAbstract }
      throw StoreError(
        .abstractEntity,
        "\(entity.name) is abstract; insert an object of \(concrete.map(\.name).quoted)",
        entity: entity.name)
    }
    let identity = entity.identity.map { number in
      values.last { $0.attribute == number }?.value
    }
    if !identity.isEmpty, let other = find(entity, identity) {
      throw transaction.duplicateIdentity(of: other, entity)
    }
    let id = identity.withRawValues(for: entity.identity.map { entity.attributes[$0].type }) {
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

// Attributes.
extension CheckedWriter {
  func value(of id: ObjectID, attribute: Int) throws(StoreError) -> AttributeValue? {
    try checkExists(id)
    let type = schema.entities[id.entity].attributes[attribute].type
    return AttributeValue(transaction.value(id, attribute: attribute), type: type)
  }

  /// Sets an attribute, which may be part of the identity; a stub becomes a full object.
  func setValue(
    _ value: AttributeValue?, of id: ObjectID, attribute: Int
  ) throws(StoreError) {
    guard let value else { return try setRawValue(.null, of: id, attribute: attribute) }
    let described = schema.entities[id.entity].attributes[attribute]
    let outcome = described.withStoredForm(of: value) { raw in
      Result { () throws(StoreError) in try setRawValue(raw, of: id, attribute: attribute) }
    }
    guard let outcome else {
      throw schema.entities[id.entity].wrongType(value, attribute: attribute)
    }
    try outcome.get()
  }

  private func setRawValue(
    _ value: RawValue, of id: ObjectID, attribute: Int
  ) throws(StoreError) {
    try checkExists(id)
    guard value.count <= RawValue.maximumByteCount else {
      throw schema.entities[id.entity].tooLong(value.count, attribute: attribute)
    }
    try schema.checkDomain(value, of: id.entity, attribute: attribute)
    if transaction.layout.shapes[id.entity].attributes[attribute].isIdentity {
      try setIdentity(value, of: id, attribute: attribute)
    } else {
      _ = transaction.set(id, attribute: attribute, value)
    }
    transaction.setStub(id, false)
    transaction.fetched?.noteChange(of: id)
  }

  private func setIdentity(
    _ value: RawValue, of id: ObjectID, attribute: Int
  ) throws(StoreError) {
    let numbers = schema.entities[id.entity].identity
    try transaction.withIdentity(of: id) { current throws(StoreError) in
      let values = zip(numbers, current).map { $0 == attribute ? value : $1 }
      try values.withBorrowed { values throws(StoreError) in
        _ = try transaction.setIdentity(id, values)
      }
    }
  }
}

// Relationships.
extension CheckedWriter {
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

  func memberCount(of id: ObjectID, relationship: Int) throws(StoreError) -> Int {
    guard hasOnlyPresentMembers(id, relationship) else {
      return try members(of: id, relationship: relationship).count
    }
    try checkExists(id)
    return transaction.withToMany(id, relationship: relationship) { $0.count }
  }

  /// Returns the member at a position; nil if there are not as many.
  func member(
    of id: ObjectID, relationship: Int, at position: Int
  ) throws(StoreError) -> ObjectID? {
    guard hasOnlyPresentMembers(id, relationship) else {
      let members = try members(of: id, relationship: relationship)
      return members.indices.contains(position) ? members[position] : nil
    }
    try checkExists(id)
    return transaction.withToMany(id, relationship: relationship) { members in
      members.indices.contains(position) ? members[position] : nil
    }
  }

  /// Returns whether no deleted objects are among the members: deletions have unlinked them through the inverse, or
  /// there were none.
  private func hasOnlyPresentMembers(_ id: ObjectID, _ relationship: Int) -> Bool {
    transaction.entitiesWithDeletions.isEmpty
      || transaction.layout.shapes[id.entity].relationships[relationship].inverse >= 0
  }

  func setMembers(
    _ members: [ObjectID], of id: ObjectID, relationship: Int
  ) throws(StoreError) {
    // Members that stay fit already, and need not be read from a database.
    let present = Set(try self.members(of: id, relationship: relationship))
    for member in members where !present.contains(member) {
      try checkFits(member, id, relationship)
    }
    _ = transaction.setToMany(id, relationship: relationship, members.span)
  }

  func addMembers(_ members: [ObjectID], to id: ObjectID, relationship: Int) throws(StoreError) {
    try checkExists(id)
    for member in members { try checkFits(member, id, relationship) }
    _ = transaction.unite(id, relationship: relationship, members.span)
  }

  /// Inserts a member of an ordered relationship at a position of the result; an object that is already a member is
  /// moved.
  func insertMember(
    _ member: ObjectID, at index: Int, of id: ObjectID, relationship: Int
  ) throws(StoreError) {
    let entity = schema.entities[id.entity]
    let name = entity.relationships[relationship].name
    guard entity.relationships[relationship].isOrdered else {
      throw StoreError(
        .wrongRelationship,
        "\(entity.name).\(name) has no order; add the object without a position",
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

  /// Unlinks a member; nothing happens if the object is not a member.
  func removeMember(
    _ member: ObjectID, from id: ObjectID, relationship: Int
  ) throws(StoreError) {
    try checkExists(id)
    transaction.removeMember(member, of: id, relationship: relationship)
  }

  /// Returns a target if it exists: until the end of the write, a relationship without inverse may lead to deleted
  /// objects.
  private func existing(_ target: ObjectID?) -> ObjectID? {
    target.flatMap { transaction.contains($0) ? $0 : nil }
  }

  /// Checks that a relationship may lead to an object.
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
