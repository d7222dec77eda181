/// Counts each value at a place: exactly while few values are distinct, and a sample of them when they are many.
///
/// A tally keeps the least fingerprints, as ``ValueSketch`` does, so that two tallies have counted the same values.
struct ValueTally: Equatable {
  static let limit = 64

  /// The kept fingerprints in ascending order.
  private var values: ContiguousArray<UInt64> = []
  /// The number of times that each of them occurs.
  private var counts: ContiguousArray<Int> = []
  /// The greatest value that is counted.
  private var bound = UInt64.max

  /// Counts a value.
  @inline(__always)
  mutating func insert(_ value: UInt64) {
    if value <= bound { insertSlowly(value) }
  }

  @inline(never)
  private mutating func insertSlowly(_ value: UInt64) {
    let position = ValueSketch.position(of: value, in: values)
    if position < values.count, values[position] == value {
      counts[position] += 1
      return
    }
    values.insert(value, at: position)
    counts.insert(1, at: position)
    guard values.count > Self.limit else { return }
    bound = values.removeLast() &- 1
    counts.removeLast()
  }

  /// Returns whether each value occurs at least as often as in another tally, as far as both have counted.
  func holds(_ other: ValueTally) -> Bool {
    let bound = min(bound, other.bound)
    for (value, count) in zip(other.values, other.counts) where value <= bound {
      let position = ValueSketch.position(of: value, in: values)
      guard position < values.count, values[position] == value, counts[position] >= count else {
        return false
      }
    }
    return true
  }
}
