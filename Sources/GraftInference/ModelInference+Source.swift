public import Graft

extension ModelInference {
  /// Reads a whole document from a source.
  ///
  /// - Parameters:
  ///   - source: Where the bytes come from.
  ///   - rootName: What the objects are called that the document is an array of; nil where that is not known.
  ///   - fileName: The name of the file that it comes from; nil where the source has a name of its own.
  ///   - options: How the document is read.
  ///   - chunkSize: The most bytes that are read and parsed at a time.
  ///   - progress: Called after every chunk, one call at a time.
  /// - Throws: ``ImportSourceError`` if the bytes cannot be had, ``ParsingError`` if they are no JSON, what
  ///   a sequence throws, `CancellationError` if the task is cancelled.
  @concurrent
  public func readDocument(
    from source: ImportSource, rootName: String? = nil, fileName: String? = nil,
    options: ParserOptions = ParserOptions(), chunkSize: Int = 65_536,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws {
    try beginDocument(
      rootName: rootName, fileName: fileName ?? source.fileName, options: options)
    try await source.read(chunkSize: chunkSize, progress: progress) { try self.parse($0) }
    try endDocument()
  }
}
