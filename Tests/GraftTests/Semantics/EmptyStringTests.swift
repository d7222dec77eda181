import Testing

@testable import Graft

@Suite struct `Empty string into date or number` {
  private static let types: [AttributeType] = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .date,
  ]

  private static let model: [EntityDescription] = [
    .make("Box", types.enumerated().map { .make("v\($0.offset)", $0.element) })
  ]

  private static let json =
    #"{"id":1,\#(types.indices.map { "\"v\($0)\":\"\"" }.joined(separator: ","))}"#

  @Test(arguments: Dialect.allCases)
  func `is nil`(dialect: Dialect) throws {
    #expect(try outcome(of: Self.json, in: dialect, for: Self.model) == ["Box/1 id: 1"])
  }

  @Test(arguments: Dialect.identifying)
  func `takes the value that was there`(dialect: Dialect) throws {
    let full = #"{"id":1,\#(Self.types.indices.map { "\"v\($0)\":7" }.joined(separator: ","))}"#
    #expect(try outcome(of: full, Self.json, in: dialect, for: Self.model) == ["Box/1 id: 1"])
  }

  @Test(arguments: Dialect.allCases, types.indices)
  func `is an error where that is asked for`(dialect: Dialect, index: Int) throws {
    let options = ImportOptions.with { $0.refusesEmptyText = true }
    let result = try outcome(
      of: #"{"id":1,"v\#(index)":""}"#, in: dialect, for: Self.model, options)
    #expect(result.first?.hasPrefix("! 1:14: $.v\(index): expected ") == true)
    #expect(result.first?.hasSuffix("found an empty string") == true)
  }

  @Test(arguments: Dialect.allCases, [true, false])
  func `is a text where a text belongs`(dialect: Dialect, isRefused: Bool) throws {
    let options = ImportOptions.with { $0.refusesEmptyText = isRefused }
    #expect(
      try outcome(of: #"{"id":1,"t":""}"#, in: dialect, for: [.make("Box", [.make("t")])], options)
        == [#"Box/1 id: 1, t: """#])
  }
}
