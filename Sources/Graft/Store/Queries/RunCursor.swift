/// A place in the sorted rows of one chunk.
///
/// Backwards it goes from value to value, but within those that are the same still by insertion.
final class RunCursor {
  private let reader: ChunkReader
  private let chunk: GroupChunk
  private let chunkNumber: Int
  private let entity: Int
  private let run: ChunkRun
  private let isReversed: Bool
  private var position: Int
  /// Backwards, where the rows with the present value begin and end.
  private var equals: Range<Int>

  init(
    _ run: ChunkRun, _ reader: ChunkReader, _ chunk: GroupChunk, number: Int, of entity: Int,
    isReversed: Bool
  ) {
    self.run = run
    self.reader = reader
    self.chunk = chunk
    self.chunkNumber = number
    self.entity = entity
    self.isReversed = isReversed
    position = run.positions.lowerBound
    equals = run.positions
    if isReversed { turnBack(to: run.positions.upperBound) }
  }

  var key: UInt64 { run.index.keys[position] }

  var object: ObjectID {
    reader.object(run.index.rows[position], inChunk: chunkNumber, of: entity)
  }

  /// Compares the value here with that of another run, whose key is the same.
  func compare(_ other: RunCursor) -> Int {
    reader.column.order.compare(value, other.value)
  }

  private var value: RawValue { reader.column.value(run.index.rows[position], in: chunk) }

  /// Goes on to the next row.
  ///
  /// - Returns: Whether there is one.
  func advance() -> Bool {
    position += 1
    if position < equals.upperBound { return true }
    guard isReversed, equals.lowerBound > run.positions.lowerBound else { return false }
    turnBack(to: equals.lowerBound)
    return true
  }

  /// Goes to the first of the rows whose value is the last before a position.
  private func turnBack(to end: Int) {
    position = run.index.startOfEquals(
      endingAt: end, from: run.positions.lowerBound, chunk, reader.column)
    equals = position..<end
  }
}
