import Graft

/// A table with the links of a relationship: each row has the keys of both ends.
struct StoredLinks: Equatable {
  var table: String
  /// The columns with the keys of the objects that the relationship leads from.
  var owner: [String]
  /// The columns with the key of the member.
  var member: [String]
  /// The column by which the members of an owner are in order, if there is one.
  var position: String?

  /// The links of the inverse.
  var reversed: StoredLinks { StoredLinks(table: table, owner: member, member: owner) }
}

extension DatabaseSchema {
  /// Returns the table and columns that hold the links of a relationship.
  func links(of relationship: Int, of entity: Int) -> StoredLinks {
    let link = model.entities[entity].relationships[relationship]
    switch members[entity][relationship] {
    case nil:
      let table = table(of: entity)
      return StoredLinks(
        table: table.name, owner: table.keyNames,
        member: table.references[entity][relationship].map { table.columns[$0].name })
    case .list(let number): return links(of: lists[number])
    case .inverseOfList(let number): return links(of: lists[number]).reversed
    case .inverseOfReference: return links(of: link.inverse ?? 0, of: link.destination).reversed
    }
  }

  func links(of list: List) -> StoredLinks {
    StoredLinks(
      table: list.name, owner: list.ownerColumns.map(\.name),
      member: list.memberColumns.map(\.name), position: list.isOrdered ? "position" : nil)
  }
}

extension StoredLinks {
  /// Returns the links between existing rows, as a subquery.
  ///
  /// - Parameters:
  ///   - owners: The table of the objects that they lead from.
  ///   - members: The table of the objects that they lead to.
  ///   - schema: The tables.
  /// - Returns: The SQL after `FROM`, to be given a name.
  private func whole(
    _ owners: DatabaseSchema.Table, _ members: DatabaseSchema.Table, _ schema: DatabaseSchema
  ) -> String {
    let conditions = [(owner, owners), (member, members)].map { columns, table in
      let equal = zip(table.keyNames, columns).map { "t.\(SQL.quote($0)) = s.\(SQL.quote($1))" }
      return
        "EXISTS (SELECT 1 FROM \(schema.compared(table.name, table.keyNames)) AS t"
        + " WHERE \(equal.joined(separator: " AND ")))"
    }
    return schema.compared(
      "SELECT \(list(columns)) FROM \(SQL.quote(table)) AS s"
        + " WHERE \(conditions.joined(separator: " AND "))")
  }

  /// The columns of both ends, and of the order.
  private var columns: [String] {
    owner + member.filter { !owner.contains($0) } + (position.map { [$0] } ?? [])
  }

  private func list(_ columns: [String]) -> String {
    columns.map { "s.\(SQL.quote($0))" }.joined(separator: ", ")
  }

  /// Returns the statement that appends missing links to a list.
  func insertion(into list: DatabaseSchema.List, _ schema: DatabaseSchema) -> String {
    let (owners, members) = (schema.tables[list.ownerTable], schema.tables[list.memberTable])
    var names = list.columns.map(\.name)
    var values = self.list(owner + member)
    if list.isOrdered {
      let isOwner = zip(list.ownerColumns, owner).map {
        "l.\(SQL.quote($0.name)) = s.\(SQL.quote($1))"
      }
      names.append("position")
      values +=
        ", row_number() OVER (PARTITION BY \(self.list(owner)) ORDER BY \(self.list(position.map { [$0] } ?? member))) - 1"
        + " + coalesce((SELECT max(l.\"position\") + 1"
        + " FROM \(schema.compared(list.name, list.columns.map(\.name) + ["position"])) AS l WHERE"
        + " \(isOwner.joined(separator: " AND "))), 0)"
    }
    // Without the condition, SQLite takes the `ON` for that of a join.
    return "INSERT INTO \(SQL.quote(list.name)) (\(SQL.list(names))) SELECT \(values)"
      + " FROM \(whole(owners, members, schema)) AS s WHERE 1 = 1 ON CONFLICT DO NOTHING"
  }

  /// Returns the statement that writes the links into the columns of a to-one relationship, where
  /// they are empty.
  ///
  /// - Parameters:
  ///   - columns: The columns.
  ///   - owners: The table that has them.
  ///   - members: The table to which they lead.
  ///   - schema: The tables.
  /// - Returns: The statement, for owners with one link each.
  func update(
    of columns: [String], _ owners: DatabaseSchema.Table, to members: DatabaseSchema.Table,
    _ schema: DatabaseSchema
  ) -> String {
    let assignments = zip(columns, member).map { column, part in
      let equal = zip(owners.keyNames, owner).map {
        "\(SQL.quote(owners.name)).\(SQL.quote($0)) = s.\(SQL.quote($1))"
      }
      return
        "\(SQL.quote(column)) = (SELECT s.\(SQL.quote(part)) FROM \(whole(owners, members, schema)) AS s"
        + " WHERE \(equal.joined(separator: " AND ")))"
    }
    return "UPDATE \(SQL.quote(owners.name)) SET \(assignments.joined(separator: ", "))"
      + " WHERE \(SQL.quote(columns[0])) IS NULL"
  }

  /// Returns a query for the keys of owners with several links, which a to-one relationship cannot
  /// hold.
  func ambiguous(
    _ owners: DatabaseSchema.Table, _ members: DatabaseSchema.Table, _ schema: DatabaseSchema
  ) -> String {
    "SELECT \(list(owner)) FROM \(whole(owners, members, schema)) AS s"
      + " GROUP BY \(list(owner)) HAVING count(*) > 1"
  }

  /// Returns the number of links of an object, as an expression.
  ///
  /// - Parameters:
  ///   - owners: The table of the objects.
  ///   - schema: The tables.
  /// - Returns: The expression, in which the row of the object is called `o`.
  func count(_ owners: DatabaseSchema.Table, _ schema: DatabaseSchema) -> String {
    let equal = zip(owners.keyNames, owner).map { "o.\(SQL.quote($0)) = s.\(SQL.quote($1))" }
    let isLink = member.map { "s.\(SQL.quote($0)) IS NOT NULL" }
    return "(SELECT count(*) FROM \(schema.compared(table, columns)) AS s WHERE"
      + " \((equal + isLink).joined(separator: " AND ")))"
  }
}
