// Applies the requirements of a changed model to objects that are already stored. If the new model has
//
//   severity: Integer, required, default 3
//
// the objects without a severity get 3, as a new object would. Without a default there is no value
// to give them, and the change is refused. Stubs are exempt until an object fills them.

import Graft

/// Fills attributes that a changed model requires, or refuses the change.
struct RequiredValues {
  /// A column of a table of the next model, by their numbers.
  struct Place: Hashable {
    var table: Int
    var column: Int
  }

  private let connection: any DatabaseConnection
  private let match: SchemaMatch
  private let added: Set<Place>
  private let refuse: (String) -> StoreError

  private var new: DatabaseSchema { match.new }

  /// - Parameters:
  ///   - connection: A connection in a transaction, with the tables of the next model.
  ///   - match: The tables and columns that both schemas have.
  ///   - added: The columns that were added, so that no row has a value.
  ///   - refuse: Makes the error for rows that lack a required value.
  init(
    _ connection: any DatabaseConnection, _ match: SchemaMatch, added: Set<Place>,
    refuse: @escaping (String) -> StoreError
  ) {
    self.connection = connection
    self.match = match
    self.added = added
    self.refuse = refuse
  }

  /// Fills and checks all tables.
  ///
  /// - Throws: ``Graft/StoreError`` of the kind `database`, also for objects that lack a required value.
  func settle() throws(StoreError) {
    for table in new.tables {
      for number in table.entities {
        let entity = new.model.entities[number]
        let above = entity.superentity.map { new.model.entities[$0] }
        for attribute in (above?.attributes.count ?? 0)..<entity.attributes.count {
          try settle(attribute, of: entity, in: table)
        }
        for relationship in (above?.relationships.count ?? 0)..<entity.relationships.count
        where entity.relationships[relationship].isBounded {
          try check(relationship, of: entity, in: table)
        }
      }
    }
  }

  private func settle(
    _ number: Int, of entity: EntitySchema, in table: DatabaseSchema.Table
  ) throws(StoreError) {
    let attribute = entity.attributes[number]
    let position = table.attributes[entity.number][number]
    // The objects of a table keyed by its identity have all of it.
    guard !table.key.contains(position) else { return }
    let column = SQL.quote(table.columns[position].name)
    func isOneOf(_ members: [Member]) -> String {
      new.condition(table, isOneOf: members.map(\.entity))
    }
    let isAdded = added.contains(Place(table: table.number, column: position))
    let members = members(of: entity, attribute, isAdded: isAdded)
    // A column that another entity kept may have values from a time when these entities had the attribute.
    let isShared = match.match(of: table)?.columns[position] != nil
    let fresh = members.filter { isShared && $0.isNew }
    if !fresh.isEmpty {
      try set(column, to: attribute.defaultValue, attribute.type, of: table, [isOneOf(fresh)])
    }
    // A stub has only defaults, and takes those of the new model.
    let differing = members.filter {
      $0.isNew
        ? !isShared
        : $0.before?.defaultValue != attribute.defaultValue
          || $0.before?.type != attribute.type
    }
    if !differing.isEmpty, !isAdded || attribute.defaultValue != nil {
      let isStub = "\(SQL.quote(table.columns[table.stubColumn].name)) IS NOT NULL"
      try set(
        column, to: attribute.defaultValue, attribute.type, of: table, [isStub, isOneOf(differing)])
    }
    let lacking = members.filter { $0.isNew || !attribute.isOptional && !$0.wasRequired(attribute) }
    guard !lacking.isEmpty else { return }
    let isEmpty = ["\(column) IS NULL", isOneOf(lacking)]
    if attribute.defaultValue != nil {
      try set(column, to: attribute.defaultValue, attribute.type, of: table, isEmpty)
    } else if !attribute.isOptional {
      let isFilled = "\(SQL.quote(table.columns[table.stubColumn].name)) IS NULL"
      let keys = try keys(of: table, SQL.whereAll(isEmpty + [isFilled]))
      guard !keys.isEmpty else { return }
      throw refuse(
        "has \(keys.count) objects of \"\(entity.name)\" without \"\(attribute.name)\", which the model now requires:"
          + " \(table.describe(keys)); give the attribute a default, make it optional, or give these objects a value"
          + " before")
    }
  }

  /// An entity that has an attribute, with the attribute as it was.
  private struct Member {
    let entity: Int
    let before: AttributeSchema?

    /// Whether objects of the entity did not have the attribute; a sibling may have had one in the same column.
    var isNew: Bool { before == nil }

    func wasRequired(_ attribute: AttributeSchema) -> Bool {
      before.map { !$0.isOptional && $0.type == attribute.type } ?? false
    }
  }

  /// Returns the entities with objects that have an attribute next: an entity and those below it.
  private func members(
    of entity: EntitySchema, _ attribute: AttributeSchema, isAdded: Bool
  ) -> [Member] {
    entity.family.compactMap { number in
      let before = match.renamed.entityNumbers[new.model.entities[number].name]
      // An entity that the current model lacks may have a table of an earlier model, whose values it keeps.
      guard before != nil || isAdded else { return nil }
      return Member(
        entity: number,
        before: before.flatMap { before in
          match.renamed.entities[before].attributes.first { $0.name == attribute.name }
        })
    }
  }

  private func set(
    _ column: String, to value: AttributeValue?, _ type: AttributeType,
    of table: DatabaseSchema.Table, _ conditions: [String]
  ) throws(StoreError) {
    let update = try connection.prepare(
      "UPDATE \(SQL.quote(table.name)) SET \(column) = $1\(SQL.whereAll(conditions))")
    let isBound: Void? = value?.withRawValue(for: type) {
      DatabaseStatements.bind($0, type, to: update, 0)
    }
    if isBound == nil { update.bindNull(0) }
    try update.run()
  }

  /// Returns the condition that rows belong to an entity or its sub-entities, and are no stubs.
  private func rows(of entity: EntitySchema, in table: DatabaseSchema.Table) -> String {
    let isFilled = "\(SQL.quote(table.columns[table.stubColumn].name)) IS NULL"
    return isFilled + new.condition(table, isOneOf: entity.family, after: " AND ")
  }

  private func keys(
    of table: DatabaseSchema.Table, _ condition: String
  ) throws(StoreError) -> [RowKey] {
    try connection.prepare(
      "SELECT \(SQL.list(table.keyNames)) FROM \(SQL.quote(table.name)) AS o\(condition)"
        + " ORDER BY \(SQL.list(table.keyNames))"
    ).readKeys(table.keyColumns, of: table.number)
  }

  /// Refuses objects that lead to fewer or more others than the model now allows.
  private func check(
    _ number: Int, of entity: EntitySchema, in table: DatabaseSchema.Table
  ) throws(StoreError) {
    let relationship = entity.relationships[number]
    if let origin = match.origin(of: number, of: entity.number) {
      let before = match.renamed.entities[origin.entity].relationships[origin.number]
      if before.isOptional == relationship.isOptional,
        before.minimumCount == relationship.minimumCount,
        before.maximumCount == relationship.maximumCount,
        before.isToMany == relationship.isToMany
      {
        return
      }
    }
    let count = new.links(of: number, of: entity.number).count(table, new)
    var faults = relationship.isOptional ? [] : ["\(count) = 0"]
    if relationship.isToMany, relationship.minimumCount > 0 {
      faults.append("\(count) BETWEEN 1 AND \(relationship.minimumCount - 1)")
    }
    if relationship.isToMany, relationship.maximumCount > 0 {
      faults.append("\(count) > \(relationship.maximumCount)")
    }
    guard !faults.isEmpty else { return }
    let keys = try keys(
      of: table,
      SQL.whereAll([rows(of: entity, in: table), "(\(faults.joined(separator: " OR ")))"]))
    guard !keys.isEmpty else { return }
    throw refuse(
      "has \(keys.count) objects of \"\(entity.name)\" with fewer or more \"\(relationship.name)\" than the model now"
        + " requires: \(table.describe(keys)); make the relationship optional, or link these objects before"
    )
  }
}
