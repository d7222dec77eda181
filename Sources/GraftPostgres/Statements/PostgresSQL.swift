/// A statement, or a part of one.
///
/// It is a literal of this module, with interpolated numbers and other parts, or text that the
/// library has written for all databases, with quoted names (``SQL/quote(_:)``) and bound values. A
/// string that comes from a user or a document does not become one by accident.
///
/// ```swift
/// let limit: PostgresSQL = "SET LOCAL lock_timeout = '\(seconds)s'"
/// let insertion = try PostgresSQL(writtenByGraft: change.sql)
/// ```
struct PostgresSQL: Sendable, Hashable, ExpressibleByStringInterpolation {
  let text: String

  init(stringLiteral value: StaticString) { text = "\(value)" }

  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  /// Creates a statement from SQL that the library writes for all databases.
  ///
  /// - Throws: ``PostgresError`` of kind ``PostgresError/Kind/statement`` if it has U+0000, at which libpq would stop
  ///   reading.
  init(writtenByGraft text: String) throws(PostgresError) {
    guard !text.utf8.contains(0) else {
      throw PostgresError(
        .statement,
        "a name contains U+0000, with which Postgres has no tables and columns; give the entity or property"
          + " another one")
    }
    self.text = text
  }

  /// A literal with parts in it.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: StaticString) { text += "\(literal)" }

    mutating func appendInterpolation(_ sql: PostgresSQL) { text += sql.text }

    mutating func appendInterpolation(_ number: Int) { text += "\(number)" }
  }
}
