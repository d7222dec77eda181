import Foundation
import Synchronization
import Testing

@testable import Graft
@testable import GraftTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What downloads.
enum Downloader: CaseIterable {
  /// The session of an import that is given none.
  case standard
  /// A `URLSession` of the caller's own.
  case session

  func source(_ url: URL) -> ImportSource {
    switch self {
    case .standard: .url(url)
    case .session: .url(url, session: URLSession(configuration: .ephemeral))
    }
  }

  func source(_ request: URLRequest) -> ImportSource {
    switch self {
    case .standard: .request(request)
    case .session: .request(request, session: URLSession(configuration: .ephemeral))
    }
  }
}

@Suite(.timeLimit(.minutes(2))) struct `A hostile server` {
  private static let lines = [#"{"text": "a"}"# + "\n", #"{"text": "b"}"# + "\n"]
  private static let document = Data(lines.joined().utf8)

  private static func store() throws -> GraphStore {
    let tag = EntityDescription(
      name: "Tag", attributes: [AttributeDescription(name: "text", type: .string)],
      userInfo: ["JSONMissingIdentity": "insert"])
    return GraphStore(model: try GraphModel(entities: [tag], dialect: .graft))
  }

  /// Imports lines of NDJSON; one half of them would be a document as well.
  ///
  /// - Returns: How many objects there are then.
  /// - Throws: What the import throws, when nothing of it is in the graph.
  private static func count(of source: ImportSource) async throws -> Int {
    let store = try store()
    var options = ImportOptions()
    options.parser.format = .ndjson
    do {
      try await store.importJSON(entity: "Tag", from: source, options: options)
    } catch {
      #expect(try store.graph.count(of: "Tag") == 0)
      throw error
    }
    return try store.graph.count(of: "Tag")
  }

  private static func error(
    of steps: [LoopbackServer.Step], by downloader: Downloader = .standard
  ) async throws -> ImportSourceError {
    let server = try LoopbackServer { _ in steps }
    return try #require(
      await #expect(throws: ImportSourceError.self) {
        try await count(of: downloader.source(server.url("tags.ndjson")))
      })
  }

  // MARK: Statuses

  @Test(
    arguments: [
      300, 304, 305, 306, 400, 401, 403, 404, 407, 410, 418, 429, 451, 500, 502, 503, 504, 599, 600,
      999,
    ],
    Downloader.allCases)
  func `cannot pass an error for a document`(status: Int, by downloader: Downloader) async throws {
    // A session on Linux asks again for what it may not have, and hides what it was answered.
    let isLeftOut = downloader == .session && [401, 407].contains(status)
    guard !isLeftOut else { return }
    let error = try await Self.error(
      of: [.answer(Self.document, status: "\(status) Whatever")], by: downloader)
    #expect(error.kind == .httpStatus)
    #expect(error.httpStatus == status)
    #expect(error.message.contains("the server answered \(status) ("))
  }

  @Test(arguments: [200, 201, 202, 203, 226, 299], Downloader.allCases)
  func `may answer with any status of success`(status: Int, by downloader: Downloader) async throws
  {
    let server = try LoopbackServer { _ in [.answer(Self.document, status: "\(status) Fine")] }
    #expect(try await Self.count(of: downloader.source(server.url("tags"))) == 2)
  }

  @Test(arguments: Downloader.allCases)
  func `cannot pass a part for the whole`(by downloader: Downloader) async throws {
    let steps = [
      LoopbackServer.Step.answer(
        Self.lines[0], status: "206 Partial Content", headers: ["Content-Range: bytes 0-13/28"])
    ]
    let error = try await Self.error(of: steps, by: downloader)
    #expect(error.httpStatus == 206)
    let server = try LoopbackServer { _ in steps }
    var request = URLRequest(url: server.url("tags"))
    request.setValue("bytes=0-13", forHTTPHeaderField: "Range")
    #expect(try await Self.count(of: downloader.source(request)) == 1)
  }

  // MARK: Redirections

  @Test(arguments: [301, 302, 303, 307, 308], Downloader.allCases)
  func `cannot pass a redirection to nowhere for a document`(
    status: Int, by downloader: Downloader
  ) async throws {
    for body in [Self.document, Data()] {
      let error = try await Self.error(
        of: [.answer(body, status: "\(status) Moved")], by: downloader)
      #expect(error.kind == .httpStatus)
      #expect(error.httpStatus == status)
      #expect(error.message.hasSuffix("with no address to go to"))
    }
  }

  @Test(arguments: [
    "", "ftp://example.org/", "file:///etc/passwd", "http://", "http://127.0.0.1:99999/",
  ])
  func `cannot redirect to what is not the web`(location: String) async throws {
    let error = try await Self.error(
      of: [.answer("", status: "302 Found", headers: ["Location: \(location)"])])
    #expect(error.message.contains("redirects to") || error.httpStatus == 302)
  }

  @Test func `is left after a number of redirections`() async throws {
    let server = try LoopbackServer { request in
      [.answer("", status: "302 Found", headers: ["Location: \(request.target)a"])]
    }
    let error = await #expect(throws: ImportSourceError.self) {
      try await Self.count(of: .url(server.url("a")))
    }
    #expect(error?.kind == .connection)
    #expect(error?.message.hasPrefix("more than 20 redirections, the last to http://") == true)
    #expect(server.requests.count == 21)
  }

  @Test(arguments: [nil, URLSession.shared])
  func `is told nothing that another one must know`(session: URLSession?) async throws {
    let target = try LoopbackServer { _ in [.answer(Self.document)] }
    let server = try LoopbackServer { [target] _ in
      [
        .answer(
          "", status: "307 Moved", headers: ["Location: \(target.url("tags").absoluteString)"])
      ]
    }
    var request = URLRequest(
      url: try #require(URL(string: "http://ada:secret@127.0.0.1:\(server.port)/tags")))
    request.setValue("5f1c", forHTTPHeaderField: "X-Api-Key")
    request.setValue("tags", forHTTPHeaderField: "X-Name")
    #expect(try await Self.count(of: .request(request, session: session)) == 2)
    let (first, second) = (try #require(server.requests.first), try #require(target.requests.first))
    #expect(first.headers["authorization"] != nil && first.headers["x-api-key"] == "5f1c")
    #expect(second.headers["authorization"] == nil && second.headers["x-api-key"] == nil)
    #expect(second.headers["x-name"] == "tags")
  }

  @Test func `gets its cookies back after a redirection`() async throws {
    let server = try LoopbackServer { request in
      request.headers["cookie"] == "a=1"
        ? [.answer(Self.document)]
        : [.answer("", status: "303 See Other", headers: ["Set-Cookie: a=1", "Location: /b"])]
    }
    #expect(try await Self.count(of: .url(server.url("a"))) == 2)
  }

  // MARK: Lengths

  @Test(arguments: [
    ["Content-Length: 29"], ["Content-Length: 1000000000000"], ["Transfer-Encoding: chunked"],
  ])
  func `cannot pass half a document for the whole`(headers: [String]) async throws {
    for downloader in Downloader.allCases {
      let body =
        headers[0].hasPrefix("T")
        ? Data("1c\r\n".utf8) + Self.document + Data("\r\n".utf8) : Self.document
      let error = try await Self.error(of: [.head("200 OK", headers, body)], by: downloader)
      #expect(error.kind == .connection)
    }
  }

  @Test(arguments: ["Content-Length: -5", "Content-Length: x", "Transfer-Encoding: chunked"])
  func `cannot lie about the length in a way that is none`(header: String) async throws {
    let error = try await Self.error(of: [
      .head("200 OK", [header], Data("zz\r\n".utf8) + Self.document)
    ])
    #expect(error.kind == .connection)
  }

  @Test func `may send nothing in chunks, with lines behind it`() async throws {
    let server = try LoopbackServer { _ in
      [
        .head(
          "200 OK", ["Transfer-Encoding: chunked", "Content-Type: application/x-ndjson"],
          Data("0\r\nX-Sum: 5\r\n\r\n".utf8))
      ]
    }
    #expect(try await Self.count(of: .url(server.url("tags"))) == 0)
  }

  @Test func `is cut short where it says so`() async throws {
    let server = try LoopbackServer { _ in [.head("200 OK", ["Content-Length: 14"], Self.document)]
    }
    #expect(try await Self.count(of: .url(server.url("tags"))) == 1)
  }

  @Test(arguments: Downloader.allCases)
  func `cannot break off unnoticed`(by downloader: Downloader) async throws {
    let error = try await Self.error(
      of: [
        .head("200 OK", ["Content-Length: 28"], Data(Self.lines[0].utf8)), .pause(seconds: 0.2),
        .reset,
      ],
      by: downloader)
    #expect(error.kind == .connection)
  }

  @Test(arguments: ["", "\r\n\r\n", "HTTP/1.1", "HTTP/1.1 200 OK\r\nA: b", "hello\n", "{}"])
  func `cannot pass what is no HTTP for a document`(text: String) async throws {
    let error = try await Self.error(of: [.send(text)])
    #expect(error.kind == .connection)
  }

  @Test func `cannot send headers without end`() async throws {
    let error = try await Self.error(
      of: [
        .send("HTTP/1.1 200 OK\r\n"),
        .repeat(Data("X-Name: \(String(repeating: "a", count: 900))\r\n".utf8), nil),
      ])
    #expect(error.message == "the server sends more than 262144 bytes of headers")
  }

  // MARK: Packed bodies

  @Test func `cannot cut off what it has packed`() async throws {
    let parts = GzipWriter.parts(Self.lines)
    for count in 0..<parts.count {
      let body = parts[..<count].reduce(Data(), +)
      let error = try await Self.error(of: [.answer(body, headers: ["Content-Encoding: gzip"])])
      #expect(error.kind == .encoding, "\(count)")
      #expect(
        error.message == "gzip data is cut off at byte \(body.count), before its end")
    }
    let packed = parts.reduce(Data(), +)
    for header in [
      "Content-Encoding: gzip", "Content-Encoding: x-gzip", "Content-Type: application/gzip",
    ] {
      let server = try LoopbackServer { _ in [.answer(packed, headers: [header])] }
      #expect(try await Self.count(of: .url(server.url("tags"))) == 2)
    }
  }

  @Test func `cannot say that it has packed what it has not`() async throws {
    let error = try await Self.error(of: [
      .answer(Self.document, headers: ["Content-Encoding: gzip"])
    ])
    #expect(error.kind == .encoding)
    #expect(error.message == "gzip data is damaged at byte 2: incorrect header check")
  }

  @Test func `may pack as it was not asked to, if that can be read`() async throws {
    let body = GzipWriter.zlib(Self.lines.joined())
    let server = try LoopbackServer { request in
      #expect(request.headers["accept-encoding"] == "gzip")
      return [.answer(body, headers: ["Content-Encoding: deflate"])]
    }
    #expect(try await Self.count(of: .url(server.url("tags"))) == 2)
  }

  @Test(arguments: ["br", "gzip, gzip", "aes128"])
  func `cannot pack in a way that was not asked for`(encoding: String) async throws {
    let error = try await Self.error(
      of: [.answer(Self.document, headers: ["Content-Encoding: \(encoding)"])])
    #expect(error.kind == .encoding)
    #expect(error.message == "expected the content encoding gzip or none, found \(encoding)")
  }

  // MARK: Time

  // Without a session: one of Foundation's on Linux waits busily for a server that is silent, and then does not see for
  // a long time that its task is cancelled.
  @Test func `is left where no bytes come`() async throws {
    for steps in [[.stall], [.head(), .send("{"), .stall]] as [[LoopbackServer.Step]] {
      let server = try LoopbackServer { _ in steps }
      var request = URLRequest(url: server.url("tags"))
      request.timeoutInterval = 1
      let source = ImportSource.request(request)
      let error = await #expect(throws: ImportSourceError.self) {
        try await Self.count(of: source)
      }
      #expect(error?.message == "no bytes came for 1 s")
      #expect((error?.underlyingError as? URLError)?.code == .timedOut)
    }
  }

  @Test func `is left when the task is cancelled, whether it sends or not`() async throws {
    let spaces = Data(repeating: 0x20, count: 65_536)
    let endings: [[LoopbackServer.Step]] = [
      [.stall], [.head(), .send("[ "), .stall], [.head(), .send("["), .repeat(spaces, nil)],
    ]
    for (index, steps) in endings.enumerated() {
      let server = try LoopbackServer { _ in steps }
      let source = ImportSource.url(server.url("tags"))
      let task = Task { try await Self.count(of: source) }
      while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
      try await Task.sleep(for: .milliseconds(200))
      let start = ContinuousClock.now
      task.cancel()
      await #expect(throws: CancellationError.self, "\(index)") { try await task.value }
      #expect(ContinuousClock.now - start < .seconds(10))
    }
  }

  // MARK: Amounts

  #if os(Linux)
  @Test func `waits where it is faster than the import`() async throws {
    // Objects of 64 KiB each; the model asks for a few bytes of them.
    let object = Data(
      (#"{"text": "a", "more": "\#(String(repeating: "x", count: 65_500))"}"# + "\n").utf8)
    let (count, limit) = (1_024, 24 << 20)
    let server = try LoopbackServer { _ in [.head(), .repeat(object, count)] }
    let blockedAt = Mutex<Int?>(nil)
    let store = try Self.store()
    var options = ImportOptions()
    options.parser.format = .ndjson
    options.parser.engine = .native
    let report = try await store.importJSON(
      [ImportRoot("Tag")], from: .url(server.url("tags")), options: options
    ) { note in
      guard note.byteCount > 1_000_000, blockedAt.withLock({ $0 == nil }) else { return }
      let sent = server.waitUntilBlocked()
      blockedAt.withLock { $0 = sent }
    }
    #expect(report.byteCount == count * object.count)
    #expect(try store.graph.count(of: "Tag") == count)
    let blocked = blockedAt.withLock(\.self) ?? 0
    #expect(blocked > 1_000_000 && blocked < limit, "\(blocked) of \(count * object.count) bytes")
  }
  #endif
}
