// A connection to a database: runs statements, and binds and reads values. It implements the two
// protocols below and fills in an `SQLDialect`, in a module of its own that links its C library, as
// GraftSQLite and GraftPostgres do. Everything else in this room is the same for all databases.
//
// Statements are written in the SQL that SQLite and Postgres share, with parameters `$1`, `$2` … in the order
// of their first use. Whatever a model or document names is quoted (``SQL/quote(_:)``) or bound.

package import Graft

/// A connection to a database, used by one thread at a time.
package protocol DatabaseConnection: AnyObject {
  /// The database's name in messages, such as its path.
  var name: String { get }

  /// The SQL dialect of this database.
  var dialect: SQLDialect { get }

  /// Runs statements that have no parameters and return nothing.
  ///
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func execute(_ sql: String) throws(StoreError)

  /// Prepares a statement that is run many times.
  ///
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func prepare(_ sql: String) throws(StoreError) -> any DatabaseStatement

  /// Prepares a statement that writes a row, at the latest before the next statement that reads.
  ///
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func prepare(_ change: RowChange) throws(StoreError) -> any DatabaseStatement

  /// Prepares a query that the user has written, in a transaction that only reads.
  ///
  /// - Throws: ``Graft/StoreError`` of the kind `database`, with
  ///   ``Graft/StoreError/refusesStatement`` also for a statement that changes anything.
  func prepareReading(_ sql: String) throws(StoreError) -> any DatabaseStatement

  /// Prepares a query for many keys: `run()` adds one, and `next()` asks for all of them.
  ///
  /// - Returns: The query; nil in a database where one look-up after another costs no more.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func prepare(_ lookup: RowLookup) throws(StoreError) -> (any DatabaseStatement)?

  /// Runs statements that make indexes of tables with many rows.
  ///
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func makeIndexes(_ statements: [String]) throws(StoreError)

  /// Begins a transaction that may write; waits while another connection writes, up to a limit of some seconds.
  ///
  /// - Returns: Whether another connection has written since this one ended its last transaction.
  /// - Throws: ``Graft/StoreError`` of the kind `database`, which says who may be writing.
  func begin() throws(StoreError) -> Bool

  /// Remembers the last commit, so that the next ``begin()`` reports only later ones; called
  /// outside a transaction.
  ///
  /// - Returns: Whether another connection has written since this one ended its last transaction.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  @discardableResult
  func noteVersion() throws(StoreError) -> Bool

  /// Begins a transaction that only reads, to make many statements cheaper; does nothing in a
  /// transaction, or if it makes none cheaper.
  ///
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func beginReading() throws(StoreError)

  /// Ends a transaction that only reads; does nothing if there is none.
  func endReading()

  /// Returns the names of all indexes.
  ///
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func indexNames() throws(StoreError) -> Set<String>

  /// Lets a server refuse all changes by this connection, even those of functions in conditions.
  ///
  /// It does nothing where the database runs in this process, which can change nothing by a condition.
  ///
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func refuseChanges() throws(StoreError)

  /// Whether the connection is closed, or its file was moved or replaced.
  var isLost: Bool { get }

  /// Releases memory that an idle connection does not need.
  func rest()

  /// Returns a function that interrupts the connection's statement with an error; any thread may
  /// call it while the connection is in use.
  func makeInterrupt() -> @Sendable () -> Void

  /// Returns a string that changes with each commit of another connection; called outside a transaction.
  ///
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func version() throws(StoreError) -> String

  /// Commits the transaction; its changes then survive a crash of the machine.
  func commit() throws(StoreError)

  /// Rolls the transaction back; does nothing if there is none.
  func rollback()

  /// Makes the database refuse foreign keys that lead to no row, and change them with the keys that they refer to.
  func enforceForeignKeys() throws(StoreError)

  /// Returns the names of all tables.
  func tableNames() throws(StoreError) -> [String]

  /// Returns the names of the columns of a table.
  func columnNames(of table: String) throws(StoreError) -> [String]

  /// Returns the names of each table's constraints, in a database that checks links during an import.
  func constraintNames() throws(StoreError) -> [String: Set<String>]
}

// Defaults for a database that runs each statement at once in its own process; a server gathers
// rows and look-ups.
extension DatabaseConnection {
  package func refuseChanges() throws(StoreError) {}

  package func rest() {}

  package func prepare(_ change: RowChange) throws(StoreError) -> any DatabaseStatement {
    try prepare(change.sql)
  }

  package func prepare(_ lookup: RowLookup) throws(StoreError) -> (any DatabaseStatement)? { nil }

  package func beginReading() throws(StoreError) {}

  package func endReading() {}

  package func makeIndexes(_ statements: [String]) throws(StoreError) {
    for statement in statements { try execute(statement) }
  }

  package func constraintNames() throws(StoreError) -> [String: Set<String>] { [:] }
}

// Only a server is queried without waiting.
extension DatabaseStatement {
  package func ask() throws(StoreError) {}

  package func dropAsked() {}
}

/// Receives the values of a row, such as a statement that writes it.
package protocol RowParameters: AnyObject {
  /// Sets a parameter to null.
  func bindNull(_ parameter: Int)
  /// Binds an integer, boolean, floating-point number or date.
  func bind(_ parameter: Int, _ type: AttributeType, word: UInt64)
  /// Binds a value of a type that is stored as bytes, and copies them.
  func bind(_ parameter: Int, _ type: AttributeType, bytes: RawSpan)
  /// Binds a value of a type that is stored as bytes, which last until the statement has run.
  func bind(_ parameter: Int, _ type: AttributeType, lastingBytes: RawSpan)
}

extension RowParameters {
  package func bind(_ parameter: Int, _ type: AttributeType, lastingBytes: RawSpan) {
    bind(parameter, type, bytes: lastingBytes)
  }
}

/// A prepared statement.
///
/// Columns and parameters are counted from 0. Values have the form of the graph's columns.
/// Integers, booleans and floating-point numbers are the bits of an `Int64` or `Double`; dates are
/// seconds since 2001. All others are bytes: text in UTF-8, decimals as digits, JSON as text, UUIDs
/// as 16 bytes.
package protocol DatabaseStatement: RowParameters {
  /// Runs a statement that returns no rows; the caller binds all parameters again before the next run.
  ///
  /// - Throws: ``Graft/StoreError`` of the kind `database`, also for a value that could not be bound.
  func run() throws(StoreError)

  /// Moves to the next row, or runs the statement and moves to the first row.
  ///
  /// - Returns: Whether there is one; after the last, the statement can be bound anew.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func next() throws(StoreError) -> Bool

  /// Sends a query for many keys, and does not wait for its rows: `next()` returns them later, those of the query that
  /// was sent first before others.
  ///
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  func ask() throws(StoreError)

  /// Drops the rows of all queries that were sent with ``ask()``.
  func dropAsked()

  /// Ends a statement whose rows have not all been read.
  func reset()

  /// The names of the columns, of a statement that has been run.
  var columnNames: [String] { get }
  /// Returns the value of the current row in a column of any type; nil for null.
  ///
  /// - Throws: ``Graft/StoreError`` of the kind `database` for a value of a type that no attribute has.
  func value(_ column: Int) throws(StoreError) -> AttributeValue?
  /// Returns whether a column of the current row is null.
  func isNull(_ column: Int) -> Bool
  /// Returns an integer, boolean, floating-point number or date of the current row.
  func word(_ column: Int, _ type: AttributeType) -> UInt64
  /// Calls a closure with a value's bytes, which are valid until it returns.
  func withBytes(_ column: Int, _ type: AttributeType, _ body: (RawSpan) -> Void)
}
