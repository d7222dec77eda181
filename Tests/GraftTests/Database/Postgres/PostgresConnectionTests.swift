#if canImport(CPQ)
import Dispatch
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

  @Test func `writes and finds a group of rows with one statement`() throws {
    try connection.execute("CREATE TABLE t (id bigint PRIMARY KEY, name text, at timestamptz)")
    let sql: PostgresSQL = """
      INSERT INTO t SELECT * FROM unnest($1, $2, $3)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, at = excluded.at
      """
    let statement = try connection.prepare(
      sql, [.array(.bigint), .array(.text), .array(.timestamptz)])
    var (ids, names, dates) = (
      PostgresArray(of: .bigint), PostgresArray(of: .text), PostgresArray(of: .timestamptz)
    )
    for round in 0..<2 {
      for id in 0..<1000 {
        ids.append(Int64(id))
        try names.append(id % 3 == 0 ? nil : .string("name \(id) \(round)"), as: .string)
        try dates.append(
          id % 5 == 0 ? nil : .date(Date(timeIntervalSince1970: Double(id))), as: .date)
      }
      let result = try connection.execute(
        statement, [ids.parameter, names.parameter, dates.parameter])
      #expect(result.affectedCount == 1000)
      ids.removeAll()
      names.removeAll()
      dates.removeAll()
    }
    for id: Int64 in [4, 2000, 5, 3] { ids.append(id) }
    let found = try connection.execute(
      "SELECT id, name, at FROM t WHERE id = ANY($1) ORDER BY id", [ids.parameter])
    #expect(try found.rows.map { try $0.integer(0) } == [3, 4, 5])
    #expect(try found.rows.map { try $0.text(1) } == [nil, "name 4 1", "name 5 1"])
    #expect(
      try found.rows.map { try $0.value(2, as: .date) } == [
        .date(Date(timeIntervalSince1970: 3)), .date(Date(timeIntervalSince1970: 4)), nil,
      ])
    #expect(
      try connection.execute("SELECT * FROM unnest($1)", [PostgresArray(of: .uuid).parameter])
        .rowCount == 0)
  }

  @Test func `refuses values of other types than a statement was prepared for`() throws {
    let statement = try connection.prepare("SELECT $1", [.one(.bigint)])
    #expect(
      error { try connection.execute(statement, [PostgresParameter(text: "7")]) }?.kind == .use)
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

  @Test func `carries out all of a transaction, or nothing`() throws {
    struct Stop: Error {}
    try connection.execute("CREATE TABLE t (id bigint PRIMARY KEY)")
    let value = try connection.transaction {
      try connection.execute("INSERT INTO t VALUES (1)")
      return "done"
    }
    #expect(value == "done")
    #expect(throws: Stop.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (2)")
        throw Stop()
      }
    }
    // A failed statement takes all back, though its error was caught.
    let failed = error {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (3)")
        _ = try? connection.execute("INSERT INTO t VALUES (1)")
      }
    }
    #expect(failed?.kind == .use)
    let nested = error {
      try connection.transaction { try connection.transaction {} }
    }
    #expect(nested?.kind == .use)
    #expect(try numbers("SELECT id FROM t") == [1])
  }

  @Test func `keeps what the server says besides, up to a limit`() throws {
    try connection.execute("DO $$ BEGIN RAISE WARNING 'look out'; END $$")
    let notices = connection.takeNotices()
    #expect(notices.map(\.description) == ["WARNING: look out"])
    #expect(notices.first?.sqlState == "01000")
    try connection.execute("DO $$ BEGIN FOR n IN 1..500 LOOP RAISE NOTICE 'n'; END LOOP; END $$")
    #expect(connection.takeNotices().count == 100)
    #expect(connection.takeNotices().isEmpty)
  }

  @Test func `can be ended by another thread`() throws {
    let cancellation = connection.cancellation()
    let ended = DispatchSemaphore(value: 0)
    // Until the statement has begun there is nothing to end. A task might wait for the thread of this test.
    Thread.detachNewThread {
      while ended.wait(timeout: .now() + .milliseconds(20)) == .timedOut { cancellation.cancel() }
    }
    let cancelled = error { try connection.execute("SELECT pg_sleep(60)") }
    ended.signal()
    #expect(cancelled?.kind == .cancelled)
  }

  @Test func `reads many rows one at a time, and can stop early`() throws {
    var sum: Int64 = 0
    try connection.forEachRow(of: "SELECT * FROM generate_series(1::bigint, 100000)") {
      sum += try $0.integer(0) ?? 0
    }
    #expect(sum == 5_000_050_000)
    struct Stop: Error {}
    var count = 0
    #expect(throws: Stop.self) {
      try connection.forEachRow(of: "SELECT * FROM generate_series(1::bigint, 100000000)") { _ in
        count += 1
        if count == 10 { throw Stop() }
      }
    }
    #expect(count == 10)
    let late = error {
      try connection.forEachRow(of: "SELECT 1 / (3 - n) FROM generate_series(1, 5) n") { _ in }
    }
    #expect(late?.sqlState == "22012")
    #expect(try numbers("SELECT 7::bigint") == [7])
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
    #expect(throws: PostgresError.self) { try connection.transaction {} }
  }
}

@Suite(.enabled(if: PostgresServer.isPresent, PostgresServer.absence))
struct `Copying into a Postgres table` {
  struct Stop: Error {}

  @Test func `brings rows in, however many`() throws {
    let connection = try PostgresServer.connect()
    try connection.execute("CREATE TABLE t (id bigint, text text)")
    let text = String(repeating: "x", count: 100)
    let count = try connection.copy("COPY t FROM STDIN (FORMAT binary)") { rows in
      for id in 0..<20_000 {
        try rows.beginRow(of: 2)
        rows.append(Int64(id))
        try rows.append(id % 2 == 0 ? nil : .string(text), as: .string)
      }
    }
    #expect(count == 20_000)
    let result = try connection.execute("SELECT count(text), sum(length(text)) FROM t")
    #expect(try result.rows.first?.integer(0) == 10_000)
    #expect(try result.rows.first?.integer(1) == 1_000_000)
    #expect(try connection.copy("COPY t FROM STDIN (FORMAT binary)") { _ in } == 0)
  }

  @Test func `leaves nothing behind where it fails`() throws {
    let connection = try PostgresServer.connect()
    try connection.execute("CREATE TABLE t (id bigint PRIMARY KEY)")
    #expect(throws: Stop.self) {
      try connection.copy("COPY t FROM STDIN (FORMAT binary)") { rows in
        for id in 0..<100_000 {
          try rows.beginRow(of: 1)
          rows.append(Int64(id))
        }
        throw Stop()
      }
    }
    let duplicate = #expect(throws: PostgresError.self) {
      try connection.copy("COPY t FROM STDIN (FORMAT binary)") { rows in
        for id in 0..<100_000 {
          try rows.beginRow(of: 1)
          rows.append(Int64(id / 2))
        }
      }
    }
    #expect(duplicate?.sqlState == "23505")
    #expect(throws: PostgresError.self) { try connection.copy("SELECT 1") { _ in } }
    let result = try connection.execute("SELECT count(*) FROM t")
    #expect(try result.rows.first?.integer(0) == 0)
  }
}
#endif
