#if canImport(CPQ)
import Graft
import GraftDatabase

/// The extension Citus of a database, which spreads tables over several machines.
struct CitusCluster {
  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) { self.connection = connection }

  /// Makes the extension where it is installed.
  ///
  /// - Throws: ``PostgresError`` if it is not, if the server is a worker, or where tables of Graft
  ///   are there that are on one machine.
  func require() throws(PostgresError) {
    guard try isTrue("EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'citus')") else {
      throw PostgresError(
        .unsuitable,
        "\(connection.target): tables can be distributed where the server has the extension Citus, and it has not;"
          + " install it on all machines of the cluster (https://docs.citusdata.com), add citus to"
          + " shared_preload_libraries and start the server again, or import without distributing")
    }
    guard try isTrue("current_setting('citus.shard_count', true) IS NOT NULL") else {
      throw PostgresError(
        .unsuitable,
        "\(connection.target): the server has the extension Citus and has not loaded it; add citus to"
          + " shared_preload_libraries and start the server again, or import without distributing")
    }
    try connection.execute("CREATE EXTENSION IF NOT EXISTS citus")
    guard try isTrue("(SELECT groupid = 0 FROM pg_dist_local_group)") else {
      throw PostgresError(
        .unsuitable,
        "\(connection.target): the server is a worker of a cluster of Citus, which knows some of the tables only;"
          + " connect to the coordinator")
    }
    if try isTrue("to_regclass('graft_model') IS NOT NULL"), try distribution() == nil {
      throw PostgresError(
        .unsuitable,
        "\(connection.target): the tables were made on one machine; import into a new schema or database to distribute"
          + " them")
    }
  }

  private func isTrue(_ condition: PostgresSQL) throws(PostgresError) -> Bool {
    try connection.execute("SELECT \(condition)").rows.first?.boolean(0) == true
  }

  /// Returns the distribution of the existing tables; nil if they are on one machine.
  func distribution() throws(PostgresError) -> TableDistribution? {
    guard try isTrue("to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL") else { return nil }
    let tables = try connection.execute(
      """
      SELECT r.relname::text, (p.partmethod = 'n')::boolean FROM pg_dist_partition AS p
        JOIN pg_class AS r ON r.oid = p.logicalrelid
        WHERE r.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
      """)
    guard tables.rowCount > 0 else { return nil }
    var small: Set<String> = []
    for row in tables.rows where try row.boolean(1) == true {
      if let name = try row.text(0) { small.insert(name) }
    }
    return TableDistribution(small: small)
  }
}
#endif
