public import Foundation

/// A server's answer without its body: the address, the status and the headers.
///
/// ```swift
/// let report = try await store.importJSON(Tweet.self, from: url)
/// print(report.response?["ETag"] ?? "no tag")
/// ```
public struct ImportResponse: Sendable, Hashable {
  /// One header of an answer.
  public struct Header: Sendable, Hashable {
    /// The name, as the server has spelled it.
    public let name: String
    /// The value, without the spaces around it.
    public internal(set) var value: String
  }

  /// The choices of an answer's reader; see ``ImportOptions/willReadResponse``.
  public struct ReadingOptions: Sendable, Hashable {
    /// The places of the objects in the document.
    public var roots: [ImportRoot]
    /// Whether the body is one document or several; nil if neither the options nor the answer say.
    public var format: ParserOptions.Format?
  }

  /// The address that has answered, after redirections.
  ///
  /// It has neither user nor password, and `***` in place of each parameter that gives access.
  public let url: URL
  /// The status, such as 200.
  public let status: Int
  /// The headers in the order of the answer, where it is known; a name may occur several times.
  public let headers: [Header]
  /// Whether the request asked for a part of the document.
  var isPartAsked = false
  /// Whether the request asked for the document only if it has changed.
  var isChangeAsked = false

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - url: The address; its secrets are removed.
  ///   - status: The status.
  ///   - headers: Names and values.
  public init(url: URL, status: Int, headers: KeyValuePairs<String, String> = [:]) {
    self.init(
      url: url, status: status, headers: headers.map { Header(name: $0.key, value: $0.value) })
  }

  init(url: URL, status: Int, headers: [Header]) {
    let shown = url.shownAddress
    self.url = shown == url.absoluteString ? url : URL(string: shown) ?? url.withoutSecrets
    self.status = status
    self.headers = headers
  }

  /// The value of a header, whose name may be written in any case; several values are joined by commas.
  ///
  /// - Parameter name: The name of the header, such as `ETag`.
  /// - Returns: The value; nil if there is no such header.
  public subscript(_ name: String) -> String? {
    let values = values(of: name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// Returns the values of a header that may occur several times, such as `Link`.
  ///
  /// - Parameter name: The name, in any case.
  /// - Returns: The values, in the order of the answer.
  public func values(of name: String) -> [String] {
    let name = name.lowercased()
    return headers.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// Whether the answer has no body, because the request named this document as known.
  public var isNotModified: Bool { status == 304 && isChangeAsked }

  /// The address in messages.
  package var address: String { url.absoluteString }
}

extension ImportResponse: CustomStringConvertible {
  /// Status and address, such as `200 https://example.org/feed.json`, without the headers, which may have secrets.
  public var description: String { "\(status) \(url.absoluteString)" }
}

extension ImportResponse {
  /// The media type of the body in lower case, without parameters, such as `application/json`; nil if there is none.
  var mediaType: String? {
    guard let text = self["Content-Type"] else { return nil }
    let type = text.prefix { $0 != ";" && $0 != "," }.trimmingCharacters(in: .whitespaces)
    return type.isEmpty ? nil : type.lowercased()
  }

  /// Whether the server says that the body is JSON.
  var isJSON: Bool { mediaType?.contains("json") ?? false }

  /// The format that the media type names; nil for types that are used both for one document and for several.
  var format: ParserOptions.Format? { mediaType.flatMap { .init(ofMediaType: $0) } }
}

extension ParserOptions.Format {
  /// Creates the format for a media type that is used for streams of documents; nil for other types.
  ///
  /// `application/json` and `text/plain` name no format, because servers send files of any name as these.
  init?(ofMediaType type: String) {
    let subtype = type.split(separator: "/").last.map(String.init) ?? ""
    let plain = subtype.hasPrefix("x-") ? String(subtype.dropFirst(2)) : subtype
    switch plain {
    case "ndjson", "jsonl", "jsonlines", "json-lines", "json-stream": self = .ndjson
    case "json-seq": self = .sequence
    case "event-stream": self = .serverSentEvents
    case let text where text.hasSuffix("+json-seq"): self = .sequence
    case let text where text.hasSuffix("+ndjson") || text.hasSuffix("+jsonl"): self = .ndjson
    default: return nil
    }
  }
}

extension URL {
  /// The address without user, password, parameters and fragment.
  fileprivate var withoutSecrets: URL {
    var parts = URLComponents()
    (parts.scheme, parts.host, parts.port, parts.path) = (scheme, host(), port, path)
    return parts.url ?? URL(filePath: "/")
  }
}
