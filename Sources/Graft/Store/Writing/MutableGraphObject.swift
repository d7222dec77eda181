/// An object in a graph that is being written; see ``GraphStore/write(_:)``.
///
/// It reads the changes so far, and is valid as long as its graph. Reading from an object that has
/// been deleted in the same write, or by a wrong name, gives nil or nothing, and `write` throws the
/// error at its end.
public struct MutableGraphObject: Identifiable {
  /// The object's identifier, the same in the graph that is published.
  public let id: ObjectID
  let graph: MutableGraph

  init(id: ObjectID, graph: MutableGraph) {
    self.id = id
    self.graph = graph
  }

  /// The name of the object's entity; for an object of a sub-entity, the sub-entity's name.
  public var entityName: String { schema.name }

  /// Whether the object has been deleted in this write.
  public var isDeleted: Bool { !graph.transaction.contains(id) }

  /// Whether only the object's identity is known so far.
  ///
  /// Setting an attribute makes it a full object, whatever the value: the object must then have all
  /// that the model requires. Linking it does not.
  public var isStub: Bool {
    graph.deferringErrors(false) { writer throws(StoreError) in
      try writer.checkExists(id)
      return writer.transaction.isStub(id)
    }
  }

  var schema: EntitySchema { graph.schema.entities[id.entity] }

  /// Deletes the object, and others by its delete rules.
  ///
  /// - Throws: ``StoreError`` if a relationship with the rule ``DeleteRule/deny`` leads to an
  ///   object that stays; nothing is deleted then.
  /// - Complexity: O(*n*) in the links of the deleted objects.
  public func delete() throws(StoreError) { try graph.delete(self) }
}

// Attributes.
extension MutableGraphObject {
  /// Returns the value of an attribute.
  ///
  /// - Parameter attribute: The attribute's name.
  /// - Returns: The value; nil if there is none.
  public func value(_ attribute: String) -> AttributeValue? {
    graph.deferringErrors(nil) { writer throws(StoreError) in
      let number = try graph.schema.attribute(attribute, of: id.entity)
      return try writer.value(of: id, attribute: number)
    }
  }

  /// Sets an attribute.
  ///
  /// An attribute of the identity may be set: the object is then found by its new identity. A stub
  /// becomes a full object.
  ///
  /// - Parameters:
  ///   - value: The value, of the attribute's type; nil for none. Values are not converted, with two exceptions: a
  ///     number is widened if nothing is lost, and a double is rounded to the nearest value of a Float attribute.
  ///   - attribute: The attribute's name.
  /// - Throws: ``StoreError`` if the name is unknown, the value does not suit, another object has
  ///   the identity, or this one has been deleted; nothing is changed then.
  public func setValue(
    _ value: AttributeValue?, of attribute: String
  ) throws(StoreError) {
    let number = try graph.schema.attribute(attribute, of: id.entity)
    try graph.writer.setValue(value, of: id, attribute: number)
  }

  /// The value of an attribute; nil if there is none.
  ///
  /// An error of ``setValue(_:of:)`` is thrown at the end of the write.
  ///
  /// - Parameter attribute: The attribute's name.
  public subscript(_ attribute: String) -> AttributeValue? {
    get { value(attribute) }
    nonmutating set {
      graph.deferringErrors(()) { _ throws(StoreError) in try setValue(newValue, of: attribute) }
    }
  }
}

// Relationships. Setting one sets its inverse too.
extension MutableGraphObject {
  /// Returns the object that a to-one relationship leads to.
  ///
  /// - Parameter relationship: The relationship's name.
  /// - Returns: The object; nil if there is none.
  public func object(_ relationship: String) -> MutableGraphObject? {
    graph.deferringErrors(nil) { writer throws(StoreError) in
      try writer.target(of: id, relationship: try number(relationship, isToMany: false))
        .map(graph.handle)
    }
  }

  /// Makes a to-one relationship lead to an object, or to none.
  ///
  /// - Parameters:
  ///   - object: The object; nil to unlink.
  ///   - relationship: The relationship's name.
  /// - Throws: ``StoreError`` if there is no such to-one relationship, it does not lead to objects
  ///   of that entity, or one of the two has been deleted.
  public func setObject(
    _ object: MutableGraphObject?, of relationship: String
  ) throws(StoreError) {
    let target = object.map(graph.id(of:))
    let number = try number(relationship, isToMany: false)
    try graph.writer.setTarget(target, of: id, relationship: number)
  }

  /// Returns the objects that a to-many relationship leads to.
  ///
  /// - Parameter relationship: The relationship's name.
  /// - Returns: The objects: in the relationship's order, or by entity and insertion if it has
  ///   none.
  /// - Complexity: O(*n*) in the number of objects.
  public func objects(_ relationship: String) -> [MutableGraphObject] {
    graph.deferringErrors([]) { writer throws(StoreError) in
      try writer.members(of: id, relationship: try number(relationship, isToMany: true))
        .map(graph.handle)
    }
  }

  /// Makes a to-many relationship lead to these objects and no others.
  ///
  /// - Parameters:
  ///   - objects: The objects; where one occurs twice, its first place counts.
  ///   - relationship: The relationship's name.
  /// - Throws: ``StoreError`` if there is no such to-many relationship, it does not lead to objects
  ///   of that entity, or one of the objects has been deleted; nothing is changed then.
  public func setObjects(
    _ objects: some Sequence<MutableGraphObject>, of relationship: String
  ) throws(StoreError) {
    let number = try number(relationship, isToMany: true)
    try graph.writer.setMembers(objects.map(graph.id(of:)), of: id, relationship: number)
  }

  /// Adds an object to a to-many relationship: at the end, if it is ordered.
  ///
  /// - Parameters:
  ///   - object: The object; an existing member keeps its position.
  ///   - relationship: The relationship's name.
  /// - Throws: ``StoreError`` as ``setObjects(_:of:)`` does.
  public func add(
    _ object: MutableGraphObject, to relationship: String
  ) throws(StoreError) {
    let member = graph.id(of: object)
    let number = try number(relationship, isToMany: true)
    try graph.writer.addMembers([member], to: id, relationship: number)
  }

  /// Inserts an object into an ordered to-many relationship.
  ///
  /// - Parameters:
  ///   - object: The object; an existing member is moved.
  ///   - index: Its position in the result, counted from 0.
  ///   - relationship: The relationship's name.
  /// - Throws: ``StoreError`` as ``setObjects(_:of:)`` does; also if the relationship has no order,
  ///   or the position is beyond the end.
  /// - Complexity: O(*n*) in the number of objects.
  public func insert(
    _ object: MutableGraphObject, at index: Int, into relationship: String
  ) throws(StoreError) {
    let member = graph.id(of: object)
    let number = try number(relationship, isToMany: true)
    try graph.writer.insertMember(member, at: index, of: id, relationship: number)
  }

  /// Removes an object from a to-many relationship; the object is not deleted.
  ///
  /// - Parameters:
  ///   - object: The object; nothing happens if it is not a member.
  ///   - relationship: The relationship's name.
  /// - Throws: ``StoreError`` if there is no such to-many relationship, or this object has been
  ///   deleted.
  /// - Complexity: O(*n*) in the number of objects.
  public func remove(
    _ object: MutableGraphObject, from relationship: String
  ) throws(StoreError) {
    let member = graph.id(of: object)
    let number = try number(relationship, isToMany: true)
    try graph.writer.removeMember(member, from: id, relationship: number)
  }

  private func number(_ relationship: String, isToMany: Bool) throws(StoreError) -> Int {
    try graph.schema.relationship(relationship, of: id.entity, isToMany: isToMany)
  }
}

@available(
  *, unavailable, message: "it is valid only within write(_:); return its id instead"
)
extension MutableGraphObject: Sendable {}

extension MutableGraphObject: Hashable {
  /// Returns whether two handles are on the same object in the same write.
  ///
  /// - Parameters:
  ///   - lhs: A handle.
  ///   - rhs: Another handle.
  /// - Returns: Whether they are equal.
  public static func == (lhs: MutableGraphObject, rhs: MutableGraphObject) -> Bool {
    lhs.id == rhs.id && lhs.graph === rhs.graph
  }

  /// Feeds the object's identifier to a hasher.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension MutableGraphObject: CustomStringConvertible {
  /// The entity and the attributes that have a value, long values shortened.
  public var description: String {
    let transaction = graph.transaction
    guard transaction.contains(id) else { return "\(entityName)/\(id.row + 1), deleted" }
    return schema.description { transaction.value(id, attribute: $0) }
  }
}
