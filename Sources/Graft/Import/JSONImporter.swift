public import Foundation
import Synchronization

/// Imports one document: takes its bytes as they arrive, and publishes its objects when the document has ended.
///
/// ```swift
/// let importer = try store.makeImporter(entity: "Tweet", at: "statuses")
/// try importer.parse(chunk)                   // as often as bytes arrive
/// let report = try importer.finish()
/// ```
///
/// An import into a ``GraphStore`` publishes nothing until ``finish()`` succeeds, and nothing after an
/// error or ``cancel()``. With an ``ImportOptions/savePolicy``, and by default into a database, an import
/// may publish in steps. The objects of complete steps stay. An import into a database blocks the
/// thread while others write.
///
/// An importer may be called from any thread, as a download's delegate is. One thread at a time reads:
/// others that call `parse` or ``finish()`` wait. So a hook must not call these of its own import,
/// because it would wait for itself. It may call ``cancel()`` and ``byteCount``.
public final class JSONImporter: Sendable {
  private let session: Mutex<ImportSession>
  // A hook runs while the lock is held, and may call `cancel` and `byteCount`.
  private let isCancelled = Atomic(false)
  private let readByteCount = Atomic(0)

  /// - Parameters:
  ///   - roots: The places of the objects in the document.
  ///   - options: The options of the import.
  ///   - destination: The receiver of the objects.
  /// - Throws: ``ImportError`` or ``StoreError`` if the import cannot begin.
  package init(
    _ roots: [ImportRoot], options: ImportOptions, into destination: sending any BatchDestination
  ) throws {
    if !options.isDryRun { try options.group?.begin(in: destination.owner) }
    session = Mutex(try ImportSession(roots, options: options, destination: destination))
  }

  private var wasCancelled: Bool { isCancelled.load(ordering: .sequentiallyConsistent) }

  private func withSession<Result>(
    _ body: (inout ImportSession) throws -> Result
  ) throws -> Result {
    // A hook, or another thread, may have cancelled the import while the lock was held.
    defer { if wasCancelled { session.withLockIfAvailable { $0.cancel() } } }
    return try session.withLock { session in
      if wasCancelled { session.cancel() }
      defer { readByteCount.store(session.byteCount, ordering: .relaxed) }
      return try body(&session)
    }
  }

  /// Begins the import, which otherwise begins with the first bytes.
  ///
  /// - Parameter response: The server's answer that the bytes are the body of; nil for other bytes.
  /// - Throws: The error of the hook for answers; ``ImportError`` or ``StoreError`` if the import cannot begin.
  package func begin(reading response: ImportResponse? = nil) throws {
    try withSession { try $0.begin(reading: response) }
  }

  /// Reads the next bytes of the document.
  ///
  /// - Parameter chunk: Bytes that follow those already read; any number of them, cut anywhere,
  ///   even inside a character.
  /// - Throws: ``ImportError`` if the document cannot be imported or saved; every later call throws the
  ///   same.
  /// - Complexity: O(*n*) in the size of the chunk.
  public func parse(_ chunk: some ContiguousBytes) throws {
    try chunk.withRawSpan { try parse($0) }
  }

  /// Reads the next bytes of the document.
  ///
  /// - Parameter chunk: Bytes that follow those already read.
  /// - Throws: ``ImportError`` if the document cannot be imported or saved; every later call throws the
  ///   same.
  public func parse(_ chunk: RawSpan) throws {
    try chunk.withBorrowed { chunk in try withSession { try $0.parse(chunk) } }
  }

  /// Ends the document and publishes its objects.
  ///
  /// - Returns: The report of the import.
  /// - Throws: ``ImportError`` if the document is cut short, or cannot be imported or saved; nothing
  ///   more is published then.
  public func finish() throws -> ImportReport {
    try withSession { try $0.finish(unless: { self.wasCancelled }) }
  }

  /// Cancels the import: nothing more is published, and every later call throws an error that says so.
  ///
  /// It does not wait: a chunk that is being read is read to its end, so that hooks may still be called. A hook may cancel
  /// its own import.
  public func cancel() {
    isCancelled.store(true, ordering: .sequentiallyConsistent)
    session.withLockIfAvailable { $0.cancel() }
  }

  /// Whether the text has ended, whatever bytes follow: an event was the end marker.
  var hasEnded: Bool { (try? withSession { $0.hasEnded }) ?? false }

  /// The number of bytes read so far.
  public var byteCount: Int { readByteCount.load(ordering: .relaxed) }
}

/// An importer's state under its lock: parses chunks until the document has ended, and keeps the
/// error that has ended the import.
///
/// Unchecked: engine, parser and transaction are made here, never leave, and are reached only
/// through the importer's lock.
private struct ImportSession: ~Copyable, @unchecked Sendable {
  private enum Stage {
    /// Nothing has been read, and the import has not begun at the destination.
    case prepared(ImportPlan)
    case reading(ImportEngine, EventParser)
    case ended(ImportError)
  }

  private let destination: any BatchDestination
  private var roots: [ImportRoot]
  private var options: ImportOptions
  /// Drops lines that are not JSON, if such lines are skipped.
  private var lines: BrokenLineFilter?
  private var stage: Stage
  /// The server's answer that the document comes from.
  private var response: ImportResponse?
  /// Reads each chunk first; nil for a destination that does not prefetch.
  private var lookAhead: (any LookAhead)?
  private var start: ContinuousClock.Instant?
  private(set) var byteCount = 0

  var hasEnded: Bool {
    if case .reading(_, let parser) = stage { parser.hasEnded } else { false }
  }

  init(
    _ roots: [ImportRoot], options: ImportOptions, destination: any BatchDestination
  ) throws {
    try options.check()
    let plan = try Self.plan(roots, options, destination.model)
    self.roots = roots
    self.options = options
    self.destination = destination
    stage = .prepared(plan)
  }

  private static func plan(
    _ roots: [ImportRoot], _ options: ImportOptions, _ model: GraphModel
  ) throws -> ImportPlan {
    try ImportPlan.compile(
      schema: model.schema.applying(options.mapping), roots: roots, options: options)
  }

  mutating func begin(reading response: ImportResponse?) throws {
    guard case .prepared(let prepared) = stage else { return }
    let (formerRoots, formerFormat) = (roots, options.parser.format)
    do {
      if let response { try take(response) }
      options.takeFormatFromName()
      // A root of NDJSON may be read in another way.
      let isPrepared = roots == formerRoots && options.parser.format == formerFormat
      try begin(isPrepared ? prepared : Self.plan(roots, options, destination.model))
    } catch {
      end(ImportError(any: error))
      throw error
    }
  }

  /// Takes the format from a server's answer, and the choices of the hook.
  private mutating func take(_ response: ImportResponse) throws {
    self.response = response
    options.parser.format = options.parser.format ?? response.format
    options.takeFormatFromName()
    guard let hook = options.willReadResponse else { return }
    var reading = ImportResponse.ReadingOptions(roots: roots, format: options.parser.format)
    try hook(response, &reading)
    options.parser.format = reading.format
    roots = reading.roots
  }

  private mutating func begin(_ plan: ImportPlan) throws {
    let engine = try ImportEngine(plan: plan, options: options, destination: destination)
    let parser = EventParser(sink: engine, options: options.parser)
    engine.source = parser.engine
    stage = .reading(engine, parser)
    lookAhead = try destination.makeLookAhead(roots, options)
    lines = options.makeBrokenLineFilter()
  }

  mutating func parse(_ chunk: BorrowedBuffer<UInt8>) throws {
    if start == nil { start = .now }
    if case .prepared = stage { try begin(reading: nil) }
    let limit = lookAhead?.byteLimit ?? .max
    chunk[0..<min(limit, chunk.count)].withRawSpan { lookAhead?.parse($0) }
    guard chunk.count > limit else { return try parsePart(chunk) }
    // The database looks up what a part asks for while the import reads the part before it.
    for start in stride(from: 0, to: chunk.count, by: limit) {
      let end = min(start + limit, chunk.count)
      if end < chunk.count {
        chunk[end..<min(end + limit, chunk.count)].withRawSpan { lookAhead?.parse($0) }
      }
      try parsePart(chunk[start..<end])
    }
  }

  /// Reads bytes whose look-ups are known.
  private mutating func parsePart(_ chunk: BorrowedBuffer<UInt8>) throws {
    let count = chunk.count
    try attempt { [lines, destination] engine, parser in
      // A single look-up costs more than one of many, but less than a moment for each byte.
      let isLarge = count >= 1024
      if isLarge { try destination.beginReading() }
      defer { if isLarge { destination.endReading() } }
      guard let lines else { return try parser.parse(chunk) }
      try lines.parse(chunk, into: parser) { engine.skipLine($0) }
    }
    byteCount += chunk.count
  }

  /// Ends the import, unless a hook cancels it while the rest of the document is read.
  mutating func finish(unless isCancelled: () -> Bool) throws -> ImportReport {
    let start = start ?? .now
    var report = try attempt { [lines] engine, parser in
      try lines?.finish(into: parser) { engine.skipLine($0) }
      try parser.finish()
      if isCancelled() { throw Self.cancellation }
      return try engine.finish(documentCount: parser.engine.documentCount)
    }
    end(ImportError(kind: .model, message: "the import has finished"))
    report.byteCount = byteCount
    report.duration = .now - start
    report.response = response
    return report
  }

  private static var cancellation: ImportError {
    ImportError(kind: .cancelled, message: "the import was cancelled")
  }

  @inline(never)
  mutating func cancel() {
    if case .ended = stage { return }
    end(Self.cancellation)
  }

  /// Drops engine, parser and options with all that was read; every later call throws the error.
  private mutating func end(_ error: ImportError) {
    if case .reading(let engine, _) = stage { engine.dropWaitingEvents() }
    lookAhead = nil
    stage = .ended(error)
    // Its hooks may have captured the importer.
    options = ImportOptions()
  }

  /// Returns the error of an import that has failed, which every later call throws too.
  @inline(never)
  private mutating func end(after error: any Error) -> ImportError {
    let error = ImportError(any: destination.failureOfSave() ?? error)
    end(error)
    return error
  }

  deinit {
    if case .reading(let engine, _) = stage { engine.dropWaitingEvents() }
  }

  /// Runs a part of the work; if it fails, drops engine and parser with everything read so far.
  private mutating func attempt<Result>(
    _ body: (ImportEngine, EventParser) throws -> Result
  ) throws -> Result {
    switch stage {
    case .ended(let error): throw error
    case .prepared:
      try begin(reading: nil)
      return try attempt(body)
    case .reading(let engine, let parser):
      do {
        return try withExtendedLifetime(parser) { try body(engine, parser) }
      } catch {
        throw end(after: error)
      }
    }
  }
}

extension ImportError {
  /// Creates the error of an import from the error that stopped it.
  fileprivate init(any error: any Error) {
    switch error {
    case let error as ImportError: self = error
    case let error as ParsingError: self.init(error)
    case let error as StoreError: self.init(error)
    default: self.init(kind: .invalidValue, message: "\(error)", underlyingError: error)
    }
  }
}
