import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension ImportResponse {
  /// Creates the answer from the response of a session.
  ///
  /// - Parameters:
  ///   - response: The session's answer.
  ///   - url: The address that was asked, for an answer without one.
  init(_ response: HTTPURLResponse, url: URL) {
    let headers = response.allHeaderFields.compactMap { name, value in
      (name as? String).map { Header(name: $0, value: "\(value)") }
    }
    self.init(
      url: response.url ?? url, status: response.statusCode,
      headers: headers.inOrder { $0.name < $1.name })
  }

  /// Returns the answer with the request's conditions, which decide the meaning of some statuses.
  func answering(_ request: WebRequest) -> ImportResponse {
    var response = self
    response.isPartAsked = request["Range"] != nil
    response.isChangeAsked =
      request["If-None-Match"] != nil || request["If-Modified-Since"] != nil
    return response
  }

  /// The reason why the answer is no document; nil if it is one, or says that a known one has not changed.
  var refusal: String? {
    switch status {
    case 206 where !isPartAsked:
      "expected a whole document, the server answered \(statusText) without being asked for a part"
    case 200...299: nil
    case 304 where isNotModified: nil
    case 300...399:
      "expected a status of success, the server answered \(statusText) with "
        + (values(of: "Location").last.map {
          "an address that cannot be followed: \(Secrets.removed(from: $0))"
        } ?? "no address to go to")
    default: "expected a status of success, the server answered \(statusText)"
    }
  }

  private var statusText: String {
    "\(status) (\(HTTPURLResponse.localizedString(forStatusCode: status)))"
  }
}
