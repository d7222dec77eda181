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

@Suite(.timeLimit(.minutes(3))) struct `An import of pages that has stopped` {
  private static let roots = [
    ImportRoot("Issue", at: "items"), ImportRoot("Event", at: "items"),
  ]

  private let file = TemporaryDatabase()

  private func open() throws -> GraphDatabase {
    try GraphDatabase(model: IssueAPI.model(), at: file.url, configuration: .quick)
  }

  private static func expected(_ api: IssueAPI) throws -> Data {
    let store = GraphStore(model: try IssueAPI.model())
    try store.importJSON(roots, from: api.document)
    return store.graph.canonicalJSON()
  }

  private func notes() throws -> [String] { try file.rows("SELECT key, value FROM graft_note") }

  @Test(arguments: PageForm.allCases)
  func `goes on at the page that failed, when it is resumed`(form: PageForm) async throws {
    for failing in 1...3 {
      let api = try IssueAPI(form) { number, _, steps in
        number == failing ? [.answer("{}", status: "500 Oops")] : steps
      }
      let file = TemporaryDatabase()
      let database = try GraphDatabase(
        model: IssueAPI.model(), at: file.url, configuration: .quick)
      await #expect(throws: ImportSourceError.self) {
        try await database.importJSON(Self.roots, from: api.pages { $0.retries = .never })
      }
      let before = api.requests.count
      let again = try GraphDatabase(contentsOf: file.url, configuration: .quick)
      try await again.importJSON(Self.roots, from: api.pages(), resuming: true)
      #expect(try await again.graph().canonicalJSON() == Self.expected(api))
      // The page that failed is the first one that is asked for again.
      #expect(api.requests[before].target == api.requests[before - 1].target)
      #expect(api.requests.count == (form.endsAtEmptyPage ? 5 : 4))
      #expect(try file.rows("SELECT count(*) FROM graft_note") == ["0"])
    }
  }

  @Test func `begins anew where it has come to its end, or is not resumed`() async throws {
    let api = try IssueAPI()
    let database = try open()
    for isResuming in [true, true, false] {
      let before = api.requests.count
      try await database.importJSON(
        [ImportRoot("Issue", at: "items")], from: api.pages(), resuming: isResuming)
      #expect(api.requests.count == before + 3)
    }
    #expect(try await database.count(of: "Issue") == 25)
    #expect(try notes() == [])
  }

  @Test func `keeps no secrets in the database`() async throws {
    let server = try LoopbackServer { request in
      request.target.contains("pageToken=next1")
        ? [.answer("", status: "410 Gone")]
        : [
          .answer(
            "{\"items\": [{\"id\": 1}]}",
            headers: ["Link: <?page=2&api_key=5f1c&pageToken=next1>; rel=next"])
        ]
    }
    let url = try #require(
      URL(string: "http://ada:secret@127.0.0.1:\(server.port)/a?api_key=5f1c"))
    let database = try open()
    for isResuming in [false, true] {
      await #expect(throws: ImportSourceError.self) {
        try await database.importJSON(
          [ImportRoot("Issue", at: "items")], from: .pages(of: url, next: .linkHeader),
          resuming: isResuming)
      }
    }
    let note = try #require(try notes().first)
    #expect(!note.contains("5f1c") && !note.contains("secret") && note.contains("pageToken=next1"))
    let last = try #require(server.requests.last)
    #expect(server.requests.count == 3)
    #expect(
      last.target.contains("api_key=5f1c") && last.target.contains("page=2")
        && last.target.contains("pageToken=next1"))
    #expect(last.headers["authorization"] == "Basic YWRhOnNlY3JldA==")
    for rows in ["graft_import", "graft_note"] {
      #expect(try !file.rows("SELECT * FROM \(rows)").joined().contains("5f1c"))
    }
  }

  @Test func `keeps no secret that the server repeats`() async throws {
    let server = try LoopbackServer { request in
      request.target.contains("after")
        ? [.answer("", status: "410 Gone")]
        : [.answer("[]", headers: ["Link: <?access_token=5f1c&after=2>; rel=next"])]
    }
    let database = try open()
    var request = URLRequest(url: server.url("a"))
    request.setValue("Bearer 5f1c", forHTTPHeaderField: "Authorization")
    for isResuming in [false, true] {
      await #expect(throws: ImportSourceError.self) {
        try await database.importJSON(
          [ImportRoot("Issue")], from: .pages(of: request, next: .linkHeader), resuming: isResuming)
      }
      #expect(try !file.rows("SELECT * FROM graft_note").joined().contains("5f1c"))
    }
    #expect(server.requests.count == 3)
    let target = try #require(server.requests.last?.target)
    #expect(target.contains("access_token=5f1c") && target.contains("after=2"))
  }

  @Test func `is another one for another body or rule`() async throws {
    let api = try IssueAPI(.link) { number, _, steps in
      number == 2 ? [.answer("", status: "410 Gone")] : steps
    }
    let database = try open()
    func load(_ body: String, _ rule: NextPage = .link(at: "meta.next")) async throws {
      var request = URLRequest(url: api.url)
      (request.httpMethod, request.httpBody) = ("POST", Data(body.utf8))
      try await database.importJSON(
        [ImportRoot("Issue", at: "items")], from: .pages(of: request, next: rule), resuming: true)
    }
    await #expect(throws: ImportSourceError.self) { try await load("a") }
    try await load("b")
    #expect(api.requests.count == 5)
    try await load("a", .linkHeader)
    #expect(api.requests.count == 6)
    try await load("a")
    #expect(api.requests.count == 8)
  }

  @Test func `has a note whose key tells the body by its hash`() throws {
    var request = URLRequest(url: try #require(URL(string: "http://example.org/?token=5f1c")))
    (request.httpMethod, request.httpBody) = ("POST", Data("foobar".utf8))
    let key = PageProgress.key(of: request, .linkHeader, [ImportRoot("Issue", at: "items")])
    #expect(
      key == "pages of POST (6 bytes, 85944171f73967e8) http://example.org/?token=***"
        + " by link next for Issue at items")
  }

  @Test(arguments: ["projectKey", "sort_key"])
  func `is another one for another value of an ordinary parameter`(parameter: String) async throws {
    let server = try LoopbackServer { request in
      request.target.contains("after=1") && request.target.contains("=WEB")
        ? [.answer("", status: "410 Gone")]
        : [
          .answer(
            "[]",
            headers: request.target.contains("after=1")
              ? [] : ["Link: <\(request.target)&after=1>; rel=next"])
        ]
    }
    let database = try open()
    func load(_ value: String, _ token: String) async throws {
      try await database.importJSON(
        [ImportRoot("Issue")],
        from: .pages(
          of: server.url("list?\(parameter)=\(value)&api_key=\(token)"), next: .linkHeader),
        resuming: true)
    }
    await #expect(throws: ImportSourceError.self) { try await load("WEB", "a") }
    try await load("OPS", "a")
    #expect(server.requests.count == 4)
    // A secret may change.
    await #expect(throws: ImportSourceError.self) { try await load("WEB", "b") }
    #expect(server.requests.count == 5)
    #expect(try notes().allSatisfy { !$0.contains("WEB&api") && !$0.contains("=a") })
  }

  @Test func `keeps no page whose next one has no address of the web`() async throws {
    let isWrong = Atomic(true)
    let server = try LoopbackServer { request in
      if request.target == "/3" { return [.answer(#"[{"title": "c"}]"#)] }
      let next =
        request.target == "/1" ? "/2" : isWrong.load(ordering: .relaxed) ? "ftp://x/y" : "/3"
      return [
        .answer(#"[{"title": "\#(request.target)"}]"#, headers: ["Link: <\(next)>; rel=next"])
      ]
    }
    let database = try open()
    func load() async throws {
      try await database.importJSON(
        [ImportRoot("Event")], from: .pages(of: server.url("1"), next: .linkHeader), resuming: true)
    }
    await #expect(throws: ImportSourceError.self) { try await load() }
    #expect(try await database.count(of: "Event") == 1)
    isWrong.store(false, ordering: .relaxed)
    try await load()
    #expect(try await database.count(of: "Event") == 3)
  }

  @Test func `begins anew where the next request has a header of its own`() async throws {
    let server = try LoopbackServer { request in
      request.headers["x-after"] == "1" ? [.answer("", status: "410 Gone")] : [.answer("[]")]
    }
    let database = try open()
    let rule = NextPage.request { page in
      var next = page.request
      next.url = server.url("b")
      next.setValue("\(page.number)", forHTTPHeaderField: "X-After")
      return next
    }
    for isResuming in [false, true] {
      await #expect(throws: ImportSourceError.self) {
        try await database.importJSON(
          [ImportRoot("Issue")], from: .pages(of: server.url("a"), next: rule),
          resuming: isResuming)
      }
    }
    #expect(server.requests.map(\.target) == ["/a", "/b", "/a", "/b"])
  }

  @Test func `begins anew where it deletes what is missing, and says so`() async throws {
    let api = try IssueAPI { number, _, steps in
      number == 2 ? [.answer("", status: "410 Gone")] : steps
    }
    let database = try open()
    let roots = [ImportRoot("Issue", at: "items")]
    try await database.importJSON(
      roots, from: .data(Data(#"{"items": [{"id": 99999}]}"#.utf8)))
    var options = ImportOptions()
    options.deletesMissing = true
    await #expect(throws: ImportSourceError.self) {
      try await database.importJSON(roots, from: api.pages(), options: options)
    }
    let report = try await database.importJSON(
      roots, from: api.pages(), options: options, resuming: true)
    #expect(report.notices.contains { "\($0)".contains("begins anew") })
    #expect(report.count(of: "Issue").deleted == 1)
    #expect(try await database.count(of: "Issue") == 25)
  }

  @Test func `is another one for another list or other roots`() async throws {
    let api = try IssueAPI { number, _, steps in
      number == 2 ? [.answer("", status: "410 Gone")] : steps
    }
    let database = try open()
    await #expect(throws: ImportSourceError.self) {
      try await database.importJSON(Self.roots, from: api.pages())
    }
    try await database.importJSON(
      [ImportRoot("User", at: "items[*].author")], from: api.pages(), resuming: true)
    #expect(api.requests[2].target == "/issues?state=open")
    #expect(try notes().count == 1)
  }

  @Test func `ends as one that was never stopped, wherever it was cancelled`() async throws {
    let api = try IssueAPI(count: 200)
    for pause in 0..<10 {
      let file = TemporaryDatabase()
      let database = try GraphDatabase(
        model: IssueAPI.model(), at: file.url, configuration: .quick)
      let first = api.requests.count
      let task = Task { try await database.importJSON(Self.roots, from: api.pages()) }
      while api.requests.count < first + 1 + 2 * pause {
        try await Task.sleep(for: .milliseconds(1))
      }
      task.cancel()
      _ = try? await task.value
      try await database.importJSON(Self.roots, from: api.pages(), resuming: true)
      #expect(try await database.graph().canonicalJSON() == Self.expected(api), "\(pause)")
    }
  }
}
