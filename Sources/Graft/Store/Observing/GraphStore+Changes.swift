extension GraphStore {
  /// The changes of the store from now on: one element per commit, whoever made it; an import with
  /// incremental saves makes one per save.
  ///
  /// ```swift
  /// let graph = store.graph
  /// show(graph)
  /// for await changes in store.changes(since: graph) {
  ///   update(changes.inserted, changes.updated, changes.deleted, in: changes.graph)
  /// }
  /// ```
  ///
  /// Observing begins when the sequence is made, not when it is read. What is committed between the
  /// two arrives as one element, and so does what is committed faster than it is read: beyond a
  /// few, commits are laid together. Nothing is missed, and no memory but that of a few graphs is
  /// held.
  ///
  /// A writer does not wait for observers; each finds the changes on its own time, beside its
  /// actor. Without observers nothing is looked for.
  public var changes: GraphChangeSequence { GraphChangeSequence(board, since: nil, .everything) }

  /// The changes of the store since a graph; see ``changes``.
  ///
  /// - Parameter graph: A snapshot of this store: what has been committed after it arrives first.
  /// - Returns: The changes.
  public func changes(since graph: Graph) -> GraphChangeSequence {
    GraphChangeSequence(board, since: graph, .everything)
  }

  /// The changes of an entity's objects; see ``changes``.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; objects of its sub-entities are included.
  ///   - graph: A snapshot of this store that has been seen already; nil for the current one.
  /// - Returns: The changes that touch such an object, and of each only those.
  /// - Throws: ``StoreError`` if the model has no such entity.
  public func changes(
    of entity: String, since graph: Graph? = nil
  ) throws(StoreError) -> GraphChangeSequence {
    let entity = try layout.model.schema.entity(entity)
    return GraphChangeSequence(board, since: graph, .entities(entity.family))
  }

  /// The changes of one object; see ``changes``.
  ///
  /// The sequence ends with the object's deletion, and at once if it is deleted already.
  ///
  /// - Parameters:
  ///   - object: The object's identifier, from this store.
  ///   - graph: A snapshot of this store that has been seen already; nil for the current one.
  /// - Returns: The changes that touch the object.
  public func changes(of object: ObjectID, since graph: Graph? = nil) -> GraphChangeSequence {
    GraphChangeSequence(board, since: graph, .object(object))
  }
}
