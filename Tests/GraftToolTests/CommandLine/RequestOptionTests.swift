import Foundation
import Testing

@testable import GraftTestSupport

/// Answers every request with an object that describes it, and prints its port first.
private let server = """
  import http.server, json
  class Handler(http.server.BaseHTTPRequestHandler):
    def reply(self):
      body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
      wanted = ("Authorization", "Content-Type", "X-A", "Accept-Encoding", "Cookie")
      text = json.dumps({"method": self.command, "body": body, **{n: self.headers[n] for n in wanted if n in self.headers}})
      self.send_response(200)
      self.send_header("Content-Length", str(len(text)))
      self.end_headers()
      self.wfile.write(text.encode())
    do_GET = do_POST = do_PUT = reply
    def log_message(self, *words): pass
  server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
  print(server.server_port, flush=True)
  server.serve_forever()
  """

@Suite(
  .waits, .timeLimit(.minutes(2)),
  .enabled(if: GraftTool.executable != nil, "graft is not built beside the tests"),
  .enabled(if: Shell.has("python3"), "python3 is not installed"))
struct `A request of graft` {
  /// Runs lines of a shell in which `$url` is the address of the server.
  private static func run(_ lines: String) async throws -> GraftTool.Outcome {
    let folder = try TemporaryFile(server, name: "server.py")
    return try await Shell.run(
      """
      export API_TOKEN=t0p-s3cret
      python3 '\(folder.path)' > port & server=$!
      trap 'kill -9 $server' EXIT
      until [ -s port ]; do sleep 0.05; done
      url=http://127.0.0.1:$(cat port)/item
      \(lines)
      """)
  }

  private static func answer(_ options: String) async throws -> [String: String] {
    let run = try await run("$graft import --output json \(options) $url")
    #expect(run.status == 0, "\(run.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(object as? [String: String])
  }

  @Test func `has the headers, the method and the body that are given`() async throws {
    let plain = try await Self.answer("")
    #expect(plain == ["method": "GET", "body": "", "Accept-Encoding": "gzip, zstd"])
    let full = try await Self.answer(
      "--header 'X-A: 1' --expand-header 'Authorization: Bearer {{API_TOKEN}}' --data '[1]'")
    #expect(full["method"] == "POST")
    #expect(full["body"] == "[1]")
    #expect(full["Content-Type"] == "application/json")
    #expect(full["X-A"] == "1")
    #expect(full["Authorization"] == "Bearer t0p-s3cret")
  }

  @Test func `has one header of all cookies`() async throws {
    let full = try await Self.answer(
      "--header 'Cookie: a=1' --header 'cookie: b=2' --header 'X-A: 1' --header 'X-A: 2'")
    #expect(full["Cookie"] == "a=1; b=2")
    #expect(full["X-A"] == "1,2" || full["X-A"] == "1, 2")
  }

  @Test func `is not repeated by messages of the server`() async throws {
    let server = try LoopbackServer { request in
      let headers = ["authorization", "x-hub"].compactMap { request.headers[$0] }
      return [
        .answer(
          #"{"message": "refused: \#(headers.joined(separator: ", "))"}"#, status: "403 Forbidden")
      ]
    }
    let options =
      "--header 'Authorization: Bearer t0p/s3cret' --expand-header 'X-Hub: {{HUB}}'"
    let run = try await Shell.run(
      """
      export HUB=hub/s3cret
      $graft check \(options) \(server.url("a"))
      $graft import \(options) --report - \(server.url("a"))
      """)
    #expect(run.errors.contains("refused: ***, ***"), "\(run.errors)")
    #expect(!(run.errors + run.output).contains("s3cret"), "\(run.output)")
  }

  @Test func `is not part of the message for an address that is none`() async throws {
    let run = try await Shell.run("$graft import 'Issue=http://admin:s3cr#t@h/x'")
    #expect(run.status == 2 && !run.errors.contains("s3cr"), "\(run.errors)")
  }

  @Test func `takes headers and body from files`() async throws {
    let full = try await Self.answer(
      "--header @<(printf 'Authorization: Basic x\\n\\nContent-Type: text/plain\\n') --method put --data @<(echo hello)"
    )
    #expect(full["method"] == "PUT")
    #expect(full["body"] == "hello\n")
    #expect(full["Content-Type"] == "text/plain")
    #expect(full["Authorization"] == "Basic x")
  }

  @Test func `holds for the files after its options`() async throws {
    let run = try await Self.run(
      """
      $graft check --header 'Authorization: Bearer {{no}}' $url --no-request $url
      $graft infer --expand-header 'Authorization: Bearer {{API_TOKEN}}' $url | grep -c -i authorization
      """)
    #expect(run.status == 0)
    let lengths = run.output.split(separator: "\n").prefix(2).map {
      $0.split(separator: " ").suffix(2).first
    }
    #expect(lengths.count == 2 && lengths[0] != lengths[1])
    #expect(run.output.hasSuffix("1\n"))
  }

  @Test(arguments: [
    (
      "--header secret",
      "--header takes a header, such as \"Accept: application/json\"; found a text that does not begin with a name and a colon"
    ),
    (
      "--expand-header 'A: {{NOT_SET}}'",
      "--expand-header: the environment variable \"NOT_SET\" is not set"
    ),
    ("--header @missing", "--header @missing: the file cannot be read: "),
    ("--header $'A: b\\nc: secret'", "--header: the value of A contains a line break"),
    (
      "--method 'GET secret'",
      "--method takes the name of a method, such as POST; found \"GET secret\""
    ),
  ])
  func `is refused without a repetition of what may be secret`(
    options: String, message: String
  ) async throws {
    let run = try await Shell.run("$graft check \(options) http://127.0.0.1:9/")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("graft: \(message)"), "\(run.errors)")
    #expect(!run.errors.contains("secret") || options.contains("--method"))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/cmdline")))
  func `is not in the list of processes`() async throws {
    let run = try await Shell.run(
      """
      mkfifo pipe
      $graft check --header 'Authorization: secret1' --data=secret2 --header @/dev/null \\
        https://ada:secret3@example.org/?token=secret4 --format json pipe & graft=$!
      # The address is masked last.
      until grep -q 'token=\\*\\*\\*' /proc/$graft/cmdline || [ $((tries += 1)) -gt 500 ]; do sleep 0.02; done
      tr '\\0' '\\n' < /proc/$graft/cmdline
      kill -9 $graft
      """)
    #expect(!run.output.contains("secret"), "\(run.output)")
    #expect(run.output.contains("--data=***"))
    #expect(run.output.contains("@/dev/null"))
    #expect(run.output.contains("https://example.org/?token=***"))
  }
}
