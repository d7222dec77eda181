public import Graft

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// A rule that finds the page after a page of an API.
///
/// ```swift
/// try await store.importJSON(Issue.self, from: .pages(of: url, next: .linkHeader))
/// try await store.importJSON(Issue.self, at: "items", from: .pages(of: url, next: .link(at: "meta.next")))
/// try await store.importJSON(
///   Issue.self, at: "data", from: .pages(of: url, next: .cursor(at: "meta.cursor", parameter: "cursor")))
/// ```
///
/// If headers name the next page, it is requested while the page before it is parsed.
///
/// A link or cursor that is absent, `null`, `false` or an empty string ends the pages. Page numbers and offsets end at
/// a page without objects, or at a total.
public struct NextPage: Sendable {
  /// The paths of the scalars that are captured while a page is read.
  let paths: [JSONPath]
  /// Changes the request of the first page.
  let first: @Sendable (URLRequest) -> URLRequest
  /// Returns the request of the page after a page; nil at the end.
  let next: @Sendable (ImportedPage) throws -> URLRequest?
  /// The rule in words; a resumed import compares it to see whether the rule is the same.
  let name: String
  /// Whether the headers alone name the next page.
  ///
  /// It can then be requested ahead.
  let isInHeaders: Bool
  /// The header that names the next page; nil if it is `Link`, which a server leaves out at the end.
  let header: String?
  /// Whether the server gives the address of the next page, and not only a part of it.
  let isAddress: Bool
  /// Whether the source is a single answer.
  let isSingle: Bool
  /// Whether the list ends with an empty page.
  let endsAtEmptyPage: Bool

  private init(
    _ name: String, paths: [JSONPath] = [], isInHeaders: Bool = false, header: String? = nil,
    isAddress: Bool = false,
    isSingle: Bool = false, endsAtEmptyPage: Bool = false,
    first: @escaping @Sendable (URLRequest) -> URLRequest = { $0 },
    next: @escaping @Sendable (ImportedPage) throws -> URLRequest?
  ) {
    self.name = name
    self.paths = paths
    self.isInHeaders = isInHeaders
    self.header = header
    self.isAddress = isAddress
    self.isSingle = isSingle
    self.endsAtEmptyPage = endsAtEmptyPage
    self.first = first
    self.next = next
  }

  /// The rule of a single answer: no page follows.
  static let none = NextPage("one answer", isSingle: true) { _ in nil }
}

// Links.
extension NextPage {
  /// Follows the link `rel="next"` of the header `Link` (RFC 8288).
  public static let linkHeader = NextPage.linkHeader(relation: "next")

  /// Follows a link of the header `Link` (RFC 8288).
  ///
  /// - Parameter relation: The relation of the link to the next page.
  /// - Returns: The rule.
  public static func linkHeader(relation: String) -> NextPage {
    NextPage("link \(relation)", isInHeaders: true, isAddress: true) { page in
      let links = page.response.values(of: "Link")
      return try page.request(
        at: LinkHeader.address(of: relation, in: links, of: page.response.url))
    }
  }

  /// Follows an address in the document, absolute or relative to the page.
  ///
  /// - Parameter path: The path from the document to the address, such as `meta.next`, without wildcards.
  /// - Returns: The rule.
  public static func link(at path: JSONPath) -> NextPage {
    NextPage("link at \(path)", paths: [path], isAddress: true) { page in
      try page.request(at: page.text(at: path))
    }
  }

  /// Follows an address in a header.
  ///
  /// - Parameter name: The name of the header.
  /// - Returns: The rule.
  public static func header(_ name: String) -> NextPage {
    NextPage("header \(name)", isInHeaders: true, header: name, isAddress: true) { page in
      try page.request(at: page.response[name])
    }
  }
}

// Parameters of the address.
extension NextPage {
  /// Sets a parameter of the address to a value of the document.
  ///
  /// - Parameters:
  ///   - path: The path from the document to the value, such as `meta.cursor`, without wildcards.
  ///   - parameter: The name of the parameter.
  /// - Returns: The rule.
  public static func cursor(at path: JSONPath, parameter: String) -> NextPage {
    NextPage("\(parameter) at \(path)", paths: [path]) { page in
      try page.request(setting: parameter, to: page.text(at: path))
    }
  }

  /// Sets a parameter of the address to a value of a header.
  ///
  /// - Parameters:
  ///   - name: The name of the header, such as `X-Next-Page`.
  ///   - parameter: The name of the parameter.
  /// - Returns: The rule.
  public static func header(_ name: String, parameter: String) -> NextPage {
    NextPage("\(parameter) in header \(name)", isInHeaders: true, header: name) { page in
      page.request(setting: parameter, to: page.response[name])
    }
  }

  /// Sets a parameter of the address to the number of the page.
  ///
  /// - Parameters:
  ///   - parameter: The name of the parameter.
  ///   - first: The number of the list's first page. The import begins with it, unless the request has another.
  ///   - total: The place of the total number of objects or pages, so that no page without objects is requested. A number
  ///     of objects serves only if the import begins with the first page. It counts the first root that is the list
  ///     itself; without one it is not used, because the objects at `orders[*].items` do not tell how many orders came.
  /// - Returns: The rule.
  public static func pageNumber(
    parameter: String, from first: Int = 1, total: Total? = nil
  ) -> NextPage {
    NextPage(
      "page number \(parameter)", paths: total?.paths ?? [], endsAtEmptyPage: true,
      first: { $0.setting(parameter, to: $0.parameter(parameter) ?? "\(first)") },
      next: { page in
        let number = page.request.parameter(parameter).flatMap { Int($0) } ?? first
        let pageCount = max(page.number, number &- first &+ 1)
        guard !page.isEmpty,
          total?.isReached(by: page, objectCount: page.countOfListSoFar, pageCount: pageCount)
            != true
        else { return nil }
        return page.request(setting: parameter, to: "\(number &+ 1)")
      })
  }

  /// Sets a parameter of the address to the number of objects before the page.
  ///
  /// A server may give fewer objects than the limit: the next page begins after the objects that came.
  ///
  /// - Parameters:
  ///   - parameter: The name of the parameter with the offset.
  ///   - limitParameter: The name of the parameter with the number of objects on a page.
  ///   - limit: The number of objects on a page.
  ///   - total: The place of the total number of objects or pages, so that no page without objects is requested.
  /// - Returns: The rule.
  public static func offset(
    parameter: String = "offset", limitParameter: String = "limit", limit: Int,
    total: Total? = nil
  ) -> NextPage {
    NextPage(
      "offset \(parameter), \(limitParameter) \(limit)", paths: total?.paths ?? [],
      endsAtEmptyPage: true,
      first: {
        $0.setting(parameter, to: $0.parameter(parameter) ?? "0")
          .setting(limitParameter, to: "\(limit)")
      },
      next: { page in
        guard !page.isEmpty else { return nil }
        let offset = page.request.parameter(parameter).flatMap { Int($0) } ?? 0
        // If only scalars were sent, and none was imported, their number is not known.
        let count = page.leastRootCount > 0 ? min(page.leastRootCount, limit) : limit
        let end = offset &+ max(count, 1)
        let pageCount = max(page.number, (end &+ limit &- 1) / max(limit, 1))
        guard total?.isReached(by: page, objectCount: end, pageCount: pageCount) != true
        else { return nil }
        return page.request(setting: parameter, to: "\(end)")
      })
  }

  /// The place of a list's total number of objects or pages.
  public struct Total: Sendable {
    private enum Unit { case objects, pages }

    let paths: [JSONPath]
    private let header: String?
    private let unit: Unit

    /// Reads the number of objects from the document.
    ///
    /// - Parameter path: The path from the document to the number, such as `meta.total`.
    /// - Returns: The total.
    public static func objects(at path: JSONPath) -> Total {
      Total(paths: [path], header: nil, unit: .objects)
    }

    /// Reads the number of pages from the document.
    ///
    /// - Parameter path: The path from the document to the number, such as `meta.last_page`.
    /// - Returns: The total.
    public static func pages(at path: JSONPath) -> Total {
      Total(paths: [path], header: nil, unit: .pages)
    }

    /// Reads the number of objects from a header.
    ///
    /// - Parameter name: The name of the header, such as `X-Total-Count`.
    /// - Returns: The total.
    public static func objects(inHeader name: String) -> Total {
      Total(paths: [], header: name, unit: .objects)
    }

    /// Reads the number of pages from a header.
    ///
    /// - Parameter name: The name of the header, such as `X-Total-Pages`.
    /// - Returns: The total.
    public static func pages(inHeader name: String) -> Total {
      Total(paths: [], header: name, unit: .pages)
    }

    /// Returns whether a page is the last one.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - objectCount: The number of objects up to its end; nil if it is not known.
    ///   - pageCount: The number of pages up to its end.
    /// - Returns: Whether it is; false where the total is no number, or -1 for an unknown one.
    func isReached(by page: ImportedPage, objectCount: Int?, pageCount: Int) -> Bool {
      let text = if let header { page.response[header] } else { page.captured.first?.text }
      guard let total = text.flatMap({ Double($0) }), total >= 0 else { return false }
      switch unit {
      case .objects: return objectCount.map { Double($0) >= total } ?? false
      case .pages: return Double(pageCount) >= total
      }
    }
  }
}

// Code.
extension NextPage {
  /// Makes the request of the next page in code.
  ///
  /// ```swift
  /// .request(capturing: ["has_more", "items[0].id"]) { page in
  ///   guard page.values[0] == "true" else { return nil }
  ///   …
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - paths: The paths of scalars in the document that the closure needs, without wildcards; they are captured while
  ///     the page is read.
  ///   - next: Returns the request of the page after a page; nil at the end. It is called once for each page, after the
  ///     page has been read and before its objects are published.
  /// - Returns: The rule.
  public static func request(
    capturing paths: [JSONPath] = [],
    _ next: @escaping @Sendable (ImportedPage) throws -> URLRequest?
  ) -> NextPage {
    NextPage("a closure", paths: paths, next: next)
  }
}

/// A page that has been read, for the rule that finds the next one.
public struct ImportedPage: Sendable {
  /// The request that was sent.
  public let request: URLRequest
  /// The server's answer.
  public let response: ImportResponse
  /// The number of the page, counted from 1.
  public let number: Int
  /// The number of objects at the root of the page; of several roots, at the one that has the most.
  public let objectCount: Int
  /// The sum of these numbers for this page and the pages before it.
  public let objectCountSoFar: Int
  /// The scalars at the paths of the rule, as they are written in the document, strings without quotes.
  ///
  /// A value is nil for `null`, an object or array, and a path that leads nowhere.
  public var values: [String?] { captured.map(\.text) }
  /// The values at the paths of the rule.
  let captured: [CapturedValue]
  /// Whether the page's list has no elements.
  public let isEmpty: Bool
  /// The request of the first page.
  let first: URLRequest
  /// The number of objects that the server has sent, skipped ones included; of several roots, at the one that has the
  /// fewest.
  let leastRootCount: Int
  /// The number of elements of the list on this page and the pages before it; nil if no root is the list itself.
  let countOfListSoFar: Int?

  /// Returns the request of a page at an address.
  ///
  /// User, password and headers of your own go to the scheme, host and port of the first request only; other servers
  /// get general headers, such as `Accept`.
  ///
  /// - Parameter address: The address, absolute or relative to the page; nil or empty where there is none.
  /// - Returns: The request; nil if there is no address.
  /// - Throws: ``Graft/ImportSourceError`` if the address is not one of the web.
  public func request(at address: String?) throws -> URLRequest? {
    guard let address, !Self.isEnd(address) else { return nil }
    return try request.following(address, from: response.url, first: first)
  }

  /// Returns the request of this page with another value of a parameter.
  ///
  /// - Parameters:
  ///   - parameter: The name of the parameter.
  ///   - value: The value; nil or empty where there is none.
  /// - Returns: The request; nil if there is no value.
  public func request(setting parameter: String, to value: String?) -> URLRequest? {
    guard let value, !Self.isEnd(value) else { return nil }
    return request.setting(parameter, to: value)
  }

  /// Returns the scalar at the first path of the rule; nil if there is none.
  ///
  /// - Throws: ``Graft/ImportError`` for an object or array, which does not say that no page follows.
  func text(at path: JSONPath) throws -> String? {
    let found: String
    switch captured[0] {
    case .nothing, .null: return nil
    case .text(let text): return text
    case .object: found = "an object"
    case .array: found = "an array"
    }
    throw ImportError(
      kind: .wrongType,
      message:
        "expected a text, a number or null at \(path), which leads to the next page, found \(found);"
        + " name the path of the value in it")
  }

  /// Returns whether a value says that no page follows.
  private static func isEnd(_ value: String) -> Bool { ["", "false", "null"].contains(value) }
}
