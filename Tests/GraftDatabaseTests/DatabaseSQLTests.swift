import Foundation
import GraftSQLite
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftTestSupport

private struct Sale: Entity {
  let id = Attribute<Int>()
  let region = Attribute<String?>()
  let price = Attribute<Decimal>()
  let amount = Attribute<Double>()
  let day = Attribute<Date>()
  let token = Attribute<UUID>()
  let isPaid = Attribute<Bool>()
  static let identity = [\Self.id]
}

@Suite struct `SQL of one's own` {
  private static let token = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")

  private func database(_ kind: DatabaseKind) throws -> GraphDatabase {
    let database = try TrialDatabase.opened(kind, GraphModel(for: Sale.self))
    try database.write { graph in
      for number in 1...4 {
        try graph.insert(Sale.self) { sale in
          sale.id = number
          sale.region = number == 4 ? nil : number == 3 ? "south" : "north"
          sale.price = Decimal(number) + 0.25
          sale.amount = Double(number) / 2
          sale.day = Date(timeIntervalSince1970: Double(number) * 86_400.5)
          sale.token = Self.token ?? UUID()
          sale.isPaid = number > 2
        }
      }
    }
    return database
  }

  @Test(arguments: DatabaseKind.present)
  func `gives rows with typed values`(kind: DatabaseKind) throws {
    let database = try database(kind)
    let rows = try database.rows(
      """
      SELECT \(\Sale.region) AS region, count(*) AS n, sum(\(\Sale.amount)) AS total FROM \(Sale.self)
        WHERE \(\Sale.id) >= \(1) GROUP BY \(\Sale.region) ORDER BY n DESC, region
      """)
    #expect(rows.map(\.columns) == Array(repeating: ["region", "n", "total"], count: 3))
    #expect(try rows[0].value("region") == "north")
    #expect(try rows[0].value("n", as: Int.self) == 2)
    #expect(try rows[0].value(2, as: Double.self) == 1.5)
    #expect(
      try Set(rows.map { try $0.value("region", as: String?.self) }) == ["north", "south", nil])
  }

  @Test(arguments: DatabaseKind.present)
  func `may compare with a list without values, and with null`(kind: DatabaseKind) throws {
    let database = try database(kind)
    func ids(_ condition: DatabaseCondition<Sale>) throws -> [Int] {
      try database.objects(Sale.self, where: condition).map(\.id)
    }
    #expect(try ids("id IN \([Int]())") == [])
    #expect(try ids("id NOT IN \([Int]())") == [1, 2, 3, 4])
    #expect(try ids("price IN \([Decimal]()) OR day IN \([Date]()) OR token IN \([UUID]())") == [])
    #expect(
      try ids("region NOT IN \([String]()) AND \(\.isPaid) NOT IN \([Bool]())") == [1, 2, 3, 4])
    #expect(try ids("id = \(nil as Int?) OR amount > \(nil as Double?)") == [])
  }

  @Test(arguments: DatabaseKind.present)
  func `gives each type that an attribute has`(kind: DatabaseKind) throws {
    let database = try database(kind)
    let rows = try database.rows(
      "SELECT * FROM \"Sale\" WHERE id IN \([1, 3]) AND day < \(Date(timeIntervalSince1970: 1e6)) ORDER BY id"
    )
    let row = try #require(rows.first)
    #expect(try rows.map { try $0.value("id", as: Int.self) } == [1, 3])
    #expect(try row.value("price") == Decimal(string: "1.25"))
    #expect(try row.value("day") == Date(timeIntervalSince1970: 86_400.5))
    #expect(try row.value("token") == Self.token)
    #expect(try row.value("isPaid") == false)
    #expect(try row.value("amount") == 0.5)
    #expect(try database.rows("SELECT sum(id) AS s FROM \"Sale\"")[0].value("s") == 10)
    #expect(try database.rows("SELECT id FROM \"Sale\" WHERE id = \(77)").isEmpty)
    #expect(try database.rows(" with x AS (SELECT 1 AS a) SELECT a FROM x")[0].value(0) == 1)
  }

  @Test(arguments: DatabaseKind.present)
  func `says what a row does not have`(kind: DatabaseKind) throws {
    let database = try database(kind)
    let row = try #require(try database.rows("SELECT region, id FROM \"Sale\" WHERE id = 4").first)
    func message(_ body: () throws -> Void) -> String? {
      #expect(throws: StoreError.self, performing: body)?.message
    }
    #expect(
      message { _ = try row.value("regoin", as: String?.self) }
        == #"the query has no column "regoin", did you mean "region"?"#)
    #expect(
      message { _ = try row.value("region", as: String.self) }
        == #"column "region": expected a value of type String, found null; ask for a String?"#)
    #expect(
      message { _ = try row.value("id", as: String.self) }
        == #"column "id": expected a value of type String, found 4"#)
    #expect(
      message { _ = try row.value(2, as: Int.self) }
        == "the query has 2 columns, and none with the number 2")
  }

  @Test func `gives rows as JSON, also what JSON has no number for`() {
    let values: [AttributeValue?] = [
      .double(.infinity), .double(.nan), .float(-.infinity), .decimal(.nan), nil, .double(0.5),
      .float(0.1), .decimal(1.25), .integer(7), .boolean(true), .string("\""), .json("[1]"),
      .binary(Data([255, 0])), .date(Date(timeIntervalSince1970: 0.5)),
      Self.token.map { .uuid($0) }, URL(string: "a:b").map { .uri($0) },
    ]
    let row = DatabaseRow(columns: values.indices.map { "\($0)" }, values: values)
    let expected = [
      #""inf""#, #""nan""#, #""-inf""#, #""NaN""#, "null", "0.5", "0.1", "1.25", "7", "true",
      #""\"""#, "[1]", #""/wA=""#, #""1970-01-01T00:00:00.500Z""#,
      #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, #""a:b""#,
    ]
    let members = expected.enumerated().map { "\"\($0)\":\($1)" }
    #expect(row.json == "{\(members.joined(separator: ","))}")
  }

  @Test(
    arguments: DatabaseKind.with([
      "DELETE FROM \"Sale\"", "INSERT INTO \"Sale\" (id) VALUES (9)", "DROP TABLE \"Sale\"",
      "UPDATE \"Sale\" SET amount = 0", "PRAGMA user_version = 3", "ATTACH '/dev/null' AS x",
      "BEGIN", "VACUUM", "SELECT 1; DELETE FROM \"Sale\"", "", "COPY \"Sale\" TO STDOUT",
      "WITH gone AS (DELETE FROM \"Sale\" RETURNING id) SELECT id FROM gone",
      "SELECT nothing FROM \"Sale\"", "SELECT * FROM \"Nothing\"", "SELECT :a", "SELECT $1",
      "WITH x AS (SELECT 1) DELETE FROM \"Sale\"", "EXPLAIN DELETE FROM \"Sale\"",
      "SELECT * INTO other FROM \"Sale\"", "SELECT 1 -- one", "SELECT load_extension('x')",
    ]))
  func `is refused where it does more than read`(kind: DatabaseKind, sql: String) throws {
    let database = try database(kind)
    let error = #expect(throws: StoreError.self) { try database.rows(DatabaseSQL(sql: sql)) }
    #expect(error?.kind == .invalidCondition, "\(error?.message ?? "")")
    #expect(try database.count(of: Sale.self) == 4)
    #expect(try database.rows("SELECT count(*) FROM \"Sale\"")[0].value(0) == 4)
  }

  @Test(.enabled(if: PostgresServer.isPresent))
  func `is refused in a condition whose function changes anything`() throws {
    let database = try database(.postgres)
    try database.connect().execute(
      """
      CREATE FUNCTION wipe() RETURNS bool LANGUAGE plpgsql AS
        $$ BEGIN DELETE FROM "Sale"; RETURN true; END $$
      """)
    for read: () throws -> Void in [
      { _ = try database.count(of: Sale.self, where: "wipe()") },
      { _ = try database.objects(Sale.self, where: "wipe()") },
    ] {
      let error = #expect(throws: StoreError.self) { try read() }
      #expect(error?.message.contains("read-only transaction") == true, "\(error?.message ?? "")")
    }
    #expect(try database.count(of: Sale.self) == 4)
  }

  @Test(arguments: DatabaseKind.present)
  func `never takes a value for SQL`(kind: DatabaseKind) throws {
    let database = try database(kind)
    for text in ["'; DROP TABLE \"Sale\"; --", "north' OR '1' = '1", ":a", "?", "a\\'"] {
      #expect(try database.rows("SELECT id FROM \"Sale\" WHERE region = \(text)").isEmpty)
    }
    #expect(try database.count(of: Sale.self) == 4)
  }
}
