public import Foundation

extension GraphStore {
  /// Imports objects of one or several entities from a document, as its bytes arrive.
  ///
  /// ```swift
  /// let roots = [ImportRoot(Event.self, at: "events.*"), ImportRoot(Venue.self, at: "venues")]
  /// let report = try await store.importJSON(roots, from: .url(url)) { progress in
  ///   print(progress.byteCount, "bytes")
  /// }
  /// ```
  ///
  /// The document's objects are published when it has ended. Cancelling the task ends the import,
  /// and nothing is published then. The import does not run on the caller's actor.
  ///
  /// - Parameters:
  ///   - roots: The paths to the objects in the document.
  ///   - source: The source of the bytes.
  ///   - options: The options of the import; `chunkSize` is the most that is read at a time.
  ///   - progress: Called after every chunk with how far the import has come; called from any thread,
  ///     one call at a time.
  /// - Returns: The report of the import.
  /// - Throws: ``ImportSourceError`` if the bytes cannot be had, ``ImportError`` if they cannot be
  ///   imported, what a sequence throws, `CancellationError` if the task is cancelled.
  @concurrent
  @discardableResult
  public func importJSON(
    _ roots: [ImportRoot], from source: ImportSource, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    var options = options
    options.takeName(of: source)
    return try await makeImporter(roots, options: options)
      .importAll(of: source, options, progress: progress)
  }

  /// Imports objects of a typed entity from a document, as its bytes arrive.
  ///
  /// - Parameters:
  ///   - entity: The objects' entity.
  ///   - path: The path from the document to the objects; nil for the document itself.
  ///   - source: The source of the bytes.
  ///   - options: The options of the import.
  ///   - progress: Called after every chunk with how far the import has come.
  /// - Returns: The report of the import.
  /// - Throws: As ``importJSON(_:from:options:progress:)``; ``JSONPathError`` for a malformed path.
  @concurrent
  @discardableResult
  public func importJSON<E: Entity>(
    _ entity: E.Type, at path: String? = nil, from source: ImportSource,
    options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    try await importJSON(
      [ImportRoot(entity, at: path)], from: source, options: options, progress: progress)
  }

  /// Imports objects of a typed entity from a URL: a file, or a server's answer.
  ///
  /// - Parameters:
  ///   - entity: The objects' entity.
  ///   - path: The path from the document to the objects; nil for the document itself.
  ///   - url: The URL of a file, or one of HTTP or HTTPS.
  ///   - options: The options of the import.
  ///   - progress: Called after every chunk with how far the import has come.
  /// - Returns: The report of the import.
  /// - Throws: As ``importJSON(_:from:options:progress:)``; ``JSONPathError`` for a malformed path.
  @concurrent
  @discardableResult
  public func importJSON<E: Entity>(
    _ entity: E.Type, at path: String? = nil, from url: URL,
    options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    try await importJSON(
      [ImportRoot(entity, at: path)], from: .url(url), options: options, progress: progress)
  }

  /// Imports objects of an entity from a document, as its bytes arrive.
  ///
  /// - Parameters:
  ///   - entity: The name of the objects' entity.
  ///   - path: The path from the document to the objects; nil for the document itself.
  ///   - source: The source of the bytes.
  ///   - options: The options of the import.
  ///   - progress: Called after every chunk with how far the import has come.
  /// - Returns: The report of the import.
  /// - Throws: As ``importJSON(_:from:options:progress:)``; ``JSONPathError`` for a malformed path.
  @concurrent
  @discardableResult
  public func importJSON(
    entity: String, at path: String? = nil, from source: ImportSource,
    options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    try await importJSON(
      [ImportRoot(entity, at: path)], from: source, options: options, progress: progress)
  }

  /// Imports objects of an entity from a URL: a file, or a server's answer.
  ///
  /// - Parameters:
  ///   - entity: The name of the objects' entity.
  ///   - path: The path from the document to the objects; nil for the document itself.
  ///   - url: The URL of a file, or one of HTTP or HTTPS.
  ///   - options: The options of the import.
  ///   - progress: Called after every chunk with how far the import has come.
  /// - Returns: The report of the import.
  /// - Throws: As ``importJSON(_:from:options:progress:)``; ``JSONPathError`` for a malformed path.
  @concurrent
  @discardableResult
  public func importJSON(
    entity: String, at path: String? = nil, from url: URL,
    options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    try await importJSON(
      [ImportRoot(entity, at: path)], from: .url(url), options: options, progress: progress)
  }
}

// An import from memory never waits, so it needs no task: outside of asynchronous code it is one
// call, like decoding.
extension GraphStore {
  /// Imports objects of one or several entities from a document that is in memory, synchronously.
  ///
  /// In a task that must not be held up, import from ``ImportSource/data(_:)`` instead.
  ///
  /// - Parameters:
  ///   - roots: The paths to the objects in the document.
  ///   - data: The document.
  ///   - options: The options of the import.
  /// - Returns: The report of the import.
  /// - Throws: ``ImportError``; nothing is published then.
  @discardableResult
  public func importJSON(
    _ roots: [ImportRoot], from data: some ContiguousBytes,
    options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    let importer = try makeImporter(roots, options: options)
    try importer.parse(data)
    return try importer.finish()
  }

  /// Imports objects of a typed entity from a document that is in memory, synchronously.
  ///
  /// - Parameters:
  ///   - entity: The objects' entity.
  ///   - path: The path from the document to the objects; nil for the document itself.
  ///   - data: The document.
  ///   - options: The options of the import.
  /// - Returns: The report of the import.
  /// - Throws: ``ImportError``; nothing is published then. ``JSONPathError`` for a malformed path.
  @discardableResult
  public func importJSON<E: Entity>(
    _ entity: E.Type, at path: String? = nil, from data: some ContiguousBytes,
    options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    try importJSON([ImportRoot(entity, at: path)], from: data, options: options)
  }

  /// Imports objects of an entity from a document that is in memory, synchronously.
  ///
  /// - Parameters:
  ///   - entity: The name of the objects' entity.
  ///   - path: The path from the document to the objects; nil for the document itself.
  ///   - data: The document.
  ///   - options: The options of the import.
  /// - Returns: The report of the import.
  /// - Throws: ``ImportError``; nothing is published then. ``JSONPathError`` for a malformed path.
  @discardableResult
  public func importJSON(
    entity: String, at path: String? = nil, from data: some ContiguousBytes,
    options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    try importJSON([ImportRoot(entity, at: path)], from: data, options: options)
  }
}
