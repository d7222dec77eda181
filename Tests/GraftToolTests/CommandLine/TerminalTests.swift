import CommandLineSupport
import Foundation
import Testing

@testable import GraftTestSupport

@Suite struct `A text on the terminal` {
  @Test func `has no command for it`() {
    let scalars =
      (0..<0x20).map { Unicode.Scalar(UInt8($0)) }
      + [0x7F, 0x80, 0x9B, 0x9F].compactMap(Unicode.Scalar.init)
    for scalar in scalars where scalar != "\n" && scalar != "\t" {
      #expect(TerminalText.cleaned("é\(scalar)[31m") == "é\u{FFFD}[31m")
    }
    #expect(TerminalText.cleaned("a\tb\nc é 👩‍👩‍👧") == "a\tb\nc é 👩‍👩‍👧")
  }

  @Test func `is one line, if it is a message`() {
    #expect(TerminalText.line("a\nb\r\nc\u{2028}d\u{1B}") == "a b  c d\u{FFFD}")
  }
}

@Suite(
  .waits, .timeLimit(.minutes(2)),
  .enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"))
struct `A message of graft` {
  private static let escape = "\u{1B}]0;owned\u{7}\u{9B}31m"

  @Test func `gives the terminal no command of a stranger`() async throws {
    let server = try LoopbackServer { request in
      switch request.target {
      case "/refused":
        [
          .answer(
            #"{"message": "no \u001b]0;owned\u0007\u009b31m"}"#, status: "403 Forbidden",
            headers: ["Content-Type: application/json"])
        ]
      case "/type": [.answer("<", headers: ["Content-Type: text/\(Self.escape)"])]
      default: [.answer("[{\"id\": 1}]", headers: ["Link: <ftp://\(Self.escape)>; rel=next"])]
      }
    }
    for arguments in [
      ["check", server.url("refused").absoluteString],
      ["check", server.url("type").absoluteString],
      ["import", "--pages", "link", server.url("link").absoluteString],
    ] {
      let run = try await GraftTool.run(arguments)
      #expect(run.status > 2)
      let text = (run.errors + run.output).unicodeScalars
      #expect(
        text.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control },
        "\(run.errors)")
    }
  }

  @Test func `names remedies of the command line`() async throws {
    let run = try await Shell.run(
      """
      head -c 30000000 /dev/zero | tr '\\0' ' ' | gzip > bomb.json.gz; $graft check bomb.json.gz
      echo '[1]' | gzip | gzip > twice.json.gz; $graft check twice.json.gz
      """)
    #expect(run.errorLines.count == 2)
    for line in run.errorLines {
      #expect(
        line.contains("gzip -dc FILE | graft … -") && !line.contains("ImportSource"), "\(line)")
    }
  }

  @Test func `names the option for data that ends events`() async throws {
    let server = try LoopbackServer { _ in
      [
        .answer(
          "data: {\"id\": 1}\n\ndata: [DONE]\n\n", headers: ["Content-Type: text/event-stream"])
      ]
    }
    let model = #"{"entities": [{"name": "A", "attributes": [{"name": "id", "type": "String"}]}]}"#
    let run = try await Shell.run(
      """
      echo '\(model)' > model.json
      $graft import --model model.json A=\(server.url("a"))
      $graft import --model model.json --end-marker '[DONE]' A=\(server.url("a"))
      """)
    #expect(run.status == 0)
    #expect(run.errors.ranges(of: "such as [DONE], give --end-marker").count == 1, "\(run.errors)")
  }
}
