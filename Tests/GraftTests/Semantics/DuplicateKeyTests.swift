import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Duplicate key in one object` {
  private static let model: [EntityDescription] = [
    .make(
      "Hero", [.make("name")],
      [.make("boss", to: "Hero"), .make("team", to: "Hero", many: true)])
  ]

  static let members: [(json: String, line: String)] = [
    (#""name":"a","name":"b""#, #"id: 1, name: "b""#), (#""name":"a","name":null"#, "id: 1"),
    (#""name":null,"name":"b""#, #"id: 1, name: "b""#),
    (#""boss":{"id":2},"boss":null"#, "id: 1"), (#""team":[{"id":2}],"team":[]"#, "id: 1"),
  ]

  @Test(arguments: Dialect.allCases, members)
  func `means that the later value wins`(
    dialect: Dialect, member: (json: String, line: String)
  ) throws {
    let result = try outcome(of: #"{"id":1,\#(member.json)}"#, in: dialect, for: Self.model)
    #expect(result.last?.hasSuffix(" \(member.line)") == true)
  }

  @Test(arguments: Dialect.allCases, members)
  func `is an error where that is asked for`(
    dialect: Dialect, member: (json: String, line: String)
  ) throws {
    let result = try outcome(
      of: #"{"id":1,\#(member.json)}"#, in: dialect, for: Self.model,
      .with { $0.refusesDuplicateKeys = true })
    #expect(result.first?.hasPrefix("! 1:") == true)
    #expect(result.first?.contains("twice") == true)
  }

  @Test(arguments: Dialect.allCases)
  func `is none where two objects have the same key`(dialect: Dialect) throws {
    let result = try outcome(
      of: #"[{"id":1,"boss":{"id":2}},{"id":3,"boss":{"id":4}}]"#, in: dialect, for: Self.model,
      .with { $0.refusesDuplicateKeys = true })
    #expect(result.count == 4)
  }
}
