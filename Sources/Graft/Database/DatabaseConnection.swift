// The border between what is the same for all databases, in this room, and what each of them does in its own
// way, in a module that links its C library: how a value is spelled, how a statement is run.
//
// Statements are written in the SQL that SQLite and Postgres share, with parameters `$1`, `$2` … in the order
// of their first use. Whatever a model or document names is quoted (``SQL/quote(_:)``) or bound.

/// A connection to a database, used by one thread at a time.
package protocol DatabaseConnection: AnyObject {
  /// What the database is called in messages, such as its path.
  var name: String { get }

  /// What this database's SQL does in its own way.
  var dialect: SQLDialect { get }

  /// Runs statements that have no parameters and return nothing.
  ///
  /// - Throws: ``StoreError`` of the kind `database`.
  func execute(_ sql: String) throws(StoreError)

  /// Prepares a statement that is run many times.
  ///
  /// - Throws: ``StoreError`` of the kind `database`.
  func prepare(_ sql: String) throws(StoreError) -> any DatabaseStatement

  /// Prepares a statement that writes a row, at the latest before the next statement that reads.
  ///
  /// - Throws: ``StoreError`` of the kind `database`.
  func prepare(_ change: RowChange) throws(StoreError) -> any DatabaseStatement

  /// Prepares a query for many keys: `run()` adds one, and `next()` asks for all of them.
  ///
  /// - Returns: The query; nil in a database where one look-up after another costs no more.
  /// - Throws: ``StoreError`` of the kind `database`.
  func prepare(_ lookup: RowLookup) throws(StoreError) -> (any DatabaseStatement)?

  /// Runs statements that make indexes of tables with many rows.
  ///
  /// - Throws: ``StoreError`` of the kind `database`.
  func makeIndexes(_ statements: [String]) throws(StoreError)

  /// Begins a transaction that may write; waits while another connection writes, up to a limit.
  ///
  /// - Returns: Whether another connection has written since this one ended its last transaction.
  /// - Throws: ``StoreError`` of the kind `database`, which says who may be writing.
  func begin() throws(StoreError) -> Bool

  /// A text that differs after another connection has committed something, which is asked for outside a transaction.
  ///
  /// - Throws: ``StoreError`` of the kind `database`.
  func version() throws(StoreError) -> String

  /// Ends the transaction; what it wrote survives a crash of the machine from now on.
  func commit() throws(StoreError)

  /// Gives the transaction up; does nothing where there is none.
  func rollback()

  /// Lets the database itself refuse links that lead nowhere, and follow keys that change.
  func enforceForeignKeys() throws(StoreError)

  /// The names of the tables that there are.
  func tableNames() throws(StoreError) -> [String]

  /// By table, the names of its constraints, in a database that checks links during an import.
  func constraintNames() throws(StoreError) -> [String: Set<String>]
}

extension DatabaseConnection {
  package func makeIndexes(_ statements: [String]) throws(StoreError) {
    for statement in statements { try execute(statement) }
  }
}

/// A prepared statement.
///
/// Columns and parameters are counted from 0. Values are in the form of the graph's columns: integers, booleans
/// and floating-point numbers as the bits of an `Int64` or `Double`, dates as seconds since 2001, all others as
/// bytes: text in UTF-8, decimals as digits, JSON as text, UUIDs as 16 bytes.
package protocol DatabaseStatement: AnyObject {
  func bindNull(_ parameter: Int)
  func bind(_ parameter: Int, _ type: AttributeType, word: UInt64)
  func bind(_ parameter: Int, _ type: AttributeType, bytes: RawSpan)

  /// Runs a statement that returns no rows, and forgets what was bound.
  ///
  /// - Throws: ``StoreError`` of the kind `database`.
  func run() throws(StoreError)

  /// Goes on to the next row, or runs the statement and goes to the first.
  ///
  /// - Returns: Whether there is one; after the last, the statement can be bound anew.
  /// - Throws: ``StoreError`` of the kind `database`.
  func next() throws(StoreError) -> Bool

  /// Ends a statement whose rows have not all been read.
  func reset()

  func isNull(_ column: Int) -> Bool
  func word(_ column: Int, _ type: AttributeType) -> UInt64
  /// Calls a closure with a value's bytes, which are valid until it returns.
  func withBytes(_ column: Int, _ type: AttributeType, _ body: (RawSpan) -> Void)
}

/// What a database's SQL does in its own way.
package struct SQLDialect: Sendable {
  /// The type of a column by the type of its attribute.
  package var typeNames: [AttributeType: String]
  /// What follows the columns of a table whose primary key is not one integer, such as `WITHOUT ROWID`.
  package var keyedTableSuffix: String
  /// The bytes of the longest name of a table or column.
  package var nameLimit: Int
  /// Whether the database checks foreign keys of its own accord, and so during an import.
  package var checksLinks: Bool
  /// How tables are spread over the machines of a cluster; nil where they are on one.
  package var distribution: TableDistribution?
  /// Whether rows are looked up in groups, because each statement costs a round trip.
  package var looksUpInGroups: Bool
  /// What lets temporary tables be on the disk, where they would be in memory otherwise.
  package var temporaryTablesOnDisk: String?
  /// The collations by which values of a type are in their order; none for types whose columns are in it anyway.
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

  /// A column as a table declares it: its name and type.
  func declaration(_ column: DatabaseSchema.Column) -> String {
    "\(SQL.quote(column.name)) \(typeNames[column.type] ?? "TEXT")"
  }
}

/// Pieces of SQL.
package enum SQL {
  /// A name in quotation marks, as an identifier of SQL.
  package static func quote(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// A text in apostrophes, as SQL writes it.
  package static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }

  /// A name of at most 60 bytes; what a longer one loses is replaced by a number made of it.
  package static func shortened(_ name: String) -> String {
    guard name.utf8.count > 60 else { return name }
    let hash = name.utf8.reduce(UInt64(14_695_981_039_346_656_037)) {
      ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    var start = name
    while start.utf8.count > 42 { start.removeLast() }
    return "\(start)_\(hash & 0xFFFF_FFFF_FFFF)"
  }

  /// Names in quotation marks, separated by commas.
  package static func list(_ names: some Sequence<String>) -> String {
    names.map(quote).joined(separator: ", ")
  }

  /// Conditions that columns have the values of parameters, from a number on.
  package static func equal(_ names: [String], from parameter: Int) -> String {
    names.enumerated().map { "\(quote($1)) = $\(parameter + $0)" }.joined(separator: " AND ")
  }

  /// A clause with all conditions that there are; nothing where there are none.
  static func whereAll(_ conditions: [String?]) -> String {
    let conditions = conditions.compactMap(\.self).filter { !$0.isEmpty }
    return conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
  }

  /// So many parameters, separated by commas.
  package static func parameters(_ count: Int, from parameter: Int = 1) -> String {
    (0..<count).map { "$\(parameter + $0)" }.joined(separator: ", ")
  }
}
