/// What a commit gave.
struct CommitResult {
  /// The graph that was published.
  var graph: Graph
  /// Objects that have another identifier than in the transaction, because the store had changed
  /// meanwhile.
  var remapping: [ObjectID: ObjectID] = [:]
  /// Whether the store had changed meanwhile, so that the graph holds what others have written.
  var isRebased = false

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
        return CommitResult(graph: try publish(transaction))
      }
      let rebase = try Rebase(transaction, onto: graph)
      let result = CommitResult(
        graph: try publish(rebase.target), remapping: rebase.remapping, isRebased: true)
      transaction.reset(to: result.graph)
      return result
    }
  }

  /// Publishes a transaction whose base is the current graph; within `serially`.
  ///
  /// - Parameters:
  ///   - transaction: The transaction, which goes on from the published graph.
  ///   - checkingValues: Whether what was written is held to the bounds and patterns of the model;
  ///     an import has done that already, as its options say.
  /// - Returns: The current graph; no new one if nothing was written.
  /// - Throws: ``StoreError`` if an object is not as the model requires; nothing is published then.
  func publish(
    _ transaction: GraphTransaction, checkingValues: Bool = false
  ) throws(StoreError) -> Graph {
    transaction.clearLinksToNowhere()
    guard transaction.isChanged else { return transaction.base }
    try transaction.validate(checkingValues: checkingValues)
    let graph = transaction.freeze()
    board.publish(graph)
    return graph
  }
}
