import Foundation
import Graft

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The address of the next page comes from a stranger. It may be relative, it may name another host, and it must not
// carry the user's secrets there.

extension URLRequest {
  /// The characters that need no escape in the value of a parameter.
  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// Returns the value of a parameter of the address; nil if there is none.
  func parameter(_ name: String) -> String? {
    guard let url, let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      return nil
    }
    return parts.queryItems?.first { $0.name == name }?.value
  }

  /// The names of the parameters of the address.
  var parameterNames: [String] {
    url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }?.queryItems?.map(\.name)
      ?? []
  }

  /// Returns the request with a parameter of its address replaced or added; the others stay as they are written.
  ///
  /// - Parameters:
  ///   - name: The name of the parameter.
  ///   - value: The value; nil removes the parameter.
  /// - Returns: The request.
  func setting(_ name: String, to value: String?) -> URLRequest {
    guard let url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      return self
    }
    func escaped(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? text
    }
    var items = (parts.percentEncodedQuery ?? "").split(separator: "&").map(String.init)
    let isNamed: (String) -> Bool = { item in
      let key = item.prefix { $0 != "=" }
      return (key.removingPercentEncoding ?? String(key)) == name
    }
    let item = value.map { "\(escaped(name))=\(escaped($0))" }
    let index = items.firstIndex(where: isNamed)
    items.removeAll(where: isNamed)
    if let item { items.insert(item, at: min(index ?? items.count, items.count)) }
    parts.percentEncodedQuery = items.isEmpty ? nil : items.joined(separator: "&")
    var request = self
    request.url = parts.url ?? url
    return request
  }

  /// Returns the request for an address that a page names.
  ///
  /// User, password, headers of the user's own and the body go to the scheme, host and port of this request only, and
  /// back to those of the first one.
  ///
  /// - Parameters:
  ///   - address: The address, absolute or relative.
  ///   - page: The address of the page, after redirections.
  ///   - first: The request of the first page.
  /// - Returns: The request, with the same method and body.
  /// - Throws: `ImportSourceError` if no page can be there.
  func following(
    _ address: String, from page: URL, first: URLRequest? = nil
  ) throws -> URLRequest {
    guard let target = URL(address: address, relativeTo: page)?.absoluteURL else {
      throw unfollowable(address, "expected a URL")
    }
    guard ["http", "https"].contains(target.scheme?.lowercased()), target.host()?.isEmpty == false
    else { throw unfollowable(address, "expected an address by http or https") }
    var request = self
    for known in [first ?? self, self] where target.origin == known.url?.origin {
      request.allHTTPHeaderFields = known.allHTTPHeaderFields
      request.url =
        target.user() == nil ? target.withUser(known.url?.user(), known.url?.password()) : target
      return request
    }
    guard httpBody == nil else {
      throw unfollowable(
        address,
        "expected an address of the same scheme, host and port, which alone get the body of the request,"
      )
    }
    request.url = target.withUser(nil, nil)
    for name in (allHTTPHeaderFields ?? [:]).keys where !Secrets.isGeneral(header: name) {
      request.setValue(nil, forHTTPHeaderField: name)
    }
    return request
  }

  private func unfollowable(_ address: String, _ expectation: String) -> ImportSourceError {
    ImportSourceError(
      .unsupportedURL, source: url?.absoluteString ?? "",
      message: "\(expectation) for the next page, found \"\(Secrets.removed(from: address))\"")
  }

  /// Returns whether the request differs from another one in its address only; it may lack headers of the other.
  func differsInAddressOnly(from other: URLRequest) -> Bool {
    httpMethod == other.httpMethod && httpBody == other.httpBody
      && (allHTTPHeaderFields ?? [:]).allSatisfy { other.value(forHTTPHeaderField: $0) == $1 }
  }
}

extension URL {
  /// Returns the address with another user and password, which are percent-encoded.
  func withUser(_ user: String?, _ password: String?) -> URL {
    guard user != self.user() || password != self.password(),
      var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
    else { return self }
    (parts.percentEncodedUser, parts.percentEncodedPassword) = (user, password)
    return parts.url ?? self
  }
}

extension Secrets {
  /// Headers that say what is sent and what is wanted, and nothing about who asks.
  private static let generalHeaders: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control",
    "content-encoding",
    "content-language", "content-type", "prefer", "user-agent",
  ]

  /// Returns whether a header is harmless for any server: it says nothing about the sender.
  fileprivate static func isGeneral(header name: String) -> Bool {
    generalHeaders.contains(name.lowercased())
  }
}
