import Foundation
import GraftSQLite
import Synchronization
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftDatabaseTests
@testable import GraftExport
@testable import GraftHTTP
@testable import GraftTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct `A network that misbehaves` {
  private static let roots = [ImportRoot("Issue", at: "items")]

  private static func expected(_ api: IssueAPI) throws -> Data {
    let store = GraphStore(model: try IssueAPI.model())
    try store.importJSON(roots, from: api.document)
    return store.graph.canonicalJSON()
  }

  /// Ways in which an answer is none, and which pass.
  enum Fault: String, CaseIterable {
    case busy, tooMany, requestTimeout, gateway, reset, resetInHead, cutOff, badChunk, stall

    func steps(_ page: [LoopbackServer.Step]) -> [LoopbackServer.Step] {
      let body = Data(#"{"items": [{"id": 0, "title": "wrong"}, {"id": 901}, {"id": "#.utf8)
      return switch self {
      case .busy: [.answer("busy", status: "503 Busy")]
      case .tooMany: [.answer("{}", status: "429 Slow down", headers: ["Retry-After: 0"])]
      case .requestTimeout: [.answer("", status: "408 Timeout")]
      case .gateway: [.answer("<html>", status: "502 Bad Gateway")]
      case .reset: [.reset]
      case .resetInHead: [.send("HTTP/1.1 200 OK\r\nContent-"), .reset]
      case .cutOff:
        [.head("200 OK", ["Content-Length: 10000"], body), .pause(seconds: 0.02), .reset]
      case .badChunk: [.head("200 OK", ["Transfer-Encoding: chunked"], Data("40\r\n".utf8) + body)]
      case .stall: [.head("200 OK", ["Content-Length: 10000"], body), .stall]
      }
    }
  }

  @Test(arguments: Fault.allCases, [false, true])
  func `changes nothing twice, where a page comes again`(
    fault: Fault, isDatabase: Bool
  )
    async throws
  {
    // Page 7 of 12 fails three times.
    let api = try IssueAPI(count: 120) { number, _, steps in
      7...9 ~= number ? fault.steps(steps) : steps
    }
    let file = TemporaryDatabase()
    let target: any ImportTarget =
      isDatabase
      ? try GraphDatabase(model: IssueAPI.model(), at: file.url, configuration: .quick)
      : GraphStore(model: try IssueAPI.model())
    try target.importJSON(Self.roots, from: Data(#"{"items": [{"id": 777}]}"#.utf8))
    var options = ImportOptions()
    options.deletesMissing = true
    let roots = [ImportRoot("Issue", at: "items"), ImportRoot("Event", at: "items")]
    let report = try await target.importJSON(
      roots, from: api.pages { if fault == .stall { $0.stallTimeout = .seconds(1) } },
      options: options)
    #expect(report.noticeCount == 0)
    #expect(report.count(of: "Issue").inserted == 120)
    // Objects without an identity would be there twice.
    #expect(report.count(of: "Event").inserted == 120)
    #expect(report.count(of: "Issue").deleted == 1)
    #expect(api.requests.count == 15)
    let graph = try #require(
      try await (target as? GraphDatabase)?.graph() ?? (target as? GraphStore)?.graph)
    #expect(try graph.count(of: "Event") == 120 && graph.count(of: "Issue") == 120)
    #expect(try graph.objects("Issue").allSatisfy { $0["title"] != .string("wrong") })
  }

  @Test func `is given up after a number of tries, with the last error`() async throws {
    let api = try IssueAPI { number, _, steps in
      number >= 3 ? [.answer(#"{"message": "Try \#(number)"}"#, status: "503 Busy")] : steps
    }
    let store = GraphStore(model: try IssueAPI.model())
    let error = await #expect(throws: ImportSourceError.self) {
      try await store.importJSON(Self.roots, from: api.pages { $0.retries.tries = 3 })
    }
    #expect(error?.message.contains(": \"Try 5\"; it was requested 3 times; on page 3, ") == true)
    #expect(api.requests.count == 5)
    #expect(try store.graph.count(of: "Issue") == 20)
  }

  @Test(arguments: [400, 401, 403, 404, 410, 422, 501])
  func `is not asked again for what it refuses`(status: Int) async throws {
    let api = try IssueAPI { _, _, _ in [.answer("{}", status: "\(status) No")] }
    let error = await #expect(throws: ImportSourceError.self) {
      try await GraphStore(model: IssueAPI.model()).importJSON(Self.roots, from: api.pages())
    }
    #expect(error?.httpStatus == status && api.requests.count == 1)
  }

  @Test func `is not asked again for a document that is wrong`() async throws {
    let api = try IssueAPI { _, _, _ in [.answer("{\"items\": [")] }
    await #expect(throws: ImportError.self) {
      try await GraphStore(model: IssueAPI.model()).importJSON(Self.roots, from: api.pages())
    }
    #expect(api.requests.count == 1)
  }

  @Test func `is not asked twice by a method that changes something, unless told`() async throws {
    for isTold in [false, true] {
      let api = try IssueAPI(.cursor) { number, _, steps in
        number == 1 ? [.answer("", status: "503 Busy")] : steps
      }
      var request = URLRequest(url: api.url)
      request.httpMethod = "POST"
      var options = HTTPOptions()
      options.retries.delay = .milliseconds(1)
      options.retries.repeatsEveryMethod = isTold
      let source = ImportSource.pages(of: request, next: PageForm.cursor.rule, options: options)
      let store = GraphStore(model: try IssueAPI.model())
      if isTold {
        try await store.importJSON(Self.roots, from: source)
        #expect(api.requests.count == 4)
      } else {
        await #expect(throws: ImportSourceError.self) {
          try await store.importJSON(Self.roots, from: source)
        }
        #expect(api.requests.count == 1)
      }
    }
  }

  @Test func `is asked again for a single answer too`() async throws {
    let server = try LoopbackServer { _ in [.answer("[{\"id\": 1}]", headers: ["ETag: \"a\""])] }
    let api = try IssueAPI { number, _, steps in
      number < 3 ? [.answer("", status: "503 Busy")] : steps
    }
    var options = HTTPOptions()
    options.retries.delay = .milliseconds(1)
    let store = GraphStore(model: try IssueAPI.model())
    let report = try await store.importJSON(
      Self.roots, from: .request(URLRequest(url: api.url), options: options))
    #expect(api.requests.count == 3)
    #expect(report.count(of: "Issue").inserted == 10)
    _ = server
  }

  @Test(arguments: [true, false])
  func `leaves the saves before a cut where an answer is never repeated`(
    isRepeated: Bool
  ) async throws {
    let server = try LoopbackServer { _ in
      let items = (0..<50).map { "{\"id\": \($0)}" }.joined(separator: ",")
      return [
        .head("200 OK", ["Content-Length: 9000"], Data("{\"items\": [\(items), ".utf8))
      ]
    }
    let file = TemporaryDatabase()
    let database = try GraphDatabase(
      model: IssueAPI.model(), at: file.url, configuration: .quick)
    var options = HTTPOptions()
    options.retries = isRepeated ? RetryPolicy() : .never
    (options.retries.tries, options.retries.delay) = (isRepeated ? 2 : 1, .milliseconds(1))
    await #expect(throws: (any Error).self) {
      try await database.importJSON(
        Self.roots, from: .request(URLRequest(url: server.url("a")), options: options),
        saveEvery: 20)
    }
    #expect(try await database.count(of: "Issue") == (isRepeated ? 0 : 40))
  }

  @Test func `takes its time, which the report counts`() async throws {
    let api = try IssueAPI { _, _, steps in [.pause(seconds: 0.1)] + steps }
    let report = try await GraphStore(model: IssueAPI.model()).importJSON(
      Self.roots, from: api.pages())
    #expect(report.duration >= .milliseconds(300))
    let single = try await GraphStore(model: IssueAPI.model()).importJSON(
      Self.roots, from: .url(api.url))
    #expect(single.duration >= .milliseconds(100))
  }

  // MARK: Times

  private static func response(_ headers: KeyValuePairs<String, String>) throws -> ImportResponse {
    ImportResponse(
      url: try #require(URL(string: "http://example.org/")), status: 429, headers: headers)
  }

  @Test(
    arguments: [
      (["Retry-After": "3"], 3_000), (["retry-after": "0"], 0), (["Retry-After": "1.5"], 1_500),
      (["Retry-After": "Wed, 21 Oct 2026 07:28:10 GMT"], 10_000),
      (["Retry-After": "Wed, 21 Oct 2026 07:27:00 GMT"], 0),
      (["Retry-After": "Wednesday, 21-Oct-26 07:28:10 GMT"], 10_000),
      (["Retry-After": "Wed Oct 21 07:28:10 2026"], 10_000),
      (["Retry-After": "Sun Nov  1 07:28:10 2026"], 950_410_000),
      (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1792567690"], 10_000),
      (["RateLimit-Remaining": "0", "RateLimit-Reset": "7"], 7_000),
      (["X-RateLimit-Remaining": "5", "X-RateLimit-Reset": "7"], nil),
      (["Retry-After": "soon"], nil), (["Retry-After": "nan"], nil), (["Retry-After": "-5"], 0),
      ([:], nil),
    ] as [(KeyValuePairs<String, String>, Int?)])
  func `says when it may be asked again`(
    headers: KeyValuePairs<String, String>, milliseconds: Int?
  ) throws {
    let now = Date(timeIntervalSince1970: 1_792_567_680)
    let time = RetryTime.asked(by: try Self.response(headers), now: now)
    #expect(time == milliseconds.map { .milliseconds($0) })
  }

  private static func failure(
    _ error: ImportSourceError, tries: Int = 1, elapsed: Duration = .zero, answered: Bool = true
  ) -> RetryPolicy.Failure {
    RetryPolicy.Failure(
      error: error, tries: tries, elapsed: elapsed, hasServerAnswered: answered)
  }

  private static func error(
    _ status: Int, _ headers: KeyValuePairs<String, String> = [:]
  ) throws -> ImportSourceError {
    let url = try #require(URL(string: "http://example.org/"))
    return ImportSourceError(
      .httpStatus, response: ImportResponse(url: url, status: status, headers: headers),
      body: Data(), message: "no")
  }

  @Test func `is given more time after each try, up to a limit`() throws {
    let request = URLRequest(url: try #require(URL(string: "http://example.org/")))
    var policy = RetryPolicy()
    policy.tries = 100
    policy.longestDelay = .seconds(10)
    for (tries, seconds) in [(1, 1.0), (2, 2), (3, 4), (4, 8), (5, 10), (60, 10)] {
      let delay = try #require(
        policy.delay(after: Self.failure(Self.error(503), tries: tries), of: request))
      #expect(delay >= .seconds(seconds * 0.75) && delay <= .seconds(min(seconds * 1.25, 10)))
    }
    #expect(policy.delay(after: Self.failure(try Self.error(503), tries: 100), of: request) == nil)
    policy.timeLimit = .seconds(5)
    #expect(
      policy.delay(
        after: Self.failure(try Self.error(503), tries: 4, elapsed: .seconds(4)), of: request)
        == nil)
    let asks = try Self.error(429, ["Retry-After": "3"])
    #expect(policy.delay(after: Self.failure(asks), of: request) == .seconds(3))
    let long = try Self.error(429, ["Retry-After": "11"])
    #expect(policy.delay(after: Self.failure(long), of: request) == nil)
    // A limit of requests may be a 403.
    #expect(
      policy.delay(after: Self.failure(try Self.error(403, ["Retry-After": "2"])), of: request)
        == .seconds(2))
    #expect(policy.delay(after: Self.failure(try Self.error(403)), of: request) == nil)
  }

  @Test func `says why it is not asked again`() throws {
    let policy = RetryPolicy()
    let long = try Self.error(429, ["Retry-After": "300"])
    #expect(
      policy.remark(on: Self.failure(long, tries: 2))
        == "; it was requested 2 times; the server asks to wait 300 s, longer than the limit of 120 s: import again"
        + " after that time")
    #expect(
      policy.remark(on: Self.failure(try Self.error(503), tries: 5)) == "; it was requested 5 times"
    )
    #expect(policy.remark(on: Self.failure(try Self.error(404, ["Retry-After": "300"]))) == "")
    #expect(policy.remark(on: Self.failure(try Self.error(404))) == "")
  }

  @Test(arguments: [
    (URLError.Code.networkConnectionLost, true, true), (.timedOut, true, true),
    (.cannotConnectToHost, true, false), (.cannotFindHost, true, false),
    (.serverCertificateUntrusted, false, false), (.badServerResponse, false, false),
  ])
  func `is asked again where its address is right`(
    code: URLError.Code, isRepeated: Bool, isRepeatedAtFirst: Bool
  ) throws {
    let request = URLRequest(url: try #require(URL(string: "http://example.org/")))
    let error = ImportSourceError(
      .connection, source: "a", message: "b", underlyingError: URLError(code))
    let policy = RetryPolicy()
    #expect((policy.delay(after: Self.failure(error), of: request) != nil) == isRepeated)
    #expect(
      (policy.delay(after: Self.failure(error, answered: false), of: request) != nil)
        == isRepeatedAtFirst)
  }

  @Test func `is sent no more requests a second than it allows`() async throws {
    let api = try IssueAPI()
    let start = ContinuousClock.now
    try await GraphStore(model: IssueAPI.model()).importJSON(
      Self.roots, from: api.pages { $0.requestsPerSecond = 10 })
    #expect(ContinuousClock.now - start >= .milliseconds(200))
  }

  @Test func `takes only limits that can be kept to`() async throws {
    let changes: [@Sendable (inout HTTPOptions) -> Void] = [
      { $0.requestsPerSecond = 0 }, { $0.requestsPerSecond = .nan },
      { $0.requestsPerSecond = 1e-30 }, { $0.pageLimit = 0 },
      { $0.retries.tries = 0 }, { $0.stallTimeout = .seconds(-1) },
      { $0.retries.delay = .seconds(-1) },
    ]
    let api = try IssueAPI()
    for change in changes {
      await #expect(throws: ImportError.self) {
        try await GraphStore(model: IssueAPI.model()).importJSON(
          Self.roots, from: api.pages(change))
      }
    }
    #expect(api.requests.isEmpty)
  }
}
