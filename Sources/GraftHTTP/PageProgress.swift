import Foundation
import Graft

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Records the progress of an import of pages, as a note.
///
/// A database keeps it until the last page, and a resumed import goes on from it.
struct PageProgress: SavedNote, Equatable {
  /// The number of pages whose objects are published.
  var pageCount = 0
  /// The number of objects of their roots.
  var objectCount = 0
  /// The number of elements of the list that the server has sent, skipped ones included.
  var sentCount = 0
  /// The address of the next page, without secrets of the first request; empty if it cannot be noted.
  var next = ""
  /// The parameters of the first request that are left out in `next`, because their values give access.
  var hidden: [String] = []
  /// The headers of the first request whose secrets the server repeats, by the parameters that are left out in `next`.
  var hiddenHeaders: [String: String]?

  /// The values of the parameters that the target's greatest values have filled, by parameter.
  var since: [String: String] = [:]
  /// The marks of the first page by which the server sees whether the list has changed.
  var validators = Validators()

  /// Whether an import can continue with the next page.
  var canBeResumed: Bool { !next.isEmpty }

  /// Notes the request of the next page.
  ///
  /// - Parameters:
  ///   - next: The request; nil at the end.
  ///   - first: The first request, whose secrets are not kept.
  mutating func note(_ next: URLRequest?, after first: URLRequest) {
    (self.next, hidden, hiddenHeaders) = ("", [], nil)
    // Only an address can be noted.
    guard var next, next.differsInAddressOnly(from: first) else { return }
    var headers: [String: String] = [:]
    for name in first.parameterNames
    where Secrets.isNamed(name) && next.parameter(name) == first.parameter(name) {
      hidden.append(name)
      next = next.setting(name, to: nil)
    }
    for name in next.parameterNames where Secrets.isNamed(name) {
      guard let value = next.parameter(name),
        let header = first.allHTTPHeaderFields?.first(where: { Self.secret(in: $0.value) == value })
      else { continue }
      headers[name] = header.key
      next = next.setting(name, to: nil)
    }
    hiddenHeaders = headers
    self.next = next.url?.withUser(nil, nil).absoluteString ?? ""
  }

  /// Returns the noted request of the next page.
  ///
  /// - Parameter first: The first request.
  /// - Returns: The request, with the secrets of the first one.
  /// - Throws: `ImportSourceError` if the note names no page of the web.
  func request(after first: URLRequest) throws -> URLRequest {
    var request = try first.following(next, from: first.url ?? URL(filePath: "/"))
    for name in hidden { request = request.setting(name, to: first.parameter(name)) }
    for (name, header) in (hiddenHeaders ?? [:]).sorted(by: { $0.key < $1.key }) {
      let value = first.value(forHTTPHeaderField: header)
      request = request.setting(name, to: value.map(Self.secret))
    }
    return request
  }

  /// Returns the secret in the value of a header: what follows the last space, as in `Bearer 5f1c`.
  private static func secret(in value: String) -> String {
    value.split(separator: " ").last.map(String.init) ?? value
  }

  /// Returns the key of the note: another request, another rule and other roots make another list.
  ///
  /// Headers and secrets may change from import to import.
  ///
  /// - Parameters:
  ///   - request: The request of the first page, whose secrets are not kept.
  ///   - rule: The rule that finds the next page.
  ///   - roots: The roots of the import.
  /// - Returns: The key.
  static func key(of request: URLRequest, _ rule: NextPage, _ roots: [ImportRoot]) -> String {
    let address = Secrets.removed(from: request.url?.absoluteString ?? "")
    let method = request.httpMethod ?? "GET"
    var sent = method == "GET" ? "" : "\(method) "
    if let body = request.httpBody {
      // A body may hold a secret, and be long.
      let hash = body.withRawSpan { $0.withBorrowed { StableHash($0).value } }
      sent += "(\(body.count) bytes, \(String(hash, radix: 16))) "
    }
    let hidden = request.parameterNames.filter { Secrets.mayBeOrdinary($0) }
      .map { "\($0)=\(request.parameter($0) ?? "")" }.joined(separator: "&")
    if !hidden.isEmpty {
      let hash = hidden.withBorrowedUTF8 { StableHash($0).value }
      sent += "(\(String(hash, radix: 16))) "
    }
    return "pages of \(sent)\(address) by \(rule.name) for "
      + roots.map { "\($0.entity) at \($0.path)" }.joined(separator: ", ")
  }
}
