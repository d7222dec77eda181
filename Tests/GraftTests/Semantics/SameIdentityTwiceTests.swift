import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Same identity twice` {
  private static let model: [EntityDescription] = [
    .make(
      "Hero", [.make("name"), .make("age", .integer64)],
      [.make("boss", to: "Hero"), .make("team", to: "Hero", many: true)])
  ]

  /// Documents in which number 1 stands several times: side by side, nested, far apart.
  static let documents = [
    #"[{"id":1,"name":"a","age":7},{"id":1,"name":"d"}]"#,
    #"[{"id":1,"name":"a","age":7},{"id":1,"name":"b","boss":null},{"name":"d","id":1}]"#,
    #"[{"id":1,"age":7,"boss":{"id":1,"name":"b"},"name":"d"},{"id":1,"boss":null}]"#,
    #"[{"id":1,"team":[{"id":1,"name":"a"},{"id":1,"name":"b"}],"age":7,"name":"d"},{"team":null,"id":1}]"#,
  ]

  @Test(arguments: Dialect.identifying, documents)
  func `in the payload is one object, and later values win`(
    dialect: Dialect, json: String
  ) throws {
    for chunk in [1, 1000] {
      let trial = try ImportTrial(Self.model, speaking: dialect)
      let report = try trial.load(json, chunk: chunk)
      #expect(trial.lines == [#"Hero/1 age: 7, id: 1, name: "d""#])
      #expect(report.insertedCount == 1)
    }
  }

  @Test(arguments: Dialect.identifying, documents)
  func `in the store and the payload is one object, and later values win`(
    dialect: Dialect, json: String
  ) throws {
    let result = try outcome(
      of: #"{"id":1,"name":"z","age":1,"boss":{"id":1}}"#, json, in: dialect, for: Self.model,
      .with { $0.relationships.collection = .replace })
    #expect(result.count == 1)
    #expect(result.first?.hasSuffix(#"id: 1, name: "d""#) == true)
    #expect(result.first?.contains("age: 7") == true)
  }

  @Test(arguments: zip(documents, [2, 3, 3, 4]))
  func `is that of several objects where the dialect knows no identity`(
    json: String, count: Int
  ) throws {
    let trial = try ImportTrial(Self.model, speaking: .zds)
    try trial.load(json)
    #expect(try trial.store.graph.count(of: "Hero") == count)
  }
}
