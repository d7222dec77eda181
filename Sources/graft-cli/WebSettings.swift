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
    "--pages", "--max-pages", "--rate", "--retries", "--timeout", "--if-changed", "--since",
  ]

  /// How the next page is found; nil for a single answer.
  private var next: NextPage?
  private var http = HTTPOptions()
  /// The first option that was given, for messages; nil if there is none.
  private(set) var given: String?

  /// Takes an option.
  ///
  /// - Throws: ``UsageError`` for a value that makes no sense.
  mutating func take(_ option: String, _ reader: inout ArgumentReader) throws(UsageError) {
    given = given ?? option
    switch option {
    case "--pages":
      let text = try reader.value(of: option, PageRule.forms)
      next = text == "none" ? nil : try PageRule.read(text)
    case "--max-pages": http.pageLimit = try reader.number(of: option, atLeast: 1)
    case "--retries": http.retries.tries = try reader.number(of: option, atLeast: 0) + 1
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
    guard let number = Double(text), number > 0, number <= 1e6 else {
      throw UsageError("\(option) takes a number above 0, such as 2.5; found \"\(text)\"")
    }
    return number
  }

  /// Returns the source of a server's answers.
  ///
  /// - Parameter request: The first request.
  /// - Returns: A source of all pages, or of one answer.
  func source(of request: URLRequest) -> ImportSource {
    if let next { return .pages(of: request, next: next, options: http) }
    return given == nil ? .request(request) : .request(request, options: http)
  }
}

/// The value of `--pages`.
private enum PageRule {
  static let forms = "link|PATH|cursor=PATH:PARAM|page=PARAM|offset=PARAM:LIMIT|header=NAME[:PARAM]"

  /// - Throws: ``UsageError`` for a value of another form.
  static func read(_ text: String) throws(UsageError) -> NextPage {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else {
      return text == "link" ? .linkHeader : .link(at: try path(text))
    }
    let parts = halves[1].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.allSatisfy({ !$0.isEmpty }) else { throw malformed(text) }
    switch (halves[0], parts.count) {
    case ("link", 1): return .linkHeader(relation: parts[0])
    case ("cursor", 2...):
      // A path may have a colon, as in a slice or a quoted name; the name of a parameter has none.
      let words = parts.dropLast().joined(separator: ":")
      return .cursor(at: try path(words), parameter: parts[parts.count - 1])
    case ("page", 1): return .pageNumber(parameter: parts[0])
    case ("page", 2):
      guard let first = Int(parts[1]) else { throw malformed(text) }
      return .pageNumber(parameter: parts[0], from: first)
    case ("offset", 2), ("offset", 3):
      guard let limit = Int(parts[1]), limit > 0 else { throw malformed(text) }
      return .offset(
        parameter: parts[0], limitParameter: parts.count == 3 ? parts[2] : "limit", limit: limit)
    case ("header", 1): return .header(parts[0])
    case ("header", 2): return .header(parts[0], parameter: parts[1])
    default: throw malformed(text)
    }
  }

  private static func path(_ text: String) throws(UsageError) -> JSONPath {
    do {
      return try JSONPath(text)
    } catch {
      throw UsageError("--pages: \(error)")
    }
  }

  private static func malformed(_ text: String) -> UsageError {
    UsageError("--pages takes \(forms), found \"\(text)\"")
  }
}
