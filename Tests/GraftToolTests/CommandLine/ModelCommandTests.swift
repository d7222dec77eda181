import Testing

@testable import GraftTestSupport

@Suite(.enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `graft model` {
  @Test func `prints the model as it was understood`() async throws {
    let run = try await GraftTool.run(["model", "--model", Fixture.timelineModel])
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output.hasPrefix("3 entities, dialect graft\n"))
    #expect(run.output.contains("entities.hashtags"))
  }

  @Test func `shows a model whose code is not there`() async throws {
    let model = try TemporaryFile(
      #"""
      {"entities": [{"name": "A", "attributes": [
        {"name": "n", "type": "String", "userInfo": {"JSONTransformerName": "T"}}]}]}
      """#)
    let run = try await GraftTool.run(["model", "--model", model.path])
    #expect(run.status == 0)
    #expect(run.output.contains("\"T\""))
  }

  @Test func `tells every error of a bad model on its own line`() async throws {
    let model = try TemporaryFile(
      #"""
      {"entities": [{"name": "A", "attributes": [
        {"name": "a", "type": "Sting"}, {"name": "b", "type": "Dat"}]}]}
      """#)
    let run = try await GraftTool.run(["model", "--model", model.path])
    #expect(run.status == 3)
    #expect(run.errorLines.count == 2)
    #expect(run.errorLines.allSatisfy { $0.hasPrefix(model.path + ":") })
  }
}
