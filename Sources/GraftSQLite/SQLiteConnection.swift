// Raw memory: `handle` is a connection of SQLite, opened and closed here. Statements keep their connection, so
// that it is closed after the last of them. A connection and its statements are used by one thread at a time,
// which is why SQLite's own locks are off.

import CSQLite
import Foundation
import Graft
import GraftDatabase

/// A connection to a file of SQLite.
@safe final class SQLiteConnection: DatabaseConnection {
  let name: String
  private let handle: OpaquePointer
  private let configuration: SQLiteConfiguration
  /// The identity of the opened file; nil if the system does not give it.
  private let file: FileIdentity?
  /// SQLite's counter of other connections' commits, as of this connection's last transaction.
  private var dataVersion: Int64 = 0
  /// The pages in the write-ahead log after this connection's last commit.
  private var logPageCount: Int32 = 0

  var dialect: SQLDialect { Self.dialect }

  private static let dialect = SQLDialect(
    typeNames: [
      .integer16: "INTEGER", .integer32: "INTEGER", .integer64: "INTEGER", .boolean: "BOOLEAN",
      // Without a type: a column of the type REAL keeps -0.0 as 0.
      .double: "", .float: "", .decimal: "TEXT", .string: "TEXT", .date: "DATETIME",
      .binary: "BLOB", .uuid: "TEXT", .uri: "TEXT", .transformable: "TEXT",
    ], keyedTableSuffix: " WITHOUT ROWID", nameLimit: 1000, keepsNaN: false, checksLinks: false,
    temporaryTablesOnDisk: "PRAGMA temp_store = FILE",
    collations: [.decimal: "graft_decimal"], dateFunction: "graft_date")

  /// Opens a file, which is made where there is none.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - configuration: The options for the file.
  /// - Throws: ``Graft/StoreError`` of the kind `database`.
  init(path: String, _ configuration: SQLiteConfiguration) throws(StoreError) {
    name = path
    self.configuration = configuration
    _ = Self.countsNoMemory
    // Of a FIFO, SQLite would say that the disk has failed.
    if FileIdentity(path)?.isRegular == false {
      throw StoreError(
        .database, "\(path): cannot open it: it is no regular file; name another one")
    }
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
      | (configuration.createsFile ? SQLITE_OPEN_CREATE : 0)
    let code = unsafe sqlite3_open_v2(path, &opened, flags, configuration.fileSystem)
    guard let opened = unsafe opened else {
      throw StoreError(.database, "\(path): there is no memory to open it")
    }
    unsafe handle = opened
    file = FileIdentity(path)
    guard code == SQLITE_OK else { throw failure(code, "open it") }
    unsafe sqlite3_busy_timeout(
      handle, Int32(clamping: Int(configuration.lockTimeout / .milliseconds(1))))
    // Triggers and views of a stranger's file must not run functions with side effects.
    _ = unsafe csqlite_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = unsafe csqlite_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    // Decimals are kept as their digits, which are not in the order of their size.
    unsafe sqlite3_create_collation_v2(
      handle, "graft_decimal", SQLITE_UTF8, nil,
      { _, firstCount, first, secondCount, second in
        let first = unsafe UnsafeRawBufferPointer(start: first, count: Int(firstCount))
        let second = unsafe UnsafeRawBufferPointer(start: second, count: Int(secondCount))
        return unsafe ColumnText.compareDecimals(first.bytes, second.bytes)
      }, nil)
    // Dates without an exact text are kept as numbers, which come before all texts.
    unsafe sqlite3_create_function_v2(
      handle, "graft_date", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, arguments in
        guard let value = unsafe arguments?[0] else { return }
        let isNumber = unsafe [SQLITE_INTEGER, SQLITE_FLOAT].contains(sqlite3_value_type(value))
        guard isNumber else { return unsafe sqlite3_result_value(context, value) }
        var text = ColumnText.orderedDate(unsafe sqlite3_value_double(value))
        text.withUTF8 {
          unsafe csqlite_result_text(context, $0.baseAddress, UInt64($0.count))
        }
      }, nil, nil, nil)
    // A quoted name that is no column is an error; by default SQLite takes it for a string.
    _ = unsafe csqlite_config(handle, SQLITE_DBCONFIG_DQS_DML, 0)
    _ = unsafe csqlite_config(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    // A file that is not Graft's is refused later, and must not be changed before.
    let names = try tableNames()
    if names.isEmpty ? configuration.createsFile : names.contains("graft_model") {
      try writeAhead()
    }
    try execute(
      """
      PRAGMA synchronous = \(configuration.synchronous.rawValue);
      PRAGMA foreign_keys = OFF; PRAGMA secure_delete = OFF;
      \(Self.limitCache(configuration.cacheSize))
      """)
    unsafe sqlite3_wal_hook(
      handle,
      { connection, handle, _, pageCount in
        guard let connection = unsafe connection else { return SQLITE_OK }
        unsafe Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue()
          .logPageCount = pageCount
        // A later checkpoint makes up for one that fails.
        if pageCount >= SQLiteConnection.checkpointPageCount {
          unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// The pages in the write-ahead log with which a commit copies them into the file, 16 MB.
  private static let checkpointPageCount: Int32 = 4000

  /// Makes SQLite allocate memory without the lock under which it counts all memory of the process.
  ///
  /// An import that reads with one connection and writes with another would wait for that lock half of the time. It has
  /// no effect in a program that has used SQLite before. Otherwise, limits that the program sets later on the memory of
  /// all connections together have none.
  private static let countsNoMemory =
    csqlite_config_library(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK

  deinit {
    unsafe sqlite3_close_v2(handle)
  }

  /// Switches the file to a write-ahead log, so that readers can read during a write.
  ///
  /// If several processes open a new file at once, SQLite lets one of them change this, and does
  /// not let the others wait. They try again for as long as a writer waits.
  private func writeAhead() throws(StoreError) {
    let end = ContinuousClock.now + configuration.lockTimeout
    while true {
      let code = unsafe sqlite3_exec(handle, "PRAGMA journal_mode = WAL", nil, nil, nil)
      if code == SQLITE_OK { return }
      guard code & 0xFF == SQLITE_BUSY, ContinuousClock.now < end else {
        throw failure(code, "open it")
      }
      sqlite3_sleep(5)
    }
  }

  /// Returns the error of the call that failed last, with the reason and the remedy.
  func failure(_ code: Int32, _ action: String) -> StoreError {
    let reason = unsafe String(cString: sqlite3_errmsg(handle))
    let message =
      switch code & 0xFF {
      case SQLITE_BUSY, SQLITE_LOCKED:
        "\(writer ?? "another process or connection") is writing; try again when it has ended, or wait longer"
          + " (lockTimeout)"
      case SQLITE_INTERRUPT: "the task was cancelled"
      case SQLITE_AUTH:
        "it changes something, or asks for more than data (\(reason)); only reading is allowed"
      case SQLITE_NOTADB: "the file is no database of SQLite; name another one"
      case SQLITE_CORRUPT: "the database is damaged (\(reason)); restore it from a copy"
      case SQLITE_FULL: "the disk is full; make room and resume the import"
      case SQLITE_READONLY: "the file cannot be written; check its permissions"
      case SQLITE_TOOBIG: "a value is longer than SQLite takes; limit the length of strings"
      case SQLITE_CANTOPEN:
        configuration.createsFile
          ? "the file cannot be opened or made; check that its folder exists and can be written"
          : "there is no such file, or it cannot be read; check its path"
      case SQLITE_IOERR: "the disk failed (\(reason)); check it, and resume the import"
      default: reason
      }
    return StoreError(
      .database, "\(name): cannot \(action): \(message)",
      refusesStatement: [SQLITE_ERROR, SQLITE_AUTH, SQLITE_MISMATCH, SQLITE_RANGE]
        .contains(code & 0xFF))
  }

  /// The process that holds the lock of writers; nil if it is not known.
  ///
  /// It is a lock on a byte of the file's shared memory, and Linux lists all locks of files with their owners.
  private var writer: String? {
    let manager = FileManager.default
    guard
      let number = try? manager.attributesOfItem(atPath: "\(name)-shm")[.systemFileNumber] as? Int,
      let locks = try? String(contentsOf: URL(filePath: "/proc/locks"), encoding: .utf8)
    else { return nil }
    for line in locks.split(separator: "\n") {
      // 7: POSIX  ADVISORY  WRITE 4711 00:1a:35 120 120
      let fields = line.split(separator: " ")
      guard fields.count == 8, fields[3] == "WRITE", fields[6] == "120",
        fields[5].split(separator: ":").last.flatMap({ Int($0) }) == number
      else { continue }
      if fields[4] == "\(ProcessInfo.processInfo.processIdentifier)" {
        return "another connection of this process"
      }
      let program = try? String(
        contentsOf: URL(filePath: "/proc/\(fields[4])/comm"), encoding: .utf8)
      return "process \(fields[4])"
        + (program.map { " (\($0.trimmingCharacters(in: .whitespacesAndNewlines)))" } ?? "")
    }
    return nil
  }

  func execute(_ sql: String) throws(StoreError) {
    try check(sql)
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code, "change it") }
  }

  /// Refuses a statement with U+0000, at which SQLite would stop reading.
  private func check(_ sql: String) throws(StoreError) {
    guard sql.utf8.contains(0) else { return }
    throw StoreError(
      .database,
      "\(name): a name contains U+0000, with which SQLite has no tables and columns; give the entity or"
        + " property another one")
  }

  /// Returns a statement that limits the memory of the file's pages, and of each sort beside them.
  private static func limitCache(_ bytes: Int) -> String {
    "PRAGMA cache_size = -\(max(1, bytes / 1024))"
  }

  func makeIndexes(_ statements: [String]) throws(StoreError) {
    // The rows are sorted, in temporary files, while the cache still has pages that are no longer wanted.
    try execute("\(Self.limitCache(min(configuration.cacheSize, 4 << 20))); PRAGMA shrink_memory")
    for statement in statements { try execute(statement) }
    try execute(Self.limitCache(configuration.cacheSize))
  }

  func prepare(_ sql: String) throws(StoreError) -> any DatabaseStatement {
    try check(sql)
    return try unsafe SQLiteStatement(sql, handle, self)
  }

  func prepareReading(_ sql: String) throws(StoreError) -> any DatabaseStatement {
    try check(sql)
    // Asked while the statement is prepared: it may read and compute, and nothing else.
    unsafe sqlite3_set_authorizer(
      handle,
      { _, action, _, _, _, _ in
        [SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE].contains(action)
          ? SQLITE_OK : SQLITE_DENY
      }, nil)
    defer { unsafe sqlite3_set_authorizer(handle, nil, nil) }
    return try unsafe SQLiteStatement(sql, handle, self)
  }

  /// Whether another file is at the path.
  var isLost: Bool { file != nil && FileIdentity(name) != file }

  func rest() {
    var (bytes, peak): (Int32, Int32) = (0, 0)
    unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_USED, &bytes, &peak, 0)
    if bytes > Self.restingCache { unsafe sqlite3_db_release_memory(handle) }
  }

  /// The most bytes of pages that an unused connection keeps.
  private static let restingCache = 2 << 20

  func makeInterrupt() -> @Sendable () -> Void {
    // SQLite lets any thread call it, as long as the connection is open.
    nonisolated(unsafe) let handle = unsafe handle
    return { unsafe sqlite3_interrupt(handle) }
  }

  func begin() throws(StoreError) -> Bool {
    // A connection that always reads while this one commits keeps the log from being copied to its end, without which
    // it only grows. The connection of an import that looks rows up beside its saves does not read at this moment.
    if logPageCount >= 4 * Self.checkpointPageCount {
      unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }
    let code = unsafe sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code, "write to it") }
    let version = try readDataVersion()
    defer { dataVersion = version }
    return version != dataVersion
  }

  private func readDataVersion() throws(StoreError) -> Int64 {
    let statement = try unsafe SQLiteStatement("PRAGMA data_version", handle, self)
    guard try statement.next() else { return 0 }
    defer { statement.reset() }
    return Int64(bitPattern: statement.word(0, .integer64))
  }

  func noteVersion() throws(StoreError) -> Bool {
    let version = try readDataVersion()
    defer { dataVersion = version }
    return version != dataVersion
  }

  func beginReading() throws(StoreError) {
    if unsafe sqlite3_get_autocommit(handle) != 0 { try execute("BEGIN") }
  }

  func endReading() {
    if unsafe sqlite3_get_autocommit(handle) == 0 {
      unsafe sqlite3_exec(handle, "COMMIT", nil, nil, nil)
    }
  }

  func indexNames() throws(StoreError) -> Set<String> {
    let statement = try unsafe SQLiteStatement(
      "SELECT name FROM sqlite_schema WHERE type = 'index'", handle, self)
    var names: Set<String> = []
    while try statement.next() {
      if case .string(let name)? = try statement.value(0) { names.insert(name) }
    }
    return names
  }

  func version() throws(StoreError) -> String { String(try readDataVersion()) }

  func commit() throws(StoreError) {
    let code = unsafe sqlite3_exec(handle, "COMMIT", nil, nil, nil)
    guard code == SQLITE_OK else {
      let error = failure(code, "save")
      rollback()
      throw error
    }
  }

  func rollback() {
    if unsafe sqlite3_get_autocommit(handle) == 0 {
      unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }
  }

  func enforceForeignKeys() throws(StoreError) {
    try execute("PRAGMA foreign_keys = ON")
  }

  func tableNames() throws(StoreError) -> [String] {
    try names(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    )
  }

  func columnNames(of table: String) throws(StoreError) -> [String] {
    try names("SELECT name FROM pragma_table_info(\(SQL.literal(table)))")
  }

  /// Returns the texts that a query returns.
  private func names(_ sql: String) throws(StoreError) -> [String] {
    let statement = try unsafe SQLiteStatement(sql, handle, self)
    var names: [String] = []
    while try statement.next() {
      statement.withBytes(0, .string) { names.append($0.string) }
    }
    return names
  }
}

/// Identifies a file, whatever its path: by its device and its number there.
private struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64
  /// Whether it is no folder, pipe or device.
  let isRegular: Bool

  /// Finds the identity of the file at a path; nil if there is none.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }
}

extension RawSpan {
  /// The bytes as text.
  fileprivate var string: String {
    unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
