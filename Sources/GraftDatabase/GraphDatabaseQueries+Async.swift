public import Graft

// The reads of `GraphDatabase` for callers that must not block a thread: a thread of its own waits for the database,
// and ends the read there if the task is cancelled.

extension GraphDatabase {
  /// Reads the objects of an entity as a graph in memory, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; objects of the entities below it are read as well.
  ///   - condition: A condition that the objects meet; nil for all.
  ///   - order: The order of the objects; by default their keys decide.
  ///   - object: The object after which the first one comes in this order; nil for the beginning.
  ///   - limit: The most objects to read, not counting related ones; nil for all.
  ///   - relationships: The relationships whose objects are read too.
  /// - Returns: The graph.
  /// - Throws: ``Graft/StoreError`` as the form that blocks; `CancellationError` if the task is cancelled.
  public func graph(
    of entity: String, where condition: DatabaseCondition<GraphObject>? = nil,
    orderedBy order: DatabaseOrder<GraphObject> = [], after object: GraphObject? = nil,
    limit: Int? = nil, following relationships: [String] = []
  ) async throws -> Graph {
    try await fetch(query(entity, condition, order, object, limit, relationships)).graph
  }

  /// Reads the objects of an entity, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; objects of the entities below it are read as well.
  ///   - condition: A condition that the objects meet; nil for all.
  ///   - order: The order of the objects; by default their keys decide.
  ///   - object: The object after which the first one comes in this order; nil for the beginning.
  ///   - limit: The most objects to read, not counting related ones; nil for all.
  ///   - relationships: The relationships whose objects are read too.
  /// - Returns: The objects, of one graph.
  /// - Throws: ``Graft/StoreError`` as the form that blocks; `CancellationError` if the task is cancelled.
  public func objects(
    _ entity: String, where condition: DatabaseCondition<GraphObject>? = nil,
    orderedBy order: DatabaseOrder<GraphObject> = [], after object: GraphObject? = nil,
    limit: Int? = nil, following relationships: [String] = []
  ) async throws -> [GraphObject] {
    try await objects(of: fetch(query(entity, condition, order, object, limit, relationships)))
  }

  /// Reads the object with an identity, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; objects of its sub-entities are found as well.
  ///   - identity: A value for each of the entity's identity attributes, by name.
  ///   - relationships: The relationships whose objects are read too.
  /// - Returns: The object; nil if there is none.
  /// - Throws: ``Graft/StoreError`` as the form that blocks; `CancellationError` if the task is cancelled.
  public func object(
    _ entity: String, identifiedBy identity: [String: AttributeValue],
    following relationships: [String] = []
  ) async throws -> GraphObject? {
    let schema = try schema.model.entity(entity)
    let query = try DatabaseQuery(
      entity: schema, identity: schema.identityValues(identity), following: relationships)
    return try await objects(of: fetch(query)).first
  }

  /// Counts the objects of an entity that meet a condition, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - entity: The entity's name.
  ///   - condition: A condition that the objects meet; nil for all.
  ///   - includesSubentities: Whether objects of the entities below it are counted.
  /// - Returns: The number.
  /// - Throws: ``Graft/StoreError`` as the form that blocks; `CancellationError` if the task is cancelled.
  public func count(
    of entity: String, where condition: DatabaseCondition<GraphObject>? = nil,
    includesSubentities: Bool = true
  ) async throws -> Int {
    let entity = try schema.model.entity(entity)
    return try await inBackground { interruption in
      try self.count(entity, condition?.form, includesSubentities, interruption)
    }
  }

  /// Reads the rows that a query in SQL returns, without blocking the caller's thread.
  ///
  /// - Parameter query: The query; see ``GraftDatabase/DatabaseSQL``.
  /// - Returns: The rows, all in memory, of one state of the database.
  /// - Throws: ``Graft/StoreError`` as the form that blocks; `CancellationError` if the task is cancelled.
  public func rows(_ query: DatabaseSQL) async throws -> [DatabaseRow] {
    try await inBackground { interruption in try self.rows(query, interruption) }
  }

  /// Reads the whole database as a graph in memory, without blocking the caller's thread.
  ///
  /// - Returns: All objects. They are in the order of their keys.
  /// - Throws: ``Graft/StoreError`` where the database cannot be read; `CancellationError` if the task is cancelled.
  public func graph() async throws -> Graph {
    try await inBackground { interruption in try self.graph(interruption) }
  }

  func fetch(_ query: DatabaseQuery) async throws -> (graph: Graph, objects: [ObjectID]) {
    try await inBackground { interruption in try self.fetch(query, interruption) }
  }

  /// Runs a read on a thread that may wait, and ends it if the task is cancelled.
  @concurrent
  func inBackground<R: Sendable>(
    _ read: @escaping @Sendable (DatabaseInterruption) throws -> R
  ) async throws -> R {
    let interruption = DatabaseInterruption()
    return try await withTaskCancellationHandler {
      do {
        return try await BlockingWork.run { try read(interruption) }
      } catch {
        if interruption.isCalled { throw CancellationError() }
        throw error
      }
    } onCancel: {
      interruption.call()
    }
  }
}

extension GraphDatabase {
  /// Reads the objects of a typed entity as a graph in memory, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of the entities below it are read as well.
  ///   - condition: A condition that the objects meet; nil for all.
  ///   - order: The order of the objects; by default their keys decide.
  ///   - object: The object after which the first one comes in this order; nil for the beginning.
  ///   - limit: The most objects to read, not counting related ones; nil for all.
  ///   - relationships: The relationships whose objects are read too.
  /// - Returns: The graph.
  /// - Throws: ``Graft/StoreError`` as the form that blocks; `CancellationError` if the task is cancelled.
  public func graph<E: Entity>(
    of entity: E.Type, where condition: DatabaseCondition<E>? = nil,
    orderedBy order: DatabaseOrder<E> = [], after object: Object<E>? = nil, limit: Int? = nil,
    following relationships: PartialKeyPath<RelationshipPath<E>>...
  ) async throws -> Graph {
    try await fetch(query(entity, condition, order, object, limit, relationships)).graph
  }

  /// Reads the objects of a typed entity, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of the entities below it are read as well.
  ///   - condition: A condition that the objects meet; nil for all.
  ///   - order: The order of the objects; by default their keys decide.
  ///   - object: The object after which the first one comes in this order; nil for the beginning.
  ///   - limit: The most objects to read, not counting related ones; nil for all.
  ///   - relationships: The relationships whose objects are read too.
  /// - Returns: The objects, of one graph.
  /// - Throws: ``Graft/StoreError`` as the form that blocks; `CancellationError` if the task is cancelled.
  public func objects<E: Entity>(
    _ entity: E.Type, where condition: DatabaseCondition<E>? = nil,
    orderedBy order: DatabaseOrder<E> = [], after object: Object<E>? = nil, limit: Int? = nil,
    following relationships: PartialKeyPath<RelationshipPath<E>>...
  ) async throws -> [Object<E>] {
    try await objects(of: fetch(query(entity, condition, order, object, limit, relationships)))
      .compactMap { Object($0) }
  }

  /// Reads the object of a typed entity with an identity of one attribute, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of entities below it are found as well.
  ///   - identity: The value of its identity attribute.
  ///   - relationships: The relationships whose objects are read too.
  /// - Returns: The object; nil if there is none.
  /// - Throws: ``Graft/StoreError`` as the form that blocks; `CancellationError` if the task is cancelled.
  public func object<E: Entity>(
    _ entity: E.Type, id identity: some AttributeConvertible,
    following relationships: PartialKeyPath<RelationshipPath<E>>...
  ) async throws -> Object<E>? {
    let schema = try schema(of: entity)
    return try await object(
      schema, schema.soleIdentity { try type(of: identity).attributeCodec.encode(identity) },
      relationships)
  }

  /// Reads the object of a typed entity with an identity of several attributes, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of entities below it are found as well.
  ///   - identity: The key path of each of its identity attributes, and the value.
  ///   - relationships: The relationships whose objects are read too.
  /// - Returns: The object; nil if there is none.
  /// - Throws: ``Graft/StoreError`` as the form that blocks; `CancellationError` if the task is cancelled.
  public func object<E: Entity, each Value>(
    _ entity: E.Type,
    identifiedBy identity: repeat (KeyPath<E, Attribute<each Value>>, each Value),
    following relationships: PartialKeyPath<RelationshipPath<E>>...
  ) async throws -> Object<E>? {
    let schema = try schema(of: entity)
    return try await object(
      schema, schema.identity(of: entity, repeat each identity), relationships)
  }

  private func object<E: Entity>(
    _ entity: EntitySchema, _ identity: [String: AttributeValue],
    _ relationships: [PartialKeyPath<RelationshipPath<E>>]
  ) async throws -> Object<E>? {
    try await objects(of: fetch(query(entity, identity, relationships))).first.flatMap {
      Object($0)
    }
  }

  /// Counts the objects of a typed entity that meet a condition, without blocking the caller's thread.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - condition: A condition that the objects meet; nil for all.
  ///   - includesSubentities: Whether objects of the entities below it are counted.
  /// - Returns: The number.
  /// - Throws: ``Graft/StoreError`` as the form that blocks; `CancellationError` if the task is cancelled.
  public func count<E: Entity>(
    of entity: E.Type, where condition: DatabaseCondition<E>? = nil,
    includesSubentities: Bool = true
  ) async throws -> Int {
    let entity = try schema(of: entity)
    return try await inBackground { interruption in
      try self.count(entity, condition?.form, includesSubentities, interruption)
    }
  }
}
