public import Observation

// The query runs in a task of its own, outside the main actor, which receives only the result: a
// commit that changes much does not hold up the user interface. Commits that come while it runs are
// combined, so a query that is slower than the commits skips some, and always ends with the last.
//
// The task does not keep the observed objects alive, and is cancelled when they are released.

/// The objects of an entity, kept up to date on the main actor.
///
/// ```swift
/// let heroes = try ObservedObjects("Hero", in: store) { $0["isRetired"] == .boolean(false) }
/// List(heroes.objects) { Text($0.description) }
/// ```
///
/// It is observable: code that reads ``objects`` within `withObservationTracking`, as SwiftUI's
/// views do, is notified when they change. It follows the store until it is released.
@MainActor @Observable public final class ObservedObjects<Element: Sendable> {
  /// The objects, as of the last commit that touched the entity and has arrived.
  ///
  /// All are of one snapshot. A commit arrives soon after it is made, never synchronously.
  public private(set) var objects: [Element]

  @ObservationIgnored private var updates: Task<Void, Never>?

  /// Runs a query now, and again for each commit that touches an entity.
  ///
  /// - Parameters:
  ///   - entity: The entity of the query's objects; entities below it are included.
  ///   - store: The store, which is not kept alive.
  ///   - query: Finds the objects in a graph.
  init(
    _ entity: EntitySchema, in store: GraphStore,
    query: @escaping @Sendable (Graph) -> [Element]
  ) {
    let graph = store.graph
    objects = query(graph)
    let changes = GraphChangeSequence(store.publisher, since: graph, .entities(entity.family))
      .makeAsyncIterator()
    updates = Task.detached { [weak self] in
      var changes = changes
      while let graph = await changes.next()?.graph {
        let objects = query(graph)
        await self?.show(objects)
      }
    }
  }

  deinit { updates?.cancel() }

  private func show(_ objects: [Element]) { self.objects = objects }
}

extension ObservedObjects where Element == GraphObject {
  /// Observes objects of an entity.
  ///
  /// They are looked up again after each commit that inserted, changed or deleted an object of the
  /// entity. Changes of linked objects do not count.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; objects of its sub-entities are included.
  ///   - store: The store, which is not kept alive.
  ///   - isIncluded: Whether an object is wanted; nil for all.
  ///   - areInIncreasingOrder: Whether the first of two objects comes before the second; nil for
  ///     the order of entity and insertion.
  /// - Throws: ``StoreError`` if the model has no such entity.
  /// - Complexity: O(*n*) in the number of the entity's objects, now and for each such commit; then
  ///   outside the main actor.
  public convenience init(
    _ entity: String, in store: GraphStore,
    where isIncluded: (@Sendable (GraphObject) -> Bool)? = nil,
    sortedBy areInIncreasingOrder: (@Sendable (GraphObject, GraphObject) -> Bool)? = nil
  ) throws(StoreError) {
    let schema = try store.layout.model.schema.entity(entity)
    self.init(schema, in: store) { graph in
      let all = GraphObjects(graph: graph, entities: schema.family)
      let wanted = isIncluded.map { all.filter($0) } ?? Array(all)
      return areInIncreasingOrder.map { wanted.inOrder(by: $0) } ?? wanted
    }
  }
}

extension ObservedObjects {
  /// Observes objects of a typed entity.
  ///
  /// They are looked up again after each commit that inserted, changed or deleted an object of the
  /// entity. Changes of linked objects do not count.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of those below it are included.
  ///   - store: The store, which is not kept alive.
  ///   - isIncluded: Whether an object is wanted; nil for all.
  ///   - areInIncreasingOrder: Whether the first of two objects comes before the second; nil for
  ///     the order of entity and insertion.
  /// - Complexity: O(*n*) in the number of the entity's objects, now and for each such commit; then
  ///   outside the main actor.
  public convenience init<E: Entity>(
    _ entity: E.Type, in store: GraphStore,
    where isIncluded: (@Sendable (Object<E>) -> Bool)? = nil,
    sortedBy areInIncreasingOrder: (@Sendable (Object<E>, Object<E>) -> Bool)? = nil
  ) where Element == Object<E> {
    let schema = store.layout.model.schema.schema(of: entity)
    self.init(schema, in: store) { graph in
      let all = graph.objects(E.self)
      let wanted = isIncluded.map { all.filter($0) } ?? Array(all)
      return areInIncreasingOrder.map { wanted.inOrder(by: $0) } ?? wanted
    }
  }
}
