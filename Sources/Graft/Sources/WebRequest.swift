import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request in the parts that libcurl takes, which can follow a redirection.
struct WebRequest {
  /// The most redirections that are followed.
  static let redirectLimit = 20
  /// The statuses that lead to another address; 300, 304 and 305 do not by themselves.
  private static let redirectStatuses: Set<Int> = [301, 302, 303, 307, 308]

  /// The address, without user and password.
  private(set) var url: URL
  /// The user and the password that were in the address.
  private(set) var user: String?
  private(set) var password: String?
  private(set) var method: String
  /// The headers, by their names as they are sent.
  private(set) var headers: [(name: String, value: String)]
  private(set) var body: Data?
  /// The longest time without a byte, in seconds; nil for no limit.
  let timeout: Double?
  /// Whether cookies that a server sets are sent back to it after a redirection.
  let handlesCookies: Bool

  /// - Throws: ``ImportSourceError`` for a request that cannot be sent.
  init(_ request: URLRequest) throws {
    (url, user, password) = try Self.parts(of: request.url)
    method = request.httpMethod ?? "GET"
    headers = (request.allHTTPHeaderFields ?? [:]).sortedByKey()
      .map { (name: $0.key, value: $0.value) }
    body = request.httpBody
    let seconds = request.timeoutInterval
    timeout = seconds > 0 && seconds < 1e6 ? seconds : nil
    handlesCookies = request.httpShouldHandleCookies
    let hasBreak = ([method] + headers.flatMap { [$0.name, $0.value] })
      .contains { $0.utf8.contains { $0 < 0x20 && $0 != 0x09 } }
    if hasBreak || method.isEmpty || method.contains(" ") {
      throw ImportSourceError(
        .unsupportedURL, source: address,
        message: "expected a method and headers without control characters")
    }
    if request.httpBodyStream != nil {
      throw ImportSourceError(
        .unsupportedURL, source: address, message: "expected a body in httpBody, found a stream")
    }
  }

  /// The address for messages.
  var address: String { url.shownAddress }

  /// The value of a header; nil if it is not set.
  subscript(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Returns the request that follows a redirection, as browsers send it.
  ///
  /// User, password and headers that give access go to the same scheme, host and port only.
  ///
  /// - Parameters:
  ///   - location: The header `Location`, relative to the address or absolute.
  ///   - status: The status of the answer.
  /// - Returns: The request; nil if the answer leads nowhere.
  /// - Throws: ``ImportSourceError`` if it leads to what cannot be read.
  func redirected(to location: String?, status: Int) throws -> WebRequest? {
    guard Self.redirectStatuses.contains(status), let location, !location.isEmpty,
      let target = URL(address: location, relativeTo: url)?.absoluteURL
    else { return nil }
    var next = self
    do {
      (next.url, next.user, next.password) = try Self.parts(of: target)
    } catch let error as ImportSourceError {
      throw ImportSourceError(
        error.kind, source: address,
        message: "the server redirects to \(error.source): \(error.message)")
    }
    if url.origin != next.url.origin {
      next.headers.removeAll { Secrets.isOfServer(header: $0.name) }
    } else if next.user == nil {
      (next.user, next.password) = (user, password)
    }
    if status == 303 && method != "HEAD" || status < 303 && method == "POST" {
      next.method = "GET"
      next.body = nil
      next.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
    }
    return next
  }

  /// Splits an address, and checks that it can be requested.
  private static func parts(
    of url: URL?
  ) throws -> (url: URL, user: String?, password: String?) {
    func unsupported(_ message: String) -> ImportSourceError {
      ImportSourceError(
        .unsupportedURL, source: url?.shownAddress ?? "a request without URL", message: message)
    }
    let scheme = url?.scheme?.lowercased()
    guard let url, scheme == "http" || scheme == "https" else {
      throw unsupported("expected a request by http or https, found \(scheme ?? "no scheme")")
    }
    guard let host = url.host(), !host.isEmpty else {
      throw unsupported("expected the name of a host")
    }
    if let port = url.port, !(1...65_535 ~= port) {
      throw unsupported("expected a port from 1 to 65535, found \(port)")
    }
    guard url.user() != nil || url.password() != nil,
      var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return (url, nil, nil) }
    (components.user, components.password) = (nil, nil)
    guard let plain = components.url else { throw unsupported("expected a URL") }
    return (plain, url.user(percentEncoded: false), url.password(percentEncoded: false))
  }
}

extension URL {
  /// Scheme, host and port, by which two addresses are of the same server.
  package var origin: [String] {
    let scheme = scheme?.lowercased() ?? ""
    return [
      scheme, host()?.lowercased() ?? "", "\(port ?? (scheme == "https" ? 443 : 80))",
    ]
  }
}
