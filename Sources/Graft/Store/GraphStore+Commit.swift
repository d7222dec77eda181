/// What a commit gave.
struct CommitResult {
  /// The graph that was published.
  var graph: Graph
  /// Objects that have another identifier than in the transaction, because the store had changed meanwhile.
  var remapping: [ObjectID: ObjectID] = [:]

  /// The identifier in the published graph.
  func current(_ id: ObjectID) -> ObjectID { remapping[id] ?? id }
}

extension GraphStore {
  /// Publishes the changes of a transaction, all or none; the transaction goes on from the published graph.
  ///
  /// - Throws: ``StoreError`` if an object lacks what the model requires; nothing is published then.
  func commit(_ transaction: GraphTransaction) throws -> CommitResult {
    try serially {
      try transaction.validate()
      let result = CommitResult(graph: transaction.freeze())
      publish(result.graph)
      return result
    }
  }
}
