import Graft

/// Reads objects, and the objects that they lead to, into a graph in memory.
///
/// The rows are read by an import batch, which inserts them into a transaction together with the
/// identities of the objects that they lead to. The graph knows which rows and lists were not read
/// (`UnreadRows`).
struct GraphFetch {
  /// A tree of the relationships to follow.
  private struct Branch {
    /// The number of the relationship in each entity: sub-entities may have one that others lack.
    var relationships: [(name: String, numbers: [Int: Int], branch: Branch)] = []
  }

  private let statements: DatabaseStatements
  private let transaction: GraphTransaction
  private let batch: DatabaseBatch
  private let interruption: DatabaseInterruption?
  private var schema: DatabaseSchema { statements.schema }

  init(
    _ statements: DatabaseStatements, _ model: GraphModel, _ interruption: DatabaseInterruption?
  ) {
    self.statements = statements
    self.interruption = interruption
    batch = DatabaseBatch(statements, Graph(emptyOf: model))
    transaction = batch.transaction
  }

  /// Reads the objects of a query.
  ///
  /// - Returns: The graph, and the objects that the query found, in its order.
  /// - Throws: ``Graft/StoreError``.
  func read(_ query: DatabaseQuery) throws(StoreError) -> (graph: Graph, objects: [ObjectID]) {
    var branch = Branch()
    for path in query.following {
      try add(
        path.split(separator: ".", omittingEmptySubsequences: false)[...], query.entity.family,
        &branch)
    }
    // One statement sees one state of the database by itself.
    if !isOneStatement(query) { try statements.connection.execute("BEGIN") }
    defer { statements.connection.rollback() }
    let objects = try find(query)
    for object in objects { read(object) }
    var followed = [UnreadRows.Followed(path: [], objects: objects)]
    follow(branch, &followed)
    try batch.check()
    try interruption?.check()
    return (transaction.freeze().lacking(UnreadRows(batch, query, followed)), objects)
  }

  /// Finds the objects of a query.
  private func find(_ query: DatabaseQuery) throws(StoreError) -> [ObjectID] {
    guard let identity = query.identity else {
      // The objects come before their values, which lead to others: so they are first in the graph, in their order.
      return try transaction.objects(for: query.keys(statements), readingValues: false)
    }
    let values = zip(query.entity.identity, identity).compactMap { attribute, value in
      value.withRawValue(for: query.entity.attributes[attribute].type) { OwnedValue($0) }
    }
    guard !values.isEmpty, values.count == identity.count else { return [] }
    let object = OwnedValue.withRawValues(values[...]) {
      transaction.find(identityOf: query.entity.number, $0)
    }
    try batch.check()
    return object.map { query.entity.family.contains($0.entity) ? [$0] : [] } ?? []
  }

  /// Returns whether a query reads one row and no list.
  private func isOneStatement(_ query: DatabaseQuery) -> Bool {
    guard query.identity != nil, query.following.isEmpty else { return false }
    return query.entity.family.allSatisfy { entity in
      schema.members[entity].allSatisfy { members in
        switch members {
        case nil, .inverseOfReference: true
        case .list, .inverseOfList: false
        }
      }
    }
  }

  private func add(
    _ path: ArraySlice<Substring>, _ entities: [Int], _ branch: inout Branch
  ) throws(StoreError) {
    guard let name = path.first.map(String.init) else { return }
    var numbers: [Int: Int] = [:]
    var destinations: Set<Int> = []
    for entity in entities.map({ schema.model.entities[$0] }) {
      guard let number = entity.relationshipNumber(named: name) else { continue }
      numbers[entity.number] = number
      destinations.formUnion(
        schema.model.entities[entity.relationships[number].destination].family)
    }
    guard !numbers.isEmpty else {
      throw schema.model.entities[entities[0]].unknownRelationship(name)
    }
    let index =
      branch.relationships.firstIndex { $0.name == name } ?? branch.relationships.count
    if index == branch.relationships.count {
      branch.relationships.append((name, numbers, Branch()))
    }
    try add(path.dropFirst(), destinations.sorted(), &branch.relationships[index].branch)
  }

  /// Reads an object's values and links, and the identities of the objects that it leads to.
  private func read(_ object: ObjectID) {
    if interruption?.isCalled == true { return }
    transaction.readValues(of: object)
    for (number, members) in schema.members[object.entity].enumerated() {
      switch members {
      case .list?, .inverseOfList?: transaction.readTargets(of: object, number)
      // These lists are unbounded; they are read where they are followed.
      case .inverseOfReference?, nil: break
      }
    }
  }

  /// Follows a branch from the objects that were read last.
  private func follow(_ branch: Branch, _ followed: inout [UnreadRows.Followed]) {
    guard let start = followed.last else { return }
    for (name, numbers, next) in branch.relationships {
      var targets: [ObjectID] = []
      var seen: Set<ObjectID> = []
      for object in start.objects {
        guard let number = numbers[object.entity] else { continue }
        transaction.readTargets(of: object, number)
        for target in transaction.tables.targets(object, relationship: number)
        where seen.insert(target).inserted {
          targets.append(target)
        }
      }
      for target in targets { read(target) }
      followed.append(UnreadRows.Followed(path: start.path + [name], objects: targets))
      follow(next, &followed)
    }
  }
}
