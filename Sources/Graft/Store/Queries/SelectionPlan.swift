/// What a query looks for and in which order; nothing is looked at before it is iterated or
/// counted.
struct SelectionPlan: Sendable {
  /// Which values are wanted.
  enum Values: Sendable {
    case none
    case within(ValueBounds)
    /// Those that satisfy a condition, which no index helps with.
    case satisfying(@Sendable (RawValue) -> Bool)
  }

  enum Arrangement: Sendable {
    case byInsertion
    /// By value, and by insertion where the values are the same.
    case ascending
    case descending
  }

  let graph: Graph
  let entities: [Int]
  let attribute: Int
  var values = Values.none
  var arrangement = Arrangement.byInsertion
  /// Whether the objects without a value are wanted; they come last.
  var includesMissing = false

  // Asked of the attribute where it lies: a copy of it would count its references.
  var type: AttributeType { graph.schema.entities[entities[0]].attributes[attribute].type }

  var isIndexed: Bool { graph.schema.entities[entities[0]].attributes[attribute].isIndexed }

  /// The number of objects.
  var count: Int {
    if includesMissing, case .within(let bounds) = values, bounds.isEverything {
      return entities.reduce(0) { $0 + graph.liveCount($1) }
    }
    var count = 0
    for entity in entities {
      let reader = ChunkReader(self, entity: entity)
      for chunk in graph.storage.tables[entity].chunks {
        count += reader.run(chunk)?.positions.count ?? 0
        if includesMissing { count += reader.missing(chunk).count }
      }
    }
    return count
  }
}

/// The rows of one chunk that a query wants.
struct ChunkRun {
  let index: ChunkIndex
  let positions: Range<Int>
}

/// Finds in the chunks of one entity what a query wants.
///
/// A class, because all cursors of a query share it, and copies would count references.
final class ChunkReader {
  let column: IndexColumn
  private let plan: SelectionPlan
  private let isIndexed: Bool

  init(_ plan: SelectionPlan, entity: Int) {
    self.plan = plan
    column = IndexColumn(
      attribute: plan.attribute, order: ValueOrder(plan.type),
      shape: plan.graph.storage.layout.shapes[entity])
    isIndexed = plan.isIndexed
  }

  /// The rows with a wanted value, as the query arranges them; nil if there are none.
  ///
  /// They come out of the index if there is one, and else out of a look at each row.
  func run(_ chunk: GroupChunk) -> ChunkRun? {
    let run: ChunkRun
    switch plan.values {
    case .none: return nil
    case .within(let bounds) where isIndexed:
      let index = chunk.index(column)
      run = ChunkRun(index: index, positions: index.positions(bounds, chunk, column))
    case .within(let bounds):
      run = scan(chunk) { bounds.contains($0, $1) }
    case .satisfying(let isWanted):
      run = scan(chunk) { isWanted($1) }
    }
    return run.positions.isEmpty ? nil : run
  }

  private func scan(_ chunk: GroupChunk, _ isWanted: (UInt64, RawValue) -> Bool) -> ChunkRun {
    var index = ChunkIndex(chunk, column, where: isWanted)
    if plan.arrangement != .byInsertion { index.sort(chunk, column) }
    return ChunkRun(index: index, positions: index.rows.indices)
  }

  /// The rows without a value, in order of insertion.
  func missing(_ chunk: GroupChunk) -> ContiguousArray<UInt16> { chunk.rowsWithout(column) }

  /// The object in a row of a chunk.
  func object(_ row: UInt16, inChunk number: Int, of entity: Int) -> ObjectID {
    ObjectID(entity: entity, row: number << (GroupChunk.shift + column.shape.shift) + Int(row))
  }
}
