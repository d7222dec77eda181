public import Foundation
import Synchronization

/// One import: takes the bytes of a document as they arrive, and publishes its objects when the
/// document has ended.
///
/// ```swift
/// let importer = try store.makeImporter(entity: "Tweet", at: "statuses")
/// try importer.parse(chunk)                   // as often as bytes arrive
/// let report = try importer.finish()
/// ```
///
/// Nothing is published until ``finish()`` succeeds, nor after an error or ``cancel()``. (An import
/// with an ``ImportOptions/savePolicy`` may publish in steps.) An importer may be called from any
/// thread, as a download's delegate is.
public final class JSONImporter: Sendable {
  private let session: Mutex<ImportSession>

  /// - Parameters:
  ///   - roots: The places of the objects in the document.
  ///   - options: The options of the import.
  ///   - destination: The receiver of the objects.
  /// - Throws: ``ImportError`` or ``StoreError`` if the import cannot begin.
  package init(
    _ roots: [ImportRoot], options: ImportOptions, into destination: sending any ImportDestination
  ) throws {
    if !options.isDryRun { try options.group?.begin(in: destination.owner) }
    session = Mutex(try ImportSession(roots, options: options, destination: destination))
  }

  /// Reads the next bytes of the document.
  ///
  /// - Parameter chunk: Bytes that follow those already read; any number of them, cut anywhere,
  ///   even inside a character.
  /// - Throws: ``ImportError`` if the document cannot be imported; every later call throws the
  ///   same.
  /// - Complexity: O(*n*) in the size of the chunk.
  public func parse(_ chunk: some ContiguousBytes) throws {
    try chunk.withRawSpan { try parse($0) }
  }

  /// Reads the next bytes of the document.
  ///
  /// - Parameter chunk: Bytes that follow those already read.
  /// - Throws: ``ImportError`` if the document cannot be imported; every later call throws the
  ///   same.
  public func parse(_ chunk: RawSpan) throws {
    try chunk.withBorrowed { chunk in try session.withLock { try $0.parse(chunk) } }
  }

  /// Reads the next bytes of the document, which have been scanned.
  func parse(_ chunk: ScannedChunk) throws {
    try session.withLock { try $0.parse(chunk) }
  }

  /// Ends the document and publishes its objects.
  ///
  /// - Returns: The report of the import.
  /// - Throws: ``ImportError`` if the document is cut short or cannot be imported; nothing is
  ///   published then.
  public func finish() throws -> ImportReport {
    try session.withLock { try $0.finish() }
  }

  /// Gives the import up: nothing is published, and every later call throws an error that says so.
  public func cancel() {
    session.withLock { $0.cancel() }
  }

  /// The bytes read so far.
  public var byteCount: Int { session.withLock { $0.byteCount } }
}

/// An importer's state under its lock: parses chunks until the document has ended, and keeps the
/// error that has ended the import.
///
/// Unchecked: engine, parser and transaction are made here, never leave, and are reached only
/// through the importer's lock.
private struct ImportSession: ~Copyable, @unchecked Sendable {
  private enum Stage {
    case reading(ImportEngine, EventParser)
    case ended(ImportError)
  }

  private let destination: any ImportDestination
  /// Keeps lines from the parser that are not JSON, where they are to be skipped.
  private let lines: BrokenLineFilter?
  private var stage: Stage
  /// Reads each chunk first, so that a database can prefetch objects that the import looks up; nil
  /// for other destinations.
  private var lookAhead: LookAhead?
  private var start: ContinuousClock.Instant?
  private(set) var byteCount: Int

  init(
    _ roots: [ImportRoot], options: ImportOptions, destination: any ImportDestination
  ) throws {
    try options.check()
    var options = options
    options.takeFormatFromName()
    let schema = try destination.model.schema.applying(options.mapping)
    let plan = try ImportPlan.compile(schema: schema, roots: roots, options: options)
    let engine = try ImportEngine(plan: plan, options: options, destination: destination)
    let start = destination.resumed?.document
    let parser = EventParser(sink: engine, options: options.parser, at: start)
    engine.source = parser.engine
    lookAhead = try destination.lookAhead.map {
      try LookAhead(for: destination, roots: roots, options: options, source: $0)
    }
    lines =
      options.skipsBrokenLines
      ? BrokenLineFilter(options: options.parser, lineLimit: options.bufferLimit, at: start) : nil
    byteCount = start?.location.offset ?? 0
    self.destination = destination
    stage = .reading(engine, parser)
  }

  mutating func parse(_ chunk: BorrowedBuffer<UInt8>) throws {
    if start == nil { start = .now }
    let limit = lookAhead?.byteLimit ?? .max
    lookAhead?.parse(chunk[0..<min(limit, chunk.count)])
    guard chunk.count > limit else { return try parsePart(chunk) }
    // The database looks up what a part asks for while the import reads the part before it.
    for start in stride(from: 0, to: chunk.count, by: limit) {
      let end = min(start + limit, chunk.count)
      if end < chunk.count { lookAhead?.parse(chunk[end..<min(end + limit, chunk.count)]) }
      try parsePart(chunk[start..<end])
    }
  }

  /// Reads bytes whose look-ups are known.
  private mutating func parsePart(_ chunk: BorrowedBuffer<UInt8>) throws {
    let count = chunk.count
    try attempt { [lines, destination] engine, parser in
      // A look-up by itself costs more than one of many, but less than a moment for each byte.
      let isLarge = count >= 1024
      if isLarge { try destination.beginReading() }
      defer { if isLarge { destination.endReading() } }
      try chunk.withRawSpan { chunk in
        guard let lines else { return try parser.parse(chunk) }
        try lines.parse(chunk, into: parser) { engine.skipLine($0) }
      }
    }
    byteCount += chunk.count
  }

  mutating func parse(_ chunk: ScannedChunk) throws {
    if start == nil { start = .now }
    lookAhead?.parse(chunk)
    try attempt { [destination] _, parser in
      try destination.beginReading()
      defer { destination.endReading() }
      try parser.parse(chunk)
    }
    byteCount += chunk.count
  }

  mutating func finish() throws -> ImportReport {
    let start = start ?? .now
    var report = try attempt { [lines] engine, parser in
      try lines?.finish(into: parser) { engine.skipLine($0) }
      try parser.finish()
      return try engine.finish(documentCount: parser.engine.documentCount)
    }
    end(ImportError(kind: .model, message: "the import has finished"))
    report.byteCount = byteCount
    report.duration = .now - start
    return report
  }

  mutating func cancel() {
    guard case .reading = stage else { return }
    end(ImportError(kind: .cancelled, message: "the import was cancelled"))
  }

  /// Drops engine and parser with all that was read; every later call throws the error.
  private mutating func end(_ error: ImportError) {
    if case .reading(let engine, _) = stage { engine.dropWaitingEvents() }
    lookAhead?.end()
    lookAhead = nil
    stage = .ended(error)
  }

  deinit {
    if case .reading(let engine, _) = stage { engine.dropWaitingEvents() }
    lookAhead?.end()
  }

  /// Does a part of the work; if it fails, drops engine and parser with everything read so far.
  private mutating func attempt<Result>(
    _ body: (ImportEngine, EventParser) throws -> Result
  ) throws -> Result {
    switch stage {
    case .ended(let error): throw error
    case .reading(let engine, let parser):
      do {
        return try withExtendedLifetime(parser) { try body(engine, parser) }
      } catch {
        let error = ImportError(any: error)
        end(error)
        throw error
      }
    }
  }
}

extension ImportError {
  /// Returns the error of an import for the error that stopped it.
  fileprivate init(any error: any Error) {
    switch error {
    case let error as ImportError: self = error
    case let error as ParsingError: self.init(error)
    case let error as StoreError: self.init(error)
    default: self.init(kind: .invalidValue, message: "\(error)", underlyingError: error)
    }
  }
}
