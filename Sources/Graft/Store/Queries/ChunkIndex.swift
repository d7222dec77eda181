// A secondary index is made of sorted runs, one for each chunk of a table.
//
// A published chunk never changes, and later snapshots share it until they change it. A run is made
// when a query first needs it, and is kept by the chunk, so it is right for all snapshots with the
// chunk. An import or a commit does nothing for an index; only the chunks that it changed are
// sorted again, by the next query.
//
// Example: a table of 100,000 tweets has 4 chunks. The first query by `postedAt` sorts 4 runs and
// merges them as it reads. After a commit that adds one tweet, the next query sorts one run, the
// last.

/// A column that is indexed.
///
/// It points into the layout of the graph, which must be kept alive.
struct IndexColumn {
  let attribute: Int
  let order: ValueOrder
  let shape: TableShape

  /// Returns the value of a row that has one.
  func value(_ row: UInt16, in chunk: GroupChunk) -> RawValue {
    let row = Int(row)
    return chunk.groups[row &>> shape.shift].pointer
      .value(row & shape.mask, shape.attributes[attribute])
  }
}

/// The rows of a chunk that have a value of an attribute, by value, and by insertion where values
/// are the same.
struct ChunkIndex: Sendable {
  private(set) var keys: ContiguousArray<UInt64> = []
  /// The rows, counted from the chunk's first row; a chunk has at most 32 × 1024.
  private(set) var rows: ContiguousArray<UInt16> = []

  /// Sorts the rows of a chunk.
  ///
  /// - Complexity: O(*n*) in the number of rows, if values differ in their keys.
  init(_ chunk: GroupChunk, _ column: IndexColumn) {
    let attribute = column.shape.attributes[column.attribute]
    for (number, element) in chunk.groups.enumerated() {
      let group = element.pointer
      for word in 0..<column.shape.wordCount {
        let live = group.bits(word, at: TableShape.liveBits)
        for bit in Bits(live & group.bits(word, at: attribute.validity)) {
          let row = word << 6 + bit
          keys.append(column.order.key(of: group.value(row, attribute)))
          rows.append(UInt16(truncatingIfNeeded: number << column.shape.shift + row))
        }
      }
    }
    KeySort.sort(&keys, &rows, column.order) { first, second in
      column.order.compare(column.value(first, in: chunk), column.value(second, in: chunk))
    }
  }
}

extension ChunkIndex {
  /// Returns the positions whose values are within bounds.
  ///
  /// - Complexity: O(log *n*) in the number of rows.
  func positions(
    _ bounds: ValueBounds, _ chunk: GroupChunk, _ column: IndexColumn
  ) -> Range<Int> {
    let start = bounds.lower.map { equals($0, 0, chunk, column).lowerBound } ?? 0
    guard let upper = bounds.upper else { return start..<keys.count }
    let last = equals(upper, start, chunk, column)
    return start..<(bounds.includesUpper ? last.upperBound : last.lowerBound)
  }

  /// Returns the positions of a value, from `start` on, which must not be after it.
  ///
  /// The search goes by keys alone, which are contiguous, and then by values among equal keys.
  private func equals(
    _ value: SearchValue, _ start: Int, _ chunk: GroupChunk, _ column: IndexColumn
  ) -> Range<Int> {
    let key = value.key
    let first = firstPosition(in: start..<keys.count) { keys[$0] >= key }
    guard first < keys.count, keys[first] == key else { return first..<first }
    let end = firstPosition(in: first..<keys.count) { keys[$0] > key }
    guard !column.order.isExact else { return first..<end }
    let least = firstPosition(in: first..<end) {
      value.compare(key, column.value(rows[$0], in: chunk)) >= 0
    }
    let behind = firstPosition(in: least..<end) {
      value.compare(key, column.value(rows[$0], in: chunk)) > 0
    }
    return least..<behind
  }

  /// Returns the first position with the same value as the last one before `end`.
  func startOfEquals(
    endingAt end: Int, from start: Int, _ chunk: GroupChunk, _ column: IndexColumn
  ) -> Int {
    let last = end - 1
    let key = keys[last]
    guard last > start, keys[last - 1] == key else { return last }
    let first = firstPosition(in: start..<last) { keys[$0] == key }
    guard !column.order.isExact else { return first }
    let value = column.value(rows[last], in: chunk)
    return firstPosition(in: first..<last) {
      column.order.compare(column.value(rows[$0], in: chunk), value) == 0
    }
  }

  /// Returns the first position for which a condition holds; it holds for all positions after that too.
  private func firstPosition(in positions: Range<Int>, where holds: (Int) -> Bool) -> Int {
    var (start, end) = (positions.lowerBound, positions.upperBound)
    while start < end {
      let middle = start + (end - start) / 2
      if holds(middle) { end = middle } else { start = middle + 1 }
    }
    return start
  }
}

extension GroupChunk {
  /// Returns the chunk's run of an index; the first query makes it while others wait.
  func index(_ column: IndexColumn) -> ChunkIndex {
    indexes.withLock { indexes in
      if let index = indexes[column.attribute] { return index }
      let index = ChunkIndex(self, column)
      indexes[column.attribute] = index
      return index
    }
  }
}

/// Sorts keys, and rows along with them, byte by byte from the lowest on.
///
/// This sort is stable, and takes time in proportion to the number of rows. Bytes that all keys
/// have in common, such as the high ones of most numbers and dates, cost nothing.
enum KeySort {
  /// Sorts keys in ascending order; rows with the same value stay in their order.
  ///
  /// - Parameters:
  ///   - keys: The keys of the values.
  ///   - rows: The rows, in ascending order.
  ///   - order: The order of the values. If it is exact, values with the same key are the same.
  ///   - compare: Compares the values of two rows with the same key.
  static func sort<Row: Comparable>(
    _ keys: inout ContiguousArray<UInt64>, _ rows: inout ContiguousArray<Row>, _ order: ValueOrder,
    _ compare: (Row, Row) -> Int
  ) {
    sort(&keys, &rows)
    guard !order.isExact else { return }
    var start = 0
    while start < keys.count {
      let end = keys[start...].firstIndex { $0 != keys[start] } ?? keys.count
      if end - start > 1 {
        rows[start..<end].sort { first, second in
          let order = compare(first, second)
          return order == 0 ? first < second : order < 0
        }
      }
      start = end
    }
  }

  private static func sort<Row>(
    _ keys: inout ContiguousArray<UInt64>, _ rows: inout ContiguousArray<Row>
  ) {
    guard !isSorted(keys) else { return }
    var otherKeys = keys
    var otherRows = rows
    var counts = ContiguousArray(repeating: 0, count: 256 * 8)
    for key in keys {
      for byte in 0..<8 { counts[byte << 8 + digit(byte, of: key)] += 1 }
    }
    for byte in 0..<8 {
      let digits = byte << 8..<(byte + 1) << 8
      guard counts[byte << 8 + digit(byte, of: keys[0])] < keys.count else { continue }
      var next = 0
      for place in digits { (counts[place], next) = (next, next + counts[place]) }
      for position in keys.indices {
        let place = byte << 8 + digit(byte, of: keys[position])
        otherKeys[counts[place]] = keys[position]
        otherRows[counts[place]] = rows[position]
        counts[place] += 1
      }
      swap(&keys, &otherKeys)
      swap(&rows, &otherRows)
    }
  }

  private static func digit(_ byte: Int, of key: UInt64) -> Int {
    Int(truncatingIfNeeded: key >> UInt64(byte << 3) & 0xff)
  }

  private static func isSorted(_ keys: ContiguousArray<UInt64>) -> Bool {
    var last: UInt64 = 0
    for key in keys {
      if key < last { return false }
      last = key
    }
    return true
  }
}
