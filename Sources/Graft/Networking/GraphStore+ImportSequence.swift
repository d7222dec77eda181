public import Foundation

extension GraphStore {
  /// Imports chunks of bytes as they come.
  ///
  /// - Parameters:
  ///   - entity: The name of the objects' entity.
  ///   - path: The path from the document to the objects; nil for the document itself.
  ///   - chunks: The document, cut anywhere.
  ///   - options: How the import goes about its work.
  /// - Returns: What the import did.
  /// - Throws: ``ImportError`` if the document cannot be imported; what `chunks` throws;
  ///   `CancellationError` if the task is cancelled.
  @concurrent
  @discardableResult
  public func importJSON<Chunks: AsyncSequence>(
    entity: String, at path: String? = nil, from chunks: sending Chunks,
    options: ImportOptions = ImportOptions()
  ) async throws -> ImportReport where Chunks.Element: ContiguousBytes {
    try await importJSON([Self.root(entity, path)], from: chunks, options: options)
  }

  /// Imports chunks of bytes as they come, from several roots in one pass.
  ///
  /// - Parameters:
  ///   - roots: Where in the document the objects stand.
  ///   - chunks: The document, cut anywhere.
  ///   - options: How the import goes about its work.
  /// - Returns: What the import did.
  /// - Throws: ``ImportError`` if the document cannot be imported; what `chunks` throws;
  ///   `CancellationError` if the task is cancelled.
  @concurrent
  @discardableResult
  public func importJSON<Chunks: AsyncSequence>(
    _ roots: [ImportRoot], from chunks: sending Chunks, options: ImportOptions = ImportOptions()
  ) async throws -> ImportReport where Chunks.Element: ContiguousBytes {
    let importer = try makeImporter(roots, options: options)
    for try await chunk in chunks {
      try Task.checkCancellation()
      try importer.parse(chunk)
    }
    // A stream ends early, and in silence, when its task is cancelled.
    try Task.checkCancellation()
    return try importer.finish()
  }

  /// Imports bytes as they come.
  ///
  /// - Parameters:
  ///   - entity: The name of the objects' entity.
  ///   - path: The path from the document to the objects; nil for the document itself.
  ///   - bytes: The document.
  ///   - options: How the import goes about its work; `chunkSize` bytes are gathered at a time.
  /// - Returns: What the import did.
  /// - Throws: ``ImportError`` if the document cannot be imported; what `bytes` throws;
  ///   `CancellationError` if the task is cancelled.
  @concurrent
  @discardableResult
  public func importJSON<Bytes: AsyncSequence>(
    entity: String, at path: String? = nil, from bytes: sending Bytes,
    options: ImportOptions = ImportOptions()
  ) async throws -> ImportReport where Bytes.Element == UInt8 {
    try await importJSON([Self.root(entity, path)], from: bytes, options: options)
  }

  /// Imports bytes as they come, from several roots in one pass.
  ///
  /// - Parameters:
  ///   - roots: Where in the document the objects stand.
  ///   - bytes: The document.
  ///   - options: How the import goes about its work; `chunkSize` bytes are gathered at a time.
  /// - Returns: What the import did.
  /// - Throws: ``ImportError`` if the document cannot be imported; what `bytes` throws;
  ///   `CancellationError` if the task is cancelled.
  @concurrent
  @discardableResult
  public func importJSON<Bytes: AsyncSequence>(
    _ roots: [ImportRoot], from bytes: sending Bytes, options: ImportOptions = ImportOptions()
  ) async throws -> ImportReport where Bytes.Element == UInt8 {
    let importer = try makeImporter(roots, options: options)
    let chunkSize = min(max(options.chunkSize, 1), FileReader.largestChunk)
    var chunk: [UInt8] = []
    chunk.reserveCapacity(chunkSize)
    for try await byte in bytes {
      chunk.append(byte)
      guard chunk.count == chunkSize else { continue }
      try Task.checkCancellation()
      try importer.parse(chunk)
      chunk.removeAll(keepingCapacity: true)
    }
    try Task.checkCancellation()
    try importer.parse(chunk)
    return try importer.finish()
  }
}
