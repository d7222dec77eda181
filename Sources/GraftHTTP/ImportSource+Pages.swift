public import Foundation
public import Graft

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension ImportSource {
  /// Returns a source that imports the pages of an API, one after the other.
  ///
  /// ```swift
  /// let database = try GraphDatabase(for: Issue.self, at: file)
  /// try await database.importJSON(Issue.self, from: .pages(of: request, next: .linkHeader))
  /// ```
  ///
  /// One page is in memory at a time, and it is streamed like any other document. Each page is one save: its objects are
  /// published when it is complete. A page that fails is requested again as the options say, and changes nothing until
  /// it is complete; the pages before it stay. With ``Graft/ImportOptions/deletesMissing``, objects that no page has
  /// mentioned are deleted at the end, and only if every page has come. An import into a database can be resumed at the
  /// page that failed.
  ///
  /// The report adds up those of the pages: an object that two pages mention counts twice.
  ///
  /// - Parameters:
  ///   - request: The request of the first page; the others on the same server have its method, headers and
  ///     body. With a body, a page on another server is an error.
  ///   - next: The rule for the next page.
  ///   - options: The options for requests.
  ///   - session: The session that downloads, as for ``Graft/ImportSource/request(_:session:)``; nil is best on Linux.
  /// - Returns: A source that can be imported any number of times.
  public static func pages(
    of request: URLRequest, next: NextPage, options: HTTPOptions = HTTPOptions(),
    session: URLSession? = nil
  ) -> ImportSource {
    ImportSource(PageSeries(request: request, rule: next, http: options, session: session))
  }

  /// Returns a source that imports the pages of an API, one after the other.
  ///
  /// - Parameters:
  ///   - url: The address of the first page.
  ///   - next: The rule for the next page.
  ///   - options: The options for requests.
  ///   - session: The session that downloads; nil is best on Linux.
  /// - Returns: A source that can be imported any number of times; see ``pages(of:next:options:session:)``.
  public static func pages(
    of url: URL, next: NextPage, options: HTTPOptions = HTTPOptions(), session: URLSession? = nil
  ) -> ImportSource {
    pages(of: URLRequest(url: url), next: next, options: options, session: session)
  }

  /// Returns a source that imports one answer of an API, and requests it again if it fails.
  ///
  /// It is imported as one save, so that a try that has failed has changed nothing. Only if it is never repeated
  /// (`RetryPolicy.never`) and always whole, the import's own ``Graft/ImportOptions/savePolicy`` holds.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - options: The options for requests.
  ///   - session: The session that downloads, as for ``Graft/ImportSource/request(_:session:)``; nil is best on Linux.
  /// - Returns: A source that can be imported any number of times.
  public static func request(
    _ request: URLRequest, options: HTTPOptions, session: URLSession? = nil
  ) -> ImportSource {
    ImportSource(PageSeries(request: request, rule: .none, http: options, session: session))
  }

  /// Returns the first answer of a list or of a request, as a document whose bytes can be read.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - next: The rule for the next page; nil for a single answer.
  ///   - options: The options for requests, whose time-out holds.
  /// - Returns: The source.
  package static func firstPage(
    of request: URLRequest, next: NextPage?, options: HTTPOptions
  ) -> ImportSource {
    .request(options.timed(next?.first(request) ?? request))
  }
}
