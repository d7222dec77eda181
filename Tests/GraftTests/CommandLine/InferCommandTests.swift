import Testing

@Suite(.enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `graft infer` {
  @Test func `prints a model that imports the document`() async throws {
    let run = try await GraftTool.run(["infer", Fixture.timeline])
    #expect(run.status == 0)
    #expect(run.errors == "")
    let model = try TemporaryFile(run.output, name: "model.json")
    let imported = try await GraftTool.run([
      "import", "--model", model.path, Fixture.timeline,
    ])
    #expect(imported.status == 0)
    #expect(imported.errors == "")
  }

  @Test func `explains itself`() async throws {
    let run = try await GraftTool.run(["infer", "--explain", Fixture.timeline])
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("import as Timeline=\(Fixture.timeline)\n"))
    #expect(run.output.contains("22 identities, all equal"))
  }

  @Test func `tells what has changed since another model`() async throws {
    let model = try TemporaryFile(
      try await GraftTool.run(["infer", Fixture.catalog]).output, name: "model.json")
    let same = try await GraftTool.run(["infer", "--against", model.path, Fixture.catalog])
    #expect(same.status == 0)
    #expect(same.output == "")
    let other = try await GraftTool.run([
      "infer", "--against", model.path, "--not", "Event.logo", "--keep", "Performance.eventId",
      Fixture.catalog,
    ])
    #expect(other.status == 1)
    #expect(other.output == "- Event.logo\n~ Performance.event → Event → Integer 64\n")
  }

  @Test(arguments: [
    (["infer"], "graft: which file? give a path, a URL, or - for standard input"),
    (["infer", "--rename", "A", "x.json"], "graft: --rename takes OLD=NEW, found \"A\""),
  ])
  func `says what is wrong with its arguments`(arguments: [String], message: String) async throws {
    let run = try await GraftTool.run(arguments)
    #expect(run.status == 2)
    #expect(run.errorLines == [message])
  }

  @Test func `says where there is nothing to infer`() async throws {
    let file = try TemporaryFile("[1, 2]")
    let run = try await GraftTool.run(["infer", file.path])
    #expect(run.status == 3)
    #expect(run.errorLines.count == 1)
  }
}
