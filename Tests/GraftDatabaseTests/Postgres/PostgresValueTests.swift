#if canImport(CPQ)
import Foundation
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftPostgres
@testable import GraftTestSupport

@Suite(.enabled(if: PostgresServer.isPresent, PostgresServer.absence))
struct `Values in Postgres` {
  let database: PostgresDatabase

  init() throws {
    database = try PostgresDatabase(PostgresAddress(PostgresServer.emptySchema()))
  }

  private func bind(
    _ value: AttributeValue?, _ type: AttributeType, to statement: any DatabaseStatement,
    _ parameter: Int
  ) throws {
    guard let value else { return statement.bindNull(parameter) }
    let isBound: Void? = value.withRawValue(for: type) {
      DatabaseStatements.bind($0, type, to: statement, parameter)
    }
    try #require(isBound != nil)
  }

  /// Returns the value that a statement reads back for a bound value, and the server's text for it.
  private func echo(
    _ value: AttributeValue, _ type: AttributeType
  ) throws -> (value: AttributeValue?, text: AttributeValue?) {
    let name = PostgresType(type).description
    let statement = try database.prepare("SELECT $1::\(name), $1::\(name)::text")
    try bind(value, type, to: statement, 0)
    try #require(try statement.next())
    var row = RowBuffer()
    row.read(
      statement,
      [
        DatabaseSchema.Column(name: "value", type: type),
        DatabaseSchema.Column(name: "text", type: .string),
      ])
    statement.reset()
    return row.withAll {
      (AttributeValue($0[0], type: type), AttributeValue($0[1], type: .string))
    }
  }

  /// The values of a column after they were written as rows.
  private func stored(
    _ values: [AttributeValue?], _ type: AttributeType
  ) throws -> [AttributeValue?] {
    let columns = [
      DatabaseSchema.Column(name: "n", type: .integer64),
      DatabaseSchema.Column(name: "value", type: type),
    ]
    try database.execute("CREATE TABLE v (n bigint, value \(PostgresType(type)))")
    let insert = try database.prepare(RowChange(.insert, "v", columns))
    for (number, value) in values.enumerated() {
      insert.bind(0, .integer64, word: UInt64(number))
      try bind(value, type, to: insert, 1)
      try insert.run()
    }
    let select = try database.prepare("SELECT value FROM v ORDER BY n")
    var found: [AttributeValue?] = []
    var row = RowBuffer()
    while try select.next() {
      row.read(select, [columns[1]])
      found.append(row.withAll { AttributeValue($0[0], type: type) })
    }
    try database.execute("DROP TABLE v")
    return found
  }

  private static let far = "99999999999999999999999999999999999999"

  private static func number(_ text: String) -> AttributeValue {
    .decimal(Decimal(string: text) ?? .nan)
  }

  private static func uri(_ text: String) -> AttributeValue {
    .uri(URL(string: text) ?? URL(filePath: "/"))
  }

  /// Values of each type, and the server's text for them.
  private static let values: [(AttributeType, [(AttributeValue, String)])] = [
    (.integer16, [(.integer(-32768), "-32768"), (.integer(32767), "32767"), (.integer(0), "0")]),
    (
      .integer32,
      [(.integer(-2_147_483_648), "-2147483648"), (.integer(2_147_483_647), "2147483647")]
    ),
    (
      .integer64,
      [
        (.integer(.min), "-9223372036854775808"), (.integer(.max), "9223372036854775807"),
        (.integer(-1), "-1"),
      ]
    ),
    (
      .decimal,
      [
        "0", "1", "-1", "0.1", "-0.0001", "10000", "9999.9999", "123456789.123456789", "0.00000001",
        "100000000",
        "12345678901234567890123456789012345678", "-0.12345678901234567890123456789012345678",
        "99999999999999999999999999999999999999", "20000.5", "1000000000000.0001",
      ].map { (number($0), $0) }
        + [
          (number(far + "e60"), far + String(repeating: "0", count: 60)),
          (number("5e-100"), "0." + String(repeating: "0", count: 99) + "5"),
        ]
    ),
    (
      .double,
      [
        (.double(0.1), "0.1"), (.double(-0.0), "-0"), (.double(.infinity), "Infinity"),
        (.double(-.infinity), "-Infinity"), (.double(.leastNonzeroMagnitude), "5e-324"),
        (.double(.greatestFiniteMagnitude), "1.7976931348623157e+308"),
      ]
    ),
    (
      .float,
      [
        (.float(0.1), "0.1"), (.float(.leastNonzeroMagnitude), "1e-45"),
        (.float(16_777_216), "1.6777216e+07"),
      ]
    ),
    (
      .string,
      [
        (.string(""), ""), (.string("a'b\"c\\d"), "a'b\"c\\d"), (.string("e\u{301}"), "e\u{301}"),
        (.string("\u{1}\u{7F}\u{10FFFF}"), "\u{1}\u{7F}\u{10FFFF}"),
      ]
    ),
    (.boolean, [(.boolean(true), "true"), (.boolean(false), "false")]),
    (
      .date,
      [
        (-978_307_200, "1970-01-01 00:00:00+00"), (0, "2001-01-01 00:00:00+00"),
        (370_150_521.5, "2012-09-24 03:35:21.5+00"),
        (946_684_799.999999 - 978_307_200, "1999-12-31 23:59:59.999999+00"),
        (-63_113_904_000, "0001-01-01 00:00:00+00"), (252_423_907_200, "9999-12-31 00:00:00+00"),
        (-63_145_526_400, "0001-01-01 00:00:00+00 BC"),
      ].map { (.date(Date(timeIntervalSinceReferenceDate: $0.0)), $0.1) }
    ),
    (.binary, [(.binary(Data()), "\\x"), (.binary(Data([0, 1, 255])), "\\x0001ff")]),
    (
      .uuid,
      [
        (
          .uuid(UUID(uuidString: "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6") ?? UUID()),
          "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
        )
      ]
    ),
    (
      .uri,
      [(uri("https://example.org/a%20b?c=d#e"), "https://example.org/a%20b?c=d#e")]
    ),
    (
      .transformable,
      [
        #"{"b":1,"a":2,"b":3}"#, #"[1.0, 1e2, "\u0000", null]"#, "null", #""x""#, #"{ "a" : [ ] }"#,
        "1e999999",
      ].map { (.json($0), $0) }
    ),
  ]

  @Test func `are of every type`() {
    #expect(Set(Self.values.map(\.0)) == Set(AttributeType.allCases))
  }

  @Test(arguments: values)
  func `are what they were, and what the server takes them for`(
    type: AttributeType, cases: [(AttributeValue, String)]
  ) throws {
    try database.execute("SET timezone TO 'UTC'")
    for (value, text) in cases {
      let found = try echo(value, type)
      #expect(found.value == value)
      #expect(found.text == .string(text))
    }
    let values = cases.map(\.0) + [nil] + cases.map(\.0).reversed()
    #expect(try stored(values, type) == values)
  }

  @Test func `may be NaN`() throws {
    guard case .double(let double)? = try echo(.double(.nan), .double).value,
      case .float(let float)? = try echo(.float(.nan), .float).value
    else { return #expect(Bool(false)) }
    #expect(double.isNaN && float.isNaN)
  }

  @Test func `that it cannot hold are refused`() throws {
    let values: [(AttributeType, AttributeValue, String)] = [
      (.string, .string("a\0b"), "U+0000"), (.transformable, .json("\"\0\""), "U+0000"),
      (.date, .date(Date(timeIntervalSince1970: .infinity)), "not one of Postgres"),
      (.date, .date(Date(timeIntervalSince1970: .nan)), "not one of Postgres"),
      (.date, .date(Date(timeIntervalSince1970: 1e15)), "4713 BC to 294276"),
      (.date, .date(Date(timeIntervalSince1970: -3e11)), "4713 BC to 294276"),
      (.decimal, .decimal(.nan), "expected a value for numeric, found one of type Decimal"),
    ]
    for (type, value, message) in values {
      #expect(throws: StoreError.self) { try echo(value, type) }
      let error = #expect(throws: StoreError.self) { try stored([value], type) }
      #expect(error?.message.contains(message) == true)
      try database.execute("DROP TABLE v")
    }
  }

  @Test(arguments: [
    "'infinity'::timestamptz", "'-infinity'::timestamptz", "'NaN'::numeric", "'1'::money",
    "1234567890.12345678901234567890123456789::numeric", "'1e200'::numeric",
  ])
  func `that a hand has put there and an attribute cannot hold are an error`(sql: String) throws {
    let statement = try database.prepare("SELECT \(sql)")
    let error = #expect(throws: StoreError.self) { try statement.next() }
    #expect(error?.message.contains("is one that no attribute holds") == true)
  }

  @Test func `keep any decimal number`() throws {
    var random = SystemRandomNumberGenerator()
    let numbers = (0..<2000).map { _ in
      let digits = (0..<Int.random(in: 1...38, using: &random)).map { _ in
        "\(Int.random(in: 0...9, using: &random))"
      }
      let text =
        (Bool.random() ? "-" : "") + digits.joined()
        + "e\(Int.random(in: -60...60, using: &random))"
      return Decimal(string: text) ?? .nan
    }
    let values = numbers.map { AttributeValue.decimal($0) }
    #expect(try stored(values, .decimal) == values)
  }

  @Test func `keep any date with six digits of a second's fraction, bit by bit`() throws {
    var random = SystemRandomNumberGenerator()
    let dates = try (0..<5000).map { number in
      func digits(_ range: ClosedRange<Int>, _ width: Int) -> String {
        let text = "\(Int.random(in: range, using: &random))"
        return String(repeating: "0", count: width - text.count) + text
      }
      let years = number % 2 == 0 ? 1960...2040 : 1...9999
      let fraction = number % 7 == 0 ? "" : "." + digits(0...999_999, 6).prefix(number % 7)
      let text =
        "\(digits(years, 4))-\(digits(1...12, 2))-\(digits(1...28, 2))T\(digits(0...23, 2)):"
        + "\(digits(0...59, 2)):\(digits(0...59, 2))\(fraction)Z"
      let seconds = DateText.parseISO8601(ContiguousArray(text.utf8).span)
      return Date(timeIntervalSinceReferenceDate: try #require(seconds, "\(text)"))
    }
    let values = dates.map { AttributeValue.date($0) }
    #expect(try stored(values, .date) == values)
  }
}
#endif
