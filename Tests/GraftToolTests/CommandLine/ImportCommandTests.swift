import Foundation
import Testing

@testable import GraftDatabaseTests
@testable import GraftTestSupport

@Suite(.enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `graft import` {
  private static let timeline = ["import", "--model", Fixture.timelineModel]
  private static let statuses = "Tweet@statuses=\(Fixture.timeline)"

  @Test(arguments: [
    (Fixture.timelineModel, statuses, "timeline"),
    (Fixture.catalogModel, "\(Fixture.catalogRoots)=\(Fixture.catalog)", "catalog"),
  ])
  func `prints the graph that is expected, however the file is cut`(
    _ model: String, _ file: String, _ expected: String
  ) async throws {
    let graph = try Fixture.text("Fixtures/expected/\(expected).graph.json")
    for chunkSize in ["1", "7", "65536", "99999999999999"] {
      let run = try await GraftTool.run(
        ["import", "--model", model, "--output", "graph", "--chunk-size", chunkSize, file])
      #expect(run.status == 0)
      #expect(run.errors == "")
      #expect(run.output == graph, "chunks of \(chunkSize)")
    }
  }

  @Test func `reads standard input`() async throws {
    let run = try await GraftTool.run(
      Self.timeline + ["--output=graph", "Tweet@statuses=-"],
      input: Data(contentsOf: Fixture.url(Fixture.timeline)))
    #expect(try run.output == Fixture.text("Fixtures/expected/timeline.graph.json"))
  }

  @Test func `takes entity and path from options for files that name none`() async throws {
    let run = try await GraftTool.run(
      Self.timeline + [
        "--entity", "Tweet", "--at", "statuses", "--output", "graph", Fixture.timeline,
      ])
    #expect(try run.output == Fixture.text("Fixtures/expected/timeline.graph.json"))
  }

  @Test func `lets an option hold for the files after it only`() async throws {
    let known = try TemporaryFile(#"[{"id_str": "1", "text": "one"}]"#)
    let more = try TemporaryFile(#"[{"id_str": "1", "text": "two"}, {"id_str": "2", "text": "x"}]"#)
    let tag = try TemporaryFile(#"{"text": "three"}"#)
    let run = try await GraftTool.run(
      Self.timeline + [
        "--entity", "Tweet", "--output", "graph", known.path, "--mode", "update-only", more.path,
        "--mode", "upsert", "--entity", "Hashtag", tag.path,
      ])
    #expect(run.status == 0)
    #expect(run.output.contains(#""text": "two""#))
    #expect(!run.output.contains(#""Tweet/2""#))
    #expect(run.output.contains(#"{"@id": "Hashtag/1", "text": "three", "tweets": []}"#))
  }

  @Test func `reads one value a line where the file's name or --format says so`() async throws {
    let text = "{\"id_str\": \"1\", \"text\": \"a\"}\n{\"id_str\": \"2\", \"text\": \"b\"}\n"
    let named = try TemporaryFile(text, name: "feed.ndjson")
    let unnamed = try TemporaryFile(text, name: "feed.txt")
    for operands in [[named.path], ["--format", "ndjson", unnamed.path]] {
      let run = try await GraftTool.run(
        Self.timeline + ["--entity", "Tweet", "--output", "graph"] + operands)
      #expect(run.output.contains(#""@id": "Tweet/2""#))
    }
    let run = try await GraftTool.run(Self.timeline + ["--entity", "Tweet", unnamed.path])
    #expect(run.status == 3)
  }

  @Test func `takes a file for a file though its name holds = and @`() async throws {
    let document = try TemporaryFile(#"{"text": "a"}"#, name: "User=x@y.json")
    let run = try await GraftTool.run(
      Self.timeline + ["--output", "graph", "--entity", "Hashtag", document.path])
    #expect(run.status == 0)
    let rooted = try await GraftTool.run(
      Self.timeline + ["--output", "graph", "Hashtag=\(document.path)"])
    #expect(rooted.output == run.output)
  }

  @Test func `sums up what became of each file`() async throws {
    let run = try await GraftTool.run(Self.timeline + [Self.statuses, Self.statuses])
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[0].hasPrefix("\(Fixture.timeline): 52,361 bytes in "))
    #expect(lines[1] == "  Tweet@statuses: 20 objects")
    #expect(
      lines[3...6] == [
        "           inserted  updated  unchanged",
        "  Hashtag         7        0          0",
        "  Tweet          22        0          0",
        "  User            8        0          0",
      ])
    #expect(lines[14] == "  User            0        0          8")
    #expect(
      lines.suffix(5) == [
        "in the graph  objects", "Hashtag             7", "Tweet              22",
        "User                8", "",
      ])
  }

  @Test func `counts one object as one`() async throws {
    let one = try TemporaryFile(#"{"id_str": "1", "text": "a", "retweeted_status": 9}"#)
    let run = try await GraftTool.run(Self.timeline + ["Tweet=\(one.path)"])
    #expect(run.output.contains("  Tweet: 1 object\n"))
    #expect(run.output.contains("  1 object known by identifier only, never filled:\n"))
  }

  @Test func `names no object as never filled that a later file fills`() async throws {
    let first = try TemporaryFile(#"{"id_str": "1", "text": "a", "retweeted_status": 9}"#)
    let second = try TemporaryFile(
      #"[{"id_str": "9", "text": "b"}, {"id_str": "2", "text": "c", "retweeted_status": 8}]"#)
    let run = try await GraftTool.run(
      Self.timeline + ["Tweet=\(first.path)", "Tweet=\(second.path)"])
    let lines = run.output.split(separator: "\n").filter { $0.contains("known by identifier only") }
    #expect(lines == ["  1 object known by identifier only, never filled:"])
    let reversed = try await GraftTool.run(
      Self.timeline + ["Tweet=\(second.path)", "Tweet=\(first.path)"])
    #expect(reversed.output.contains("  1 object known by identifier only, never filled:\n"))
  }

  @Test func `prints nothing when asked for nothing`() async throws {
    let run = try await GraftTool.run(Self.timeline + ["--output", "none", Self.statuses])
    #expect(run.status == 0)
    #expect(run.output == "" && run.errors == "")
  }

  @Test(arguments: [
    ("[{\"id_str\": \"1\", \"text\": \"é\"},\n {\"id_str\": \"x\"}]", "2:13: $[1].id_str: "),
    ("[{\"text\": \"é\", \"id_str\": 1.5}]", "1:27: $[0].id_str: "),
    ("[1,", "1:"),
    ("[{\"id_str\": \"1\", \"text\": \"a\"},]", "1:31: $[1]: "),
  ])
  func `says where bad data stand, and prints no graph`(
    _ text: String, _ place: String
  ) async throws {
    let document = try TemporaryFile(text)
    let run = try await GraftTool.run(Self.timeline + ["Tweet=\(document.path)"])
    #expect(run.status == 3)
    #expect(run.output == "")
    #expect(run.errorLines.count == 1)
    #expect(run.errors.hasPrefix("\(document.path):\(place)"), "\(run.errors)")
  }

  @Test func `exits with 1 when issues were skipped, and lists them`() async throws {
    let document = try TemporaryFile(
      #"[{"id_str": "1", "text": "a", "retweet_count": "many"}, {"id_str": "2", "text": "b"}]"#)
    let run = try await GraftTool.run(
      Self.timeline + ["--on-error", "skip-value", "Tweet=\(document.path)"])
    #expect(run.status == 1)
    #expect(run.errorLines.count == 1)
    #expect(run.errors.hasPrefix("\(document.path):1:48: $[0].retweet_count: "))
    #expect(run.output.contains("  1 issue skipped\n"))
  }

  @Test(arguments: ["Tweet=missing.json", "Tweet=Fixtures", "Tweet=http://127.0.0.1:1/"])
  func `exits with 4 when a file cannot be read`(_ file: String) async throws {
    let run = try await GraftTool.run(Self.timeline + [file])
    #expect(run.status == 4)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("\(file.dropFirst(6)): "))
    #expect(run.errorLines.count == 1)
  }

  @Test func `exits with 4 when the model cannot be read and with 3 when it is bad`() async throws {
    let missing = try await GraftTool.run(["import", "--model", "missing.json", "Tweet=-"])
    #expect(missing.status == 4)
    #expect(missing.errors == "missing.json: No such file or directory\n")
    let bad = try TemporaryFile(#"{"entities": [{"name": "A", "atributes": []}]}"#)
    let run = try await GraftTool.run(["import", "--model", bad.path, "A=-"])
    #expect(run.status == 3)
    #expect(run.errors.hasPrefix("\(bad.path):"))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func `exits with 4 when the graph cannot be written`() async throws {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.currentDirectoryURL = SourceTree.root
    let tool = try #require(GraftTool.executable).path
    shell.arguments = [
      "-c", "\"$0\" import --model \"$1\" --output graph \"$2\" 2>/dev/null >/dev/full", tool,
      Fixture.timelineModel, Self.statuses,
    ]
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 4)
  }

  @Test(arguments: [
    ("stub", 0, 3, ["Tweet/3", "Tweet/1"]), ("ignore", 0, 2, []), ("defer", 0, 2, ["Tweet/2"]),
    ("error", 3, 0, []),
  ])
  func `does about an identifier that names no object yet what --reference says`(
    name: String, status: Int32, count: Int, originals: [String]
  ) async throws {
    let document = try TemporaryFile(
      #"""
      [{"id_str": "1", "text": "a", "retweeted_status": "2"},
       {"id_str": "2", "text": "b", "retweeted_status": "3"}]
      """#)
    let run = try await GraftTool.run(
      Self.timeline + [
        "--output", "graph", "--entity", "Tweet", "--reference", name, document.path,
      ])
    #expect(run.status == status, "\(run.errors)")
    #expect(run.output.matches(of: /"@id": "Tweet\//).count == count)
    let links = run.output.matches(of: /"original": "(Tweet\/\d)"/).map { String($0.1) }
    #expect(links == originals)
  }

  @Test func `decides once for all pages what is missing`() async throws {
    let old = try TemporaryFile(
      #"[{"id_str":"1","text":"a"},{"id_str":"2","text":"b"},{"id_str":"3","text":"c"}]"#)
    let pages = try ["1", "2"].map { try TemporaryFile(#"[{"id_str":"\#($0)","text":"x"}]"#) }
    let bad = try TemporaryFile("null")
    let run = try await GraftTool.run(
      Self.timeline + [
        "--entity", "Tweet", "--output", "graph", old.path, "--delete-missing", pages[0].path,
        pages[1].path, bad.path,
      ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.matches(of: /"@id": "Tweet\//).count == 2)
    let summary = try await GraftTool.run(
      Self.timeline + ["--entity", "Tweet", old.path, "--delete-missing", pages[0].path])
    #expect(summary.output.contains("deleted"))
    #expect(summary.output.contains(/Tweet +0 +1 +0 +2\n/), "\(summary.output)")
  }

  @Test func `decides once for all pages what is missing from a database`() async throws {
    let old = try TemporaryFile(
      #"[{"id_str":"1","text":"a"},{"id_str":"2","text":"b"},{"id_str":"3","text":"c"}]"#)
    let pages = try ["1", "2"].map { try TemporaryFile(#"[{"id_str":"\#($0)","text":"x"}]"#) }
    let file = TemporaryDatabase()
    let arguments = Self.timeline + ["--entity", "Tweet", "--into", file.url.path]
    let run = try await GraftTool.run(
      arguments + [old.path, "--delete-missing", pages[0].path, pages[1].path])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try file.rows("SELECT count(*) FROM Tweet") == ["2"])
    let refused = try await GraftTool.run(
      arguments + ["--resume", "--delete-missing", pages[0].path, pages[1].path])
    #expect(refused.status == 2)
    #expect(refused.errors.contains("--resume takes one file with --delete-missing"))
    let last = try await GraftTool.run(arguments + ["--resume", "--delete-missing", pages[0].path])
    #expect(last.status == 0)
  }

  @Test func `lists notices, and paths and keys that do not fit where that is asked for`()
    async throws
  {
    let document = try TemporaryFile(
      #"[{"id_str":"1","text":"a","usr":1},{"id_str":"2","text":"b"}]"#)
    let run = try await GraftTool.run(
      Self.timeline + ["--coverage", "--unknown-keys", "report", "Tweet=\(document.path)"])
    #expect(run.status == 0)
    #expect(
      run.errors == "\(document.path):1:27: notice: $[0].usr: no property of Tweet reads the key"
        + " \"usr\", did you mean \"user\"?\n")
    #expect(
      run.output.contains(
        "\(document.path):1:27: coverage: $[0].usr: nothing reads \"usr\", found 1 time, did you mean"
          + " \"user\"?"))
    #expect(
      run.output.contains(
        "\(document.path): coverage: Tweet.author: \"user\" was found in none of 2 objects"))
    let graph = try await GraftTool.run(
      Self.timeline + ["--coverage", "--output", "none", "Tweet=\(document.path)"])
    #expect(graph.output == "")
    #expect(graph.errors.contains(": coverage: "))
    let export = try await GraftTool.run(
      ["export"] + Self.timeline.dropFirst() + ["--coverage", "Tweet=\(document.path)"])
    #expect(export.output.hasPrefix("[{"))
    #expect(export.errors.contains(": coverage: "))
  }

  @Test func `of a dry run prints the summary alone`() async throws {
    let run = try await GraftTool.run(
      Self.timeline + ["--dry-run", "--output", "graph", Self.statuses])
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("\(Fixture.timeline): 52,361 bytes"))
    let file = try TemporaryFile("before", name: "out.json")
    let export = try await GraftTool.run([
      "export", "--model", Fixture.timelineModel, "--dry-run", "--output", file.path, Self.statuses,
    ])
    #expect(export.status == 0)
    #expect(try String(contentsOf: file.url, encoding: .utf8) == "before")
  }

  @Test func `skips broken lines with the error policy`() async throws {
    let document = try TemporaryFile(
      "{\"id_str\":\"1\",\"text\":\"a\"}\n{\"id_str\":\n{\"id_str\":\"3\",\"text\":\"c\"}\n",
      name: "feed.ndjson")
    for option in [["--on-error", "skip-object"], ["--on-broken-line", "skip"]] {
      let run = try await GraftTool.run(Self.timeline + option + ["Tweet=\(document.path)"])
      #expect(run.status == 1)
      #expect(run.errors.hasPrefix("\(document.path):2:11: $.id_str: line 2 is skipped: "))
      #expect(run.output.contains("  Tweet: 2 objects\n"))
    }
    let run = try await GraftTool.run(Self.timeline + ["Tweet=\(document.path)"])
    #expect(run.status == 3)
  }

  @Test func `writes its report as JSON, also where it fails`() async throws {
    let report = try TemporaryFile("", name: "report.json")
    func read() throws -> [String: Any] {
      try #require(
        try JSONSerialization.jsonObject(with: Data(contentsOf: report.url)) as? [String: Any])
    }
    let good = try await GraftTool.run(Self.timeline + ["--report", report.path, Self.statuses])
    #expect(good.status == 0)
    let json = try read()
    #expect(json["version"] as? Int == 1 && json["status"] as? Int == 0)
    #expect(json["error"] is NSNull)
    let file = try #require((json["files"] as? [[String: Any]])?.first)
    #expect(file["file"] as? String == Fixture.timeline)
    #expect(file["byteCount"] as? Int == 52_361)
    let document = try TemporaryFile("[{\"id_str\": \"x\"}]")
    let bad = try await GraftTool.run(
      Self.timeline + ["--report", report.path, "Tweet=\(document.path)"])
    #expect(bad.status == 3)
    #expect(bad.errorLines.count == 1)
    let error = try #require(try read()["error"] as? [String: Any])
    #expect(error["file"] as? String == document.path)
    #expect(error["column"] as? Int == 13)
    let missing = try await GraftTool.run(
      Self.timeline + ["--report", report.path, "Tweet=missing.json"])
    #expect(missing.status == 4)
    #expect(try read()["status"] as? Int == 4)
  }

  @Test func `deletes what is missing before it checks what is required`() async throws {
    let model = try TemporaryFile(
      #"""
      {"entities": [
        {"name": "Pass", "relationships": [
          {"name": "owner", "destination": "Person", "inverse": "pass", "isOptional": false}]},
        {"name": "Person", "userInfo": {"identityAttributes": "id"},
          "attributes": [{"name": "id", "type": "Integer 64"}],
          "relationships": [{"name": "pass", "destination": "Pass"}]}]}
      """#)
    let document = try TemporaryFile(#"[{"owner": 2}]"#)
    let run = try await GraftTool.run([
      "import", "--model", model.path, "Pass=\(document.path)", "--delete-missing",
      "Pass=\(document.path)",
    ])
    #expect(run.status == 0, "\(run.errors)")
  }
}
