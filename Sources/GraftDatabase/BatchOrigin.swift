import Graft

/// The rows, lists and object states that a batch read from the database.
///
/// The changes of the batch are relative to them.
struct BatchOrigin {
  let schema: DatabaseSchema
  let rows: RowLog
  let fetched: FetchedObjects

  /// Returns whether the batch knew all members of a list: it was read, or its owner is new.
  func isKnown(_ id: ObjectID, _ relationship: Int) -> Bool {
    !fetched.state(of: id).contains(.stored) || fetched.lists.hasRead(relationship, of: id)
  }

  /// Builds a graph of the rows that were read; each object keeps the identifier that it has in the
  /// batch.
  ///
  /// - Parameters:
  ///   - batch: The batch as it is now.
  ///   - rowCounts: By entity, how many rows the batch has.
  ///   - empty: An empty graph of the same store.
  /// - Returns: The objects that the database had; one of which only the key was read is a stub.
  func graph(of batch: Graph, rowCounts: [Int], in empty: Graph) -> Graph {
    var base = BaseGraph(self, GraphTransaction(base: empty))
    base.insertObjects(of: batch, rowCounts)
    base.fillRows()
    base.fillLists()
    return base.freeze()
  }
}

/// Builds the graph of a ``BatchOrigin``.
private struct BaseGraph: ~Copyable {
  private let origin: BatchOrigin
  private let transaction: GraphTransaction
  /// The objects by their `_id`, by table.
  private var objectsByRow: [[Int64: ObjectID]]
  /// The identifiers of objects that the batch has inserted.
  private var unused: [ObjectID] = []
  private var row = RowBuffer()

  init(_ origin: BatchOrigin, _ transaction: GraphTransaction) {
    self.origin = origin
    self.transaction = transaction
    objectsByRow = origin.schema.tables.map { _ in [:] }
  }

  private var schema: DatabaseSchema { origin.schema }

  /// Inserts each object with the identity that it had, and a placeholder for each object whose row was not read.
  mutating func insertObjects(of batch: Graph, _ rowCounts: [Int]) {
    var numbers: [ObjectID: Int] = [:]
    for number in 0..<origin.rows.count { numbers[origin.rows.object(number)] = number }
    let replacements = Set(origin.fetched.promotions.values)
    for entity in schema.model.entities.indices {
      for row in 0..<rowCounts[entity] {
        let id = transaction.layout.objectID(entity: entity, row: row)
        if let number = numbers[id] {
          insert(id, row: number)
        } else if origin.fetched.state(of: id).contains(.stored), !replacements.contains(id) {
          let identity = schema.model.entities[entity].identity
          insert(id, identity.map { OwnedValue(orNil: batch.value(id, attribute: $0)) })
        } else {
          insertUnused(entity)
        }
      }
    }
  }

  private mutating func insert(_ id: ObjectID, row number: Int) {
    origin.rows.copy(number, to: &row)
    insert(
      id,
      row.withValues(schema.layouts[id.entity].identity) { $0.map { OwnedValue(orNil: $0) } })
  }

  private mutating func insert(_ id: ObjectID, _ identity: [OwnedValue?]) {
    let known = identity.compactMap { $0 }
    let isHeld = OwnedValue.withRawValues(known[...]) { values in
      let isComplete = known.count == identity.count
      if isComplete, !known.isEmpty, transaction.held(identityOf: id.entity, values) != nil {
        return true
      }
      _ =
        isComplete
        ? transaction.insert(entity: id.entity, identity: values, stub: true)
        : [RawValue]().withBorrowed {
          transaction.insert(entity: id.entity, identity: $0, stub: true)
        }
      return false
    }
    // The rows were read at two times, between which one object has got the identity of another.
    if isHeld { return insertUnused(id.entity) }
    if let number = origin.fetched.number(of: id) {
      objectsByRow[schema.tableNumbers[id.entity]][number] = id
    }
  }

  private mutating func insertUnused(_ entity: Int) {
    unused.append([RawValue]().withBorrowed { transaction.insert(entity: entity, identity: $0) })
  }

  /// Writes the values of the rows, and their links.
  mutating func fillRows() {
    for number in 0..<origin.rows.count {
      let id = origin.rows.object(number)
      guard !isUnused(id) else { continue }
      let layout = schema.layouts[id.entity]
      origin.rows.copy(number, to: &row)
      row.withAll { transaction.write($0, layout, to: id) }
      for (relationship, columns) in layout.references.enumerated()
      where !columns.isEmpty {
        let destination = schema.model.entities[id.entity].relationships[relationship].destination
        let key = row.withValues(columns) { $0.compactMap { OwnedValue(orNil: $0) } }
        guard key.count == columns.count,
          let target = object(key, of: destination)
        else { continue }
        transaction.link(id, relationship, to: target)
      }
    }
  }

  private func isUnused(_ id: ObjectID) -> Bool {
    // Sorted, since they were inserted by entity and row.
    var range = unused[...]
    while let middle = range.indices.isEmpty ? nil : range.startIndex + range.count / 2 {
      if range[middle] == id { return true }
      range = range[middle] < id ? range[(middle + 1)...] : range[..<middle]
    }
    return false
  }

  private func object(_ key: [OwnedValue], of entity: Int) -> ObjectID? {
    let table = schema.table(of: entity)
    return OwnedValue.withRawValues(key[...]) { key in
      table.isKeyedByNumber
        ? objectsByRow[table.number][key[0].integer]
        : transaction.held(identityOf: table.entities[0], key)
    }
  }

  /// Writes the lists that were read.
  mutating func fillLists() {
    let stubs = Dictionary(
      origin.fetched.promotions.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    for list in origin.fetched.lists.all {
      let owner = stubs[list.owner] ?? list.owner
      guard !isUnused(owner) else { continue }
      transaction.link(owner, list.relationship, toAll: list.members.filter { !isUnused($0) })
    }
  }

  func freeze() -> Graph {
    transaction.remove(unused)
    return transaction.freeze()
  }
}

extension OwnedValue {
  /// - Parameter value: The value; nil results where it is null.
  fileprivate init?(orNil value: RawValue) {
    if value.isNull { return nil }
    self.init(value)
  }
}
