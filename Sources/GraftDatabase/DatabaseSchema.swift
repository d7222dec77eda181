// How a model becomes tables that people want to open with any tool. Of
//
//   entity Tweet   identity id   attributes text   relationships author: User, hashtags: [Hashtag]
//
// the tables are
//
//   "Tweet"          (id INTEGER PRIMARY KEY, text TEXT, author INTEGER REFERENCES "User" (id), _stub INTEGER)
//   "Tweet_hashtags" (tweet INTEGER, hashtag TEXT, PRIMARY KEY (tweet, hashtag))
//
// - An entity and all entities below it share one table, with `_entity` where there are several.
// - The primary key is the identity. It is `_id` where the entity has none, or says that objects may lack it
//   (`JSONMissingIdentity` = `insert`), or where relationships find its objects by something else.
// - A to-one relationship is a column with the key of its target, or one column for each part of the key.
// - A to-many relationship has a table of its own, with `position` where it is ordered. It needs none where its
//   inverse says the same: the column of a to-one, or the table of another to-many.
// - `_stub` is the number of the import that has made an object of a bare identifier; null once it is filled.
//
// Names of SQL do not differ in case alone, so that a second one gets a number after it.

package import Graft

/// The tables of a model.
package final class DatabaseSchema: Sendable {
  /// A column, and the form of its values.
  package struct Column: Sendable, Equatable {
    package var name: String
    package var type: AttributeType
    var isRequired = false
  }

  /// The table of an entity and of all entities below it.
  ///
  /// A class, because a copy of so many arrays for each row would cost more than the row.
  final class Table: Sendable {
    let number: Int
    let name: String
    /// The numbers of the concrete entities, the topmost first.
    let entities: [Int]
    let columns: [Column]
    /// The positions of the primary key's columns.
    let key: [Int]
    let keyColumns: [Column]
    /// The positions of the other columns.
    let values: [Int]
    /// Whether the key is `_id`, a number that the database alone knows.
    let isKeyedByRow: Bool
    /// Whether an object is known by its key alone: it is of the one entity, and the key is its identity.
    let isKnownByKey: Bool
    let entityColumn: Int?
    let stubColumn: Int
    /// By entity and attribute, the position of the column; empty for entities of other tables.
    let attributes: [[Int]]
    /// By entity, the attributes that are not of the identity, and the positions of their columns.
    let ownAttributes: [[(attribute: Int, column: Int)]]
    /// By entity and relationship, the positions of the columns; none for a to-many.
    let references: [[[Int]]]
    /// By entity, the positions of its identity.
    let identities: [[Int]]
    /// By entity, the columns of its identity.
    let identityColumns: [[Column]]

    fileprivate init(_ draft: TableDraft, _ number: Int, entityCount: Int) {
      self.number = number
      name = draft.name
      entities = draft.entities
      columns = draft.columns
      key = draft.key
      keyColumns = draft.key.map { draft.columns[$0] }
      values = draft.columns.indices.filter { !draft.key.contains($0) }
      isKeyedByRow = draft.isKeyedByRow
      isKnownByKey = draft.entityColumn == nil && !draft.isKeyedByRow
      entityColumn = draft.entityColumn
      stubColumn = draft.stubColumn
      attributes = (0..<entityCount).map { draft.attributes[$0] ?? [] }
      references = (0..<entityCount).map { draft.references[$0] ?? [] }
      identities = (0..<entityCount).map { draft.identities[$0] ?? [] }
      identityColumns = identities.map { $0.map { draft.columns[$0] } }
      ownAttributes = zip(attributes, identities).map { columns, identity in
        columns.enumerated().map { (attribute: $0, column: $1) }
          .filter { !identity.contains($0.column) }
      }
    }

    var keyNames: [String] { keyColumns.map(\.name) }
  }

  /// Where the members of a to-many relationship are found.
  enum Members: Sendable {
    /// In a table of its own, by its number.
    case list(Int)
    /// In the table of the inverse, by its number.
    case inverseOfList(Int)
    /// In the column of the inverse, a to-one relationship.
    case inverseOfReference
  }

  /// The table of a to-many relationship.
  final class List: Sendable {
    let number: Int
    let name: String
    /// The topmost entity that has the relationship, and its number.
    let entity: Int
    let relationship: Int
    /// The numbers of the tables of both ends.
    let ownerTable: Int
    let memberTable: Int
    let ownerColumns: [Column]
    let memberColumns: [Column]
    let isOrdered: Bool
    /// Whether the relationship is its own inverse, so that both ends are owners.
    let isSymmetric: Bool

    fileprivate init(
      number: Int, name: String, entity: Int, relationship: Int, ownerTable: Int, memberTable: Int,
      ownerColumns: [Column], memberColumns: [Column], isOrdered: Bool, isSymmetric: Bool
    ) {
      self.number = number
      self.name = name
      self.entity = entity
      self.relationship = relationship
      self.ownerTable = ownerTable
      self.memberTable = memberTable
      self.ownerColumns = ownerColumns
      self.memberColumns = memberColumns
      self.isOrdered = isOrdered
      self.isSymmetric = isSymmetric
    }
  }

  let model: ModelSchema
  let tables: [Table]
  let lists: [List]
  /// By entity, the number of its table.
  let tableNumbers: [Int]
  /// By entity and relationship, where members are found; nil for a to-one.
  let members: [[Members?]]

  init(_ model: ModelSchema, _ dialect: SQLDialect) {
    self.model = model
    var builder = Builder(model: model, nameLimit: dialect.nameLimit)
    builder.addTables()
    builder.addReferences()
    builder.addLists()
    tables = builder.tables.enumerated().map {
      Table($1, $0, entityCount: model.entities.count)
    }
    lists = builder.lists
    tableNumbers = builder.tableNumbers
    members = builder.members
  }

  /// The table of an entity.
  func table(of entity: Int) -> Table { tables[tableNumbers[entity]] }
}

/// A table while it is made.
private struct TableDraft {
  var name: String
  var entities: [Int]
  var columns: [DatabaseSchema.Column] = []
  var key: [Int] = []
  var isKeyedByRow = false
  var entityColumn: Int?
  var stubColumn = 0
  var attributes: [Int: [Int]] = [:]
  var references: [Int: [[Int]]] = [:]
  var identities: [Int: [Int]] = [:]

  var keyColumns: [DatabaseSchema.Column] { key.map { columns[$0] } }
}

/// Gives out names that differ by more than case.
private struct NameList {
  private var taken: Set<String> = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func add(_ name: String) -> String {
    var candidate = name.cut(to: limit)
    var number = 2
    while !taken.insert(candidate.lowercased()).inserted {
      candidate = "\(name.cut(to: limit - 8))_\(number)"
      number += 1
    }
    return candidate
  }
}

extension String {
  /// The first bytes of a name, up to a limit, without half a character.
  fileprivate func cut(to limit: Int) -> String {
    var result = self
    while result.utf8.count > limit { result.removeLast() }
    return result
  }

  /// The name of an entity as one of a column.
  fileprivate var asColumn: String { prefix(1).lowercased() + dropFirst() }
}

private struct Builder {
  let model: ModelSchema
  let nameLimit: Int
  var tables: [TableDraft] = []
  var lists: [DatabaseSchema.List] = []
  var tableNumbers: [Int] = []
  var members: [[DatabaseSchema.Members?]] = []
  private var tableNames: NameList
  private var columnNames: [NameList] = []
  /// By table, for each of its columns so far that an attribute or relationship has, by name.
  private var positions: [[String: [Int]]] = []

  init(model: ModelSchema, nameLimit: Int) {
    self.model = model
    self.nameLimit = nameLimit
    tableNames = NameList(limit: nameLimit)
  }

  mutating func addTables() {
    tableNumbers = Array(repeating: 0, count: model.entities.count)
    for entity in model.entities where entity.superentity == nil {
      let number = tables.count
      var table = TableDraft(
        name: tableNames.add(Self.allowed(entity.name)), entities: entity.family)
      for member in entity.family { tableNumbers[member] = number }
      var names = NameList(limit: nameLimit)
      positions.append([:])
      for reserved in ["_id", "_entity", "_stub"] { _ = names.add(reserved) }
      columnNames.append(names)
      table.isKeyedByRow = !alwaysHasIdentity(entity)
      if table.isKeyedByRow {
        table.key = [0]
        table.columns.append(.init(name: "_id", type: .integer64, isRequired: true))
      }
      for member in entity.family { addAttributes(of: model.entities[member], to: &table, number) }
      if !table.isKeyedByRow {
        table.key = entity.identity.map { table.attributes[entity.number]?[$0] ?? 0 }
        for column in table.key { table.columns[column].isRequired = true }
      }
      if entity.family.count > 1 {
        table.entityColumn = table.columns.count
        table.columns.append(.init(name: "_entity", type: .string, isRequired: true))
      }
      tables.append(table)
    }
  }

  /// Names that databases keep for themselves get a line in front.
  private static func allowed(_ name: String) -> String {
    let lower = name.lowercased()
    return lower.hasPrefix("sqlite_") || lower.hasPrefix("graft_") || lower.hasPrefix("pg_")
      ? "_" + name : name
  }

  /// Whether no object of an entity can be without an identity; an entity's dialect alone does not make it so.
  private func alwaysHasIdentity(_ entity: EntitySchema) -> Bool {
    guard !entity.identity.isEmpty else { return false }
    let isTarget = model.entities.contains { other in
      other.relationships.contains {
        $0.relatedBy != nil && entity.family.contains($0.destination)
      }
    }
    return !isTarget
      && entity.family.allSatisfy { number in
        let member = model.entities[number]
        return member.identity == entity.identity && member.identityRoot == entity.identityRoot
          && !member.isSingleton
          && member.policies.missingIdentity != .insert
      }
  }

  private mutating func addAttributes(
    of entity: EntitySchema, to table: inout TableDraft, _ number: Int
  ) {
    let inherited = entity.superentity.map { table.attributes[$0] ?? [] } ?? []
    var columns = inherited
    for attribute in entity.attributes.dropFirst(inherited.count) {
      // Sub-entities that are siblings share a column where name and type agree.
      if let shared = positions[number][attribute.name], let position = shared.first,
        table.columns[position].type == attribute.type
      {
        columns.append(position)
        continue
      }
      positions[number][attribute.name] = [table.columns.count]
      columns.append(table.columns.count)
      table.columns.append(
        .init(name: columnNames[number].add(attribute.name), type: attribute.type))
    }
    table.attributes[entity.number] = columns
    table.identities[entity.number] = entity.identity.map { columns[$0] }
  }

  mutating func addReferences() {
    for number in tables.indices {
      for member in tables[number].entities {
        let entity = model.entities[member]
        let inherited = entity.superentity.map { tables[number].references[$0] ?? [] } ?? []
        var references = inherited
        for relationship in entity.relationships.dropFirst(inherited.count) {
          references.append(relationship.isToMany ? [] : addReference(relationship, number))
        }
        tables[number].references[member] = references
      }
      tables[number].stubColumn = tables[number].columns.count
      tables[number].columns.append(.init(name: "_stub", type: .integer64))
    }
  }

  private mutating func addReference(
    _ relationship: RelationshipSchema, _ number: Int
  ) -> [Int] {
    let target = tables[tableNumbers[relationship.destination]]
    var columns: [Int] = []
    for key in target.keyColumns {
      let name = target.key.count == 1 ? relationship.name : "\(relationship.name)_\(key.name)"
      columns.append(tables[number].columns.count)
      tables[number].columns.append(.init(name: columnNames[number].add(name), type: key.type))
    }
    return columns
  }

  mutating func addLists() {
    members = model.entities.map { Array(repeating: nil, count: $0.relationships.count) }
    for entity in model.entities {
      let inherited = entity.superentity.map { model.entities[$0].relationships.count } ?? 0
      for (number, relationship) in entity.relationships.enumerated() {
        if number < inherited {
          members[entity.number][number] = entity.superentity.flatMap { members[$0][number] }
        } else if relationship.isToMany {
          members[entity.number][number] = addMembers(relationship, number, entity)
        }
      }
    }
    // The table of an inverse may come later than the relationship that is read from it.
    for entity in model.entities {
      for (number, relationship) in entity.relationships.enumerated()
      where relationship.isToMany && members[entity.number][number] == nil {
        guard let inverse = relationship.inverse,
          case .list(let list)? = members[relationship.destination][inverse]
        else { continue }
        members[entity.number][number] = .inverseOfList(list)
      }
    }
  }

  /// Where the members of a relationship are; nil where they are in the table of its inverse.
  private mutating func addMembers(
    _ relationship: RelationshipSchema, _ number: Int, _ entity: EntitySchema
  ) -> DatabaseSchema.Members? {
    let inverse = relationship.inverse.map {
      model.entities[relationship.destination].relationships[$0]
    }
    if let inverse, !relationship.isOrdered {
      if !inverse.isToMany { return .inverseOfReference }
      if inverse.isOrdered { return nil }
      let other = top(of: relationship.inverse ?? 0, relationship.destination)
      if (other, relationship.inverse ?? 0) < (entity.number, number) { return nil }
    }
    let (owner, member) = (tableNumbers[entity.number], tableNumbers[relationship.destination])
    var names = NameList(limit: nameLimit)
    _ = names.add("position")
    let ownerName = tables[owner].name.asColumn
    let memberName =
      owner == member ? relationship.name : tables[member].name.asColumn
    lists.append(
      .init(
        number: lists.count,
        name: tableNames.add(Self.allowed("\(entity.name)_\(relationship.name)")),
        entity: entity.number,
        relationship: number, ownerTable: owner, memberTable: member,
        ownerColumns: columns(tables[owner].keyColumns, ownerName, &names),
        memberColumns: columns(tables[member].keyColumns, memberName, &names),
        isOrdered: relationship.isOrdered,
        isSymmetric: relationship.inverse == number
          && top(of: number, relationship.destination) == entity.number))
    return .list(lists.count - 1)
  }

  private func columns(
    _ key: [DatabaseSchema.Column], _ name: String, _ names: inout NameList
  ) -> [DatabaseSchema.Column] {
    key.map {
      .init(
        name: names.add(key.count == 1 ? name : "\(name)_\($0.name)"), type: $0.type,
        isRequired: true)
    }
  }

  /// The topmost entity that has a relationship.
  private func top(of relationship: Int, _ entity: Int) -> Int {
    var top = entity
    while let above = model.entities[top].superentity,
      model.entities[above].relationships.count > relationship
    {
      top = above
    }
    return top
  }
}
