import Graft

extension DatabaseSchema {
  /// Returns the statements that create the tables, with their foreign keys where the database does
  /// not check them during an import.
  ///
  /// - Parameters:
  ///   - dialect: The SQL of the database.
  ///   - present: The names of tables that are there already.
  /// - Returns: The statements, in the order in which they run.
  func creationStatements(_ dialect: SQLDialect, except present: Set<String> = []) -> [String] {
    tables.filter { !present.contains($0.name) }.map { creation(of: $0, dialect) }
      + lists.filter { !present.contains($0.name) }.map { creation(of: $0, dialect) }
      + distributionStatements(dialect.distribution, except: present)
  }

  /// Returns the statement that creates the table of an entity.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - dialect: The SQL of the database.
  ///   - name: Another name of the table; nil for its own.
  ///   - others: The declarations of columns that it has besides, which are not of the model.
  /// - Returns: The statement.
  func creation(
    of table: Table, _ dialect: SQLDialect, named name: String? = nil, others: [String] = []
  ) -> String {
    let isInteger = table.key.count == 1 && table.columns[table.key[0]].type == .integer64
    var columns = table.columns.enumerated().map { position, column in
      dialect.declaration(column) + (column.isRequired ? " NOT NULL" : "")
        + (isInteger && table.key == [position] ? " PRIMARY KEY" : "")
    }
    columns += others
    if !isInteger { columns.append("PRIMARY KEY (\(SQL.list(table.keyNames)))") }
    return creation(
      name ?? table.name, columns, foreignKeys(of: table),
      suffix: isInteger ? "" : dialect.keyedTableSuffix, dialect)
  }

  /// Returns the statement that creates the table of a to-many relationship.
  func creation(of list: List, _ dialect: SQLDialect) -> String {
    var columns = list.columns
    let key = list.keyEnd.columns + list.keyEnd.otherColumns
    if list.isOrdered {
      columns.append(Column(name: "position", type: .integer64, isRequired: true))
    }
    return creation(
      list.name,
      columns.map { dialect.declaration($0) + " NOT NULL" }
        + ["PRIMARY KEY (\(SQL.list(key.map(\.name))))"],
      foreignKeys(of: list), suffix: dialect.keyedTableSuffix, dialect)
  }

  private func creation(
    _ name: String, _ columns: [String], _ keys: [ForeignKey], suffix: String, _ dialect: SQLDialect
  ) -> String {
    let keys = dialect.checksLinks ? [] : keys.map(\.declaration)
    return
      "CREATE TABLE \(SQL.quote(name)) (\((columns + keys).joined(separator: ", ")))\(suffix)"
  }

  /// A foreign key.
  struct ForeignKey {
    let table: String
    let columns: [String]
    let target: Table
    /// Whether deleting the referenced row deletes the rows that refer to it.
    let cascades: Bool

    /// The name of the constraint, where it must have one.
    var name: String { SQL.shortened(([table] + columns + ["fkey"]).joined(separator: "_")) }

    /// The foreign key as its table's declaration has it.
    var declaration: String { declaration(followsKeys: true) }

    private func declaration(followsKeys: Bool) -> String {
      "FOREIGN KEY (\(SQL.list(columns))) REFERENCES \(SQL.quote(target.name)) (\(SQL.list(target.keyNames)))"
        + (cascades ? " ON DELETE CASCADE" : "") + (followsKeys ? " ON UPDATE CASCADE" : "")
        + " DEFERRABLE INITIALLY DEFERRED"
    }

    /// Returns the statement that adds the foreign key to a table.
    ///
    /// - Parameter followsKeys: Whether it changes with the key of that to which it refers.
    /// - Returns: The statement.
    func statement(followsKeys: Bool) -> String {
      "ALTER TABLE \(SQL.quote(table)) ADD CONSTRAINT \(SQL.quote(name)) \(declaration(followsKeys: followsKeys))"
    }
  }

  /// Returns the foreign keys of all tables.
  func foreignKeys() -> [ForeignKey] {
    tables.flatMap { foreignKeys(of: $0) } + lists.flatMap { foreignKeys(of: $0) }
  }

  func foreignKeys(of table: Table) -> [ForeignKey] {
    references(of: table).map {
      ForeignKey(
        table: table.name, columns: $0.columns.map(\.name), target: tables[$0.table],
        cascades: false)
    }
  }

  func foreignKeys(of list: List) -> [ForeignKey] {
    [(list.ownerColumns, list.ownerTable), (list.memberColumns, list.memberTable)].map {
      ForeignKey(table: list.name, columns: $0.map(\.name), target: tables[$1], cascades: true)
    }
  }

  /// Returns the statements for the missing foreign keys, if the database checks them during an import.
  ///
  /// Checking the links of all rows at once costs a fraction of checking each inserted row. So a
  /// first import adds the foreign keys at its end, like the indexes for reading.
  ///
  /// - Parameters:
  ///   - dialect: The SQL of the database.
  ///   - present: The names of the constraints that it has, by table.
  /// - Returns: The statements.
  func foreignKeyStatements(
    _ dialect: SQLDialect, except present: [String: Set<String>]
  ) -> [String] {
    guard dialect.checksLinks else { return [] }
    return foreignKeys().filter {
      present[$0.table]?.contains($0.name) != true && dialect.distribution.allows($0, in: self)
    }.map { $0.statement(followsKeys: dialect.distribution == nil) }
  }

  var indexes: [Index] { lookupIndexes + readingIndexes }

  /// The indexes that every import needs, to find objects whose identity is not the key.
  var lookupIndexes: [Index] {
    let related = Dictionary(
      grouping: model.entities.lazy.flatMap(\.relationships).filter { $0.relatedBy != nil },
      by: \.destination)
    var indexes: [Index] = []
    for table in tables {
      var indexed: Set<[Int]> = [table.key]
      func add(_ columns: [Int]) {
        guard !columns.isEmpty, indexed.insert(columns).inserted else { return }
        indexes.append(Index(table: table.name, columns: columns.map { table.columns[$0].name }))
      }
      for entity in table.entities {
        if table.isKeyedByNumber { add(table.identities[entity]) }
        for attribute in related[entity, default: []].compactMap(\.relatedBy) {
          add([table.attributes[entity][attribute]])
        }
      }
    }
    return indexes
  }

  /// The indexes for reading.
  ///
  /// They cover relationships from their other end, and the attributes that the model marks as
  /// indexed, except for those that keep JSON. A first import makes them when it has ended.
  var readingIndexes: [Index] {
    var indexes: [Index] = []
    for table in tables {
      var indexed: Set<[Int]> = [table.key]
      func add(_ columns: [Int]) {
        guard indexed.insert(columns).inserted else { return }
        indexes.append(Index(table: table.name, columns: columns.map { table.columns[$0].name }))
      }
      for reference in references(of: table) { add(reference.positions) }
      for entity in table.entities {
        for (number, attribute) in model.entities[entity].attributes.enumerated()
        where attribute.isIndexed && attribute.type != .transformable {
          add([table.attributes[entity][number]])
        }
      }
    }
    for list in lists {
      indexes.append(Index(table: list.name, columns: list.keyEnd.otherColumns.map(\.name)))
    }
    return indexes
  }

  /// A to-one relationship.
  struct Reference {
    /// The topmost entity that has it, and its number there.
    let entity: Int
    let relationship: Int
    /// Its columns and their positions.
    let columns: [Column]
    let positions: [Int]
    /// The number of the table to which it leads.
    let table: Int
  }

  /// Returns the to-one relationships of a table's entities, each once.
  func references(of table: Table) -> [Reference] {
    var seen: Set<[Int]> = []
    var result: [Reference] = []
    for entity in table.entities {
      for (number, relationship) in model.entities[entity].relationships.enumerated() {
        let positions = table.references[entity][number]
        guard !positions.isEmpty, seen.insert(positions).inserted else { continue }
        result.append(
          Reference(
            entity: entity, relationship: number, columns: positions.map { table.columns[$0] },
            positions: positions, table: tableNumbers[relationship.destination]))
      }
    }
    return result
  }

  /// An index of some columns of a table or list.
  struct Index: Hashable {
    var table: String
    var columns: [String]

    var name: String { SQL.shortened(([table] + columns).joined(separator: "_") + "_index") }

    /// The statement that creates the index, unless it exists.
    var creation: String {
      "CREATE INDEX IF NOT EXISTS \(SQL.quote(name)) ON \(SQL.quote(table)) (\(SQL.list(columns)))"
    }

    var removal: String { "DROP INDEX IF EXISTS \(SQL.quote(name))" }
  }
}
