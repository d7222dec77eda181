#if canImport(CPQ)
import Foundation
import Graft
import Testing

@testable import GraftDatabase
@testable import GraftPostgres
@testable import GraftTestSupport

@Suite struct `The address of a Postgres database` {
  @Test(arguments: [
    "postgres://ann:geheim@host:5x5/db:%zz", "postgres://ann:geheim@[::1/db",
    "postgres://ann:geh%zzeim@host/db",
    "password=geheim host", "password='geheim", "geheim", "postgres://ann:geheim@host/db?geheim",
    "postgres://ann@host/db?a=b=geheim", "passwort=geheim", "host=a\0password=geheim",
  ])
  func `that cannot be read is not quoted, since it may hold a password`(text: String) throws {
    let error = #expect(throws: PostgresError.self) { try PostgresAddress(text) }
    #expect(error?.kind == .address)
    #expect(
      error?.message.hasPrefix("the address of the database cannot be read; expected") == true)
    #expect(error?.description.contains("eim") == false)
  }

  @Test(arguments: [
    "postgres://ann:geheim@localhost:1/db", "host=127.0.0.1 port=1 user=ann password=geheim",
    "host=/nowhere/geheim user=ann password=geheim dbname=db",
  ])
  func `without a server is named without its password`(text: String) throws {
    let address = try PostgresAddress(text)
    let error = #expect(throws: PostgresError.self) { try PostgresConnection(address, timeout: 2) }
    #expect(error?.kind == .connection)
    #expect(error?.message.hasPrefix("postgres://ann@") == true)
    #expect(error?.description.replacing("/nowhere/geheim", with: "").contains("geheim") == false)
  }

  @Test(.enabled(if: PostgresServer.isPresent, PostgresServer.absence))
  func `whose password is wrong is named without it`() throws {
    let connection = try PostgresServer.connect()
    try connection.execute("CREATE ROLE locked LOGIN PASSWORD 'open sesame'")
    let server = try PostgresServer.shared.get()
    let wrong = try PostgresAddress(server.address("locked", password: "open barley"))
    let error = #expect(throws: PostgresError.self) { try PostgresConnection(wrong) }
    #expect(error?.kind == .connection)
    #expect(error?.message.contains("password authentication failed for user \"locked\"") == true)
    #expect(error?.message.contains("barley") == false)
    let right = try PostgresConnection(
      try PostgresAddress(server.address("locked", password: "open sesame")))
    #expect(right.target.hasSuffix("/postgres") && !right.target.contains("sesame"))
    // The server quotes statements in some errors; what was sent is the user's.
    let quoted = #expect(throws: PostgresError.self) {
      try right.execute("SELECT 1 FROM \"open sesame\"")
    }
    #expect(quoted?.message.contains("sesame") == false)
  }

  @Test(.enabled(if: PostgresServer.isPresent, PostgresServer.absence))
  func `of a database that cannot hold all characters is refused`() throws {
    let connection = try PostgresServer.connect()
    try connection.execute(
      "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'")
    let address = try PostgresAddress(try PostgresServer.shared.get().address(database: "latin"))
    let error = #expect(throws: PostgresError.self) { try PostgresConnection(address) }
    #expect(error?.kind == .unsuitable)
    #expect(error?.message.contains("the database's encoding is LATIN1") == true)
  }
}

@Suite struct `Names in a statement` {
  @Test(arguments: [
    ("a", "\"a\""), ("a\"b", "\"a\"\"b\""), ("\"\"", "\"\"\"\"\"\""), ("a b", "\"a b\""),
  ])
  func `are quoted`(name: String, quoted: String) {
    #expect(SQL.quote(name) == quoted)
  }

  @Test func `have no U+0000, at which a statement would end`() {
    let error = #expect(throws: PostgresError.self) {
      try PostgresSQL(writtenByGraft: "DROP TABLE \(SQL.quote("a\u{0}b"))")
    }
    #expect(
      error?.message
        == "a name contains U+0000, with which Postgres has no tables and columns; give the entity or property"
        + " another one")
  }
}
#endif
