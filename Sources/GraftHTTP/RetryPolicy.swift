import Graft

#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// Decides when a request that has failed is sent again.
///
/// A request is sent again if its connection was lost, stalled or could not be made again, or if the server has answered
/// with one of ``statuses``, or with 403 and a time to wait. Only methods are repeated that a server may carry out
/// twice, such as `GET`, unless ``repeatsEveryMethod`` says otherwise. A page that has failed in its middle has changed
/// nothing, and is imported anew.
public struct RetryPolicy: Sendable, Hashable {
  /// The most times that one request is sent, at least 1.
  public var tries = 5
  /// The time before the second try; it doubles with each further one, and varies by a quarter.
  public var delay = Duration.seconds(1)
  /// The longest time between two tries.
  ///
  /// A server that asks for a longer one (`Retry-After`) ends the import.
  public var longestDelay = Duration.seconds(120)
  /// The longest time from the first try of a request to the beginning of its last; nil for no limit.
  public var timeLimit: Duration? = .seconds(600)
  /// The statuses after which a request is sent again.
  public var statuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
  /// Whether a request such as `POST` is sent again, too.
  public var repeatsEveryMethod = false

  /// Creates the default policy.
  public init() {}

  /// Sends each request once.
  public static let never: RetryPolicy = {
    var policy = RetryPolicy()
    policy.tries = 1
    return policy
  }()

  /// The methods that a server may carry out twice (RFC 9110, 9.2.2, and the draft of `QUERY`).
  private static let repeatable: Set<String> = [
    "GET", "HEAD", "OPTIONS", "PUT", "DELETE", "QUERY",
  ]

  /// A try that has failed.
  struct Failure {
    var error: any Error
    /// The number of times that the request was sent.
    var tries: Int
    /// The time since the first try.
    var elapsed: Duration
    /// Whether the server has answered before, which shows that its address is right.
    var hasServerAnswered: Bool
  }

  /// Decides whether a request is sent again.
  ///
  /// - Parameters:
  ///   - failure: The try that has failed.
  ///   - request: The request.
  ///   - now: The current time.
  /// - Returns: The time to wait before; nil if the error is final.
  func delay(after failure: Failure, of request: URLRequest, now: Date = .now) -> Duration? {
    guard failure.tries < tries, let error = failure.error as? ImportSourceError,
      repeatsEveryMethod || Self.repeatable.contains(request.httpMethod?.uppercased() ?? "GET")
    else { return nil }
    let asked = error.response.flatMap { RetryTime.asked(by: $0, now: now) }
    guard mayPass(error, asksToWait: asked != nil, failure.hasServerAnswered) else { return nil }
    let wait = asked ?? backoff(failure.tries)
    guard wait <= longestDelay else { return nil }
    if let timeLimit, failure.elapsed + wait > timeLimit { return nil }
    return wait
  }

  /// Decides whether a request is sent again.
  ///
  /// - Parameters:
  ///   - error: The error of the last try.
  ///   - tries: The number of times that the request was sent.
  ///   - start: The time of the first of them.
  ///   - request: The request.
  /// - Returns: The time to wait before; nil if the error is final.
  package func delay(
    after error: any Error, tries: Int, since start: ContinuousClock.Instant,
    of request: URLRequest
  ) -> Duration? {
    let failure = Failure(
      error: error, tries: tries, elapsed: .now - start, hasServerAnswered: false)
    return delay(after: failure, of: request)
  }

  /// Returns the explanation why a request is not sent again, for the message of its error.
  ///
  /// - Parameters:
  ///   - failure: The last try.
  ///   - now: The current time.
  /// - Returns: The rest of a message; empty if the error says all.
  func remark(on failure: Failure, now: Date = .now) -> String {
    var remark = failure.tries > 1 ? "; it was requested \(failure.tries) times" : ""
    if failure.tries < tries, let error = failure.error as? ImportSourceError,
      mayPass(error, asksToWait: true, true),
      let asked = error.response.flatMap({ RetryTime.asked(by: $0, now: now) }),
      asked > longestDelay
    {
      let (seconds, limit) = (asked.components.seconds, longestDelay.components.seconds)
      remark +=
        "; the server asks to wait \(seconds) s, longer than the limit of \(limit) s: import again after that time"
    }
    return remark
  }

  /// Returns whether the cause of an error may pass.
  private func mayPass(
    _ error: ImportSourceError, asksToWait: Bool, _ hasServerAnswered: Bool
  ) -> Bool {
    switch error.kind {
    case .httpStatus:
      guard let status = error.httpStatus else { return false }
      return statuses.contains(status) || status == 403 && asksToWait
    case .connection:
      switch (error.underlyingError as? URLError)?.code {
      case .networkConnectionLost, .timedOut: return true
      // An address that has never answered is more likely to be wrong than a server is to be away.
      case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet:
        return hasServerAnswered
      default: return false
      }
    default: return false
    }
  }

  private func backoff(_ tries: Int) -> Duration {
    let factor = Double(1 << min(tries - 1, 30)) * Double.random(in: 0.75...1.25)
    return min(delay * factor, longestDelay)
  }
}

/// The time for which a server asks to wait.
enum RetryTime {
  /// Returns the time that an answer names.
  ///
  /// `Retry-After` is a number of seconds or a date (RFC 9110, 10.2.3). Without it, a limit of requests that is used up
  /// says when it begins anew: `X-RateLimit-Reset` as seconds since 1970 or from now.
  ///
  /// - Returns: The time; nil if the answer names none.
  static func asked(by response: ImportResponse, now: Date) -> Duration? {
    if let text = response["Retry-After"] {
      if let seconds = Double(text) { return seconds.isFinite ? duration(seconds) : nil }
      return date(text).map { duration($0.timeIntervalSince(now)) }
    }
    for prefix in ["X-RateLimit", "RateLimit"] {
      guard response["\(prefix)-Remaining"].flatMap({ Double($0) }) == 0,
        let reset = response["\(prefix)-Reset"].flatMap({ Double($0) }), reset.isFinite
      else { continue }
      // A number of seconds from now is small, a time is not.
      return duration(reset > 1e9 ? reset - now.timeIntervalSince1970 : reset)
    }
    return nil
  }

  /// Returns a duration of whole milliseconds, and none below 0.
  private static func duration(_ seconds: Double) -> Duration {
    .milliseconds(Int64((min(max(seconds, 0), 1e9) * 1_000).rounded(.up)))
  }

  /// The dates of RFC 850, such as `Wednesday, 21-Oct-26 07:28:00 GMT`.
  private static let oldPattern = DatePattern("EEEE, dd-MMM-yy HH:mm:ss zzz")

  /// Reads a date of HTTP, such as `Wed, 21 Oct 2026 07:28:00 GMT`, also in the forms of old servers (RFC 9110, 5.6.7).
  private static func date(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    let interval = DateText.parseAutomatic(bytes.span) ?? oldPattern.parse(bytes.span)
    return interval.map { Date(timeIntervalSinceReferenceDate: $0) }
  }
}
