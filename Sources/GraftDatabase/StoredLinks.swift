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

/// The objects from which a relationship leads, or to which it leads.
struct LinkEnd {
  let table: DatabaseSchema.Table
  /// The numbers of the entity and of all below it; the table may have others.
  let entities: [Int]
}

/// Both ends of a relationship.
struct LinkEnds {
  let owners: LinkEnd
  let members: LinkEnd
}

extension DatabaseSchema {
  /// Returns the objects at both ends of a relationship.
  func ends(of relationship: Int, of entity: Int) -> LinkEnds {
    func end(_ entity: Int) -> LinkEnd {
      LinkEnd(table: table(of: entity), entities: model.entities[entity].family)
    }
    return LinkEnds(
      owners: end(model.top(of: relationship, entity)),
      members: end(model.entities[entity].relationships[relationship].destination))
  }

  /// Returns the condition that columns have the key of an object at an end.
  fileprivate func condition(_ columns: [String], of row: String, leadTo end: LinkEnd) -> String {
    let table = end.table
    let equal = zip(table.keyNames, columns).map { "t.\(SQL.quote($0)) = \(row).\(SQL.quote($1))" }
    let names = table.keyNames + (table.entityColumn.map { [table.columns[$0].name] } ?? [])
    return "EXISTS (SELECT 1 FROM \(compared(table.name, names)) AS t"
      + "\(SQL.whereAll(equal + [condition(table, isOneOf: end.entities)])))"
  }

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
  /// Returns the links between existing objects of a relationship, as a subquery: the SQL after `FROM`, to be given a
  /// name.
  private func whole(_ ends: LinkEnds, _ schema: DatabaseSchema) -> String {
    schema.compared(
      "SELECT \(list(columns)) FROM \(SQL.quote(table)) AS s WHERE \(areWhole("s", ends, schema))")
  }

  /// Returns the condition that a row has a link between existing objects of a relationship.
  private func areWhole(_ row: String, _ ends: LinkEnds, _ schema: DatabaseSchema) -> String {
    schema.condition(owner, of: row, leadTo: ends.owners) + " AND "
      + schema.condition(member, of: row, leadTo: ends.members)
  }

  /// Returns the statement that empties the columns of a to-one relationship in rows whose link is none between existing
  /// objects of the relationship.
  ///
  /// - Parameters:
  ///   - ends: The ends of the relationship.
  ///   - schema: The tables.
  /// - Returns: The statement.
  func removalOfOthers(_ ends: LinkEnds, _ schema: DatabaseSchema) -> String {
    let nothing = member.map { "\(SQL.quote($0)) = NULL" }
    // The alias keeps the table apart from another one in the condition that is called `t`.
    return "UPDATE \(SQL.quote(table)) AS r SET \(nothing.joined(separator: ", "))"
      + " WHERE \(SQL.quote(member[0])) IS NOT NULL AND NOT (\(areWhole("r", ends, schema)))"
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
    let isPresent = zip(list.columns, owner + member).map {
      "l.\(SQL.quote($0.name)) = s.\(SQL.quote($1))"
    }
    return "INSERT INTO \(SQL.quote(list.name)) (\(SQL.list(names))) SELECT \(values)"
      + " FROM \(whole(schema.ends(of: list.relationship, of: list.entity), schema)) AS s WHERE NOT EXISTS"
      + " (SELECT 1 FROM \(schema.compared(list.name, list.columns.map(\.name))) AS l"
      + " WHERE \(isPresent.joined(separator: " AND ")))"
  }

  /// Returns the statement that writes the links into the columns of a to-one relationship, where
  /// they are empty.
  ///
  /// - Parameters:
  ///   - columns: The columns.
  ///   - ends: The ends of the relationship.
  ///   - schema: The tables.
  /// - Returns: The statement, for owners with one link each.
  func update(of columns: [String], _ ends: LinkEnds, _ schema: DatabaseSchema) -> String {
    let owners = ends.owners.table
    let assignments = zip(columns, member).map { column, part in
      let equal = zip(owners.keyNames, owner).map {
        "r.\(SQL.quote($0)) = s.\(SQL.quote($1))"
      }
      return
        "\(SQL.quote(column)) = (SELECT s.\(SQL.quote(part)) FROM \(whole(ends, schema)) AS s"
        + " WHERE \(equal.joined(separator: " AND ")))"
    }
    return "UPDATE \(SQL.quote(owners.name)) AS r SET \(assignments.joined(separator: ", "))"
      + " WHERE \(SQL.quote(columns[0])) IS NULL"
  }

  /// Returns a query for the keys of owners whose links do not fit into the columns of a to-one relationship: there are
  /// several, or the columns already lead to another object.
  func ambiguous(_ columns: [String], _ ends: LinkEnds, _ schema: DatabaseSchema) -> String {
    let table = ends.owners.table
    let isOwner = zip(table.keyNames, owner).map { "o.\(SQL.quote($0)) = s.\(SQL.quote($1))" }
    let isSame = zip(columns, member).map { "o.\(SQL.quote($0)) = s.\(SQL.quote($1))" }
    let links = "SELECT \(list(owner)) FROM \(whole(ends, schema)) AS s"
    return links + " GROUP BY \(list(owner)) HAVING count(*) > 1 UNION \(links) WHERE EXISTS"
      + " (SELECT 1 FROM \(schema.compared(table.name, table.keyNames + columns)) AS o WHERE"
      + " \(isOwner.joined(separator: " AND ")) AND o.\(SQL.quote(columns[0])) IS NOT NULL"
      + " AND NOT (\(isSame.joined(separator: " AND "))))"
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
