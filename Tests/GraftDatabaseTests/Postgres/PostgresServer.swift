#if canImport(CPQ)
import Foundation
import Graft
import Testing

@testable import GraftDatabase
@testable import GraftPostgres
@testable import GraftTestSupport

/// A Postgres server for the tests, with a socket in a directory of its own, or a cluster of Citus.
///
/// A shell looks after it: it stops the server and removes the directory as soon as its input ends, which is when
/// the tests end, in whatever way.
final class PostgresServer: Sendable {
  static let absence: Comment =
    "There is no Postgres server here: install postgresql, or name its programs' directory in GRAFT_POSTGRES_BIN."
  static let citusAbsence: Comment =
    "The Postgres server here does not have the extension Citus, or one of another version: install it to run the tests of clusters."

  static var isPresent: Bool { programs != nil }

  /// Whether the server has the extension Citus, so that a cluster can be started.
  static let hasCitus: Bool = {
    guard isPresent, let server = try? shared.get(),
      let connection = try? PostgresConnection(PostgresAddress(server.address()))
    else { return false }
    let query: PostgresSQL = "SELECT 1 FROM pg_available_extensions WHERE name = 'citus'"
    guard (try? connection.execute(query).rowCount) == 1 else { return false }
    do throws(PostgresError) {
      try connection.execute("LOAD 'citus'")
      return true
    } catch {
      // The library of another version of Postgres cannot be loaded. One of this version refuses to be loaded so late.
      return error.sqlState != "58P01"
    }
  }()

  /// The server of the whole run, started when it is asked for the first time.
  static let shared = Result { try PostgresServer() }

  /// The cluster of the whole run, started when it is asked for the first time.
  static let cluster = Result { try PostgresServer(workers: 2) }

  let directory: URL
  private let isCluster: Bool
  private let shell: Process
  private let input: FileHandle
  private let output: FileHandle

  private struct Failure: Error {
    let said: String
  }

  /// The schemas that were made.
  private struct Schemas {
    var count = 0
    /// The database of the last ones.
    var database = "postgres"
    /// The connection that makes them; one for each would cost more than its schema.
    var connection: PostgresConnection?
  }
  private let schemas = Guarded(Schemas())
  /// Schemas of a whole run in one database would fill its catalog, which is read whenever tables are made.
  private static let schemasOfDatabase = 40

  private static let programs: URL? = {
    let environment = ProcessInfo.processInfo.environment
    let debian = URL(filePath: "/usr/lib/postgresql")
    let versions =
      (try? FileManager.default.contentsOfDirectory(atPath: debian.path))?.sorted {
        $0.compare($1, options: .numeric) == .orderedDescending
      } ?? []
    let places =
      [environment["GRAFT_POSTGRES_BIN"]].compactMap(\.self)
      + versions.map { debian.appending(path: $0).appending(path: "bin").path }
      + ["/opt/homebrew/bin", "/usr/local/bin", "/usr/local/pgsql/bin", "/usr/bin"]
    return places.map { URL(filePath: $0) }.first {
      FileManager.default.isExecutableFile(atPath: $0.appending(path: "pg_ctl").path)
    }
  }()

  // Node 0 is the server, or the coordinator of a cluster; its workers follow. Each line of the input is a command:
  // `kill 1` ends node 1 at once, as a crash would, and `start 1` starts it again.
  private static let script = """
    bin=$1 dir=$2 nodes=$3 settings=$4
    start() {
      "$bin/pg_ctl" -D "$dir/data$1" -l "$dir/log$1" -w -o "-p $((5432 + $1)) -k $dir -c listen_addresses= -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c autovacuum=off -c jit=off $settings" start
    }
    stop() { "$bin/pg_ctl" -D "$dir/data$1" -m immediate stop; }
    prepare() {
      "$bin/initdb" -D "$dir/data0" -U graft -A trust -E UTF8 --locale=C -N &&
      printf 'local all locked scram-sha-256\\nlocal all all trust\\n' > "$dir/data0/pg_hba.conf" || return 1
      for node in $nodes; do
        [ "$node" = 0 ] || cp -R "$dir/data0" "$dir/data$node" || return 1
      done
      for node in $nodes; do start "$node" || return 1; done
    }
    mkdir -m 700 "$dir" && cd "$dir" || exit 1
    prepare > "$dir/output" 2>&1 && echo ready || { cat "$dir/output" "$dir"/log*; exit 1; }
    while read -r command node; do
      case $command in
        kill) stop "$node" ;;
        start) start "$node" ;;
      esac > "$dir/output" 2>&1 && echo ready || { cat "$dir/output"; exit 1; }
    done
    for node in $nodes; do stop "$node"; done > /dev/null 2>&1
    rm -rf "$dir"
    """

  /// Starts a server, or a cluster of a coordinator and workers.
  ///
  /// - Parameters:
  ///   - workers: The number of workers.
  ///   - spares: The number of machines besides that ``addWorker(_:)`` makes workers.
  ///   - shards: The number of shards of a table that is made; nil for the server's default.
  /// - Throws: What the programs of Postgres have said.
  init(workers: Int = 0, spares: Int = 0, shards: Int? = 2) throws {
    let programs = try #require(Self.programs, Self.absence)
    isCluster = workers > 0
    // In memory, where it can be. Not the folder for temporary files, whose path may be too long for a socket.
    let parent = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    directory = URL(filePath: "\(parent)/graft-postgres-\(UUID().uuidString.prefix(8))")
    shell = Process()
    let nodes = (0...workers + spares).map(String.init).joined(separator: " ")
    // Few shards, so that a test makes its tables in a moment. Machines that crash must have written what they confirm.
    let settings =
      workers == 0
      ? ""
      : "-c shared_preload_libraries=citus -c max_connections=400 -c max_prepared_transactions=400"
        + " -c synchronous_commit=on"
        + " -c citus.enable_statistics_collection=off -c citus.local_hostname=\(directory.path)"
        + (shards.map { " -c citus.shard_count=\($0)" } ?? "") + " -c citus.recover_2pc_interval=1s"
    var arguments = [
      "/bin/sh", "-c", Self.script, "sh", programs.path, directory.path, nodes, settings,
    ]
    // A server refuses to run as root.
    if geteuid() == 0 {
      arguments = ["/usr/sbin/runuser", "-u", "postgres", "--"] + arguments
    }
    shell.executableURL = URL(filePath: arguments.removeFirst())
    shell.arguments = arguments
    let (input, output) = (Pipe(), Pipe())
    (shell.standardInput, shell.standardOutput) = (input, output)
    (self.input, self.output) = (input.fileHandleForWriting, output.fileHandleForReading)
    try shell.run()
    try awaitReadiness()
    guard workers > 0 else { return }
    for node in 0...workers + spares { try execute("CREATE EXTENSION citus", node: node) }
    try execute("SELECT citus_set_coordinator_host(\(host), 5432)")
    for node in 1...workers { try addWorker(node) }
  }

  /// The directory of the sockets, by which machines of the cluster reach each other.
  private var host: PostgresSQL {
    get throws { try PostgresSQL(writtenByGraft: SQL.literal(directory.path)) }
  }

  /// Makes a machine a worker of the cluster.
  func addWorker(_ node: Int) throws {
    try execute("SELECT citus_add_node(\(host), \(5432 + node))")
  }

  private func awaitReadiness() throws {
    var said = Data()
    while !said.contains(UInt8(ascii: "\n")) {
      let more = output.availableData
      guard !more.isEmpty else { break }
      said += more
    }
    let text = String(decoding: said, as: UTF8.self)
    guard text == "ready\n" else { throw Failure(said: text) }
  }

  @discardableResult
  func execute(_ sql: PostgresSQL, node: Int = 0) throws -> PostgresResult {
    try PostgresConnection(PostgresAddress(address(node: node))).execute(sql)
  }

  /// Ends a node at once, as a crash would, and starts it again.
  func crash(node: Int) throws {
    schemas.withLock { $0.connection = nil }
    for command in ["kill", "start"] {
      try input.write(contentsOf: Data("\(command) \(node)\n".utf8))
      try awaitReadiness()
    }
  }

  /// The address of the server, for a user.
  func address(
    _ user: String = "graft", password: String? = nil, database: String = "postgres", node: Int = 0
  ) -> String {
    "host=\(directory.path) port=\(5432 + node) user=\(user) dbname=\(database)"
      + (password.map { " password='\($0)'" } ?? "")
  }

  /// The address of a schema of its own, in which there is nothing.
  static func emptySchema() throws -> String { try shared.get().emptySchema() }

  /// The address of a schema of its own, in which there is nothing.
  func emptySchema() throws -> String {
    try schemas.withLock { schemas in
      schemas.count += 1
      // The extension Citus is in one database of the cluster only.
      if schemas.count.isMultiple(of: Self.schemasOfDatabase), !isCluster {
        let database = "trials_\(schemas.count)"
        try execute(PostgresSQL(writtenByGraft: "CREATE DATABASE \(SQL.quote(database))"))
        (schemas.database, schemas.connection) = (database, nil)
      }
      let address = address(database: schemas.database)
      let connection = try schemas.connection ?? PostgresConnection(PostgresAddress(address))
      schemas.connection = connection
      let schema = "trial_\(schemas.count)"
      try connection.execute(PostgresSQL(writtenByGraft: "CREATE SCHEMA \(SQL.quote(schema))"))
      return address + " options='-csearch_path=\(schema)'"
    }
  }

  /// A connection to a schema of its own, in which tables of any name can be made.
  static func connect() throws -> PostgresConnection {
    try PostgresConnection(PostgresAddress(emptySchema()))
  }
}

extension PostgresRow {
  /// A `bigint`; nil for null.
  func integer(_ column: Int) throws(PostgresError) -> Int64? {
    try withBytes(column, of: .bigint) { Int64(wire: $0) } ?? nil
  }
}
#endif
