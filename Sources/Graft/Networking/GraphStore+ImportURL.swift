public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension GraphStore {
  /// Imports a file, or what a server sends.
  ///
  /// The bytes are imported as they come; the document is never in memory as a whole. Cancelling
  /// the task ends the import, and nothing is published then.
  ///
  /// - Parameters:
  ///   - entity: The name of the objects' entity.
  ///   - path: The path from the document to the objects; nil for the document itself.
  ///   - url: A file's URL, or one of HTTP or HTTPS.
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
    entity: String, at path: String? = nil, from url: URL, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    try await importJSON(
      [Self.root(entity, path)], from: url, options: options, progress: progress)
  }

  /// Imports a file, or what a server sends, from several roots in one pass.
  ///
  /// - Parameters:
  ///   - roots: Where in the document the objects stand.
  ///   - url: A file's URL, or one of HTTP or HTTPS.
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
    _ roots: [ImportRoot], from url: URL, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    let importer = try makeImporter(roots, options: options)
    switch url.scheme?.lowercased() {
    case "file", nil:
      return try FileReader.withFile(url, chunkSize: options.chunkSize) {
        try importer.importAll(of: $0, progress: progress)
      }
    case "http", "https":
      let download = Download(
        URLRequest(url: url), into: importer, chunkSize: options.chunkSize, progress: progress)
      return try await download.run()
    case let scheme?:
      throw ImportSourceError(
        .unsupportedURL, source: url.absoluteString,
        message: "expected a URL of file, http or https, found \(scheme)")
    }
  }

  /// Imports what an open file or pipe holds, from its present position to its end.
  ///
  /// - Parameters:
  ///   - roots: Where in the document the objects stand.
  ///   - file: The open file, such as `FileHandle.standardInput`; it is not closed.
  ///   - options: How the import goes about its work; `chunkSize` is the most that is read at a
  ///     time.
  ///   - progress: Is told after every chunk how far the import has come; called from any thread,
  ///     one call at a time.
  /// - Returns: What the import did.
  /// - Throws: ``ImportSourceError`` if the bytes cannot be had, ``ImportError`` if they cannot be
  ///   imported, `CancellationError` if the task is cancelled, which is noticed when the next bytes
  ///   have come.
  @concurrent
  @discardableResult
  public func importJSON(
    _ roots: [ImportRoot], from file: FileHandle, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    let reader = FileReader(
      descriptor: file.fileDescriptor, name: "file \(file.fileDescriptor)",
      chunkSize: options.chunkSize)
    return try makeImporter(roots, options: options).importAll(of: reader, progress: progress)
  }
}

extension JSONImporter {
  fileprivate func importAll(
    of file: FileReader, progress: (@Sendable (ImportProgress) -> Void)?
  ) throws -> ImportReport {
    let total = file.byteCount
    var byteCount = 0
    try file.read { chunk in
      try parse(chunk)
      byteCount += chunk.count
      progress?(ImportProgress(byteCount: byteCount, totalByteCount: total))
    }
    return try finish()
  }
}
