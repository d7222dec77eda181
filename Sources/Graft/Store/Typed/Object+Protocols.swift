extension Object: Identifiable {
  /// What tells the object from others: the value of the entity's attribute `id` if it has one,
  /// and else the ``objectID``.
  @inlinable public var id: E.IDProperty.Value {
    if let attribute = type.prototype.id as? Attribute<E.IDProperty.Value> {
      return value(of: attribute)
    }
    if let id = objectID as? E.IDProperty.Value { return id }
    preconditionFailure("an IdentifyingProperty is an Attribute or ObjectIDProperty")
  }
}

extension Object: Hashable {
  /// Returns whether two handles are on the same object in the same snapshot.
  ///
  /// - Parameters:
  ///   - lhs: A handle.
  ///   - rhs: Another handle.
  /// - Returns: Whether they are equal.
  public static func == (lhs: Object, rhs: Object) -> Bool {
    lhs.objectID == rhs.objectID && lhs.graph.storage === rhs.graph.storage
  }

  /// Feeds the object's identifier to a hasher.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(objectID) }
}

// Not CustomStringConvertible: its `description` would hide an attribute of that name, which is a
// frequent one. Printing an object, or interpolating it, comes here as well.
extension Object: CustomDebugStringConvertible {
  /// The entity and the attributes that have a value, long ones cut.
  public var debugDescription: String { GraphObject(self).description }
}

extension GraphObject {
  /// Creates the handle that reads the same object by names.
  ///
  /// - Parameter object: A typed handle.
  public init<E: Entity>(_ object: Object<E>) {
    self.init(id: object.objectID, graph: object.graph)
  }
}

extension Object {
  /// Creates the typed handle on an object; nil if the object is not of the entity, nor of one
  /// below it.
  ///
  /// - Parameter object: A handle that reads by names.
  /// - Precondition: The graph's model was made from the entity.
  public init?(_ object: GraphObject) {
    self.init(object.id, of: object.graph)
  }

  /// Returns the same object as one of another entity: of one below, to read what only that has, or
  /// of one above.
  ///
  /// - Parameter entity: The other entity.
  /// - Returns: The handle; nil if the object is not of that entity.
  /// - Precondition: The graph's model was made from the entity.
  public func `as`<Other: Entity>(_ entity: Other.Type) -> Object<Other>? {
    Object<Other>(objectID, of: graph)
  }

  private init?(_ id: ObjectID, of graph: Graph) {
    guard graph.schema.number(of: E.self).family.contains(id.entity) else { return nil }
    self.init(id, in: graph, as: .shared)
  }
}
