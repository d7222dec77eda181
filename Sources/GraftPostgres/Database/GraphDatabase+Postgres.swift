public import Graft

// Without libpq there is the same interface, so that a program need not know how it was built.

extension GraphDatabase {
  /// Opens a database on a Postgres server, and makes the tables of a model where it has none.
  ///
  /// ```swift
  /// let database = try GraphDatabase(model: model, onPostgres: "postgres://graft@localhost/tweets")
  /// ```
  ///
  /// The tables are in the first schema of the search path, which `?options=-csearch_path%3Dname` sets. They are for
  /// any tool: one for each entity with the identity as its primary key, one for each to-many relationship.
  ///
  /// - Parameters:
  ///   - model: The entities whose objects the database keeps.
  ///   - address: Where the database is, and who asks: `postgres://user@host:port/database`, or libpq's
  ///     `host=… dbname=…`. What it leaves out comes from the environment (`PGHOST`, `PGUSER` …) and the password
  ///     file, as for `psql`.
  /// - Throws: ``StoreError`` of the kind `database` where the server cannot be reached, or the database is not one of
  ///   Graft's, or keeps objects of a model that cannot be extended to this one. No password is in it.
  public convenience init(model: GraphModel, onPostgres address: String) throws(StoreError) {
    try self.init(model: model, connect: Self.connector(address))
  }

  /// Opens a database on a Postgres server with the model that it was made for.
  ///
  /// - Parameter address: Where the database is, and who asks.
  /// - Throws: ``StoreError`` of the kind `database` where the server cannot be reached, or the database is not one of
  ///   Graft's.
  public convenience init(contentsOfPostgres address: String) throws(StoreError) {
    try self.init(model: nil, connect: Self.connector(address))
  }

  /// Whether a text is the URL of a database on a Postgres server.
  ///
  /// - Parameter text: The text.
  /// - Returns: Whether it begins with `postgres://` or `postgresql://`.
  public static func isPostgres(_ text: String) -> Bool {
    text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
  }

  /// Whether a database on a Postgres server has tables, of Graft or others.
  package static func hasTables(onPostgres address: String) throws(StoreError) -> Bool {
    try !connector(address)().tableNames().isEmpty
  }

  private static func connector(
    _ address: String
  ) throws(StoreError) -> @Sendable () throws(StoreError) -> any DatabaseConnection {
    #if canImport(CPQ)
    do throws(PostgresError) {
      let address = try PostgresAddress(address)
      return { () throws(StoreError) in try PostgresDatabase(address) }
    } catch {
      throw StoreError(.database, error.description)
    }
    #else
    throw StoreError(
      .database,
      "Graft was built without Postgres; build it with the trait \"Postgres\", and libpq installed")
    #endif
  }
}
