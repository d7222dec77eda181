public import Graft

/// A query in SQL for everything beyond conditions and orders: sums, groups, joins.
///
/// ```swift
/// let rows = try database.rows(
///   "SELECT lang, sum(\(\Tweet.retweets)) AS total FROM \(Tweet.self) WHERE postedAt >= \(monday) GROUP BY lang")
/// for row in rows { print(try row.value("lang", as: String?.self) ?? "?", try row.value("total", as: Int.self)) }
/// ```
///
/// It begins with `SELECT`, `WITH` or `VALUES`, and only reads: a statement that changes anything is refused. A value
/// that is interpolated becomes a bound parameter and never SQL itself, an entity the quoted name of its table, and an
/// attribute the quoted name of its column.
public struct DatabaseSQL: Sendable {
  let text: SQLText

  /// Creates a query that is known only when the program runs.
  ///
  /// The text can read everything in the database, so take it only from people who may do so.
  ///
  /// - Parameter text: The SQL, with the names of tables and columns as the database has them.
  public init(sql text: String) {
    self.text = SQLText(text)
  }

  /// Checks that the text begins as a query does.
  ///
  /// - Throws: ``Graft/StoreError`` of the kind `invalidCondition`.
  func checkStart() throws(StoreError) {
    var start = ""
    if case .text(let text)? = text.pieces.first {
      start = String(text.drop { $0.isWhitespace }.prefix { $0.isLetter }).uppercased()
    }
    guard !["SELECT", "WITH", "VALUES"].contains(start) else { return }
    throw StoreError(
      .invalidCondition,
      "the query cannot be used: it begins with \"\(start)\"; begin it with SELECT, WITH or VALUES")
  }
}

extension DatabaseSQL: ExpressibleByStringInterpolation {
  /// Creates a query.
  ///
  /// - Parameter value: The SQL, with the names of tables and columns as the database has them.
  public init(stringLiteral value: String) {
    self.init(sql: value)
  }

  /// Creates a query with values in it.
  ///
  /// - Parameter interpolation: The SQL and the values.
  public init(stringInterpolation interpolation: StringInterpolation) {
    text = interpolation.text
  }

  /// The SQL of a query, with values that become bound parameters.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = SQLText()

    /// Creates an empty text.
    ///
    /// - Parameters:
    ///   - literalCapacity: The size of the SQL.
    ///   - interpolationCount: The number of values.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds SQL.
    ///
    /// - Parameter literal: The SQL.
    public mutating func appendLiteral(_ literal: String) { text.append(literal) }

    /// Adds a value as a bound parameter.
    ///
    /// - Parameter value: The value; nil is null, which in SQL nothing is equal to.
    public mutating func appendInterpolation(_ value: some AttributeConvertible) {
      text.append(value: value)
    }

    /// Adds the values of a list, as in `id IN \([1, 2, 3])`; nothing is in a list without values.
    ///
    /// - Parameter values: The values.
    public mutating func appendInterpolation(_ values: [some AttributeConvertible]) {
      text.append(values: values)
    }

    /// Adds the column of an attribute, without its table.
    ///
    /// - Parameter attribute: The attribute's key path.
    public mutating func appendInterpolation<E: Entity, Value>(
      _ attribute: KeyPath<E, Attribute<Value>>
    ) {
      text.append(.attribute(EntityType<E>.nameInQuery(attribute), entity: E.entityName))
    }

    /// Adds the column of a to-one relationship, which has the key of its object, without its table.
    ///
    /// - Parameter relationship: The relationship's key path.
    public mutating func appendInterpolation<E: Entity, Destination>(
      _ relationship: KeyPath<E, ToOne<Destination>>
    ) {
      text.append(
        .relationship(EntityType<E>.nameInQuery(relationship), entity: E.entityName))
    }

    /// Adds the column of an attribute, without its table.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - entity: The name of its entity.
    public mutating func appendInterpolation(attribute name: String, of entity: String) {
      text.append(.attribute(name, entity: entity))
    }

    /// Adds the table of an entity, which has the rows of the entities above and below it too.
    ///
    /// - Parameter entity: The entity.
    public mutating func appendInterpolation(_ entity: (some Entity).Type) {
      text.append(.table(entity.entityName))
    }

    /// Adds the table of an entity, which has the rows of the entities above and below it too.
    ///
    /// - Parameter name: The entity's name.
    public mutating func appendInterpolation(entity name: String) {
      text.append(.table(name))
    }
  }
}

extension GraphDatabase {
  /// Reads the rows that a query in SQL returns.
  ///
  /// - Parameter query: The query; see ``GraftDatabase/DatabaseSQL``.
  /// - Returns: The rows, all in memory, of one state of the database.
  /// - Throws: ``Graft/StoreError`` of the kind `invalidCondition` for a query that cannot be used
  ///   or that changes anything, and of the kind `database` where the database cannot be read.
  public func rows(_ query: DatabaseSQL) throws(StoreError) -> [DatabaseRow] {
    try rows(query, nil)
  }

  func rows(
    _ query: DatabaseSQL, _ interruption: DatabaseInterruption?
  ) throws(StoreError) -> [DatabaseRow] {
    try query.checkStart()
    return try reading(interruption) { (statements) throws(StoreError) in
      let connection = statements.connection
      var writer = ConditionWriter(statements)
      let sql = try writer.sql(query.text, of: nil, check: SQLCheck("query"))
      do throws(StoreError) {
        try connection.execute("BEGIN")
        defer { connection.rollback() }
        let statement = try connection.prepareReading(sql)
        writer.bind(to: statement)
        return try DatabaseRow.readAll(statement)
      } catch {
        throw error.refusesStatement ? StoreError(.invalidCondition, error.message) : error
      }
    }
  }
}
