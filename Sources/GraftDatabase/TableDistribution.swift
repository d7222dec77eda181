// On a cluster of Citus each table is distributed over the machines by one of its columns, or is on all of them.
// Rows that belong together should be on one machine, and Citus checks only links within one:
//
// - The table of an entity is spread by its key, the first part of it where there are several.
// - A small table is on all machines, so that links to it can be checked. The number of rows is not
//   known when a table is made. So a table counts as small if its entity has at most one object, if
//   its identity is a Boolean or one of a list of values, or if the user names it.
// - The table of a relationship is spread by the key of its owner, beside it. It is on all machines if both ends are.
//
// Citus supports two kinds of foreign keys: to small tables, and from the table of a relationship to its owners.

import Graft

/// Distributes a model's tables over the machines of a cluster.
package struct TableDistribution: Sendable {
  /// The names of entities, or of their tables, that are small.
  package var small: Set<String>

  package init(small: Set<String>) { self.small = small }

  /// Returns whether a table is small, and so is copied to all machines.
  func isSmall(_ table: DatabaseSchema.Table, in schema: DatabaseSchema) -> Bool {
    if small.contains(table.name) { return true }
    return table.entities.contains { number in
      let entity = schema.model.entities[number]
      if small.contains(entity.name) || entity.isSingleton { return true }
      guard entity.identity.count == 1 else { return false }
      let identity = entity.attributes[entity.identity[0]]
      return identity.type == .boolean || !identity.values.isEmpty
    }
  }
}

extension DatabaseSchema {
  /// Returns the statements that distribute the tables; none on a single machine.
  ///
  /// - Parameters:
  ///   - distribution: The distribution of the tables.
  ///   - present: The names of tables that are there already.
  /// - Returns: The statements, in the order in which they run: a table that lies beside another one comes after it.
  func distributionStatements(
    _ distribution: TableDistribution?, except present: Set<String>
  ) -> [String] {
    guard let distribution else { return [] }
    func onAllMachines(_ name: String) -> String {
      "SELECT create_reference_table(\(SQL.literal(SQL.quote(name))))"
    }
    func spread(_ name: String, by column: Column, beside other: String? = nil) -> String {
      "SELECT create_distributed_table(\(SQL.literal(SQL.quote(name))), \(SQL.literal(column.name))"
        + (other.map { ", colocate_with => \(SQL.literal(SQL.quote($0)))" } ?? "") + ")"
    }
    var statements: [String] = []
    for table in tables where !present.contains(table.name) {
      statements.append(
        distribution.isSmall(table, in: self)
          ? onAllMachines(table.name) : spread(table.name, by: table.keyColumns[0]))
    }
    for list in lists where !present.contains(list.name) {
      let (owner, member) = (tables[list.ownerTable], tables[list.memberTable])
      let isOwnerSmall = distribution.isSmall(owner, in: self)
      statements.append(
        isOwnerSmall && distribution.isSmall(member, in: self)
          ? onAllMachines(list.name)
          : spread(
            list.name, by: list.ownerColumns[0], beside: isOwnerSmall ? nil : owner.name))
    }
    return statements
  }
}

extension TableDistribution? {
  /// Returns whether a foreign key can be checked: all of them can where tables are on one machine.
  func allows(_ key: DatabaseSchema.ForeignKey, in schema: DatabaseSchema) -> Bool {
    guard let self else { return true }
    if self.isSmall(key.target, in: schema) { return true }
    return schema.lists.contains {
      $0.name == key.table && $0.ownerTable == key.target.number
        && $0.ownerColumns.map(\.name) == key.columns
    }
  }
}
