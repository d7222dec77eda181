#if canImport(CPQ)
import CPQ
import Foundation

// Raw memory: `connection` is made once, is libpq's, and ends with the object that owns it; no
// other code has it. Bytes that libpq reads during a call are lent for that call.

/// A connection to a Postgres server.
///
/// It has one owner, and its calls wait for the server: have it on a thread of its own where others must not
/// wait. Data that a slow server has not read yet is not collected; the call that sends it waits.
///
/// Statements are ``PostgresSQL``: literals of this module, or text that the library has written
/// with bound values and quoted names.
@safe
final class PostgresConnection {
  private let connection: OpaquePointer
  private let secrets: [String]
  private var statementCount = 0
  /// The `COPY` that takes rows in; nil if there is none.
  private var copying: PostgresSQL?
  /// The statements that were sent and not answered yet, in order.
  private var sent: [SentStatement] = []
  /// The error of the first statement without rows that has failed since all was answered.
  private var sendingFailure: PostgresError?

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - address: The database's address, with a user.
  ///   - timeout: The seconds to wait for each of its hosts, unless the address gives them.
  /// - Throws: ``PostgresError`` if the server cannot be reached or refuses, or where its database
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
    // Otherwise libpq prints the server's notices to standard error, which belongs to the application.
    unsafe PQsetNoticeReceiver(connection, { _, _ in }, nil)
    try checkServer()
    // A server of version 14 or later ends a statement whose client is gone, if its system reports that.
    if unsafe PQserverVersion(connection) >= 140_000 {
      try? executeAll("SET client_connection_check_interval = '1s'")
    }
  }

  deinit { unsafe PQfinish(connection) }

  private func checkServer() throws(PostgresError) {
    guard unsafe PQparameterStatus(connection, "crdb_version") == nil else {
      throw PostgresError(
        .unsuitable,
        "\(target): the server is CockroachDB, which has no foreign keys that are checked at the commit, and no locks"
          + " that keep two imports apart in all of its versions; use Postgres, Citus or YugabyteDB"
      )
    }
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

  /// The database for messages, without a password.
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

  /// Whether the server is YugabyteDB, whose version is such as `15.2-YB-2.25.0.0-b0`.
  var isYugabyte: Bool {
    unsafe PQparameterStatus(connection, "server_version").map {
      unsafe String(cString: $0).contains("-YB-")
    } ?? false
  }
}

// MARK: - Statements

extension PostgresConnection {
  /// Carries out a statement.
  ///
  /// - Parameter sql: One statement without parameters.
  /// - Returns: The rows, all in memory.
  /// - Throws: ``PostgresError`` if the server refuses it.
  @discardableResult
  func execute(_ sql: PostgresSQL) throws(PostgresError) -> PostgresResult {
    try unsafe checked(PQexecParams(connection, sql.text, 0, nil, nil, nil, nil, 1))
  }

  /// Has the server prepare a statement, and find out the types of its parameters.
  ///
  /// - Parameter sql: The statement.
  /// - Returns: The statement's name, and the numbers of its parameters' types.
  /// - Throws: ``PostgresError`` if the server refuses the statement.
  func prepareInferringTypes(
    _ sql: PostgresSQL
  ) throws(PostgresError) -> (name: String, types: [UInt32]) {
    let name = nextStatementName()
    _ = try unsafe checked(PQprepare(connection, name, sql.text, 0, nil))
    return (name, try unsafe checked(PQdescribePrepared(connection, name)).parameterTypes)
  }

  /// Makes the server forget prepared statements.
  func deallocate(_ names: [String]) throws(PostgresError) {
    let sql = names.map { "DEALLOCATE \($0)" }.joined(separator: "; ")
    _ = try unsafe checked(PQexec(connection, sql))
  }

  private func nextStatementName() -> String {
    statementCount += 1
    return "graft_\(statementCount)"
  }

  /// Carries out a prepared statement with values for its parameters.
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

  /// The number of statements and ends of groups that were sent and not answered yet.
  var sentCount: Int { sent.count }

  /// Whether a transaction is open, or has failed.
  var isInTransaction: Bool { unsafe PQtransactionStatus(connection) != PQTRANS_IDLE }

  /// Whether the connection was lost, as of the last call.
  var isLost: Bool { unsafe PQstatus(connection) != CONNECTION_OK }

  /// Makes a function that asks the server to end the statement that it is carrying out; any thread may call it.
  func makeCancellation() -> @Sendable () -> Void {
    let cancellation = unsafe PostgresCancellation(PQgetCancel(connection))
    return { cancellation.call() }
  }

  /// Whether a statement of the transaction has failed, so that the server can only undo the
  /// transaction.
  var hasFailedTransaction: Bool { unsafe PQtransactionStatus(connection) == PQTRANS_INERROR }

  // MARK: Without waiting

  /// Sends a prepared statement that returns no rows, and does not wait for its end.
  ///
  /// Only this function, ``ask(_:_:)`` and ``awaitReply(_:)`` may be called until ``awaitSent()`` has been.
  func send(_ name: String, _ values: borrowing PostgresValues) throws(PostgresError) {
    try post(name, values)
    sent.append(.change)
  }

  /// Sends a prepared query, and does not wait for its rows.
  ///
  /// - Returns: The reply, for which ``awaitReply(_:)`` waits.
  /// - Throws: ``PostgresError`` if the connection is lost.
  func ask(
    _ name: String, _ values: borrowing PostgresValues
  ) throws(PostgresError) -> PostgresReply {
    try post(name, values)
    let reply = PostgresReply()
    sent.append(.query(reply))
    try endGroup()
    return reply
  }

  private func post(_ name: String, _ values: borrowing PostgresValues) throws(PostgresError) {
    try endCopy()
    if unsafe PQpipelineStatus(connection) == PQ_PIPELINE_OFF {
      unsafe PQenterPipelineMode(connection)
    }
    let isSent = unsafe values.withPointers { count, values, lengths, formats in
      unsafe PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)
    }
    guard isSent == 1 else { throw connectionError() }
  }

  /// Ends a group of statements, which makes the server answer them.
  private func endGroup() throws(PostgresError) {
    guard unsafe PQpipelineSync(connection) == 1 else { throw connectionError() }
    sent.append(.end)
  }

  /// Waits for a reply, and takes it.
  ///
  /// - Returns: The rows.
  /// - Throws: ``PostgresError`` if the server has refused the query, or a statement before it.
  func awaitReply(_ reply: PostgresReply) throws(PostgresError) -> PostgresResult {
    while reply.outcome == nil, !sent.isEmpty { receive() }
    guard let outcome = reply.outcome else { throw connectionError() }
    reply.outcome = nil
    return try outcome.get()
  }

  /// Waits for all that was sent.
  ///
  /// - Throws: ``PostgresError`` of the first statement that the server refused; those after it have done nothing.
  func awaitSent() throws(PostgresError) {
    try endCopy()
    if sent.isEmpty { return }
    if case .end? = sent.last {} else { try endGroup() }
    while !sent.isEmpty { receive() }
    unsafe PQexitPipelineMode(connection)
    defer { sendingFailure = nil }
    if let sendingFailure { throw sendingFailure }
  }

  /// Receives the answer to the statement that was sent first.
  private func receive() {
    let first = sent.removeFirst()
    let pointer = unsafe PQgetResult(connection)
    if case .end = first {
      unsafe PQclear(pointer)
      return
    }
    let outcome = Result<PostgresResult, PostgresError> { () throws(PostgresError) in
      let result = try unsafe checked(pointer)
      guard result.isSkipped else { return result }
      throw sendingFailure ?? error(of: result)
    }
    // Each statement's results end with none.
    while unsafe pointer != nil, let more = unsafe PQgetResult(connection) { unsafe PQclear(more) }
    switch (first, outcome) {
    case (.query(let reply), _): reply.outcome = outcome
    case (.change, .failure(let error)): sendingFailure = sendingFailure ?? error
    case (.change, .success), (.end, _): break
    }
  }
}

// MARK: - Copies

extension PostgresConnection {
  /// Sends rows to a table, and does not wait until they are there.
  ///
  /// The copy goes on with the next rows of the same statement, and ends before anything else is sent or awaited.
  ///
  /// - Parameters:
  ///   - rows: Whole rows; see ``PostgresCopy``.
  ///   - statement: The statement that takes them in.
  /// - Throws: ``PostgresError`` if the server refuses the statement, or something that was sent before.
  func copy(_ rows: [UInt8], _ statement: PostgresSQL) throws(PostgresError) {
    if copying != statement {
      try awaitSent()
      _ = try unsafe checked(PQexec(connection, statement.text))
      copying = statement
      try put(PostgresCopy.head)
    }
    try put(rows)
  }

  /// Waits until all rows of a copy are in the table.
  ///
  /// - Throws: ``PostgresError`` if the server refuses one of them; then there is none.
  private func endCopy() throws(PostgresError) {
    if copying == nil { return }
    copying = nil
    try put(PostgresCopy.end)
    guard unsafe PQputCopyEnd(connection, nil) == 1 else { throw connectionError() }
    let result = unsafe PQgetResult(connection)
    defer { while let more = unsafe PQgetResult(connection) { unsafe PQclear(more) } }
    _ = try unsafe checked(result)
  }

  private func put(_ bytes: [UInt8]) throws(PostgresError) {
    let isSent = unsafe bytes.withUnsafeBytes { bytes in
      let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress
      return unsafe PQputCopyData(connection, start, CInt(bytes.count))
    }
    guard isSent == 1 else { throw connectionError() }
  }
}

/// A statement or end of a group that was sent to a server.
private enum SentStatement {
  case change
  case query(PostgresReply)
  /// The end of a group: after a statement that fails, the server skips the others of its group.
  case end
}

/// The reply to a query that was sent, once it has been received.
final class PostgresReply {
  fileprivate var outcome: Result<PostgresResult, PostgresError>?
}

/// A request to end a connection's current statement.
///
/// Unchecked: libpq lets any thread make a request, and nothing changes until `deinit` frees it.
@safe
private final class PostgresCancellation: @unchecked Sendable {
  private let request: OpaquePointer?

  init(_ request: OpaquePointer?) { unsafe self.request = request }

  deinit { unsafe PQfreeCancel(request) }

  func call() {
    var message: [256 of CChar] = .init(repeating: 0)
    var span = message.mutableSpan
    unsafe span.withUnsafeMutableBufferPointer {
      _ = unsafe PQcancel(request, $0.baseAddress, Int32($0.count))
    }
  }
}

// MARK: - Errors

extension PostgresConnection {
  /// Returns a result, or throws the error that it describes.
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
      sqlState: state, detail: field(cpq_detail), hint: field(cpq_hint))
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

/// Passes strings to C.
private enum CStringList {
  /// Calls a function with pointers to strings, followed by a null pointer.
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
