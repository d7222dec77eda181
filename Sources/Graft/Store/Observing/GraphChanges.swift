/// The changes of one commit, or of several that an observer received together.
///
/// Objects are listed by entity and insertion. An object is in at most one of the lists. If it was
/// inserted and changed, it is in `inserted` only; if it was inserted and deleted, it is in no
/// list.
public struct GraphChanges: Sendable {
  /// The graph after the changes.
  public let graph: Graph
  /// The graph before them, in which deleted objects can still be read.
  public let previous: Graph
  /// The new objects.
  public let inserted: [ObjectID]
  /// The updated objects, each with its changed properties.
  public let updated: [ObjectUpdate]
  /// The deleted objects.
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
  /// Its properties may be unchanged: the object that filled it may have had only its identity.
  public var isFilled: Bool { difference.changesStub }

  /// The names of the properties that differ: attributes and then relationships, each in the
  /// model's order.
  ///
  /// A relationship differs if it leads to other objects, or to the same in another order; not if
  /// an object that it leads to has changed.
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
  /// The entity and the names of the changed properties.
  public var description: String {
    "\(schema.entities[object.entity].name)/\(object.row + 1): "
      + properties.joined(separator: ", ")
  }
}

extension GraphChanges {
  /// Returns the objects of an entity that are new.
  ///
  /// - Parameter entity: The entity; objects of those below it are included.
  /// - Returns: The objects, in the graph after the changes.
  public func inserted<E: Entity>(_ entity: E.Type) -> [Object<E>] {
    inserted.compactMap { graph.object($0, as: entity) }
  }

  /// Returns the objects of an entity that differ.
  ///
  /// - Parameter entity: The entity; objects of those below it are included.
  /// - Returns: The objects, in the graph after the changes.
  public func updated<E: Entity>(_ entity: E.Type) -> [Object<E>] {
    updated.compactMap { graph.object($0.object, as: entity) }
  }

  /// Returns the objects of an entity that were deleted.
  ///
  /// - Parameter entity: The entity; objects of those below it are included.
  /// - Returns: The objects, in the graph before the changes.
  public func deleted<E: Entity>(_ entity: E.Type) -> [Object<E>] {
    deleted.compactMap { previous.object($0, as: entity) }
  }
}

/// Two successive graphs, and their differences.
///
/// All observers of a commit share it. The first observer that asks for an entity compares the
/// entity's tables, in its own time: a writer never waits for that.
final class GraphCommit: Sendable {
  let previous: Graph
  let graph: Graph
  /// The differences found so far, by entity number.
  private let found = Guarded([Int: GraphDifference]())

  init(from previous: Graph, to graph: Graph) {
    self.previous = previous
    self.graph = graph
  }

  /// Returns the changes in a part of the graph; nil if there are none.
  ///
  /// Runs outside the caller's actor, because an import may have changed much.
  @concurrent func changes(in scope: ChangeScope) async -> GraphChanges? {
    let difference =
      switch scope {
      case .everything: difference(of: Array(0..<graph.storage.layout.entityCount))
      case .entities(let entities): difference(of: entities)
      case .object(let id): difference(of: id)
      }
    return difference.isEmpty ? nil : GraphChanges(difference, from: previous, to: graph)
  }

  private func difference(of entities: [Int]) -> GraphDifference {
    found.withLock { found in
      var result = GraphDifference()
      for entity in entities {
        let part = found[entity] ?? GraphDifference(of: entity, from: previous, to: graph)
        found[entity] = part
        result.append(part)
      }
      return result
    }
  }

  /// Returns the change of one object, found without comparing others.
  private func difference(of id: ObjectID) -> GraphDifference {
    var result = GraphDifference()
    switch (previous.contains(id), graph.contains(id)) {
    case (false, false): break
    case (false, true): result.inserted = [id]
    case (true, false): result.deleted = [id]
    case (true, true):
      let (old, new) = (previous.place(of: id), graph.place(of: id))
      let comparison = GroupComparison(entity: id.entity, shape: new.shape)
      result.updated = comparison.update(id, new.row, old.group, new.group).map { [$0] } ?? []
    }
    return result
  }
}

/// The part of a graph that is observed.
enum ChangeScope: Sendable {
  case everything
  /// Ascending.
  case entities([Int])
  case object(ObjectID)
}
