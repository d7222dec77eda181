extension GraphStore {
  /// The changes of an entity's objects; see ``changes``.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of those below it are included.
  ///   - graph: A snapshot of this store that has been seen already; nil for the current one.
  /// - Returns: The changes that touch such an object, and of each only those.
  /// - Precondition: The model was made from the entity, as `GraphStore(for:)` does.
  public func changes<E: Entity>(
    of entity: E.Type, since graph: Graph? = nil
  ) -> GraphChangeSequence {
    GraphChangeSequence(
      board, since: graph, .entities(layout.model.schema.number(of: entity).family))
  }

  /// The changes of one object; see ``changes``.
  ///
  /// - Parameter object: A handle, whose snapshot is what has been seen already.
  /// - Returns: The changes that touch the object.
  public func changes<E: Entity>(of object: Object<E>) -> GraphChangeSequence {
    changes(of: object.objectID, since: object.graph)
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

  /// Returns the objects of an entity that are gone.
  ///
  /// - Parameter entity: The entity; objects of those below it are included.
  /// - Returns: The objects, in the graph before the changes.
  public func deleted<E: Entity>(_ entity: E.Type) -> [Object<E>] {
    deleted.compactMap { previous.object($0, as: entity) }
  }
}

extension ObservedObjects {
  /// Observes objects of a typed entity.
  ///
  /// The objects are looked for anew after each commit that inserted, changed or deleted an object
  /// of the entity; changes of objects that they are linked to do not count.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of those below it are included.
  ///   - store: The store, which is not kept alive.
  ///   - isIncluded: Whether an object is wanted; nil for all.
  ///   - areInIncreasingOrder: Whether the first of two objects comes before the second; nil for the
  ///     order of entity and insertion.
  /// - Precondition: The model was made from the entity, as `GraphStore(for:)` does.
  /// - Complexity: O(*n*) in the number of the entity's objects, now and for each such commit; then
  ///   beside the main actor.
  public convenience init<E: Entity>(
    _ entity: E.Type, in store: GraphStore,
    where isIncluded: (@Sendable (Object<E>) -> Bool)? = nil,
    sortedBy areInIncreasingOrder: (@Sendable (Object<E>, Object<E>) -> Bool)? = nil
  ) where Element == Object<E> {
    let schema = store.layout.model.schema.number(of: entity)
    self.init(schema, in: store) { graph in
      let all = graph.objects(E.self)
      let wanted = isIncluded.map { all.filter($0) } ?? Array(all)
      return areInIncreasingOrder.map { wanted.sorted(by: $0) } ?? wanted
    }
  }
}
