// The model's requirements are checked in the row groups that the transaction wrote; all other
// groups were valid before. With bitmaps, 64 rows at once are checked for missing attributes. Stubs
// are exempt until an object fills them.

/// Checks before a commit that the objects are as the model requires.
package struct ModelCheck {
  /// The failures that one error lists; more are only counted.
  static let failureLimit = 20

  private let transaction: GraphTransaction
  /// Knows the objects that were only read; nil if there are none.
  private let unchanged: FetchedObjects?
  private var failures: [ValidationFailure] = []
  private var failureCount = 0

  /// Checks required properties and the bounds of relationships, of all objects in written groups.
  ///
  /// - Parameters:
  ///   - transaction: The transaction to commit.
  ///   - checkingValues: Whether values that were written must obey the model's bounds and patterns
  ///     as well. An import checks values itself, according to its options; a value that it let
  ///     pass stays until a write changes it.
  /// - Throws: ``StoreError`` with code `invalidObjects`.
  package static func run(
    on transaction: GraphTransaction, checkingValues: Bool
  ) throws(StoreError) {
    // An object that a write has only read from a database is not the write's fault.
    let unchanged = checkingValues ? transaction.fetched : nil
    var check = ModelCheck(transaction, unchanged)
    for entity in 0..<transaction.layout.entityCount {
      let table = transaction.tables.mergedTable(entity)
      for owned in table.owned {
        check.checkRequiredAttributes(table, owned)
        check.checkRelationships(entity, table, owned)
        if checkingValues { check.checkValues(entity, table, owned) }
      }
    }
    try check.throwIfFailed()
  }

  private init(_ transaction: GraphTransaction, _ unchanged: FetchedObjects?) {
    self.transaction = transaction
    self.unchanged = unchanged
  }

  private mutating func checkRequiredAttributes(
    _ table: WorkingTable, _ owned: WorkingTable.OwnedGroup
  ) {
    let shape = table.shape
    let group = owned.group.pointer
    for (attribute, column) in shape.attributes.enumerated() where column.isRequired {
      for word in 0..<shape.wordCount {
        for row in Bits(group.filledRows(word, shape) & ~group.bits(word, at: column.validity)) {
          add(owned.object(word * 64 + row, shape), attribute: attribute) {
            "is required and has no value; give it one, or make the attribute optional"
          }
        }
      }
    }
  }

  private mutating func checkRelationships(
    _ entity: Int, _ table: WorkingTable, _ owned: WorkingTable.OwnedGroup
  ) {
    let shape = table.shape
    let group = owned.group.pointer
    for (number, relationship) in transaction.schema.entities[entity].relationships.enumerated()
    where relationship.isBounded {
      let column = shape.relationships[number]
      for word in 0..<shape.wordCount {
        for row in Bits(group.filledRows(word, shape)) {
          let local = word * 64 + row
          let count =
            column.isToMany
            ? group.list(local, column).count
            : (group.toOne(local, column) == 0 ? 0 : 1)
          if relationship.allows(count) { continue }
          add(owned.object(local, shape), relationship: number) {
            relationship.violation(with: count)
          }
        }
      }
    }
  }

  /// Checks the values that differ from the base.
  private mutating func checkValues(
    _ entity: Int, _ table: WorkingTable, _ owned: WorkingTable.OwnedGroup
  ) {
    let shape = table.shape
    let new = owned.group.pointer
    let old = table.baseGroup(owned.number)
    for (number, rules) in transaction.layout.valueRules[entity] {
      let column = shape.attributes[number]
      for word in 0..<shape.wordCount {
        let rows = new.bits(word, at: TableShape.liveBits) & new.bits(word, at: column.validity)
        for row in Bits(rows) {
          let local = word * 64 + row
          let value = new.value(local, column)
          if let old, old.isLive(local), old.holds(value, local, column) { continue }
          guard let violation = rules.violation(of: value) else { continue }
          let type = transaction.schema.entities[entity].attributes[number].type
          add(owned.object(local, shape), attribute: number) {
            "is \(AttributeValue(value, type: type)?.shortText ?? "nil"): \(violation)"
          }
        }
      }
    }
  }
}

extension ModelCheck {
  private mutating func add(
    _ id: ObjectID, attribute number: Int, _ violation: () -> String
  ) {
    if let unchanged, unchanged.isUnchanged(id) { return }
    add(id, transaction.schema.entities[id.entity].attributes[number].name, violation)
  }

  private mutating func add(
    _ id: ObjectID, relationship number: Int, _ violation: () -> String
  ) {
    add(id, transaction.schema.entities[id.entity].relationships[number].name, violation)
  }

  private mutating func add(_ id: ObjectID, _ property: String, _ violation: () -> String) {
    failureCount += 1
    if failures.count < Self.failureLimit { append(id, property, violation()) }
  }

  @inline(never)
  private mutating func append(_ id: ObjectID, _ property: String, _ violation: String) {
    failures.append(
      ValidationFailure(
        object: id, entity: transaction.schema.entities[id.entity].name, property: property,
        description: "\(transaction.describe(id)): \"\(property)\" \(violation)"))
  }

  private func throwIfFailed() throws(StoreError) {
    guard let first = failures.first else { return }
    let others = failureCount > 1 ? " (and \(failureCount - 1) more)" : ""
    throw StoreError(
      .invalidObjects, first.description + others, entity: first.entity, property: first.property,
      failures: failures)
  }
}

extension WorkingTable.OwnedGroup {
  /// Returns the object in a row of the group.
  fileprivate func object(_ row: Int, _ shape: TableShape) -> ObjectID {
    shape.objectID(number << shape.shift + row)
  }
}

extension GroupPointer {
  /// Returns the rows, among 64, that have an object and not only a stub.
  fileprivate func filledRows(_ word: Int, _ shape: TableShape) -> UInt64 {
    bits(word, at: TableShape.liveBits) & ~bits(word, at: shape.stubBits)
  }
}

extension RelationshipSchema {
  /// Whether the model limits how many objects the relationship leads to.
  package var isBounded: Bool {
    !isOptional || isToMany && (minimumCount > 0 || maximumCount > 0)
  }

  /// Returns whether a relationship may have a number of objects; an optional one may always be
  /// empty.
  fileprivate func allows(_ count: Int) -> Bool {
    if count == 0 { return isOptional }
    guard isToMany else { return true }
    return count >= minimumCount && (maximumCount == 0 || count <= maximumCount)
  }

  fileprivate func violation(with count: Int) -> String {
    if count == 0 {
      return "is required and leads to no object; link one, or make the relationship optional"
    }
    let least = minimumCount > 0 ? "at least \(minimumCount)" : nil
    let most = maximumCount > 0 ? "at most \(maximumCount)" : nil
    let bounds = [least, most].compactMap(\.self).joined(separator: " and ")
    return
      "leads to \(count) \(count == 1 ? "object" : "objects"), where the model asks for \(bounds)"
  }
}
