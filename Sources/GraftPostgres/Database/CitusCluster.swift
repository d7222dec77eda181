#if canImport(CPQ)
import Graft
import GraftDatabase

/// Uses the extension Citus of a database, which distributes tables over several machines.
struct CitusCluster {
  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) { self.connection = connection }

  /// Creates the extension in the database, if it is installed on the server.
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

  /// Sets the number of shards of the tables that this connection makes.
  ///
  /// A key is looked for in each shard, so that it costs more with each of them. Graft makes four for each worker:
  /// up to four times as many workers can then share them. Tables that are there decide before, so that rows and
  /// their lists stay on one machine, and a `citus.shard_count` that somebody has set is kept.
  func setShardCount() throws(PostgresError) {
    try connection.execute(
      """
      SELECT set_config('citus.shard_count', coalesce(
          (SELECT max(shards) FROM (SELECT count(*) AS shards FROM pg_dist_shard AS s
            JOIN pg_dist_partition AS p ON p.logicalrelid = s.logicalrelid AND p.partmethod = 'h'
            JOIN pg_class AS r ON r.oid = p.logicalrelid
            WHERE r.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
            GROUP BY s.logicalrelid) AS tables),
          greatest(8, 4 * (SELECT count(*) FROM pg_dist_node WHERE isactive AND shouldhaveshards)))::text, false)
        FROM pg_settings WHERE name = 'citus.shard_count' AND source = 'default'
      """)
  }
}
#endif
