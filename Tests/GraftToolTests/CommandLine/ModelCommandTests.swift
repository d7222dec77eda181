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

  @Test func `says which command writes a page`() async throws {
    let run = try await GraftTool.run([
      "model", "--model", Fixture.timelineModel, "--output", "html",
    ])
    #expect(run.status == 2)
    #expect(
      run.errors.contains("--output html is written by graft infer, which knows the document"))
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

  @Test func `names what a form of the model lacks`() async throws {
    let model = try TemporaryFile(
      #"""
      {"entities": [{"name": "A", "userInfo": {"identityAttributes": "id", "note": "old"}, "attributes": [
        {"name": "id", "type": "UUID", "isOptional": false, "defaultValue": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"},
        {"name": "site", "type": "URI", "isOptional": false, "defaultValue": "https://a.example"},
        {"name": "state", "type": "String", "defaultValue": "a\u0001b", "userInfo": {"JSONValues": "open | done"}},
        {"name": "text", "type": "String", "isTransient": true, "transformerName": "cut"}]}]}
      """#, name: "model.json")
    let swift = try await GraftTool.run(["model", model.path, "--output", "swift"])
    #expect(swift.status == 0)
    #expect(swift.output.contains("default: UUID(uuid: (0xe6, 0x21,"))
    #expect(
      Set(swift.errorLines.filter { $0.hasPrefix("notice") }) == [
        "notice: not written: A: the annotation note = \"old\"",
        "notice: not written: A.site: the default value https://a.example",
        "notice: not written: A.state: the values open | done; declare an enumeration of them as its type",
        "notice: not written: A.text: the transformer \"cut\"; declare it and name it here",
        "notice: not written: A.text: transient",
      ])
    let file = try TemporaryFile("", name: "contents")
    let xcode = try await GraftTool.run([
      "model", model.path, "--output", "xcdatamodel", "--to", file.path,
    ])
    #expect(
      xcode.errorLines.filter { $0.hasPrefix("notice") } == [
        "notice: not written: attribute \"state\", defaultValueString: control characters, which XML cannot have"
      ])
    let again = try await GraftTool.run(["model", file.path])
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.output.contains("transformer cut"))
  }
}
