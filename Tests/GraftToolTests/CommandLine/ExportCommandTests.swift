import Foundation
import Testing

@testable import GraftTestSupport

@Suite(.enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `graft export` {
  private static let statuses = "Tweet@statuses=\(Fixture.timeline)"

  private func export(_ arguments: [String]) async throws -> GraftTool.Outcome {
    try await GraftTool.run(["export", "--model", Fixture.timelineModel] + arguments)
  }

  /// Runs `graft import` on a text, and returns the graph in its form for comparing.
  private func graph(_ model: String, _ root: String, _ text: String) async throws -> String {
    let file = try TemporaryFile(text)
    let run = try await GraftTool.run(
      ["import", "--model", model, "--output", "graph", "\(root)=\(file.path)"])
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  @Test func `writes the objects of the roots, which read back as the graph`() async throws {
    let run = try await export([Self.statuses])
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output.hasPrefix("[{"))
    #expect(run.output.hasSuffix("}]\n"))
    let again = try await graph(Fixture.timelineModel, "Tweet", run.output)
    #expect(try again == Fixture.text("Fixtures/expected/timeline.graph.json"))
  }

  @Test func `writes all objects, which read back as the graph`() async throws {
    let run = try await GraftTool.run([
      "export", "--model", Fixture.catalogModel, "--all", "--pretty",
      "\(Fixture.catalogRoots)=\(Fixture.catalog)",
    ])
    let again = try await graph(
      Fixture.catalogModel,
      "Event@Event,Performance@Performance,Price@Price,SeatCategory@SeatCategory,Area@Area",
      run.output)
    #expect(try again == Fixture.text("Fixtures/expected/catalog.graph.json"))
  }

  @Test func `writes the objects of an entity, as the options say`() async throws {
    let document = try TemporaryFile(
      #"""
      [{"id_str": "1", "text": "t", "user": {"id_str": "2", "screen_name": "s", "name": "n"},
        "entities": {"hashtags": [{"text": "h"}]}}]
      """#)
    let run = try await export([
      "--select", "Tweet", "--omit-null", "--ndjson", "--style", "Tweet.author=identifier",
      "--style", "Tweet.retweetCount=omit", "--sorted", "--entity", "Tweet", document.path,
    ])
    #expect(
      run.output == #"{"entities":{"hashtags":[{"text":"h"}]},"favorite_count":0,"id_str":"1","#
        + #""text":"t","user":"2"}"# + "\n")
    let users = try await export([
      "--select", "User", "--omit-null", "--entity", "Tweet", document.path,
    ])
    #expect(
      users.output == #"[{"followers_count":0,"id_str":"2","verified":false,"name":"n","#
        + #""screen_name":"s"}]"# + "\n")
  }

  @Test func `writes a file`() async throws {
    let file = try TemporaryFile("before", name: "out.json")
    let run = try await export(["--output", file.path, Self.statuses])
    #expect(run.status == 0)
    #expect(run.output == "")
    let printed = try await export([Self.statuses])
    #expect(try String(contentsOf: file.url, encoding: .utf8) + "\n" == printed.output)
    let nowhere = try await export(["--output", "/nowhere/out.json", Self.statuses])
    #expect(nowhere.status == 4)
    #expect(nowhere.errors.hasPrefix("/nowhere/out.json: "))
  }

  @Test(arguments: [
    ("--style Twet.author=omit", "--style: a style is given for an unknown entity \"Twet\""),
    ("--select Twet", "unknown entity \"Twet\", did you mean \"Tweet\"?"),
  ])
  func `exits with 2 for names that the model does not have`(
    option: String, message: String
  ) async throws {
    let run = try await export(option.split(separator: " ").map(String.init) + [Self.statuses])
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("graft: \(message)"), "\(run.errors)")
  }

  @Test(arguments: [
    ("Tweet", #"{"id_str": "1", "text": "a"}"#, #"{"id_str":"1","#, "}\n"),
    ("Tweet", #"[{"id_str": "1", "text": "a"}]"#, #"[{"id_str":"1","#, "}]\n"),
    ("Tweet@a.b", #"{"a": {"b": {"id_str": "1", "text": "a"}}}"#, #"{"id_str":"1","#, "}\n"),
    ("Tweet@a[0]", #"{"a": [{"id_str": "1", "text": "a"}]}"#, #"{"id_str":"1","#, "}\n"),
    ("Tweet@a.*", #"{"a": {"b": {"id_str": "1", "text": "a"}}}"#, #"[{"id_str":"1","#, "}]\n"),
    (
      "Tweet@t,User@u",
      #"{"t": [], "u": {"id_str": "1", "screen_name": "s"}}"#, #"{"Tweet":[],"User":{"#, "}}\n"
    ),
  ])
  func `--output json of an import prints the objects of the roots in their shape`(
    root: String, json: String, start: String, end: String
  ) async throws {
    let document = try TemporaryFile(json)
    let run = try await GraftTool.run([
      "import", "--model", Fixture.timelineModel, "--output", "json", "\(root)=\(document.path)",
    ])
    #expect(run.status == 0)
    let text = run.output.replacing(#/"(created_at|favorite_count)":\w+,/#, with: "")
    #expect(text.hasPrefix(start), "\(run.output)")
    #expect(run.output.hasSuffix(end))
  }
}

@Suite(.enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `graft export --all` {
  private func counts(_ arguments: [String]) async throws -> [String: Int] {
    let run = try await GraftTool.run(arguments + ["--output", "graph"])
    #expect(run.status == 0)
    let graph = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(graph as? [String: [Any]]).mapValues(\.count)
  }

  @Test(arguments: [
    (Fixture.timelineModel, "Tweet@statuses=\(Fixture.timeline)"),
    (Fixture.catalogModel, "\(Fixture.catalogRoots)=\(Fixture.catalog)"),
  ])
  func `is imported again without a root`(model: String, file: String) async throws {
    let export = try await GraftTool.run(["export", "--all", "--model", model, file])
    let all = try TemporaryFile(export.output, name: "all.json")
    let counts = try await counts(["import", "--model", model, all.path])
    #expect(try await self.counts(["import", "--model", model, file]) == counts)
  }

  @Test func `is told from a document of the root that the model names`() async throws {
    let model = try TemporaryFile(
      #"""
      {"entities": [
        {"name": "Feed", "userInfo": {"root": "$"},
          "relationships": [{"name": "channel", "destination": "Channel", "userInfo": {"JSONKeyPath": "Channel"}}]},
        {"name": "Channel", "userInfo": {"identityAttributes": "id"},
          "attributes": [{"name": "id", "type": "String"}, {"name": "name", "type": "String"}]}]}
      """#, name: "model.json")
    let document = try TemporaryFile(
      #"{"Channel": {"id": "7", "name": "x"}}"#, name: "feed.json")
    let arguments = ["import", "--model", model.path, document.path]
    #expect(try await counts(arguments) == ["Feed": 1, "Channel": 1])
    let export = try await GraftTool.run([
      "export", "--all", "--model", model.path, document.path,
    ])
    let all = try TemporaryFile(export.output, name: "all.json")
    let again = try await counts(["import", "--model", model.path, all.path])
    #expect(again == ["Feed": 1, "Channel": 1], "\(export.output)")
  }
}
