public import Foundation

// The same as for entities by name, for typed ones.
extension GraphStore {
  /// Imports objects of a typed entity from a file, or from what a server sends.
  ///
  /// The bytes are imported as they come; the document is never in memory as a whole. Cancelling
  /// the task ends the import, and nothing is published then.
  ///
  /// - Parameters:
  ///   - entity: The objects' entity.
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
  public func importJSON<E: Entity>(
    _ entity: E.Type, at path: String? = nil, from url: URL,
    options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    try await importJSON(
      [ImportRoot(entity, at: path)], from: url, options: options, progress: progress)
  }

  /// Imports objects of a typed entity from chunks of bytes as they come.
  ///
  /// - Parameters:
  ///   - entity: The objects' entity.
  ///   - path: The path from the document to the objects; nil for the document itself.
  ///   - chunks: The document, cut anywhere.
  ///   - options: How the import goes about its work.
  /// - Returns: What the import did.
  /// - Throws: ``ImportError`` if the document cannot be imported; what `chunks` throws;
  ///   `CancellationError` if the task is cancelled.
  @concurrent
  @discardableResult
  public func importJSON<E: Entity, Chunks: AsyncSequence>(
    _ entity: E.Type, at path: String? = nil, from chunks: sending Chunks,
    options: ImportOptions = ImportOptions()
  ) async throws -> ImportReport where Chunks.Element: ContiguousBytes {
    try await importJSON([ImportRoot(entity, at: path)], from: chunks, options: options)
  }

  /// Imports objects of a typed entity from bytes as they come.
  ///
  /// - Parameters:
  ///   - entity: The objects' entity.
  ///   - path: The path from the document to the objects; nil for the document itself.
  ///   - bytes: The document.
  ///   - options: How the import goes about its work; `chunkSize` bytes are gathered at a time.
  /// - Returns: What the import did.
  /// - Throws: ``ImportError`` if the document cannot be imported; what `bytes` throws;
  ///   `CancellationError` if the task is cancelled.
  @concurrent
  @discardableResult
  public func importJSON<E: Entity, Bytes: AsyncSequence>(
    _ entity: E.Type, at path: String? = nil, from bytes: sending Bytes,
    options: ImportOptions = ImportOptions()
  ) async throws -> ImportReport where Bytes.Element == UInt8 {
    try await importJSON([ImportRoot(entity, at: path)], from: bytes, options: options)
  }
}
