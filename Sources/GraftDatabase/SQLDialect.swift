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
  /// The names that the database has given to columns of its own in each table.
  package var systemColumns: [String]
  /// Whether the database keeps dates to the microsecond; an import then compares them so.
  package var roundsDates: Bool
  /// Whether the database stores NaN; SQLite stores no value instead.
  package var keepsNaN: Bool
  /// Functions that return why the database cannot hold a value, and nil if it can, by the type of the value.
  package var valueFaults: [AttributeType: @Sendable (RawValue) -> String?]
  /// Whether the database checks foreign keys at each statement; a first import then adds them at
  /// its end.
  package var checksLinks: Bool
  /// The distribution of tables over the machines of a cluster; nil for a single machine.
  package var distribution: TableDistribution?
  /// The sizes of the groups in which rows are looked up, to save round trips; nil if single look-ups cost no more.
  package var lookUpGroups: LookUpGroups?
  /// The numbers of root objects that are saved together by default: at first, and at most.
  ///
  /// A large batch costs less, since scattered keys change most pages of a table in each. With small ones, the database
  /// is written beside the client for more of the time.
  package var batchSizes: ClosedRange<Int>
  /// The statement that keeps temporary tables on the disk; nil where they are there anyway.
  package var temporaryTablesOnDisk: String?
  /// The collations that sort columns of a type by value; none for types that the database sorts so anyway.
  package var collations: [AttributeType: String]
  /// The function that returns dates in their order, in a database that keeps some as text and others as numbers.
  package var dateFunction: String?

  package init(
    typeNames: [AttributeType: String], keyedTableSuffix: String, nameLimit: Int,
    systemColumns: [String] = [], roundsDates: Bool = false, keepsNaN: Bool = true,
    valueFaults: [AttributeType: @Sendable (RawValue) -> String?] = [:], checksLinks: Bool,
    batchSizes: ClosedRange<Int> = 2500...20_000,
    lookUpGroups: LookUpGroups? = nil,
    temporaryTablesOnDisk: String? = nil, collations: [AttributeType: String] = [:],
    dateFunction: String? = nil
  ) {
    self.typeNames = typeNames
    self.keyedTableSuffix = keyedTableSuffix
    self.nameLimit = nameLimit
    self.systemColumns = systemColumns
    self.roundsDates = roundsDates
    self.keepsNaN = keepsNaN
    self.valueFaults = valueFaults
    self.checksLinks = checksLinks
    self.batchSizes = batchSizes
    self.lookUpGroups = lookUpGroups
    self.temporaryTablesOnDisk = temporaryTablesOnDisk
    self.collations = collations
    self.dateFunction = dateFunction
  }

  /// The sizes of groups of look-ups.
  package struct LookUpGroups: Sendable {
    /// The number of bytes of a document whose look-ups are made together.
    package var byteCount: Int
    /// The most keys that one query asks for, since their rows may be large.
    package var keyCount: Int

    package init(byteCount: Int, keyCount: Int) {
      self.byteCount = byteCount
      self.keyCount = keyCount
    }
  }

  /// Returns a column as a table declares it: its name and type.
  func declaration(_ column: DatabaseSchema.Column) -> String {
    let type = typeNames[column.type] ?? "TEXT"
    return SQL.quote(column.name) + (type.isEmpty ? "" : " " + type)
  }
}
