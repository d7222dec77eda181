// The runs of a table are merged as they are read: a heap holds the runs by their foremost values,
// so the first object costs a look at each run, and each further one some steps down the heap.
// Runs are numbered in order of insertion, and the lower number goes first where values are the
// same.

/// The objects of a query by value.
struct RunMerge {
  /// The foremost value of a run, by its key.
  private struct Front {
    var key: UInt64
    let run: Int
  }

  private var cursors: ContiguousArray<RunCursor> = []
  /// Each stands before those at twice its position plus 1 and 2.
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
        cursors.append(
          RunCursor(run, reader, chunk, number: number, of: entity, isReversed: isReversed))
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
