// Matches the tables, columns and lists of a database with those of a new model. They match if they
// hold the same attribute or relationship of an entity, whatever their names: `renamingIdentifier`
// gives the current model the next one's names first, and then
//
//   Tweet.text in "Tweet"."text"       is    Status.body in "Status"."body"
//   Repo.watchers in "Repo_watchers"   is    Repo.watchers in "Repo_watchers"
//
// Tables, columns and lists without a counterpart in the next model are former; those without one
// in the database are new.

import Graft

/// Maps the tables and columns of one schema to those of another.
struct SchemaMatch {
  /// A table that both have.
  struct TableMatch {
    let old: DatabaseSchema.Table
    let new: DatabaseSchema.Table
    /// The positions of the old columns for the same property, by their position in the new table.
    ///
    /// There are several where an entity has a property that entities below it had before, each in a column of its own.
    fileprivate(set) var columns: [Int: [Int]] = [:]

    /// The places of the old key's columns in the new key, which has the same columns.
    var keyOrder: [Int] {
      old.key.map { column in
        new.key.firstIndex { columns[$0]?.first == column } ?? .max
      }
    }

    /// Whether the columns of the key have another order now, because parts of an identity are sorted by name.
    var hasReorderedKey: Bool { keyOrder != Array(old.key.indices) }

    /// The columns that the next model no longer has.
    var former: [Int] {
      let kept = Set(columns.values.joined())
      return old.columns.indices.filter { !kept.contains($0) }
    }
  }

  /// The current schema, under its current names.
  let old: DatabaseSchema
  let new: DatabaseSchema
  /// The entities of the current model under their next names, with their current numbers.
  let renamed: ModelSchema
  private(set) var tables: [TableMatch] = []
  /// The index of each new table's match in `tables`.
  private var matches: [Int: Int] = [:]
  /// The lists that both have, in the same form.
  private(set) var lists: [(old: DatabaseSchema.List, new: DatabaseSchema.List)] = []

  /// Compares the schema of a database with the schema of the next model.
  ///
  /// - Parameters:
  ///   - old: The tables of the current model.
  ///   - new: The tables of the next model.
  ///   - models: The current and the next model.
  ///   - refuse: Makes the error for a change that needs a decision of the user.
  /// - Throws: That error.
  init(
    _ old: DatabaseSchema, _ new: DatabaseSchema, _ models: (old: GraphModel, new: GraphModel),
    refuse: (String) -> StoreError
  ) throws(StoreError) {
    self.old = old
    self.new = new
    renamed = ModelSchema(
      entities: FormerNames.renamed(models.old, old.model, for: models.new),
      dialect: old.model.dialect)
    for table in old.tables {
      guard let match = try match(table, refuse) else { continue }
      matches[match.new.number] = tables.count
      tables.append(match)
    }
    for list in old.lists {
      guard let relationship = counterpart(list.relationship, of: list.entity),
        case .list(let number)? = new.members[relationship.entity][relationship.number],
        new.lists[number].entity == relationship.entity,
        new.lists[number].isOrdered == list.isOrdered,
        new.lists[number].isSymmetric == list.isSymmetric,
        !isNarrower(relationship.number, of: relationship.entity)
      else { continue }
      lists.append((list, new.lists[number]))
    }
  }

  // MARK: Counterparts

  /// Returns the next model's number of a current entity; nil where it has none.
  func counterpart(ofEntity entity: Int) -> Int? {
    new.model.entityNumbers[renamed.entities[entity].name]
  }

  /// Returns the next model's entity and relationship of a current one.
  func counterpart(_ relationship: Int, of entity: Int) -> (entity: Int, number: Int)? {
    guard let next = counterpart(ofEntity: entity) else { return nil }
    let name = renamed.entities[entity].relationships[relationship].name
    return new.model.entities[next].relationships.firstIndex { $0.name == name }
      .map { (next, $0) }
  }

  /// Returns the current relationships that became a relationship of the next model, each with the topmost entity that
  /// has it.
  ///
  /// There are several where an entity has a relationship that entities below it had before.
  func origins(of relationship: Int, of entity: Int) -> [(entity: Int, number: Int)] {
    new.model.entities[entity].family.reduce(into: []) { result, member in
      guard let (entity, number) = origin(of: relationship, of: member) else { return }
      let top = old.model.top(of: number, entity)
      if !result.contains(where: { $0 == (top, number) }) { result.append((top, number)) }
    }
  }

  /// Returns whether the current model has neither a relationship of the next model nor its inverse.
  func isNew(_ relationship: Int, of entity: Int) -> Bool {
    let link = new.model.entities[entity].relationships[relationship]
    return origins(of: relationship, of: entity).isEmpty
      && link.inverse.map { origins(of: $0, of: link.destination).isEmpty } ?? true
  }

  /// Returns whether a relationship of the next model no longer leads from or to some entities of the current one.
  func isNarrower(_ relationship: Int, of entity: Int) -> Bool {
    let next = new.ends(of: relationship, of: entity)
    return origins(of: relationship, of: entity).contains { origin in
      let ends = old.ends(of: origin.number, of: origin.entity)
      return [(ends.owners, next.owners), (ends.members, next.members)].contains { before, now in
        before.entities.compactMap(counterpart).contains { !now.entities.contains($0) }
      }
    }
  }

  /// Returns the current entity and relationship that became a relationship of the next model.
  func origin(of relationship: Int, of entity: Int) -> (entity: Int, number: Int)? {
    guard let number = renamed.entityNumbers[new.model.entities[entity].name] else { return nil }
    let name = new.model.entities[entity].relationships[relationship].name
    return renamed.entities[number].relationships.firstIndex { $0.name == name }
      .map { (number, $0) }
  }

  /// Returns the match of a new table; nil for one that is made.
  func match(of table: DatabaseSchema.Table) -> TableMatch? {
    matches[table.number].map { tables[$0] }
  }

  // MARK: Matching

  private static let remedy = "; import into a new database, or keep the model as it was"

  private func match(
    _ table: DatabaseSchema.Table, _ refuse: (String) -> StoreError
  ) throws(StoreError) -> TableMatch? {
    let numbers = table.entities.compactMap(counterpart)
    guard let first = numbers.first else { return nil }
    let next = new.table(of: first)
    let names = Set(next.entities.map { new.model.entities[$0].name })
    if let entity = table.entities.first(where: { entity in
      counterpart(ofEntity: entity) != nil && !names.contains(renamed.entities[entity].name)
    }) {
      throw refuse(
        "has objects of \"\(renamed.entities[entity].name)\" in the table \"\(table.name)\", and the model now keeps"
          + " them in another, of \"\(next.name)\"\(Self.remedy)")
    }
    for number in next.entities {
      let entity = new.model.entities[number]
      guard let before = renamed.entityNumbers[entity.name] else { continue }
      guard old.tableNumbers[before] == table.number else {
        throw refuse(
          "has objects of \"\(entity.name)\" in a table of their own, and the model now keeps them with those of"
            + " \"\(next.name)\"\(Self.remedy)")
      }
    }
    var match = TableMatch(old: table, new: next)
    func add(_ column: Int, as position: Int) {
      if match.columns[position]?.contains(column) != true {
        match.columns[position, default: []].append(column)
      }
    }
    if table.isKeyedByNumber, next.isKeyedByNumber { add(table.key[0], as: next.key[0]) }
    if let column = table.entityColumn, let position = next.entityColumn {
      add(column, as: position)
    }
    add(table.stubColumn, as: next.stubColumn)
    for entity in table.entities {
      guard let number = counterpart(ofEntity: entity) else { continue }
      for (attribute, column) in table.attributes[entity].enumerated() {
        let name = renamed.entities[entity].attributes[attribute].name
        if let found = new.model.entities[number].attributeNumber(named: name) {
          add(column, as: next.attributes[number][found])
        }
      }
      for (relationship, columns) in table.references[entity].enumerated() where !columns.isEmpty {
        guard let found = counterpart(relationship, of: entity) else { continue }
        let positions = next.references[number][found.number]
        let parts = parts(relationship, of: entity, found)
        for (column, part) in zip(columns, parts) where part < positions.count {
          // The next model may have it in several entities below. One takes the column; the links of others are moved.
          let isTaken = match.columns.contains {
            $0.key != positions[part] && $0.value.contains(column)
          }
          if !isTaken { add(column, as: positions[part]) }
        }
      }
    }
    for (relationship, entity) in table.entities.flatMap({ entity in
      renamed.entities[entity].relationships.indices.map { ($0, entity) }
    }) {
      try requireDestination(relationship, of: entity, refuse)
    }
    try requireKey(match, refuse)
    let uses = Dictionary(
      grouping: match.columns.flatMap { next in next.value.map { ($0, next.key) } }
    ) { $0.0 }
    guard !uses.values.contains(where: { $0.count > 1 }) else {
      throw refuse(
        "has columns of \"\(table.name)\" that several entities share, and the model renames only some of them;"
          + " give all of them the same \(ModelAnnotations.renamingIdentifier)")
    }
    return match
  }

  /// Returns the places that the parts of a reference have in the next model's, whose key may have
  /// its parts in another order.
  private func parts(
    _ relationship: Int, of entity: Int, _ next: (entity: Int, number: Int)
  ) -> [Int] {
    let target = renamed.entities[renamed.entities[entity].relationships[relationship].destination]
    let table = old.table(of: target.number)
    let newTarget = new.model.entities[
      new.model.entities[next.entity].relationships[next.number].destination]
    let newTable = new.table(of: newTarget.number)
    guard !table.isKeyedByNumber, !newTable.isKeyedByNumber else { return Array(table.key.indices) }
    return target.identity.map { attribute in
      newTarget.identity.firstIndex {
        newTarget.attributes[$0].name == target.attributes[attribute].name
      } ?? .max
    }
  }

  /// Refuses a relationship that now leads to objects of another table, or of fewer entities.
  private func requireDestination(
    _ relationship: Int, of entity: Int, _ refuse: (String) -> StoreError
  ) throws(StoreError) {
    guard let next = counterpart(relationship, of: entity) else { return }
    let present = renamed.entities[entity].relationships[relationship]
    let destination = new.model.entities[
      new.model.entities[next.entity].relationships[next.number].destination]
    let former = renamed.entities[present.destination].name
    guard let same = new.model.entityNumbers[former], destination.family.contains(same) else {
      throw refuse(
        "has the relationship \"\(present.name)\" of \"\(renamed.entities[entity].name)\" to \"\(former)\", and the"
          + " model now says to \"\(destination.name)\"; give it another name, or keep the model as it was"
      )
    }
  }

  private func requireKey(
    _ match: TableMatch, _ refuse: (String) -> StoreError
  ) throws(StoreError) {
    for entity in match.old.entities where match.old.isKeyedByNumber && match.new.isKeyedByNumber {
      guard let next = counterpart(ofEntity: entity) else { continue }
      let (before, now) = (match.old.identities[entity], match.new.identities[next])
      guard
        before.count == now.count,
        now.allSatisfy({ match.columns[$0].map { !Set($0).isDisjoint(with: before) } ?? false })
      else {
        func names(_ columns: [Int], _ table: DatabaseSchema.Table) -> String {
          columns.isEmpty ? "nothing" : columns.map { table.columns[$0].name }.quoted
        }
        throw refuse(
          "has objects of \"\(new.model.entities[next].name)\" that were identified by"
            + " \(names(before, match.old)), and the model now identifies them by"
            + " \(names(now, match.new))\(Self.remedy)")
      }
    }
    let key = match.new.key.compactMap { match.columns[$0]?.first }
    guard key.count == match.new.key.count, Set(key) == Set(match.old.key) else {
      let change =
        match.new.isKeyedByNumber
        ? "keeps them by a number, since they may lack their identity"
        : "identifies them by \(match.new.keyNames.quoted)"
      throw refuse(
        "has objects of \"\(match.new.name)\" under the key \(match.old.keyNames.quoted), and the model now"
          + " \(change)\(Self.remedy)")
    }
  }
}

/// The former names of a model's entities and properties.
private struct FormerNames {
  private(set) var entities: [String: String] = [:]
  /// The former names of properties, by entity, without inherited ones.
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

  /// Returns the former names of an entity's properties, inherited ones included.
  func properties(of entity: EntitySchema, in model: ModelSchema) -> [String: String] {
    var result: [String: String] = [:]
    var next: EntitySchema? = entity
    while let current = next {
      result.merge(properties[current.name] ?? [:]) { nearer, _ in nearer }
      next = current.superentity.map { model.entities[$0] }
    }
    return result
  }

  /// Renames the entities of the current model, and their properties.
  ///
  /// - Parameters:
  ///   - current: The current model.
  ///   - schema: The same, compiled.
  ///   - next: The next model.
  /// - Returns: The entities under the names that the next model has for them.
  static func renamed(
    _ current: GraphModel, _ schema: ModelSchema, for next: GraphModel
  ) -> [EntitySchema] {
    var entities = schema.entities.map(\.fields)
    let (before, after) = (FormerNames(current), FormerNames(next))
    let names = nextNames(
      of: entities.map(\.name), among: next.schema.entities.map(\.name), before.entities,
      after.entities)
    for (number, name) in names.enumerated() {
      let former = before.properties(of: schema.entities[number], in: schema)
      entities[number].name = name
      guard let entity = next.schema.entityNumbers[name].map({ next.schema.entities[$0] }) else {
        continue
      }
      let properties = after.properties(of: entity, in: next.schema)
      let attributes = nextNames(
        of: entities[number].attributes.map(\.name), among: entity.attributes.map(\.name), former,
        properties)
      entities[number].attributes = zip(entities[number].attributes, attributes).map {
        attribute, name in attribute.with { $0.name = name }
      }
      let relationships = nextNames(
        of: entities[number].relationships.map(\.name),
        among: entity.relationships.map(\.name), former, properties)
      entities[number].relationships = zip(entities[number].relationships, relationships).map {
        relationship, name in relationship.with { $0.name = name }
      }
    }
    return entities.map { EntitySchema($0) }
  }

  /// Returns the names that entities or properties have in the next model.
  ///
  /// | current | next, with former names | result |
  /// |---|---|---|
  /// | `a`, `b` | `b` (`a`), `c` (`b`) | `a` is `b`, `b` is `c` |
  /// | `a`, `b` | `a` (`b`), `b` (`a`) | exchanged |
  /// | `a`, `b` | `a`, `b` (`a`) | both stay, since `a` has no other name |
  /// | `b` (`a`) | `b` (`a`) | stays: it has got its name before |
  /// | `b` (`a`) | `c` (`a`) | `b` is `c`: Xcode's renaming ID is the first name of all |
  ///
  /// - Parameters:
  ///   - names: The names in the current model.
  ///   - next: The names in the next model.
  ///   - before: The former names that the current model states.
  ///   - after: The former names that the next model states.
  /// - Returns: The next names, in the order of `names`. A name that is in the next model and means something else
  ///   there is replaced by an unused one.
  private static func nextNames(
    of names: [String], among next: [String], _ before: [String: String],
    _ after: [String: String]
  ) -> [String] {
    let present = Set(names)
    let namesByFirst = Dictionary(
      names.compactMap { name in before[name].map { ($0, name) } },
      uniquingKeysWith: { first, _ in first })
    /// Returns the current name of what has another name next.
    func origin(of name: String) -> String? {
      guard let former = after[name], former != name,
        former != before[name] || !present.contains(name)
      else { return nil }
      return present.contains(former) ? former : namesByFirst[former]
    }
    // What stays keeps its name from being another's former one, which then stays too.
    var waiting: [String: [String]] = [:]
    var staying: [String] = []
    for name in next where present.contains(name) {
      if let origin = origin(of: name), origin != name {
        waiting[origin, default: []].append(name)
      } else {
        staying.append(name)
      }
    }
    var stays: Set<String> = []
    while let name = staying.popLast() {
      if stays.insert(name).inserted { staying += waiting[name] ?? [] }
    }
    var moved: [String: String] = [:]
    for name in next where !stays.contains(name) {
      if let origin = origin(of: name), !stays.contains(origin), moved[origin] == nil {
        moved[origin] = name
      }
    }
    let taken = Set(next)
    var used = taken.union(present)
    return names.map { name in
      if stays.contains(name) { return name }
      if let moved = moved[name] { return moved }
      guard taken.contains(name) else { return name }
      var unused = name
      repeat { unused += " (former)" } while !used.insert(unused).inserted
      return unused
    }
  }
}
