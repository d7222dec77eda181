// An export of a database reads some objects at a time, each page as a graph of its own. An import
// batch reads the objects of a page, and all objects that are written with them. `PageOrder` copies
// them into a graph in the order of their keys, which is also the order of unordered lists in a
// graph of the whole database. The export therefore writes the same text for both.

import Graft

/// Reads one snapshot of a database in pages of objects.
final class DatabasePages: ExportPages {
  /// A page ends once it has read this number of objects for each root that it may have, since
  /// lists may be long.
  private static let objectsPerRoot = 10

  private let connection: any DatabaseConnection
  private let schema: DatabaseSchema
  private let batch: DatabaseBatch
  private let transaction: GraphTransaction
  private let pageSize: Int
  let emptyGraph: Graph
  private var order: PageOrder
  /// The concrete entity that is being read, the key of its last object so far, and the reach of
  /// the export.
  private var reading: (entity: Int, last: RowKey?, reach: ExportReach)?
  /// The written objects of the entities whose objects the export does not repeat.
  private var written: Set<RowKey> = []

  init(_ database: GraphDatabase, pageSize: Int) throws(StoreError) {
    connection = try database.connect()
    schema = database.schema
    self.pageSize = pageSize
    try connection.execute("BEGIN")
    try schema.requireUnchanged(connection)
    emptyGraph = Graph(emptyOf: database.model)
    batch = DatabaseBatch(
      DatabaseStatements(connection, schema, makesIndexes: false), emptyGraph)
    transaction = batch.transaction
    order = PageOrder(schema, emptyGraph)
  }

  func end() {
    connection.rollback()
  }

  // MARK: Everything

  var isOrdered: Bool { schema.tables.allSatisfy(PageOrder.isKnown) }

  func readAll() throws -> Graph {
    var reader = GraphReader(connection, schema, into: emptyGraph)
    return try reader.readAllRows()
  }

  func hasObjects(of entity: Int) throws -> Bool { try hasRows(of: entity, nil) }

  func lacksIdentities(of entity: Int) throws -> Bool {
    let table = schema.table(of: entity)
    // A key has no nulls.
    guard table.isKeyedByNumber else { return false }
    return try hasRows(
      of: entity,
      table.identityColumns[entity].map { "\(SQL.quote($0.name)) IS NULL" }
        .joined(separator: " OR "))
  }

  private func hasRows(of entity: Int, _ condition: String?) throws(StoreError) -> Bool {
    let table = schema.table(of: entity)
    let conditions = [condition.map { "(\($0))" }, schema.condition(table, isOneOf: [entity])]
    return try connection.integer(
      "SELECT 1 FROM \(SQL.quote(table.name))\(SQL.whereAll(conditions)) LIMIT 1") != nil
  }

  // MARK: Pages

  func begin(_ entity: Int, _ reach: ExportReach) { reading = (entity, nil, reach) }

  func next() throws -> ExportPage? {
    guard let (entity, last, reach) = reading else { return nil }
    batch.reset()
    transaction.reset(to: emptyGraph)
    var roots: [ObjectID] = []
    var visited: [Visit: Int] = [:]
    for key in try keys(of: entity, after: last) {
      guard let root = try transaction.object(for: key, readingValues: true) else { continue }
      read(root, reach, &visited)
      try batch.check()
      roots.append(root)
      reading?.last = key
      if objectCount >= Self.objectsPerRoot * pageSize { break }
    }
    guard !roots.isEmpty else {
      reading = nil
      return nil
    }
    let graph = order.arrange(transaction, batch)
    return ExportPage(
      graph: graph, objects: roots.compactMap { order.place(of: $0) },
      written: written.isEmpty ? [] : order.objects.filter { written.contains(key(of: $0)) })
  }

  private func keys(of entity: Int, after last: RowKey?) throws(StoreError) -> [RowKey] {
    let table = schema.table(of: entity)
    let statement = try connection.prepare(
      table.page(
        of: table.keyColumns, where: [schema.condition(table, isOneOf: [entity])],
        isLater: last != nil, limit: pageSize))
    if let last { DatabaseStatements.bind(last, table.keyColumns, to: statement) }
    return try statement.readKeys(table.keyColumns, of: table.number)
  }

  func noteWritten(_ isWritten: (ObjectID) -> Bool) {
    guard let reach = reading?.reach else { return }
    for id in order.objects where reach.avoidsRepeating[id.entity] && isWritten(id) {
      written.insert(key(of: id))
    }
  }

  /// Returns the key of an object of the last page.
  private func key(of id: ObjectID) -> RowKey { batch.key(of: order.source(of: id)) }

  func original(of id: ObjectID) -> ObjectID {
    // Called once for each notice of a report.
    let table = schema.table(of: id.entity)
    let key = key(of: id)
    let isEarlier = "(\(SQL.list(table.keyNames))) < (\(SQL.parameters(table.key.count)))"
    let condition = SQL.whereAll([isEarlier, schema.condition(table, isOneOf: [id.entity])])
    guard
      let statement = try? connection.prepare(
        "SELECT count(*) FROM \(SQL.quote(table.name))\(condition)")
    else { return id }
    DatabaseStatements.bind(key, table.keyColumns, to: statement)
    guard (try? statement.next()) == true else { return id }
    defer { statement.reset() }
    return emptyGraph.storage.layout.objectID(
      entity: id.entity, row: Int(statement.word(0, .integer64)))
  }

  // MARK: Related objects

  /// An object that is written in full, and how it was reached.
  private struct Visit: Hashable {
    var object: ObjectID
    /// The relationship that leads back; nil for none.
    var inverse: Int?
  }

  /// The objects that the page holds.
  private var objectCount: Int {
    schema.model.entities.reduce(0) { $0 + transaction.rowCount($1.number) }
  }

  /// Reads an object and the objects that are written with it, level by level.
  ///
  /// - Parameters:
  ///   - root: The object.
  ///   - reach: The relationships that the export follows.
  ///   - visited: The objects that the page has already, and the level at which each was reached.
  private func read(_ root: ObjectID, _ reach: ExportReach, _ visited: inout [Visit: Int]) {
    // An object that cannot be referred to is written in full each time.
    guard reach.mayBeAnonymous[root.entity] || !isWritten(root, reach) else { return }
    var level = [Visit(object: root)]
    var depth = 0
    while !level.isEmpty {
      var next: [Visit] = []
      for visit in level {
        read(visit, isNesting: depth < reach.depth, reach) { target in
          // Nearer to an object of the page, more is nested in it.
          guard visited[target].map({ $0 > depth }) ?? true else { return }
          visited[target] = depth
          next.append(target)
        }
      }
      level = next
      depth += 1
    }
  }

  private func read(
    _ visit: Visit, isNesting: Bool, _ reach: ExportReach, _ nest: (Visit) -> Void
  ) {
    readLinks(of: visit.object)
    for number in reach.compared[visit.object.entity] {
      transaction.readTargets(of: visit.object, number)
    }
    for link in reach.links[visit.object.entity] {
      let leadsBack = link.number == visit.inverse
      if leadsBack, link.isLeftOutOnWayBack { continue }
      transaction.readTargets(of: visit.object, link.number)
      for target in transaction.tables.targets(visit.object, relationship: link.number) {
        if link.isNested, isNesting, !leadsBack, !isWritten(target, reach) {
          transaction.readValues(of: target)
          nest(Visit(object: target, inverse: link.inverse))
        } else {
          readReference(to: target, link, of: visit.object, reach)
        }
      }
    }
    var objects: [ObjectID?] = [visit.object]
    for shared in reach.shared[visit.object.entity] {
      let object = objects[shared.owner].flatMap {
        transaction.tables.toOne($0, relationship: shared.relationship)
      }
      objects.append(object)
      guard let object else { continue }
      transaction.readValues(of: object)
      readAllLinks(of: object)
      for link in reach.links[object.entity] {
        for target in transaction.tables.targets(object, relationship: link.number) {
          transaction.readValues(of: target)
          if link.isNested, isNesting { nest(Visit(object: target, inverse: link.inverse)) }
        }
      }
    }
  }

  private func readReference(
    to object: ObjectID, _ link: ExportReach.Link, of owner: ObjectID, _ reach: ExportReach
  ) {
    // A link of a stub is lost if it leads to another stub, which only the values tell.
    if link.isWrittenAsKey, !transaction.isStub(owner) { return }
    transaction.readValues(of: object)
    if reach.looksAtLinksOfReferences[object.entity] { readAllLinks(of: object) }
  }

  /// Reads the lists that an object owns.
  ///
  /// Lists from the other end may be long, and are read where they are written.
  private func readLinks(of object: ObjectID) {
    for (number, members) in schema.members[object.entity].enumerated() {
      if case .list? = members { transaction.readTargets(of: object, number) }
    }
  }

  private func readAllLinks(of object: ObjectID) {
    for number in schema.members[object.entity].indices {
      transaction.readTargets(of: object, number)
    }
  }

  private func isWritten(_ id: ObjectID, _ reach: ExportReach) -> Bool {
    reach.avoidsRepeating[id.entity] && !written.isEmpty && written.contains(batch.key(of: id))
  }
}
