import Foundation
import Testing

@testable import GraftTestSupport

@Suite(.enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `graft import --mapping` {
  private static let model = ["import", "--model", Fixture.timelineModel, "--output", "graph"]

  @Test func `reads the files that follow it by the mapping`() async throws {
    let mapping = try TemporaryFile(
      #"{"Tweet": {"key": "identifier", "body": {"plain": "text"}}}"#, name: "mapping.json")
    let mapped = try TemporaryFile(#"{"key": 1, "body": {"plain": "mapped"}}"#)
    let plain = try TemporaryFile(#"{"id_str": "2", "text": "plain"}"#)
    let run = try await GraftTool.run(
      Self.model + [
        "--entity", "Tweet", plain.path, "--mapping", mapping.path, mapped.path, "--no-mapping",
        plain.path,
      ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(#""text": "mapped""#))
    #expect(run.output.contains(#""text": "plain""#))
  }

  @Test func `exits with 3 and the place when the mapping does not fit the model`() async throws {
    let mapping = try TemporaryFile(
      "{\"Tweet\": {\n  \"key\": \"identifer\"}}", name: "mapping.json")
    let run = try await GraftTool.run(Self.model + ["--mapping", mapping.path, "Tweet=-"])
    #expect(run.status == 3)
    #expect(run.output == "")
    #expect(
      run.errors
        == "\(mapping.path):2:10: Tweet: the path \"key\" is mapped to \"identifer\", which is no "
        + "property, did you mean \"identifier\"?\n")
  }

  @Test func `exits with 4 when the mapping cannot be read`() async throws {
    let run = try await GraftTool.run(Self.model + ["--mapping", "missing.json", "Tweet=-"])
    #expect(run.status == 4)
    #expect(run.errors == "missing.json: No such file or directory\n")
  }

  @Test func `binds the transformers that the mapping names`() async throws {
    let mapping = try TemporaryFile(
      #"{"Tweet": {"text": {"property": "text", "transformer": "Tidy"}}}"#, name: "mapping.json")
    let document = try TemporaryFile(#"{"id_str": "1", "text": "  a "}"#)
    let run = try await GraftTool.run(
      Self.model + [
        "--transformer", "Tidy=trim", "--mapping", mapping.path, "Tweet=\(document.path)",
      ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(#""text": "a""#))
  }

  @Test func `exits with 2 when no file follows it`() async throws {
    let run = try await GraftTool.run(
      ["import", "--model", Fixture.timelineModel, "x.json", "--mapping", "m.json"])
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("graft: --mapping holds for the files that follow it"))
  }

  @Test(arguments: [
    ["export", "--select", "Tweet", "--omit-null", "--omit-empty"], ["import", "--output", "json"],
  ])
  func `is the mapping of what is written, too`(command: [String]) async throws {
    let mapping = try TemporaryFile(
      #"{"Tweet": {"key": "identifier", "body": {"plain": "text"}}}"#, name: "mapping.json")
    let text = #"[{"key":1,"body":{"plain":"mapped"}}]"#
    let document = try TemporaryFile(text)
    let arguments = [
      "--model", Fixture.timelineModel, "--mapping", mapping.path, "Tweet=\(document.path)",
    ]
    let run = try await GraftTool.run(command + arguments)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(#""key":1"#) && run.output.contains(#""body":{"plain":"mapped"}"#))
    let again = try TemporaryFile(run.output)
    let graph = try await GraftTool.run(Self.model + arguments)
    let second = try await GraftTool.run(
      Self.model + arguments.dropLast() + ["Tweet=\(again.path)"])
    #expect(graph.output == second.output)
  }

  @Test func `is named where the identity is missing`() async throws {
    let mapping = try TemporaryFile(#"{"Tweet": {"key": "identifier"}}"#, name: "mapping.json")
    let document = try TemporaryFile(#"{"id_str": "1", "text": "a"}"#)
    let run = try await GraftTool.run(
      Self.model + ["--mapping", mapping.path, "Tweet=\(document.path)"])
    #expect(run.status == 3)
    #expect(run.errors.contains(#"(identity, read from "key"), found none"#))
  }
}
