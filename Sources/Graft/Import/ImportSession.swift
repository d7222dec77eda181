/// What one import needs, from the first byte to the commit.
///
/// Unchecked: machine, parser and transaction are made here, never leave, and are reached only
/// through the importer's lock.
struct ImportSession: ~Copyable, @unchecked Sendable {
  private enum Stage {
    case reading(ImportMachine, EventParser)
    case ended(ImportError)
  }

  private let store: GraphStore
  private var stage: Stage
  private var start: ContinuousClock.Instant?
  private(set) var byteCount = 0

  init(store: GraphStore, roots: [ImportRoot], options: ImportOptions) throws {
    let schema = try store.model.schema.applying(options.mapping)
    let plan = try ImportPlan.compile(schema: schema, roots: roots, options: options)
    let machine = ImportMachine(plan: plan, store: store, options: options)
    let parser = EventParser(sink: machine, options: options.parser)
    machine.place = parser.engine
    self.store = store
    stage = .reading(machine, parser)
  }

  mutating func parse(_ chunk: UnsafeRawBufferPointer) throws {
    if start == nil { start = .now }
    try attempt { _, parser in try parser.parse(chunk.bytes) }
    byteCount += chunk.count
  }

  mutating func finish() throws -> ImportReport {
    let start = start ?? .now
    var report = try attempt { machine, parser in
      try parser.finish()
      try machine.finishDocument(isEmpty: parser.engine.documentCount == 0)
      return try machine.commit()
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
    _ body: (ImportMachine, EventParser) throws -> Result
  ) throws -> Result {
    switch stage {
    case .ended(let error): throw error
    case .reading(let machine, let parser):
      do {
        return try withExtendedLifetime(parser) { try body(machine, parser) }
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

extension ImportMachine {
  /// Publishes what has been read.
  ///
  /// - Returns: What the import has done.
  func commit() throws -> ImportReport {
    var report = report()
    let result = try store.commit(transaction)
    report.unfilledStubs = report.unfilledStubs.map { result.current($0) }
    for index in report.roots.indices {
      report.roots[index].ids = report.roots[index].ids.map { result.current($0) }
    }
    return report
  }

  /// What the import has done so far.
  private func report() -> ImportReport {
    var report = ImportReport()
    for entity in schema.entities {
      let number = entity.number
      let count = ImportReport.EntityCount(
        entity: entity.name, inserted: marks.count(.inserted, entity: number),
        updated: marks.count(.updated, entity: number),
        unchanged: marks.count(.unchanged, entity: number), deleted: tally.deleted[number] ?? 0)
      if count.inserted + count.updated + count.unchanged + count.deleted > 0 {
        report.entities.append(count)
      }
    }
    for (number, root) in plan.roots.enumerated() {
      report.roots.append(
        .init(
          root: root, objects: tally.rootObjects[number], ids: tally.rootIDs[number],
          isSingleObject: tally.rootStoodAlone[number]))
    }
    let unfilled = tally.stubs.filter { transaction.contains($0) && transaction.isStub($0) }
    report.unfilledStubCount = unfilled.count
    report.unfilledStubs = Array(unfilled.prefix(options.issueLimit))
    report.issues = tally.issues.issues
    report.issueCount = tally.issues.count
    report.notices = tally.notices.issues
    report.noticeCount = tally.notices.count
    report.skippedNullCount = tally.skippedNulls
    report.ignoredReferenceCount = tally.ignoredReferences
    return report
  }
}
