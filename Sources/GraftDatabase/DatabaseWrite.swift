public import Graft

// A write uses a batch without a document: the closure's graph is a transaction that begins empty
// and reads objects from the database when it needs them, as an import does (`DatabaseBatch`). At
// its end the model is checked, and new and changed rows are written.

/// One write to a database.
struct DatabaseWrite {
  private let connection: any DatabaseConnection
  private let schema: DatabaseSchema
  private let batch: DatabaseBatch
  private let transaction: GraphTransaction

  init(_ database: GraphDatabase) throws(StoreError) {
    connection = try database.connect()
    schema = database.schema
    batch = DatabaseBatch(
      DatabaseStatements(connection, schema), Graph(emptyOf: database.model))
    transaction = batch.transaction
  }

  /// Calls a closure with the graph, and saves its changes.
  func run<R>(_ body: (MutableGraph) throws -> R) throws -> R {
    // Rows that refer to an object whose identity changes follow it.
    try connection.enforceForeignKeys()
    _ = try connection.begin()
    do {
      try schema.requireUnchanged(connection)
      try addForeignKeys()
      let mutable = MutableGraph(transaction)
      defer { mutable.end() }
      let result = try body(mutable)
      if let error = mutable.deferredError { throw error }
      try save()
      try connection.commit()
      return result
    } catch {
      connection.rollback()
      // If the database has failed, its error is the cause of the one that the closure threw.
      try batch.check()
      throw error
    }
  }

  /// Adds the foreign keys that a first import adds otherwise: links follow an object whose identity changes by them.
  private func addForeignKeys() throws(StoreError) {
    // A cluster needs none for that, and makes no index of a table once rows with foreign keys were written.
    guard connection.dialect.distribution == nil else { return }
    let keys = schema.foreignKeyStatements(
      connection.dialect, except: try connection.constraintNames())
    for statement in keys { try connection.execute(statement) }
  }

  private func save() throws(StoreError) {
    try batch.check()
    let previous = transaction.base
    let graph = try transaction.checked(values: true)
    try batch.check()
    guard graph.storage !== previous.storage else { return }
    var nextRowID = try schema.freeRowID(connection)
    batch.prepareWriting(graph, &nextRowID)
    let outcomes = ObjectOutcomes(entityCount: schema.model.entities.count)
    _ = try BatchWriter(batch.statements, batch.fetched, graph, outcomes, importNumber: 0).write()
    try ImportRecord.countCommit(connection, greatestRowID: nextRowID - 1)
  }
}

// The overloads of `write` are distinguished by whether the result of the closure is used.
// swift-format-ignore: AmbiguousTrailingClosureOverload
extension GraphDatabase {
  /// Changes objects: all that the closure does is saved at its end, in one transaction, or nothing.
  ///
  /// ```swift
  /// try database.write { graph in
  ///   let ada = try graph.findOrInsert("User", identifiedBy: ["id": .integer(3)])
  ///   ada["name"] = .string("Ada")
  ///   for tweet in try graph.objects("Tweet", where: "author = \(3)", limit: 100) { try tweet.delete() }
  /// }
  /// ```
  ///
  /// It is the graph of ``Graft/GraphStore/write(_:)``, with the same checks and delete rules.
  /// Objects are read from the database when they are looked up, or when a relationship leads to
  /// them. They stay in memory until the closure ends. So look objects up by their identity or by a
  /// condition: `objects(_:)` without one reads all rows of the entity.
  ///
  /// Other writers, including imports that save, wait until the closure returns; readers read the
  /// state before the write. The method blocks its thread while another one writes, up to the limit
  /// with which the database was opened.
  ///
  /// - Parameter body: Changes the graph. An error that it throws undoes everything.
  /// - Returns: The closure's result. An ``Graft/ObjectID`` is of no use outside; return
  ///   values, such as identities.
  /// - Throws: The closure's error; else ``Graft/StoreError`` as ``Graft/GraphStore/write(_:)``
  ///   does, and of the kind `database` where the database cannot be read or written.
  /// - Complexity: O(*n* log *N*) in the *n* objects that are read and written and the *N* rows of their tables.
  @discardableResult
  public func write<R: Sendable>(_ body: (MutableGraph) throws -> R) throws -> R {
    try DatabaseWrite(self).run(body)
  }

  /// Changes objects: all that the closure does is saved at its end, or nothing.
  ///
  /// - Parameter body: Changes the graph. An error that it throws undoes everything.
  /// - Throws: The closure's error, or ``Graft/StoreError``, as the method with a result does.
  @_disfavoredOverload
  @_documentation(visibility: internal)
  public func write(_ body: (MutableGraph) throws -> Void) throws {
    try DatabaseWrite(self).run(body)
  }

  /// Changes objects as the method that is not `async` does, and blocks no thread of Swift's concurrency while others
  /// write, or while the database works.
  ///
  /// - Parameter body: Changes the graph. An error that it throws undoes everything.
  /// - Returns: The closure's result.
  /// - Throws: The closure's error, or ``Graft/StoreError``.
  /// - Complexity: O(*n* log *N*) in the *n* objects that are read and written and the *N* rows of their tables.
  @concurrent
  @discardableResult
  public func write<R: Sendable>(
    _ body: @Sendable (MutableGraph) throws -> R
  ) async throws -> R {
    try await BlockingWork.run { try DatabaseWrite(self).run(body) }
  }

  /// Changes objects as the method that is not `async` does, and blocks no thread of Swift's concurrency.
  ///
  /// - Parameter body: Changes the graph. An error that it throws undoes everything.
  /// - Throws: The closure's error, or ``Graft/StoreError``.
  @concurrent
  @_disfavoredOverload
  @_documentation(visibility: internal)
  public func write(_ body: @Sendable (MutableGraph) throws -> Void) async throws {
    try await BlockingWork.run { try DatabaseWrite(self).run(body) }
  }
}

extension MutableGraph {
  /// Returns the objects of an entity that meet a condition, in a write to a ``GraftDatabase/GraphDatabase``.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; objects of the entities below it are found as well.
  ///   - condition: A condition that the objects met before this write. Objects that the write has
  ///     deleted are left out.
  ///   - order: The order in which they are returned.
  ///   - limit: The most objects to read; nil for all.
  /// - Returns: The objects.
  /// - Throws: ``Graft/StoreError`` for a name that the model lacks, a condition that cannot be
  ///   used, where the database cannot be read, and where the graph is one in memory.
  /// - Complexity: O(*n*) in the objects. An index finds them where there is one for the condition.
  public func objects(
    _ entity: String, where condition: DatabaseCondition<GraphObject>,
    orderedBy order: DatabaseOrder<GraphObject> = [], limit: Int? = nil
  ) throws(StoreError) -> [MutableGraphObject] {
    try objects(
      for: DatabaseQuery(
        entity: schema.entity(entity), condition: condition.form, order: order.keys, limit: limit))
  }

  func objects(for query: DatabaseQuery) throws(StoreError) -> [MutableGraphObject] {
    guard let rows = transaction.fetched?.source as? DatabaseRows else {
      throw StoreError(
        .invalidCondition,
        "a graph in memory takes no condition of a database; filter objects(_:) instead",
        entity: query.entity.name)
    }
    try transaction.fetched?.check()
    return try transaction.objects(for: query.keys(rows.statements), readingValues: true)
      .map { handle($0) }
  }

  /// Returns the objects of a typed entity that meet a condition, in a write to a ``GraftDatabase/GraphDatabase``.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of the entities below it are found as well.
  ///   - condition: A condition that the objects met before this write. Objects that the write has
  ///     deleted are left out.
  ///   - order: The order in which they are returned.
  ///   - limit: The most objects to read; nil for all.
  /// - Returns: The objects.
  /// - Throws: ``Graft/StoreError`` as the method for an entity's name.
  public func objects<E: Entity>(
    _ entity: E.Type, where condition: DatabaseCondition<E>, orderedBy order: DatabaseOrder<E> = [],
    limit: Int? = nil
  ) throws(StoreError) -> [MutableObject<E>] {
    guard let entity = schema.typedEntity(entity) else {
      throw StoreError(
        .unknownEntity,
        "the database's model was not made from the type \(E.self); open it with GraphDatabase(for: \(E.self).self, …),"
          + " or find the objects by the entity's name", entity: E.entityName)
    }
    return try objects(
      for: DatabaseQuery(
        entity: entity, condition: condition.form, order: order.keys, limit: limit)
    ).map { MutableObject(of: $0) }
  }
}
