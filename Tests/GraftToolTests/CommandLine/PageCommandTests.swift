import Foundation
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
      limited.errors.contains("notice: the import ends after 1 pages, its limit; more follow"))
  }

  @Test(arguments: [
    (["--pages", "cursor=a", "http://localhost/"], "--pages takes link|PATH|cursor=PATH:PARAM"),
    (["--pages", "offset=a", "http://localhost/"], "found \"offset=a\""),
    (["--pages", "offset=a:0", "http://localhost/"], "found \"offset=a:0\""),
    (["--pages", "page=", "http://localhost/"], "found \"page=\""),
    (["--pages", "paeg=a", "http://localhost/"], "found \"paeg=a\""),
    (["--pages", "a[", "http://localhost/"], "--pages: "),
    (
      ["--pages", "link", "a.json"],
      "--pages is for answers of a server, and no file is an http(s) URL"
    ),
    (
      ["--rate", "0", "http://localhost/"],
      "--rate takes a number above 0, such as 2.5; found \"0\""
    ),
    (
      ["--max-pages", "0", "http://localhost/"],
      "--max-pages takes a number, 1 or more; found \"0\""
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
