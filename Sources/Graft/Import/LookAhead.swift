// An import into a database on a server waits for the server whenever it looks something up. To
// save round trips, a dry run over each chunk collects the keys that the import will look up. The
// database then fetches them in one query.
//
// It is the same code, so that no mapping, path or discriminator need be understood twice. A wrong
// guess costs time only, never correctness: if the dry run stops at malformed JSON, or a hook
// changes an object's identity, keys are looked up one by one.

/// Collects the keys that an import will look up in a database; it has no rows itself.
package protocol LookAheadSource: RowSource {
  /// The most bytes that are read ahead, which limits the predicted keys of a large chunk.
  var byteLimit: Int { get }

  /// Begins a chunk; the import has finished all chunks but the one before.
  func beginChunk()

  /// Ends a chunk, whose look-ups are all known now.
  func endChunk()
}

/// Reads each chunk of a document before the import does, and reports the keys that the import will
/// look up.
struct LookAhead {
  private let engine: ImportEngine
  private let parser: EventParser
  /// Leaves out the lines that the import skips.
  private let lines: BrokenLineFilter?
  private let source: any LookAheadSource
  private var hasFailed = false

  /// The most bytes that are read ahead.
  var byteLimit: Int { source.byteLimit }

  /// - Throws: The error that the import itself throws for the same roots and options.
  init(
    for destination: any BatchDestination, roots: [ImportRoot], options: ImportOptions,
    source: any LookAheadSource
  ) throws {
    var quiet = ImportOptions()
    quiet.parser = options.parser
    quiet.mapping = options.mapping
    quiet.attributes = options.attributes
    quiet.relationships = options.relationships
    quiet.entities = options.entities
    quiet.bufferLimit = options.bufferLimit
    quiet.fileName = options.fileName
    quiet.isStrict = options.isStrict
    quiet.errorPolicy = .skipObject
    quiet.validates = false
    quiet.issueLimit = 0
    let model = destination.model
    let schema = try model.schema.applying(options.mapping).withKeysAlone
    let plan = try ImportPlan.compile(schema: schema, roots: roots, options: quiet)
    let nowhere = LookAheadDestination(
      GraphModel(entities: model.entities, warnings: [], schema: schema), source,
      resumed: destination.resumed)
    engine = try ImportEngine(plan: plan, options: quiet, destination: nowhere)
    parser = EventParser(sink: engine, options: options.parser)
    engine.source = parser.engine
    lines = options.makeBrokenLineFilter()
    self.source = source
  }

  mutating func parse(_ chunk: BorrowedBuffer<UInt8>) {
    guard !hasFailed else { return }
    source.beginChunk()
    do {
      try chunk.withRawSpan { chunk in
        guard let lines else { return try parser.parse(chunk) }
        try lines.parse(chunk, into: parser) { _ in }
      }
    } catch {
      hasFailed = true
    }
    source.endChunk()
  }

  /// Releases the events that the engine holds.
  func end() { engine.dropWaitingEvents() }
}

/// Drops the objects that a look-ahead reads.
private final class LookAheadDestination: BatchDestination {
  let model: GraphModel
  let resumed: ImportPlace?
  let savePolicy = ImportOptions.SavePolicy.every(objects: 1000)
  let releasesSavedObjects = true
  private let source: any LookAheadSource
  private let empty: Graph

  init(_ model: GraphModel, _ source: any LookAheadSource, resumed: ImportPlace?) {
    self.model = model
    self.source = source
    self.resumed = resumed
    empty = Graph(emptyOf: model)
  }

  var owner: AnyObject { self }

  func begin(of rootEntities: Set<Int>) -> GraphTransaction {
    GraphTransaction(base: empty, fetched: FetchedObjects(source))
  }

  func save(
    _ transaction: GraphTransaction, _ outcomes: ObjectOutcomes, _ removed: RemovedObjects?,
    at place: ImportPlace?
  ) -> SavedBatch {
    transaction.reset(to: empty)
    return .released
  }

  func finish(
    _ transaction: GraphTransaction, _ outcomes: ObjectOutcomes, noting notes: [ImportNote]
  ) -> CommitResult {
    CommitResult(graph: empty)
  }

  func missingObjects(
    of entities: Set<Int>, _ outcomes: ObjectOutcomes, inParts: Bool
  ) -> (objects: [ObjectID], areLast: Bool) {
    ([], true)
  }

  func unfilledStubs(_ stubs: [ObjectID], in graph: Graph) -> (count: Int, objects: [ObjectID]) {
    (0, [])
  }
}

extension ModelSchema {
  /// A copy of the model with only the attributes that identify objects and the relationships.
  fileprivate var withKeysAlone: ModelSchema {
    var kept = entities.map { Set($0.identity) }
    for relationship in entities.flatMap(\.relationships) {
      guard let attribute = relationship.relatedBy else { continue }
      for member in entities[relationship.destination].family { kept[member].insert(attribute) }
    }
    return ModelSchema(
      entities: entities.map { entity in
        entity.with { entity in
          for number in entity.attributes.indices where !kept[entity.number].contains(number) {
            entity.attributes[number] = entity.attributes[number].with {
              $0.paths = []
              $0.isOptional = true
            }
          }
          entity.relationships = entity.relationships.map { relationship in
            relationship.with {
              $0.isOptional = true
              $0.minimumCount = 0
              $0.maximumCount = 0
            }
          }
          entity.modifiedAttribute = nil
        }
      }, dialect: dialect, types: types)
  }
}
