#if canImport(CPQ)
import Foundation
import Graft
import Testing

@testable import GraftPostgres

@Suite(.enabled(if: PostgresServer.isPresent, PostgresServer.absence))
struct `A Postgres connection` {
  let connection: PostgresConnection

  init() throws { connection = try PostgresServer.connect() }

  private func error(_ body: () throws -> Void) -> PostgresError? {
    #expect(throws: PostgresError.self, performing: body)
  }

  private func numbers(_ sql: PostgresSQL) throws -> [Int64?] {
    try connection.execute(sql).rows.map { try $0.integer(0) }
  }

  @Test func `binds what is given to it, and never reads it as a statement`() throws {
    let hostile = [
      "'; DROP TABLE t; --", "\\'; DROP TABLE t", "$1", "\"", "%s", "\u{FEFF}", "é漢🦆", "", "\n\r\t",
    ]
    try connection.execute("CREATE TABLE t (id bigint PRIMARY KEY, text text)")
    for (number, text) in hostile.enumerated() {
      try connection.execute(
        "INSERT INTO t VALUES ($1, $2)",
        [PostgresParameter(Int64(number)), PostgresParameter(text: text)])
    }
    let result = try connection.execute("SELECT text FROM t ORDER BY id")
    #expect(try result.rows.map { try $0.text(0) } == hostile)
    #expect(result.rowCount == hostile.count && result.columnCount == 1)
  }

  @Test(arguments: [
    "select", "Tweet", "a\"b", "\"; DROP SCHEMA public CASCADE; --", "$1", "a.b", "é漢🦆",
    "tab\tname", "'", "\\",
    String(repeating: "é", count: 31),
  ])
  func `makes tables and columns of any name`(name: String) throws {
    let name = try PostgresName(name)
    try connection.execute("CREATE TABLE \(name) (\(name) bigint)")
    try connection.execute("INSERT INTO \(name) (\(name)) VALUES (7)")
    #expect(try numbers("SELECT \(name) FROM \(name)") == [7])
    let found = try connection.execute(
      "SELECT count(*) FROM pg_class WHERE relname = $1 AND relnamespace = quote_ident(current_schema())::regnamespace",
      [PostgresParameter(text: name.text)])
    #expect(try found.rows.map { try $0.integer(0) } == [1])
  }

  @Test func `says why a statement is refused, as the server does`() throws {
    try connection.execute("CREATE TABLE t (id bigint CONSTRAINT unique_id PRIMARY KEY)")
    try connection.execute("INSERT INTO t VALUES (7)")
    let duplicate = error { try connection.execute("INSERT INTO t VALUES (7)") }
    #expect(duplicate?.kind == .statement && duplicate?.sqlState == "23505")
    #expect(duplicate?.detail == "Key (id)=(7) already exists.")
    #expect(duplicate?.table == "t" && duplicate?.constraint == "unique_id")
    #expect(
      duplicate?.description
        == "duplicate key value violates unique constraint \"unique_id\" (SQLSTATE 23505);"
        + " Key (id)=(7) already exists.")
    #expect(error { try connection.execute("SELEKT 1") }?.sqlState == "42601")
    #expect(error { try connection.execute("") }?.kind == .statement)
    // The connection goes on.
    #expect(try numbers("SELECT id FROM t") == [7])
  }

  @Test func `refuses to read a column as another type`() throws {
    let row = try #require(try connection.execute("SELECT 7::integer").rows.first)
    let wrong = error { _ = try row.integer(0) }
    #expect(wrong?.kind == .value)
    #expect(wrong?.message == "column 1 of a result: expected bigint, found integer")
  }

  @Test func `says that the server has gone`() throws {
    let other = try PostgresServer.connect()
    let result = try connection.execute("SELECT pg_backend_pid()::bigint")
    let process = try #require(try result.rows.first?.integer(0))
    try other.execute("SELECT pg_terminate_backend($1::integer)", [PostgresParameter(process)])
    let gone = error { for _ in 0..<2 { try connection.execute("SELECT pg_sleep(1)") } }
    #expect(gone?.kind == .connection)
  }
}
#endif
