#if canImport(CPQ)
import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftPostgres
@testable import GraftTestSupport

@Suite(.enabled(if: PostgresServer.isPresent, PostgresServer.absence))
struct `A Postgres connection` {
  let connection: PostgresConnection

  init() throws { connection = try PostgresServer.connect() }

  private func error(_ body: () throws -> Void) -> PostgresError? {
    #expect(throws: PostgresError.self, performing: body)
  }

  private func numbers(_ sql: String) throws -> [Int64?] {
    try connection.execute(PostgresSQL(writtenByGraft: sql)).rows.map { try $0.integer(0) }
  }

  @Test func `binds what is given to it, and never reads it as a statement`() throws {
    let hostile = [
      "'; DROP TABLE t; --", "\\'; DROP TABLE t", "$1", "\"", "%s", "\u{FEFF}", "é漢🦆", "", "\n\r\t",
    ]
    let database = try PostgresDatabase(PostgresAddress(PostgresServer.emptySchema()))
    try database.execute("CREATE TABLE t (id bigint PRIMARY KEY, text text)")
    let insert = try database.prepare("INSERT INTO t VALUES ($1, $2)")
    for (number, text) in hostile.enumerated() {
      insert.bind(0, .integer64, word: UInt64(number))
      insert.bind(1, text: text)
      try insert.run()
    }
    let select = try database.prepare("SELECT text FROM t ORDER BY id")
    var found: [String?] = []
    while try select.next() { found.append(select.text(0)) }
    #expect(found == hostile)
  }

  @Test(arguments: [
    "select", "Tweet", "a\"b", "\"; DROP SCHEMA public CASCADE; --", "$1", "a.b", "é漢🦆",
    "tab\tname", "'", "\\",
    String(repeating: "é", count: 31),
  ])
  func `makes tables and columns of any name`(name: String) throws {
    let quoted = SQL.quote(name)
    for sql in [
      "CREATE TABLE \(quoted) (\(quoted) bigint)", "INSERT INTO \(quoted) (\(quoted)) VALUES (7)",
    ] {
      try connection.execute(PostgresSQL(writtenByGraft: sql))
    }
    #expect(try numbers("SELECT \(quoted) FROM \(quoted)") == [7])
    let count = try numbers(
      "SELECT count(*) FROM pg_class WHERE relname = \(SQL.literal(name))"
        + " AND relnamespace = quote_ident(current_schema())::regnamespace")
    #expect(count == [1])
  }

  @Test func `says why a statement is refused, as the server does`() throws {
    try connection.execute("CREATE TABLE t (id bigint CONSTRAINT unique_id PRIMARY KEY)")
    try connection.execute("INSERT INTO t VALUES (7)")
    let duplicate = error { try connection.execute("INSERT INTO t VALUES (7)") }
    #expect(duplicate?.kind == .statement && duplicate?.sqlState == "23505")
    #expect(duplicate?.detail == "Key (id)=(7) already exists.")
    #expect(duplicate?.message.contains("unique_id") == true)
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
    try other.execute("SELECT pg_terminate_backend(\(Int(process)))")
    let gone = error { for _ in 0..<2 { try connection.execute("SELECT pg_sleep(1)") } }
    #expect(gone?.kind == .connection)
  }
}
#endif
