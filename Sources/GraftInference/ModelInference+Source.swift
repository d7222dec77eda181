public import Graft

extension ModelInference {
  /// Reads a whole document from a source.
  ///
  /// - Parameters:
  ///   - source: The source of the bytes.
  ///   - rootName: The name of the objects in a document that is an array; nil if it is not known.
  ///   - fileName: The name of the file that it comes from; nil where the source has a name of its own.
  ///   - options: The options of the parser.
  ///   - chunkSize: The most bytes that are read and parsed at a time.
  ///   - progress: Called after every chunk, one call at a time.
  /// - Throws: ``Graft/ImportSourceError`` if the bytes cannot be read, ``Graft/ParsingError`` if
  ///   they are no JSON, the error of a sequence, `CancellationError` if the task is cancelled.
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

  /// Infers the model of documents that can be read again, and reads them a second time, so that nothing is estimated.
  ///
  /// The documents are imported by the model, into memory, and exported again. An identity that
  /// would merge different objects is dropped, and a property whose values the import skips is kept
  /// as JSON. Each loss of the export is a finding, ``GraftInference/InferenceFinding/Certainty/loss``. If the documents have more than 256 MB
  /// together, memory may not hold them; this method then returns the model of ``finish()`` with a
  /// notice. See ``GraftInference/InferredModel/isVerified``.
  ///
  /// - Parameters:
  ///   - sources: The sources of the documents' bytes, in the order in which they were read.
  ///   - chunkSize: The most bytes that are read and parsed at a time.
  ///   - progress: Called after every chunk, one call at a time.
  /// - Returns: The model.
  /// - Throws: The errors of ``finish()`` and ``readDocument(from:rootName:fileName:options:chunkSize:progress:)``,
  ///   ``Graft/ModelError`` where a name that was given does not fit.
  /// - Complexity: O(*n*) in the size of the documents, in memory too.
  @concurrent
  public func finish(
    readingAgain sources: [ImportSource], chunkSize: Int = 65_536,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> InferredModel {
    // If an identity is dropped, another member may become the identity.
    let roundLimit = 4
    var exclusions = Exclusions()
    for round in 1...roundLimit {
      try beginSecondLook(at: sources.count, excluding: exclusions)
      do {
        for (number, source) in sources.enumerated() {
          try withSecondLook { try $0.beginDocument(number) }
          try await source.read(chunkSize: chunkSize, progress: progress) { chunk in
            try self.withSecondLook { try $0.parse(chunk) }
          }
          try withSecondLook { try $0.endDocument() }
        }
      } catch is SecondLook.LimitExceeded {
        return try estimated("more than \(SecondLook.byteLimit >> 20) MB were read")
      } catch let error as ImportError {
        return try estimated("an import by this model ends with an error, \(error)")
      }
      let canExclude = round < roundLimit
      if let model = try finishSecondLook(&exclusions, canExclude: canExclude) { return model }
    }
    return try finish()
  }

  /// Returns the model of the first look, with the reason why there was no second.
  private func estimated(_ reason: String) throws -> InferredModel {
    var model = try finish()
    model.notices.append("\(reason): the counts are estimated")
    return model
  }
}
