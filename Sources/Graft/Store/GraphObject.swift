/// A handle on one object in one snapshot.
///
/// It reads straight from the snapshot's columns; making or copying one costs a reference count.
///
/// An unknown name of a property is a programming error, which stops the process with a message
/// that lists the known names. Look names that come from outside your code up in ``Graph/model``
/// first.
///
/// Two handles are equal if they are on the same object and the object has the same content in both
/// snapshots. So a set or a view changes only with commits that change its objects.
public struct GraphObject: Sendable, Identifiable {
  /// The object's identifier, the same in all snapshots.
  public let id: ObjectID
  /// The snapshot that the object is read from.
  public let graph: Graph

  /// - Precondition: The graph contains the object.
  package init(id: ObjectID, graph: Graph) {
    self.id = id
    self.graph = graph
  }

  /// The name of the object's entity; for an object of a sub-entity, the sub-entity's name.
  public var entityName: String { schema.name }

  /// Whether only the object's identity is known so far.
  ///
  /// - Precondition: The object is not a fault, but its content in the database was not read.
  public var isStub: Bool { graph.isStub(id) }

  /// Whether only the object's identity was read from a database.
  ///
  /// A link leads to such an object, and no `following:` names the link.
  ///
  /// Reading anything else of it stops the program, and nothing is fetched behind your back.
  public var isFault: Bool { !graph.isRead(id) }

  var schema: EntitySchema { graph.schema.entities[id.entity] }

  /// Returns the value of an attribute.
  ///
  /// - Parameter attribute: The attribute's name.
  /// - Returns: The value; nil if there is none.
  /// - Precondition: The entity has the attribute.
  public func value(_ attribute: String) -> AttributeValue? {
    let entity = schema
    guard let number = entity.attributeNumber(named: attribute) else {
      misuse(entity.unknownAttribute(attribute).message)
    }
    return AttributeValue(graph.value(id, attribute: number), type: entity.attributes[number].type)
  }

  /// The value of an attribute; nil if there is none.
  ///
  /// - Parameter attribute: The attribute's name.
  /// - Precondition: The entity has the attribute.
  public subscript(_ attribute: String) -> AttributeValue? { value(attribute) }

  /// Returns the object that a to-one relationship leads to.
  ///
  /// - Parameter relationship: The relationship's name.
  /// - Returns: The object; nil if there is none.
  /// - Precondition: The entity has the relationship, and it is to-one.
  public func object(_ relationship: String) -> GraphObject? {
    let number = numberOf(relationship, isToMany: false)
    return graph.toOne(id, relationship: number).map { GraphObject(id: $0, graph: graph) }
  }

  /// Returns the objects that a to-many relationship leads to.
  ///
  /// - Parameter relationship: The relationship's name.
  /// - Returns: The objects: in the relationship's order, or by entity and insertion if it has
  ///   none.
  /// - Precondition: The entity has the relationship, and it is to-many.
  /// - Complexity: O(*n*) in the number of objects.
  public func objects(_ relationship: String) -> [GraphObject] {
    let number = numberOf(relationship, isToMany: true)
    return graph.withToMany(id, relationship: number) { members in
      members.map { GraphObject(id: $0, graph: graph) }
    }
  }

  /// Returns the number of a relationship; stops the program if the entity has no such relationship.
  func numberOf(_ relationship: String, isToMany: Bool) -> Int {
    let entity = schema
    guard let number = entity.relationshipNumber(named: relationship) else {
      misuse(entity.unknownRelationship(relationship).message)
    }
    let remedy = isToMany ? "to-one: use object(_:)" : "to-many: use objects(_:)"
    guard entity.relationships[number].isToMany == isToMany else {
      misuse("the relationship \"\(relationship)\" of \(entity.name) is \(remedy)")
    }
    return number
  }
}

extension GraphObject: Hashable {
  /// Returns whether two handles are on the same object with the same content, in whichever
  /// snapshots of one store.
  ///
  /// The content is the values of the attributes, the objects that the relationships lead to, in
  /// their order, and whether the object is a stub. Two handles are unequal exactly if
  /// ``GraphStore/changes`` would list the object as updated. The content of linked objects does
  /// not count.
  ///
  /// - Parameters:
  ///   - lhs: A handle.
  ///   - rhs: Another handle.
  /// - Returns: Whether they are equal.
  /// - Complexity: O(1) in one snapshot, and where nothing near the object was written between the
  ///   two; else O(*n*) in the size of the object.
  public static func == (lhs: GraphObject, rhs: GraphObject) -> Bool {
    lhs.id == rhs.id && lhs.graph.isSame(lhs.id, in: rhs.graph)
  }

  /// Feeds the object's identifier to a hasher.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension GraphObject: CustomStringConvertible {
  /// The entity and the attributes that have a value, long values shortened; of a fault its identity.
  public var description: String {
    guard isFault else { return schema.description { graph.value(id, attribute: $0) } }
    return schema.description(remark: "not read") { attribute in
      schema.identity.contains(attribute) ? graph.value(id, attribute: attribute) : .null
    }
  }
}

extension EntitySchema {
  /// Returns the description of an object: the entity, the attributes that have a value, and a remark.
  func description(
    remark: String? = nil, _ value: (_ attribute: Int) -> RawValue
  ) -> String {
    let values = attributes.enumerated().compactMap { number, attribute in
      AttributeValue(value(number), type: attribute.type)
        .map { "\(attribute.name): \($0.shortText)" }
    }
    return "\(name)(\((values + (remark.map { [$0] } ?? [])).joined(separator: ", ")))"
  }
}
