import Foundation
import Graft

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The options for requests to an API: repetition, pace, time-out and the number of pages.
public struct HTTPOptions: Sendable {
  /// The rules for sending a failed request again.
  public var retries = RetryPolicy()
  /// The most requests a second, repeated ones included; nil for no limit.
  public var requestsPerSecond: Double?
  /// Whether the next page is requested while the page before it is parsed, if headers name it.
  ///
  /// Its answer waits in the system's buffers. The pages of a server that sets cookies come one after the other in any
  /// case.
  public var requestsAhead = true
  /// The longest time without a byte, while a connection is made or a body is read.
  ///
  /// Nil takes the request's own time-out, 60 s by default. Zero sets no limit.
  public var stallTimeout: Duration?
  /// The most pages that are imported.
  ///
  /// If more follow, a notice of the report says so, and nothing that is missing is deleted.
  public var pageLimit = 100_000

  /// Whether a list is imported only if its first page has changed since the last whole import.
  ///
  /// Only an import of the same list into the same target, with the same model and ``Graft/ImportOptions/mode``, counts.
  /// The first page stands for the list: where it has not changed, nothing is imported, and ``Graft/ImportResponse/isNotModified``
  /// of the report's answer is true. A database keeps the marks of the change (`ETag`, `Last-Modified`) as long as it
  /// lives, a store in memory as long as the process does. A change of the options' mapping is not noticed: import once
  /// without this option then.
  public var onlyIfChanged = false
  /// The parameters of the first page's address that get the greatest value of an attribute, so that only newer
  /// objects are requested.
  ///
  /// A parameter for which the target has no value stays as the request has it. After an import that has not reached its
  /// last page, the values are those of that import, because what it has left out may be older than what it has
  /// imported. The value is that of all objects of the entity, whichever list they came from.
  ///
  /// An import with ``Graft/ImportOptions/deletesMissing`` refuses it: the answer leaves out what has not changed.
  public var since: [GreatestValue] = []

  /// Creates the default options.
  public init() {}

  /// Whether a part of a single answer may be saved before its end: the answer is not asked for again, and no later
  /// request relies on a whole one.
  var mayKeepPart: Bool { retries.tries == 1 && !onlyIfChanged && since.isEmpty }

  /// Returns a request with the time-out of the options, if they have one.
  func timed(_ request: URLRequest) -> URLRequest {
    guard let stallTimeout else { return request }
    var request = request
    request.timeoutInterval = stallTimeout / .seconds(1)
    return request
  }

  /// Checks that the limits are in their valid ranges.
  ///
  /// - Throws: `ImportError` that names the one that is not.
  func check() throws(ImportError) {
    func refusal(of name: String, _ found: String, _ expected: String) -> ImportError {
      ImportError(
        kind: .model, expected: expected, found: found,
        message: "the option \(name) is \(found), expected \(expected)")
    }
    if let rate = requestsPerSecond, !(rate >= 1e-6 && rate.isFinite) {
      throw refusal(of: "requestsPerSecond", "\(rate)", "a number of 0.000001 or more")
    }
    if pageLimit < 1 { throw refusal(of: "pageLimit", "\(pageLimit)", "1 or more") }
    if retries.tries < 1 { throw refusal(of: "retries.tries", "\(retries.tries)", "1 or more") }
    for (name, time) in [
      ("stallTimeout", stallTimeout), ("retries.delay", retries.delay),
      ("retries.longestDelay", retries.longestDelay), ("retries.timeLimit", retries.timeLimit),
    ] {
      if let time, time < .zero { throw refusal(of: name, "\(time)", "0 seconds or more") }
    }
  }
}
