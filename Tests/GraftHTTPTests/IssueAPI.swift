import Foundation
import GraftHTTP
import Synchronization

@testable import Graft
@testable import GraftTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A way in which an API gives a list in pages.
enum PageForm: String, CaseIterable, Sendable {
  case linkHeader
  case relativeLinkHeader
  case link
  case relativeLink
  case cursor
  case numberCursor
  case linkInHeader
  case cursorInHeader
  case pageNumber
  case pageNumberWithTotal
  /// The server says -1, because it does not know the total.
  case pageNumberWithUnknownTotal
  case pageNumberFromZero
  case offset
  case offsetWithTotal
  /// The server gives fewer objects than it is asked for.
  case cappedOffset
  case code

  /// The rule that reads it.
  var rule: NextPage {
    switch self {
    case .linkHeader, .relativeLinkHeader: .linkHeader
    case .link, .relativeLink: .link(at: "meta.next")
    case .cursor, .numberCursor: .cursor(at: "meta.cursor", parameter: "after")
    case .linkInHeader: .header("X-Next")
    case .cursorInHeader: .header("X-Next-Cursor", parameter: "after")
    case .pageNumber: .pageNumber(parameter: "page")
    case .pageNumberWithTotal, .pageNumberWithUnknownTotal:
      .pageNumber(parameter: "page", total: .pages(at: "meta.pages"))
    case .pageNumberFromZero: .pageNumber(parameter: "page", from: 0)
    case .offset: .offset(limit: 10)
    case .offsetWithTotal: .offset(limit: 10, total: .objects(inHeader: "X-Total-Count"))
    case .cappedOffset: .offset(parameter: "skip", limitParameter: "top", limit: 100)
    case .code:
      .request(capturing: ["meta.more", "meta.last"]) { page in
        page.values[0] == "true" ? page.request(setting: "after", to: page.values[1]) : nil
      }
    }
  }

  /// Whether the rule knows the end only from a page without objects.
  var endsAtEmptyPage: Bool {
    [.pageNumber, .pageNumberWithUnknownTotal, .pageNumberFromZero, .offset, .cappedOffset]
      .contains(self)
  }
}

/// An API on this machine that gives a list of issues in pages.
final class IssueAPI: Sendable {
  let count: Int
  let pageSize: Int
  let form: PageForm
  private let served: Mutex<LoopbackServer?> = Mutex(nil)
  private let requestCount = Atomic(0)

  /// Starts the API.
  ///
  /// - Parameters:
  ///   - form: How a page names the next one.
  ///   - count: The number of issues.
  ///   - pageSize: The number of issues on a page.
  ///   - intervene: Is called with the number of each request, from 1, and the page's answer, and may return another.
  /// - Throws: `POSIXError` where there is no port.
  init(
    _ form: PageForm = .linkHeader, count: Int = 25, pageSize: Int = 10,
    intervene:
      @escaping @Sendable (Int, LoopbackServer.Request, [LoopbackServer.Step]) ->
      [LoopbackServer.Step] = { $2 }
  ) throws {
    (self.form, self.count, self.pageSize) = (form, count, pageSize)
    let server = try LoopbackServer { [unowned self] request in
      intervene(
        requestCount.add(1, ordering: .relaxed).newValue, request, answer(request))
    }
    served.withLock { $0 = server }
  }

  /// The server of the API.
  var server: LoopbackServer {
    guard let server = served.withLock({ $0 }) else { fatalError("the server has not started") }
    return server
  }
  var url: URL { server.url("issues?state=open") }
  var requests: [LoopbackServer.Request] { server.requests }

  /// The source of all pages.
  func pages(_ configure: (inout HTTPOptions) -> Void = { _ in }) -> ImportSource {
    var options = HTTPOptions()
    options.retries.delay = .milliseconds(1)
    configure(&options)
    return .pages(of: url, next: form.rule, options: options)
  }

  /// All issues as one document.
  var document: Data { Data(#"{"items": [\#(items(0..<count))]}"#.utf8) }

  /// The model of the issues.
  static func model() throws -> GraphModel {
    try GraphModel(
      entities: [
        .make(
          "Issue", [.make("title"), .make("updatedAt", .date)],
          [
            .make("author", to: "User", inverse: "issues"),
            .make("labels", to: "Label", many: true),
          ]),
        .make(
          "User", [.make("login")], [.make("issues", to: "Issue", many: true, inverse: "author")]),
        .make("Label", [.make("text")]),
        .make("Event", identity: "", [.make("text", .string, ["JSONKeyPath": "title"])]),
      ], dialect: .graft)
  }

  /// Issues, whose authors and labels occur on several pages.
  private func items(_ range: Range<Int>) -> String {
    range.map { number in
      """
      {"id": \(number), "title": "n\(number)", "updatedAt": \(1_700_000_000 + number), \
      "author": {"id": \(number % 4), "login": "u\(number % 4)"}, \
      "labels": [{"id": \(number % 7), "text": "l\(number % 7)"}]}
      """
    }.joined(separator: ",")
  }

  private func answer(_ request: LoopbackServer.Request) -> [LoopbackServer.Step] {
    let parts = URLComponents(string: request.target)
    func number(_ name: String) -> Int? {
      parts?.queryItems?.first { $0.name == name }?.value.flatMap { Int($0) }
    }
    let start: Int =
      switch form {
      case .pageNumber, .pageNumberWithTotal, .pageNumberWithUnknownTotal:
        ((number("page") ?? 1) - 1) * pageSize
      case .pageNumberFromZero: (number("page") ?? 0) * pageSize
      case .offset, .offsetWithTotal: number("offset") ?? 0
      case .cappedOffset: number("skip") ?? 0
      default: number("after") ?? 0
      }
    let range = min(start, count)..<min(start + pageSize, count)
    let hasMore = range.upperBound < count
    let target = "issues?state=open&after=\(range.upperBound)"
    let absolute = server.url(target).absoluteString
    var (meta, headers): ([String], [String]) = (["\"first\": \(range.lowerBound)"], [])
    switch form {
    case .linkHeader where hasMore:
      headers.append(
        "Link: <\(absolute)>; rel=\"next\", <\(server.url("issues?state=open"))>; rel=first")
    case .relativeLinkHeader where hasMore:
      headers.append("link: <?after=\(range.upperBound)>; rel=next")
    case .link: meta.append(hasMore ? "\"next\": \"\(absolute)\"" : "\"next\": null")
    case .relativeLink: if hasMore { meta.append("\"next\": \"/\(target)\"") }
    case .cursor: meta.append("\"cursor\": \"\(hasMore ? "\(range.upperBound)" : "")\"")
    case .numberCursor: meta.append("\"cursor\": \(hasMore ? "\(range.upperBound)" : "false")")
    case .linkInHeader where hasMore: headers.append("X-Next: \(absolute)")
    case .cursorInHeader: headers.append("X-Next-Cursor: \(hasMore ? "\(range.upperBound)" : "")")
    case .pageNumberWithTotal: meta.append("\"pages\": \((count + pageSize - 1) / pageSize)")
    case .pageNumberWithUnknownTotal: meta.append("\"pages\": -1")
    case .offsetWithTotal: headers.append("X-Total-Count: \(count)")
    case .code: meta.append("\"more\": \(hasMore), \"last\": \(range.upperBound)")
    default: break
    }
    let body = "{\"items\": [\(items(range))], \"meta\": {\(meta.joined(separator: ", "))}}"
    return [.answer(body, headers: ["Content-Type: application/json"] + headers)]
  }
}
