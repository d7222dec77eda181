import Foundation
import Synchronization
import Testing

@testable import Graft
@testable import GraftExport
@testable import GraftTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct `An import from a server` {
  private let server: LoopbackServer
  private let store: GraphStore

  init() throws {
    server = try LoopbackServer { request in
      switch request.target.prefix(while: { $0 != "?" }) {
      case "/moved":
        [.answer("", status: "302 Found", headers: ["Location: /\(Fixture.timeline)"])]
      case "/page":
        [.answer("<html>Down</html>", headers: ["Content-Type: text/html; charset=utf-8"])]
      case "/nothing": [.answer("", headers: ["Content-Type: text/html; charset=utf-8"])]
      case "/echo":
        [
          .answer(
            #"{"id": \#(String(decoding: request.body, as: UTF8.self)), "#
              + #""text": "\#(request.headers["x-name"] ?? "")"}"#, status: "201 Created")
        ]
      case "/short": [.head("200 OK", ["Content-Length: 1000"], Data("[".utf8))]
      case "/endless": [.head(), .send("["), .repeat(Data(repeating: 0x20, count: 4_096), nil)]
      default: LoopbackServer.file(request)
      }
    }
    store = GraphStore(model: try GraphModel(contentsOf: Fixture.url(Fixture.timelineModel)))
  }

  /// A graph of tweets with an `id` and a `text`.
  private static func tweets() throws -> GraphStore {
    GraphStore(model: try GraphModel(entities: [.make("Tweet", [.make("text")])], dialect: .graft))
  }

  @Test(arguments: [Fixture.timeline, "moved"])
  func `gives the graph of the file, and tells its progress`(_ path: String) async throws {
    let last = Mutex<ImportProgress?>(nil)
    let report = try await store.importJSON(
      entity: "Tweet", at: "statuses", from: server.url(path)
    ) { note in last.withLock { $0 = note } }
    #expect(report.byteCount == 52_361)
    #expect(last.withLock { $0 } == ImportProgress(byteCount: 52_361, totalByteCount: 52_361))
    let expected = try Data(contentsOf: Fixture.url("Fixtures/expected/timeline.graph.json"))
    #expect(store.graph.canonicalJSON() == expected)
  }

  @Test(arguments: [
    ("page", "expected a value, found '<'", ""),
    ("nothing", "the document is empty: expected a value", " and an empty body"),
  ])
  func `says what the server has sent where that is no document`(
    path: String, message: String, body: String
  ) async throws {
    let error = await #expect(throws: ImportError.self) {
      try await store.importJSON(entity: "Tweet", from: server.url(path))
    }
    #expect(error?.kind == .invalidJSON)
    #expect(
      error?.message == "\(message); \(server.url(path).absoluteString) answered 200 with the"
        + " content type \"text/html; charset=utf-8\"\(body)")
  }

  @Test(arguments: ["POST", "PUT", "PATCH", "QUERY"])
  func `sends the method, the headers and the body that it is asked with`(
    method: String
  ) async throws {
    let store = try Self.tweets()
    var request = URLRequest(url: server.url("echo"))
    request.httpMethod = method
    request.httpBody = Data("12".utf8)
    request.setValue("Ada", forHTTPHeaderField: "X-Name")
    let report = try await store.importJSON(entity: "Tweet", from: .request(request))
    #expect(report.insertedCount == 1)
    let tweet = try #require(try store.graph.objects("Tweet").first)
    #expect(tweet["id"] == .integer(12))
    #expect(tweet["text"] == .string("Ada"))
    #expect(server.requests.first?.method == method)
  }

  @Test func `says who it is and what it can unpack`() async throws {
    try await store.importJSON(entity: "Tweet", at: "statuses", from: server.url(Fixture.timeline))
    let request = try #require(server.requests.first)
    #expect(request.method == "GET")
    #expect(request.headers["host"] == "127.0.0.1:\(server.port)")
    #if os(Linux)
    #expect(request.headers["accept-encoding"] == "gzip")
    #expect(request.headers["user-agent"]?.hasPrefix("Graft libcurl/") == true)
    #endif
  }

  @Test func `sends the user and password of a URL, and shows them nowhere`() async throws {
    let url = try #require(
      URL(string: "http://ada:secret@127.0.0.1:\(server.port)/page?token=5f1c"))
    let error = await #expect(throws: ImportError.self) {
      try await store.importJSON(entity: "Tweet", from: url)
    }
    #expect(server.requests.first?.headers["authorization"] == "Basic YWRhOnNlY3JldA==")
    #expect(server.requests.first?.target == "/page?token=5f1c")
    let text =
      "\(try #require(error)) \(String(reflecting: error)) \(String(describing: error?.underlyingError))"
    #expect(!text.contains("secret") && !text.contains("5f1c"))
    #expect(text.contains("http://127.0.0.1:\(server.port)/page?token=*** answered 200"))
  }

  @Test func `goes through a session of the caller's own, which it leaves open`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Name": "Grace"]
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let store = try Self.tweets()
    var request = URLRequest(url: server.url("echo"))
    request.httpMethod = "POST"
    for id in 1...2 {
      request.httpBody = Data("\(id)".utf8)
      try await store.importJSON(entity: "Tweet", from: .request(request, session: session))
    }
    let tweets = try store.graph.objects("Tweet")
    #expect(tweets.map { $0["id"] } == [.integer(1), .integer(2)])
    #expect(tweets.map { $0["text"] } == [.string("Grace"), .string("Grace")])
    let error = await #expect(throws: ImportSourceError.self) {
      try await store.importJSON(
        entity: "Tweet", from: .url(server.url("missing.json"), session: session))
    }
    #expect(error?.httpStatus == 404)
  }

  @Test func `asks the caller's own delegate too`() async throws {
    final class Delegate: NSObject, URLSessionTaskDelegate {
      let redirections = Mutex<[String]>([])
      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
      ) {
        redirections.withLock { $0.append(request.url?.lastPathComponent ?? "") }
        completionHandler(request)
      }
    }
    let delegate = Delegate()
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let report = try await store.importJSON(
      entity: "Tweet", at: "statuses", from: .url(server.url("moved"), session: session))
    #expect(report.byteCount == 52_361)
    #expect(delegate.redirections.withLock { $0 } == ["timeline.json"])
  }

  @Test func `refuses a request that no server answers`() async throws {
    let error = await #expect(throws: ImportSourceError.self) {
      try await store.importJSON(
        entity: "Tweet", from: .request(URLRequest(url: URL(filePath: "/tweets.json"))))
    }
    #expect(
      error?.description == "file:///tweets.json: expected a request by http or https, found file")
  }

  @Test func `names a status that is no success`() async throws {
    let url = server.url("missing.json")
    let error = await #expect(throws: ImportSourceError.self) {
      try await store.importJSON(entity: "Tweet", from: url)
    }
    #expect(error?.kind == .httpStatus)
    #expect(error?.httpStatus == 404)
    #expect(error?.source == url.absoluteString)
    #expect(error?.message.contains("404") == true)
  }

  @Test func `ends with the document's error, though the server would go on`() async throws {
    let error = await #expect(throws: ImportError.self) {
      try await store.importJSON(
        entity: "Tweet", at: "statuses", from: server.url("Fixtures/README.md"))
    }
    #expect(error?.location == SourceLocation(offset: 0, line: 1, column: 1))
  }

  @Test func `publishes nothing when the connection breaks`() async throws {
    await #expect(throws: (any Error).self) {
      try await store.importJSON(entity: "Tweet", from: server.url("short"))
    }
    #expect(try store.graph.count(of: "Tweet") == 0)
  }

  @Test func `says that a server cannot be reached`() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    let error = await #expect(throws: ImportSourceError.self) {
      try await store.importJSON(entity: "Tweet", from: url)
    }
    #expect(error?.kind == .connection)
    #expect(error?.underlyingError is URLError)
  }

  @Test(.timeLimit(.minutes(1)))
  func `ends when its task is cancelled`() async throws {
    let (store, url) = (store, server.url("endless"))
    let (started, begun) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await store.importJSON(entity: "Tweet", from: url) { _ in begun.yield() }
    }
    for await _ in started { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
