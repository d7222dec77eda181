// Migrates the tables of a database to a changed model, in one transaction:
//
// - a table, column or list with a new name is renamed; a former one that still has the name is moved out of the way;
// - columns, tables and lists are added, or taken back where an earlier model had them;
// - an attribute of another type is converted (`ColumnTypeChange`);
// - links are moved to where the model now keeps them (`StoredLinks`), such as from a column into a list;
// - attributes that are required now are filled, or the change is refused (`RequiredValues`).
//
// A change of a table's key is refused: only the user knows which objects would then be the same.

import Graft

/// Migrates the tables of a database to another model.
struct SchemaChange {
  private let connection: any DatabaseConnection
  private let match: SchemaMatch
  private let refuse: (String) -> StoreError
  private var former: FormerColumns
  /// The names of all tables that there are, as they are by now.
  private var tableNames: Set<String> = []
  /// The numbers of the tables and lists of the current schema, by the names that it has for them.
  private let oldTables: [String: Int]
  private let oldLists: [String: Int]
  /// The names that tables and lists have by now, by their numbers in the current schema.
  private var oldTableNames: [String]
  private var oldColumnNames: [[String]]
  private var oldListNames: [String]
  private var oldListColumns: [[String]]
  /// The places of the key's columns in the next key, by the numbers of the tables in the current schema.
  private let keyOrders: [Int: [Int]]
  /// The columns of tables that keep their names, and have no values of the new attribute yet.
  private var added: Set<RequiredValues.Place> = []
  /// The columns of references of an earlier model that the model has again.
  private var restored: Set<RequiredValues.Place> = []
  /// The lists that were made with links, whose indexes no import makes at its end.
  private var filled: Set<String> = []
  /// The tables whose links are all stored elsewhere now.
  private var emptied: [String] = []
  /// The columns of links that the model keeps elsewhere now.
  private var moved: [(table: DatabaseSchema.Table, column: String)] = []
  /// New names for tables that were moved out of the way, by their old names.
  private var asides: [String: String] = [:]
  /// The tables whose foreign keys differ from the model's, by number.
  private var rebuilt: Set<Int> = []

  private var old: DatabaseSchema { match.old }
  private var new: DatabaseSchema { match.new }
  private var dialect: SQLDialect { connection.dialect }

  /// - Parameters:
  ///   - match: The tables and columns that both schemas have.
  ///   - connection: A connection in a transaction.
  ///   - refuse: Makes the error for a change that cannot be made.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  init(
    _ match: SchemaMatch, _ connection: any DatabaseConnection,
    refuse: @escaping (String) -> StoreError
  ) throws(StoreError) {
    self.match = match
    self.connection = connection
    self.refuse = refuse
    former = try FormerColumns(connection)
    tableNames = Set(try connection.tableNames())
    oldTables = Dictionary(uniqueKeysWithValues: match.old.tables.map { ($0.name, $0.number) })
    oldLists = Dictionary(uniqueKeysWithValues: match.old.lists.map { ($0.name, $0.number) })
    keyOrders = Dictionary(
      uniqueKeysWithValues: match.tables.map { ($0.old.number, $0.keyOrder) })
    oldTableNames = match.old.tables.map(\.name)
    oldColumnNames = match.old.tables.map { $0.columns.map(\.name) }
    oldListNames = match.old.lists.map(\.name)
    oldListColumns = match.old.lists.map { $0.columns.map(\.name) }
  }

  /// Carries out the change.
  ///
  /// - Throws: ``Graft/StoreError`` of the kind `database`, also for values that cannot be converted or are missing.
  mutating func run() throws(StoreError) {
    try requireEntities()
    try renameEntities()
    try renameTables()
    for table in match.tables { try renameColumns(of: table) }
    for list in match.lists { try renameColumns(of: list.old, to: list.new) }
    try removeIndexes()
    let others = try OtherObjects(
      settingAside: connection, except: (old.indexes + new.indexes).map(\.name))
    for table in new.tables { try settle(table, others) }
    try settleLinks()
    try forget()
    for number in rebuilt.sorted() { try rebuild(new.tables[number]) }
    try others.restore(refuse)
    try RequiredValues(connection, match, added: added, refuse: refuse).settle()
    for index in new.lookupIndexes { try connection.execute(index.creation) }
    for index in new.readingIndexes where filled.contains(index.table) {
      try connection.execute(index.creation)
    }
    try former.write(connection)
    // A machine of a cluster takes no index or foreign key in a transaction that has written rows with foreign keys.
    // So an import makes them only if there are no foreign keys yet.
    let present = try connection.constraintNames()
    let hasKeys = new.foreignKeys().contains { present[$0.table]?.contains($0.name) == true }
    if dialect.distribution != nil, hasKeys {
      for statement in try new.missingReadingStatements(connection) {
        try connection.execute(statement)
      }
    }
  }

  // MARK: Entities

  /// Refuses to leave out an entity that has objects in a table with others.
  private func requireEntities() throws(StoreError) {
    for table in match.tables {
      guard let column = table.old.entityColumn else {
        guard table.new.entityColumn == nil else {
          throw refuse(
            "has a table \"\(table.old.name)\" of one entity, to which the model now adds others; import into a new"
              + " database, or keep the model as it was")
        }
        continue
      }
      for entity in table.old.entities where match.counterpart(ofEntity: entity) == nil {
        let name = old.model.entities[entity].name
        let count = try connection.integer(
          "SELECT count(*) FROM \(SQL.quote(table.old.name)) WHERE"
            + " \(SQL.quote(table.old.columns[column].name)) = \(SQL.literal(name))")
        guard count ?? 0 == 0 else {
          throw refuse(
            "has \(count ?? 0) objects of \"\(name)\", which the model no longer has; delete them before, or keep the"
              + " entity in the model")
        }
      }
    }
  }

  /// Gives rows the new names of their entities, under the old name of the table.
  private func renameEntities() throws(StoreError) {
    for table in match.tables.map(\.old) {
      let names = table.entities.map {
        (old: old.model.entities[$0].name, new: match.renamed.entities[$0].name)
      }.filter { !$0.old.isSpelled($0.new) }
      guard !names.isEmpty, let column = table.entityColumn else { continue }
      let name = SQL.quote(table.columns[column].name)
      let cases = names.map { "WHEN \(SQL.literal($0.old)) THEN \(SQL.literal($0.new))" }
      try connection.execute(
        "UPDATE \(SQL.quote(table.name)) SET \(name) = CASE \(name)"
          + " \(cases.joined(separator: " ")) ELSE \(name) END")
    }
  }

  // MARK: Names

  /// Returns an unused name for a table that is moved out of the way.
  private static func free(_ name: String, _ taken: Set<String>) -> String {
    var candidate = "\(SQL.shortened(name))_former"
    var number = 2
    while taken.contains(candidate.lowercased()) {
      candidate = "\(SQL.shortened(name))_former_\(number)"
      number += 1
    }
    return candidate
  }

  private mutating func renameTables() throws(StoreError) {
    var names: [String: String] = [:]
    for table in match.tables { names[table.old.name] = table.new.name }
    for list in match.lists { names[list.old.name] = list.new.name }
    // Other tables, such as the user's, that have a name which a table of the model needs.
    let wanted = Set((new.tables.map(\.name) + new.lists.map(\.name)).map { $0.lowercased() })
    var taken = wanted.union(tableNames.map { $0.lowercased() })
    for name in tableNames.sorted() where names[name] == nil && wanted.contains(name.lowercased()) {
      if isTakenAgain(name) { continue }
      let free = Self.free(name, taken)
      taken.insert(free.lowercased())
      names[name] = free
      asides[name] = free
    }
    try rename(names.filter { tableNames.contains($0.key) }) { "ALTER TABLE \($0) RENAME TO \($1)" }
    former.rename(tables: names)
    tableNames = Set(tableNames.map { names[$0] ?? $0 })
    oldTableNames = oldTableNames.map { names[$0] ?? $0 }
    oldListNames = oldListNames.map { names[$0] ?? $0 }
  }

  /// Returns whether this model uses a table of an earlier model again.
  private func isTakenAgain(_ name: String) -> Bool {
    guard let table = new.tables.first(where: { $0.name == name }),
      match.match(of: table) == nil, oldTables[name] == nil
    else { return false }
    let key = former.columns(of: name).filter { $0.kind == .key }.map(\.column)
    let expected = table.keyColumns + (table.entityColumn.map { [table.columns[$0]] } ?? [])
    return Set(key.map { "\($0.name) \($0.type)" })
      == Set(expected.map { "\($0.name) \($0.type)" })
  }

  private mutating func renameColumns(of table: SchemaMatch.TableMatch) throws(StoreError) {
    var names: [String: String] = [:]
    for (position, columns) in table.columns {
      names[table.old.columns[columns[0]].name] = table.new.columns[position].name
    }
    let wanted = Set(table.new.columns.map { $0.name.lowercased() })
    let present = try connection.columnNames(of: table.new.name)
    var taken = wanted.union(present.map { $0.lowercased() })
    let again = Set(columnsTakenAgain(of: table.new, besides: table).values.map(\.column.name))
    for name in present
    where names[name] == nil && wanted.contains(name.lowercased()) && !again.contains(name) {
      let free = Self.free(name, taken)
      taken.insert(free.lowercased())
      names[name] = free
    }
    try rename(names) { "ALTER TABLE \(SQL.quote(table.new.name)) RENAME COLUMN \($0) TO \($1)" }
    former.rename(columns: names, of: table.new.name)
    oldColumnNames[table.old.number] = oldColumnNames[table.old.number].map { names[$0] ?? $0 }
  }

  private mutating func renameColumns(
    of list: DatabaseSchema.List, to next: DatabaseSchema.List
  ) throws(StoreError) {
    var names: [String: String] = [:]
    let ends = [
      (list.ownerTable, list.ownerColumns, next.ownerColumns),
      (list.memberTable, list.memberColumns, next.memberColumns),
    ]
    for (table, columns, nextColumns) in ends {
      let order = keyOrders[table] ?? Array(columns.indices)
      for (column, place) in zip(columns, order) { names[column.name] = nextColumns[place].name }
    }
    try rename(names) { "ALTER TABLE \(SQL.quote(next.name)) RENAME COLUMN \($0) TO \($1)" }
    oldListColumns[list.number] = list.columns.map { names[$0.name] ?? $0.name }
  }

  /// Renames several things, even if they exchange their names.
  private func rename(
    _ names: [String: String], _ statement: (String, String) -> String
  ) throws(StoreError) {
    let changed = names.filter { !$0.key.isSpelled($0.value) }.sorted { $0.key < $1.key }
    let taken = Set(changed.map { $0.key.lowercased() })
    let waiting = changed.enumerated().filter { taken.contains($0.element.value.lowercased()) }
    for (number, name) in waiting {
      try connection.execute(statement(SQL.quote(name.key), SQL.quote("_graft_\(number)")))
    }
    // Names that wait for another one to be given up come last.
    for name in changed where !taken.contains(name.value.lowercased()) {
      try connection.execute(statement(SQL.quote(name.key), SQL.quote(name.value)))
    }
    for (number, name) in waiting {
      try connection.execute(statement(SQL.quote("_graft_\(number)"), SQL.quote(name.value)))
    }
  }

  /// Removes the indexes and named foreign keys that are called after something that has another name now.
  private func removeIndexes() throws(StoreError) {
    let kept = Set(new.indexes.map { Array($0.name.utf8) })
    for index in old.indexes where !kept.contains(Array(index.name.utf8)) {
      try connection.execute(index.removal)
    }
    guard dialect.checksLinks else { return }
    let keys = Set(new.foreignKeys().map { "\($0.table).\($0.name)" })
    let present = try connection.constraintNames()
    // The next import adds foreign keys with new names at its end, as after a first import.
    for key in old.foreignKeys() {
      let table = name(ofTable: key.table)
      guard present[table]?.contains(key.name) == true, !keys.contains("\(table).\(key.name)")
      else { continue }
      try connection.execute(
        "ALTER TABLE \(SQL.quote(table)) DROP CONSTRAINT \(SQL.quote(key.name))")
    }
  }

  /// Returns the name that a table or list of the current schema has by now.
  private func name(ofTable name: String) -> String {
    if let number = oldTables[name] { return oldTableNames[number] }
    return oldLists[name].map { oldListNames[$0] } ?? name
  }

  // MARK: Columns

  /// Finds the columns of an earlier model that a table uses again, by position.
  private func columnsTakenAgain(
    of table: DatabaseSchema.Table, besides present: SchemaMatch.TableMatch?
  ) -> [Int: FormerColumns.Entry] {
    let entries = former.columns(of: table.name)
    guard !entries.isEmpty else { return [:] }
    var result: [Int: FormerColumns.Entry] = [:]
    let references = Dictionary(
      new.references(of: table).flatMap { reference in
        reference.positions.map { ($0, new.tables[reference.table].name) }
      }, uniquingKeysWith: { first, _ in first })
    // The links of a relationship that the current model has, perhaps by its inverse, are newer.
    let isPresent = Set(
      new.references(of: table).filter { !match.isNew($0.relationship, of: $0.entity) }
        .flatMap(\.positions))
    for (position, column) in table.columns.enumerated()
    where present?.columns[position] == nil && !isPresent.contains(position) {
      let target = references[position]
      result[position] = entries.first { entry in
        entry.column.name.isSpelled(column.name) && entry.column.type == column.type
          && (entry.kind == .reference) == (target != nil) && entry.target == target ?? ""
      }
    }
    return result
  }

  /// Creates a table, or adds the columns that it lacks.
  private mutating func settle(
    _ table: DatabaseSchema.Table, _ others: OtherObjects
  ) throws(StoreError) {
    let present = match.match(of: table)
    guard present != nil || tableNames.contains(table.name) else {
      try connection.execute(new.creation(of: table, dialect))
      try distribute(table.name)
      tableNames.insert(table.name)
      return
    }
    let again = columnsTakenAgain(of: table, besides: present)
    let references = Set(new.references(of: table).flatMap(\.positions))
    for (position, column) in table.columns.enumerated() {
      if let columns = present?.columns[position], let present {
        for number in columns { try convert(number, of: present, to: position, others) }
        try merge(columns, of: present, into: column)
      } else if let entry = again[position] {
        former.remove(entry.column.name, of: table.name)
        if references.contains(position) {
          rebuilt.insert(table.number)
          restored.insert(.init(table: table.number, column: position))
        }
      } else {
        try connection.execute(
          "ALTER TABLE \(SQL.quote(table.name)) ADD COLUMN \(dialect.declaration(column))")
        added.insert(.init(table: table.number, column: position))
        if references.contains(position) { rebuilt.insert(table.number) }
      }
    }
    guard let present else { return }
    for position in present.former {
      let isReference = old.references(of: present.old).first { $0.positions.contains(position) }
      if isReference != nil { rebuilt.insert(table.number) }
      if isReference != nil, isMoved(columnAt: position, of: present.old) {
        moved.append((table, oldColumnNames[present.old.number][position]))
        continue
      }
      let column = present.old.columns[position]
      let names = oldColumnNames[present.old.number]
      if column.isRequired {
        try allowNull(names[position], of: table)
      } else if isReference == nil {
        // A stub has only defaults, which end with the attribute.
        let (name, stub) = (SQL.quote(names[position]), SQL.quote(names[present.old.stubColumn]))
        try connection.execute(
          "UPDATE \(SQL.quote(table.name)) SET \(name) = NULL"
            + " WHERE \(stub) IS NOT NULL AND \(name) IS NOT NULL")
      }
      former.add(
        .init(
          table: table.name, column: .init(name: names[position], type: column.type),
          kind: isReference == nil ? .attribute : .reference,
          target: isReference.map { oldTableNames[$0.table] } ?? ""))
    }
  }

  /// Makes a column nullable that the model no longer has, so that new rows can omit it.
  private mutating func allowNull(
    _ column: String, of table: DatabaseSchema.Table
  ) throws(StoreError) {
    rebuilt.insert(table.number)
    guard dialect.checksLinks else { return }
    try connection.execute(
      "ALTER TABLE \(SQL.quote(table.name)) ALTER COLUMN \(SQL.quote(column)) DROP NOT NULL")
  }

  /// Distributes a new table over the machines of a cluster.
  private func distribute(_ name: String) throws(StoreError) {
    guard dialect.distribution != nil else { return }
    let others = Set((new.tables.map(\.name) + new.lists.map(\.name)).filter { $0 != name })
    for sql in new.distributionStatements(dialect.distribution, except: others) {
      try connection.execute(sql)
    }
  }

  /// Merges the values of several columns for the same attribute into the first of them.
  private mutating func merge(
    _ columns: [Int], of table: SchemaMatch.TableMatch, into column: DatabaseSchema.Column
  ) throws(StoreError) {
    let others = columns.dropFirst().map { oldColumnNames[table.old.number][$0] }
    guard !others.isEmpty else { return }
    try connection.execute(
      "UPDATE \(SQL.quote(table.new.name)) SET \(SQL.quote(column.name)) ="
        + " coalesce(\(SQL.list([column.name] + others)))")
    moved += others.map { (table.new, $0) }
    rebuilt.insert(table.new.number)
  }

  /// Converts the values of a column whose type has changed; the column keeps its name.
  private func convert(
    _ column: Int, of table: SchemaMatch.TableMatch, to position: Int, _ others: OtherObjects
  ) throws(StoreError) {
    let present = table.old.columns[column]
    var next = table.new.columns[position]
    guard present.type != next.type else { return }
    guard table.new.isConvertible(position) else {
      throw refuse(
        "has \"\(table.new.name)\".\"\(next.name)\" as \(present.type.rawValue), and the model now says"
          + " \(next.type.rawValue); objects are found by it; import into a new database, or keep the model as it was"
      )
    }
    next.name = oldColumnNames[table.old.number][column]
    try others.removeIndexes(of: table.new.name)
    try ColumnTypeChange(
      table: table.new, column: next, oldType: present.type,
      forms: forms(of: column, of: table, at: position),
      indexes: new.indexes.filter {
        $0.table == table.new.name && $0.columns.contains(next.name)
      }
    ).run(connection)
  }

  /// Returns the attributes of a column, and the conditions of the rows that have them: those of entities that had the
  /// attribute and still have it.
  private func forms(
    of column: Int, of table: SchemaMatch.TableMatch, at position: Int
  ) -> [(attribute: AttributeSchema, rows: String)] {
    let entities = table.old.entities.filter { table.old.attributes[$0].contains(column) }
      .compactMap(match.counterpart)
    let attributes = entities.compactMap { entity in
      table.new.attributes[entity].firstIndex(of: position).map {
        (entity: entity, attribute: new.model.entities[entity].attributes[$0])
      }
    }
    // In the order of the entities, so that the same value is named whenever several are refused.
    return Dictionary(grouping: attributes) { $0.attribute.dateFormat }.values
      .inOrder { $0[0].entity < $1[0].entity }
      .map { ($0[0].attribute, new.condition(table.new, isOneOf: $0.map(\.entity))) }
  }

  // MARK: Links

  /// Returns the places where the database stores the links of a relationship of the next model, by
  /// the names that they have now; none for a new relationship.
  ///
  /// If the current model lacks the relationship, these are the places where an earlier model left its links.
  private func sources(of relationship: Int, of entity: Int) -> [StoredLinks] {
    func own(_ relationship: Int, _ entity: Int) -> [StoredLinks] {
      match.isNew(relationship, of: entity)
        ? earlierLinks(relationship, of: entity).map { [$0] } ?? []
        : match.origins(of: relationship, of: entity).map(present)
    }
    let link = new.model.entities[entity].relationships[relationship]
    var places = own(relationship, entity)
    if let inverse = link.inverse { places += own(inverse, link.destination).map(\.reversed) }
    return places.reduce(into: []) { result, links in
      if !result.contains(where: {
        $0.table == links.table && $0.owner == links.owner && $0.member == links.member
      }) {
        result.append(links)
      }
    }
  }

  private func present(links relationship: (entity: Int, number: Int)) -> StoredLinks {
    var links = old.links(of: relationship.number, of: relationship.entity)
    func names(_ columns: [String], _ present: [String], _ now: [String]) -> [String] {
      columns.map { column in present.firstIndex(of: column).map { now[$0] } ?? column }
    }
    if let number = oldTables[links.table] {
      let present = old.tables[number].columns.map(\.name)
      links.table = oldTableNames[number]
      links.owner = names(links.owner, present, oldColumnNames[number])
      links.member = names(links.member, present, oldColumnNames[number])
    } else if let number = oldLists[links.table] {
      let present = old.lists[number].columns.map(\.name)
      links.table = oldListNames[number]
      links.owner = names(links.owner, present, oldListColumns[number])
      links.member = names(links.member, present, oldListColumns[number])
    }
    let destination = old.model.entities[relationship.entity].relationships[relationship.number]
      .destination
    return inNewOrder(links, old.table(of: relationship.entity), old.table(of: destination))
  }

  /// Returns links whose columns are in the order of the new keys.
  private func inNewOrder(
    _ links: StoredLinks, _ owners: DatabaseSchema.Table, _ members: DatabaseSchema.Table
  ) -> StoredLinks {
    func sorted(_ columns: [String], _ table: DatabaseSchema.Table) -> [String] {
      guard let order = keyOrders[table.number] else { return columns }
      return zip(columns, order).sorted { $0.1 < $1.1 }.map(\.0)
    }
    var links = links
    links.owner = sorted(links.owner, owners)
    links.member = sorted(links.member, members)
    return links
  }

  /// Creates the lists of the model, and moves all links to the places where the model keeps them.
  private mutating func settleLinks() throws(StoreError) {
    let kept = Set(match.lists.map(\.new.number))
    for list in new.lists {
      var links = sources(of: list.relationship, of: list.entity)
      if kept.contains(list.number) {
        links.removeAll { $0.table == list.name }
      } else {
        try connection.execute(new.creation(of: list, dialect))
        try distribute(list.name)
        if let earlier = earlierLinks(of: list), links.contains(earlier) {
          emptied.append(earlier.table)
        }
        if !links.isEmpty { filled.insert(list.name) }
      }
      for source in links {
        try connection.execute(source.insertion(into: list, new))
        if list.isSymmetric {
          try connection.execute(source.reversed.insertion(into: list, new))
        }
      }
    }
    for table in new.tables { try settleReferences(of: table) }
    for reference in new.tables.flatMap(new.references) {
      let (relationship, entity) = (reference.relationship, reference.entity)
      guard
        earlierLinks(relationship, of: entity) != nil || match.isNarrower(relationship, of: entity)
      else { continue }
      try connection.execute(
        new.links(of: relationship, of: entity)
          .removalOfOthers(new.ends(of: relationship, of: entity), new))
    }
  }

  /// Returns the links of a relationship that an earlier model had and the current one lacks.
  private func earlierLinks(_ relationship: Int, of entity: Int) -> StoredLinks? {
    switch new.members[entity][relationship] {
    case .list(let number)?: return earlierLinks(of: new.lists[number])
    case .inverseOfList?, .inverseOfReference?: return nil
    case nil:
      let table = new.table(of: entity)
      let isRestored = table.references[entity][relationship].contains {
        restored.contains(.init(table: table.number, column: $0))
      }
      return isRestored ? new.links(of: relationship, of: entity) : nil
    }
  }

  private func earlierLinks(of list: DatabaseSchema.List) -> StoredLinks? {
    guard let table = asides[list.name] else { return nil }
    let columns = former.columns(of: table).map(\.column)
    let names = Set(columns.map(\.name))
    guard
      list.columns.allSatisfy({ column in
        columns.contains { $0.name == column.name && $0.type == column.type }
      }), names.subtracting(list.columns.map(\.name)).isSubset(of: ["position"])
    else { return nil }
    var links = new.links(of: list)
    links.table = table
    links.position = names.contains("position") ? "position" : nil
    return links
  }

  /// Writes links into the columns of to-one relationships that had another form before.
  private func settleReferences(of table: DatabaseSchema.Table) throws(StoreError) {
    for reference in new.references(of: table) {
      let isAdded = reference.positions.allSatisfy {
        added.contains(.init(table: table.number, column: $0))
      }
      let relationship = new.model.entities[reference.entity].relationships[reference.relationship]
      let ends = new.ends(of: reference.relationship, of: reference.entity)
      let names = reference.columns.map(\.name)
      for links in sources(of: reference.relationship, of: reference.entity)
      where isAdded || links.table != table.name || links.member != names {
        let several = try connection.prepare(links.ambiguous(names, ends, new))
          .readKeys(table.keyColumns, of: table.number)
        guard several.isEmpty else {
          let inverse = relationship.inverse.map {
            ", its inverse \"\(new.model.entities[relationship.destination].relationships[$0].name)\" included"
          }
          throw refuse(
            "has \(several.count) objects of \"\(table.name)\" with several \"\(relationship.name)\"\(inverse ?? ""), and the model now"
              + " allows one: \(table.describe(several)); remove the others before, or keep the model as it was"
          )
        }
        try connection.execute(links.update(of: names, ends, new))
      }
    }
  }

  // MARK: What is former

  /// Removes the former tables and columns of moved links, and records the columns that the model drops.
  private mutating func forget() throws(StoreError) {
    let kept = Set(match.lists.map(\.old.number))
    for list in old.lists where !kept.contains(list.number) {
      let name = oldListNames[list.number]
      if isMoved(list.relationship, of: list.entity) {
        try connection.execute("DROP TABLE \(SQL.quote(name))")
        continue
      }
      var columns = zip(list.columns, oldListColumns[list.number]).map {
        DatabaseSchema.Column(name: $1, type: $0.type)
      }
      if list.isOrdered { columns.append(.init(name: "position", type: .integer64)) }
      for column in columns { former.add(.init(table: name, column: column, kind: .list)) }
      try freeze(name, columns, key: columns.prefix(list.columns.count).map(\.name))
    }
    // A table that is rebuilt omits them.
    for (table, column) in moved where dialect.checksLinks {
      try connection.execute(
        "ALTER TABLE \(SQL.quote(table.name)) DROP COLUMN \(SQL.quote(column))")
    }
    for name in emptied {
      former.remove(table: name)
      try connection.execute("DROP TABLE \(SQL.quote(name))")
    }
    let tables = Set(match.tables.map(\.old.number))
    for table in old.tables where !tables.contains(table.number) {
      let name = oldTableNames[table.number]
      for (position, column) in table.columns.enumerated() {
        let reference = old.references(of: table).first { $0.positions.contains(position) }
        former.add(
          .init(
            table: name, column: .init(name: column.name, type: column.type),
            kind: table.key.contains(position) || table.entityColumn == position
              ? .key : reference == nil ? .attribute : .reference,
            target: reference.map { oldTableNames[$0.table] } ?? ""))
      }
      try freeze(name, former.columns(of: name).map(\.column), key: table.keyNames)
    }
  }

  /// Returns whether the links of a column are kept by a relationship that the next model has.
  private func isMoved(columnAt position: Int, of table: DatabaseSchema.Table) -> Bool {
    table.entities.contains { entity in
      table.references[entity].enumerated().contains {
        $1.contains(position) && isMoved($0, of: entity)
      }
    }
  }

  /// Returns whether the next model has a relationship of the current one, or its inverse.
  private func isMoved(_ relationship: Int, of entity: Int) -> Bool {
    if match.counterpart(relationship, of: entity) != nil { return true }
    let link = old.model.entities[entity].relationships[relationship]
    return link.inverse.map { match.counterpart($0, of: link.destination) != nil } ?? false
  }

  // MARK: Foreign keys

  private static let newTable = "_graft_new"

  /// Rebuilds a table with the foreign keys of the model, in a database that cannot add or remove single foreign keys.
  private func rebuild(_ table: DatabaseSchema.Table) throws(StoreError) {
    let former = former.columns(of: table.name).map(\.column)
    let moved = moved.filter { $0.table.number == table.number }.map(\.column)
    let known = (table.columns + former).map(\.name)
    let unknown = try unknownColumns(of: table.name, besides: known + moved)
    try replace(
      table.name, known + unknown,
      with: new.creation(
        of: table, dialect, named: Self.newTable,
        others: former.map(dialect.declaration) + unknown.map(SQL.quote)))
    guard !dialect.checksLinks else { return }
    for index in new.indexes where index.table == table.name {
      try connection.execute(index.creation)
    }
  }

  /// Rebuilds a table that the model no longer has without foreign keys, which would obstruct other changes.
  private func freeze(
    _ name: String, _ columns: [DatabaseSchema.Column], key: [String]
  ) throws(StoreError) {
    let known = columns.map(\.name)
    let unknown = try unknownColumns(of: name, besides: known)
    let declarations = columns.map(dialect.declaration) + unknown.map(SQL.quote)
    try replace(
      name, known + unknown,
      with: "CREATE TABLE \(SQL.quote(Self.newTable)) (\(declarations.joined(separator: ", ")),"
        + " PRIMARY KEY (\(SQL.list(key))))")
  }

  /// Returns the columns that the user has added; they keep their values.
  private func unknownColumns(
    of table: String, besides known: [String]
  ) throws(StoreError) -> [String] {
    try connection.columnNames(of: table).filter { !known.contains($0) }
  }

  /// Replaces a table by a new one, with the values of its columns.
  private func replace(
    _ name: String, _ columns: [String], with creation: String
  ) throws(StoreError) {
    guard !dialect.checksLinks else { return }
    let columns = SQL.list(columns)
    try connection.execute(creation)
    try connection.execute(
      "INSERT INTO \(SQL.quote(Self.newTable)) (\(columns)) SELECT \(columns) FROM \(SQL.quote(name))"
    )
    try connection.execute("DROP TABLE \(SQL.quote(name))")
    try connection.execute(
      "ALTER TABLE \(SQL.quote(Self.newTable)) RENAME TO \(SQL.quote(name))")
  }
}

extension DatabaseSchema.Table {
  /// Returns whether a column has values of an attribute by which no object is found.
  fileprivate func isConvertible(_ position: Int) -> Bool {
    !key.contains(position) && !entities.contains { identities[$0].contains(position) }
      && entities.contains { attributes[$0].contains(position) }
  }

  /// Returns the first few keys, as a message names them: `id 1, id 2 and 5 more`.
  func describe(_ keys: [RowKey]) -> String {
    let named = keys.prefix(3).map { key in
      zip(keyColumns, key.values).map { column, value in
        let text = OwnedValue.withRawValues([value][...]) {
          AttributeValue($0[0], type: column.type)?.shortText
        }
        return "\(column.name) \(text ?? "?")"
      }.joined(separator: " ")
    }
    let rest = keys.count > 3 ? " and \(keys.count - 3) more" : ""
    return named.joined(separator: ", ") + rest
  }
}
