/// The error of a statement that Postgres refused, or of a value that was not sent to it.
///
/// No error has a password: libpq's message about an address is shown without its quotations.
struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error.
  enum Kind {
    /// An address that cannot be read.
    case address
    /// A server that cannot be reached, or that refuses or closes the connection.
    case connection
    /// A server, or a database of it, in which graphs cannot be kept.
    case unsuitable
    /// A statement that the server refused; ``PostgresError/sqlState`` says why.
    case statement
    /// A statement that was cancelled.
    case cancelled
    /// A value that Postgres cannot hold, or of an unexpected type.
    case value
    /// A call at the wrong time, such as a second transaction inside one.
    case use
  }

  /// The kind of the error.
  let kind: Kind
  /// The fault, its place and the remedy.
  let message: String
  /// The server's code of five characters for the error, such as `23505` for a key that exists already; nil if the
  /// error is not the server's.
  let sqlState: String?
  /// The server's details of the fault, for instance the key that exists already.
  let detail: String?
  /// The server's suggestion.
  let hint: String?

  init(
    _ kind: Kind, _ message: String, sqlState: String? = nil, detail: String? = nil,
    hint: String? = nil
  ) {
    self.kind = kind
    self.message = message
    self.sqlState = sqlState
    self.detail = detail
    self.hint = hint
  }

  /// Whether the server has refused the statement itself: its syntax, names, types or values, or a
  /// change in a transaction that only reads.
  var refusesStatement: Bool {
    guard kind == .statement, let sqlState else { return false }
    return ["0A", "21", "22", "42"].contains(sqlState.prefix(2)) || sqlState == "25006"
  }

  /// The remedy for a limit of the server that its message does not explain.
  private var remedy: String? {
    guard sqlState == "54000", message.contains("index row") else { return nil }
    return
      "a string of an identity or of an indexed attribute is longer than the 2,700 bytes or so that an index"
      + " of Postgres takes: shorten it, or let the attribute not be indexed"
  }

  /// The message, and the server's details.
  var description: String {
    var text = message
    if let sqlState { text += " (SQLSTATE \(sqlState))" }
    if let detail { text += "; \(detail)" }
    if let hint = remedy ?? hint { text += "; \(hint)" }
    return text
  }
}
