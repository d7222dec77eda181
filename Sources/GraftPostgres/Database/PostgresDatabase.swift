#if canImport(CPQ)
import Foundation
import Graft
import GraftDatabase

/// Connects to a database on a Postgres server that keeps a graph.
///
/// - One connection writes at a time: a transaction that may write holds a lock of the database and schema, for which
///   others wait.
/// - Rows that are written wait for others of their kind, and are sent many with one statement; new rows are copied
///   into their table. The server's answers are awaited before anything is read or committed. So a row costs no round
///   trip.
/// - The look-ups of a part of the document are sent before the part before it is imported, and their rows are taken
///   when the import needs them.
/// - Look-ups are by key, and the tables grow under them: the plans that the server keeps use indexes. They are not
///   compiled: the cost that forbids scans makes every scan look worth it, and compiling was a quarter of the
///   server's time.
final class PostgresDatabase: DatabaseConnection {
  /// The number of statements that are sent before their answers are awaited.
  ///
  /// More could fill the buffers between client and server, and each would wait for the other.
  private static let sendingLimit = 400

  let name: String
  let connection: PostgresConnection
  /// The time that a writer waits for another one.
  private let lockTimeout: Duration
  /// The statements that have rows to send.
  private var waiting: [PostgresDatabaseStatement] = []
  private var hasImportTable = false
  /// The names of statements that are no longer needed, and that the server still knows.
  private var unneeded: [String] = []
  /// The number of commits after this connection's last transaction.
  private var lastCommits: String?

  let dialect: SQLDialect

  // Text is compared by its bytes, as elsewhere in Graft, in any language of the server. Postgres
  // cuts names off after 63 bytes, so that two longer ones might become one.
  private static let dialect = SQLDialect(
    typeNames: Dictionary(
      uniqueKeysWithValues: AttributeType.allCases.map { type in
        let name = PostgresType(type).description
        return (type, name == "text" ? "text COLLATE \"C\"" : name)
      }),
    keyedTableSuffix: "", nameLimit: 63,
    systemColumns: ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"], roundsDates: true,
    valueFaults: [
      .string: PostgresValueError.fault(ofText:), .uri: PostgresValueError.fault(ofText:),
      .date: Timestamp.fault(of:),
    ],
    checksLinks: true,
    batchSizes: 2500...5000, lookUpGroups: .init(byteCount: 1 << 18, keyCount: 4000))

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - address: The database's address, with a user.
  ///   - distribution: The distribution of tables that this connection makes; nil for the
  ///     distribution of the existing tables.
  ///   - lockTimeout: The time that a writer waits for another one.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  init(
    _ address: PostgresAddress, distribution: TableDistribution? = nil,
    lockTimeout: Duration = .seconds(10)
  ) throws(StoreError) {
    self.lockTimeout = lockTimeout
    do throws(PostgresError) {
      connection = try PostgresConnection(address)
      let cluster = CitusCluster(connection)
      if distribution != nil { try cluster.require() }
      var dialect = Self.dialect
      dialect.distribution = distribution
      if distribution == nil { dialect.distribution = try cluster.distribution() }
      // A query asks every shard, so that it costs as much as some thousands of keys.
      if dialect.distribution != nil {
        dialect.lookUpGroups = .init(byteCount: 2 << 20, keyCount: 10_000)
        dialect.batchSizes = 20_000...20_000
      }
      self.dialect = dialect
      // Citus makes a new plan for the values, because they decide to which machines a statement
      // goes.
      let plans: PostgresSQL =
        dialect.distribution == nil ? "force_generic_plan" : "force_custom_plan"
      try connection.executeAll(
        """
        SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ; SET enable_seqscan = off;
        SET plan_cache_mode = \(plans); SET jit = off; SET client_min_messages = warning
        """)
      if dialect.distribution != nil {
        // A statement of an import reaches all shards, each with few rows. By default Citus opens a connection to a
        // worker for each shard, which costs twice the time of the processor.
        try connection.executeAll("SET citus.max_adaptive_executor_pool_size = 1")
        try cluster.setShardCount()
      }
      if connection.isYugabyte {
        // By default, a row that may be there already is looked for by itself.
        try connection.executeAll("SET yb_insert_on_conflict_read_batch_size = 1024")
      }
    } catch {
      throw StoreError(.database, error.description)
    }
    name = connection.target
  }

  /// Runs a closure with the connection, after all earlier statements have been answered.
  private func attempt<R>(
    _ action: String, _ body: () throws(PostgresError) -> R
  ) throws(StoreError) -> R {
    try sendWaiting()
    do throws(PostgresError) {
      try awaitSent()
      return try body()
    } catch {
      throw failure(error, action)
    }
  }

  private func failure(_ error: PostgresError, _ action: String) -> StoreError {
    StoreError(
      .database, error.kind == .connection ? "\(error)" : "\(name): cannot \(action): \(error)",
      refusesStatement: error.refusesStatement)
  }

  private func awaitSent() throws(PostgresError) {
    try connection.awaitSent()
  }

  func execute(_ sql: String) throws(StoreError) {
    try attempt("change it") { () throws(PostgresError) in
      let sql = try PostgresSQL(writtenByGraft: sql)
      guard connection.isInTransaction else { return try connection.executeAll(sql) }
      // A table whose links are still to be checked takes no index and is not dropped.
      let before: PostgresSQL = "SET CONSTRAINTS ALL IMMEDIATE; SET LOCAL enable_seqscan = on"
      let after: PostgresSQL = "SET LOCAL enable_seqscan = off; SET CONSTRAINTS ALL DEFERRED"
      guard dialect.distribution != nil else {
        return try connection.executeAll("\(before); \(sql); \(after)")
      }
      // Citus sends the text of a change to the shards, each with all that was sent with it.
      for sql in [before, sql, after] { try connection.executeAll(sql) }
    }
  }

  func prepare(_ sql: String) throws(StoreError) -> any DatabaseStatement {
    try attempt("read it") { () throws(PostgresError) in
      try deallocateUnneeded()
      let (name, types) = try connection.prepareInferringTypes(PostgresSQL(writtenByGraft: sql))
      return PostgresDatabaseStatement(sql, name, types, self)
    }
  }

  func prepareReading(_ sql: String) throws(StoreError) -> any DatabaseStatement {
    // The session refuses changes.
    try prepare(sql)
  }

  /// The number of unneeded statements that the server may know; forgetting some costs a round
  /// trip.
  private static let unneededLimit = 50

  /// Notes that a statement is no longer needed.
  func noteUnneeded(_ statement: String) { unneeded.append(statement) }

  /// Makes the server forget unneeded statements, unless the transaction has failed.
  private func deallocateUnneeded() throws(PostgresError) {
    guard unneeded.count >= Self.unneededLimit, !connection.hasFailedTransaction else { return }
    let names = unneeded
    unneeded = []
    try connection.deallocate(names)
  }

  func prepare(_ change: RowChange) throws(StoreError) -> any DatabaseStatement {
    if change.kind == .insert, try canCopy(change) {
      return try attempt("write to it") { () throws(PostgresError) in
        let copy = try PostgresSQL(writtenByGraft: PostgresRows.copy(of: change))
        return PostgresDatabaseStatement(copying: copy, change, self)
      }
    }
    return try prepare(PostgresRows.sql(of: change), rowsOf: change.values + change.key, change)
  }

  /// Returns whether the columns of new rows have the types in which values are sent.
  ///
  /// A copy converts no values, and another program may have changed the type of a column.
  private func canCopy(_ change: RowChange) throws(StoreError) -> Bool {
    try attempt("read it") { () throws(PostgresError) in
      let (name, types) = try connection.prepareInferringTypes(
        PostgresSQL(writtenByGraft: change.sql))
      noteUnneeded(name)
      return types == change.values.map { PostgresType($0.type).rawValue }
    }
  }

  func prepare(_ lookup: RowLookup) throws(StoreError) -> (any DatabaseStatement)? {
    try prepare(PostgresRows.sql(of: lookup), rowsOf: lookup.key, nil)
  }

  private func prepare(
    _ sql: String, rowsOf columns: [DatabaseSchema.Column], _ change: RowChange?
  ) throws(StoreError) -> any DatabaseStatement {
    try attempt("read it") { () throws(PostgresError) in
      let (name, _) = try connection.prepareInferringTypes(PostgresSQL(writtenByGraft: sql))
      return PostgresDatabaseStatement(sql, name, rowsOf: columns, change, self)
    }
  }

  /// Notes that a statement has rows to send, and sends the rows that must be written before them.
  func noteWaiting(_ statement: PostgresDatabaseStatement) throws(StoreError) {
    guard let change = statement.change else { return }
    if !waiting.allSatisfy({ $0.change?.commutes(with: change) ?? false }) { try sendWaiting() }
    waiting.append(statement)
  }

  /// Sends the rows that wait, in the order in which the statements got their first ones.
  func sendWaiting() throws(StoreError) {
    while !waiting.isEmpty { try waiting.removeFirst().sendWaiting() }
  }

  /// Carries out a statement that returns no rows, at some time before the next that does.
  func send(_ statement: String, _ values: borrowing PostgresValues) throws(StoreError) {
    do throws(PostgresError) {
      try connection.send(statement, values)
      if connection.sentCount >= Self.sendingLimit { try awaitSent() }
    } catch {
      throw failure(error, "write to it")
    }
  }

  /// Sends rows that are copied into a table; see ``PostgresConnection/copy(_:_:)``.
  func copy(_ rows: [UInt8], _ statement: PostgresSQL) throws(StoreError) {
    do throws(PostgresError) {
      try connection.copy(rows, statement)
    } catch {
      throw failure(error, "write to it")
    }
  }

  /// Carries out a statement that returns rows.
  func query(
    _ statement: String, _ values: borrowing PostgresValues
  ) throws(StoreError) -> PostgresResult {
    try sendWaiting()
    do throws(PostgresError) {
      try awaitSent()
      return try connection.execute(statement, values)
    } catch {
      throw failure(error, "read it")
    }
  }

  /// Sends a query whose rows are taken later.
  func ask(
    _ statement: String, _ values: borrowing PostgresValues
  ) throws(StoreError) -> PostgresReply {
    try sendWaiting()
    do throws(PostgresError) {
      return try connection.ask(statement, values)
    } catch {
      throw failure(error, "read it")
    }
  }

  /// Waits for the rows of a query that was sent.
  func awaitReply(_ reply: PostgresReply) throws(StoreError) -> PostgresResult {
    do throws(PostgresError) {
      return try connection.awaitReply(reply)
    } catch {
      throw failure(error, "read it")
    }
  }

  // MARK: Transactions

  func refuseChanges() throws(StoreError) {
    try execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
  }

  var isLost: Bool { connection.isLost }

  func makeInterrupt() -> @Sendable () -> Void { connection.makeCancellation() }

  func begin() throws(StoreError) -> Bool {
    do throws(PostgresError) {
      try awaitSent()
      // Each statement sees all earlier commits, including those during the wait.
      try connection.executeAll(
        """
        BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
        SET LOCAL lock_timeout = '\(max(1, Int(lockTimeout / .milliseconds(1))))ms'
        """)
      if dialect.distribution != nil {
        // Links to small tables are checked on connections of their own otherwise, which do not see each other's rows.
        try connection.execute("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")
      }
      try connection.execute("SELECT pg_advisory_xact_lock(\(Self.lock))")
      let commits = try readCommits()
      defer { lastCommits = commits }
      return commits != lastCommits
    } catch {
      rollback()
      guard error.sqlState == "55P03" else { throw failure(error, "write to it") }
      throw StoreError(
        .database,
        "\(name): cannot write to it: \(writer ?? "another connection") is writing; try again when it has ended, or wait"
          + " longer (lockTimeout)"
      )
    }
  }

  /// The lock of a database and schema, which a writer holds.
  private static let lock: PostgresSQL = "hashtextextended('graft ' || current_schema(), 0)"

  /// A description of the client that holds the lock.
  private var writer: String? {
    let sql: PostgresSQL = """
      SELECT coalesce(application_name, '') || ' of ' || usename || ' (process ' || a.pid || ', '
          || coalesce(host(client_addr), 'on the server') || ')'
        FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid
        WHERE l.locktype = 'advisory' AND l.granted AND l.database = (SELECT oid FROM pg_database
          WHERE datname = current_database()) AND (l.classid::bigint << 32 | l.objid::bigint) = \(Self.lock)
      """
    return (try? connection.execute(sql).rows.first?.text(0)) ?? nil
  }

  /// Returns the number of commits on all connections; nil before the first one.
  private func readCommits() throws(PostgresError) -> String? {
    if !hasImportTable {
      let row = try connection.execute("SELECT to_regclass('graft_import') IS NOT NULL").rows.first
      hasImportTable = try row?.boolean(0) ?? false
      guard hasImportTable else { return nil }
    }
    // The server's own number of a row's transaction is not on all servers.
    let sql: PostgresSQL =
      "SELECT \"object_count\"::text FROM \"graft_import\" WHERE \"number\" = 0"
    return try connection.execute(sql).rows.first?.text(0)
  }

  func noteVersion() throws(StoreError) -> Bool {
    try attempt("read it") { () throws(PostgresError) in
      let commits = try readCommits()
      defer { lastCommits = commits }
      return commits != lastCommits
    }
  }

  func indexNames() throws(StoreError) -> Set<String> {
    Set(
      try names(
        """
        SELECT relname::text FROM pg_class WHERE relkind IN ('i', 'I') AND relnamespace =
          (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
        """))
  }

  func version() throws(StoreError) -> String {
    try attempt("read it") { () throws(PostgresError) in try readCommits() ?? "" }
  }

  func commit() throws(StoreError) {
    try sendWaiting()
    do throws(PostgresError) {
      try awaitSent()
      lastCommits = try readCommits()
      guard try connection.execute("COMMIT").command == "COMMIT" else {
        throw PostgresError(.use, "a statement of the transaction had failed")
      }
    } catch {
      rollback()
      throw failure(error, "save")
    }
  }

  func rollback() {
    for statement in waiting { statement.removeWaiting() }
    waiting = []
    // Sent statements are undone with the rest, whether they succeeded or not.
    try? awaitSent()
    if connection.isInTransaction { _ = try? connection.execute("ROLLBACK") }
  }

  /// Does nothing: existing foreign keys are always checked at the commit here.
  func enforceForeignKeys() throws(StoreError) {}

  func constraintNames() throws(StoreError) -> [String: Set<String>] {
    try attempt("read it") { () throws(PostgresError) in
      let result = try connection.execute(
        """
        SELECT r.relname::text, c.conname::text FROM pg_constraint AS c JOIN pg_class AS r ON r.oid = c.conrelid
          WHERE r.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
        """)
      var names: [String: Set<String>] = [:]
      for row in result.rows {
        guard let table = try row.text(0), let name = try row.text(1) else { continue }
        names[table, default: []].insert(name)
      }
      return names
    }
  }

  func tableNames() throws(StoreError) -> [String] {
    try names(
      """
      SELECT relname::text FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace =
        (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) ORDER BY relname
      """)
  }

  func columnNames(of table: String) throws(StoreError) -> [String] {
    try names(
      """
      SELECT attname::text FROM pg_attribute AS a JOIN pg_class AS r ON r.oid = a.attrelid
        WHERE r.relname = \(SQL.literal(table)) AND attnum > 0 AND NOT attisdropped AND r.relnamespace =
        (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) ORDER BY attnum
      """)
  }

  /// Returns the texts that a query returns.
  private func names(_ sql: String) throws(StoreError) -> [String] {
    try attempt("read it") { () throws(PostgresError) in
      let result = try connection.execute(PostgresSQL(writtenByGraft: sql))
      var names: [String] = []
      for row in result.rows { if let name = try row.text(0) { names.append(name) } }
      return names
    }
  }
}
#endif
