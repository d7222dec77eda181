import Foundation
import GraftHTTP
import GraftSQLite
import Synchronization
import Testing

@testable import Graft
@testable import GraftDatabase
@testable import GraftDatabaseTests
@testable import GraftExport
@testable import GraftTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(3))) struct `The pages of an API` {
  private static let roots = [ImportRoot("Issue", at: "items")]

  /// What one document with all issues gives.
  private static func expected(_ api: IssueAPI) throws -> Data {
    let store = GraphStore(model: try IssueAPI.model())
    try store.importJSON(roots, from: api.document)
    return store.graph.canonicalJSON()
  }

  private static func store() throws -> GraphStore { GraphStore(model: try IssueAPI.model()) }

  // MARK: Forms

  @Test(arguments: PageForm.allCases)
  func `give what one document gives, in memory`(form: PageForm) async throws {
    let api = try IssueAPI(form)
    let store = try Self.store()
    let report = try await store.importJSON(Self.roots, from: api.pages())
    #expect(try store.graph.canonicalJSON() == Self.expected(api))
    #expect(report.count(of: "Issue").inserted == 25)
    #expect(report.roots.map(\.objects) == [25])
    #expect(report.noticeCount == 0 && report.issueCount == 0)
    let pageCount = form.endsAtEmptyPage ? 4 : 3
    #expect(api.requests.count == pageCount)
    #expect(
      api.requests.allSatisfy { $0.target.contains("state=open") || form == .relativeLinkHeader })
  }

  @Test(arguments: PageForm.allCases)
  func `give what one document gives, in a database`(form: PageForm) async throws {
    let api = try IssueAPI(form)
    let file = TemporaryDatabase()
    let database = try GraphDatabase(
      model: IssueAPI.model(), at: file.url, configuration: .quick)
    try await database.importJSON(Self.roots, from: api.pages())
    #expect(try await database.graph().canonicalJSON() == Self.expected(api))
  }

  @Test(arguments: [0, 1, 9, 10, 11, 20], PageForm.allCases)
  func `may be any number of any size`(count: Int, form: PageForm) async throws {
    let api = try IssueAPI(form, count: count)
    let store = try Self.store()
    try await store.importJSON(Self.roots, from: api.pages())
    #expect(try store.graph.canonicalJSON() == Self.expected(api))
  }

  @Test func `begin where the request says`() async throws {
    let api = try IssueAPI(.pageNumber)
    let store = try Self.store()
    let source = ImportSource.pages(
      of: api.server.url("issues?page=2&q=a%2Bb+c"), next: .pageNumber(parameter: "page"))
    try await store.importJSON(Self.roots, from: source)
    #expect(try store.graph.count(of: "Issue") == 15)
    #expect(api.requests.map(\.target) == [2, 3, 4].map { "/issues?page=\($0)&q=a%2Bb+c" })
  }

  @Test func `have the method, the headers and the body of the request`() async throws {
    let api = try IssueAPI(.cursor)
    var request = URLRequest(url: api.url)
    request.httpMethod = "POST"
    request.httpBody = Data("{}".utf8)
    request.setValue("Bearer 5f1c", forHTTPHeaderField: "Authorization")
    try await Self.store().importJSON(
      Self.roots, from: .pages(of: request, next: PageForm.cursor.rule))
    #expect(api.requests.count == 3)
    #expect(
      api.requests.allSatisfy {
        $0.method == "POST" && $0.headers["authorization"] == "Bearer 5f1c"
          && $0.body == Data("{}".utf8)
      })
  }

  #if os(Linux)
  @Test func `that are requested again have the cookies of the server`() async throws {
    let count = Atomic(0)
    let server = try LoopbackServer { request in
      let number = count.add(1, ordering: .relaxed).newValue
      if number == 2 { return [.answer("busy", status: "503 Busy")] }
      let next =
        number == 1 ? [#"Link: </next>; rel="next""#, "Set-Cookie: session=1; Path=/"] : []
      return [.answer("[{\"id\": \(number)}]", headers: next)]
    }
    var options = HTTPOptions()
    options.retries.delay = .zero
    try await Self.store().importJSON(
      entity: "Issue", from: .pages(of: server.url("first"), next: .linkHeader, options: options))
    #expect(server.requests.map { $0.headers["cookie"] } == [nil, "session=1", "session=1"])
  }

  @Test func `come over one connection, with the cookies of the server`() async throws {
    let server = try LoopbackServer(keepsConnections: true) { request in
      let number = Int(request.target.dropFirst()) ?? 0
      let next = number < 9 ? ["Link: </\(number + 1)>; rel=next"] : []
      return [
        .answer("[{\"id\": \(number)}]", headers: ["Set-Cookie: page=\(number); Path=/"] + next)
      ]
    }
    let store = try Self.store()
    try await store.importJSON(
      entity: "Issue", from: .pages(of: server.url("1"), next: .linkHeader))
    #expect(try store.graph.count(of: "Issue") == 9)
    #expect(server.connectionCount == 1)
    #expect(server.requests.map { $0.headers["cookie"] } == [nil] + (1...8).map { "page=\($0)" })
  }
  #endif

  @Test func `may be streams of documents`() async throws {
    let server = try LoopbackServer { request in
      let isFirst = request.target == "/1"
      return [
        .answer(
          isFirst ? "{\"id\": 1}\n{\"id\": 2}\n" : "{\"id\": 3}\n",
          headers: ["Content-Type: application/x-ndjson"]
            + (isFirst ? ["Link: </2>; rel=next"] : []))
      ]
    }
    let store = try Self.store()
    try await store.importJSON(
      entity: "Issue", from: .pages(of: server.url("1"), next: .linkHeader))
    #expect(try store.graph.count(of: "Issue") == 3)
  }

  @Test func `may be captured deep in the document, before and after the objects`() async throws {
    let server = try LoopbackServer { request in
      switch request.target {
      case "/1":
        [
          .answer(
            #"{"a": [0, {"l": [{"href": "/2"}, {"href": "/x"}], "items": [{"id": 1}]}], "z": 1}"#)
        ]
      case "/2":
        [
          .answer(
            #"{"a": [0, {"items": [{"id": 2, "l": [{"href": "/y"}]}], "l": [{"href": "/3"}]}]}"#)
        ]
      default: [.answer(#"{"a": [0, {"items": [{"id": 3}], "l": {"href": "/x"}}]}"#)]
      }
    }
    for engine in ParserOptions.Engine.allCases {
      let store = try Self.store()
      var options = ImportOptions()
      options.parser.engine = engine
      options.chunkSize = 3
      try await store.importJSON(
        entity: "Issue", at: "a[1].items",
        from: .pages(of: server.url("1"), next: .link(at: "a[1].l[0].href")), options: options)
      #expect(try store.graph.count(of: "Issue") == 3)
    }
  }

  @Test(arguments: ["items[*].next", "items.*", "@key"] as [JSONPath])
  func `name their next one at one place`(path: JSONPath) async throws {
    let api = try IssueAPI()
    let error = await #expect(throws: ImportError.self) {
      try await Self.store().importJSON(
        Self.roots, from: .pages(of: api.url, next: .link(at: path)))
    }
    #expect(error?.message.contains("expected names and indexes, such as \"meta.next\"") == true)
    #expect(api.requests.isEmpty)
  }

  // MARK: Ends

  @Test(arguments: [("meta.nxt", 1, 1), ("meta.next", 2, 0), ("meta.none", 1, 0)])
  func `end at the first where nothing names the next, which a notice tells`(
    path: String, count: Int, notices: Int
  ) async throws {
    let server = try LoopbackServer { request in
      request.target == "/1"
        ? [.answer(#"{"items": [{"id": 1}], "meta": {"next": "/2", "none": null}}"#)]
        : [.answer(#"{"items": [{"id": 2}]}"#)]
    }
    let store = try Self.store()
    let report = try await store.importJSON(
      Self.roots, from: .pages(of: server.url("1"), next: .link(at: try JSONPath(path))))
    #expect(try store.graph.count(of: "Issue") == count)
    #expect(report.noticeCount == notices)
    #expect(
      report.notices.allSatisfy {
        $0.error.message.hasPrefix("nothing is at \"meta.nxt\" of the first page")
      })
  }

  @Test func `end where a page leads back, which a notice tells`() async throws {
    let server = try LoopbackServer { request in
      let number = Int(request.target.dropFirst()) ?? 0
      return [
        .answer("[{\"id\": \(number)}]", headers: ["Link: </\(number % 3 + 1)>; rel=next"])
      ]
    }
    let store = try Self.store()
    try store.importJSON(entity: "Issue", from: Data(#"[{"id": 9}]"#.utf8))
    var options = ImportOptions()
    options.deletesMissing = true
    let report = try await store.importJSON(
      entity: "Issue", from: .pages(of: server.url("1"), next: .linkHeader), options: options)
    #expect(server.requests.count == 3)
    #expect(
      report.notices.map(\.description) == [
        "page 3 names a page as the next one that has been read before; the import ends there",
        "nothing that is missing was deleted: a list of pages was not read to its end",
      ])
    #expect(try store.graph.count(of: "Issue") == 4)
  }

  @Test(arguments: [
    NextPage.pageNumber(parameter: "pg"), .offset(parameter: "from", limit: 10),
    .request { $0.request(setting: "x", to: "\($0.number)") },
  ])
  func `end with an error where the server gives the same one again`(rule: NextPage) async throws {
    let api = try IssueAPI(.pageNumber)
    let error = await #expect(throws: ImportError.self) {
      try await Self.store().importJSON(Self.roots, from: .pages(of: api.url, next: rule))
    }
    #expect(error?.message.hasPrefix("the server answers with the same page again") == true)
    #expect(api.requests.count == 2)
  }

  @Test func `may begin alike`() async throws {
    let server = try LoopbackServer { request in
      let number =
        request.target.hasSuffix("page=2") ? 2 : request.target.hasSuffix("page=3") ? 3 : 1
      let items = number < 3 ? #"{"id": \#(number)}"# : ""
      let padding = String(repeating: "-", count: 8_000)
      return [.answer(#"{"meta": "\#(padding)", "items": [\#(items)]}"#)]
    }
    let store = try Self.store()
    try await store.importJSON(
      Self.roots,
      from: .pages(of: server.url("issues"), next: .pageNumber(parameter: "page", from: 1)))
    #expect(try store.graph.count(of: "Issue") == 2)
  }

  @Test func `are not published where the server gives the same one again`() async throws {
    let server = try LoopbackServer { _ in [.answer(#"[{"title": "a"}]"#)] }
    let file = TemporaryDatabase()
    let database = try GraphDatabase(
      model: IssueAPI.model(), at: file.url, configuration: .quick)
    let pages = ImportSource.pages(of: server.url("1"), next: .pageNumber(parameter: "page"))
    for _ in 1...3 {
      await #expect(throws: ImportError.self) {
        try await database.importJSON([ImportRoot("Event")], from: pages, resuming: true)
      }
    }
    // Of each import that was resumed, its only page was the one before it.
    #expect(try await database.count(of: "Event") == 3)
  }

  @Test func `may be equal where each names the next`() async throws {
    let server = try LoopbackServer { request in
      let number = Int(request.target.dropFirst()) ?? 0
      return [
        .answer(
          #"[{"title": "a"}, {"title": "a"}]"#,
          headers: number < 3 ? ["Link: </\(number + 1)>; rel=next"] : [])
      ]
    }
    let store = try Self.store()
    try await store.importJSON(
      entity: "Event", from: .pages(of: server.url("1"), next: .linkHeader))
    #expect(try store.graph.count(of: "Event") == 6)
  }

  @Test(arguments: [ImportOptions.ErrorPolicy.skipValue, .skipObject])
  func `begin after the objects that the server has sent, whatever was skipped`(
    policy: ImportOptions.ErrorPolicy
  ) async throws {
    // The server caps a page at three objects, and one of them is wrong.
    let server = try LoopbackServer { request in
      let offset =
        request.target.firstRange(of: "offset=")
        .flatMap { Int(request.target[$0.upperBound...].prefix { $0.isNumber }) } ?? 0
      let items = (offset..<min(offset + 3, 10)).map {
        #"{"id": \#($0), "updatedAt": \#($0 == 1 ? #""nonsense""# : "1700000000")}"#
      }
      return [.answer("[\(items.joined(separator: ","))]")]
    }
    let store = try Self.store()
    var options = ImportOptions()
    options.errorPolicy = policy
    try await store.importJSON(
      entity: "Issue", from: .pages(of: server.url("a"), next: .offset(limit: 100)),
      options: options)
    #expect(try store.graph.count(of: "Issue") == (policy == .skipValue ? 10 : 9))
    #expect(server.requests.count == 5)
  }

  @Test(arguments: [
    (#"{"href": "/2"}"#, "an object"), (#"["/2"]"#, "an array"), ("{}", "an object"),
  ])
  func `end with an error where something else is in the place of the next`(
    next: String, found: String
  ) async throws {
    let server = try LoopbackServer { _ in
      [.answer(#"{"meta": {"next": \#(next)}, "items": [{"id": 1}]}"#)]
    }
    for rule in [NextPage.link(at: "meta.next"), .cursor(at: "meta.next", parameter: "after")] {
      let error = await #expect(throws: ImportError.self) {
        try await Self.store().importJSON(Self.roots, from: .pages(of: server.url("1"), next: rule))
      }
      #expect(error?.message.contains("at meta.next") == true)
      #expect(error?.message.contains("found \(found)") == true)
    }
  }

  @Test func `go back to their first server with its headers`() async throws {
    let other = Mutex<LoopbackServer?>(nil)
    let server = try LoopbackServer { request in
      let address = other.withLock { $0?.url("2").absoluteString } ?? ""
      return [
        .answer("[]", headers: request.target == "/1" ? ["Link: <\(address)>; rel=next"] : [])
      ]
    }
    other.withLock { [server] in
      $0 = try? LoopbackServer { _ in
        [.answer("[]", headers: ["Link: <\(server.url("3").absoluteString)>; rel=next"])]
      }
    }
    var request = URLRequest(url: server.url("1"))
    request.setValue("Bearer 5f1c", forHTTPHeaderField: "Authorization")
    try await Self.store().importJSON(
      entity: "Issue", from: .pages(of: request, next: .linkHeader))
    #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer 5f1c", "Bearer 5f1c"])
    #expect(other.withLock { $0?.requests.first?.headers["authorization"] } == nil)
  }

  @Test(arguments: [
    ("1?q=caf%C3%A9&page[size]=5", "/1?q=caf%C3%A9&page%5Bsize%5D=5"),
    ("2?filter=a%20b&p[n]=2#x", "/2?filter=a%20b&p%5Bn%5D=2"),
    ("3?a=100%&b=%zz", "/3?a=100%25&b=%25zz"),
  ])
  func `have the address that the server has written`(address: String, target: String) async throws
  {
    let server = try LoopbackServer { request in
      [.answer("[]", headers: request.target == "/0" ? ["Link: <\(address)>; rel=next"] : [])]
    }
    try await Self.store().importJSON(
      entity: "Issue", from: .pages(of: server.url("0"), next: .linkHeader))
    #expect(server.requests.map(\.target) == ["/0", target])
  }

  @Test func `may be empty in between, where each names the next`() async throws {
    let server = try LoopbackServer { request in
      let number = Int(request.target.dropFirst()) ?? 0
      return [
        .answer(
          number == 5 ? "[{\"id\": 1}]" : "[]",
          headers: number < 5 ? ["Link: </\(number + 1)>; rel=next"] : [])
      ]
    }
    let store = try Self.store()
    try await store.importJSON(
      entity: "Issue", from: .pages(of: server.url("1"), next: .linkHeader))
    #expect(try store.graph.count(of: "Issue") == 1)
  }

  @Test func `end at a limit, which a notice tells`() async throws {
    let api = try IssueAPI()
    let store = try Self.store()
    let report = try await store.importJSON(Self.roots, from: api.pages { $0.pageLimit = 2 })
    #expect(api.requests.count == 2)
    #expect(
      report.notices.map(\.description) == [
        "the import ends after 2 pages, its limit; more follow"
      ])
    #expect(try store.graph.count(of: "Issue") == 20)
    let all = try await Self.store().importJSON(Self.roots, from: api.pages { $0.pageLimit = 3 })
    #expect(all.noticeCount == 0)
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://example.org/", "http://", "javascript:alert(1)", "data:,[]",
  ])
  func `never lead away from the web`(address: String) async throws {
    let server = try LoopbackServer { _ in
      [.answer(#"{"items": [{"id": 1}], "next": "\#(address)"}"#)]
    }
    let store = try Self.store()
    let error = await #expect(throws: ImportSourceError.self) {
      try await store.importJSON(
        Self.roots, from: .pages(of: server.url("1"), next: .link(at: "next")))
    }
    #expect(error?.kind == .unsupportedURL)
    #expect(error?.message.contains("for the next page, found \"\(address)\"") == true)
    // A page whose next one is not known could not be told from one that is still to come.
    #expect(try store.graph.count(of: "Issue") == 0)
  }

  @Test func `carry what gives access to their own server only`() async throws {
    let other = try LoopbackServer { _ in [.answer("[{\"id\": 2}]")] }
    let server = try LoopbackServer { [other] request in
      request.target == "/1?token=5f1c"
        ? [.answer("[{\"id\": 1}]", headers: ["Link: </2>; rel=next"])]
        : [
          .answer("[{\"id\": 3}]", headers: ["Link: <\(other.url("x").absoluteString)>; rel=next"])
        ]
    }
    var request = URLRequest(
      url: try #require(URL(string: "http://ada:secret@127.0.0.1:\(server.port)/1?token=5f1c")))
    request.setValue("k", forHTTPHeaderField: "X-Api-Key")
    request.setValue("tags", forHTTPHeaderField: "X-Name")
    request.setValue("text/x", forHTTPHeaderField: "Accept")
    let report = try await Self.store().importJSON(
      entity: "Issue", from: .pages(of: request, next: .linkHeader))
    #expect(server.requests.count == 2 && other.requests.count == 1)
    #expect(server.requests.allSatisfy { $0.headers["authorization"] == "Basic YWRhOnNlY3JldA==" })
    #expect(server.requests.allSatisfy { $0.headers["x-api-key"] == "k" })
    let last = try #require(other.requests.first)
    #expect(last.headers["authorization"] == nil && last.headers["x-api-key"] == nil)
    // Its name does not tell whether a header gives access.
    #expect(last.headers["x-name"] == nil && last.headers["accept"] == "text/x")
    #expect(!String(reflecting: report).contains("secret"))
  }

  // MARK: Together

  @Test(arguments: [false, true])
  func `delete what none of them mentions, at their end`(isDatabase: Bool) async throws {
    let api = try IssueAPI()
    let file = TemporaryDatabase()
    let target: any ImportTarget =
      isDatabase
      ? try GraphDatabase(model: IssueAPI.model(), at: file.url, configuration: .quick)
      : try Self.store()
    try target.importJSON(
      Self.roots, from: Data(#"{"items": [{"id": 3}, {"id": 24}, {"id": 77}, {"id": 78}]}"#.utf8))
    var options = ImportOptions()
    options.deletesMissing = true
    let report = try await target.importJSON(Self.roots, from: api.pages(), options: options)
    #expect(report.count(of: "Issue").deleted == 2)
    #expect(report.count(of: "Issue").inserted == 23)
  }

  @Test(arguments: [false, true])
  func `delete nothing where one of them fails, and keep those before it`(
    isDatabase: Bool
  )
    async throws
  {
    let api = try IssueAPI { number, _, steps in
      number == 3 ? [.answer("{\"items\": [{\"id\": 24}, {\"id\": [")] : steps
    }
    let file = TemporaryDatabase()
    let target: any ImportTarget =
      isDatabase
      ? try GraphDatabase(model: IssueAPI.model(), at: file.url, configuration: .quick)
      : try Self.store()
    try target.importJSON(Self.roots, from: Data(#"{"items": [{"id": 77}]}"#.utf8))
    var options = ImportOptions()
    options.deletesMissing = true
    let error = await #expect(throws: ImportError.self) {
      try await target.importJSON(Self.roots, from: api.pages(), options: options)
    }
    #expect(
      error?.message.contains("; on page 3, \(api.server.url("issues?state=open&after=20"))")
        == true)
    let graph = try await (target as? GraphDatabase)?.graph() ?? (target as? GraphStore)?.graph
    #expect(try graph?.count(of: "Issue") == 21)
  }

  @Test func `belong to the group of the options`() async throws {
    let first = try IssueAPI()
    let store = try Self.store()
    try store.importJSON(Self.roots, from: Data(#"{"items": [{"id": 77}, {"id": 78}]}"#.utf8))
    try await store.importGroup { group in
      var options = ImportOptions()
      options.deletesMissing = true
      options.group = group
      try await store.importJSON(Self.roots, from: first.pages(), options: options)
      try await store.importJSON(
        Self.roots, from: .data(Data(#"{"items": [{"id": 78}]}"#.utf8)), options: options)
    }
    #expect(try store.graph.count(of: "Issue") == 26)
  }

  @Test func `tell their number and their bytes while they come`() async throws {
    let api = try IssueAPI()
    let notes = Mutex<[ImportProgress]>([])
    let report = try await Self.store().importJSON(Self.roots, from: api.pages()) { progress in
      notes.withLock { $0.append(progress) }
    }
    let told = notes.withLock { $0 }
    #expect(told.compactMap(\.page) == [1, 2, 3])
    #expect(told.map(\.byteCount) == told.map(\.byteCount).sorted())
    #expect(told.last?.byteCount == report.byteCount)
    #expect(report.response?.url.absoluteString.hasSuffix("after=20") == true)
  }

  @Test func `change nothing in a dry run`() async throws {
    let api = try IssueAPI()
    let store = try Self.store()
    let report = try await store.importJSON(
      Self.roots, from: api.pages(),
      options: .with {
        $0.isDryRun = true
        $0.deletesMissing = true
      })
    #expect(report.count(of: "Issue").inserted == 25)
    #expect(try store.graph.count(of: "Issue") == 0)
  }

  @Test func `do not tell in a dry run which objects would be deleted`() async throws {
    let store = try Self.store()
    try await store.importJSON(
      Self.roots, from: .data(Data(#"{"items": [{"id": 1}, {"id": 1000}]}"#.utf8)))
    let api = try IssueAPI()
    let report = try await store.importJSON(
      Self.roots, from: api.pages(),
      options: .with {
        $0.isDryRun = true
        $0.deletesMissing = true
      })
    #expect(report.deletedCount == 0)
    #expect(report.notices.contains { $0.error.message.contains("would be deleted") })
  }

  @Test func `end at the first without the header of the rule, which a notice tells`() async throws
  {
    let api = try IssueAPI(.linkInHeader)
    for (rule, count) in [(NextPage.header("X-Nxt"), 10), (.header("X-Next"), 25)] {
      let store = try Self.store()
      let report = try await store.importJSON(
        Self.roots, from: .pages(of: api.url, next: rule))
      #expect(try store.graph.count(of: "Issue") == count)
      #expect(
        report.notices.map(\.error.message).contains { $0.contains("no header X-Nxt") }
          == (count == 10))
    }
  }

  @Test func `are not asked for without end where each object is skipped`() async throws {
    let server = try LoopbackServer { _ in [.answer(#"[{"title": "a"}, {"title": "b"}]"#)] }
    let error = await #expect(throws: ImportError.self) {
      try await Self.store().importJSON(
        entity: "Issue",
        from: .pages(of: server.url("a"), next: .pageNumber(parameter: "page")),
        options: .with { $0.errorPolicy = .skipObject })
    }
    #expect(error?.message.contains("the same page again") == true)
    #expect(server.requests.count == 2)
  }

  @Test(arguments: [
    NextPage.pageNumber(parameter: "page", total: .objects(at: "total")),
    .offset(limit: 2, total: .objects(at: "total")),
  ])
  func `end at a total that counts what is skipped`(rule: NextPage) async throws {
    let server = try LoopbackServer { request in
      let isSecond = request.target.contains("page=2") || request.target.contains("offset=2")
      let isFirst = request.target.contains("page=1") || request.target.contains("offset=0")
      guard isFirst || isSecond else { return [.answer("", status: "404 Not Found")] }
      let items = isFirst ? #"{"id": 1}, {"title": "nameless"}"# : #"{"id": 3}"#
      return [.answer(#"{"total": 3, "items": [\#(items)]}"#)]
    }
    let store = try Self.store()
    let report = try await store.importJSON(
      Self.roots, from: .pages(of: server.url("a"), next: rule),
      options: .with { $0.errorPolicy = .skipObject })
    #expect(try store.graph.count(of: "Issue") == 2)
    #expect(report.issueCount == 1 && server.requests.count == 2)
  }

  /// Imports pages of orders with items into a store that has the items 1 to 4, and deletes what is missing.
  private static func importOrders(
    _ pages: [String], _ roots: [ImportRoot], _ rule: NextPage
  ) async throws -> (items: [AttributeValue?], requestCount: Int) {
    let store = GraphStore(
      model: try GraphModel(entities: [.make("Order"), .make("Item")], dialect: .graft))
    try store.importJSON(
      entity: "Item", from: Data(#"[{"id":1},{"id":2},{"id":3},{"id":4}]"#.utf8))
    let server = try LoopbackServer { request in
      let number = request.target.split(separator: "=").last.flatMap { Int($0) } ?? 1
      return [.answer(number <= pages.count ? pages[number - 1] : #"{"total":4,"orders":[]}"#)]
    }
    _ = try await store.importJSON(
      roots, from: .pages(of: server.url("orders"), next: rule),
      options: .with { $0.deletesMissing = true })
    return (try store.graph.objects("Item").map { $0["id"] }, server.requests.count)
  }

  @Test(arguments: [
    [ImportRoot("Order", at: "orders"), ImportRoot("Item", at: "orders[*].items")],
    [ImportRoot("Item", at: "orders[*].items"), ImportRoot("Order", at: "orders")],
    [ImportRoot("Item", at: "orders[*].items")],
  ])
  func `end at a total of the list's elements, and not of objects in them`(
    roots: [ImportRoot]
  ) async throws {
    let pages = [
      #"{"total":4,"orders":[{"id":1,"items":[{"id":1},{"id":2},{"id":3}]},{"id":2,"items":[{"id":5}]}]}"#,
      #"{"total":4,"orders":[{"id":3,"items":[]},{"id":4,"items":[{"id":4}]}]}"#,
    ]
    let rule = NextPage.pageNumber(parameter: "page", total: .objects(at: "total"))
    let found = try await Self.importOrders(pages, roots, rule)
    #expect(found.items == [1, 2, 3, 4, 5].map { .integer($0) })
    // Without the list itself nothing tells how many of its elements came.
    #expect(found.requestCount == (roots.count == 2 ? 2 : 3))
  }

  @Test(arguments: ["$.*", "rows[1:]", "items[*].node", "items"])
  func `follow the objects that came, where a server gives fewer than the limit`(
    path: String
  ) async throws {
    let server = try LoopbackServer { request in
      let query = URLComponents(string: request.target)?.queryItems ?? []
      let offset = query.first { $0.name == "offset" }?.value.flatMap { Int($0) } ?? 0
      let ids = Array((1...7).dropFirst(offset).prefix(2))
      let objects = ids.map { #"{"id":\#($0)}"# }
      let text =
        switch path {
        case "$.*":
          "{" + zip(ids, objects).map { #""k\#($0)":\#($1)"# }.joined(separator: ",") + "}"
        case "rows[1:]": #"{"rows":[\#((["{}"] + objects).joined(separator: ","))]}"#
        case "items": #"{"items":[\#(objects.joined(separator: ","))]}"#
        default: #"{"items":[\#(objects.map { #"{"node":\#($0)}"# }.joined(separator: ","))]}"#
        }
      return [.answer(text)]
    }
    let store = GraphStore(model: try GraphModel(entities: [.make("Item")], dialect: .graft))
    try await store.importJSON(
      [ImportRoot("Item", at: path)],
      from: .pages(of: server.url("a"), next: .offset(limit: 5)))
    #expect(try store.graph.count(of: "Item") == 7)
    #expect(server.requests.count == 5)
  }

  @Test func `end at a total of the first list, with others beside it`() async throws {
    let server = try LoopbackServer { request in
      let number = request.target.split(separator: "=").last.flatMap { Int($0) } ?? 1
      guard number <= 4 else { return [.answer("", status: "404 Not Found")] }
      let items = (number * 2 - 1...min(number * 2, 7)).map { #"{"id":\#($0)}"# }
      return [
        .answer(#"{"total":7,"items":[\#(items.joined(separator: ","))],"users":[{"id":1}]}"#)
      ]
    }
    let store = GraphStore(
      model: try GraphModel(entities: [.make("Item"), .make("User")], dialect: .graft))
    try await store.importJSON(
      [ImportRoot("Item", at: "items"), ImportRoot("User", at: "users")],
      from: .pages(
        of: server.url("a"), next: .pageNumber(parameter: "page", total: .objects(at: "total"))))
    #expect(try store.graph.count(of: "Item") == 7)
    #expect(server.requests.count == 4)
  }

  @Test(arguments: ["[{\"items\":[]}]", "[null,null]"])
  func `do not end at a page whose elements have no objects`(orders: String) async throws {
    let pages = [
      #"{"orders":[{"items":[{"id":1}]}]}"#, #"{"orders":\#(orders)}"#,
      #"{"orders":[{"items":[{"id":4}]}]}"#,
    ]
    let found = try await Self.importOrders(
      pages, [ImportRoot("Item", at: "orders[*].items")], .pageNumber(parameter: "page"))
    #expect(found.items == [.integer(1), .integer(4)])
    #expect(found.requestCount == 4)
  }

  @Test func `may differ in a header only`() async throws {
    let server = try LoopbackServer { request in
      let number = request.headers["x-continue"].flatMap { Int($0) } ?? 1
      let next = number < 3 ? ["X-Continue: \(number + 1)"] : []
      return [.answer(#"[{"id": \#(number)}]"#, headers: next)]
    }
    let store = try Self.store()
    let report = try await store.importJSON(
      entity: "Issue",
      from: .pages(
        of: server.url("a"),
        next: .request { page in
          guard let place = page.response["X-Continue"] else { return nil }
          var next = page.request
          next.setValue(place, forHTTPHeaderField: "X-Continue")
          return next
        }))
    #expect(try store.graph.count(of: "Issue") == 3 && report.noticeCount == 0)
  }

  @Test(arguments: [NextPage.linkHeader, .pageNumber(parameter: "page")])
  func `without content are pages without objects, the first one too`(
    rule: NextPage
  ) async throws {
    let server = try LoopbackServer { _ in [.answer("", status: "204 No Content")] }
    let store = try Self.store()
    try store.importJSON(entity: "Issue", from: Data(#"[{"id": 1}]"#.utf8))
    let report = try await store.importJSON(
      entity: "Issue", from: .pages(of: server.url("a"), next: rule),
      options: .with { $0.deletesMissing = true })
    #expect(server.requests.count == 1 && report.entities.isEmpty)
    #expect(try store.graph.count(of: "Issue") == 1)
  }

  @Test(arguments: [(0, 2, 2), (1, 3, 2), (1, 0, 4)])
  func `end at their number, wherever they begin`(
    first: Int, begin: Int, count: Int
  ) async throws {
    let server = try LoopbackServer { request in
      let number = request.target.split(separator: "=").last.flatMap { Int($0) } ?? 0
      guard number < 4 + min(first, begin) else { return [.answer("", status: "404 Not Found")] }
      return [.answer(#"{"pages": 4, "items": [{"id": \#(number)}]}"#)]
    }
    let store = try Self.store()
    let rule = NextPage.pageNumber(parameter: "page", from: first, total: .pages(at: "pages"))
    let address = server.url("issues?page=\(begin)")
    try await store.importJSON(Self.roots, from: .pages(of: address, next: rule))
    #expect(try store.graph.count(of: "Issue") == count)
    #expect(server.requests.count == count)
  }

  @Test(arguments: [(0, 4), (4, 2)])
  func `end at their number by offsets, too`(begin: Int, count: Int) async throws {
    let server = try LoopbackServer { request in
      let query = URLComponents(string: request.target)?.queryItems ?? []
      let offset = query.first { $0.name == "offset" }?.value.flatMap { Int($0) } ?? 0
      guard offset < 8 else { return [.answer("", status: "404 Not Found")] }
      let items = #"{"id": \#(offset)}, {"id": \#(offset + 1)}"#
      return [.answer(#"{"pages": 4, "items": [\#(items)]}"#)]
    }
    let store = try Self.store()
    try await store.importJSON(
      Self.roots,
      from: .pages(
        of: server.url("issues?offset=\(begin)"),
        next: .offset(limit: 2, total: .pages(at: "pages"))))
    #expect(try store.graph.count(of: "Issue") == 2 * count)
    #expect(server.requests.count == count)
  }

  @Test func `on another server do not get the body of the request`() async throws {
    let other = try LoopbackServer { _ in [.answer("[]")] }
    let server = try LoopbackServer { [other] _ in
      [.answer("[{\"id\": 3}]", headers: ["Link: <\(other.url("x").absoluteString)>; rel=next"])]
    }
    var request = URLRequest(url: server.url("a"))
    request.httpMethod = "POST"
    request.httpBody = Data(#"{"token": "5f1c"}"#.utf8)
    let error = await #expect(throws: ImportSourceError.self) {
      try await Self.store().importJSON(
        entity: "Issue", from: .pages(of: request, next: .linkHeader))
    }
    #expect(error?.message.contains("which alone get the body") == true)
    #expect(other.requests.isEmpty)
  }

  @Test func `list as many unread keys as one document`() async throws {
    let server = try LoopbackServer { request in
      let page = request.target.split(separator: "=").last.flatMap { Int($0) } ?? 0
      guard page < 4 else { return [.answer("[]")] }
      let keys = (0..<500).map { #", "key\#(page)_\#($0)": 1"# }.joined()
      return [.answer(#"[{"id": \#(page)\#(keys)}]"#)]
    }
    let report = try await Self.store().importJSON(
      entity: "Issue",
      from: .pages(of: server.url("a"), next: .pageNumber(parameter: "page")),
      options: .with { $0.reportsCoverage = true })
    #expect(report.coverage?.unreadKeys.count == 1_000)
    #expect(report.coverage?.unreadKeyCount == 1_500)
  }

  @Test func `end at an empty answer that is called packed`() async throws {
    let server = try LoopbackServer { request in
      request.target.contains("page=1")
        ? [.answer(#"{"items": [{"id": 1}]}"#)]
        : [.answer("", status: "204 No Content", headers: ["Content-Encoding: gzip"])]
    }
    let store = try Self.store()
    try await store.importJSON(
      Self.roots, from: .pages(of: server.url("a"), next: .pageNumber(parameter: "page")))
    #expect(try store.graph.count(of: "Issue") == 1)
  }

  @Test func `end with the task`() async throws {
    let api = try IssueAPI(count: 1_000) { number, _, steps in number > 5 ? [.stall] : steps }
    let store = try Self.store()
    let task = Task { try await store.importJSON(Self.roots, from: api.pages()) }
    // The sixth page is requested while the fifth is parsed.
    while try api.requests.count < 6 || store.graph.count(of: "Issue") < 50 {
      try await Task.sleep(for: .milliseconds(5))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try store.graph.count(of: "Issue") == 50)
  }
}
