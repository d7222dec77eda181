public import Graft
public import GraftDatabase

// Without libpq there is the same interface, so that a program compiles everywhere.

extension GraphDatabase {
  /// Opens a database on a Postgres server, and creates the tables of a model if it has none.
  ///
  /// ```swift
  /// let database = try GraphDatabase(model: model, onPostgres: "postgres://graft@localhost/tweets")
  /// ```
  ///
  /// The tables are in the first schema of the search path, which `?options=-csearch_path%3Dname` sets. They are for
  /// any tool: one for each entity with the identity as its primary key, one for each to-many relationship.
  ///
  /// With `distributed`, the tables are distributed over the machines of a Citus cluster, by their keys; those of
  /// relationships are beside their owners. Small tables are on all machines: the tables of singletons, of entities
  /// that a Boolean or one of a list of values identifies, and of the entities in `smallEntities`. Links are
  /// checked by the cluster where they lead to small tables, and from the table of a relationship to its owners.
  ///
  /// - Parameters:
  ///   - model: The entities whose objects the database keeps.
  ///   - address: The address of the database, with a user: `postgres://user@host:port/database`, or libpq's
  ///     `host=… dbname=…`. What it leaves out comes from the environment (`PGHOST`, `PGUSER` …) and the password
  ///     file, as for `psql`.
  ///   - distributed: Whether tables that are made are spread over a Citus cluster. Existing tables
  ///     stay as they are, and tables that a changed model adds follow them.
  ///   - smallEntities: The names of entities that have few objects, at most some ten thousand.
  ///   - lockTimeout: The time that a writer waits for another one before it fails: a write at its beginning, an import
  ///     when it saves.
  /// - Throws: ``Graft/StoreError`` of the kind `database` if the server cannot be reached, or the
  ///   database is not one of Graft's, or keeps objects of a model that cannot be extended to this
  ///   one; where tables are to be distributed and the server has no Citus, or they are there
  ///   already on one machine. No password is in it.
  public convenience init(
    model: GraphModel, onPostgres address: String, distributed: Bool = false,
    smallEntities: Set<String> = [], lockTimeout: Duration = .seconds(10)
  ) throws(StoreError) {
    if let name = smallEntities.sorted().first(where: { model.entity(named: $0) == nil }) {
      throw StoreError(
        .database,
        "there is no entity \(name) in the model, whose table is to be small; expected one of"
          + " \(model.entities.map(\.name).sorted().joined(separator: ", "))")
    }
    try self.init(
      model: model,
      connect: Self.connector(
        address, distributed ? TableDistribution(small: smallEntities) : nil,
        lockTimeout: lockTimeout))
  }

  /// Opens a database on a Postgres server with the model that it was made for.
  ///
  /// - Parameters:
  ///   - address: The database's address, with a user.
  ///   - lockTimeout: The time that a writer waits for another one before it fails.
  /// - Throws: ``Graft/StoreError`` of the kind `database` if the server cannot be reached, or the
  ///   database is not one of Graft's.
  public convenience init(
    contentsOfPostgres address: String, lockTimeout: Duration = .seconds(10)
  ) throws(StoreError) {
    try self.init(model: nil, connect: Self.connector(address, lockTimeout: lockTimeout))
  }

  /// Returns whether a text is the URL of a database on a Postgres server.
  ///
  /// - Parameter text: The text.
  /// - Returns: Whether it begins with `postgres://` or `postgresql://`.
  public static func isPostgres(_ text: String) -> Bool {
    text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
  }

  /// Returns whether a database on a Postgres server has tables, of Graft or others.
  package static func hasTables(onPostgres address: String) throws(StoreError) -> Bool {
    try !connector(address)().tableNames().isEmpty
  }

  private static func connector(
    _ address: String, _ distribution: TableDistribution? = nil,
    lockTimeout: Duration = .seconds(10)
  ) throws(StoreError) -> @Sendable () throws(StoreError) -> any DatabaseConnection {
    #if canImport(CPQ)
    do throws(PostgresError) {
      let address = try PostgresAddress(address)
      return { () throws(StoreError) in
        try PostgresDatabase(address, distribution: distribution, lockTimeout: lockTimeout)
      }
    } catch {
      throw StoreError(.database, error.description)
    }
    #else
    throw StoreError(
      .database,
      "Graft reaches no Postgres server from this platform; only on Linux and macOS is there libpq")
    #endif
  }
}
