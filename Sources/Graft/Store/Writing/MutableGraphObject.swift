/// An object in a graph that is being written; see ``GraphStore/write(_:)``.
///
/// It reads what has been written so far, and is valid as long as its graph. What is read of an
/// object that has been deleted in the same write, or under a wrong name, is nil or empty, and
/// `write` throws the error at its end.
public struct MutableGraphObject: Identifiable {
  /// The object's identifier, the same in the graph that is published.
  public let id: ObjectID
  let graph: MutableGraph

  init(id: ObjectID, graph: MutableGraph) {
    self.id = id
    self.graph = graph
  }

  /// The name of the object's entity; of a sub-entity's object, the sub-entity.
  public var entityName: String { schema.name }

  /// Whether the object has been deleted in this write.
  public var isDeleted: Bool { !graph.transaction.contains(id) }

  /// Whether nothing but the object's identity is known so far.
  ///
  /// Setting an attribute ends that, whatever the value: the object must then have all that the
  /// model requires. Linking it does not.
  public var isStub: Bool {
    graph.noting(false) { () throws(StoreError) in
      try graph.checkExists(id)
      return graph.transaction.isStub(id)
    }
  }

  var schema: EntitySchema { graph.schema.entities[id.entity] }

  /// Deletes the object, and what its delete rules take along.
  ///
  /// - Throws: ``StoreError`` if a relationship with the rule ``DeleteRule/deny`` leads to an object
  ///   that stays; nothing is deleted then.
  public func delete() throws(StoreError) { try graph.delete(self) }
}

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
  /// The entity and the attributes that have a value, long ones cut.
  public var description: String {
    let transaction = graph.transaction
    guard transaction.contains(id) else { return "\(entityName)/\(id.row + 1), deleted" }
    let values = schema.attributes.enumerated().compactMap { number, attribute in
      AttributeValue(transaction.value(id, attribute: number), type: attribute.type)
        .map { "\(attribute.name): \($0.shortText)" }
    }
    return "\(entityName)(\(values.joined(separator: ", ")))"
  }
}
