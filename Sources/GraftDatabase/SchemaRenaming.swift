// How tables follow a model in which entities and properties have new names. `renamingIdentifier` says what
// one was called before, as in Core Data:
//
//   {"name": "body", "type": "String", "userInfo": {"renamingIdentifier": "text"}}
//
// The present model is given the new names first, and nothing else. So its tables and columns differ from those of
// the database in their names alone, position by position, and are renamed; what else has changed is added or
// converted afterwards (`SchemaChange`).

import Graft

/// What must be renamed in a database before its model can change otherwise.
struct SchemaRenaming {
  /// The present model under its new names.
  let schema: DatabaseSchema
  private(set) var statements: [String] = []

  /// Compares the present model with the next one.
  ///
  /// - Parameters:
  ///   - old: The tables of the present model.
  ///   - model: The next model.
  ///   - dialect: The SQL of the database.
  ///   - refuse: Makes the error for names that cannot be told apart.
  /// - Throws: That error.
  init(
    _ old: DatabaseSchema, for model: GraphModel, _ dialect: SQLDialect,
    refuse: (String) -> StoreError
  ) throws(StoreError) {
    let renamed = Self.renamed(old.model, for: model)
    guard renamed != old.model.entities else {
      schema = old
      return
    }
    schema = DatabaseSchema(ModelSchema(entities: renamed, dialect: old.model.dialect), dialect)
    for (table, next) in zip(old.tables, schema.tables)
    where table.columns.count != next.columns.count {
      throw refuse(
        "has columns of \"\(table.name)\" that several entities share, and the model renames only some of them;"
          + " give all of them the same \(ModelAnnotations.renamingIdentifier)")
    }
    let tables = Array(zip(old.tables, schema.tables))
    let lists = Array(zip(old.lists, schema.lists))
    for (table, next) in tables where table.entityColumn != nil {
      renameEntities(of: table, to: next, old.model)
    }
    rename(
      tables.map { ($0.name, $1.name) } + lists.map { ($0.name, $1.name) },
      { "ALTER TABLE \($0) RENAME TO \($1)" })
    for (table, next) in tables {
      rename(columns: zip(table.columns, next.columns).map { ($0.name, $1.name) }, of: next.name)
    }
    for (list, next) in lists {
      let columns = zip(
        list.ownerColumns + list.memberColumns, next.ownerColumns + next.memberColumns)
      rename(columns: columns.map { ($0.name, $1.name) }, of: next.name)
    }
    // Foreign keys with names are added by the next import, as they are after a first one.
    for (key, next) in zip(old.foreignKeys(), schema.foreignKeys())
    where dialect.checksLinks && key.name != next.name {
      statements.append(
        "ALTER TABLE \(SQL.quote(next.table)) DROP CONSTRAINT IF EXISTS \(SQL.quote(key.name))")
    }
    // Indexes have the names of what they are of.
    let kept = Set(schema.indexes.map(\.name))
    statements += old.indexes.filter { !kept.contains($0.name) }.map(\.removal)
  }

  private mutating func rename(columns: [(String, String)], of table: String) {
    rename(columns) { "ALTER TABLE \(SQL.quote(table)) RENAME COLUMN \($0) TO \($1)" }
  }

  /// Adds statements that give several things new names, of which some may be present names of others.
  private mutating func rename(
    _ names: [(old: String, new: String)], _ statement: (String, String) -> String
  ) {
    let changed = names.filter { $0.old != $0.new }
    let taken = Set(names.map { $0.old.lowercased() })
    let waiting = changed.enumerated().filter { taken.contains($0.element.new.lowercased()) }
    for (number, name) in waiting {
      statements.append(statement(SQL.quote(name.old), SQL.quote("_graft_\(number)")))
    }
    for (number, name) in changed.enumerated() {
      let isWaiting = taken.contains(name.new.lowercased())
      statements.append(
        statement(SQL.quote(isWaiting ? "_graft_\(number)" : name.old), SQL.quote(name.new)))
    }
  }

  /// Adds a statement that gives rows the new names of their entities, under the old name of the table.
  private mutating func renameEntities(
    of table: DatabaseSchema.Table, to next: DatabaseSchema.Table, _ model: ModelSchema
  ) {
    let names = zip(table.entities, next.entities).map {
      (old: model.entities[$0].name, new: schema.model.entities[$1].name)
    }.filter { $0.old != $0.new }
    guard !names.isEmpty, let column = table.entityColumn else { return }
    let name = SQL.quote(table.columns[column].name)
    let cases = names.map { "WHEN \(SQL.literal($0.old)) THEN \(SQL.literal($0.new))" }
    statements.append(
      "UPDATE \(SQL.quote(table.name)) SET \(name) = CASE \(name)"
        + " \(cases.joined(separator: " ")) ELSE \(name) END")
  }

  // MARK: Names

  /// The entities of a model under the names that the next one has for them.
  private static func renamed(_ old: ModelSchema, for model: GraphModel) -> [EntitySchema] {
    let next = model.schema
    var entities = old.entities
    let formerNames = FormerNames(model)
    var taken: Set<Int> = []
    for entity in next.entities {
      guard
        let number = old.number(
          ofEntity: entity.name, orFormerly: formerNames.entities[entity.name], besides: next),
        taken.insert(number).inserted
      else { continue }
      entities[number].name = entity.name
      let properties = formerNames.properties(of: entity, in: next)
      rename(&entities[number].attributes, \.name, entity.attributes.map(\.name), properties)
      rename(&entities[number].relationships, \.name, entity.relationships.map(\.name), properties)
    }
    return entities
  }

  /// Gives properties the names of those that say that they were called so, unless there is one that is called so
  /// now.
  private static func rename<Property>(
    _ properties: inout [Property], _ name: WritableKeyPath<Property, String>, _ next: [String],
    _ formerNames: [String: String]
  ) {
    for new in next where !properties.contains(where: { $0[keyPath: name] == new }) {
      guard let former = formerNames[new], !next.contains(former),
        let index = properties.firstIndex(where: { $0[keyPath: name] == former })
      else { continue }
      properties[index][keyPath: name] = new
    }
  }
}

/// What the entities and properties of a model were called before.
private struct FormerNames {
  private(set) var entities: [String: String] = [:]
  /// By entity, without what it inherits.
  private var properties: [String: [String: String]] = [:]

  init(_ model: GraphModel) {
    let key = ModelAnnotations.renamingIdentifier
    for entity in model.entities {
      // The annotations of an entity of ZDS are keys of JSON.
      if model.dialect != .zds { entities[entity.name] = entity.userInfo[key] }
      for attribute in entity.attributes {
        properties[entity.name, default: [:]][attribute.name] = attribute.userInfo[key]
      }
      for relationship in entity.relationships {
        properties[entity.name, default: [:]][relationship.name] = relationship.userInfo[key]
      }
    }
  }

  /// The former names of an entity's properties, inherited ones included.
  func properties(of entity: EntitySchema, in model: ModelSchema) -> [String: String] {
    var result: [String: String] = [:]
    var next: EntitySchema? = entity
    while let current = next {
      result.merge(properties[current.name] ?? [:]) { nearer, _ in nearer }
      next = current.superentity.map { model.entities[$0] }
    }
    return result
  }
}

extension ModelSchema {
  /// The number of the entity of a name, or else of its former name, unless another model still has an entity
  /// of that.
  fileprivate func number(
    ofEntity name: String, orFormerly former: String?, besides next: ModelSchema
  ) -> Int? {
    if let number = entityNumbers[name] { return number }
    guard let former, next.entityNumbers[former] == nil else { return nil }
    return entityNumbers[former]
  }
}
