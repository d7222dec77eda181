#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension GraphStore {
  /// Imports what a server sends in answer to a request, with its method, headers and body.
  ///
  /// ```swift
  /// var request = URLRequest(url: url)
  /// request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
  /// let report = try await store.importJSON(entity: "Tweet", at: "statuses", from: request)
  /// ```
  ///
  /// The bytes are imported as they come; the document is never in memory as a whole. Cancelling
  /// the task ends the import, and nothing is published then.
  ///
  /// - Parameters:
  ///   - entity: The name of the objects' entity.
  ///   - path: The path from the document to the objects; nil for the document itself.
  ///   - request: A request by HTTP or HTTPS.
  ///   - options: How the import goes about its work; `chunkSize` is the most that is read at a
  ///     time.
  ///   - progress: Is told after every chunk how far the import has come; called from any thread,
  ///     one call at a time.
  /// - Returns: What the import did.
  /// - Throws: ``ImportSourceError`` if the bytes cannot be had, ``ImportError`` if they cannot be
  ///   imported, `CancellationError` if the task is cancelled.
  @concurrent
  @discardableResult
  public func importJSON(
    entity: String, at path: String? = nil, from request: URLRequest,
    options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    try await importJSON(
      [Self.root(entity, path)], from: request, options: options, progress: progress)
  }

  /// Imports what a server sends in answer to a request, from several roots in one pass.
  ///
  /// - Parameters:
  ///   - roots: Where in the document the objects stand.
  ///   - request: A request by HTTP or HTTPS.
  ///   - options: How the import goes about its work; `chunkSize` is the most that is read at a
  ///     time.
  ///   - progress: Is told after every chunk how far the import has come; called from any thread,
  ///     one call at a time.
  /// - Returns: What the import did.
  /// - Throws: ``ImportSourceError`` if the bytes cannot be had, ``ImportError`` if they cannot be
  ///   imported, `CancellationError` if the task is cancelled.
  @concurrent
  @discardableResult
  public func importJSON(
    _ roots: [ImportRoot], from request: URLRequest, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    let importer = try makeImporter(roots, options: options)
    let scheme = request.url?.scheme?.lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw ImportSourceError(
        .unsupportedURL, source: request.address,
        message: "expected a request by http or https, found \(scheme ?? "no scheme")")
    }
    let download = Download(
      request, into: importer, chunkSize: options.chunkSize, progress: progress)
    return try await download.run()
  }
}
