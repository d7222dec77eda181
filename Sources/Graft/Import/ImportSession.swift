/// What one import needs, from the first byte to the commit.
///
/// Unchecked: engine, parser and transaction are made here, never leave, and are reached only
/// through the importer's lock.
struct ImportSession: ~Copyable, @unchecked Sendable {
  private enum Stage {
    case reading(ImportEngine, EventParser)
    case ended(ImportError)
  }

  private let store: GraphStore
  private var stage: Stage
  private var start: ContinuousClock.Instant?
  private(set) var byteCount = 0

  init(store: GraphStore, roots: [ImportRoot], options: ImportOptions) throws {
    let schema = try store.model.schema.applying(options.mapping)
    let plan = try ImportPlan.compile(schema: schema, roots: roots, options: options)
    let engine = ImportEngine(plan: plan, store: store, options: options)
    let parser = EventParser(sink: engine, options: options.parser)
    engine.source = parser.engine
    self.store = store
    stage = .reading(engine, parser)
  }

  mutating func parse(_ chunk: UnsafeRawBufferPointer) throws {
    if start == nil { start = .now }
    try attempt { _, parser in try parser.parse(chunk.bytes) }
    byteCount += chunk.count
  }

  mutating func finish() throws -> ImportReport {
    let start = start ?? .now
    var report = try attempt { engine, parser in
      try parser.finish()
      return try engine.finish(isEmpty: parser.engine.documentCount == 0)
    }
    stage = .ended(ImportError(kind: .model, message: "the import has finished"))
    report.byteCount = byteCount
    report.duration = .now - start
    return report
  }

  mutating func cancel() {
    guard case .reading = stage else { return }
    stage = .ended(ImportError(kind: .cancelled, message: "the import was cancelled"))
  }

  /// Does a part of the work; where that fails, gives up all that was begun.
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
        stage = .ended(error)
        throw error
      }
    }
  }
}

extension ImportError {
  /// The import's own form of whatever stopped it.
  fileprivate init(any error: any Error) {
    switch error {
    case let error as ImportError: self = error
    case let error as ParsingError: self.init(error)
    case let error as StoreError: self.init(error)
    default: self.init(kind: .invalidValue, message: "\(error)", underlyingError: error)
    }
  }
}
