public import Foundation

/// A store or a database, into which any number of imports write.
///
/// Both import by the calls of this protocol, so that code can leave the choice open:
///
/// ```swift
/// func refresh(_ target: some ImportTarget) async throws {
///   try await target.importJSON(Tweet.self, at: "statuses", from: url)
/// }
/// ```
///
/// The requirements that begin with an underscore are those two types' own. Do not conform other types.
public protocol ImportTarget: AnyObject, Sendable {
  /// The model that the objects follow.
  var model: GraphModel { get }

  /// Prepares an import, which begins with the first bytes or the server's answer.
  ///
  /// - Parameters:
  ///   - roots: The paths to the objects in the document.
  ///   - source: The source of the bytes; nil if the caller hands them over.
  ///   - options: The options of the import.
  /// - Returns: An importer that takes the document's bytes.
  /// - Throws: ``ImportError`` or ``StoreError`` if the import cannot begin.
  @_documentation(visibility: internal)
  func _prepareImport(
    _ roots: [ImportRoot], of source: ImportSource?, options: ImportOptions
  ) throws -> JSONImporter

  /// Begins a group of imports.
  ///
  /// - Returns: The group.
  /// - Throws: ``StoreError`` if the group cannot begin.
  @_documentation(visibility: internal)
  func _beginGroup() throws -> ImportGroup

  /// Returns a note that an import has left together with its objects.
  ///
  /// - Parameter key: The key of the note.
  /// - Returns: The text of the note; nil if there is none.
  /// - Throws: ``StoreError`` if a database cannot be read.
  @_documentation(visibility: internal)
  func _noted(_ key: String) throws -> String?

  /// Returns the greatest value of an attribute.
  ///
  /// - Parameters:
  ///   - attribute: The attribute's name.
  ///   - entity: The entity's name; objects of entities below it count too.
  /// - Returns: The value; nil if no object has one.
  /// - Throws: ``StoreError`` for names that the model lacks, and where a database cannot be read.
  @_documentation(visibility: internal)
  func _greatest(_ attribute: String, of entity: String) throws -> AttributeValue?

  /// Runs an import from a source, on a thread where it may wait for other writers.
  @_documentation(visibility: internal)
  @concurrent
  func _runImport(
    _ body: @Sendable () async throws -> ImportReport
  ) async throws -> ImportReport
}

extension GraphStore: ImportTarget {
  /// Prepares an import into memory.
  @_documentation(visibility: internal)
  public func _prepareImport(
    _ roots: [ImportRoot], of source: ImportSource?, options: ImportOptions
  ) throws -> JSONImporter {
    try JSONImporter(roots, options: options, into: StoreDestination(self, options))
  }

  /// Begins a group of imports into memory.
  @_documentation(visibility: internal)
  public func _beginGroup() throws -> ImportGroup { ImportGroup(self) }

  /// Returns a note that an import has left, as long as the store lives.
  @_documentation(visibility: internal)
  public func _noted(_ key: String) -> String? { noted(key) }

  /// Returns the greatest value of an attribute.
  @_documentation(visibility: internal)
  public func _greatest(_ attribute: String, of entity: String) throws -> AttributeValue? {
    try graph.objects(entity).ordered(by: attribute, .reverse).first?[attribute]
  }

  /// Runs an import, which waits only for bytes.
  @_documentation(visibility: internal)
  @concurrent
  public func _runImport(
    _ body: @Sendable () async throws -> ImportReport
  ) async throws -> ImportReport {
    try await body()
  }
}

// Imports whose bytes the caller hands over.
extension ImportTarget {
  /// Begins an import of objects of one or several entities, whose bytes the caller hands over.
  ///
  /// - Parameters:
  ///   - roots: The paths to the objects in the document.
  ///   - options: The options of the import.
  /// - Returns: An importer that takes the document's bytes.
  /// - Throws: ``ImportError`` for an entity that the model lacks or options that are out of range,
  ///   ``ModelError`` for a mapping that does not fit the model, ``StoreError`` if a database cannot be used.
  public func makeImporter(
    _ roots: [ImportRoot], options: ImportOptions = ImportOptions()
  ) throws -> JSONImporter {
    let importer = try _prepareImport(roots, of: nil, options: options)
    try importer.begin()
    return importer
  }

  /// Begins an import of objects of a typed entity, whose bytes the caller hands over.
  ///
  /// - Parameters:
  ///   - entity: The objects' entity.
  ///   - path: The path from the document to the objects, or to the array that holds them, such as
  ///     `statuses`; nil if the document itself is the object or the array.
  ///   - options: The options of the import.
  /// - Returns: An importer that takes the document's bytes.
  /// - Throws: As ``makeImporter(_:options:)``; ``JSONPathError`` for a malformed path.
  public func makeImporter<E: Entity>(
    _ entity: E.Type, at path: String? = nil, options: ImportOptions = ImportOptions()
  ) throws -> JSONImporter {
    try makeImporter([ImportRoot(entity, at: path)], options: options)
  }

  /// Begins an import of objects of an entity, whose bytes the caller hands over.
  ///
  /// - Parameters:
  ///   - entity: The name of the objects' entity.
  ///   - path: The path from the document to the objects, or to the array that holds them, such as
  ///     `statuses`; nil if the document itself is the object or the array.
  ///   - options: The options of the import.
  /// - Returns: An importer that takes the document's bytes.
  /// - Throws: As ``makeImporter(_:options:)``; ``JSONPathError`` for a malformed path.
  public func makeImporter(
    entity: String, at path: String? = nil, options: ImportOptions = ImportOptions()
  ) throws -> JSONImporter {
    try makeImporter([ImportRoot(entity, at: path)], options: options)
  }
}

// Imports from a source.
extension ImportTarget {
  /// Imports objects of one or several entities from a document, as its bytes arrive.
  ///
  /// ```swift
  /// let roots = [ImportRoot(Event.self, at: "events.*"), ImportRoot(Venue.self, at: "venues")]
  /// let report = try await store.importJSON(roots, from: .url(url)) { progress in
  ///   print(progress.byteCount, "bytes")
  /// }
  /// ```
  ///
  /// The document's objects are published when it has ended, or in steps
  /// (``ImportOptions/savePolicy``). Cancelling the task ends the import, and publishes nothing
  /// more. The import does not run on the caller's actor.
  ///
  /// - Parameters:
  ///   - roots: The paths to the objects in the document.
  ///   - source: The source of the bytes.
  ///   - options: The options of the import; `chunkSize` is the most that is read at a time.
  ///   - progress: Called after every chunk with how far the import has come; called from any thread,
  ///     one call at a time.
  /// - Returns: The report of the import.
  /// - Throws: ``ImportSourceError`` if the bytes cannot be had, ``ImportError`` if they cannot be
  ///   imported or saved, ``ModelError`` for a mapping that does not fit the model, ``StoreError`` if a database
  ///   cannot be used, what a sequence or ``ImportOptions/willReadResponse`` throws, `CancellationError` if the task
  ///   is cancelled.
  @concurrent
  @discardableResult
  public func importJSON(
    _ roots: [ImportRoot], from source: ImportSource, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    if let series = source.series {
      return try await series.importAll(
        SeriesJob(
          roots: roots, target: self, options: options, decompression: source.decompression,
          progress: progress))
    }
    var options = options
    options.takeName(of: source)
    let importing = { @Sendable [options] in
      try await self._prepareImport(roots, of: source, options: options)
        .importAll(of: source, options, progress: progress)
    }
    // A paused import waits on its thread, and so does one whose bytes come through a pipe.
    guard options.control != nil || source.mayBlock else { return try await _runImport(importing) }
    return try await BlockingWork.run { try await _runImport(importing) }
  }

  /// Imports objects of one or several entities from a URL: a file, or a server's answer.
  ///
  /// - Parameters:
  ///   - roots: The paths to the objects in the document.
  ///   - url: The URL of a file, or one of HTTP or HTTPS.
  ///   - options: The options of the import.
  ///   - progress: Called after every chunk with how far the import has come.
  /// - Returns: The report of the import.
  /// - Throws: As ``importJSON(_:from:options:progress:)-(_,ImportSource,_,_)``.
  @concurrent
  @discardableResult
  public func importJSON(
    _ roots: [ImportRoot], from url: URL, options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    try await importJSON(roots, from: .url(url), options: options, progress: progress)
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
  /// - Throws: As ``importJSON(_:from:options:progress:)-(_,ImportSource,_,_)``; ``JSONPathError`` for
  ///   a malformed path.
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
  /// - Throws: As ``importJSON(_:from:options:progress:)-(_,ImportSource,_,_)``; ``JSONPathError`` for
  ///   a malformed path.
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
  /// - Throws: As ``importJSON(_:from:options:progress:)-(_,ImportSource,_,_)``; ``JSONPathError`` for
  ///   a malformed path.
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
  /// - Throws: As ``importJSON(_:from:options:progress:)-(_,ImportSource,_,_)``; ``JSONPathError`` for
  ///   a malformed path.
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

// An import from memory waits for no bytes, so it needs no task: outside of asynchronous code it is
// one call, like decoding.
extension ImportTarget {
  /// Imports objects of one or several entities from a document that is in memory, synchronously.
  ///
  /// The document's objects are published when it has ended, or in steps
  /// (``ImportOptions/savePolicy``). An error publishes nothing more. An import into a database blocks the thread while
  /// others write. In a task that must not be held up, import from ``ImportSource/data(_:)``
  /// instead.
  ///
  /// - Parameters:
  ///   - roots: The paths to the objects in the document.
  ///   - data: The document.
  ///   - options: The options of the import.
  /// - Returns: The report of the import.
  /// - Throws: ``ImportError`` if the document cannot be imported or saved, and as ``makeImporter(_:options:)``.
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
  /// - Throws: As ``importJSON(_:from:options:)``; ``JSONPathError`` for a malformed path.
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
  /// - Throws: As ``importJSON(_:from:options:)``; ``JSONPathError`` for a malformed path.
  @discardableResult
  public func importJSON(
    entity: String, at path: String? = nil, from data: some ContiguousBytes,
    options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    try importJSON([ImportRoot(entity, at: path)], from: data, options: options)
  }
}

// Imports that belong together.
extension ImportTarget {
  /// Imports several documents that belong together, and deletes at the end what none of them
  /// mentions.
  ///
  /// ```swift
  /// try await store.importGroup { group in
  ///   var options = ImportOptions()
  ///   options.deletesMissing = true
  ///   options.group = group
  ///   for page in pages {
  ///     try await store.importJSON(Concert.self, at: "concerts", from: page, options: options)
  ///   }
  /// }
  /// ```
  ///
  /// Code that is not asynchronous makes an ``ImportGroup`` and finishes it.
  ///
  /// - Parameter body: Imports the documents, each with the group in its options
  ///   (``ImportOptions/group``); into a database, one after the other.
  /// - Returns: The report of the deletions at the end of the group.
  /// - Throws: The closure's error, and nothing is deleted then; ``ImportError`` if a delete
  ///   rule denies a deletion.
  @discardableResult
  public func importGroup(
    _ body: (ImportGroup) async throws -> Void
  ) async throws -> ImportReport {
    let group = try _beginGroup()
    do {
      try await body(group)
    } catch {
      group.abandon()
      throw error
    }
    return try group.finish()
  }
}
