/// The objects of a query in its order.
///
/// A class, because the iterators that contain it are copied as one reference.
final class SelectionRows {
  private enum Phase {
    case values(ChunkWalk)
    case ordered(RunMerge)
    case missing(ChunkWalk)
    case end
  }

  let plan: SelectionPlan
  private var phase: Phase

  init(_ plan: SelectionPlan) {
    self.plan = plan
    phase =
      plan.arrangement == .byInsertion
      ? .values(ChunkWalk(plan, .withValue)) : .ordered(RunMerge(plan))
  }

  func next() -> ObjectID? {
    while true {
      switch phase {
      case .values(var walk):
        phase = .end
        let object = walk.next()
        phase = object == nil ? behindValues : .values(walk)
        if let object { return object }
      case .ordered(var merge):
        phase = .end
        let object = merge.next()
        phase = object == nil ? behindValues : .ordered(merge)
        if let object { return object }
      case .missing(var walk):
        phase = .end
        let object = walk.next()
        phase = object == nil ? .end : .missing(walk)
        return object
      case .end: return nil
      }
    }
  }

  private var behindValues: Phase {
    plan.includesMissing ? .missing(ChunkWalk(plan, .withoutValue)) : .end
  }
}

/// The objects of a query in order of insertion, chunk by chunk.
struct ChunkWalk {
  /// The wanted rows of a chunk.
  enum Rows {
    case withValue
    case withoutValue
  }

  private let plan: SelectionPlan
  private let wanted: Rows
  private var entities: ArraySlice<Int>
  private var reader: ChunkReader?
  private var entity = 0
  private var chunkNumber = -1
  private var rows: ArraySlice<UInt16> = []

  init(_ plan: SelectionPlan, _ wanted: Rows) {
    self.plan = plan
    self.wanted = wanted
    entities = plan.entities[...]
  }

  mutating func next() -> ObjectID? {
    while true {
      if let reader, let row = rows.popFirst() {
        return reader.object(row, inChunk: chunkNumber)
      }
      guard advance() else { return nil }
    }
  }

  /// Advances to the next chunk.
  private mutating func advance() -> Bool {
    chunkNumber += 1
    while reader == nil || chunkNumber >= plan.graph.storage.tables[entity].chunks.count {
      guard let next = entities.popFirst() else { return false }
      entity = next
      chunkNumber = 0
      reader = ChunkReader(plan, entity: next)
    }
    guard let reader else { return false }
    let chunk = plan.graph.storage.tables[entity].chunks[chunkNumber]
    switch wanted {
    case .withValue:
      rows = reader.run(chunk).map { Array($0.index.rows[$0.positions])[...] } ?? []
      // An index lists the rows of a range by value.
      if case .within(let bounds) = plan.values, !bounds.isOneValue { rows.sort() }
    case .withoutValue:
      rows = Array(reader.missing(chunk))[...]
    }
    return true
  }
}

/// The objects of a query by value: the sorted runs of all chunks, merged as they are read.
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

  private var cursors: ContiguousArray<RunCursor> = []
  /// A heap: each element comes before the elements at twice its position plus 1 and plus 2.
  private var heap: ContiguousArray<Front> = []
  private let isReversed: Bool
  private let isExact: Bool

  init(_ plan: SelectionPlan) {
    isReversed = plan.arrangement == .descending
    isExact = ValueOrder(plan.type).isExact
    for entity in plan.entities {
      let reader = ChunkReader(plan, entity: entity)
      for (number, chunk) in plan.graph.storage.tables[entity].chunks.enumerated() {
        guard let run = reader.run(chunk) else { continue }
        cursors.append(RunCursor(run, reader, chunk, number: number, isReversed: isReversed))
      }
    }
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

/// A position in the sorted rows of one chunk.
///
/// Backwards it goes from value to value, but through rows with the same value still by insertion.
final class RunCursor {
  private let reader: ChunkReader
  private let chunk: GroupChunk
  private let chunkNumber: Int
  private let run: ChunkRun
  private let isReversed: Bool
  private var position: Int
  /// The positions of the rows with the current value, for descending order.
  private var equals: Range<Int>

  @inline(never)
  init(
    _ run: ChunkRun, _ reader: ChunkReader, _ chunk: GroupChunk, number: Int, isReversed: Bool
  ) {
    self.run = run
    self.reader = reader
    self.chunk = chunk
    self.chunkNumber = number
    self.isReversed = isReversed
    position = run.positions.lowerBound
    equals = run.positions
    if isReversed { turnBack(to: run.positions.upperBound) }
  }

  var key: UInt64 { run.index.keys[position] }

  var object: ObjectID {
    reader.object(run.index.rows[position], inChunk: chunkNumber)
  }

  /// Compares the current value with another run's current value, whose key is the same.
  func compare(_ other: RunCursor) -> Int {
    reader.column.order.compare(value, other.value)
  }

  private var value: RawValue { reader.column.value(run.index.rows[position], in: chunk) }

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
      endingAt: end, from: run.positions.lowerBound, chunk, reader.column)
    equals = position..<end
  }
}

/// The rows of one chunk that a query wants.
struct ChunkRun {
  let index: ChunkIndex
  let positions: Range<Int>
}

/// Finds the rows that a query wants in the chunks of one entity.
///
/// A class, because all cursors of a query share it, and copies of a struct would count references.
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

  /// Returns the rows with a wanted value, as the query arranges them; nil if there are none.
  ///
  /// They are found by the index if there is one, else by a look at each row.
  @inline(never)
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

  /// Returns the rows without a value, in order of insertion.
  func missing(_ chunk: GroupChunk) -> ContiguousArray<UInt16> { chunk.rowsWithout(column) }

  /// Returns the object in a row of a chunk.
  func object(_ row: UInt16, inChunk number: Int) -> ObjectID {
    column.shape.objectID(number << (GroupChunk.shift + column.shape.shift) + Int(row))
  }
}
