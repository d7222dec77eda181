/// What a commit gave.
struct CommitResult {
  /// The graph that was published.
  var graph: Graph
  /// Objects that have another identifier than in the transaction, because the store had changed
  /// meanwhile.
  var remapping: [ObjectID: ObjectID] = [:]

  /// The identifier in the published graph.
  func current(_ id: ObjectID) -> ObjectID { remapping[id] ?? id }
}

extension GraphStore {
  /// Publishes the changes of a transaction, all or none; the transaction goes on from the
  /// published graph.
  ///
  /// If the store has changed since the transaction began, the changes are laid onto the current
  /// graph; see Rebase.swift.
  ///
  /// - Throws: ``StoreError`` if an object lacks what the model requires, or the changes do not go
  ///   with what has been committed meanwhile; nothing is published then, and the transaction is as
  ///   it was.
  func commit(_ transaction: GraphTransaction) throws(StoreError) -> CommitResult {
    precondition(transaction.layout === layout, "the transaction is another store's")
    return try serially { () throws(StoreError) in
      let graph = self.graph
      if graph.storage === transaction.base.storage {
        transaction.clearLinksToNowhere()
        guard transaction.isChanged else { return CommitResult(graph: graph) }
        try transaction.validate()
        return publish(transaction.freeze(), [:])
      }
      let rebase = try Rebase(transaction, onto: graph)
      rebase.target.clearLinksToNowhere()
      try rebase.target.validate()
      let result = publish(rebase.target.freeze(), rebase.remapping)
      transaction.reset(to: result.graph)
      return result
    }
  }

  private func publish(_ graph: Graph, _ remapping: [ObjectID: ObjectID]) -> CommitResult {
    publish(graph)
    return CommitResult(graph: graph, remapping: remapping)
  }
}
