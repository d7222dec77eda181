import Foundation
import Testing

@testable import Graft
@testable import GraftTestSupport

@Suite(
  .waits, .timeLimit(.minutes(5)),
  .enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `What graft reads and writes` {
  private static let lines = #"printf '{"a":1}\n{"a":2}\n'"#

  @Test(arguments: [
    #"$graft import --format ndjson --output json <(LINES)"#,
    #"LINES | $graft import --format ndjson --output json /dev/stdin"#,
    #"LINES | $graft import --format ndjson --output json -"#,
    #"mkfifo pipe; LINES > pipe & $graft import --format ndjson --output json pipe"#,
    #"LINES > two.ndjson; $graft import --output json two.ndjson"#,
    #"LINES > two.JSONL; $graft import --output json two.JSONL"#,
    #"LINES | gzip > two.ndjson.gz; $graft import --output json two.ndjson.gz"#,
    #"LINES | gzip > two; $graft import --format ndjson --output json two"#,
    #"LINES | gzip | $graft import --format ndjson --output json -"#,
    #"printf '{"a":1}{"a":2}' | $graft import --format concatenated --output json -"#,
    #"printf '\036{"a":1}\n\036{"a":2}\n' > two; $graft import --output json two"#,
    #"printf 'data: {"a":\ndata: 1}\n\ndata: {"a":2}\n\n' | $graft import --output json -"#,
    #"printf 'data:{"a":1}\n\ndata:{"a":2}\n\ndata:END\n' | $graft import --end-marker END --output json -"#,
  ])
  func `may be a pipe that is read twice`(line: String) async throws {
    let run = try await Shell.run(line.replacing("LINES", with: Self.lines))
    #expect(run.status == 0)
    #expect(run.output == #"[{"a":1},{"a":2}]"# + "\n")
  }

  @Test func `is kept up to a limit where it can be read once`() async throws {
    let run = try await Shell.run("$graft import <(head -c 70000000 /dev/zero)")
    #expect(run.status == 2)
    #expect(run.errors.contains("holds more than 67,108,864 bytes"))
  }

  @Test func `may be a model in a pipe`() async throws {
    let schema = #"{"entities":[{"name":"A","attributes":[{"name":"b","type":"String"}]}]}"#
    let run = try await Shell.run("$graft model --model <(echo '\(schema)')")
    #expect(run.status == 0)
    #expect(run.output.contains("A"))
    let wide = try await Shell.run(
      "echo '\(schema)' | iconv -t UTF-16 > wide.json; $graft model --model wide.json")
    #expect(wide.status == 3)
    #expect(wide.errors.contains("the text is in UTF-16, little-endian; expected UTF-8"))
  }

  @Test(arguments: [
    ("$graft import f.json >&-", "standard output: it is closed"),
    ("$graft import - <&-", "-: it is closed"),
    ("$graft check - <&-", "-: it is closed"),
  ])
  func `may be closed`(line: String, message: String) async throws {
    let run = try await Shell.run("echo '[{\"a\":1}]' > f.json; \(line)")
    #expect(run.status == 4)
    #expect(run.errors.hasSuffix(message + "\n"))
  }

  @Test func `is not written over where standard output is closed`() async throws {
    let run = try await Shell.run(
      "echo '[{\"a\":1}]' > f.json; $graft import --into a.sqlite f.json >&-; "
        + "head -c 15 a.sqlite > output")
    #expect(run.output == "SQLite format 3")
  }

  @Test(arguments: [
    "--output schema --to out model.json", "--output schema --to=out -- model.json",
  ])
  func `keeps its mode, or is the pipe that it was`(arguments: String) async throws {
    let schema = #"{"entities":[{"name":"A"}]}"#
    let file = try await Shell.run(
      "echo '\(schema)' > model.json; touch out; chmod 640 out; $graft model \(arguments) && stat -c '%a %s' out"
    )
    #expect(file.output.hasPrefix("640 ") && file.output != "640 0\n", "\(file)")
    let pipe = try await Shell.run(
      "echo '\(schema)' > model.json; mkfifo out; cat out > copy & $graft model \(arguments); wait; "
        + "test -p out && cat copy")
    #expect(pipe.output.contains("\"A\""), "\(pipe)")
    let infer = try await Shell.run(
      "echo '[{\"a\":1}]' > f.json; mkfifo out; cat out > copy & $graft infer --to out f.json; wait; "
        + "test -p out && cat copy")
    #expect(infer.output.contains("entities"), "\(infer)")
  }

  @Test func `is refused where its name is not UTF-8`() async throws {
    let run = try await Shell.run(
      #"f=$(printf 'a\xffb.json'); echo '[]' > "$f"; $graft check "$f""#)
    #expect(run.status == 2)
    #expect(run.errors.contains("the name is not in UTF-8"))
  }

  @Test(arguments: [
    ("http://127.0.0.1:99999/", "expected a"), ("HTTP://127.0.0.1:1/", "Failed to connect"),
    ("http://ada:secret@127.0.0.1:1/?token=5f1c&page=2", "http://127.0.0.1:1/?token=***&page=2: "),
  ])
  func `is named without what gives access`(address: String, message: String) async throws {
    for command in ["import", "import --report report", "infer", "import --entity A"] {
      let run = try await Shell.run("$graft \(command) '\(address)'; cat report")
      #expect(run.status != 0 || command.contains("report"))
      if !command.contains("entity") { #expect(run.errors.contains(message), "\(run.errors)") }
      #expect(!(run.errors + run.output).contains("secret"))
      #expect(!(run.errors + run.output).contains("5f1c"))
    }
  }

  @Test(arguments: ["64KB", "64kB", "64KiB", "1 MB", "65536", "0.5MB"])
  func `is read in pieces of a given size`(size: String) async throws {
    let run = try await Shell.run("echo '[1]' > f.json; $graft check --chunk-size '\(size)' f.json")
    #expect(run.status == 0)
  }

  @Test func `names the format of lines that are documents`() async throws {
    let file = try TemporaryFile("{\"a\": 1}\n{\"a\": 2}\n", name: "feed.json")
    for command in ["infer", "import"] {
      let run = try await GraftTool.run([command, file.path])
      #expect(run.errors.contains(":2:1: ") && run.errors.contains("give --format ndjson"))
      #expect(try await GraftTool.run([command, "--format", "ndjson", file.path]).status == 0)
    }
  }

  @Test func `begins where options end`() async throws {
    let run = try await Shell.run("echo '[1]' > --x; $graft check -- --x; $graft -- check -- --x")
    #expect(run.status == 0)
    #expect(run.errors == "")
  }
}
