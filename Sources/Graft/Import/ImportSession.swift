/// What one import needs, from the first byte to the commit.
///
/// Unchecked: machine, parser and transaction are made here, never leave, and are reached only through the importer's lock.
struct ImportSession: ~Copyable, @unchecked Sendable {
  private let store: GraphStore
  private let machine: ImportMachine
  private let parser: EventParser
  private let options: ImportOptions
  private var start: ContinuousClock.Instant?
  private var failure: ImportError?
  private(set) var byteCount = 0

  init(store: GraphStore, roots: [ImportRoot], options: ImportOptions) throws {
    let plan = try ImportPlan.compile(schema: store.model.schema, roots: roots, options: options)
    self.store = store
    self.options = options
    machine = ImportMachine(
      plan: plan, transaction: GraphTransaction(base: store.graph), options: options)
    parser = EventParser(sink: machine, options: options.parser)
    machine.parser = parser
  }

  mutating func parse(_ chunk: UnsafeRawBufferPointer) throws {
    if start == nil { start = .now }
    try attempt { parser in try parser.parse(chunk) }
    byteCount += chunk.count
  }

  mutating func finish() throws -> ImportReport {
    let start = start ?? .now
    try attempt { parser in try parser.finish() }
    if let missing = machine.missingRoot() { throw fail(missing) }
    do {
      _ = try store.commit(machine.transaction)
    } catch {
      throw fail(ImportError(error))
    }
    var report = machine.report()
    report.byteCount = byteCount
    report.duration = .now - start
    failure = ImportError(kind: .model, message: "the import has finished")
    return report
  }

  mutating func cancel() {
    if failure == nil {
      failure = ImportError(kind: .cancelled, message: "the import was cancelled")
    }
  }

  private mutating func attempt(_ body: (EventParser) throws -> Void) throws {
    if let failure { throw failure }
    do {
      try body(parser)
    } catch let error as ParsingError {
      throw fail(ImportError(error))
    } catch let error as ImportError {
      throw fail(error)
    }
  }

  private mutating func fail(_ error: ImportError) -> ImportError {
    failure = error
    return error
  }
}

extension ImportError {
  init(_ error: StoreError) {
    self.init(kind: .invalidValue, entity: error.entity, property: nil, message: "\(error)")
  }
}

extension ImportMachine {
  /// What the import has done so far.
  func report() -> ImportReport {
    var report = ImportReport()
    for entity in schema.entities {
      let number = entity.number
      let count = ImportReport.EntityCount(
        entity: entity.name, inserted: marks.count(.inserted, entity: number),
        updated: marks.count(.updated, entity: number),
        unchanged: marks.count(.unchanged, entity: number))
      if count.inserted + count.updated + count.unchanged > 0 { report.entities.append(count) }
    }
    for (number, root) in plan.roots.enumerated() {
      report.roots.append(.init(root: root, objects: tally.rootObjects[number]))
    }
    let unfilled = tally.stubs.filter { transaction.contains($0) && transaction.isStub($0) }
    report.unfilledStubCount = unfilled.count
    report.unfilledStubs = Array(unfilled.prefix(options.issueLimit))
    report.issues = tally.issues
    report.issueCount = tally.issueCount
    report.skippedNullCount = tally.skippedNulls
    report.ignoredReferenceCount = tally.ignoredReferences
    return report
  }
}
