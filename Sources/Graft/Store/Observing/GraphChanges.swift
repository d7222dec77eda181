/// What one commit changed, or several that an observer had not seen yet.
///
/// Objects are listed by entity and insertion. An object is in at most one of the lists: what was
/// inserted and changed is only inserted, what was inserted and deleted is in none.
public struct GraphChanges: Sendable {
  /// The graph after the changes.
  public let graph: Graph
  /// The graph before them, in which deleted objects can still be read.
  public let previous: Graph
  /// The objects that are new.
  public let inserted: [ObjectID]
  /// The objects that differ, and in what.
  public let updated: [ObjectUpdate]
  /// The objects that are gone.
  public let deleted: [ObjectID]

  init(_ difference: GraphDifference, from previous: Graph, to graph: Graph) {
    self.graph = graph
    self.previous = previous
    inserted = difference.inserted
    updated = difference.updated.map { ObjectUpdate($0, graph.schema) }
    deleted = difference.deleted
  }
}

/// An object that both graphs have, and the properties that differ.
public struct ObjectUpdate: Sendable, Hashable {
  private let difference: GraphDifference.Update
  private let schema: ModelSchema

  init(_ difference: GraphDifference.Update, _ schema: ModelSchema) {
    self.difference = difference
    self.schema = schema
  }

  /// The object.
  public var object: ObjectID { difference.object }

  /// Whether the object was a stub and has been filled.
  ///
  /// No property need have changed: what filled it may have said no more than its identity.
  public var isFilled: Bool { difference.changesStub }

  /// The names of the properties that differ: attributes and then relationships, each in the
  /// model's order.
  ///
  /// A relationship differs if it leads to other objects, or in another order; not if an object
  /// that it leads to has changed.
  ///
  /// - Complexity: O(*n*) in the number of names.
  public var properties: [String] {
    let entity = schema.entities[object.entity]
    return difference.attributes.map { entity.attributes[$0].name }
      + difference.relationships.map { entity.relationships[$0].name }
  }

  /// Returns whether two updates are of the same object and the same properties.
  ///
  /// - Parameters:
  ///   - lhs: An update.
  ///   - rhs: Another one.
  /// - Returns: Whether they are equal.
  public static func == (lhs: ObjectUpdate, rhs: ObjectUpdate) -> Bool {
    lhs.difference == rhs.difference
  }

  /// Feeds the object and the properties to a hasher.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(difference) }
}

extension ObjectUpdate: CustomStringConvertible {
  /// The entity and the names of what differs.
  public var description: String {
    "\(schema.entities[object.entity].name)/\(object.row + 1): "
      + properties.joined(separator: ", ")
  }
}
