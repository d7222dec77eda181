import CommandLineSupport
import Foundation
import Graft
import GraftHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The options for answers of a server: pages, repetition and pace.
struct WebSettings {
  static let options = [
    "--pages", "--total", "--max-pages", "--rate", "--retries", "--timeout", "--if-changed",
    "--since",
  ]

  /// The rule for the next page; nil for a single answer.
  private var rule: PageRule?
  /// The place of the list's total number of objects or pages.
  private var total: NextPage.Total?
  private var http = HTTPOptions()
  private var hasRetries = false
  private var limitsPages = false
  /// The first option that was given, for messages; nil if there is none.
  private(set) var given: String?

  /// Reads an option.
  ///
  /// - Throws: ``UsageError`` for a value that makes no sense.
  mutating func take(_ option: String, _ reader: inout ArgumentReader) throws(UsageError) {
    given = given ?? option
    switch option {
    case "--pages":
      let text = try reader.value(of: option, PageRule.forms)
      rule = text == "none" ? nil : try PageRule(text)
    case "--total": total = try PageRule.total(try reader.value(of: option, PageRule.totalForms))
    case "--max-pages":
      http.pageLimit = try reader.number(of: option, atLeast: 1)
      limitsPages = true
    case "--retries":
      http.retries.tries = min(try reader.number(of: option, atLeast: 0), Int.max - 1) + 1
      // The option is meant for every request.
      http.retries.repeatsEveryMethod = true
      hasRetries = true
    case "--rate": http.requestsPerSecond = try Self.decimal(option, "REQUESTS", &reader)
    case "--if-changed": http.onlyIfChanged = true
    case "--since": http.since.append(try Self.since(try reader.value(of: option, Self.sinceForm)))
    default:
      http.stallTimeout = .seconds(try Self.decimal(option, "SECONDS", &reader))
    }
  }

  private static let sinceForm = "PARAM=ENTITY.ATTRIBUTE"

  /// Reads the value of `--since`.
  private static func since(_ text: String) throws(UsageError) -> GreatestValue {
    let halves = text.split(separator: "=", maxSplits: 1).map(String.init)
    let names = halves.last?.split(separator: ".").map(String.init) ?? []
    guard halves.count == 2, names.count == 2 else {
      throw UsageError(
        "--since takes PARAM=ENTITY.ATTRIBUTE, such as since=Issue.updatedAt; found \"\(text)\"")
    }
    return GreatestValue(names[1], of: names[0], as: halves[0])
  }

  private static func decimal(
    _ option: String, _ meaning: String, _ reader: inout ArgumentReader
  ) throws(UsageError) -> Double {
    let text = try reader.value(of: option, meaning)
    guard let number = Double(text), number >= 1e-6, number <= 1e6 else {
      throw UsageError(
        "\(option) takes a number from 0.000001 to 1000000, such as 2.5; found \"\(text)\"")
    }
    return number
  }

  /// Whether the URL is the first page of a list.
  var isList: Bool { rule != nil }

  /// Whether the answer has only what is newer than the objects of the database.
  var leavesOutUnchanged: Bool { !http.since.isEmpty }

  /// The option that makes a single answer one save, regardless of `--save-every`; nil if there is none.
  var optionOfOneSave: String? {
    guard !isList else { return nil }
    if http.retries.tries > 1, hasRetries { return "--retries" }
    if http.onlyIfChanged { return "--if-changed" }
    return http.since.isEmpty ? nil : "--since"
  }

  /// The first option that compares with what a database has; nil if there is none.
  var optionOfDatabase: String? {
    if http.onlyIfChanged { return "--if-changed" }
    return http.since.isEmpty ? nil : "--since"
  }

  /// Checks that options can be combined.
  ///
  /// - Throws: ``UsageError`` for one that has no effect.
  func check() throws(UsageError) {
    if total != nil, rule?.takesTotal != true {
      throw UsageError(
        "--total is the length of a list that is counted; give it with --pages page=PARAM or offset=PARAM:LIMIT"
      )
    }
    if limitsPages, rule == nil {
      throw UsageError(
        "--max-pages ends a list of pages; say with --pages how the next one is found")
    }
  }

  /// The options for requests; a single request is repeated only if that is asked for.
  private var options: HTTPOptions {
    var options = http
    if !isList, !hasRetries { options.retries = .never }
    return options
  }

  /// Returns the source of a server's answers.
  ///
  /// - Parameter request: The first request.
  /// - Returns: A source of all pages, or of one answer.
  func source(of request: URLRequest) -> ImportSource {
    if let rule { return .pages(of: request, next: rule.next(total), options: options) }
    return given == nil ? .request(request) : .request(request, options: options)
  }

  /// Returns the source of the first answer's bytes, by which a model is inferred.
  func firstSource(of request: URLRequest) -> ImportSource {
    .firstPage(of: request, next: rule?.next(total), options: options)
  }

  /// Decides when a request that has failed is sent again.
  ///
  /// - Parameters:
  ///   - error: The error of the last try.
  ///   - tries: The number of times that the request was sent.
  ///   - start: The time of the first of them.
  ///   - request: The request.
  /// - Returns: The time to wait before; nil if the error is final.
  func delay(
    after error: any Error, tries: Int, since start: ContinuousClock.Instant,
    of request: URLRequest
  ) -> Duration? {
    options.retries.delay(after: error, tries: tries, since: start, of: request)
  }

  /// The least time between two requests.
  var interval: Duration { http.requestsPerSecond.map { .seconds(1 / $0) } ?? .zero }
}

/// The value of `--pages`.
private struct PageRule {
  static let forms =
    "link[=REL]|PATH|cursor=PATH:PARAM|page=PARAM|offset=PARAM:LIMIT|header=NAME[:PARAM]"
  static let totalForms = "PATH|header=NAME|pages=PATH|pages-header=NAME"

  /// Whether the rule takes a total.
  let takesTotal: Bool
  /// Makes the rule, from the place of the list's total.
  let next: @Sendable (NextPage.Total?) -> NextPage

  private init(_ rule: NextPage) { (takesTotal, next) = (false, { _ in rule }) }

  private init(counting next: @escaping @Sendable (NextPage.Total?) -> NextPage) {
    (takesTotal, self.next) = (true, next)
  }

  /// - Throws: ``UsageError`` for a value of another form.
  init(_ text: String) throws(UsageError) {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else {
      self.init(text == "link" ? .linkHeader : .link(at: try Self.path(text, "--pages")))
      return
    }
    let parts = halves[1].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.allSatisfy({ !$0.isEmpty }) else { throw Self.malformed(text) }
    switch (halves[0], parts.count) {
    case ("link", 1): self.init(.linkHeader(relation: parts[0]))
    case ("cursor", 2...):
      // A path may have a colon, as in a slice or a quoted name; the name of a parameter has none.
      let words = parts.dropLast().joined(separator: ":")
      self.init(.cursor(at: try Self.path(words, "--pages"), parameter: parts[parts.count - 1]))
    case ("page", 1): self.init(counting: { .pageNumber(parameter: parts[0], total: $0) })
    case ("page", 2):
      guard let first = Int(parts[1]) else { throw Self.malformed(text) }
      self.init(counting: { .pageNumber(parameter: parts[0], from: first, total: $0) })
    case ("offset", 2), ("offset", 3):
      guard let limit = Int(parts[1]), limit > 0 else { throw Self.malformed(text) }
      let limitParameter = parts.count == 3 ? parts[2] : "limit"
      self.init(counting: {
        .offset(parameter: parts[0], limitParameter: limitParameter, limit: limit, total: $0)
      })
    case ("header", 1): self.init(.header(parts[0]))
    case ("header", 2): self.init(.header(parts[0], parameter: parts[1]))
    default: throw Self.malformed(text)
    }
  }

  /// Reads the value of `--total`.
  ///
  /// - Throws: ``UsageError`` for a value of another form.
  static func total(_ text: String) throws(UsageError) -> NextPage.Total {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    switch (halves[0], halves.count) {
    case (_, 1): return .objects(at: try path(text, "--total"))
    case ("header", 2) where !halves[1].isEmpty: return .objects(inHeader: halves[1])
    case ("pages", 2): return .pages(at: try path(halves[1], "--total"))
    case ("pages-header", 2) where !halves[1].isEmpty: return .pages(inHeader: halves[1])
    default: throw UsageError("--total takes \(totalForms), found \"\(text)\"")
    }
  }

  private static func path(_ text: String, _ option: String) throws(UsageError) -> JSONPath {
    do {
      return try JSONPath(text)
    } catch {
      throw UsageError("\(option): \(error)")
    }
  }

  private static func malformed(_ text: String) -> UsageError {
    UsageError("--pages takes \(forms), found \"\(text)\"")
  }
}
