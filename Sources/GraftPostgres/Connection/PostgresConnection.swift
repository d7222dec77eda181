#if canImport(CPQ)
import CPQ
import Foundation
import Synchronization

// Raw memory: `connection` is made once, is libpq's, and ends with the object that owns it; nobody else has it.
// Bytes that libpq reads during a call are lent for that call. The notice receiver has an unretained pointer to
// `notices`, which lives as long as the connection.

/// A connection to a Postgres server.
///
/// It has one owner, and its calls wait for the server: have it on a thread of its own where others must not
/// wait. Data that a slow server has not read yet is not collected; the call that sends it waits.
///
/// What a user has typed, and what a document contains, is bound to a statement or quoted as a name:
/// statements are ``PostgresSQL``, which cannot be made from a string.
@safe
final class PostgresConnection {
  private let connection: OpaquePointer
  private let secrets: [String]
  private let received = ReceivedNotices()
  private var statementCount = 0

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - address: Where the database is, and who asks.
  ///   - timeout: For how many seconds each of its hosts is waited for, unless the address says it.
  /// - Throws: ``PostgresError`` where the server cannot be reached or refuses, or where its database
  ///   cannot keep graphs.
  init(_ address: PostgresAddress, timeout: Int = 15) throws(PostgresError) {
    var options = ["fallback_application_name": "graft", "client_encoding": "UTF8"]
    if !address.gives("connect_timeout"),
      ProcessInfo.processInfo.environment["PGCONNECT_TIMEOUT"] == nil
    {
      options["connect_timeout"] = "\(timeout)"
    }
    let keywords = options.map(\.key) + ["dbname"]
    let values = options.map(\.value) + [address.text]
    let connection = unsafe CStringList.with(keywords) { keywords in
      unsafe CStringList.with(values) { values in unsafe PQconnectdbParams(keywords, values, 1) }
    }
    guard let connection = unsafe connection else {
      throw PostgresError(.connection, "there is no memory left for a connection to Postgres")
    }
    unsafe self.connection = connection
    let used = unsafe PQpass(connection).map { unsafe String(cString: $0) }
    secrets = (address.secrets + [used].compactMap(\.self)).filter { !$0.isEmpty }
    guard unsafe PQstatus(connection) == CONNECTION_OK else { throw connectionError() }
    unsafe PQsetNoticeReceiver(
      connection, receiveNotice, Unmanaged.passUnretained(received).toOpaque())
    try checkServer()
  }

  deinit { unsafe PQfinish(connection) }

  private func checkServer() throws(PostgresError) {
    let version = unsafe PQserverVersion(connection)
    guard version >= 120_000 else {
      throw PostgresError(
        .unsuitable,
        "\(target): the server's version is \(version / 10_000).\(version % 10_000), expected 12 or later"
      )
    }
    let encoding = unsafe PQparameterStatus(connection, "server_encoding").map {
      unsafe String(cString: $0)
    }
    guard encoding == nil || encoding?.uppercased() == "UTF8" else {
      throw PostgresError(
        .unsuitable,
        "\(target): the database's encoding is \(encoding ?? ""), which does not have all characters; make"
          + " one with ENCODING 'UTF8'")
    }
  }

  /// Which database this is, for messages: without a password.
  var target: String {
    func text(_ value: UnsafeMutablePointer<CChar>?) -> String {
      unsafe value.map { unsafe String(cString: $0) } ?? ""
    }
    let host = unsafe text(PQhost(connection))
    let database = unsafe text(PQdb(connection))
    let user = unsafe text(PQuser(connection))
    let port = unsafe text(PQport(connection))
    return "postgres://\(user)@\(host.hasPrefix("/") ? "[\(host)]" : host):\(port)/\(database)"
  }

  /// What the server has said beside results since it was asked last, at most 100 of it.
  func takeNotices() -> [PostgresNotice] { received.take() }
}

// MARK: - Statements

extension PostgresConnection {
  /// Carries out a statement.
  ///
  /// - Parameters:
  ///   - sql: The statement; it is one.
  ///   - parameters: The values of `$1`, `$2` and so on.
  /// - Returns: The rows, all in memory; for many, see ``forEachRow(of:_:_:)``.
  /// - Throws: ``PostgresError`` where the server refuses it.
  @discardableResult
  func execute(
    _ sql: PostgresSQL, _ parameters: [PostgresParameter] = []
  ) throws(PostgresError) -> PostgresResult {
    let text = sql.text
    let result = unsafe PostgresParameter.withPointers(to: parameters) {
      types, values, lengths, formats in
      unsafe PQexecParams(
        connection, text, CInt(parameters.count), types, values, lengths, formats, 1)
    }
    return try unsafe checked(result)
  }

  /// Has the server prepare a statement, and find out the types of its parameters.
  ///
  /// - Parameter sql: The statement.
  /// - Returns: The statement's name, and the numbers of its parameters' types.
  /// - Throws: ``PostgresError`` where the server refuses the statement.
  func prepareInferringTypes(
    _ sql: PostgresSQL
  ) throws(PostgresError) -> (name: String, types: [UInt32]) {
    let name = nextStatementName()
    _ = try unsafe checked(PQprepare(connection, name, sql.text, 0, nil))
    return (name, try unsafe checked(PQdescribePrepared(connection, name)).parameterTypes)
  }

  private func nextStatementName() -> String {
    statementCount += 1
    return "graft_\(statementCount)"
  }

  /// Carries out a prepared statement with values that are in one buffer.
  func execute(
    _ name: String, _ values: borrowing PostgresValues
  ) throws(PostgresError) -> PostgresResult {
    try unsafe checked(
      values.withPointers { count, values, lengths, formats in
        unsafe PQexecPrepared(connection, name, count, values, lengths, formats, 1)
      })
  }

  /// Carries out several statements that have no parameters.
  func executeAll(_ sql: PostgresSQL) throws(PostgresError) {
    _ = try unsafe checked(PQexec(connection, sql.text))
  }

  /// Whether a transaction is open, or has failed.
  var isInTransaction: Bool { unsafe PQtransactionStatus(connection) != PQTRANS_IDLE }

  // MARK: Without waiting

  /// Sends a prepared statement, and does not wait for what it gives.
  ///
  /// Nothing but ``send(_:_:)`` and ``awaitSent(_:)`` may be called until the latter has been.
  func send(_ name: String, _ values: borrowing PostgresValues) throws(PostgresError) {
    if unsafe PQpipelineStatus(connection) == PQ_PIPELINE_OFF {
      unsafe PQenterPipelineMode(connection)
    }
    let isSent = unsafe values.withPointers { count, values, lengths, formats in
      unsafe PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)
    }
    guard isSent == 1 else { throw connectionError() }
  }

  /// Waits for the statements that were sent.
  ///
  /// - Parameter count: Their number.
  /// - Throws: ``PostgresError`` of the first that the server refused; those after it have done nothing.
  func awaitSent(_ count: Int) throws(PostgresError) {
    guard unsafe PQpipelineSync(connection) == 1 else { throw connectionError() }
    var failure: PostgresError?
    for _ in 0..<count {
      let pointer = unsafe PQgetResult(connection)
      do throws(PostgresError) {
        let result = try unsafe checked(pointer)
        if result.isSkipped, failure == nil { failure = error(of: result) }
      } catch {
        failure = failure ?? error
      }
      // Each statement's results end with none.
      while unsafe pointer != nil, let more = unsafe PQgetResult(connection) {
        unsafe PQclear(more)
      }
    }
    // The point up to which was waited.
    if let end = unsafe PQgetResult(connection) { unsafe PQclear(end) }
    unsafe PQexitPipelineMode(connection)
    if let failure { throw failure }
  }

  // MARK: Prepared by hand

  /// Has the server prepare a statement that is carried out many times.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - types: The types of `$1`, `$2` and so on.
  /// - Returns: The statement; it belongs to this connection, and ends with it.
  /// - Throws: ``PostgresError`` where the server refuses it.
  func prepare(
    _ sql: PostgresSQL, _ types: [PostgresParameterType]
  ) throws(PostgresError) -> PostgresStatement {
    let name = nextStatementName()
    let numbers = types.map(\.number)
    let result = unsafe PQprepare(connection, name, sql.text, CInt(types.count), numbers)
    _ = try unsafe checked(result)
    return PostgresStatement(name: name, types: types)
  }

  /// Carries out a prepared statement.
  ///
  /// - Parameters:
  ///   - statement: The statement, prepared by this connection.
  ///   - parameters: Its values, of the types that it was prepared with.
  /// - Returns: The rows, all in memory.
  /// - Throws: ``PostgresError`` where the server refuses it.
  @discardableResult
  func execute(
    _ statement: PostgresStatement, _ parameters: [PostgresParameter]
  ) throws(PostgresError) -> PostgresResult {
    try check(parameters, for: statement)
    let result = unsafe PostgresParameter.withPointers(to: parameters) {
      _, values, lengths, formats in
      unsafe PQexecPrepared(
        connection, statement.name, CInt(parameters.count), values, lengths, formats, 1)
    }
    return try unsafe checked(result)
  }

  private func check(
    _ parameters: [PostgresParameter], for statement: PostgresStatement
  ) throws(PostgresError) {
    guard parameters.map(\.type) == statement.types else {
      throw PostgresError(
        .use,
        "a statement was prepared for parameters of other types; expected \(statement.types), found"
          + " \(parameters.map(\.type))")
    }
  }

  /// Calls a function with each row of a query, as the server sends them.
  ///
  /// One row is in memory at a time. Where the function throws, the query is cancelled.
  ///
  /// - Parameters:
  ///   - sql: The query.
  ///   - parameters: The values of `$1`, `$2` and so on.
  ///   - body: What is called with each row.
  /// - Throws: ``PostgresError`` where the server refuses the query, and what `body` throws.
  func forEachRow(
    of sql: PostgresSQL, _ parameters: [PostgresParameter] = [],
    _ body: (PostgresRow) throws -> Void
  ) throws {
    let text = sql.text
    let isSent = unsafe PostgresParameter.withPointers(to: parameters) {
      types, values, lengths, formats in
      unsafe PQsendQueryParams(
        connection, text, CInt(parameters.count), types, values, lengths, formats, 1)
    }
    guard isSent == 1 else { throw connectionError() }
    guard unsafe PQsetSingleRowMode(connection) == 1 else {
      endResults()
      throw connectionError()
    }
    do {
      while let pointer = unsafe PQgetResult(connection) {
        let result = try unsafe checked(pointer)
        for row in result.rows { try body(row) }
      }
    } catch {
      cancellation().cancel()
      endResults()
      throw error
    }
  }

  /// Takes what is left of a statement's results.
  private func endResults() {
    while let result = unsafe PQgetResult(connection) {
      let isCopying = unsafe PQresultStatus(result) == PGRES_COPY_IN
      unsafe PQclear(result)
      if isCopying { unsafe PQputCopyEnd(connection, "ended early") }
    }
  }

  /// What ends a statement of this connection from another thread.
  func cancellation() -> PostgresCancellation {
    unsafe PostgresCancellation(PQgetCancel(connection))
  }
}

// MARK: - Transactions

extension PostgresConnection {
  /// Carries out several statements as one: all of them, or none.
  ///
  /// - Parameter body: What carries them out. Where it throws, all is taken back.
  /// - Returns: What `body` returned.
  /// - Throws: ``PostgresError`` where the server refuses to commit, or where a transaction is open already, and
  ///   what `body` throws.
  func transaction<R>(_ body: () throws -> R) throws -> R {
    guard unsafe PQtransactionStatus(connection) == PQTRANS_IDLE else {
      throw PostgresError(
        .use, "\(target): a transaction is open already; end it, or carry out the statements in it")
    }
    try execute("BEGIN")
    let value: R
    do {
      value = try body()
      let result = try execute("COMMIT")
      // A transaction in which a statement failed is taken back by COMMIT, which is no error to the server.
      guard result.command == "COMMIT" else {
        throw PostgresError(
          .use, "\(target): a statement of the transaction had failed, so that it was taken back")
      }
    } catch {
      // If the connection is gone, the server takes everything back by itself.
      if unsafe PQtransactionStatus(connection) != PQTRANS_IDLE { _ = try? execute("ROLLBACK") }
      throw error
    }
    return value
  }
}

// MARK: - Copying

extension PostgresConnection {
  /// Copies rows into a table, the fastest way to bring in many.
  ///
  /// ```swift
  /// let sql: PostgresSQL = "COPY \(table) (id, name) FROM STDIN (FORMAT binary)"
  /// let count = try connection.copy(sql) { rows in
  ///   rows.beginRow(of: 2)
  ///   try rows.append(.integer(7), as: .integer64)
  ///   try rows.append(nil, as: .string)
  /// }
  /// ```
  ///
  /// Rows go to the server 64 KiB at a time, and the function waits while the server is slower.
  ///
  /// - Parameters:
  ///   - sql: `COPY … FROM STDIN (FORMAT binary)`.
  ///   - body: What writes the rows. Where it throws, none of them is there.
  /// - Returns: The number of rows.
  /// - Throws: ``PostgresError`` where the server refuses the rows, and what `body` throws.
  @discardableResult
  func copy(_ sql: PostgresSQL, _ body: (inout PostgresCopy) throws -> Void) throws -> Int {
    let start = try execute(sql)
    guard start.isCopying else {
      throw PostgresError(.use, "\(target): expected COPY … FROM STDIN, found \(sql.text)")
    }
    var rows = PostgresCopy { bytes throws(PostgresError) in try self.send(bytes) }
    do {
      try body(&rows)
      try rows.end()
    } catch {
      unsafe PQputCopyEnd(connection, "the rows could not be written")
      endResults()
      throw error
    }
    guard unsafe PQputCopyEnd(connection, nil) == 1 else {
      let error = connectionError()
      endResults()
      throw error
    }
    defer { endResults() }
    return try unsafe checked(PQgetResult(connection)).affectedCount
  }

  private func send(_ bytes: [UInt8]) throws(PostgresError) {
    // Reads of the first bytes of an array, during the call.
    let status = unsafe bytes.withUnsafeBytes { bytes in
      unsafe PQputCopyData(
        connection, bytes.assumingMemoryBound(to: CChar.self).baseAddress, CInt(bytes.count))
    }
    guard status == 1 else { throw connectionError() }
  }
}

// MARK: - Errors

extension PostgresConnection {
  /// A result, or the error that it is.
  private func checked(_ pointer: OpaquePointer?) throws(PostgresError) -> PostgresResult {
    guard let pointer = unsafe pointer else { throw connectionError() }
    let result = unsafe PostgresResult(pointer)
    guard !result.isError else { throw error(of: result) }
    return result
  }

  private func error(of result: PostgresResult) -> PostgresError {
    func field(_ field: cpq_field) -> String? {
      result.errorField(field).map { PostgresAddress.withoutSecrets($0, secrets) }
    }
    let state = field(cpq_sql_state)
    let isConnected = unsafe PQstatus(connection) == CONNECTION_OK
    guard isConnected || state != nil else { return connectionError() }
    let kind: PostgresError.Kind =
      !isConnected ? .connection : state == "57014" ? .cancelled : .statement
    return PostgresError(
      kind, field(cpq_message) ?? PostgresAddress.withoutSecrets(result.errorText, secrets),
      sqlState: state, detail: field(cpq_detail), hint: field(cpq_hint), table: field(cpq_table),
      column: field(cpq_column), constraint: field(cpq_constraint))
  }

  private func connectionError() -> PostgresError {
    let text = unsafe PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? ""
    let reason = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return PostgresError(
      .connection,
      "\(target): "
        + PostgresAddress.withoutSecrets(reason.isEmpty ? "no reason is known" : reason, secrets))
  }
}

/// Ends what a connection is doing, from any thread.
///
/// - Note: Sendable: libpq lets every thread use the pointer, which never changes.
@safe
final class PostgresCancellation: @unchecked Sendable {
  private let pointer: OpaquePointer?

  fileprivate init(_ pointer: OpaquePointer?) { unsafe self.pointer = pointer }

  deinit { unsafe PQfreeCancel(pointer) }

  /// Asks the server to end the statement that runs; its call then throws an error of the kind `cancelled`.
  ///
  /// - Returns: Whether the server was asked. A statement that has ended already is not affected.
  @discardableResult
  func cancel() -> Bool {
    var reason = [CChar](repeating: 0, count: 256)
    return unsafe PQcancel(pointer, &reason, CInt(reason.count)) == 1
  }
}

/// What a server has said, up to a limit.
private final class ReceivedNotices: Sendable {
  private static let limit = 100
  private let notices = Mutex<[PostgresNotice]>([])

  func add(_ notice: PostgresNotice) {
    notices.withLock { if $0.count < Self.limit { $0.append(notice) } }
  }

  func take() -> [PostgresNotice] {
    notices.withLock { notices in
      defer { notices = [] }
      return notices
    }
  }
}

private let receiveNotice: PQnoticeReceiver = { context, result in
  guard let context = unsafe context else { return }
  func field(_ field: cpq_field) -> String {
    unsafe PQresultErrorField(result, CInt(field.rawValue)).map { unsafe String(cString: $0) } ?? ""
  }
  let notices = unsafe Unmanaged<ReceivedNotices>.fromOpaque(context).takeUnretainedValue()
  notices.add(
    PostgresNotice(
      severity: field(cpq_severity), sqlState: field(cpq_sql_state), message: field(cpq_message)))
}

/// Strings as C has them.
private enum CStringList {
  /// Calls a function with pointers to strings, of which the last is followed by a null pointer.
  ///
  /// The pointers are into one array of all bytes, and valid during the call.
  static func with<R>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R
  ) -> R {
    var bytes: [CChar] = []
    var starts: [Int] = []
    for string in strings {
      starts.append(bytes.count)
      bytes.append(contentsOf: string.utf8CString)
    }
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      let pointers: [UnsafePointer<CChar>?] =
        unsafe starts.map { start in unsafe buffer.baseAddress.map { unsafe $0 + start } } + [nil]
      return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
  }
}
#endif
