import Graft

/// Copies the objects of a page into a graph in the order of their keys.
struct PageOrder {
  private let schema: DatabaseSchema
  private let empty: Graph
  private let transaction: GraphTransaction
  /// The batch's object for each object of the page, by entity and row.
  private var sources: [[ObjectID]]
  /// The page's object for each object of the batch, by entity and row.
  private var places: [[ObjectID]] = []

  init(_ schema: DatabaseSchema, _ empty: Graph) {
    self.schema = schema
    self.empty = empty
    transaction = GraphTransaction(base: empty)
    sources = schema.model.entities.map { _ in [] }
  }

  /// Returns whether keys of a table can be put into the order that databases have them in.
  ///
  /// Databases keep dates and decimals in forms of their own, and order them by these.
  static func isKnown(_ table: DatabaseSchema.Table) -> Bool {
    table.keyColumns.allSatisfy { column in
      switch column.type {
      case .integer16, .integer32, .integer64, .boolean, .double, .float, .string, .uri, .uuid,
        .binary:
        true
      case .decimal, .date, .transformable: false
      }
    }
  }

  /// The objects of the page.
  var objects: [ObjectID] {
    sources.indices.flatMap { entity in
      sources[entity].indices.map { empty.storage.layout.objectID(entity: entity, row: $0) }
    }
  }

  /// Returns the batch's object for an object of the page.
  func source(of id: ObjectID) -> ObjectID { sources[id.entity][id.row] }

  /// Returns the page's object for an object of the batch.
  func place(of source: ObjectID) -> ObjectID? {
    source.row < places[source.entity].count ? places[source.entity][source.row] : nil
  }

  /// Makes a graph of the objects of a batch.
  ///
  /// - Parameters:
  ///   - page: The transaction that holds the batch.
  ///   - batch: The batch.
  /// - Returns: The graph.
  mutating func arrange(_ page: GraphTransaction, _ batch: DatabaseBatch) -> Graph {
    transaction.reset(to: empty)
    places = schema.model.entities.map { _ in [] }
    for entity in schema.model.entities { insert(entity, page, batch) }
    for entity in sources {
      for source in entity where !batch.state(of: source).contains(.unread) { link(source, page) }
    }
    return transaction.freeze()
  }

  private mutating func insert(
    _ entity: EntitySchema, _ page: GraphTransaction, _ batch: DatabaseBatch
  ) {
    let number = entity.number
    let order = sorted(entity, page, batch)
    sources[number] = order
    places[number] = order
    for source in order {
      let id = page.withIdentity(of: source) {
        transaction.insert(entity: number, identity: $0, stub: page.isStub(source))
      }
      places[number][source.row] = id
      if batch.state(of: source).contains(.unread) { continue }
      for attribute in entity.attributes.indices where !entity.identity.contains(attribute) {
        _ = transaction.set(id, attribute: attribute, page.value(source, attribute: attribute))
      }
    }
  }

  /// Returns the objects of an entity in the order of their keys.
  private func sorted(
    _ entity: EntitySchema, _ page: GraphTransaction, _ batch: DatabaseBatch
  ) -> [ObjectID] {
    let table = schema.table(of: entity.number)
    let ids = (0..<page.rowCount(entity.number)).map {
      page.layout.objectID(entity: entity.number, row: $0)
    }
    if table.isKeyedByNumber {
      return ids.sorted { (batch.rowID(of: $0) ?? 0) < (batch.rowID(of: $1) ?? 0) }
    }
    return ids.sorted { first, second in
      for (attribute, column) in zip(entity.identity, table.keyColumns) {
        let (first, second) = (
          page.value(first, attribute: attribute), page.value(second, attribute: attribute)
        )
        if first.precedes(second, column.type) { return true }
        if second.precedes(first, column.type) { return false }
      }
      return false
    }
  }

  private func link(_ source: ObjectID, _ page: GraphTransaction) {
    guard let id = place(of: source) else { return }
    for (number, relationship) in schema.model.entities[source.entity].relationships.enumerated() {
      if relationship.isToMany {
        let members = page.tables.toMany(source, relationship: number)
        if !members.isEmpty { transaction.link(id, number, toAll: members.compactMap(place)) }
      } else if let target = page.tables.toOne(source, relationship: number).flatMap(place) {
        transaction.link(id, number, to: target)
      }
    }
  }
}

extension RawValue {
  /// Returns whether the value comes before another one in the order of a database.
  fileprivate func precedes(_ other: RawValue, _ type: AttributeType) -> Bool {
    switch type {
    case .double, .float: return double < other.double
    default:
      guard hasBytes else { return integer < other.integer }
      return bytes.lexicographicallyPrecedes(other.bytes)
    }
  }
}
