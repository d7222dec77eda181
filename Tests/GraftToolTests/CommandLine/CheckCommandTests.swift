import Foundation
import Testing

@testable import GraftTestSupport

@Suite(.enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `graft check` {
  @Test(arguments: ["1", "7", "65536"])
  func `tells what is well-formed, and where the rest is not`(_ chunkSize: String) async throws {
    let bad = try TemporaryFile("{\"a\": [1,\n  2,]}")
    let run = try await GraftTool.run([
      "check", "--chunk-size", chunkSize, Fixture.timeline, bad.path, Fixture.catalog,
    ])
    #expect(run.status == 3)
    #expect(
      run.output == """
        \(Fixture.timeline): well-formed, 52,361 bytes
        \(Fixture.catalog): well-formed, 5,745 bytes

        """)
    #expect(run.errorLines.count == 1)
    #expect(run.errors.hasPrefix("\(bad.path):2:5: $.a[2]: "))
  }

  @Test func `reads standard input, and knows an empty one for no document`() async throws {
    let well = try await GraftTool.run(["check", "-"], input: Data("[]".utf8))
    #expect(well.status == 0)
    #expect(well.output == "-: well-formed, 2 bytes\n")
    let empty = try await GraftTool.run(["check", "-"])
    #expect(empty.status == 3)
    #expect(empty.errors.hasPrefix("-:1:1: "))
  }

  @Test func `takes several documents only where they are asked for`() async throws {
    let lines = Data("1\n2\n".utf8)
    #expect(try await GraftTool.run(["check", "-"], input: lines).status == 3)
    #expect(
      try await GraftTool.run(["check", "--format", "ndjson", "-"], input: lines).status == 0)
  }

  @Test(arguments: [
    ("json-seq", "\u{1E}1\n\u{1E}2\n"), ("concatenated", "{}[]"),
    ("sse", "data: 1\n\ndata: 2\n\ndata: [DONE]\n\n"),
  ])
  func `takes documents in other framings`(format: String, text: String) async throws {
    let run = try await GraftTool.run(
      ["check", "--format", format, "--end-marker", "[DONE]", "-"], input: Data(text.utf8))
    #expect(run.errors == "")
    #expect(run.output == "-: well-formed, \(text.utf8.count) bytes\n")
  }

  @Test(arguments: ["\u{1E}{}", "data: 1\n\n", ": 1", ":{}\n"])
  func `says of another format that it is not JSON`(text: String) async throws {
    #expect(try await GraftTool.run(["check", "-"], input: Data(text.utf8)).status == 3)
  }

  @Test(arguments: ["lines.ndjson", "lines.JSONL", "lines.ndjson.gz"])
  func `takes several documents by the name of the file, and unpacks them`(
    name: String
  ) async throws {
    let text = "1\n2\n"
    let data = name.hasSuffix(".gz") ? GzipWriter.pack(text) : Data(text.utf8)
    let file = try TemporaryFile(data, name: name)
    let run = try await GraftTool.run(["check", file.path])
    #expect(run.errors == "")
    #expect(run.output == "\(file.path): well-formed, 4 bytes\n")
    #expect(try await GraftTool.run(["check", "--format", "json", file.path]).status == 3)
  }

  @Test func `decompresses what it is given, by name or through a pipe`() async throws {
    for data in [
      PackedSamples.gzip, PackedSamples.zlib, PackedSamples.zstd,
      PackedSamples.zstd + Data("x".utf8),
    ] {
      let file = try TemporaryFile(data, name: "feed.json")
      for run in [
        try await GraftTool.run(["check", file.path]),
        try await GraftTool.run(["check", "-"], input: data),
      ] {
        #expect(run.status == (data.last == UInt8(ascii: "x") ? 4 : 0))
        #expect(run.output.hasSuffix(": well-formed, 1,593 bytes\n") == (run.status == 0))
      }
    }
  }

  @Test(arguments: ["check", "infer"])
  func `refuses options for the answers of a server, like infer`(command: String) async throws {
    let run = try await GraftTool.run([command, "--header", "A: b", "a.json"])
    #expect(run.status == 2)
    #expect(run.errors.contains("--header is for answers of a server"), "\(run.errors)")
  }

  @Test func `exits with 4 when a file cannot be read, and goes on`() async throws {
    let run = try await GraftTool.run(["check", "missing.json", Fixture.catalog])
    #expect(run.status == 4)
    #expect(run.errors == "missing.json: No such file or directory\n")
    #expect(run.output.hasPrefix(Fixture.catalog))
  }
}
