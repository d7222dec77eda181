/// The objects of an index within bounds, as one run for each chunk of a table that has some.
struct IndexRuns: Sequence {
  let graph: Graph
  let order: ValueOrder
  private let entities: [Int]
  private let attribute: Int
  private let bounds: ValueBounds

  /// Finds the objects of a plan's entities whose value is within bounds.
  init(_ plan: SelectionPlan, _ bounds: ValueBounds) {
    graph = plan.graph
    entities = plan.entities
    attribute = plan.attribute
    order = plan.valueOrder
    self.bounds = bounds
  }

  /// The number of objects.
  var objectCount: Int { reduce(0) { $0 + $1.positions.count } }

  /// Returns the runs; a run is looked up when it is read.
  func makeIterator() -> some IteratorProtocol<ChunkRun> {
    entities.lazy.flatMap { entity in
      let column = IndexColumn(
        attribute: attribute, order: order, shape: graph.storage.layout.shapes[entity])
      return graph.storage.tables[entity].chunks.enumerated().lazy.compactMap { number, chunk in
        ChunkRun(chunk, number, column, bounds)
      }
    }
    .makeIterator()
  }
}

/// The rows of one chunk within bounds, by value.
///
/// It points into the layout of the graph, which must be kept alive.
struct ChunkRun {
  let index: ChunkIndex
  let positions: Range<Int>
  let column: IndexColumn
  let chunk: GroupChunk
  /// The chunk's position in its table.
  private let number: Int

  /// Finds the rows; nil if there are none.
  init?(_ chunk: GroupChunk, _ number: Int, _ column: IndexColumn, _ bounds: ValueBounds) {
    index = chunk.index(column)
    positions = index.positions(bounds, chunk, column)
    self.column = column
    self.chunk = chunk
    self.number = number
    if positions.isEmpty { return nil }
  }

  /// The objects in order of insertion.
  var objects: [ObjectID] { index.rows[positions].sorted().map(object) }

  /// Returns the object at a position.
  func object(at position: Int) -> ObjectID { object(index.rows[position]) }

  /// Returns the value at a position.
  func value(at position: Int) -> RawValue { column.value(index.rows[position], in: chunk) }

  private func object(_ row: UInt16) -> ObjectID {
    column.shape.objectID(number << (GroupChunk.shift + column.shape.shift) + Int(row))
  }
}

/// The objects of an index by value: the runs of all chunks, merged as they are read.
///
/// A heap holds the runs by their next values. So the first object costs a look at each run, and
/// each further one some steps down the heap. Runs are numbered in order of insertion, and the
/// lower number goes first where values are the same.
struct RunMerge {
  /// The key of a run's next value.
  private struct Front {
    var key: UInt64
    let run: Int
  }

  /// The graph, whose layout the runs point into.
  private let graph: Graph
  private var cursors: ContiguousArray<RunCursor> = []
  /// A heap: each element comes before the elements at twice its position plus 1 and plus 2.
  private var heap: ContiguousArray<Front> = []
  private let isReversed: Bool
  private let isExact: Bool

  init(_ runs: IndexRuns, isReversed: Bool) {
    graph = runs.graph
    isExact = runs.order.isExact
    self.isReversed = isReversed
    for run in runs { cursors.append(RunCursor(run, isReversed: isReversed)) }
    heap = ContiguousArray(cursors.enumerated().map { Front(key: $1.key, run: $0) })
    for position in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(position) }
  }

  mutating func next() -> ObjectID? {
    guard let first = heap.first else { return nil }
    let cursor = cursors[first.run]
    let object = cursor.object
    if cursor.advance() {
      heap[0].key = cursor.key
    } else {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
    }
    sink(0)
    return object
  }

  private mutating func sink(_ start: Int) {
    var position = start
    while 2 * position + 1 < heap.count {
      var child = 2 * position + 1
      if child + 1 < heap.count, isBefore(heap[child + 1], heap[child]) { child += 1 }
      guard isBefore(heap[child], heap[position]) else { return }
      heap.swapAt(child, position)
      position = child
    }
  }

  private func isBefore(_ first: Front, _ second: Front) -> Bool {
    if first.key != second.key { return (first.key < second.key) != isReversed }
    let order = isExact ? 0 : cursors[first.run].compare(cursors[second.run])
    guard order != 0 else { return first.run < second.run }
    return isReversed ? order > 0 : order < 0
  }
}

/// A position in a run.
///
/// Backwards it goes from value to value, but through rows with the same value still by insertion.
final class RunCursor {
  private let run: ChunkRun
  private let isReversed: Bool
  private var position: Int
  /// The positions of the rows with the current value, for descending order.
  private var equals: Range<Int>

  @inline(never)
  init(_ run: ChunkRun, isReversed: Bool) {
    self.run = run
    self.isReversed = isReversed
    position = run.positions.lowerBound
    equals = run.positions
    if isReversed { turnBack(to: run.positions.upperBound) }
  }

  var key: UInt64 { run.index.keys[position] }

  var object: ObjectID { run.object(at: position) }

  /// Compares the current value with another run's current value, whose key is the same.
  func compare(_ other: RunCursor) -> Int {
    run.column.order.compare(run.value(at: position), other.run.value(at: other.position))
  }

  /// Advances to the next row.
  ///
  /// - Returns: Whether there is one.
  func advance() -> Bool {
    position += 1
    if position < equals.upperBound { return true }
    guard isReversed, equals.lowerBound > run.positions.lowerBound else { return false }
    turnBack(to: equals.lowerBound)
    return true
  }

  /// Moves to the first row with the last value before a position.
  private func turnBack(to end: Int) {
    position = run.index.startOfEquals(
      endingAt: end, from: run.positions.lowerBound, run.chunk, run.column)
    equals = position..<end
  }
}
