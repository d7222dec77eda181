public import Graft

// Reading some of a database's objects: by names, and by types.

extension GraphDatabase {
  /// Reads the objects of an entity that meet a condition, and related objects, as a graph in memory.
  ///
  /// The objects come first in their entities, in their order. What they lead to is read where
  /// `relationships` name it. Otherwise only its identity is known: it is a fault
  /// (``Graft/GraphObject/isFault``), and reading anything else of it stops the program, with a
  /// message that says what to follow. The relationships of an object that was read are complete.
  /// The exception are to-many relationships whose objects hold the link (`User.tweets`, where
  /// `Tweet.author` is the column). Their number is unbounded, so they too must be followed to be
  /// read.
  ///
  /// ```swift
  /// let graph = try database.graph(
  ///   of: "Tweet", where: "retweets > \(100)", orderedBy: .reverse("postedAt"), limit: 20,
  ///   following: ["author", "hashtags"])
  /// ```
  ///
  /// - Parameters:
  ///   - entity: The entity's name; objects of the entities below it are read as well.
  ///   - condition: A condition that the objects meet; nil for all.
  ///   - order: The order of the objects; by default their keys decide.
  ///   - object: The object after which the first one comes in this order, such as the last of the page before;
  ///     nil for the beginning. It need not be in the database any more.
  ///   - limit: The most objects to read, not counting related ones; nil for all.
  ///   - relationships: The relationships whose objects are read too. A path such as `author.location` leads
  ///     through several.
  /// - Returns: The graph.
  /// - Throws: ``Graft/StoreError`` for a name that the model lacks, a condition that cannot be used, and where the
  ///   database cannot be read.
  /// - Complexity: O(*n*) in the objects and links that are read. An index finds the objects where there is one
  ///   for the condition; otherwise each row is looked at.
  public func graph(
    of entity: String, where condition: DatabaseCondition<GraphObject>? = nil,
    orderedBy order: DatabaseOrder<GraphObject> = [], after object: GraphObject? = nil,
    limit: Int? = nil, following relationships: [String] = []
  ) throws(StoreError) -> Graph {
    try fetch(query(entity, condition, order, object, limit, relationships)).graph
  }

  /// Reads the objects of an entity that meet a condition, with related objects in their graph.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; objects of the entities below it are read as well.
  ///   - condition: A condition that the objects meet; nil for all.
  ///   - order: The order of the objects; by default their keys decide.
  ///   - object: The object after which the first one comes in this order, such as the last of the page before;
  ///     nil for the beginning. It need not be in the database any more.
  ///   - limit: The most objects to read, not counting related ones; nil for all.
  ///   - relationships: The relationships whose objects are read too, as paths such as `author.location`.
  /// - Returns: The objects, of one graph, as that of the method `graph(of:)`.
  /// - Throws: ``Graft/StoreError`` for a name that the model lacks, a condition that cannot be used, and where the
  ///   database cannot be read.
  /// - Complexity: O(*n*) in the objects and links that are read.
  public func objects(
    _ entity: String, where condition: DatabaseCondition<GraphObject>? = nil,
    orderedBy order: DatabaseOrder<GraphObject> = [], after object: GraphObject? = nil,
    limit: Int? = nil, following relationships: [String] = []
  ) throws(StoreError) -> [GraphObject] {
    try objects(of: fetch(query(entity, condition, order, object, limit, relationships)))
  }

  /// Reads the object with an identity, with related objects in its graph.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; objects of its sub-entities are found as well.
  ///   - identity: A value for each of the entity's identity attributes, by name.
  ///   - relationships: The relationships whose objects are read too, as paths such as `author.location`.
  /// - Returns: The object; nil if there is none.
  /// - Throws: ``Graft/StoreError`` if the model has no such entity, the values are not its identity's, or the database
  ///   cannot be read.
  /// - Complexity: O(log *n*) in the rows.
  public func object(
    _ entity: String, identifiedBy identity: [String: AttributeValue],
    following relationships: [String] = []
  ) throws(StoreError) -> GraphObject? {
    let schema = try schema.model.entity(entity)
    let query = try DatabaseQuery(
      entity: schema, identity: schema.identityValues(identity), following: relationships)
    return try objects(of: fetch(query)).first
  }

  func fetch(
    _ query: DatabaseQuery, _ interruption: DatabaseInterruption? = nil
  ) throws(StoreError) -> (graph: Graph, objects: [ObjectID]) {
    try reading(interruption) { (statements) throws(StoreError) in
      try GraphFetch(statements, model, interruption).read(query)
    }
  }

  /// Returns the query for objects of an entity.
  func query(
    _ entity: String, _ condition: DatabaseCondition<GraphObject>?,
    _ order: DatabaseOrder<GraphObject>, _ previous: GraphObject?, _ limit: Int?,
    _ relationships: [String]
  ) throws(StoreError) -> DatabaseQuery {
    DatabaseQuery(
      entity: try schema.model.entity(entity), condition: condition?.form, order: order.keys,
      previous: previous, limit: limit, following: relationships)
  }

  /// Returns the objects that a query has found.
  func objects(of found: (graph: Graph, objects: [ObjectID])) -> [GraphObject] {
    found.objects.map { GraphObject(id: $0, graph: found.graph) }
  }
}

extension GraphDatabase {
  /// Reads the objects of a typed entity that meet a condition, and related objects, as a graph in memory.
  ///
  /// ```swift
  /// let graph = try database.graph(
  ///   of: Tweet.self, where: .attribute(\.retweets, in: 100...), orderedBy: .reverse(\.postedAt), limit: 20,
  ///   following: \.author, \.replies.author)
  /// ```
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of the entities below it are read as well.
  ///   - condition: A condition that the objects meet; nil for all.
  ///   - order: The order of the objects; by default their keys decide.
  ///   - object: The object after which the first one comes in this order, such as the last of the page before;
  ///     nil for the beginning. It need not be in the database any more.
  ///   - limit: The most objects to read, not counting related ones; nil for all.
  ///   - relationships: The relationships whose objects are read too, as key paths of any length, such as
  ///     `\.author` and `\.replies.author`. All others lead to faults.
  /// - Returns: The graph, in which what was not read is a fault.
  /// - Throws: ``Graft/StoreError`` for a type that the model was not made from, a condition that
  ///   cannot be used, and where the database cannot be read.
  /// - Complexity: O(*n*) in the objects and links that are read.
  public func graph<E: Entity>(
    of entity: E.Type, where condition: DatabaseCondition<E>? = nil,
    orderedBy order: DatabaseOrder<E> = [], after object: Object<E>? = nil, limit: Int? = nil,
    following relationships: PartialKeyPath<RelationshipPath<E>>...
  ) throws(StoreError) -> Graph {
    try fetch(query(entity, condition, order, object, limit, relationships)).graph
  }

  /// Reads the objects of a typed entity that meet a condition, with related objects in their graph.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of the entities below it are read as well.
  ///   - condition: A condition that the objects meet; nil for all.
  ///   - order: The order of the objects; by default their keys decide.
  ///   - object: The object after which the first one comes in this order, such as the last of the page before;
  ///     nil for the beginning. It need not be in the database any more.
  ///   - limit: The most objects to read, not counting related ones; nil for all.
  ///   - relationships: The relationships whose objects are read too, as key paths of any length, such as
  ///     `\.author` and `\.replies.author`. All others lead to faults.
  /// - Returns: The objects, of one graph.
  /// - Throws: ``Graft/StoreError`` for a type that the model was not made from, a condition that
  ///   cannot be used, and where the database cannot be read.
  /// - Complexity: O(*n*) in the objects and links that are read.
  public func objects<E: Entity>(
    _ entity: E.Type, where condition: DatabaseCondition<E>? = nil,
    orderedBy order: DatabaseOrder<E> = [], after object: Object<E>? = nil, limit: Int? = nil,
    following relationships: PartialKeyPath<RelationshipPath<E>>...
  ) throws(StoreError) -> [Object<E>] {
    try objects(of: fetch(query(entity, condition, order, object, limit, relationships)))
      .compactMap { Object($0) }
  }

  /// Reads the object of a typed entity with an identity of one attribute.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of entities below it are found as well.
  ///   - identity: The value of its identity attribute.
  ///   - relationships: The relationships whose objects are read too, as key paths of any length, such as
  ///     `\.author` and `\.replies.author`. All others lead to faults.
  /// - Returns: The object; nil if there is none.
  /// - Throws: ``Graft/StoreError`` if the model was not made from the entity, its identity is not
  ///   one attribute of this type, or the database cannot be read.
  /// - Complexity: O(log *n*) in the rows.
  public func object<E: Entity>(
    _ entity: E.Type, id identity: some AttributeConvertible,
    following relationships: PartialKeyPath<RelationshipPath<E>>...
  ) throws(StoreError) -> Object<E>? {
    let schema = try schema(of: entity)
    return try object(
      schema, schema.soleIdentity { try type(of: identity).attributeCodec.encode(identity) },
      relationships)
  }

  /// Reads the object of a typed entity with an identity of several attributes.
  ///
  /// ```swift
  /// let seat = try database.object(Seat.self, identifiedBy: (\.row, "F"), (\.number, 12))
  /// ```
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of entities below it are found as well.
  ///   - identity: The key path of each of its identity attributes, and the value.
  ///   - relationships: The relationships whose objects are read too, as key paths of any length.
  /// - Returns: The object; nil if there is none.
  /// - Throws: ``Graft/StoreError`` if the model was not made from the entity, the key paths are not
  ///   those of its identity, or the database cannot be read.
  /// - Complexity: O(log *n*) in the rows.
  public func object<E: Entity, each Value>(
    _ entity: E.Type,
    identifiedBy identity: repeat (KeyPath<E, Attribute<each Value>>, each Value),
    following relationships: PartialKeyPath<RelationshipPath<E>>...
  ) throws(StoreError) -> Object<E>? {
    let schema = try schema(of: entity)
    return try object(schema, schema.identity(of: entity, repeat each identity), relationships)
  }

  private func object<E: Entity>(
    _ entity: EntitySchema, _ identity: [String: AttributeValue],
    _ relationships: [PartialKeyPath<RelationshipPath<E>>]
  ) throws(StoreError) -> Object<E>? {
    try objects(of: fetch(query(entity, identity, relationships))).first.flatMap { Object($0) }
  }

  /// Returns the query for objects of a typed entity.
  func query<E: Entity>(
    _ entity: E.Type, _ condition: DatabaseCondition<E>?, _ order: DatabaseOrder<E>,
    _ previous: Object<E>?, _ limit: Int?, _ relationships: [PartialKeyPath<RelationshipPath<E>>]
  ) throws(StoreError) -> DatabaseQuery {
    DatabaseQuery(
      entity: try schema(of: entity), condition: condition?.form, order: order.keys,
      previous: previous.map { GraphObject($0) }, limit: limit,
      following: RelationshipPath.names(relationships), isTyped: true)
  }

  /// Returns the query for the object of a typed entity with an identity.
  func query<E: Entity>(
    _ entity: EntitySchema, _ identity: [String: AttributeValue],
    _ relationships: [PartialKeyPath<RelationshipPath<E>>]
  ) throws(StoreError) -> DatabaseQuery {
    DatabaseQuery(
      entity: entity, identity: try entity.identityValues(identity),
      following: RelationshipPath.names(relationships), isTyped: true)
  }
}

// Counting.
extension GraphDatabase {
  /// Counts the objects of an entity that meet a condition.
  ///
  /// - Parameters:
  ///   - entity: The entity's name.
  ///   - condition: A condition that the objects meet; nil for all.
  ///   - includesSubentities: Whether objects of the entities below it are counted.
  /// - Returns: The number.
  /// - Throws: ``Graft/StoreError`` if the model has no such entity, for a condition that cannot be used, and where the
  ///   database cannot be read.
  /// - Complexity: O(*n*) in the rows of the table, unless an index finds them.
  public func count(
    of entity: String, where condition: DatabaseCondition<GraphObject>? = nil,
    includesSubentities: Bool = true
  ) throws(StoreError) -> Int {
    try count(schema.model.entity(entity), condition?.form, includesSubentities)
  }

  /// Counts the objects of a typed entity that meet a condition.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - condition: A condition that the objects meet; nil for all.
  ///   - includesSubentities: Whether objects of the entities below it are counted.
  /// - Returns: The number.
  /// - Throws: ``Graft/StoreError`` for a condition that cannot be used, and where the database cannot be read.
  /// - Complexity: O(*n*) in the rows of the table, unless an index finds them.
  public func count<E: Entity>(
    of entity: E.Type, where condition: DatabaseCondition<E>? = nil,
    includesSubentities: Bool = true
  ) throws(StoreError) -> Int {
    try count(schema(of: entity), condition?.form, includesSubentities)
  }

  func count(
    _ entity: EntitySchema, _ condition: ConditionForm?, _ includesSubentities: Bool,
    _ interruption: DatabaseInterruption? = nil
  ) throws(StoreError) -> Int {
    try reading(interruption) { (statements) throws(StoreError) in
      try DatabaseQuery(entity: entity, condition: condition)
        .count(statements, includesSubentities ? entity.family : [entity.number])
    }
  }
}
