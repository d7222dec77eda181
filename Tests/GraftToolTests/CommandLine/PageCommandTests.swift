import Foundation
import Synchronization
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftDatabaseTests
@testable import GraftSQLite
@testable import GraftTestSupport

/// `graft import --pages` against a server on this machine.
@Suite(
  .waits, .timeLimit(.minutes(3)),
  .enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `Pages on the command line` {
  /// 5 issues on 3 pages, each of which says in all ways what the next one is.
  private static func server(
    _ intervene: @escaping @Sendable (Int) -> [LoopbackServer.Step]? = { _ in nil }
  ) throws -> LoopbackServer {
    try LoopbackServer { request in
      let query = URLComponents(string: request.target)?.queryItems ?? []
      func number(_ name: String) -> Int? {
        query.first { $0.name == name }?.value.flatMap { Int($0) }
      }
      let start = number("after") ?? number("offset") ?? ((number("page") ?? 1) - 1) * 2
      if let steps = intervene(start) { return steps }
      let range = min(start, 5)..<min(start + 2, 5)
      let items = range.map { #"{"id": \#($0 + 1), "title": "n\#($0)"}"# }.joined(separator: ",")
      guard range.upperBound < 5 else { return [.answer(#"{"items": [\#(items)]}"#)] }
      let next = range.upperBound
      return [
        .answer(
          #"{"items": [\#(items)], "meta": {"next": "?after=\#(next)", "cursor": \#(next)}}"#,
          headers: ["Link: <?after=\(next)>; rel=\"next\"", "X-Next: \(next)"])
      ]
    }
  }

  private static let schema = """
    {"entities": [{"name": "Issue", "userInfo": {"identityAttributes": "id"}, "attributes": [
      {"name": "id", "type": "Integer 64"}, {"name": "title", "type": "String"}]}]}
    """

  @Test(arguments: [
    "link", "link=next", "meta.next", "cursor=meta.cursor:after", "header=X-Next:after",
    "page=page", "page=page:1", "offset=offset:2", "offset=offset:2:n",
  ])
  func `become one graph`(rule: String) async throws {
    let server = try Self.server()
    let model = try TemporaryFile(Self.schema, name: "model.json")
    let run = try await GraftTool.run([
      "import", "--model", model.path, "--output", "json", "--pages", rule,
      "Issue@items=\(server.url("issues").absoluteString)",
    ])
    #expect(run.errors == "" && run.status == 0)
    let expected = (1...5).map { #"{"id":\#($0),"title":"n\#($0 - 1)"}"# }.joined(separator: ",")
    #expect(run.output == "[\(expected)]\n")
  }

  @Test func `tell of objects that their own page does not fill`() async throws {
    let server = try LoopbackServer { request in
      let page = request.target.split(separator: "=").last.flatMap { Int($0) } ?? 0
      return [.answer(page < 4 ? #"[{"id": \#(page), "parent": 3}]"# : "[]")]
    }
    let model = try TemporaryFile(
      """
      {"entities": [{"name": "Issue", "userInfo": {"identityAttributes": "id"},
        "attributes": [{"name": "id", "type": "Integer 64"}],
        "relationships": [{"name": "parent", "destination": "Issue"}]}]}
      """, name: "model.json")
    let file = TemporaryDatabase()
    let run = try await GraftTool.run([
      "import", "--model", model.path, "--into", file.url.path, "--pages", "page=page",
      "Issue=\(server.url("issues").absoluteString)",
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("1 object known by identifier only, not filled by the same page"))
  }

  @Test func `go into a database, whose model is inferred from the first`() async throws {
    let server = try Self.server()
    let file = TemporaryDatabase()
    let run = try await GraftTool.run([
      "import", "--into", file.url.path, "--pages", "link", server.url("issues").absoluteString,
    ])
    #expect(run.status == 0, "\(run.errors)")
    let database = try GraphDatabase(contentsOf: file.url)
    let counts = try await database.graph().entityCounts
    let entity = try #require(counts.first { $0.value == 5 }?.key)
    let again = try await GraftTool.run([
      "import", "--into", file.url.path, "--pages", "link",
      "\(entity)@items=\(server.url("issues").absoluteString)",
    ])
    #expect(again.status == 0)
  }

  @Test func `are resumed at the one that failed`() async throws {
    let server = try Self.server {
      $0 == 2 ? [.answer(#"{"error": "Gone"}"#, status: "410 Gone")] : nil
    }
    let file = TemporaryDatabase()
    let model = try TemporaryFile(Self.schema, name: "model.json")
    let arguments = { (server: LoopbackServer) in
      [
        "import", "--model", model.path, "--into", file.url.path, "--resume", "--pages", "link",
        "Issue@items=\(server.url("issues").absoluteString)",
      ]
    }
    for _ in 0..<2 {
      let run = try await GraftTool.run(arguments(server))
      #expect(run.status == 4)
      #expect(run.errors.contains("the server answered 410 (") && run.errors.contains(": \"Gone\""))
    }
    #expect(server.requests.map(\.target) == ["/issues", "/issues?after=2", "/issues?after=2"])
    #expect(try file.rows("SELECT count(*) FROM Issue") == ["2"])
  }

  @Test func `end at a limit, and are repeated as often as told`() async throws {
    let server = try Self.server {
      $0 == 2 ? [.answer("", status: "503 Busy", headers: ["Retry-After: 0"])] : nil
    }
    let model = try TemporaryFile(Self.schema, name: "model.json")
    let arguments = ["import", "--model", model.path, "--pages", "link", "--rate", "1000"]
    let operand = "Issue@items=\(server.url("issues").absoluteString)"
    let failed = try await GraftTool.run(arguments + ["--retries", "2", operand])
    #expect(failed.status == 4 && server.requests.count == 4)
    let limited = try await GraftTool.run(arguments + ["--max-pages", "1", operand])
    #expect(limited.status == 0)
    #expect(
      limited.errors.contains("notice: the import ends after 1 page, its limit; more follow"))
  }

  @Test(arguments: ["Post@items=", ""])
  func `are lists of objects in an envelope, without a model too`(root: String) async throws {
    let server = try Self.server()
    let file = TemporaryDatabase()
    for _ in 0..<2 {
      // The second import uses the model of the database, with or without a root.
      let run = try await GraftTool.run([
        "import", "--into", file.url.path, "--pages", "link",
        "\(root)\(server.url("issues").absoluteString)",
      ])
      #expect(run.status == 0, "\(run.errors)")
    }
    let database = try GraphDatabase(contentsOf: file.url)
    let counts = try await database.graph().entityCounts
    #expect(counts.count == 1 && counts.first?.value == 5, "\(counts)")
    if !root.isEmpty { #expect(counts["Post"] == 5) }
  }

  @Test func `may be inferred from a single answer with an envelope`() async throws {
    let server = try Self.server()
    let run = try await GraftTool.run([
      "import", "--output", "json", "Post@items=\(server.url("issues").absoluteString)",
    ])
    #expect(run.output.hasPrefix(#"[{"id":1,"#), "\(run.errors)")
    let wrong = try await GraftTool.run([
      "import", "Post@itmes=\(server.url("issues").absoluteString)",
    ])
    #expect(wrong.errors.contains("did you mean \"items\"?"), "\(wrong.errors)")
  }

  @Test func `are asked for with all options when the model is inferred`() async throws {
    let count = Mutex(0)
    let server = try Self.server { _ in
      count.withLock {
        $0 += 1
        return $0
      } == 1
        ? [.answer("", status: "503 Busy", headers: ["Retry-After: 0"])] : nil
    }
    let run = try await GraftTool.run([
      "import", "--pages", "offset=offset:2", server.url("issues").absoluteString,
    ])
    #expect(run.status == 0, "\(run.errors)")
    let targets = server.requests.map(\.target).prefix(3)
    #expect(targets.allSatisfy { $0 == "/issues?offset=0&limit=2" } && targets.count == 3)
  }

  /// Imports pages of which the third is not as it should be.
  private static func importing(
    _ steps: [LoopbackServer.Step], _ options: [String] = [], into file: TemporaryDatabase
  ) async throws -> (run: GraftTool.Outcome, server: LoopbackServer) {
    let server = try server { $0 == 4 ? steps : nil }
    let model = try TemporaryFile(schema, name: "model.json")
    let run = try await GraftTool.run(
      ["import", "--model", model.path, "--into", file.url.path, "--pages", "link"] + options + [
        "Issue@items=\(server.url("issues").absoluteString)"
      ])
    return (run, server)
  }

  @Test func `name the one that failed, how often, and what is kept`() async throws {
    let busy = LoopbackServer.Step.answer("", status: "503 Busy", headers: ["Retry-After: 0"])
    let (run, server) = try await Self.importing(
      [busy], ["--retries", "1"], into: TemporaryDatabase())
    let page = server.url("issues?after=4").absoluteString
    #expect(
      run.errors.hasSuffix(
        "; it was requested 2 times; on page 3, \(page); the first 2 pages of it are kept; --resume continues with page 3\n"
      ), "\(run.errors)")
    let wrong = try await Self.importing([.answer("[")], into: TemporaryDatabase()).run
    #expect(wrong.errors.contains("; the first 2 pages of it are kept; --resume"))
    let memory = try await GraftTool.run([
      "import", "--pages", "link", "--retries", "0", server.url("issues").absoluteString,
    ])
    #expect(memory.errors.contains("; on page 3, ") && !memory.errors.contains("kept"))
  }

  @Test func `say how long a server wants to be left alone`() async throws {
    let (run, _) = try await Self.importing(
      [.answer("", status: "429 Slow down", headers: ["Retry-After: 300"])],
      into: TemporaryDatabase())
    #expect(
      run.errors.contains("; the server asks to wait 300 s, longer than the limit of 120 s"),
      "\(run.errors)")
  }

  @Test func `name the one that has an issue`() async throws {
    let (run, server) = try await Self.importing(
      [.answer(#"{"items": [{"id": 5, "title": []}]}"#)],
      ["--on-error", "skip-value", "--report", "-"], into: TemporaryDatabase())
    let place = "; on page 3, \(server.url("issues?after=4").absoluteString)"
    #expect(run.status == 1)
    #expect(run.errors.contains(place) && run.output.contains(place), "\(run.errors)")
  }

  @Test(arguments: ["204 No Content", "200 OK"])
  func `end at an answer without content`(status: String) async throws {
    let server = try Self.server { $0 >= 5 ? [.answer("", status: status)] : nil }
    let file = TemporaryDatabase()
    let model = try TemporaryFile(Self.schema, name: "model.json")
    for _ in 0..<2 {
      let run = try await GraftTool.run([
        "import", "--model", model.path, "--into", file.url.path, "--pages", "page=page",
        "--delete-missing", "--resume", "Issue@items=\(server.url("issues").absoluteString)",
      ])
      #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    }
    #expect(try file.rows("SELECT count(*) FROM Issue") == ["5"])
    #expect(server.requests.count == 8)
  }

  @Test(arguments: ["total", "header=X-Total", "pages=pages", "pages-header=X-Pages"])
  func `end at a total`(total: String) async throws {
    let server = try LoopbackServer { request in
      request.target.hasSuffix("=2")
        ? [
          .answer(
            #"{"items": [{"id": 2}], "total": 2, "pages": 2}"#,
            headers: ["X-Total: 2", "X-Pages: 2"])
        ]
        : request.target.hasSuffix("=1")
          ? [
            .answer(
              #"{"items": [{"id": 1}], "total": 2, "pages": 2}"#,
              headers: ["X-Total: 2", "X-Pages: 2"])
          ]
          : [.answer("{}", status: "404 Not Found")]
    }
    let model = try TemporaryFile(Self.schema, name: "model.json")
    let run = try await GraftTool.run([
      "import", "--model", model.path, "--pages", "page=page", "--total", total,
      "Issue@items=\(server.url("issues").absoluteString)",
    ])
    #expect(run.status == 0 && server.requests.count == 2, "\(run.errors)")
  }

  @Test(arguments: [(["--timeout", "5", "--rate", "100"], 4), (["--if-changed"], 0)])
  func `differ from a single answer, whose saves stay`(options: [String], count: Int) async throws {
    let items = (1...5).map { #"{"id": \#($0)}"# }.joined(separator: ",")
    let server = try LoopbackServer { _ in [.answer(#"{"items": [\#(items), x"#)] }
    let file = TemporaryDatabase()
    let model = try TemporaryFile(Self.schema, name: "model.json")
    let arguments = ["import", "--model", model.path, "--into", file.url.path]
    let operand = "Issue@items=\(server.url("issues").absoluteString)"
    let run = try await GraftTool.run(
      arguments + (count > 0 ? ["--save-every", "2"] : []) + options + [operand])
    #expect(run.status == 3)
    #expect(try file.rows("SELECT count(*) FROM Issue") == ["\(count)"])
    // A single answer is not repeated unless that is asked for.
    let busy = try LoopbackServer { _ in
      [.answer("", status: "503 Busy", headers: ["Retry-After: 0"])]
    }
    _ = try await GraftTool.run(
      arguments + options + ["Issue@items=\(busy.url("issues").absoluteString)"])
    #expect(busy.requests.count == 1)
    let again = try await GraftTool.run(
      arguments + [
        "--retries", "2", "--data", "{}", "Issue@items=\(busy.url("issues").absoluteString)",
      ])
    #expect(again.status == 4 && busy.requests.count == 4)
  }

  @Test(.enabled(if: Shell.has("python3"), "python3 is not installed"))
  func `that are interrupted say what is kept, and how to go on`() async throws {
    let hasAsked = Mutex(false)
    let server = try Self.server { start in
      guard start == 4 else { return nil }
      hasAsked.withLock { $0 = true }
      return [.stall]
    }
    let script = try TemporaryFile(CleanSignals.script, name: "clean.py")
    let signs = try LoopbackServer { _ in
      [.wait { hasAsked.withLock { $0 } }, .pause(seconds: 0.3), .answer("[]")]
    }
    let run = try await Shell.run(
      """
      echo '\(Self.schema)' > model.json
      python3 '\(script.path)' "$graft" import --model model.json --into a.sqlite --report report.json \
        --pages meta.next 'Issue@items=\(server.url("issues").absoluteString)' & pid=$!
      "$graft" check '\(signs.url("a").absoluteString)'
      kill -INT $pid
      wait $pid
      echo "status $?"
      cat report.json
      """)
    let message =
      "interrupted; the first 2 pages of it are kept; --resume continues with page 3"
    #expect(run.output.contains("status 130\n{\"version\":1,\"status\":130,"), "\(run.output)")
    #expect(run.errors.contains(message) && run.output.contains(message), "\(run.errors)")
  }

  @Test(arguments: [
    (
      ["--pages", "cursor=a", "http://localhost/"],
      "--pages takes link[=REL]|PATH|cursor=PATH:PARAM"
    ),
    (["--pages", "offset=a", "http://localhost/"], "found \"offset=a\""),
    (["--pages", "offset=a:0", "http://localhost/"], "found \"offset=a:0\""),
    (["--pages", "page=", "http://localhost/"], "found \"page=\""),
    (["--pages", "paeg=a", "http://localhost/"], "found \"paeg=a\""),
    (["--pages", "a[", "http://localhost/"], "--pages: "),
    (
      ["--pages", "link", "a.json"],
      "--pages is for answers of a server, and no file is an http(s) URL"
    ),
    (["--header", "A: b", "a.json"], "--header is for answers of a server"),
    (["--data", "{}", "a.json"], "--data is for answers of a server"),
    (
      ["--rate", "0", "http://localhost/"],
      "--rate takes a number from 0.000001 to 1000000, such as 2.5; found \"0\""
    ),
    (["--rate", "1e-30", "http://localhost/"], "found \"1e-30\""),
    (["--retries", "\(Int.max)", "--rate", "-1", "http://localhost/"], "found \"-1\""),
    (
      ["--max-pages", "0", "http://localhost/"],
      "--max-pages takes a number, 1 or more; found \"0\""
    ),
    (
      ["--pages", "link", "--total", "a", "http://localhost/"],
      "--total is the length of a list that is counted"
    ),
    (["--pages", "page=a", "--total", "b=c", "http://localhost/"], "--total takes PATH|"),
    (["--since", "a=B.c", "http://localhost/"], "--since compares with what a database has"),
    (
      ["--into", "x.sqlite", "--since", "a=B.c", "--delete-missing", "http://localhost/"],
      "--since does not go with --delete-missing"
    ),
    (["--if-changed", "http://localhost/"], "--if-changed compares with what a database has"),
    (["--resume", "a.json"], "--resume continues an import that a database has begun"),
    (
      ["--into", "a.sqlite", "--save-every", "9", "--retries", "1", "http://localhost/"],
      "--save-every does not go with --retries"
    ),
    (["http://localhost/", "--pages", "link"], "--pages holds for the files that follow it"),
  ])
  func `are told how`(arguments: [String], message: String) async throws {
    let run = try await GraftTool.run(["import"] + arguments)
    #expect(run.status == 2)
    #expect(run.errors.contains(message), "\(run.errors)")
  }
}

extension Graph {
  /// The number of objects of each entity that has any.
  fileprivate var entityCounts: [String: Int] {
    get throws {
      var counts: [String: Int] = [:]
      for entity in schema.entities { counts[entity.name] = try count(of: entity.name) }
      return counts.filter { $0.value > 0 }
    }
  }
}
