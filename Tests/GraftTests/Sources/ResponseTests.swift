import Foundation
import Synchronization
import Testing

@testable import Graft
@testable import GraftTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(2))) struct `A server's answer` {
  private static func store() throws -> GraphStore {
    GraphStore(
      model: try GraphModel(
        entities: [.make("Tag", [.make("text")]), .make("Other", [.make("text")])], dialect: .graft
      ))
  }

  private static func answer(
    _ body: String, status: String = "200 OK", _ headers: String...
  ) -> @Sendable (LoopbackServer.Request) -> [LoopbackServer.Step] {
    { _ in [.answer(body, status: status, headers: headers)] }
  }

  private static func ids(_ store: GraphStore, _ entity: String = "Tag") throws -> [AttributeValue?]
  {
    try store.graph.objects(entity).map { $0["id"] }
  }

  // MARK: In the report

  @Test(arguments: Downloader.allCases)
  func `is in the report with its status and headers`(by downloader: Downloader) async throws {
    let server = try LoopbackServer(
      Self.answer("[1]", status: "201 Created", "ETag: \"a\"", "Retry-After: 3"))
    let report = try await Self.store().importJSON(
      entity: "Tag", from: downloader.source(server.url("tags")))
    let response = try #require(report.response)
    #expect(response.status == 201)
    #expect(response.url == server.url("tags"))
    #expect(response["etag"] == "\"a\"" && response["RETRY-AFTER"] == "3")
    #expect(response["Link"] == nil)
  }

  @Test func `has each of several headers of one name`() async throws {
    let server = try LoopbackServer(
      Self.answer("[1]", "Link: <a>; rel=next", "link: <b>; rel=last"))
    let report = try await Self.store().importJSON(entity: "Tag", from: .url(server.url("tags")))
    #expect(report.response?.values(of: "LINK") == ["<a>; rel=next", "<b>; rel=last"])
    #expect(report.response?["Link"] == "<a>; rel=next, <b>; rel=last")
  }

  @Test func `names the address after redirections, without secrets`() async throws {
    let server = try LoopbackServer { request in
      request.target == "/tags"
        ? [.answer("", status: "302 Found", headers: ["Location: /b?token=5f1c&page=2"])]
        : [.answer("[1]", headers: ["Set-Cookie: sid=5f1c"])]
    }
    let url = try #require(URL(string: "http://ada:secret@127.0.0.1:\(server.port)/tags"))
    let report = try await Self.store().importJSON(entity: "Tag", from: url)
    #expect(
      report.response?.url.absoluteString
        == "http://127.0.0.1:\(server.port)/b?token=***&page=2")
    let texts = ["\(report)", String(reflecting: report)]
    #expect(!texts.contains { $0.contains("secret") || $0.contains("5f1c") })
  }

  @Test func `is missing where there is no server`() throws {
    let report = try Self.store().importJSON(entity: "Tag", from: Data("[1]".utf8))
    #expect(report.response == nil)
  }

  // MARK: Before the first byte

  private struct Refusal: Error {}

  @Test(arguments: Downloader.allCases)
  func `may be refused before its first byte is imported`(by downloader: Downloader) async throws {
    let server = try LoopbackServer(Self.answer("[1, 2]", "X-Schema: 3"))
    let store = try Self.store()
    var options = ImportOptions()
    options.deletesMissing = true
    try store.importJSON(entity: "Tag", from: Data("[7]".utf8))
    options.willReadResponse = { response, _ in
      if response["X-Schema"] != "2" { throw Refusal() }
    }
    await #expect(throws: Refusal.self) {
      try await store.importJSON(
        entity: "Tag", from: downloader.source(server.url("tags")), options: options)
    }
    #expect(try Self.ids(store) == [.integer(7)])
  }

  @Test func `chooses the roots and the format`() async throws {
    let server = try LoopbackServer(Self.answer(#"{"o": [1]} {"o": [2]}"#, "X-Kind: other"))
    let store = try Self.store()
    var options = ImportOptions()
    options.willReadResponse = { response, reading in
      #expect(reading.roots == [ImportRoot("Tag")] && reading.format == nil)
      guard response["X-Kind"] == "other" else { return }
      reading.roots = [ImportRoot("Other", at: "o")]
      reading.format = .ndjson
    }
    try await store.importJSON(entity: "Tag", from: server.url("tags"), options: options)
    #expect(try Self.ids(store) == [])
    #expect(try Self.ids(store, "Other") == [.integer(1), .integer(2)])
  }

  @Test(arguments: [
    ("tags", "application/x-ndjson", true), ("tags", "application/jsonl; charset=utf-8", true),
    ("tags", "Application/X-NDJSON", true), ("tags", "application/jsonlines", true),
    ("tags", "application/x-json-stream", true), ("tags", "application/vnd.x+jsonl", true),
    ("tags.ndjson", "application/json", true), ("tags.ndjson", "text/plain", true),
    ("tags.json", "application/x-ndjson", true), ("tags", "application/json", false),
    ("tags", "application/vnd.api+json", false), ("tags", "", false),
  ])
  func `tells by its content type whether there are several documents`(
    path: String, type: String, isStream: Bool
  ) async throws {
    let server = try LoopbackServer(
      Self.answer("{\"id\": 1}\n{\"id\": 2}\n", type.isEmpty ? "X-A: b" : "Content-Type: \(type)"))
    let store = try Self.store()
    if isStream {
      try await store.importJSON(entity: "Tag", from: server.url(path))
      #expect(try Self.ids(store) == [.integer(1), .integer(2)])
    } else {
      await #expect(throws: ImportError.self) {
        try await store.importJSON(entity: "Tag", from: server.url(path))
      }
    }
    // What the options say counts more.
    var options = ImportOptions()
    options.parser.format = .json
    await #expect(throws: ImportError.self) {
      try await store.importJSON(entity: "Tag", from: server.url(path), options: options)
    }
  }

  @Test(arguments: [
    ("application/json-seq", "\u{1E}{\"id\": 1}\n\u{1E}{\"id\": 2}\n"),
    ("application/geo+json-seq", "\u{1E}{\"id\": 1}\n\u{1E}{\"id\": 2}\n"),
    ("text/event-stream; charset=utf-8", "data: {\"id\": 1}\n\n: more\ndata: {\"id\": 2}\n\n"),
  ])
  func `tells by its content type what parts the documents`(type: String, body: String) async throws
  {
    let server = try LoopbackServer(Self.answer(body, "Content-Type: \(type)"))
    let store = try Self.store()
    try await store.importJSON(entity: "Tag", from: server.url("tags"))
    #expect(try Self.ids(store) == [.integer(1), .integer(2)])
  }

  @Test func `that never comes leaves a group that deletes nothing`() async throws {
    let server = try LoopbackServer { request in
      [request.target == "/2" ? .reset : .answer("[1]")]
    }
    let store = try Self.store()
    try store.importJSON(entity: "Tag", from: Data("[1, 2]".utf8))
    let report = try await store.importGroup { group in
      var options = ImportOptions()
      options.deletesMissing = true
      options.group = group
      try await store.importJSON(entity: "Tag", from: server.url("1"), options: options)
      _ = try? await store.importJSON(entity: "Tag", from: server.url("2"), options: options)
    }
    #expect(report.noticeCount == 1)
    #expect(try Self.ids(store).count == 2)
  }

  // MARK: No change

  @Test(arguments: ["If-None-Match", "If-Modified-Since"], Downloader.allCases)
  func `may say that nothing has changed, and then changes nothing`(
    header: String, by downloader: Downloader
  ) async throws {
    let server = try LoopbackServer { _ in
      [.head("304 Not Modified", ["ETag: \"a\"", "Content-Length: 0"])]
    }
    let store = try Self.store()
    try store.importJSON(entity: "Tag", from: Data("[7]".utf8))
    var request = URLRequest(url: server.url("tags"))
    request.setValue("\"a\"", forHTTPHeaderField: header)
    var options = ImportOptions()
    options.deletesMissing = true
    let report = try await store.importJSON(
      entity: "Tag", from: downloader.source(request), options: options)
    #expect(report.response?.isNotModified == true)
    #expect(report.response?["ETag"] == "\"a\"")
    #expect(
      report.notices.map(\.description) == [
        "nothing was imported: \(server.url("tags").absoluteString) answered 304, so that the document"
          + " has not changed since the import that the request names"
      ])
    #expect(try Self.ids(store) == [.integer(7)])
  }

  // MARK: Errors

  private static let refusal =
    "expected a status of success, the server answered 403"
    + " (\(HTTPURLResponse.localizedString(forStatusCode: 403)))"

  private static func error(
    _ body: Data, _ headers: [String] = [], status: String = "403 Forbidden",
    by downloader: Downloader = .standard
  ) async throws -> ImportSourceError {
    let server = try LoopbackServer { _ in [.answer(body, status: status, headers: headers)] }
    return try #require(
      await #expect(throws: ImportSourceError.self) {
        try await store().importJSON(entity: "Tag", from: downloader.source(server.url("tags")))
      })
  }

  @Test(
    arguments: [
      (#"{"message": "API rate limit\n  exceeded"}"#, "API rate limit exceeded"),
      (#"{"error": "invalid_grant", "error_description": "Expired"}"#, "Expired"),
      (#"{"error": "invalid_grant"}"#, "invalid_grant"),
      (#"{"error": {"code": 7, "message": "No such page"}, "message": "x"}"#, "No such page"),
      (#"{"type": "about:blank", "title": "Forbidden", "detail": "No balance"}"#, "No balance"),
      (#"{"title": "Forbidden", "status": 403}"#, "Forbidden"),
      (#"{"errors": [{"code": 1, "message": "First"}, {"message": "Second"}]}"#, "First"),
      (#"{"errors": ["First", "Second"]}"#, "First"), (#"[{"message": "Listed"}]"#, "Listed"),
    ], Downloader.allCases)
  func `of an error is in the error, with its message`(
    message: (json: String, text: String), by downloader: Downloader
  ) async throws {
    let error = try await Self.error(Data(message.json.utf8), ["X-A: b"], by: downloader)
    #expect(error.kind == .httpStatus && error.httpStatus == 403)
    #expect(error.response?.status == 403 && error.response?["x-a"] == "b")
    #expect(error.body == Data(message.json.utf8))
    #expect(
      error.message
        == "\(Self.refusal): \"\(message.text)\"")
  }

  @Test(arguments: [
    "<html><title>Down</title></html>", "{\"message\": 7}", "{\"message\": \"\"}", "{", "", "null",
    "{\"a\": \"b\"}", "[]", "{\"errors\": []}",
  ])
  func `of an error without a message is in the error all the same`(body: String) async throws {
    let error = try await Self.error(Data(body.utf8), ["Content-Type: text/html"])
    #expect(String(decoding: error.body, as: UTF8.self) == body)
    #expect(error.message == Self.refusal)
  }

  @Test func `of a status that is no error is not a message`() async throws {
    let error = try await Self.error(
      Data(#"[{"id": 1, "title": "hello"}]"#.utf8), status: "206 Partial Content")
    #expect(error.httpStatus == 206 && !error.message.contains("hello"))
  }

  @Test func `of an error is unpacked`() async throws {
    let body = GzipWriter.pack(#"{"message": "#, #""Packed"}"#)
    let error = try await Self.error(body, ["Content-Encoding: gzip"])
    #expect(error.message.hasSuffix(": \"Packed\""))
    #expect(String(decoding: error.body, as: UTF8.self) == #"{"message": "Packed"}"#)
  }

  @Test(arguments: Downloader.allCases)
  func `of an error is unpacked up to a limit`(by downloader: Downloader) async throws {
    let block = String(repeating: "<p>Down</p>", count: 2_000)
    let body = GzipWriter.parts(Array(repeating: block, count: 10)).reduce(Data(), +)
    let error = try await Self.error(body, ["Content-Encoding: gzip"], by: downloader)
    // The limit holds for the packed bytes too, of which a few are none of the content.
    let limit = RefusedAnswer.byteLimit
    #expect((limit - 100...limit).contains(error.body.count))
    #expect(error.body == Data(String(repeating: block, count: 10).utf8.prefix(error.body.count)))
  }

  @Test(.timeLimit(.minutes(1)), arguments: Downloader.allCases)
  func `of an error is kept up to a limit, however long it is`(
    by downloader: Downloader
  ) async throws {
    // A session on Linux can neither be stopped nor used by another test before the server stops.
    let count = downloader == .session ? 2_000 : nil
    let server = try LoopbackServer { _ in
      [.head("500 Oops"), .repeat(Data(repeating: 0x20, count: 5_000), count)]
    }
    let error = await #expect(throws: ImportSourceError.self) {
      try await Self.store().importJSON(
        entity: "Tag", from: downloader.source(server.url("tags")))
    }
    #expect(error?.body.count == 65_536 && error?.httpStatus == 500)
  }

  @Test func `of an error says its status, though its body breaks off`() async throws {
    let server = try LoopbackServer { _ in
      [.head("503 Busy", ["Content-Length: 100"], Data("busy".utf8)), .reset]
    }
    let error = await #expect(throws: ImportSourceError.self) {
      try await Self.store().importJSON(entity: "Tag", from: server.url("tags"))
    }
    #expect(error?.httpStatus == 503 && error?.kind == .httpStatus)
  }
}
