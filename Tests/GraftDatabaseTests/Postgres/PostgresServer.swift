#if canImport(CPQ)
import Foundation
import Graft
import Synchronization
import Testing

@testable import GraftDatabase
@testable import GraftPostgres
@testable import GraftTestSupport

/// A Postgres server for the tests: one for the whole run, with a socket in a directory of its own.
///
/// A shell looks after it: it stops the server and removes the directory as soon as its input ends, which is when
/// the tests end, in whatever way.
final class PostgresServer: Sendable {
  static let absence: Comment =
    "There is no Postgres server here: install postgresql, or name its programs' directory in GRAFT_POSTGRES_BIN."

  static var isPresent: Bool { programs != nil }

  /// The server, started when it is asked for the first time.
  static let shared = Result { try PostgresServer() }

  let directory: URL
  private let shell: Process

  private struct Failure: Error {
    let said: String
  }
  private let count = Mutex(0)

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

  private static let script = """
    bin=$1 dir=$2
    mkdir -m 700 "$dir" && cd "$dir" || exit 1
    {
      "$bin/initdb" -D "$dir/data" -U graft -A trust -E UTF8 --locale=C -N &&
      printf 'local all locked scram-sha-256\\nlocal all all trust\\n' > "$dir/data/pg_hba.conf" &&
      "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w -o "-p 5432 -k $dir -c listen_addresses= -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c autovacuum=off -c jit=off" start
    } > "$dir/output" 2>&1 && echo ready || { cat "$dir/output" "$dir/log"; exit 1; }
    cat > /dev/null
    "$bin/pg_ctl" -D "$dir/data" -m immediate stop > /dev/null 2>&1
    rm -rf "$dir"
    """

  private init() throws {
    let programs = try #require(Self.programs, Self.absence)
    // Not the folder for temporary files, whose path may be too long for a socket.
    directory = URL(filePath: "/tmp/graft-postgres-\(UUID().uuidString.prefix(8))")
    shell = Process()
    var arguments = ["/bin/sh", "-c", Self.script, "sh", programs.path, directory.path]
    // A server refuses to run as root.
    if geteuid() == 0 {
      arguments = ["/usr/sbin/runuser", "-u", "postgres", "--"] + arguments
    }
    shell.executableURL = URL(filePath: arguments.removeFirst())
    shell.arguments = arguments
    let (input, output) = (Pipe(), Pipe())
    (shell.standardInput, shell.standardOutput) = (input, output)
    try shell.run()
    var said = Data()
    while !said.contains(UInt8(ascii: "\n")) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      said += more
    }
    let text = String(decoding: said, as: UTF8.self)
    guard text == "ready\n" else { throw Failure(said: text) }
  }

  /// The address of the server, for a user.
  func address(
    _ user: String = "graft", password: String? = nil, database: String = "postgres"
  ) -> String {
    "host=\(directory.path) port=5432 user=\(user) dbname=\(database)"
      + (password.map { " password='\($0)'" } ?? "")
  }

  /// The address of a schema of its own, in which there is nothing.
  static func emptySchema() throws -> String {
    let server = try shared.get()
    let number = server.count.withLock { count in
      count += 1
      return count
    }
    let schema = "trial_\(number)"
    let connection = try PostgresConnection(PostgresAddress(server.address()))
    try connection.execute(PostgresSQL(writtenByGraft: "CREATE SCHEMA \(SQL.quote(schema))"))
    return server.address() + " options='-csearch_path=\(schema)'"
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
