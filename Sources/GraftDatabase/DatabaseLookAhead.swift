// An import into a database on a server waits for the server whenever it looks something up. To
// save round trips, a dry run over each chunk collects the keys that the import will look up. The
// database then fetches them in one query.
//
// The dry run is an import too, so that no mapping, path or discriminator need be understood twice. A
// wrong guess costs time only, never correctness: if the dry run stops at malformed JSON, or a hook
// changes an object's identity, keys are looked up one by one.

import Graft

/// Reads each chunk of a document before the import does, and requests the rows that the import will
/// look up.
final class DatabaseLookAhead: LookAhead {
  let byteLimit: Int
  private let batch: DatabaseBatch
  /// Collects the look-ups; nil after an error.
  private var dryRun: JSONImporter?

  /// - Throws: The error that the import itself throws for the same roots and options.
  init(
    _ roots: [ImportRoot], _ options: ImportOptions, from resumed: ImportPlace?,
    for batch: DatabaseBatch, byteLimit: Int
  ) throws {
    self.byteLimit = byteLimit
    self.batch = batch
    dryRun = try JSONImporter(
      roots, options: options, lookingUpIn: LookUpCollector(batch),
      of: batch.transaction.model, from: resumed)
  }

  func parse(_ chunk: RawSpan) {
    guard let dryRun else { return }
    batch.rows.beginChunk()
    do {
      try dryRun.parse(chunk)
    } catch {
      self.dryRun = nil
    }
    // The batch keeps an error, and throws it at its next check.
    batch.fetched.attempt(()) { () throws(StoreError) in try batch.rows.sendRequests() }
  }
}

extension JSONImporter {
  /// Creates an importer that looks up what another import with the same options will look up, and keeps nothing.
  ///
  /// - Parameters:
  ///   - roots: The roots of the other import.
  ///   - options: Its options.
  ///   - source: Receives the look-ups.
  ///   - model: The model of the objects.
  ///   - resumed: The place where the other import continues; nil for the beginning.
  /// - Throws: The error that the other import throws for the same roots and options.
  convenience init(
    _ roots: [ImportRoot], options: ImportOptions, lookingUpIn source: any RowSource,
    of model: GraphModel, from resumed: ImportPlace?
  ) throws {
    var quiet = ImportOptions()
    quiet.parser = options.parser
    quiet.attributes = options.attributes
    quiet.relationships = options.relationships
    quiet.entities = options.entities
    quiet.bufferLimit = options.bufferLimit
    quiet.fileName = options.fileName
    quiet.isStrict = options.isStrict
    quiet.brokenLines = options.brokenLinePolicy
    quiet.errorPolicy = .skipObject
    quiet.validates = false
    quiet.issueLimit = 0
    let schema = try model.schema.applying(options.mapping).withKeysAlone
    try self.init(
      roots, options: quiet,
      into: LookAheadDestination(model.with(schema), source, resumed: resumed))
  }
}

/// Drops the objects that a look-ahead reads.
///
/// Unchecked: it is used on the thread of the import whose look-ups it collects.
private final class LookAheadDestination: BatchDestination, @unchecked Sendable {
  let model: GraphModel
  let resumed: ImportPlace?
  let savePolicy = ImportOptions.SavePolicy.every(objects: 1000)
  let releasesSavedObjects = true
  private let source: any RowSource
  private let empty: Graph

  init(_ model: GraphModel, _ source: any RowSource, resumed: ImportPlace?) {
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
  ) -> CommitResult? {
    transaction.reset(to: empty)
    return nil
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
