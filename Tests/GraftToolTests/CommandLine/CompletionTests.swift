import Foundation
import Testing

@testable import GraftTestSupport

@Suite(
  .waits, .timeLimit(.minutes(2)),
  .enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `The completions of graft` {
  private static let commands = ["import", "export", "query", "check", "model", "infer"]

  /// The words that bash offers for a line.
  private static func offers(_ lines: [String]) async throws -> [[String]] {
    let run = try await Shell.run(
      "source <($graft --completions bash)\n"
        + lines.map { line in
          "COMP_WORDS=(graft \(line) ''); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); \(line.hasSuffix("-") ? "unset 'COMP_WORDS[COMP_CWORD]'; ((COMP_CWORD--));" : "") _graft; echo \"${COMPREPLY[*]}\""
        }.joined(separator: "\n"))
    #expect(run.errors == "")
    return run.output.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").map(String.init) }
  }

  @Test func `offer the commands, the options of each, and their values`() async throws {
    let offers = try await Self.offers([
      "", "check -", "import --mode", "check --format", "import --model", "check",
    ])
    #expect(offers[0] == Self.commands + ["--help", "--version"])
    #expect(offers[1].contains("--chunk-size") && !offers[1].contains("--mode"))
    #expect(offers[2] == ["upsert", "insert-only", "update-only"])
    #expect(offers[3] == ["auto", "json", "ndjson", "concatenated", "json-seq", "sse"])
    // Files, which bash offers by itself.
    #expect(offers[4] == [] && offers[5] == [])
  }

  @Test(arguments: commands)
  func `offer what the command takes`(command: String) async throws {
    let options = try await Self.offers(["\(command) -"])[0]
      .filter { $0.hasPrefix("--") && $0 != "--help" }
    #expect(options.count > 3)
    let offers = try await Self.offers(options.map { "\(command) \($0)" })
    for (option, values) in zip(options, offers) {
      let run = try await GraftTool.run([command, option] + (values.isEmpty ? [] : ["?"]))
      #expect(!run.errors.contains("unknown option"), "\(run.errors)")
      guard !values.isEmpty else { continue }
      #expect(
        run.errors.hasPrefix(
          "graft: \(option) takes \(values.joined(separator: ", ")); found \"?\""),
        "\(run.errors)")
    }
  }

  @Test func `offer each option that the sources name`() async throws {
    let folder = SourceTree.root.appendingPathComponent("Sources/graft-cli")
    let sources = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    )
    .filter {
      !["Help.swift", "Completions.swift", "HelpPage.swift"].contains($0.lastPathComponent)
    }
    .map { try String(contentsOf: $0, encoding: .utf8) }
    let named = Set(sources.flatMap { $0.matches(of: /"(--[a-z][a-z-]+)"/).map { String($0.1) } })
    let offered = Set(try await Self.offers(Self.commands.map { "\($0) -" }).flatMap { $0 })
    #expect(named.subtracting(offered) == ["--version", "--manual", "--completions"])
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `are a script that the shell reads`(shell: String) async throws {
    let script = try await GraftTool.run(["--completions", shell])
    #expect(script.status == 0)
    #expect(script.output.contains("--format") || script.output.contains("-l format"))
    guard Shell.has(shell) else { return }
    let file = try TemporaryFile(script.output, name: "graft.\(shell)")
    let run = try await Shell.run("\(shell) -n '\(file.path)'")
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
  }
}

@Suite(.enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `The manual page of graft` {
  @Test func `has each option and its text`() async throws {
    let page = try await GraftTool.run(["--manual"]).output
    for text in [
      ".TH GRAFT 1", ".SH GRAFT IMPORT", "\\fB\\-\\-on\\-broken\\-line\\fR \\fINAME\\fR",
      ".SH GRAFT INFER",
      "\\fB\\-\\-order\\-by\\fR \\fINAME[,NAME]\\fR\nby the values",
    ] { #expect(page.contains(text), "\(text)") }
    #expect(page.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test(arguments: ["man --warnings -l graft.1 2>&1 >/dev/null", "mandoc -Tlint -Wwarning graft.1"])
  func `is one that its programs read without a warning`(line: String) async throws {
    guard Shell.has(String(line.prefix { $0 != " " })) else { return }
    let run = try await Shell.run("$graft --manual > graft.1; \(line)")
    #expect(run.output == "")
  }
}
