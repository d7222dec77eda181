import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite struct `Identity spelled otherwise` {
  private static let model: [EntityDescription] = [
    .make("Hero", [.make("n", .integer64)], [.make("boss", to: "Hero")])
  ]

  static let spellings = ["7", #""7""#, "7.0", "70e-1", #""\u0037""#]

  @Test(arguments: Dialect.identifying, spellings)
  func `is compared after conversion`(dialect: Dialect, spelling: String) throws {
    let result = try outcome(
      of: #"{"id":7,"n":1}"#, #"[{"id":\#(spelling),"n":2},{"id":8,"boss":\#(spelling)}]"#,
      in: dialect, for: Self.model)
    #expect(result == ["Hero/1 id: 7, n: 2", "Hero/2 boss: Hero/1, id: 8"])
  }

  @Test(arguments: Dialect.identifying)
  func `is another where the text is all there is`(dialect: Dialect) throws {
    let result = try outcome(
      of: #"[{"id":"7"},{"id":7},{"id":"07"},{"id":7.0}]"#, in: dialect,
      for: [.make("Hero", [.make("id")])])
    #expect(result == [#"Hero/1 id: "7""#, #"Hero/2 id: "07""#, #"Hero/3 id: "7.0""#])
  }
}
