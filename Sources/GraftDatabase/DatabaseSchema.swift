// Derives the tables from a model, in a form that people can read with any SQL tool. From
//
//   entity Tweet   identity id   attributes text   relationships author: User, hashtags: [Hashtag]
//
// it derives
//
//   "Tweet"          (id INTEGER PRIMARY KEY, text TEXT, author INTEGER REFERENCES "User" (id), _stub INTEGER)
//   "Tweet_hashtags" (tweet INTEGER, hashtag TEXT, PRIMARY KEY (tweet, hashtag))
//
// - An entity and all entities below it share one table, with `_entity` where there are several.
// - The primary key is the identity. It is `_id` if the entity has no identity, if objects may lack
//   it (`JSONMissingIdentity` = `insert`), or if relationships find its objects by another
//   attribute.
// - A to-one relationship is a column with the key of its target, or one column for each part of the key.
// - A to-many relationship has a table of its own, with `position` where it is ordered. It needs
//   none if its inverse has the same links, in the column of a to-one or the table of another
//   to-many.
// - The key of a list begins with the end that documents give. A file in which it begins with the other one, by another
//   model, is read and written as well.
// - `_stub` is the number of the import that has made an object of a bare identifier; null once it is filled.
//
// SQL names do not differ in case alone, so a second one gets a number. Names alone decide which of
// two is the second, and which of two inverse lists has the table. The order of declarations does
// not matter, so any model with the same names reads the same file.

package import Graft
import GraftExport

/// The tables of a model.
package final class DatabaseSchema: Sendable {
  /// A column, and the form of its values.
  package struct Column: Sendable, Equatable {
    package var name: String
    package var type: AttributeType
    var isRequired = false
  }

  /// Stores a list for each entity of a table; it is empty for an entity of another table.
  ///
  /// A table has few entities, and a model may have ten thousand. If each table had a list for every
  /// entity, the memory would grow with the square of their number.
  struct ByEntity<List: Sendable & ExpressibleByArrayLiteral>: Sendable {
    /// The lowest number of an entity of the table.
    private let first: Int
    private let lists: [List]

    init(_ entities: [Int], _ list: (Int) -> List) {
      let own = Set(entities)
      first = own.min() ?? 0
      lists = (first..<(own.max() ?? -1) + 1).map { own.contains($0) ? list($0) : [] }
    }

    subscript(entity: Int) -> List {
      let place = entity - first
      return place >= 0 && place < lists.count ? lists[place] : []
    }
  }

  /// The table of an entity and of all entities below it.
  ///
  /// A class, because copying its arrays for each row would cost more than the row itself.
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
    /// Whether the key is `_id`, a number that no document has.
    let isKeyedByNumber: Bool
    /// Whether the key alone determines the object: the table holds one entity, and its primary key is the identity.
    let isKnownByKey: Bool
    let entityColumn: Int?
    let stubColumn: Int
    /// The position of each attribute's column, by entity; empty for entities of other tables.
    let attributes: ByEntity<[Int]>
    /// The attributes outside of the identity and the positions of their columns, by entity.
    let ownAttributes: ByEntity<[(attribute: Int, column: Int)]>
    /// The positions of each relationship's columns, by entity; none for a to-many.
    let references: ByEntity<[[Int]]>
    /// The positions of the identity's columns, by entity.
    let identities: ByEntity<[Int]>
    /// The columns of the identity, by entity.
    let identityColumns: ByEntity<[Column]>

    fileprivate init(_ draft: TableDraft, _ number: Int) {
      self.number = number
      name = draft.name
      entities = draft.entities
      columns = draft.columns
      key = draft.key
      keyColumns = draft.key.map { draft.columns[$0] }
      values = draft.columns.indices.filter { !draft.key.contains($0) }
      isKeyedByNumber = draft.isKeyedByNumber
      isKnownByKey = draft.entityColumn == nil && !draft.isKeyedByNumber
      entityColumn = draft.entityColumn
      stubColumn = draft.stubColumn
      attributes = ByEntity(entities) { draft.attributes[$0] ?? [] }
      references = ByEntity(entities) { draft.references[$0] ?? [] }
      identities = ByEntity(entities) { draft.identities[$0] ?? [] }
      identityColumns = ByEntity(entities) { entity in
        (draft.identities[entity] ?? []).map { draft.columns[$0] }
      }
      ownAttributes = ByEntity(entities) { entity in
        let identity = draft.identities[entity] ?? []
        return (draft.attributes[entity] ?? []).enumerated()
          .map { (attribute: $0, column: $1) }.filter { !identity.contains($0.column) }
      }
    }

    var keyNames: [String] { keyColumns.map(\.name) }

    /// Returns the parts of the rows of an entity.
    fileprivate func layout(
      of entity: Int, _ members: [Members?], isLimited: (_ attribute: Int) -> Bool
    ) -> RowLayout {
      RowLayout(
        table: number, topEntity: entities[0], isKeyedByNumber: isKeyedByNumber,
        isKnownByKey: isKnownByKey, key: key, identity: identities[entity],
        attributes: ownAttributes[entity],
        limitedAttributes: attributes[entity].enumerated().filter { isLimited($0.offset) }
          .map { (attribute: $0.offset, column: $0.element) },
        references: references[entity], stubColumn: stubColumn,
        isList: members.map { $0 != nil })
    }
  }

  /// The column or list that holds the members of a relationship.
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
    /// Whether the relationship is its own inverse; both ends are then owners.
    let isSymmetric: Bool
    /// Whether the links of a member are together in the table, and not those of an owner.
    let isKeyedByMember: Bool

    /// The columns of both ends.
    var columns: [Column] { ownerColumns + memberColumns }
    /// The end whose links are together: the primary key begins with its columns.
    var keyEnd: ListEnd { end(ofOwners: !isKeyedByMember) }

    /// Returns one end of the list.
    func end(ofOwners isOwners: Bool) -> ListEnd { ListEnd(list: self, isOwners: isOwners) }

    fileprivate init(
      number: Int, name: String, entity: Int, relationship: Int, ownerTable: Int, memberTable: Int,
      ownerColumns: [Column], memberColumns: [Column], isOrdered: Bool, isSymmetric: Bool,
      isKeyedByMember: Bool
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
      self.isKeyedByMember = isKeyedByMember
    }
  }

  /// One end of a list, from which the objects at the other end are looked up.
  struct ListEnd {
    let list: List
    /// Whether this is the end of the owners.
    let isOwners: Bool

    /// The number of the end among those of all lists.
    var number: Int { 2 * list.number + (isOwners ? 0 : 1) }
    /// The columns with the key at this end.
    var columns: [Column] { isOwners ? list.ownerColumns : list.memberColumns }
    /// Whether the primary key of the list finds the links of an object at this end.
    var isKeyed: Bool { isOwners != list.isKeyedByMember }
    /// The columns with the key at the other end.
    var otherColumns: [Column] { isOwners ? list.memberColumns : list.ownerColumns }
    /// The number of the table of this end.
    var table: Int { isOwners ? list.ownerTable : list.memberTable }
    /// The number of the table of the other end.
    var otherTable: Int { isOwners ? list.memberTable : list.ownerTable }
  }

  /// Returns the end of a list at which the objects of an entity are that have a relationship.
  ///
  /// - Returns: The end; nil where a relationship has no list.
  func listEnd(of relationship: Int, of entity: Int) -> ListEnd? {
    switch members[entity][relationship] {
    case .list(let number)?: lists[number].end(ofOwners: true)
    case .inverseOfList(let number)?: lists[number].end(ofOwners: false)
    case .inverseOfReference?, nil: nil
    }
  }

  let model: ModelSchema
  /// Whether the tables are distributed over the machines of a cluster.
  private let isDistributed: Bool
  /// The model as the database has it; empty where that is not known.
  let file: String
  let tables: [Table]
  let lists: [List]
  /// The number of each entity's table.
  let tableNumbers: [Int]
  /// The place of each relationship's members, by entity; nil for a to-one.
  let members: [[Members?]]
  /// The layout of each entity's rows.
  let layouts: [RowLayout]

  init(_ model: ModelSchema, _ dialect: SQLDialect, file: String = "") {
    self.model = model
    self.file = file
    isDistributed = dialect.distribution != nil
    var builder = Builder(model: model, dialect)
    builder.addTables()
    builder.addReferences()
    builder.addLists()
    tables = builder.tables.enumerated().map { Table($1, $0) }
    lists = builder.lists
    tableNumbers = builder.tableNumbers
    members = builder.members
    layouts = model.entities.map { [tables, tableNumbers, members] entity in
      tables[tableNumbers[entity.number]].layout(of: entity.number, members[entity.number]) {
        model.isLimitedByType(entity.attributes[$0])
      }
    }
  }

  /// Returns the name of a table in a statement that compares the table's rows with those of another one.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - columns: The names of the columns that the statement uses.
  /// - Returns: The SQL after `FROM` or `JOIN`, to be given another name.
  func compared(_ table: String, _ columns: [String]) -> String {
    isDistributed
      ? compared("SELECT \(SQL.list(columns)) FROM \(SQL.quote(table))") : SQL.quote(table)
  }

  /// Returns a query as part of a statement that compares the query's rows with those of a table.
  ///
  /// Rows on different machines of a cluster are not compared directly. A subquery with an offset makes the cluster
  /// send the rows to all machines first.
  func compared(_ query: String) -> String { "(\(query)\(isDistributed ? " OFFSET 0" : ""))" }

  /// Returns the table of an entity.
  func table(of entity: Int) -> Table { tables[tableNumbers[entity]] }
}

/// A table while it is made.
private struct TableDraft {
  var name = ""
  var entities: [Int]
  var columns: [DatabaseSchema.Column] = []
  var key: [Int] = []
  var isKeyedByNumber = false
  var entityColumn: Int?
  var stubColumn = 0
  var attributes: [Int: [Int]] = [:]
  var references: [Int: [[Int]]] = [:]
  var identities: [Int: [Int]] = [:]
  /// The names of its columns so far.
  var names: NameList
  /// The claims that decide the names of columns that have none yet.
  var unnamed: [Int: Claim] = [:]

  var keyColumns: [DatabaseSchema.Column] { key.map { columns[$0] } }

  /// Names the columns that have no name of their own yet.
  mutating func nameColumns() {
    let waiting = unnamed.sorted { $0.key < $1.key }
    unnamed = [:]
    for (column, name) in zip(waiting, names.add(waiting.map(\.value))) {
      columns[column.key].name = name
    }
  }
}

/// A name that a table or column should have, and the entity that declares it.
private struct Claim {
  var name: String
  /// The name of the entity; of several that share a column, the first by name.
  var entity: String
}

/// Makes names that differ by more than case.
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

  /// Names several things, the first by name first.
  ///
  /// - Parameter claims: The names that they should have.
  /// - Returns: The names that they get, in the order of the claims.
  mutating func add(_ claims: [Claim]) -> [String] {
    var names = claims.map(\.name)
    let order = claims.indices.sorted {
      (claims[$0].name, claims[$0].entity, $0) < (claims[$1].name, claims[$1].entity, $1)
    }
    for index in order { names[index] = add(claims[index].name) }
    return names
  }
}

extension String {
  /// Returns the first bytes of a name, up to a limit, without half a character.
  fileprivate func cut(to limit: Int) -> String {
    var result = self
    while result.utf8.count > limit { result.removeLast() }
    return result
  }

  /// The name of an entity as one of a column.
  fileprivate var asColumn: String { prefix(1).lowercased() + dropFirst() }
}

private struct Builder {
  /// A name and type, by which the columns of sub-entities that are siblings are the same.
  private struct SharedColumn: Hashable {
    var name: String
    var type: AttributeType
  }

  let model: ModelSchema
  let nameLimit: Int
  /// The names that no column can have.
  private let systemColumns: [String]
  var tables: [TableDraft] = []
  var lists: [DatabaseSchema.List] = []
  var tableNumbers: [Int] = []
  var members: [[DatabaseSchema.Members?]] = []
  private var tableNames: NameList
  /// The columns of the attributes so far, by table.
  private var sharedColumns: [[SharedColumn: Int]] = []
  /// The entities whose objects a relationship finds by attributes outside of their identity.
  private let relatedEntities: Set<Int>
  /// The entities whose objects may lack their identity.
  private let entitiesThatMayLackIdentity: Set<Int>

  init(model: ModelSchema, _ dialect: SQLDialect) {
    self.model = model
    nameLimit = dialect.nameLimit
    systemColumns = dialect.systemColumns
    relatedEntities = Set(
      model.entities.flatMap(\.relationships).filter { $0.relatedBy != nil }.map(\.destination))
    entitiesThatMayLackIdentity = model.entitiesThatMayLackIdentity
    tableNames = NameList(limit: nameLimit)
  }

  mutating func addTables() {
    tableNumbers = Array(repeating: 0, count: model.entities.count)
    var claims: [Claim] = []
    for entity in model.entities where entity.superentity == nil {
      let number = tables.count
      for member in entity.family { tableNumbers[member] = number }
      var table = TableDraft(entities: family(of: entity), names: NameList(limit: nameLimit))
      claims.append(Claim(name: Self.allowed(entity.name), entity: entity.name))
      sharedColumns.append([:])
      for reserved in ["_id", "_entity", "_stub"] + systemColumns { _ = table.names.add(reserved) }
      table.isKeyedByNumber = !alwaysHasIdentity(entity)
      if table.isKeyedByNumber {
        table.key = [0]
        table.columns.append(.init(name: "_id", type: .integer64, isRequired: true))
      }
      for member in table.entities {
        addAttributes(of: model.entities[member], to: &table, number)
      }
      if !table.isKeyedByNumber {
        table.key = entity.identity.map { table.attributes[entity.number]?[$0] ?? 0 }
        for column in table.key { table.columns[column].isRequired = true }
      }
      if entity.family.count > 1 {
        table.entityColumn = table.columns.count
        table.columns.append(.init(name: "_entity", type: .string, isRequired: true))
      }
      table.nameColumns()
      tables.append(table)
    }
    for (number, name) in tableNames.add(claims).enumerated() { tables[number].name = name }
  }

  /// Returns an entity and those below it, each after the one above it.
  private func family(of entity: EntitySchema) -> [Int] {
    let depths = entity.family.map { number in
      var depth = 0
      var next = model.entities[number]
      while let above = next.superentity {
        depth += 1
        next = model.entities[above]
      }
      return (depth: depth, number: number)
    }
    return depths.sorted { ($0.depth, $0.number) < ($1.depth, $1.number) }.map(\.number)
  }

  /// Reserved names of databases get an underscore in front.
  private static func allowed(_ name: String) -> String {
    let lower = name.lowercased()
    return lower.hasPrefix("sqlite_") || lower.hasPrefix("graft_") || lower.hasPrefix("pg_")
      ? "_" + name : name
  }

  /// Returns whether no object of an entity can be without an identity.
  private func alwaysHasIdentity(_ entity: EntitySchema) -> Bool {
    guard !entity.identity.isEmpty else { return false }
    return entity.family.allSatisfy { number in
      let member = model.entities[number]
      return !relatedEntities.contains(number) && member.identity == entity.identity
        && member.identityRoot == entity.identityRoot
        && !member.isSingleton
        && !entitiesThatMayLackIdentity.contains(number)
    }
  }

  private mutating func addAttributes(
    of entity: EntitySchema, to table: inout TableDraft, _ number: Int
  ) {
    let inherited = entity.superentity.map { table.attributes[$0] ?? [] } ?? []
    var columns = inherited
    for attribute in entity.attributes.dropFirst(inherited.count) {
      // Sub-entities that are siblings share a column where name and type agree.
      let shared = SharedColumn(name: attribute.name, type: attribute.type)
      if let position = sharedColumns[number][shared] {
        columns.append(position)
        if let claim = table.unnamed[position], entity.name < claim.entity {
          table.unnamed[position]?.entity = entity.name
        }
        continue
      }
      sharedColumns[number][shared] = table.columns.count
      columns.append(table.columns.count)
      table.unnamed[table.columns.count] = Claim(name: attribute.name, entity: entity.name)
      table.columns.append(.init(name: attribute.name, type: attribute.type))
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
          references.append(relationship.isToMany ? [] : addReference(relationship, entity, number))
        }
        tables[number].references[member] = references
      }
      tables[number].nameColumns()
      tables[number].stubColumn = tables[number].columns.count
      tables[number].columns.append(.init(name: "_stub", type: .integer64))
    }
  }

  private mutating func addReference(
    _ relationship: RelationshipSchema, _ entity: EntitySchema, _ number: Int
  ) -> [Int] {
    let target = tables[tableNumbers[relationship.destination]]
    return target.keyColumns.map { key in
      let name = target.key.count == 1 ? relationship.name : "\(relationship.name)_\(key.name)"
      let column = tables[number].columns.count
      tables[number].unnamed[column] = Claim(name: name, entity: entity.name)
      tables[number].columns.append(.init(name: name, type: key.type))
      return column
    }
  }

  mutating func addLists() {
    members = model.entities.map { Array(repeating: nil, count: $0.relationships.count) }
    var owners: [(relationship: Int, entity: EntitySchema)] = []
    for entity in tables.flatMap(\.entities).map({ model.entities[$0] }) {
      let inherited = entity.superentity.map { model.entities[$0].relationships.count } ?? 0
      for (number, relationship) in entity.relationships.enumerated() {
        if number < inherited {
          members[entity.number][number] = entity.superentity.flatMap { members[$0][number] }
        } else if relationship.isToMany {
          let place = place(of: relationship, entity, list: owners.count)
          members[entity.number][number] = place
          if case .list? = place { owners.append((number, entity)) }
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
    let claims = owners.map { relationship, entity in
      let name = entity.relationships[relationship].name
      return Claim(name: Self.allowed("\(entity.name)_\(name)"), entity: entity.name)
    }
    for ((relationship, entity), name) in zip(owners, tableNames.add(claims)) {
      lists.append(list(lists.count, relationship, entity, name))
    }
  }

  /// Returns the column or list of a relationship, or nil if it is in the table of its inverse.
  private func place(
    of relationship: RelationshipSchema, _ entity: EntitySchema, list: Int
  ) -> DatabaseSchema.Members? {
    guard let inverse = relationship.inverse, !relationship.isOrdered else { return .list(list) }
    let back = model.entities[relationship.destination].relationships[inverse]
    if !back.isToMany { return .inverseOfReference }
    if back.isOrdered { return nil }
    let other = model.entities[model.top(of: inverse, relationship.destination)]
    return (other.name, back.name) < (entity.name, relationship.name) ? nil : .list(list)
  }

  private func list(
    _ number: Int, _ relationshipNumber: Int, _ entity: EntitySchema, _ name: String
  ) -> DatabaseSchema.List {
    let relationship = entity.relationships[relationshipNumber]
    let (owner, member) = (tableNumbers[entity.number], tableNumbers[relationship.destination])
    var names = NameList(limit: nameLimit)
    for reserved in ["position"] + systemColumns { _ = names.add(reserved) }
    let ownerName = tables[owner].name.asColumn
    let memberName =
      owner == member ? relationship.name : tables[member].name.asColumn
    let isSymmetric =
      relationship.inverse == relationshipNumber
      && model.top(of: relationshipNumber, relationship.destination) == entity.number
    return DatabaseSchema.List(
      number: number, name: name, entity: entity.number, relationship: relationshipNumber,
      ownerTable: owner, memberTable: member,
      ownerColumns: columns(tables[owner].keyColumns, ownerName, &names),
      memberColumns: columns(tables[member].keyColumns, memberName, &names),
      isOrdered: relationship.isOrdered, isSymmetric: isSymmetric,
      isKeyedByMember: !isSymmetric && isKeyedByMember(relationship))
  }

  /// Returns whether documents give a list from its other end.
  ///
  /// The tweets of a document come in the order of their keys more often than the hashtags that they mention. Sorted by
  /// tweet, the links of new tweets are then appended to the table, and not scattered over it.
  private func isKeyedByMember(_ relationship: RelationshipSchema) -> Bool {
    guard let inverse = relationship.inverse, !relationship.isOrdered else { return false }
    let back = model.entities[relationship.destination].relationships[inverse]
    func certainty(_ relationship: RelationshipSchema) -> Int {
      relationship.paths.isEmpty ? 0 : relationship.annotation == nil ? 1 : 2
    }
    return certainty(back) > certainty(relationship)
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
}

extension ModelSchema {
  /// Returns the topmost entity that has a relationship.
  func top(of relationship: Int, _ entity: Int) -> Int {
    var top = entity
    while let above = entities[top].superentity, entities[above].relationships.count > relationship
    {
      top = above
    }
    return top
  }
}
