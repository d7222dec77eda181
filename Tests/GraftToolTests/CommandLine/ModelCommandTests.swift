import Foundation
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

  @Test func `writes a model to no file that it reads, and to none without a form`() async throws {
    let model = try TemporaryFile(#"{"entities": [{"name": "A"}]}"#, name: "model.json")
    let document = try TemporaryFile(#"[{"id": 1}]"#, name: "document.json")
    let text = try String(contentsOf: model.url, encoding: .utf8)
    let onto = try await GraftTool.run([
      "model", model.path, "--output", "schema", "--to", model.path,
    ])
    #expect(onto.status == 2 && onto.errors.contains("--to would replace"), "\(onto.errors)")
    #expect(try String(contentsOf: model.url, encoding: .utf8) == text)
    let inferred = try await GraftTool.run(["infer", "--to", document.path, "A=" + document.path])
    #expect(inferred.status == 2 && inferred.errors.contains("--to would replace"))
    #expect(try String(contentsOf: document.url, encoding: .utf8) == #"[{"id": 1}]"#)
    let summary = try await GraftTool.run(["model", model.path, "--to", model.path + ".txt"])
    #expect(summary.status == 2 && summary.errors.contains("say which with --output"))
  }
}
