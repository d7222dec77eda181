#if canImport(CPQ)
import Foundation
import Testing

@testable import Graft
@testable import GraftPostgres

@Suite(.enabled(if: PostgresServer.isPresent, PostgresServer.absence))
struct `Values in Postgres` {
  let connection: PostgresConnection

  init() throws { connection = try PostgresServer.connect() }

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
    try connection.execute("SET timezone TO 'UTC'")
    let column = PostgresType(type)
    for (value, text) in cases {
      let row = try #require(
        try connection.execute(
          "SELECT $1, $1::text", [PostgresParameter(value, as: type)]
        ).rows.first)
      #expect(try row.value(0, as: type) == value)
      #expect(try row.text(1) == text)
    }
    let values = cases.map(\.0) + [nil] + cases.map(\.0).reversed()
    var array = PostgresArray(of: column)
    for value in values { try array.append(value, as: type) }
    let found = try connection.execute(
      "SELECT value FROM unnest($1) WITH ORDINALITY AS v (value, n) ORDER BY n",
      [array.parameter])
    #expect(try found.rows.map { try $0.value(0, as: type) } == values)
  }

  @Test func `may be NaN`() throws {
    let row = try #require(
      try connection.execute(
        "SELECT $1, $2",
        [
          PostgresParameter(.double(.nan), as: .double),
          PostgresParameter(.float(.nan), as: .float),
        ]
      ).rows.first)
    guard case .double(let double) = try row.value(0, as: .double),
      case .float(let float) = try row.value(1, as: .float)
    else { return #expect(Bool(false)) }
    #expect(double.isNaN && float.isNaN)
  }

  @Test func `that it cannot hold are refused, and leave no trace`() throws {
    let values: [(AttributeType, AttributeValue, String)] = [
      (.string, .string("a\0b"), "U+0000"), (.transformable, .json("\"\0\""), "U+0000"),
      (.date, .date(Date(timeIntervalSince1970: .infinity)), "not one of Postgres"),
      (.date, .date(Date(timeIntervalSince1970: .nan)), "not one of Postgres"),
      (.date, .date(Date(timeIntervalSince1970: 1e15)), "4713 BC to 294276"),
      (.date, .date(Date(timeIntervalSince1970: -3e11)), "4713 BC to 294276"),
      (.decimal, .decimal(.nan), "expected a number"),
      (.integer16, .integer(40_000), "expected a value of type Integer 16"),
      (.string, .integer(1), "expected a value of type String"),
    ]
    for (type, value, message) in values {
      let error = #expect(throws: PostgresValueError.self) {
        try PostgresParameter(value, as: type)
      }
      #expect(error?.description.contains(message) == true)
      var array = PostgresArray(of: PostgresType(type))
      #expect(throws: PostgresValueError.self) { try array.append(value, as: type) }
      #expect(array.count == 0 && array.byteCount == PostgresArray(of: .text).byteCount)
    }
  }

  @Test(
    arguments: [
      ("'infinity'::timestamptz", .date), ("'-infinity'::timestamptz", .date),
      ("'NaN'::numeric", .decimal),
      ("1234567890.12345678901234567890123456789::numeric", .decimal),
      ("'1e200'::numeric", .decimal),
      ("''::text", .uri),
    ] as [(PostgresSQL, AttributeType)])
  func `that a hand has put there and an attribute cannot hold are an error`(
    sql: PostgresSQL, type: AttributeType
  ) throws {
    let row = try #require(try connection.execute("SELECT \(sql)").rows.first)
    let error = #expect(throws: PostgresError.self) { try row.value(0, as: type) }
    #expect(error?.kind == .value)
  }

  @Test func `keep any decimal number`() throws {
    var random = SystemRandomNumberGenerator()
    var array = PostgresArray(of: .numeric)
    let numbers = (0..<2000).map { _ in
      let digits = (0..<Int.random(in: 1...38, using: &random)).map { _ in
        "\(Int.random(in: 0...9, using: &random))"
      }
      let text =
        (Bool.random() ? "-" : "") + digits.joined()
        + "e\(Int.random(in: -60...60, using: &random))"
      return Decimal(string: text) ?? .nan
    }
    for number in numbers { try array.append(.decimal(number), as: .decimal) }
    let found = try connection.execute("SELECT * FROM unnest($1)", [array.parameter])
    #expect(try found.rows.map { try $0.value(0, as: .decimal) } == numbers.map { .decimal($0) })
  }

  @Test func `keep any date with six digits of a second's fraction, bit by bit`() throws {
    var random = SystemRandomNumberGenerator()
    var array = PostgresArray(of: .timestamptz)
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
    for date in dates { try array.append(.date(date), as: .date) }
    let found = try connection.execute("SELECT * FROM unnest($1)", [array.parameter])
    #expect(try found.rows.map { try $0.value(0, as: .date) } == dates.map { .date($0) })
  }
}
#endif
