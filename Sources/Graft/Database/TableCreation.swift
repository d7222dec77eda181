extension DatabaseSchema {
  /// The statements that create the tables, each with its foreign keys.
  ///
  /// - Parameters:
  ///   - dialect: The SQL of the database.
  ///   - present: The names of tables that are there already.
  /// - Returns: The statements, in the order in which they run.
  func creationStatements(_ dialect: SQLDialect, except present: Set<String> = []) -> [String] {
    var statements: [String] = []
    var constraints: [String] = []
    func declaration(_ column: Column) -> String {
      dialect.declaration(column) + (column.isRequired ? " NOT NULL" : "")
    }
    func refer(
      _ name: String, _ columns: [Column], to table: Table, onDelete: String = ""
    ) -> String {
      "FOREIGN KEY (\(SQL.list(columns.map(\.name)))) REFERENCES \(SQL.quote(table.name))"
        + " (\(SQL.list(table.keyNames)))\(onDelete) ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED"
    }
    func add(_ name: String, _ columns: [String], _ keys: [String], suffix: String) {
      if present.contains(name) { return }
      let inline = dialect.refersForward ? keys : []
      if !dialect.refersForward {
        constraints += keys.map { "ALTER TABLE \(SQL.quote(name)) ADD \($0)" }
      }
      statements.append(
        "CREATE TABLE \(SQL.quote(name)) (\((columns + inline).joined(separator: ", ")))\(suffix)")
    }
    for table in tables {
      let isInteger = table.key.count == 1 && table.columns[table.key[0]].type == .integer64
      var columns = table.columns.enumerated().map { position, column in
        declaration(column)
          + (isInteger && table.key == [position] ? " PRIMARY KEY" : "")
      }
      if !isInteger { columns.append("PRIMARY KEY (\(SQL.list(table.keyNames)))") }
      add(
        table.name, columns,
        references(of: table).map { refer(table.name, $0.columns, to: tables[$0.table]) },
        suffix: isInteger ? "" : dialect.keyedTableSuffix)
    }
    for list in lists {
      var columns = (list.ownerColumns + list.memberColumns).map { declaration($0) }
      if list.isOrdered {
        columns.append(declaration(Column(name: "position", type: .integer64, isRequired: true)))
      }
      let key = (list.ownerColumns + list.memberColumns).map(\.name)
      columns.append("PRIMARY KEY (\(SQL.list(key)))")
      add(
        list.name, columns,
        [
          refer(
            list.name, list.ownerColumns, to: tables[list.ownerTable],
            onDelete: " ON DELETE CASCADE"
          ),
          refer(
            list.name, list.memberColumns, to: tables[list.memberTable],
            onDelete: " ON DELETE CASCADE"),
        ], suffix: dialect.keyedTableSuffix)
    }
    return statements + constraints
  }

  /// The statements that create the indexes that every import needs: those by which objects are found that have
  /// no identity of their own in the key.
  func lookupIndexStatements() -> [String] {
    var statements: [String] = []
    for table in tables {
      var indexed: Set<[Int]> = [table.key]
      func add(_ columns: [Int]) {
        guard !columns.isEmpty, indexed.insert(columns).inserted else { return }
        statements.append(
          Self.index(on: table.name, columns.map { table.columns[$0].name }))
      }
      for entity in table.entities {
        if table.isKeyedByRow { add(table.identities[entity]) }
        for other in model.entities {
          for relationship in other.relationships where relationship.destination == entity {
            guard let attribute = relationship.relatedBy else { continue }
            add([table.attributes[entity][attribute]])
          }
        }
      }
    }
    return statements
  }

  /// The statements that create the indexes for reading.
  ///
  /// They are of relationships, from their other end, and of what the model says is indexed. A first import makes
  /// them when it has ended.
  func readingIndexStatements() -> [String] {
    var statements: [String] = []
    for table in tables {
      var indexed: Set<[Int]> = [table.key]
      func add(_ columns: [Int]) {
        guard indexed.insert(columns).inserted else { return }
        statements.append(Self.index(on: table.name, columns.map { table.columns[$0].name }))
      }
      for reference in references(of: table) { add(reference.positions) }
      for entity in table.entities {
        for (number, attribute) in model.entities[entity].attributes.enumerated()
        where attribute.isIndexed {
          add([table.attributes[entity][number]])
        }
      }
    }
    for list in lists {
      statements.append(Self.index(on: list.name, list.memberColumns.map(\.name)))
    }
    return statements
  }

  /// The to-one relationships of a table's entities, each once.
  func references(of table: Table) -> [(columns: [Column], positions: [Int], table: Int)] {
    var seen: Set<[Int]> = []
    var result: [(columns: [Column], positions: [Int], table: Int)] = []
    for entity in table.entities {
      for (number, relationship) in model.entities[entity].relationships.enumerated() {
        let positions = table.references[entity][number]
        guard !positions.isEmpty, seen.insert(positions).inserted else { continue }
        result.append(
          (positions.map { table.columns[$0] }, positions, tableNumbers[relationship.destination]))
      }
    }
    return result
  }

  /// The statement that creates an index, unless it is there.
  static func index(on table: String, _ columns: [String]) -> String {
    let name = ([table] + columns).joined(separator: "_") + "_index"
    return "CREATE INDEX IF NOT EXISTS \(SQL.quote(SQL.shortened(name))) ON \(SQL.quote(table))"
      + " (\(SQL.list(columns)))"
  }
}
