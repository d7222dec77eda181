/// Two graphs that follow one another, and what differs between them.
///
/// All observers of a commit share it. The first that asks for an entity has its table compared,
/// on its own time: a writer never waits for that.
final class GraphCommit: Sendable {
  let previous: Graph
  let graph: Graph
  /// What has been found so far, by entity number.
  private let found = Guarded<[Int: GraphDifference]>([:])

  init(from previous: Graph, to graph: Graph) {
    self.previous = previous
    self.graph = graph
  }

  /// What is to be told to an observer of a part of the graph; nil if that is nothing.
  ///
  /// Runs beside the caller's actor, because an import may have changed much.
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

  /// What became of one object, which is seen without a comparison of the others.
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

/// The part of a graph that an observer is told of.
enum ChangeScope: Sendable {
  case everything
  /// Ascending.
  case entities([Int])
  case object(ObjectID)
}
