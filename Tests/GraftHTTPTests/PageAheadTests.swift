import Foundation
import GraftHTTP
import Synchronization
import Testing

@testable import Graft
@testable import GraftTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if os(Linux)
@Suite(.timeLimit(.minutes(2))) struct `A page is requested while the page before it is parsed` {
  private static let roots = [ImportRoot("Issue", at: "items")]

  private static func importAll(
    _ api: IssueAPI, _ configure: (inout HTTPOptions) -> Void = { _ in },
    options: ImportOptions = ImportOptions()
  ) async throws -> (GraphStore, ImportReport) {
    let store = GraphStore(model: try IssueAPI.model())
    let report = try await store.importJSON(
      roots, from: api.pages(configure), options: options)
    return (store, report)
  }

  /// An answer whose second half comes after something has happened.
  private static func halves(
    _ steps: [LoopbackServer.Step], until hasHappened: @escaping @Sendable () -> Bool
  ) -> [LoopbackServer.Step] {
    steps.flatMap { step -> [LoopbackServer.Step] in
      guard case .send(let data) = step else { return [step] }
      return [
        .send(data.prefix(data.count - 10)), .wait(hasHappened), .send(Data(data.suffix(10))),
      ]
    }
  }

  /// An API whose pages end after the next one was requested, if `isExpected` says so.
  private static func api(
    _ form: PageForm, _ requests: RequestCount, isExpected: Bool = true
  ) throws -> IssueAPI {
    try IssueAPI(form) { number, _, steps in
      requests.note(number)
      guard number < 3 else { return steps }
      return isExpected
        ? halves(steps) { requests.last > number }
        : steps.flatMap { step -> [LoopbackServer.Step] in
          guard case .send(let data) = step else { return [step] }
          return [
            .send(data.prefix(data.count - 10)), .pause(seconds: 0.3),
            .wait { requests.last == number }, .send(Data(data.suffix(10))),
          ]
        }
    }
  }

  @Test(arguments: [PageForm.linkHeader, .relativeLinkHeader, .linkInHeader, .cursorInHeader])
  func `if headers tell its address`(form: PageForm) async throws {
    let requests = RequestCount()
    let api = try Self.api(form, requests)
    let (store, _) = try await Self.importAll(api)
    #expect(try store.graph.count(of: "Issue") == 25)
    #expect(api.requests.count == 3)
  }

  @Test(arguments: [PageForm.link, .cursor, .pageNumber, .offset])
  func `and only then`(form: PageForm) async throws {
    let requests = RequestCount()
    let api = try Self.api(form, requests, isExpected: false)
    let (store, _) = try await Self.importAll(api)
    #expect(try store.graph.count(of: "Issue") == 25)
  }

  @Test func `but not where the options say so`() async throws {
    let requests = RequestCount()
    let api = try Self.api(.linkHeader, requests, isExpected: false)
    let (store, _) = try await Self.importAll(api) { $0.requestsAhead = false }
    #expect(try store.graph.count(of: "Issue") == 25)
  }

  @Test func `but not beyond the limit of pages`() async throws {
    let api = try IssueAPI(.linkHeader)
    let (store, report) = try await Self.importAll(api) { $0.pageLimit = 2 }
    #expect(try store.graph.count(of: "Issue") == 20)
    #expect(api.requests.count == 2 && report.noticeCount == 1)
  }

  @Test func `and its failure is one of its own`() async throws {
    let requests = RequestCount()
    let api = try IssueAPI(.linkHeader) { number, _, steps in
      requests.note(number)
      return switch number {
      case 1: Self.halves(steps) { requests.last > 1 }
      case 2: [.answer("busy", status: "503 Service Unavailable")]
      default: steps
      }
    }
    let (store, _) = try await Self.importAll(api)
    #expect(try store.graph.count(of: "Issue") == 25)
    #expect(api.requests.count == 4)
  }

  @Test func `and waits where the page before it fails`() async throws {
    let requests = RequestCount()
    let api = try IssueAPI(.linkHeader) { number, _, steps in
      requests.note(number)
      guard number == 1 else { return steps }
      return Self.halves(steps) { requests.last > 1 }.prefix(2) + [.reset]
    }
    let (store, report) = try await Self.importAll(api)
    #expect(try store.graph.count(of: "Issue") == 25)
    #expect(report.count(of: "Issue").inserted == 25)
    #expect(api.requests.count == 4)
  }

  @Test func `and waits outside of the process`() async throws {
    let requests = RequestCount()
    let pageSize = 32 << 20
    let server = try LoopbackServer { request in
      let isFirst = request.target == "/1"
      requests.note(isFirst ? 1 : 2)
      if !isFirst {
        return [
          .head("200 OK", ["Content-Length: \(pageSize + 2)"], Data("[".utf8)),
          .repeat(Data(repeating: 0x20, count: 1 << 16), pageSize >> 16), .send(Data("]".utf8)),
        ]
      }
      return [
        .head("200 OK", ["Content-Length: 13", "Link: </2>; rel=next"], Data("[".utf8)),
        .wait { requests.last == 2 }, .pause(seconds: 1),
        .wait { requests.sent < 16 << 20 }, .send(Data("{\"id\": \"1\"}]".utf8)),
      ]
    }
    requests.count { [unowned server] in server.sentByteCount }
    let store = GraphStore(model: try IssueAPI.model())
    let report = try await store.importJSON(
      entity: "Issue", from: .pages(of: server.url("1"), next: .linkHeader))
    #expect(report.byteCount == 13 + pageSize + 2)
  }

  @Test func `at the pace of the options`() async throws {
    let start = ContinuousClock.now
    _ = try await Self.importAll(IssueAPI(.linkHeader)) { $0.requestsPerSecond = 4 }
    #expect(ContinuousClock.now - start > .milliseconds(500))
  }

  @Test func `until the import is cancelled`() async throws {
    let requests = RequestCount()
    let api = try IssueAPI(.linkHeader) { number, _, steps in
      requests.note(number)
      return number == 1 ? Self.halves(steps) { requests.last > 2 } : [.stall]
    }
    let importing = Task { try await Self.importAll(api).1.byteCount }
    while requests.last < 2 { try await Task.sleep(for: .milliseconds(5)) }
    let start = ContinuousClock.now
    importing.cancel()
    await #expect(throws: CancellationError.self) { try await importing.value }
    #expect(ContinuousClock.now - start < .seconds(4))
  }
}

/// The requests that a server has got.
private final class RequestCount: Sendable {
  private let state = Mutex((last: 0, sent: { @Sendable in 0 }))

  /// The number of the last request.
  var last: Int { state.withLock(\.last) }
  /// The number of bytes that the server has sent.
  var sent: Int { state.withLock(\.sent)() }

  func note(_ number: Int) { state.withLock { $0.last = max($0.last, number) } }
  func count(_ sent: @escaping @Sendable () -> Int) { state.withLock { $0.sent = sent } }
}
#endif
