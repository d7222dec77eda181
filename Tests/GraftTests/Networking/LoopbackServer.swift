import Foundation

@testable import GraftTestSupport

/// A web server on this machine that serves the package's folder, as far as Python is there
/// to be one.
final class LoopbackServer {
  private static let script = """
    import http.server, json, os, sys, threading, time
    # The server ends when whoever started it does, whatever way that is.
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments): pass
        def do_POST(self):
            body = self.rfile.read(int(self.headers['Content-Length'] or 0))
            answer = json.dumps({'text': self.headers['X-Name'], 'id': json.loads(body)}).encode()
            self.send_response(201)
            self.send_header('Content-Length', str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)
        def do_GET(self):
            if self.path == '/endless':
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b'[')
                try:
                    while True:
                        self.wfile.write(b' ' * 4096)
                        time.sleep(0.005)
                except OSError: pass
            elif self.path == '/short':
                self.send_response(200)
                self.send_header('Content-Length', '1000')
                self.end_headers()
                self.wfile.write(b'[')
            elif self.path in ('/page', '/nothing'):
                body = b'<html>Down</html>' if self.path == '/page' else b''
                self.send_response(200)
                self.send_header('Content-Type', 'text/html; charset=utf-8')
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            elif self.path == '/moved':
                self.send_response(302)
                self.send_header('Location', '/Fixtures/documents/timeline.json')
                self.end_headers()
            else:
                super().do_GET()
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private let process = Process()
  /// Its end is the server's: the server waits for it to close.
  private let lifeline = Pipe()
  private let port: Int

  init() throws {
    process.executableURL = Self.python.map { URL(fileURLWithPath: $0) }
    process.arguments = ["-c", Self.script]
    process.currentDirectoryURL = SourceTree.root
    let output = Pipe()
    process.standardInput = lifeline
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  deinit {
    try? lifeline.fileHandleForWriting.close()
    process.terminate()
  }

  func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)/\(path)") ?? SourceTree.root
  }
}
