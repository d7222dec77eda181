import Foundation
import Graft
import Testing

@testable import GraftTestSupport

@Suite(.enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `A wrong use of graft` {
  /// Arguments, and what standard error must say.
  struct Case: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let message: String

    init(_ arguments: String, _ message: String) {
      self.arguments = arguments.split(separator: " ").map(String.init)
      self.message = message
    }

    var testDescription: String { "graft " + arguments.joined(separator: " ") }
  }

  @Test(arguments: [
    Case("", "which command? import, export, query, check, model, infer; graft --help lists them"),
    Case("imprt", "unknown command \"imprt\", did you mean \"import\"?"),
    Case(
      "--frob",
      "unknown option --frob; a command comes first: import, export, query, check, model, infer"),
    Case("import", "which file? give a path, a URL, or - for standard input"),
    Case(
      "import --entity E f",
      "f: --entity and --at name what is in a model; give --model PATH, or leave them out to have the "
        + "model inferred"),
    Case("import --model", "--model needs a value: --model PATH"),
    Case("import --model m", "which file? give a path, a URL, or - for standard input"),
    Case("import --mdoel m f", "unknown option --mdoel, did you mean --model?"),
    Case(
      "import --frobnicate", "unknown option --frobnicate; graft import --help lists the options"),
    Case(
      "import --model m f --entity E",
      "--entity holds for the files that follow it, and none does; put it before the file"),
    Case("import --delete-missing=yes f", "--delete-missing takes no value, found \"yes\""),
    Case(
      "import --mode insertonly f",
      "--mode takes upsert, insert-only, update-only; found \"insertonly\", "
        + "did you mean insert-only?"),
    Case(
      "import --output xml f", "--output takes summary, graph, json, none; found \"xml\""),
    Case(
      "import --reference later f",
      "--reference takes stub, ignore, defer, error; found \"later\""),
    Case(
      "import --model m f --reference defer",
      "--reference holds for the files that follow it, and none does; put it before the file"),
    Case(
      "import --unknown-keys maybe f",
      "--unknown-keys takes skip, report, error; found \"maybe\""),
    Case("import --on-broken-line x f", "--on-broken-line takes fail, skip; found \"x\""),
    Case(
      "import --model m f --strict",
      "--strict holds for the files that follow it, and none does; put it before the file"),
    Case("import --report", "--report needs a value: --report FILE"),
    Case("export", "which file? give a path, a URL, or - for standard input"),
    Case("export --model m f --depth x", "--depth takes a number, 0 or more; found \"x\""),
    Case(
      "export --model m f --relationships nestd",
      "--relationships takes nested, identifier, omit; found \"nestd\", did you mean nested?"),
    Case(
      "export --model m f --style author=omit",
      "--style takes ENTITY.PROPERTY=nested|identifier|omit, found \"author=omit\""),
    Case(
      "export --model m f --style Tweet.author=none",
      "--style Tweet.author takes nested, identifier, omit; found \"none\""),
    Case(
      "import --chunk-size 0 f",
      "--chunk-size takes a number of bytes (65536, 64KB, 1MiB), 1 or more; found \"0\""),
    Case(
      "import --dialect grot f",
      "--dialect takes auto, graft, groot, magicalrecord, sync, dandy, zds; found \"grot\", "
        + "did you mean groot?"),
    Case(
      "import --transformer T=trimm f",
      "--transformer T=READY takes none, string-integer, trim, url, base64, hex-color; "
        + "found \"trimm\", did you mean trim?"),
    Case(
      "import --mapper M=type f",
      "--mapper takes NAME=KEY:VALUE=ENTITY[,VALUE=ENTITY ...], found \"type\""),
    Case(
      "import --mapper M=type:A=X,A=Y f", "--mapper M binds the value \"A\" twice"),
    Case("import --save-every 1 f", "--save-every saves objects in a database; give --into PATH"),
    Case(
      "import --dialect groot f",
      "--dialect is about the annotations of a model, and an inferred model has none of them; give --model PATH"
    ),
    Case(
      "import --transformer T=trim f",
      "--transformer is about the annotations of a model, and an inferred model has none of them; give --model PATH"
    ),
    Case(
      "import --max-pages 3 https://a.example",
      "--max-pages ends a list of pages; say with --pages how the next one is found"),
    Case(
      "export --model m --pretty --ndjson f",
      "--pretty does not go with --ndjson, which writes an object on each line"),
    Case(
      "export --model m --output f E=f",
      "--output would replace f, which the command uses; name another file"),
    Case(
      "export --model m --report - E=f",
      "--report - and the objects would both be JSON on standard output; name a file for one of them"
    ),
    Case(
      "import --model m --report - --output json E=f",
      "--report - and --output json would both be JSON on standard output; name a file for one of them"
    ),
    Case(
      "check f --format ndjson",
      "--format holds for the files that follow it, and none does; put it before the file"),
    Case(
      "infer f --format ndjson",
      "--format holds for the files that follow it, and none does; put it before the file"),
    Case(
      "infer --explain --to t f",
      "--explain prints lines, and no form of the model; leave out --to"),
    Case(
      "infer --against m --output swift f",
      "--against prints lines, and no form of the model; leave out --output"),
    Case(
      "infer --no-losses f", "--no-losses is about --explain; give --explain with it"),
    Case(
      "infer --document f",
      "--document adds an example to Swift source; give --output swift with it"),
    Case(
      "query d E --count --follow a", "--count prints no objects; leave out --order-by and --follow"
    ),
    Case("check", "which file? give a path, or - for standard input"),
    Case("check --model m", "unknown option --model; graft check --help lists the options"),
    Case("model", "which model? give --model PATH"),
    Case("model M N", "unexpected \"N\"; one model is printed, and there is one already"),
  ])
  func `exits with 2 and names the remedy`(_ use: Case) async throws {
    let run = try await GraftTool.run(use.arguments)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors == "graft: \(use.message)\n")
  }

  @Test(arguments: [
    Case("--entity Twet f", "unknown entity \"Twet\", did you mean \"Tweet\"?"),
    Case(
      "f",
      "f: objects of which entity? give --entity NAME before the file, or NAME=f; "
        + "the model has Hashtag, Tweet, User"),
    Case(
      "Twet@statuses=f", "Twet@statuses=f: unknown entity \"Twet\", did you mean \"Tweet\"?"),
    Case(
      "Tweet@a,Usr@b=f", "Tweet@a,Usr@b=f: unknown entity \"Usr\", did you mean \"User\"?"),
    Case(
      "--entity Tweet --at a[ f",
      "--at: invalid path \"a[\" at character 3: "
        + "expected a position, \"*\" or a quoted name, found the end"),
  ])
  func `is found before a file is read`(_ use: Case) async throws {
    let run = try await GraftTool.run(
      ["import", "--model", Fixture.timelineModel] + use.arguments)
    #expect(run.status == 2)
    #expect(run.errors == "graft: \(use.message)\n")
  }

  @Test func `is to write an attribute as an identifier`() async throws {
    let run = try await GraftTool.run([
      "export", "--model", Fixture.timelineModel, "--style", "Tweet.text=identifier",
      "Tweet@statuses=\(Fixture.timeline)",
    ])
    #expect(run.status == 2)
    #expect(
      run.errors
        == "graft: --style: Tweet.text is an attribute, which is written as its value; only relationships are written"
        + " as identifiers\n")
  }

  @Test(arguments: [
    Case(
      "--transformer cut=trim",
      "--transformer binds \"cut\", which the model does not mention; it mentions none"),
    Case(
      "--mapper kind=type:a=Tweet",
      "--mapper binds \"kind\", which the model does not mention; it mentions none"),
  ])
  func `is to bind code to a name that the model lacks`(_ use: Case) async throws {
    let run = try await GraftTool.run(
      ["import", "--model", Fixture.timelineModel] + use.arguments
        + ["Tweet@statuses=\(Fixture.timeline)"])
    #expect(run.status == 2)
    #expect(run.errors == "graft: \(use.message)\n")
  }

  @Test(arguments: [["--help"], ["import", "--help"], ["check", "-h"], ["model", "--help"]])
  func `is prevented by help, which fits a terminal`(_ arguments: [String]) async throws {
    let run = try await GraftTool.run(arguments)
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output.contains("usage: graft"))
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 110 })
  }

  @Test(arguments: ["import", "check"])
  func `is prevented by help on the engines of this build`(command: String) async throws {
    let run = try await GraftTool.run([command, "--help"])
    let line = try #require(run.output.split(separator: "\n").first { $0.contains("--engine") })
    for engine in ParserOptions.Engine.allCases { #expect(line.contains(engine.rawValue)) }
    #expect(line.contains(ParserOptions.Engine.default.rawValue + " (default)"))
    #expect(line.contains("yajl") == ParserOptions.Engine.allCases.contains { "\($0)" == "yajl" })
  }

  @Test func `is not asking for the version`() async throws {
    let run = try await GraftTool.run(["--version"])
    #expect(run.status == 0)
    #expect(run.output.wholeMatch(of: /graft \d+\.\d+\.\d+\n/) != nil)
  }
}
