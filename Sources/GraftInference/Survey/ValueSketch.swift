import Graft

/// Samples the values of a place: it keeps all fingerprints while they are few, and a sample of the
/// distinct ones when they are many.
///
/// A sketch keeps the least fingerprints (the *k* minimum values of Bar-Yossef and others, 2002).
/// The sample therefore does not depend on the order of the values or how often each occurs, and a
/// value is sampled at every place or at none. Two sketches can tell how many values of one place
/// the other place has.
///
/// The number of distinct values is exact up to ``limit``; beyond, it is estimated with a standard error of
/// 1/√(*limit* − 2), which is 4.4 %.
struct ValueSketch: Equatable {
  static let limit = 512

  /// The kept fingerprints in ascending order.
  private(set) var values: ContiguousArray<UInt64> = []
  /// Whether no value was left out.
  private(set) var isComplete = true
  private var last: UInt64 = 0
  /// The greatest value that is kept.
  private var bound = UInt64.max

  /// Notes that a value occurs.
  ///
  /// - Parameter value: The fingerprint of the value.
  /// - Returns: Whether it may be new; false if it is known to have occurred before.
  @inline(__always) @discardableResult
  mutating func insert(_ value: UInt64) -> Bool {
    if value == last { return false }
    if !isComplete, value > bound { return true }
    return insertSlowly(value)
  }

  @inline(never)
  private mutating func insertSlowly(_ value: UInt64) -> Bool {
    last = value
    let position = Self.position(of: value, in: values)
    if position < values.count, values[position] == value { return false }
    values.insert(value, at: position)
    if values.count > Self.limit {
      values.removeLast()
      isComplete = false
    }
    bound = values.last ?? .max
    return true
  }

  /// Notes all values that another place has.
  mutating func formUnion(_ other: ValueSketch) {
    isComplete = isComplete && other.isComplete
    for value in other.values { _ = insertSlowly(value) }
  }

  /// Forgets a value.
  mutating func remove(_ value: UInt64) {
    guard let position = values.firstIndex(of: value) else { return }
    values.remove(at: position)
    last = 0
  }

  /// The number of distinct values, or an estimate of it.
  var distinctCount: Int {
    guard !isComplete, let greatest = values.last else { return values.count }
    let part = Double(greatest) / 18_446_744_073_709_551_616
    return Int((Double(values.count - 1) / part).rounded())
  }

  func contains(_ value: UInt64) -> Bool {
    let position = Self.position(of: value, in: values)
    return position < values.count && values[position] == value
  }

  /// Returns the number of common values in the two samples, and the number of compared values.
  ///
  /// A sketch that is only a sample says nothing about values above its greatest one.
  func overlap(with other: ValueSketch) -> (common: Int, compared: Int) {
    var bound = UInt64.max
    if !isComplete, let greatest = values.last { bound = min(bound, greatest) }
    if !other.isComplete, let greatest = other.values.last { bound = min(bound, greatest) }
    var (common, compared, index) = (0, 0, 0)
    for value in values {
      if value > bound { break }
      compared += 1
      while index < other.values.count, other.values[index] < value { index += 1 }
      if index < other.values.count, other.values[index] == value { common += 1 }
    }
    return (common, compared)
  }

  /// Returns the index at which a value is, or would be, in ascending order.
  static func position(of value: UInt64, in values: ContiguousArray<UInt64>) -> Int {
    // Whether a fingerprint is less than another is chance, so there is no branch for it.
    var (position, count) = (0, values.count)
    while count > 0 {
      let half = count / 2
      let isBelow = values[position + half] < value
      position = isBelow ? position + half + 1 : position
      count = isBelow ? count - half - 1 : half
    }
    return position
  }

  static func == (first: ValueSketch, second: ValueSketch) -> Bool {
    first.isComplete == second.isComplete && first.values == second.values
  }
}

/// An index of many sketches by their values, to find sketches that share a value with another.
struct SketchIndex {
  /// The values with the numbers of their sketches, in ascending order of the values.
  private var entries: ContiguousArray<(value: UInt64, sketch: Int32)> = []

  init(_ sketches: [ValueSketch]) {
    for (number, sketch) in sketches.enumerated() {
      for value in sketch.values {
        entries.append((value, Int32(truncatingIfNeeded: number)))
      }
    }
    entries.sort { $0.value < $1.value }
  }

  /// Returns the numbers of the sketches that share a value with a given sketch, in ascending order.
  ///
  /// - Complexity: O(*n* log *m*) in the values of the sketch and of all together, and linear in the values
  ///   that they have in common.
  func sketches(near sketch: ValueSketch) -> [Int] {
    var found: Set<Int32> = []
    for value in sketch.values {
      var (low, high) = (0, entries.count)
      while low < high {
        let middle = (low + high) / 2
        if entries[middle].value < value { low = middle + 1 } else { high = middle }
      }
      while low < entries.count, entries[low].value == value {
        found.insert(entries[low].sketch)
        low += 1
      }
    }
    return found.sorted().map(Int.init)
  }
}
