import Testing

@testable import Graft
@testable import GraftTestSupport

/// Converts a scalar for an attribute of each type: nothing is ever lost silently.
@Suite struct `A scalar of another type` {
  /// The scalars of the table below, in the order of its columns.
  static let scalars = [
    "true", "1", "-2.0", "0.5", #""1""#, #""no""#, #""x""#, #""""#, "[1]", #"{"a":1}"#,
  ]

  /// The value of the attribute afterwards: `-` nothing, `!` the import fails.
  static let table: [(AttributeType, String)] = [
    (.integer16, #" !      1    -2     !     1     !      !     -    !    !         "#),
    (.integer32, #" !      1    -2     !     1     !      !     -    !    !         "#),
    (.integer64, #" !      1    -2     !     1     !      !     -    !    !         "#),
    (.decimal, #"   !      1    -2     0.5   1     !      !     -    !    !         "#),
    (.double, #"    !      1    -2     0.5   1     !      !     -    !    !         "#),
    (.float, #"     !      1    -2     0.5   1     !      !     -    !    !         "#),
    (.string, #"    "true" "1"  "-2.0" "0.5" "1"   "no"   "x"   ""   !    !         "#),
    (.boolean, #"   true   true !      !     true  false  !     -    !    !         "#),
    (.binary, #"    !      !    !      !     !     !      !     ""   !    !         "#),
    (.uuid, #"      !      !    !      !     !     !      !     -    !    !         "#),
    (.uri, #"       !      !    !      !     "1"   "no"   "x"   -    !    !         "#),
    (.transformable, #"true 1   -2.0   0.5   "1"   "no"   "x"   ""   [1]  {"a":1}   "#),
  ]

  @Test(arguments: table)
  func `is converted, or refused`(type: AttributeType, row: String) throws {
    for (scalar, expected) in zip(Self.scalars, row.split(separator: " ")) {
      let value = try Box(type).value(of: scalar)
      #expect(value == expected, "\(type.rawValue) from \(scalar)")
    }
  }

  @Test(arguments: table)
  func `and where it is refused, the store stays as it is`(type: AttributeType, row: String) throws
  {
    for (scalar, expected) in zip(Self.scalars, row.split(separator: " ")) where expected == "!" {
      let message = try Box(type).trial.failure(#"{"v":\#(scalar)}"#)
      #expect(message.hasPrefix("1:6: $.v: expected "), "\(type.rawValue) from \(scalar)")
    }
  }

  @Test(arguments: [
    (AttributeType.integer16, "32767", "32767"), (.integer16, "-32768", "-32768"),
    (.integer16, "32768", "!"), (.integer16, "-32769", "!"), (.integer16, #""32768""#, "!"),
    (.integer32, "2147483647", "2147483647"), (.integer32, "-2147483648", "-2147483648"),
    (.integer32, "2147483648", "!"), (.integer32, "-2147483649", "!"),
    (.integer64, "9223372036854775807", "9223372036854775807"),
    (.integer64, "-9223372036854775808", "-9223372036854775808"),
    (.integer64, "9223372036854775808", "!"), (.integer64, "-9223372036854775809", "!"),
    (.integer64, #""9223372036854775808""#, "!"), (.integer64, "18446744073709551617", "!"),
    (.integer64, "9007199254740993", "9007199254740993"),
    (.integer64, #""9007199254740993""#, "9007199254740993"),
    (.integer64, "9007199254740993.0", "9007199254740993"),
    (.integer64, "9007199254740993.5", "!"), (.integer64, "1e3", "1000"), (.integer64, "1e-3", "!"),
    (.integer64, "1500e-2", "15"), (.integer64, "1e19", "!"), (.integer64, "1e999999999", "!"),
    (.integer64, "-0", "0"), (.integer64, "-0.0", "0"), (.integer64, "0e5", "0"),
    (.integer64, #"" 1""#, "!"), (.integer64, #""0x10""#, "!"), (.integer64, #""1_000""#, "!"),
  ])
  func `integers are exact, and never wrap or round`(
    type: AttributeType, json: String, expected: String
  ) throws {
    #expect(try Box(type).value(of: json) == expected)
  }

  @Test(arguments: [
    (AttributeType.decimal, "0.1", "0.1"), (.decimal, "1.10", "1.1"), (.decimal, "1e2", "100"),
    (.decimal, "9007199254740993.1", "9007199254740993.1"),
    (.decimal, #""12345678901234567890.123456789""#, "12345678901234567890.123456789"),
    (.decimal, "99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
    (.decimal, "123456789012345678901234567890123456789", "!"), (.decimal, "1e200", "!"),
    (.double, "9007199254740993", "9007199254740992"), (.double, "1e308", "1e+308"),
    (.double, "1e309", "!"), (.double, "5e-324", "5e-324"), (.double, "0.1", "0.1"),
    (.double, "-0.0", "-0"), (.double, #""nan""#, "!"), (.double, #""Infinity""#, "!"),
    (.float, "0.1", "0.1"), (.float, "3.4e38", "3.4e+38"), (.float, "3.5e38", "!"),
    (.float, "16777217", "16777216"),
  ])
  func `decimals keep their digits, and floats the nearest value`(
    type: AttributeType, json: String, expected: String
  ) throws {
    #expect(try Box(type).value(of: json) == expected)
  }

  @Test(arguments: [
    ("true", ["true", "1", "1.0", #""TRUE""#, #""Yes""#, #""y""#, #""t""#, #""1""#, #""ON""#]),
    ("false", ["false", "0", #""False""#, #""NO""#, #""n""#, #""F""#, #""0""#, #""off""#]),
    ("!", ["2", "-1", "0.5", #""2""#, #""yeah""#, #""tr""#, #"" true""#]),
  ])
  func `booleans have their words`(expected: String, scalars: [String]) throws {
    for json in scalars { #expect(try Box(.boolean).value(of: json) == expected, "\(json)") }
  }

  @Test(arguments: [
    (AttributeType.binary, #""AAEC/w==""#, #""AAEC/w==""#), (.binary, #""AAEC/w""#, "!"),
    (.binary, #""A\u0042CD""#, #""ABCD""#), (.binary, #""AA*=""#, "!"),
    (
      .uuid, #""e621e1f8-c36c-495a-93fc-0c247a3e6e5f""#,
      #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#
    ),
    (.uuid, #""e621e1f8c36c495a93fc0c247a3e6e5f""#, "!"),
    (.uuid, #""g621e1f8-c36c-495a-93fc-0c247a3e6e5f""#, "!"),
    (.uri, #""https://example.com/a?b=1#c""#, #""https://example.com/a?b=1#c""#),
    (.uri, #""\/a""#, #""/a""#), (.uri, #""http://[""#, "!"),
    (.string, #""Gr\u00f6\u00dfe \ud83d\ude00""#, #""Größe 😀""#), (.string, "1.50", #""1.50""#),
    (.string, #""\u0000""#, #""\u0000""#),
  ])
  func `bytes, identifiers and texts are read from text`(
    type: AttributeType, json: String, expected: String
  ) throws {
    #expect(try Box(type).value(of: json) == expected)
  }
}

/// A store with one attribute, and what a scalar leaves in it.
struct Box {
  let trial: ImportTrial

  init(_ type: AttributeType, _ userInfo: [String: String] = [:]) throws {
    trial = try ImportTrial([.make("Box", identity: "", [.make("v", type, userInfo)])])
  }

  /// The attribute in the canonical form; `-` for none, `!` where the import fails.
  func value(of json: String) throws -> String {
    do { try trial.load(#"{"v":\#(json)}"#) } catch is ImportError { return "!" }
    let line = try #require(trial.lines.last)
    return line.split(separator: "v: ", maxSplits: 1).dropFirst().first.map(String.init) ?? "-"
  }
}

/// MagicalRecord's `attributeValueClassName`.
@Suite struct `An attribute with the class of its values` {
  private func trial(_ type: AttributeType, _ valueClass: String) throws -> ImportTrial {
    try ImportTrial(
      [
        EntityDescription(
          name: "Box",
          attributes: [.make("v", type, ["attributeValueClassName": valueClass])])
      ], dialect: .magicalrecord)
  }

  @Test(arguments: [AttributeType.string, .transformable], ["UIColor", "*Color"])
  func `is read as a colour where that is one`(_ type: AttributeType, _ name: String) throws {
    let trial = try trial(type, name)
    try trial.load(##"[{"v":"rgba(64, 128, 225, 1)"},{"v":"#ABC"},{"v":"rgba(64,128,225,0.5)"}]"##)
    #expect(
      trial.lines == [
        ##"Box/1 v: "#4080e1""##, ##"Box/2 v: "#aabbcc""##, ##"Box/3 v: "#4080e180""##,
      ])
    #expect(trial.failure(#"{"v":"red"}"#).hasPrefix("1:6: $.v: expected"))
  }

  @Test func `is converted from nothing else where that is another`() throws {
    let number = try trial(.integer64, "NSNumber")
    try number.load(#"{"v":12}"#)
    #expect(number.lines == ["Box/1 v: 12"])
    #expect(
      number.failure(#"{"v":"12"}"#)
        == #"1:6: $.v: expected an integer of 64 bits, found the string "12""#)
    let text = try trial(.string, "NSString")
    #expect(text.failure(#"{"v":12}"#) == "1:6: $.v: expected a string, found the number 12")
  }

  @Test func `holds no colour unless it holds text`() {
    let error = #expect(throws: ModelError.self) { try trial(.integer64, "UIColor") }
    #expect(error?.description.contains("Box.v: a colour is kept as text") == true)
  }
}
