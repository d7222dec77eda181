// Links are kept on both sides: whatever is set here, the inverse relationship follows.

extension MutableGraphObject {
  /// Returns the object that a to-one relationship leads to.
  ///
  /// - Parameter relationship: The relationship's name.
  /// - Returns: The object; nil if there is none.
  public func object(_ relationship: String) -> MutableGraphObject? {
    graph.noting(nil) { () throws(StoreError) in
      let number = try graph.relationshipNumber(relationship, of: id, isToMany: false)
      return try graph.target(of: id, relationship: number).map(graph.handle)
    }
  }

  /// Makes a to-one relationship lead to an object, or to none.
  ///
  /// - Parameters:
  ///   - object: The object; nil to unlink.
  ///   - relationship: The relationship's name.
  /// - Throws: ``StoreError`` if there is no such to-one relationship, it does not lead to objects of
  ///   that entity, or one of the two has been deleted.
  public func setObject(
    _ object: MutableGraphObject?, of relationship: String
  ) throws(StoreError) {
    if let object { graph.checkOwns(object) }
    let number = try graph.relationshipNumber(relationship, of: id, isToMany: false)
    try graph.setTarget(object?.id, of: id, relationship: number)
  }

  /// Returns the objects that a to-many relationship leads to.
  ///
  /// - Parameter relationship: The relationship's name.
  /// - Returns: The objects: in the relationship's order, or by entity and insertion if it has
  ///   none.
  /// - Complexity: O(*n*) in the number of objects.
  public func objects(_ relationship: String) -> [MutableGraphObject] {
    graph.noting([]) { () throws(StoreError) in
      let number = try graph.relationshipNumber(relationship, of: id, isToMany: true)
      return try graph.members(of: id, relationship: number).map(graph.handle)
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
    let number = try graph.relationshipNumber(relationship, of: id, isToMany: true)
    let members = objects.map { object in
      graph.checkOwns(object)
      return object.id
    }
    try graph.setMembers(members, of: id, relationship: number)
  }

  /// Adds an object to those that a to-many relationship leads to: at the end, if it is ordered.
  ///
  /// - Parameters:
  ///   - object: The object; one that is there already stays in its place.
  ///   - relationship: The relationship's name.
  /// - Throws: ``StoreError`` as ``setObjects(_:of:)`` does.
  public func add(
    _ object: MutableGraphObject, to relationship: String
  ) throws(StoreError) {
    graph.checkOwns(object)
    let number = try graph.relationshipNumber(relationship, of: id, isToMany: true)
    try graph.addMember(object.id, to: id, relationship: number)
  }

  /// Puts an object at a place among those that an ordered relationship leads to.
  ///
  /// - Parameters:
  ///   - object: The object; one that is there already is moved.
  ///   - index: Its place in the result, counted from 0.
  ///   - relationship: The relationship's name.
  /// - Throws: ``StoreError`` as ``setObjects(_:of:)`` does; also if the relationship has no order,
  ///   or the place lies behind the end.
  /// - Complexity: O(*n*) in the number of objects.
  public func insert(
    _ object: MutableGraphObject, at index: Int, into relationship: String
  ) throws(StoreError) {
    graph.checkOwns(object)
    let number = try graph.relationshipNumber(relationship, of: id, isToMany: true)
    try graph.insertMember(object.id, at: index, of: id, relationship: number)
  }

  /// Takes an object out of those that a to-many relationship leads to; it is not deleted.
  ///
  /// - Parameters:
  ///   - object: The object; one that is not there is passed over.
  ///   - relationship: The relationship's name.
  /// - Throws: ``StoreError`` if there is no such to-many relationship, or this object has been
  ///   deleted.
  /// - Complexity: O(*n*) in the number of objects.
  public func remove(
    _ object: MutableGraphObject, from relationship: String
  ) throws(StoreError) {
    graph.checkOwns(object)
    let number = try graph.relationshipNumber(relationship, of: id, isToMany: true)
    try graph.removeMember(object.id, from: id, relationship: number)
  }
}
