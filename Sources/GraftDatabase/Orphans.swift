public import Graft

// An object that nothing refers to is often left over: a tag that no tweet has any more, an address whose owner has got
// another one. Whether it is depends on the model: nothing refers to most objects of roots either. So orphans are asked
// for by their entity.
//
// An object is referred to by every relationship that leads to it, in whatever column or table the link is:
//
//   Tweet.tags, with Tag              Tag:   no row of "Tweet_tags" has its key
//   Tweet.author, inverse of tweets   User:  no row of "Tweet" has its key as "author"
//                                     Tweet: its own "author" is null, since `tweets` of her author leads to it

// The orphans of a database.
extension GraphDatabase {
  /// Returns the condition of objects to which no relationship of another object leads.
  ///
  /// ```swift
  /// let unused = try database.objects("Tag", where: database.orphans(of: "Tag"), limit: 100)
  /// ```
  ///
  /// - Parameter entity: The entity of the objects. Where a relationship to it has an inverse, the
  ///   one way is as good as the other: a tweet with an author is no orphan if users have a
  ///   relationship to their tweets.
  /// - Returns: The condition, for objects of this entity.
  /// - Throws: ``Graft/StoreError`` if the model has no such entity.
  /// - Complexity: A query with it looks each object up in an index of every relationship that may lead to it.
  public func orphans(of entity: String) throws(StoreError) -> DatabaseCondition<GraphObject> {
    let entity = try schema.model.entity(entity)
    return DatabaseCondition(sql: OrphanSearch(schema, schema.table(of: entity.number)).sql)
  }

  /// Returns the condition of objects to which no relationship of another object leads.
  ///
  /// ```swift
  /// let unused = try database.objects(Tag.self, where: database.orphans(of: Tag.self), limit: 100)
  /// ```
  ///
  /// - Parameter entity: The entity of the objects.
  /// - Returns: The condition, for objects of this entity.
  /// - Throws: ``Graft/StoreError`` if the model was not made from the entity.
  /// - Complexity: A query with it looks each object up in an index of every relationship that may lead to it.
  public func orphans<E: Entity>(of entity: E.Type) throws(StoreError) -> DatabaseCondition<E> {
    let entity = try schema(of: entity)
    return DatabaseCondition(sql: OrphanSearch(schema, schema.table(of: entity.number)).sql)
  }

  /// Deletes objects of a typed entity to which no relationship of another object leads, by the delete rules of the
  /// model, until there are none.
  ///
  /// Others may read and write while it runs: each thousand objects are a write of their own.
  ///
  /// - Parameters:
  ///   - entity: The entity; objects of the entities below it are deleted as well.
  ///   - condition: A further condition that the objects meet; nil for all.
  /// - Returns: The number of deleted objects, without objects that delete rules have taken along.
  /// - Throws: ``Graft/StoreError`` if the model was not made from the entity, if a delete rule denies it, or
  ///   if the database cannot be written; objects deleted before stay deleted.
  /// - Complexity: O(*n* log *n*) in the objects of the entity for each pass. Passes follow until one deletes nothing: in a
  ///   chain of orphans, one for each at most. A thousand objects are in memory.
  @discardableResult
  public func deleteOrphans<E: Entity>(
    of entity: E.Type, where condition: DatabaseCondition<E>? = nil
  ) throws -> Int {
    let name = try schema(of: entity).name
    return try deleteOrphans(of: name, where: condition.map { DatabaseCondition($0.form) })
  }

  /// Deletes objects of an entity to which no relationship of another object leads, by the delete rules of the model,
  /// until there are none.
  ///
  /// Others may read and write while it runs: each thousand objects are a write of their own.
  ///
  /// - Parameters:
  ///   - entity: The entity's name; objects of the entities below it are deleted as well.
  ///   - condition: A further condition that the objects meet; nil for all.
  /// - Returns: The number of deleted objects, without objects that delete rules have taken along.
  /// - Throws: ``Graft/StoreError`` if the model has no such entity, if a delete rule denies it, or
  ///   if the database cannot be written; objects deleted before stay deleted.
  /// - Complexity: O(*n* log *n*) in the objects of the entity for each pass. Passes follow until one deletes nothing: in a
  ///   chain of orphans, one for each at most. A thousand objects are in memory.
  @discardableResult
  public func deleteOrphans(
    of entity: String, where condition: DatabaseCondition<GraphObject>? = nil
  ) throws -> Int {
    let orphans = try orphans(of: entity)
    let all = condition.map { orphans && $0 } ?? orphans
    var query = DatabaseQuery(
      entity: try schema.model.entity(entity), condition: all.form, limit: 1000)
    var (count, countBefore) = (0, 0)
    while true {
      let page = try write { graph in
        let objects = try graph.objects(for: query)
        let last = objects.last.map { graph.transaction.key(of: $0.id) }
        for object in objects { try object.delete() }
        return (count: objects.count, last: last)
      }
      count += page.count
      query.previousKey = page.last
      guard page.last == nil else { continue }
      // A deleted object may have been the last one to refer to another.
      if count == countBefore { return count }
      countBefore = count
    }
  }
}

/// Writes the condition that nothing refers to a row.
private struct OrphanSearch {
  /// A name that no table of an entity has: those with `graft_` are Graft's own.
  private static let alias = "graft_referring"

  private let schema: DatabaseSchema
  private let table: DatabaseSchema.Table

  init(_ schema: DatabaseSchema, _ table: DatabaseSchema.Table) {
    self.schema = schema
    self.table = table
  }

  var sql: String {
    var conditions: [String] = []
    for entity in schema.model.entities {
      for (number, relationship) in entity.relationships.enumerated()
      where schema.tableNumbers[relationship.destination] == table.number {
        let condition = isUnreferred(entity.number, number)
        if !conditions.contains(condition) { conditions.append(condition) }
      }
    }
    return conditions.isEmpty ? "1 = 1" : conditions.joined(separator: " AND ")
  }

  /// Returns the condition that no other row leads to the row by a relationship.
  private func isUnreferred(_ entity: Int, _ number: Int) -> String {
    let links = schema.links(of: number, of: entity)
    let isOwn = schema.tableNumbers[entity] == table.number
    if case .inverseOfReference? = schema.members[entity][number] {
      // The row's own column names the object that leads to it.
      let isUnset = "\(own(links.owner[0])) IS NULL"
      return isOwn ? "(\(isUnset) OR \(have(links.owner, in: SQL.quote(table.name))))" : isUnset
    }
    let columns = links.member + (isOwn ? links.owner : [])
    let itself = isOwn ? " AND NOT (\(have(links.owner, in: Self.alias)))" : ""
    return
      "NOT EXISTS (SELECT 1 FROM \(schema.compared(links.table, columns)) AS \(Self.alias)"
      + " WHERE \(have(links.member, in: Self.alias))\(itself))"
  }

  /// Returns the condition that columns of a row have the key of this one.
  private func have(_ columns: [String], in row: String) -> String {
    zip(columns, table.keyNames).map { "\(row).\(SQL.quote($0)) = \(own($1))" }
      .joined(separator: " AND ")
  }

  private func own(_ column: String) -> String {
    "\(SQL.quote(table.name)).\(SQL.quote(column))"
  }
}
