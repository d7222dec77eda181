package import Graft

/// The parts of SQL that differ between kinds of databases.
///
/// The SQL type of a column is in `typeNames`, by the type of the attribute. How values of a type go to and from the
/// database is in its statement: `SQLiteStatement`, or `PostgresType` and `PostgresDatabaseStatement`.
package struct SQLDialect: Sendable {
  /// The SQL type of a column, by the type of its attribute; empty for a column that takes values as they are.
  package var typeNames: [AttributeType: String]
  /// The clause after the columns of a table whose primary key is not one integer, such as
  /// `WITHOUT ROWID`.
  package var keyedTableSuffix: String
  /// The bytes of the longest name of a table or column.
  package var nameLimit: Int
  /// Whether the database checks foreign keys at each statement; a first import then adds them at
  /// its end.
  package var checksLinks: Bool
  /// The distribution of tables over the machines of a cluster; nil for a single machine.
  package var distribution: TableDistribution?
  /// Whether rows are looked up in groups, to save round trips.
  package var looksUpInGroups: Bool
  /// The statement that keeps temporary tables on the disk; nil where they are there anyway.
  package var temporaryTablesOnDisk: String?
  /// The collations that sort columns of a type by value; none for types that the database sorts so anyway.
  package var collations: [AttributeType: String]

  package init(
    typeNames: [AttributeType: String], keyedTableSuffix: String, nameLimit: Int,
    checksLinks: Bool, looksUpInGroups: Bool = false, temporaryTablesOnDisk: String? = nil,
    collations: [AttributeType: String] = [:]
  ) {
    self.typeNames = typeNames
    self.keyedTableSuffix = keyedTableSuffix
    self.nameLimit = nameLimit
    self.checksLinks = checksLinks
    self.looksUpInGroups = looksUpInGroups
    self.temporaryTablesOnDisk = temporaryTablesOnDisk
    self.collations = collations
  }

  /// Returns a column as a table declares it: its name and type.
  func declaration(_ column: DatabaseSchema.Column) -> String {
    let type = typeNames[column.type] ?? "TEXT"
    return SQL.quote(column.name) + (type.isEmpty ? "" : " " + type)
  }
}
