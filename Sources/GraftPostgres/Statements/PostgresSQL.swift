/// A statement, or a part of one.
///
/// It is written as a literal, into which names, numbers and other parts are interpolated, and nothing else: there is
/// no way from a string to a statement, so that what a user types or a document contains is bound as a parameter
/// or quoted as a name.
///
/// ```swift
/// let table = try PostgresName("Tweet")
/// let sql: PostgresSQL = "SELECT \(try PostgresName("text")) FROM \(table) WHERE id = ANY($1)"
/// ```
struct PostgresSQL: Sendable, Hashable, ExpressibleByStringInterpolation {
  let text: String

  init(stringLiteral value: StaticString) { text = "\(value)" }

  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  private init(text: String) { self.text = text }

  /// A statement of the library's room for databases, which quotes names and binds values by itself.
  init(writtenByGraft text: String) { self.text = text }

  /// Joins parts.
  static func joined(_ parts: some Sequence<PostgresSQL>, by separator: PostgresSQL) -> PostgresSQL
  {
    PostgresSQL(text: parts.map(\.text).joined(separator: separator.text))
  }

  /// Names, separated by commas.
  static func list(_ names: some Sequence<PostgresName>) -> PostgresSQL {
    joined(names.map { "\($0)" }, by: ", ")
  }

  /// What is made of a literal with parts in it.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: StaticString) { text += "\(literal)" }

    mutating func appendInterpolation(_ name: PostgresName) { text += name.quoted }

    mutating func appendInterpolation(_ sql: PostgresSQL) { text += sql.text }

    mutating func appendInterpolation(_ number: Int) { text += "\(number)" }
  }
}
