import Foundation
import Testing

@testable import GraftTestSupport

private let bench = GraftTool.executable.map {
  $0.deletingLastPathComponent().appendingPathComponent("graft-bench")
}.flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0 : nil }

@Suite(.enabled(if: bench != nil, "graft-bench is not built beside the tests"))
struct `The benchmark` {
  @Test func `peers are drawn as a table of Markdown, with the machine`() async throws {
    let run = try await GraftTool.run(
      ["--peers", "--size", "1", "--runs", "1", "--only", "graft"], program: bench)
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    for work in ["tweets into objects", "points into objects", "tweets into a database file"] {
      let head = try #require(lines.firstIndex(of: "| 1 MB of \(work) | processor | peak memory |"))
      #expect(lines[head + 1] == "|---|--:|--:|")
      #expect(try lines[head + 2].contains(Regex(#"^\| .+ \| [0-9.]+ s \| [0-9]+ MB \|$"#)))
      #expect(lines[head + 3].isEmpty)
    }
    #expect(lines.contains { $0.hasPrefix("Best of 1, whole processes: ") && $0.contains("core") })
  }

  @Test func `a peer that is not known is a wrong use`() async throws {
    let run = try await GraftTool.run(["--peers", "--only", "simdjson"], program: bench)
    #expect(run.status == 2)
    #expect(
      run.errors == """
        graft-bench: unknown peer "simdjson"; there are decoder, duckdb, graft, graft-yajl, jq, msgspec, \
        orjson, sqlite-utils

        """)
  }

  @Test func `a peer that is not installed is skipped, with a word`() async throws {
    let run = try await GraftTool.run(
      ["--peers", "--size", "1", "--runs", "1", "--only", "graft,jq"], program: bench,
      environment: ["PATH": "/nowhere", "TMPDIR": NSTemporaryDirectory()])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("Skipped, not installed: jq."))
  }
}
