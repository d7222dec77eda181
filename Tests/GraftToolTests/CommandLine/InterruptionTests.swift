import Foundation
import Testing

@testable import GraftTestSupport

/// Runs a command with no signal blocked or ignored, which its parent, the tests, may have done.
enum CleanSignals {
  static let script = """
    import os, signal, sys
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in (signal.SIGINT, signal.SIGTERM): signal.signal(number, signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])
    """
}

@Suite(
  .waits, .timeLimit(.minutes(2)),
  .enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"),
  .enabled(if: Shell.has("python3"), "python3 is not installed"))
struct `An import that is interrupted` {
  /// Runs an import of a pipe that does not end, and sends it a signal when its beginning has been read.
  private static func run(
    _ options: String, signal: String, file: String = "pipe", then check: String = ""
  ) async throws -> GraftTool.Outcome {
    let script = try TemporaryFile(CleanSignals.script, name: "clean.py")
    return try await Shell.run(
      """
      mkfifo pipe
      echo '{"entities":[{"name":"A","userInfo":{"identityAttributes":"id"},"attributes":[{"name":"id","type":"Integer 64"}]}]}' > model.json
      (for n in $(seq 20000); do echo "{\\"id\\": $n}"; done; touch written; exec sleep 60) > pipe & writer=$!
      python3 '\(script.path)' "$graft" import --model model.json --format ndjson \(options) A=pipe & pid=$!
      # More than the pipe holds has been written: the import has begun.
      until [ -e written ]; do sleep 0.05; done
      kill -\(signal) $pid
      wait $pid
      echo "status $?"
      kill -9 $writer
      \(check)
      """)
  }

  @Test(arguments: [("INT", 130), ("TERM", 143)])
  func `ends by the signal, and says that memory keeps nothing`(
    signal: String, status: Int
  ) async throws {
    let run = try await Self.run("", signal: signal)
    #expect(run.output == "status \(status)\n")
    #expect(run.errors.contains("pipe: interrupted; nothing of it is kept\n"), "\(run.errors)")
  }

  @Test func `says what a database keeps, and writes its report`() async throws {
    let run = try await Self.run(
      "--into a.sqlite --save-every 100 --chunk-size 100 --report report.json", signal: "INT",
      then: "$graft query a.sqlite A --count; cat report.json")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "status 130")
    let count = try #require(Int(lines.dropFirst().first ?? ""))
    #expect(count >= 1_000)
    let number = count.formatted(.number.locale(Locale(identifier: "en_US")))
    #expect(
      run.errors.contains("pipe: interrupted; the first \(number) objects of it are kept\n"),
      "\(run.errors)")
    #expect(run.output.contains("\"message\":\"pipe: interrupted; the first \(number) objects"))
  }

  @Test func `ends at once at a second signal`() async throws {
    let run = try await Self.run("--into a.sqlite", signal: "INT $pid; kill -TERM")
    #expect(run.output == "status 130\n" || run.output == "status 143\n")
  }
}
