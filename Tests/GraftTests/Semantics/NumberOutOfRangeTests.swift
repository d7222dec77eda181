import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Number out of range, fraction into integer` {
  private static let model: [EntityDescription] = [
    .make(
      "Box",
      [
        .make("small", .integer16), .make("middle", .integer32), .make("large", .integer64),
        .make("float", .float), .make("double", .double), .make("decimal", .decimal),
      ])
  ]

  static let refused = [
    #""small":32768"#, #""small":-32769"#, #""small":"40000""#, #""middle":2147483648"#,
    #""large":9223372036854775808"#, #""large":-9223372036854775809"#, #""large":0.5"#,
    #""large":1e19"#, #""small":1e-1"#, #""float":1e39"#, #""double":1e309"#,
    #""decimal":1e200"#, #""decimal":123456789012345678901234567890123456789"#,
  ]

  static let exact = [
    ("large", "9223372036854775807"), ("large", "-9223372036854775808"),
    ("large", "9007199254740993"), ("decimal", "9007199254740993.1"),
    ("decimal", "0.1"), ("decimal", "99999999999999999999999999999999999999"),
  ]

  @Test(arguments: Dialect.allCases)
  func `is an error in every dialect, and never wraps or rounds`(dialect: Dialect) throws {
    for json in Self.refused {
      let result = try outcome(of: #"{"id":1,\#(json)}"#, in: dialect, for: Self.model)
      #expect(result.first?.hasPrefix("! 1:") == true, "\(json)")
      #expect(result.first?.contains(", found ") == true, "\(json)")
    }
  }

  @Test(arguments: Dialect.allCases)
  func `is none where integers are exact to 64 bits, and decimals by their text`(
    dialect: Dialect
  ) throws {
    for (key, number) in Self.exact {
      for json in [number, "\"\(number)\""] {
        let result = try outcome(of: #"{"id":1,"\#(key)":\#(json)}"#, in: dialect, for: Self.model)
        let line = ["id: 1", "\(key): \(number)"].sorted().joined(separator: ", ")
        #expect(result == ["Box/1 \(line)"])
      }
    }
  }
}
